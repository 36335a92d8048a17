"""The request-based interface, v3: its operations in the order in which a booking goes."""

from airworthy.sandbox.routing import Operation
from airworthy.sandbox.v3 import booking_requests, bookings, flights

OPERATIONS = (
    Operation("searchFlights", "GET", "/flights", flights.search_flights),
    Operation("searchRoundTrips", "GET", "/roundTrips", flights.search_round_trips),
    Operation("verifyFlight", "POST", "/flights/verify", flights.verify_flight),
    Operation("createRequests", "POST", "/requests", booking_requests.create_requests),
    Operation("cancelRequest", "POST", "/requests/{request_id}/cancel", booking_requests.cancel_request),
    Operation("createBookings", "POST", "/bookings", bookings.create_bookings),
    Operation("getBookings", "GET", "/bookings", bookings.get_bookings),
)
