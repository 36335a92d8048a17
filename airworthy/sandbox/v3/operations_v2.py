"""The request-based interface, v2, where the booking names the passengers and their luggage."""

from airworthy.sandbox.service.routing import SandboxOperation
from airworthy.sandbox.v3 import booking_requests, bookings, flights

OPERATIONS = (
    SandboxOperation("searchFlightsV2", "GET", "/flights", flights.search_flights),
    SandboxOperation("createRequestsV2", "POST", "/requests", booking_requests.create_requests_v2),
    SandboxOperation("createBookingsV2", "POST", "/bookings", bookings.create_bookings_v2),
    SandboxOperation("getBookingsV2", "GET", "/bookings", bookings.get_bookings),
)
# Which the documents do not list for v2, and a service may have all the same.
CANCELLATION = SandboxOperation(
    "cancelRequestV2", "POST", "/requests/{request_id}/cancel", booking_requests.cancel_request
)
