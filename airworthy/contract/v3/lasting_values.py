"""What stays the same about a booking of v3 and v2: its original flight, its prices, its booker, its passengers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from airworthy.contract.body import Json, Pointer
from airworthy.contract.limits import PRICE_TOLERANCE
from airworthy.contract.transaction import as_number, items, member, whole
from airworthy.contract.v3.bag_pieces import Pieces, of_booking
from airworthy.contract.v3.moments import are_apart, moment
from airworthy.contract.v3.passenger_records import NAMES, SeenRecord, Text, are_other_words, seen_records, written

LENGTH_OF_A_TIME = len("YYYY-MM-DD HH:mm:ss")
LENGTH_OF_A_CARRIER = len("IB")
PRICES: tuple[tuple[str, ...], ...] = (
    *(("price",), ("infant_price",), ("total_price",), ("cc_fee",), ("luggage_fee",)),
    *(("bags_fee", "checked"), ("bags_fee", "cabin")),
)
BOOKER = (*NAMES, "email")
# infant_count is compared with the records of its own response.
COUNTS: tuple[tuple[str, ...], ...] = (("passenger_count",),)

Journey = tuple[str, str, str, str, str]
"""Where a flight departs and arrives, when, and as which flights; an empty string for what a response does not show."""
NO_JOURNEY: Journey = ("", "", "", "", "")
AIRPORTS = ("origin", "destination")
JOURNEY = (*AIRPORTS, "departure_date", "arrival_date", "segments")
MOST_SEGMENTS = 3


class Difference(NamedTuple):
    """A value of a booking that differs in a later response: its path, what it is, and whether it only warns."""

    path: Pointer
    what: str
    soft: bool = False


@dataclass(frozen=True, slots=True)
class LastingValues:
    """The prices, fees and counts of a booking, its booker, its bags, its time of creation and its passenger records.

    None, or no way to write a name, stands for what a response does not show.
    """

    figures: tuple[float | None, ...]
    booker: tuple[Text, ...]
    bags: Pieces | None
    created: datetime | None
    passengers: Mapping[int, SeenRecord] | None

    @classmethod
    def of(cls, booking: Json) -> "LastingValues":
        """Return what a booking in a response shows."""
        # The documents do not say whether a canceled passenger counts.
        is_whole = not any(record.get("canceled") is True for record in items(booking, "passengers"))
        figures = [*PRICES, *COUNTS] if is_whole else PRICES
        return cls(
            tuple(as_number(member(booking, *path)) for path in figures),
            tuple(written(member(booking, name)) for name in BOOKER),
            of_booking(booking),
            moment(member(booking, "created_at")),
            seen_records(booking),
        )

    def unlike(self, later: "LastingValues") -> Iterator[Difference]:
        """Yield what differs in a later response; what either does not show is not compared.

        Other bags only warn: one of the responses may show included ones, as the meaning of a quantity is open
        (OPEN-81).
        """
        for path, before, now in zip((*PRICES, *COUNTS), self.figures, later.figures, strict=False):
            if before is not None and now is not None and abs(before - now) > PRICE_TOLERANCE:
                yield Difference(path, f"{'.'.join(path)} of a booking")
        for name, one, other in zip(BOOKER, self.booker, later.booker, strict=True):
            if are_other_words(one, other):
                yield Difference((name,), f"{name} of a booking")
        if None not in (self.bags, later.bags) and self.bags != later.bags:
            yield Difference(("bags",), "the list of bags of a booking", soft=True)
        if are_apart(self.created, later.created):
            yield Difference(("created_at",), "created_at of a booking")
        yield from self._other_passengers(later.passengers or {})

    def _other_passengers(self, later: Mapping[int, SeenRecord]) -> Iterator[Difference]:
        known = self.passengers or {}
        # Another number of records has a finding of its own.
        if len(known) != len(later):
            return
        if any(key not in later or are_apart(record.created, later[key].created) for key, record in known.items()):
            yield Difference(("passengers",), "id or created_at of a passenger record")
            return
        for index, (key, record) in enumerate(later.items()):
            for name, soft in known[key].unlike(record):
                yield Difference(("passengers", index, name), f"{name} of a passenger record", soft)


def journey(flight: Json) -> Journey:
    """Return where, when and under which numbers a flight flies."""
    return (
        _airport(flight, "origin"),
        _airport(flight, "destination"),
        _time(flight, "departure_date"),
        _time(flight, "arrival_date"),
        _numbers(flight),
    )


def other_journey(before: Journey, now: Journey) -> str:
    """Return the first member in which two journeys differ, or an empty string; what either lacks is not compared."""
    differing = (name for name, one, other in zip(JOURNEY, before, now, strict=True) if one and other and one != other)
    return "" if before == now else next(differing, "")


def _airport(flight: Json, end: str) -> str:
    code = member(flight, end, "iata_code")
    return code.upper() if isinstance(code, str) else ""


def _time(flight: Json, name: str) -> str:
    time = member(flight, name)
    return time if isinstance(time, str) and len(time) == LENGTH_OF_A_TIME else ""


def _numbers(flight: Json) -> str:
    """Return the marketing flight numbers of a flight; its segments may be listed in another order (OPEN-80)."""
    numbers = set()
    for segment in items(flight, "segments")[: MOST_SEGMENTS + 1]:
        carrier = member(segment.get("marketing_carrier"), "iata_code")
        number = whole(segment.get("marketing_carrier_flight_number"))
        if not isinstance(carrier, str) or len(carrier) > LENGTH_OF_A_CARRIER or number is None:
            return ""
        numbers.add(f"{carrier.upper()}{number}")
    return " ".join(sorted(numbers)) if len(numbers) <= MOST_SEGMENTS else ""
