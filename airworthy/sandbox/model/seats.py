"""The seats of flights that are held, and those that are booked."""

import threading
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from airworthy.sandbox.model.inventory import Itinerary
from airworthy.sandbox.model.tables import BoundedTable


class _SeatHolder(Protocol):
    """What holds seats until it ``expires``: a booking request of v3 and v2, an order of v4.

    It holds ``seats`` on each of its ``itineraries``. ``is_booked`` says whether they are booked, or free again, and is
    None as long as they may still be booked.
    """

    @property
    def id(self) -> Hashable: ...
    @property
    def itineraries(self) -> tuple[Itinerary, ...]: ...
    @property
    def seats(self) -> int: ...
    @property
    def expires(self) -> datetime: ...
    @property
    def is_booked(self) -> bool | None: ...


@dataclass(frozen=True, slots=True)
class SeatHold:
    """Seats that are held until a time (None: permanently, they are booked)."""

    number: int
    until: datetime | None


class SeatHolds:
    """The seats that booking requests and orders hold or have booked."""

    def __init__(self) -> None:
        self._held: BoundedTable[Mapping[Hashable, SeatHold]] = BoundedTable()
        self._lock = threading.Lock()

    def left(self, itinerary: Itinerary, now: datetime) -> int:
        """Return how many seats of an itinerary are free at a time."""
        return itinerary.seats - sum(each.number for each in self._live(itinerary, now).values())

    def hold(self, holder: _SeatHolder, now: datetime) -> bool:
        """Hold seats on all itineraries; return False if one has too few free seats."""
        hold = SeatHold(holder.seats, holder.expires)
        with self._lock:
            if any(self.left(each, now) < hold.number for each in holder.itineraries):
                return False
            for each in holder.itineraries:
                self._held.put(each, {**self._live(each, now), holder.id: hold})
            return True

    def settle(self, holder: _SeatHolder) -> None:
        """Keep the seats of a holder that is booked permanently; free those of one that can no longer be booked."""
        if holder.is_booked is not None:
            self._replace(holder, keep=holder.is_booked)

    def free(self, holder: _SeatHolder) -> None:
        """Free the seats of a holder."""
        self._replace(holder, keep=False)

    def _replace(self, holder: _SeatHolder, *, keep: bool) -> None:
        with self._lock:
            for each in holder.itineraries:
                holds = dict(self._held.get(each) or {})
                hold = holds.pop(holder.id, None)
                if hold is not None:
                    self._held.put(each, holds | ({holder.id: SeatHold(hold.number, None)} if keep else {}))

    def _live(self, itinerary: Itinerary, now: datetime) -> Mapping[Hashable, SeatHold]:
        holds = self._held.get(itinerary) or {}
        return {number: each for number, each in holds.items() if each.until is None or each.until > now}
