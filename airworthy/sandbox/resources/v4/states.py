"""The records of v4 and their states.

::

    (none) --Get Offer--> offer stored --30 minutes--> offer expired
    (none) --Create Order--> OPEN --Confirm Order, paid--> BOOKED, with a reservation
                             OPEN --Confirm Order, payment rejected--> FAILED

A confirmation claims its order while it charges the payment, so that only one of several simultaneous confirmations
succeeds. Clients see a claimed order as OPEN.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal
from uuid import uuid4

from airworthy.sandbox.model.inventory import Itinerary, Passengers, Trip
from airworthy.sandbox.model.tables import InvalidTransition, new_locator

OrderStatus = Literal["OPEN", "BOOKED", "FAILED"]


@dataclass(frozen=True, slots=True)
class Fare:
    """A fare of an offer; prices are in cents. ``checked`` and ``cabin`` are the numbers of included bags."""

    id: str
    adult_price: int
    total: int
    checked: int
    cabin: int


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer, stored by Get Offer or unverified as Search returns it; ``fee`` is the card fee in cents."""

    id: str
    organisation: str
    trip: Trip
    passengers: Passengers
    fares: tuple[Fare, ...]
    fee: int
    expires: datetime

    @property
    def cheapest(self) -> Fare:
        """The cheapest fare, which Get Offer returns."""
        return min(self.fares, key=lambda fare: fare.total)


@dataclass(frozen=True, slots=True)
class Order:
    """An order in one of its states; ``details`` is the accepted body of Create Order, ``total`` is in cents."""

    organisation: str
    offer: Offer
    fare: Fare
    details: Mapping[str, Any]
    total: int
    created: datetime
    id: str = field(default_factory=lambda: str(uuid4()))
    status: OrderStatus = "OPEN"
    claimed: bool = False
    reservation: str | None = None

    @property
    def itineraries(self) -> tuple[Itinerary, ...]:
        """The itineraries on which it takes seats."""
        trip = self.offer.trip
        return (trip.outbound, trip.inbound) if trip.inbound else (trip.outbound,)

    @property
    def seats(self) -> int:
        """The number of seats that it takes."""
        return self.offer.passengers.seats

    @property
    def expires(self) -> datetime:
        """When it no longer takes seats, unless it is booked."""
        return self.offer.expires

    @property
    def is_booked(self) -> bool | None:
        """Whether its seats are booked, or free again; None as long as it is open."""
        return None if self.status == "OPEN" else self.status == "BOOKED"

    @property
    def method(self) -> str:
        """The payment method chosen at Create Order: "card" or "balance"."""
        return "card" if self.details["paymentMethod"].get("card") else "balance"

    def claim(self, *, retry_failed: bool = False) -> "Order":
        """Start the confirmation; ``retry_failed`` allows it for a FAILED order too."""
        if self.claimed or self.status == "BOOKED" or (self.status == "FAILED" and not retry_failed):
            raise InvalidTransition(self.status)
        return replace(self, status="OPEN", claimed=True)

    def book(self, reservation: str) -> "Order":
        """End a confirmation that was paid."""
        return replace(self, status="BOOKED", claimed=False, reservation=reservation)

    def fail(self) -> "Order":
        """End a confirmation whose payment was rejected."""
        return replace(self, status="FAILED", claimed=False)

    def release(self) -> "Order":
        """End a confirmation and leave the order as it was."""
        return replace(self, claimed=False)


@dataclass(frozen=True, slots=True)
class Reservation:
    """The reservation of a booked order."""

    organisation: str
    order: str
    id: str = field(default_factory=lambda: str(uuid4()))
    locator: str = field(default_factory=new_locator)
