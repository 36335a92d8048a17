"""Offers, orders, booking requests and bookings, as the go-live list sees them in all versions.

An offer of v4 and a booking request of v3 or v2 are held for some minutes: each is a `Hold`. What
a client confirms or books is a `Purchase`: an order of v4, or a booking request of v3 or v2.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from airworthy.contract.bodies.body import Json
from airworthy.contract.conversation.v3.memory import identifier
from airworthy.contract.conversation.v4.resources import legs
from airworthy.contract.http.transaction import Transaction, items, member, whole

_PERSON: Final = ("name", "firstLastName", "birthDate", "first_name", "last_name", "date_of_birth")
_SELECTIONS: Final = ("outboundSegmentBaggageSelection", "inboundSegmentBaggageSelection")


@dataclass(slots=True)
class Hold:
    """An offer or a booking request, which expires: the exchange that created it and when, and its flights.

    ``travellers`` are the passengers that it is for. ``service_time`` is the time of the response by the service's own
    clock. ``has_ended`` says that it was ordered, booked or cancelled, so that it does not expire. ``rejected`` is the
    exchange in which the service rejected it after its expiry, which ended at ``rejected_at``; ``replaces`` is the
    expired hold that it takes the place of.
    """

    exchange: str
    flights: str
    created: datetime
    service_time: datetime | None
    travellers: str
    is_round_trip: bool = False
    has_ended: bool = False
    rejected: str = ""
    rejected_at: datetime | None = None
    replaces: "Hold | None" = None


class Reading(NamedTuple):
    """An exchange that read a booking, and when: by the recording, and by the service's own clock."""

    exchange: str
    created: datetime
    service_time: datetime | None


@dataclass(slots=True)
class Purchase:
    """An order or a booking request that may be booked.

    ``checked`` and ``cabin`` say whether it has bags of each kind (None if that is unknown), ``people`` is a digest of
    its passengers. ``unclear`` is an exchange after which it may or may not be booked, ``unverified`` one whose payment
    needed authentication; ``is_declined`` is set if its payment failed. ``first_read`` is when v3 or v2 first read it.
    """

    key: str
    flights: str
    hold: Hold | None
    adults: int = 0
    children: int = 0
    infants: int = 0
    checked: bool | None = None
    cabin: bool | None = None
    people: str = ""
    unclear: str = ""
    is_resolved: bool = False
    is_declined: bool = False
    unverified: str = ""
    booked: str = ""
    first_read: Reading | None = None

    @property
    def buyer(self) -> str:
        """What a client buys again if it starts again: the flights and the passengers."""
        return f"{self.flights or self.key} {self.people}"


def offer(transaction: Transaction) -> tuple[str, Hold] | None:
    """Return the id of the offer that Get Offer delivers, and the offer; None if there is none."""
    key, sent = member(transaction.delivered, "id"), transaction.sent
    if not isinstance(key, str):
        return None
    flights = [legs(member(sent, name)) for name in ("outboundSegment", "inboundSegment")]
    is_round_trip = member(sent, "tripType") == "ROUND_TRIP"
    counts = _digest([member(sent, name) for name in ("adults", "children", "infants")])
    return key.lower(), _hold(transaction, _digest(flights), counts, is_round_trip=is_round_trip)


def order(transaction: Transaction, of: Hold | None) -> Purchase | None:
    """Return the order that Create Order delivers."""
    key = member(transaction.delivered, "id")
    if not isinstance(key, str):
        return None
    passengers = items(transaction.sent, "passengers")
    types = [str(each.get("type")).lower() for each in passengers]
    bags = {
        str(each.get("type")) for each in _selected(transaction.sent) if (whole(each.get("numberOfPieces")) or 0) > 0
    }
    return Purchase(
        key.lower(),
        of.flights if of else "",
        of,
        types.count("adult"),
        types.count("child"),
        types.count("infant"),
        checked="CHECK_IN" in bags,
        cabin="CABIN" in bags,
        people=people(passengers),
    )


def booking_requests(transaction: Transaction) -> Iterator[Purchase]:
    """Yield the booking requests that a response delivers."""
    version, passengers = transaction.url.version, items(transaction.sent, "passengers")
    for request in items(transaction.delivered, "requests"):
        key, flight = identifier(request.get("id")), identifier(member(request, "flight", "id"))
        adults, children, infants = (
            whole(member(request, "passengers", name)) or 0 for name in ("adults", "children", "infants")
        )
        bags = member(transaction.sent, "bags", flight)
        yield Purchase(
            f"{version} {key}",
            f"{version} {flight}",
            _hold(transaction, f"{version} {flight}", people(passengers)),
            adults,
            children,
            infants,
            checked=_any(member(bags, "checked")) if bags is not None else None,
            cabin=_any(member(bags, "cabin")) if bags is not None else None,
            people=people(passengers),
        )


def luggage(transaction: Transaction, key: str) -> bool | None:
    """Return whether a booking of v2 has luggage for a booking request; None if it does not say."""
    chosen = member(transaction.sent, "luggage")
    return _any(chosen.get(key.partition(" ")[2])) if isinstance(chosen, Mapping) else None


def people(passengers: Iterable[Mapping[str, Any]]) -> str:
    """Return a digest of passengers that does not depend on their order, or an empty text if there are none."""
    found = sorted([str(each.get(name)).casefold() for name in _PERSON] for each in passengers)
    return _digest(found) if found else ""


def _hold(transaction: Transaction, flights: str, travellers: str, *, is_round_trip: bool = False) -> Hold:
    seen = transaction.ended, transaction.service_time
    return Hold(transaction.exchange.id, flights, *seen, travellers, is_round_trip)


def _selected(sent: Json) -> Iterator[dict[str, Any]]:
    for each in items(sent, "selectedBaggage"):
        for name in _SELECTIONS:
            yield from items(each, name)


def _any(options: Json) -> bool:
    """Whether the client wants at least one piece of any option."""
    quantities = (option.get("quantity") for option in items(options))
    return any(isinstance(each, int | float) and each > 0 for each in quantities)


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()
