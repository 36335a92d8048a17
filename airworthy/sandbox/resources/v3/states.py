"""The records of v3 and v2 and their states.

::

    (none) --POST requests--> pending, holds seats and prices --3 to 5 minutes--> expired
                              pending --cancel--> cancelled
                              pending --POST bookings, payment failed--> aborted
                              pending --POST bookings, paid--> booked, with a booking
    (none) --POST bookings--> AWAITING_PNR_AIRLINE --record locator--> CONFIRMED (a charter flight at once)

A booking claims its booking requests while it charges the payment, so that only one of several simultaneous bookings
succeeds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from airworthy.sandbox.model.inventory import Itinerary, Passengers
from airworthy.sandbox.model.tables import InvalidTransition, new_locator
from airworthy.sandbox.resources.v3.timetable import Flight

RequestStatus = Literal["pending", "cancelled", "expired", "aborted", "booked"]


@dataclass(frozen=True, slots=True)
class BookingRequest:
    """A booking request of v3 or v2 in one of its states; prices are in cents, for one passenger.

    ``customer_code`` is None if a v2 client left it out. ``passengers`` and ``bags`` (by kind, with quantities) are
    part of the booking request in v3, and of the booking in v2.
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
    stored_status: RequestStatus = "pending"
    claimed: bool = False

    @property
    def itineraries(self) -> tuple[Itinerary, ...]:
        """The itineraries on which it holds seats."""
        return (self.flight.itinerary,)

    @property
    def seats(self) -> int:
        """The number of seats that it holds."""
        return self.counts.seats

    @property
    def is_booked(self) -> bool | None:
        """Whether its seats are booked, or free again; None as long as it is pending."""
        return None if self.stored_status == "pending" else self.stored_status == "booked"

    def status(self, now: datetime) -> RequestStatus:
        """Return the status at a time: a pending booking request expires unless a booking has claimed it."""
        is_late = self.stored_status == "pending" and not self.claimed and now >= self.expires
        return "expired" if is_late else self.stored_status

    def claim(self, now: datetime) -> "BookingRequest":
        """Start the booking."""
        status = self.status(now)
        if status != "pending":
            raise InvalidTransition(status)
        if self.claimed:
            raise InvalidTransition("booked")
        return replace(self, claimed=True)

    def cancel(self, now: datetime) -> "BookingRequest":
        """Cancel a pending booking request."""
        return replace(self.claim(now), stored_status="cancelled", claimed=False)

    def release(self) -> "BookingRequest":
        """End a booking and leave the booking request as it was."""
        return replace(self, claimed=False)

    def abort(self) -> "BookingRequest":
        """End a booking whose payment failed."""
        return replace(self, stored_status="aborted", claimed=False)

    def book(self) -> "BookingRequest":
        """End a booking that was paid."""
        return replace(self, stored_status="booked", claimed=False)


@dataclass(frozen=True, slots=True)
class Booking:
    """The booking of a paid booking request; ``total`` is in cents, ``bag_prices`` in cents by kind.

    ``details`` is the accepted body of POST bookings; ``paired`` says whether several flights were booked together.
    ``confirmed`` is when the record locator arrives, ``changed`` when the airline changes the schedule (None: never).
    """

    id: int
    request: BookingRequest
    reference: str
    details: Mapping[str, Any]
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
        """Return whether the record locator has arrived."""
        return now >= self.confirmed

    def has_changed(self, now: datetime) -> bool:
        """Return whether the airline has changed the schedule."""
        return self.changed is not None and now >= self.changed
