"""Offers, orders, reservations, requests and bookings: their states, what moves them, and where they are kept.

::

    (none) --Get Offer--> offer stored --30 minutes--> offer expired
    (none) --Create Order--> OPEN --Confirm Order, paid--> BOOKED, with a reservation
                             OPEN --Confirm Order, not paid--> FAILED

While one confirmation is being paid the order is claimed by it, which no other confirmation can do: of ten that arrive
at once, one claims. To a reader a claimed order is still OPEN.

::

    (none) --POST requests--> pending, holds seats and prices --3 to 5 minutes--> expired
                              pending --cancel--> cancelled
                              pending --POST bookings, not paid--> aborted
                              pending --POST bookings, paid--> booked, with a booking
    (none) --POST bookings--> AWAITING_PNR_AIRLINE --record locator--> CONFIRMED (a charter flight at once)

A request is claimed by the one booking that pays for it, as an order is by its confirmation.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from secrets import choice as pick
from typing import Any, Generic, Literal, TypeVar
from uuid import uuid4

from airworthy.sandbox.inventory import Passengers, Trip
from airworthy.sandbox.v3.timetable import Flight

Status = Literal["OPEN", "BOOKED", "FAILED"]
RequestStatus = Literal["pending", "cancelled", "expired", "aborted", "booked"]
Value = TypeVar("Value")

KEPT = 10_000
_LOCATOR_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


class InvalidTransition(Exception):  # noqa: N818 - the answer of a state machine, not a failure
    """The state does not allow the move; the message is the state."""


@dataclass(frozen=True, slots=True)
class Fare:
    """What an offer can be bought for; prices in cents. ``checked`` and ``cabin`` are the bags included."""

    id: str
    adult_price: int
    total: int
    checked: int
    cabin: int


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer as Get Offer stored it (or as Search showed it: then nobody has verified it)."""

    id: str
    organisation: str
    trip: Trip
    passengers: Passengers
    fares: tuple[Fare, ...]
    fee: int
    expires: datetime

    @property
    def cheapest(self) -> Fare:
        """The fare that Get Offer shows."""
        return min(self.fares, key=lambda fare: fare.total)


@dataclass(frozen=True, slots=True)
class Order:
    """An order in one of its states; ``wishes`` is the accepted body of Create Order, ``total`` is in cents."""

    organisation: str
    offer: Offer
    fare: Fare
    wishes: Mapping[str, Any]
    total: int
    created: datetime
    id: str = field(default_factory=lambda: str(uuid4()))
    status: Status = "OPEN"
    claimed: bool = False
    reservation: str | None = None

    @property
    def method(self) -> str:
        """The payment method chosen at Create Order."""
        return "card" if self.wishes["paymentMethod"].get("card") else "balance"

    def claim(self, *, again: bool = False) -> "Order":
        """Begin the one confirmation; ``again`` lets a failed order try once more."""
        if self.claimed or self.status == "BOOKED" or (self.status == "FAILED" and not again):
            raise InvalidTransition(self.status)
        return replace(self, status="OPEN", claimed=True)

    def reclaim(self) -> "Order":
        """Claim an order whatever its state: what a service would do that breaks the rules."""
        return replace(self, claimed=True)

    def book(self, reservation: str) -> "Order":
        """End a confirmation that was paid."""
        return replace(self, status="BOOKED", claimed=False, reservation=reservation)

    def fail(self) -> "Order":
        """End a confirmation that was not paid."""
        return replace(self, status="FAILED", claimed=False)

    def release(self) -> "Order":
        """End a confirmation that leaves the order as it was."""
        return replace(self, claimed=False)


def new_locator() -> str:
    """Return a fresh record locator: six letters and digits that are not mistaken for each other."""
    return "".join(pick(_LOCATOR_LETTERS) for _ in range(6))


@dataclass(frozen=True, slots=True)
class Reservation:
    """What a booked order has become."""

    organisation: str
    order: str
    id: str = field(default_factory=lambda: str(uuid4()))
    locator: str = field(default_factory=new_locator)


@dataclass(frozen=True, slots=True)
class BookingRequest:
    """A request of v3 or v2 in one of its states; prices in cents, for one passenger.

    ``customer_code`` is None where v2 left it out; ``passengers`` and ``bags`` (by kind, with quantities) are known at
    the request in v3, at the booking in v2.
    """

    id: int
    version: str
    organisation: str
    flight: Flight
    counts: Passengers
    price: int
    infant_price: int | None
    customer_code: str | None
    created: datetime
    expires: datetime
    passengers: tuple[Mapping[str, Any], ...] = ()
    bags: Mapping[str, Any] = field(default_factory=dict)
    settled: RequestStatus = "pending"
    claimed: bool = False

    def status(self, now: datetime) -> RequestStatus:
        """Return the state at a moment: what is pending expires by time alone, unless a booking has claimed it."""
        is_late = self.settled == "pending" and not self.claimed and now >= self.expires
        return "expired" if is_late else self.settled

    def claim(self, now: datetime) -> "BookingRequest":
        """Begin the one booking."""
        status = self.status(now)
        if status != "pending":
            raise InvalidTransition(status)
        if self.claimed:
            raise InvalidTransition("booked")
        return replace(self, claimed=True)

    def reclaim(self) -> "BookingRequest":
        """Claim a request whatever its state: what a service would do that breaks the rules."""
        return replace(self, claimed=True)

    def cancel(self, now: datetime) -> "BookingRequest":
        """Give a pending request up."""
        return replace(self.claim(now), settled="cancelled", claimed=False)

    def release(self) -> "BookingRequest":
        """End a booking that leaves the request as it was."""
        return replace(self, claimed=False)

    def abort(self) -> "BookingRequest":
        """End a booking that was not paid."""
        return replace(self, settled="aborted", claimed=False)

    def book(self) -> "BookingRequest":
        """End a booking that was paid."""
        return replace(self, settled="booked", claimed=False)


@dataclass(frozen=True, slots=True)
class Booking:
    """What a paid request has become; ``total`` in cents, ``bag_prices`` in cents by kind.

    ``wishes`` is the accepted body of POST bookings; ``paired`` says whether the other way was booked with it.
    ``confirmed`` is when the record locator arrives, ``changed`` when the airline moves the flight (None: never).
    """

    id: int
    request: BookingRequest
    reference: str
    wishes: Mapping[str, Any]
    passengers: tuple[Mapping[str, Any], ...]
    bags: Mapping[str, Any]
    bag_prices: Mapping[str, int]
    card_fee: int
    total: int
    direction: str
    paired: bool
    created: datetime
    confirmed: datetime
    changed: datetime | None
    locator: str = field(default_factory=new_locator)

    def is_confirmed(self, now: datetime) -> bool:
        """Say whether the record locator has arrived."""
        return now >= self.confirmed

    def has_changed(self, now: datetime) -> bool:
        """Say whether the airline has moved the flight."""
        return self.changed is not None and now >= self.changed


@dataclass(frozen=True, slots=True)
class SeatHold:
    """Seats that a request holds until a moment (None: for good, they are booked)."""

    number: int
    until: datetime | None


class BoundedTable(Generic[Value]):
    """A bounded map for many threads: the oldest values make room for new ones."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._lock = threading.RLock()

    def put(self, key: Hashable, value: Value) -> Value:
        """Keep a value, in place of one with the same key."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._kept:
                self._values.popitem(last=False)
        return value

    def get(self, key: Hashable) -> Value | None:
        """Return the value, or None."""
        with self._lock:
            return self._values.get(key)

    def change(self, key: Hashable, move: Callable[[Value], Value]) -> Value:
        """Replace a value by what ``move`` makes of it, with nobody in between; what it raises changes nothing.

        Raises KeyError where the value has made room meanwhile.
        """
        with self._lock:
            changed = self._values[key] = move(self._values[key])
            return changed

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[Hashable]:
        with self._lock:
            return iter(tuple(self._values))


class SeatHolds:
    """Which seats of flights are not free any more."""

    def __init__(self) -> None:
        self._held: BoundedTable[Mapping[int, SeatHold]] = BoundedTable()
        self._lock = threading.Lock()

    def left(self, flight: Flight, now: datetime) -> int:
        """Return how many seats of a flight are free at a moment."""
        return flight.itinerary.seats - sum(each.number for each in self._live(flight, now).values())

    def hold(self, flight: Flight, request: int, held: SeatHold, now: datetime) -> bool:
        """Hold seats for a request; False where there are not enough left."""
        with self._lock:
            if self.left(flight, now) < held.number:
                return False
            self._held.put(flight.id, {**self._live(flight, now), request: held})
            return True

    def settle(self, request: BookingRequest, *, booked: bool) -> None:
        """Keep the seats of a request for good, or free them."""
        with self._lock:
            others = dict(self._held.get(request.flight.id) or {})
            held = others.pop(request.id, None)
            if booked and held is not None:
                others[request.id] = SeatHold(held.number, None)
            self._held.put(request.flight.id, others)

    def _live(self, flight: Flight, now: datetime) -> Mapping[int, SeatHold]:
        held = self._held.get(flight.id) or {}
        return {request: each for request, each in held.items() if each.until is None or each.until > now}


class SandboxStore:
    """Everything that the service remembers."""

    def __init__(self) -> None:
        self.offers: BoundedTable[Offer] = BoundedTable()
        self.orders: BoundedTable[Order] = BoundedTable()
        self.reservations: BoundedTable[Reservation] = BoundedTable()
        # Where a dialect repeats ids: what was answered to the same request before.
        self.repeated: BoundedTable[str] = BoundedTable()
        self.requests: BoundedTable[BookingRequest] = BoundedTable()
        self.seats = SeatHolds()
        # The bookings of one order, by version and reference.
        self.bookings: BoundedTable[tuple[Booking, ...]] = BoundedTable()
        self.request_ids, self.booking_ids, self.passenger_ids = count(700_001), count(300_001), count(900_001)
