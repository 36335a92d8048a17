"""Lifetimes and limits that the documents state, for every rule that needs them."""

from dataclasses import dataclass, replace
from datetime import timedelta

OFFER_LIFETIME = timedelta(minutes=30)
"""How long an order can be created from an offer (v4, POST /order)."""
BOOKING_REQUEST_SHORTEST_LIFETIME = timedelta(minutes=3)
BOOKING_REQUEST_LONGEST_LIFETIME = timedelta(minutes=5)
"""The documents name both limits; in between a booking request may have expired or not (OPEN-15)."""
RECORD_LOCATOR_DELAY = timedelta(hours=2)
"""How long a booking may wait for its record locator (OPEN-39)."""
RETENTION = timedelta(days=1)
"""How long what was booked has to be found. The documents name no time, and a test system may start anew each night."""
CLOCK_TOLERANCE = timedelta(seconds=5)
"""How far the clocks of client and service may differ."""
PRICE_TOLERANCE = 0.011
"""How far two amounts that must be equal may differ: a cent, for rounding, and what a binary fraction adds to it."""
BOOKINGS_OF_A_REFERENCE = 2
"""A reference has the outward and the return booking; more is open (OPEN-19)."""
ATTEMPTED_INDICATORS = ("06", "01")
"""Values of electronic_commerce_indicator for an authentication that was only attempted."""


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """Lifetimes in seconds: the documented ones, unless the target shortens them for tests.

    A booking request of v3 or v2 lives for 3 or 5 minutes (OPEN-15), so there is a minimum and a maximum.
    ``locator_seconds`` is the longest time until the airline's record locator is available, and
    ``schedule_change_seconds`` the longest time until a flight on ``[routes.flights_schedule_change]`` changes, None
    where the profile does not say it: the documents name no such time.
    """

    offer_seconds: float = OFFER_LIFETIME.total_seconds()
    request_seconds_min: float = BOOKING_REQUEST_SHORTEST_LIFETIME.total_seconds()
    request_seconds_max: float = BOOKING_REQUEST_LONGEST_LIFETIME.total_seconds()
    locator_seconds: float = RECORD_LOCATOR_DELAY.total_seconds()
    schedule_change_seconds: float | None = None

    @property
    def are_documented(self) -> bool:
        """Whether the target has the documented lifetimes."""
        return replace(self, schedule_change_seconds=None) == Lifetimes()

    @property
    def offer(self) -> timedelta:
        """How long an order can be created from an offer."""
        return timedelta(seconds=self.offer_seconds)

    @property
    def request_min(self) -> timedelta:
        """The time before which no booking request expires."""
        return timedelta(seconds=self.request_seconds_min)

    @property
    def request_max(self) -> timedelta:
        """The time after which every booking request has expired."""
        return timedelta(seconds=self.request_seconds_max)

    @property
    def locator(self) -> timedelta:
        """The longest time that a booking waits for its record locator."""
        return timedelta(seconds=self.locator_seconds)
