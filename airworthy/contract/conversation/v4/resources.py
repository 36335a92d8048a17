"""Offers, orders and reservations of v4, as earlier exchanges have shown them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from airworthy.contract.bodies.body import Json, Pointer, read_json
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation.agreement import remembered
from airworthy.contract.conversation.store import Seen
from airworthy.contract.conversation.v4 import echo
from airworthy.contract.http.transaction import (
    LENGTH_OF_A_DAY,
    AgeRange,
    Moment,
    Transaction,
    amount,
    as_number,
    items,
    member,
    method,
    whole,
)

MOST_PASSENGERS = 50
LONGEST_TEXT = 40
MOST_NAMES = 500
SEGMENTS = ("outboundSegment", "inboundSegment")


@dataclass(frozen=True, slots=True)
class SeenBaggageOption:
    """A paid option that Get Baggage lists for a fare and a direction."""

    direction: str
    type: str
    pieces: int
    kilos: int
    price: float | None = None


class FlightLeg(NamedTuple):
    """One section of a segment, by the fields that identify it."""

    origin: str
    destination: str
    departureDate: str  # noqa: N815 - members are named as in the documents
    arrivalDate: str  # noqa: N815 - likewise
    flightNumber: str  # noqa: N815 - likewise
    operatingCarrierCode: str  # noqa: N815 - likewise
    marketingCarrierCode: str  # noqa: N815 - likewise


@dataclass(frozen=True, slots=True)
class OrderPrice:
    """The total of a created order, with what it depends on, and the part of it that is for ``pieces`` of baggage.

    ``passengers`` has their types and places of residence, which a fare may depend on.
    """

    fare: str
    method: str
    passengers: tuple[str, ...]
    total: float
    baggage: float | None
    pieces: int

    @classmethod
    def of(cls, transaction: Transaction, offer: "SeenOffer | None") -> "OrderPrice | None":
        """Return the price of a newly created order, or None if the exchange does not show it.

        The baggage costs what the order shows or, where it does not show each price, what the offer's options cost.
        """
        fare, chosen = transaction.url.query_value("fareId"), method(member(transaction.sent, "paymentMethod"))
        total = amount(member(transaction.delivered, "totalPrice"))
        if fare is None or chosen is None or total is None:
            return None
        sent = items(transaction.sent, "passengers")[:MOST_PASSENGERS]
        passengers = sorted(f"{each.get('type')} {each.get('localityCodeOfResidency')}"[:LONGEST_TEXT] for each in sent)
        bags = echo.price_of_baggage(transaction.response)
        if bags is None and offer is not None:
            bags = _offered_price(transaction, offer.bags.get(fare.lower(), ()))
        pieces = sum(each.pieces for each in echo.selections(transaction.response))
        return cls(fare.lower(), chosen, tuple(passengers), total, bags, pieces)


@dataclass(frozen=True, slots=True)
class SeenOffer(Seen):
    """A stored offer: between which times it was stored, for which passengers, and what has been shown of it since.

    ``caller`` is the digest of the key that stored it, ``flights`` what was requested, ``one_way`` whether for one way
    only.
    ``cheapest`` is the id of its cheapest fare and ``price`` the total price of that fare. ``shown`` has its segments
    and that fare, ``listed`` the total prices of all fares by their ids, if Get Fares shows them. ``booked`` says
    whether an order of it was booked.
    """

    requested: datetime
    stored: Moment
    counts: Mapping[str, int]
    fares: frozenset[str] = frozenset()
    all_fares: frozenset[str] | None = None
    identification: Mapping[str, frozenset[str]] = field(default_factory=dict)
    required: Mapping[str, frozenset[str]] = field(default_factory=dict)
    fees: Mapping[str, float] = field(default_factory=dict)
    bags: Mapping[str, frozenset[SeenBaggageOption]] = field(default_factory=dict)
    orders: tuple[OrderPrice, ...] = ()
    flights: tuple[FlightLeg, ...] = ()
    caller: str = ""
    one_way: bool = False
    cheapest: str = ""
    price: float | None = None
    shown: bytes = b""
    listed: bytes = b""
    booked: bool = False

    def age(self, transaction: Transaction) -> AgeRange:
        """Return how old the offer is in an exchange."""
        return transaction.age(self.requested, self.stored)


@dataclass(frozen=True, slots=True)
class SeenOrder(Seen):
    """An order: the request that created it, and its progress.

    Attributes:
        offer, fare: the ids that the order was created from.
        method: the payment method that it was created with.
        body: the body of Create Order; empty if it was not seen or is too large to keep.
        caller: the digest of the key that first saw the order.
        shown: its members, each as the first response with a value showed it.
        created: when the response to Create Order was complete.
        reservation: the id of its reservation.
        declined: whether it FAILED, or the payments of all confirmations did; None if no confirmation was seen.
        attempted: whether there was a confirmation, however it ended, with the right to confirm the order.
        refused: whether all of these were refused for what they sent; None if there was none.
        booked, booked_total: when a response first showed BOOKED, and the total price there.
        reservation_shown, reserved: what its reservation first showed, and when.
        confirmed, confirmed_over: the id of the exchange that confirmed the order, and its start and end.
    """

    offer: str = ""
    fare: str = ""
    method: str | None = None
    body: bytes = b""
    caller: str = ""
    shown: bytes = b""
    created: datetime | None = None
    reservation: str | None = None
    declined: bool | None = None
    attempted: bool = False
    refused: bool | None = None
    booked: Moment | None = None
    booked_total: bytes = b""
    reservation_shown: bytes = b""
    reserved: Moment | None = None
    confirmed: str = ""
    confirmed_over: tuple[datetime, datetime] | None = None

    @property
    def is_unpaid(self) -> bool:
        """Whether it was not seen BOOKED, and every confirmation that was seen failed or was refused."""
        return self.booked is None and bool(self.declined or self.refused)

    @property
    def booked_by(self) -> str:
        """The id of the exchange that first showed BOOKED."""
        return self.booked.exchange if self.booked else ""

    @property
    def sent(self) -> Json:
        """The body of Create Order, as it was sent."""
        return _sent(self.body)

    @property
    def contents(self) -> Json:
        """What was sent with Create Order or, if that was not seen, what the order has shown of it."""
        return self.sent or remembered(self.shown)


# Several rules need the body of the same order.
@lru_cache(maxsize=1)
def _sent(body: bytes) -> Json:
    return read_json(body).value


def legs(segment: Json) -> tuple[FlightLeg, ...]:
    """Return the legs of a segment in normal form; an empty tuple if one of them lacks a field."""
    found = []
    for section in items(segment, "sections")[:MOST_NAMES]:
        values = [section.get(name) for name in FlightLeg._fields]
        if not all(isinstance(each, str) for each in values):
            return ()
        origin, destination, departs, arrives, number, *carriers = [str(each).upper() for each in values]
        found.append(FlightLeg(origin, destination, departs, arrives, number.lstrip("0"), *carriers))
    return tuple(found)


def flight_of(leg: FlightLeg) -> FlightLeg:
    """Return what identifies the flight of a leg: neither its times nor its operating carrier."""
    return leg._replace(departureDate=leg.departureDate[:LENGTH_OF_A_DAY], arrivalDate="", operatingCarrierCode="")


def requested_flights(sent: Json) -> tuple[FlightLeg, ...]:
    """Return the legs that a Get Offer request is for; with ONE_WAY, an inbound segment may be ignored (OPEN-25)."""
    names = SEGMENTS[:1] if member(sent, "tripType") == "ONE_WAY" else SEGMENTS
    return tuple(leg for name in names for leg in legs(member(sent, name)))


def departure_from(planned: tuple[FlightLeg, ...], flown: tuple[FlightLeg, ...]) -> Pointer:
    """Return the path of the first difference between legs, or an empty path if their numbers differ."""
    if len(planned) == len(flown):
        for index, (one, other) in enumerate(zip(planned, flown, strict=True)):
            for name, expected, found in zip(FlightLeg._fields, one, other, strict=True):
                if expected != found:
                    return index, name
    return ()


def price_of_fare(fare: Json) -> tuple[float | None, str]:
    """Return the total price of a fare, as Get Offer or a search shows it (OPEN-03), and the path to it."""
    total = amount(member(fare, "totalPrice"))
    if total is None and (searched := as_number(member(fare, "price", "totalAmount"))) is not None:
        return searched, "price/totalAmount"
    return total, "totalPrice/amount"


def bag_options(options: dict[str, Any]) -> list[SeenBaggageOption]:
    """Return the paid options of a response to Get Baggage."""
    found = []
    for direction in ("outbound", "inbound"):
        for option in items(options, f"{direction}SegmentOptions")[:MOST_NAMES]:
            pieces, kilos = whole(option.get("maxPiecesPerPassenger")), whole(option.get("maxKilosPerPiece"))
            if pieces is not None and kilos is not None:
                price = amount(option.get("pricePerPiece"))
                found.append(SeenBaggageOption(direction, str(option.get("type")), pieces, kilos, price))
    return found


def _offered_price(transaction: Transaction, options: Collection[SeenBaggageOption]) -> float | None:
    """Return the price of an order's baggage by its options, or None if it has a selection with several or none."""
    total = 0.0
    for each in echo.selections(transaction.response):
        price = price_of_the_option(options, each.chosen)
        if price is None:
            return None
        total += each.pieces * price
    return total


def price_of_the_option(options: Collection[SeenBaggageOption], chosen: Node) -> float | None:
    """Return the price of the only option that a selection can be, or None if there is not exactly one."""
    direction = str(chosen.place[-2]).partition("Segment")[0]
    selected = direction, chosen.get("type"), whole(chosen.get("kilosPerPiece"))
    listed = [each.price for each in options if (each.direction, each.type, each.kilos) == selected]
    return listed[0] if len(listed) == 1 else None
