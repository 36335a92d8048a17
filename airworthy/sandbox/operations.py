"""The handler of each documented operation; its method and path are those of the OpenAPI document."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from airworthy.sandbox.http import schemas
from airworthy.sandbox.service.routing import SandboxOperation
from airworthy.sandbox.service.service import Handler
from airworthy.sandbox.v3 import booking_requests, bookings, flights
from airworthy.sandbox.v4 import offers, orders

HANDLERS: Final[Mapping[str, Handler]] = MappingProxyType(
    {
        "searchOffers": offers.search_offers,
        "getOffer": offers.get_offer,
        "getFares": offers.get_fares,
        "getBaggage": offers.get_baggage,
        "createOrder": orders.create_order,
        "confirmOrder": orders.confirm_order,
        "getOrder": orders.get_order,
        "getReservation": orders.get_reservation,
        "findReservation": orders.find_reservation,
        "searchFlights": flights.search_flights,
        "searchRoundTrips": flights.search_round_trips,
        "verifyFlight": flights.verify_flight,
        "createRequests": booking_requests.create_requests,
        "cancelRequest": booking_requests.cancel_request,
        "createBookings": bookings.create_bookings,
        "getBookings": bookings.get_bookings,
        "searchFlightsV2": flights.search_flights,
        "createRequestsV2": booking_requests.create_requests_v2,
        "createBookingsV2": bookings.create_bookings_v2,
        "getBookingsV2": bookings.get_bookings,
    }
)
# Which the documents do not list for v2, and a service may have all the same.
_CANCELLATION = SandboxOperation(
    "cancelRequestV2", "POST", "/requests/{request_id}/cancel", booking_requests.cancel_request
)


def operations_of(version: str, *, cancel_in_v2: bool = False) -> tuple[SandboxOperation, ...]:
    """Return the operations of an interface."""
    documented = [
        SandboxOperation(each.id, each.method, each.path, HANDLERS[each.id])
        for each in schemas.operations().values()
        if each.version == version
    ]
    return (*documented, *((_CANCELLATION,) if version == "v2" and cancel_in_v2 else ()))
