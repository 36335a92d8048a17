"""Offers, orders and reservations: their states, what moves them, and where they are kept.

::

    (none) --Get Offer--> offer stored --30 minutes--> offer expired
    (none) --Create Order--> OPEN --Confirm Order, paid--> BOOKED, with a reservation
                             OPEN --Confirm Order, not paid--> FAILED

While one confirmation is being paid the order is claimed by it, which no other confirmation can do: of ten that arrive
at once, one claims. To a reader a claimed order is still OPEN.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from secrets import choice as pick
from typing import Any, Generic, Literal, TypeVar
from uuid import uuid4

from airworthy.sandbox.inventory import Passengers, Trip

Status = Literal["OPEN", "BOOKED", "FAILED"]
Value = TypeVar("Value")

KEPT = 10_000
_LOCATOR_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


class IllegalMove(Exception):  # noqa: N818 - the answer of a state machine, not a failure
    """The order's state does not allow the move."""


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
            raise IllegalMove(self.status)
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


@dataclass(frozen=True, slots=True)
class Reservation:
    """What a booked order has become."""

    organisation: str
    order: str
    id: str = field(default_factory=lambda: str(uuid4()))
    locator: str = field(default_factory=lambda: "".join(pick(_LOCATOR_LETTERS) for _ in range(6)))


class Shelf(Generic[Value]):
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


class Book:
    """Everything that the service remembers."""

    def __init__(self) -> None:
        self.offers: Shelf[Offer] = Shelf()
        self.orders: Shelf[Order] = Shelf()
        self.reservations: Shelf[Reservation] = Shelf()
        # Where a dialect repeats ids: what was answered to the same request before.
        self.repeated: Shelf[str] = Shelf()
