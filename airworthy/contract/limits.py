"""Lifetimes and limits that the documents state, for every rule that needs them."""

from datetime import timedelta

OFFER_LIFETIME = timedelta(minutes=30)
"""How long an order can be created from an offer (v4, POST /order)."""
BOOKING_REQUEST_SHORTEST_LIFETIME = timedelta(minutes=3)
BOOKING_REQUEST_LONGEST_LIFETIME = timedelta(minutes=5)
"""The documents name both limits; in between a booking request may have expired or not (OPEN-15)."""
RECORD_LOCATOR_DELAY = timedelta(hours=2)
"""How long a booking may wait for its record locator (OPEN-39)."""
CLOCK_TOLERANCE = timedelta(seconds=5)
"""How far the clocks of client and service may differ."""
BOOKINGS_OF_A_REFERENCE = 2
"""A reference has the outward and the return booking; more is open (OPEN-19)."""
ATTEMPTED_INDICATORS = ("06", "01")
"""Values of electronic_commerce_indicator for an authentication that was only attempted."""
