"""The request-based interface, v3: its operations in the order in which a booking goes."""

from airworthy.sandbox import bookings, flights, requests
from airworthy.sandbox.interface import Operation

OPERATIONS = (
    Operation("searchFlights", "GET", "/flights", flights.search_flights),
    Operation("searchRoundTrips", "GET", "/roundTrips", flights.search_round_trips),
    Operation("verifyFlight", "POST", "/flights/verify", flights.verify_flight),
    Operation("createRequests", "POST", "/requests", requests.create_requests),
    Operation("cancelRequest", "POST", "/requests/{request_id}/cancel", requests.cancel_request),
    Operation("createBookings", "POST", "/bookings", bookings.create_bookings),
    Operation("getBookings", "GET", "/bookings", bookings.get_bookings),
)
