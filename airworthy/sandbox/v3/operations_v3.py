"""The request-based interface, v3: its operations, from the search to the booking."""

from airworthy.sandbox.service.routing import SandboxOperation
from airworthy.sandbox.v3 import booking_requests, bookings, flights

OPERATIONS = (
    SandboxOperation("searchFlights", "GET", "/flights", flights.search_flights),
    SandboxOperation("searchRoundTrips", "GET", "/roundTrips", flights.search_round_trips),
    SandboxOperation("verifyFlight", "POST", "/flights/verify", flights.verify_flight),
    SandboxOperation("createRequests", "POST", "/requests", booking_requests.create_requests),
    SandboxOperation("cancelRequest", "POST", "/requests/{request_id}/cancel", booking_requests.cancel_request),
    SandboxOperation("createBookings", "POST", "/bookings", bookings.create_bookings),
    SandboxOperation("getBookings", "GET", "/bookings", bookings.get_bookings),
)
