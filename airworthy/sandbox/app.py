"""The sandbox as an ASGI application: the interfaces, the payment provider, and the sandbox's own endpoints."""

from collections.abc import Mapping
from typing import Final

from starlette.applications import Starlette
from starlette.routing import Mount

from airworthy.errors import UsageError
from airworthy.sandbox.dashboard.control import ControlEndpoints, ServerContext, usage_error
from airworthy.sandbox.dialects.named import dialect
from airworthy.sandbox.faults import chosen
from airworthy.sandbox.faults.fault import FaultHooks
from airworthy.sandbox.http import schemas
from airworthy.sandbox.http.schemas import DocumentedOperation
from airworthy.sandbox.http.wire import any_method
from airworthy.sandbox.payment_provider.operations import OPERATIONS
from airworthy.sandbox.payment_provider.routes import provider_app
from airworthy.sandbox.service.routing import interface, rejecting
from airworthy.sandbox.service.service import Handler, SandboxService
from airworthy.sandbox.settings import SandboxSettings
from airworthy.sandbox.v3 import booking_requests, bookings, flights
from airworthy.sandbox.v4 import offers, orders

REMOVED_VERSIONS = ("/v1", "/v1.0", "/v1.1", "/1.0", "/1.1")
HANDLERS: Final[Mapping[str, Handler]] = {
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
# Which the documents do not list for v2, and a service may have all the same.
_CANCELLATION = DocumentedOperation("cancelRequestV2", "v2", "POST", "/requests/{request_id}/cancel", "", "")


def create_app(settings: SandboxSettings | None = None, context: ServerContext | None = None) -> Starlette:
    """Return the sandbox as an ASGI application; ``app.state.service`` is the service behind it.

    ``app.state.payment_provider`` is the payment provider as an application. ``context`` describes the server
    that runs it. Raises UsageError for an unknown dialect, fault or lifetime.
    """
    settings, context = settings or SandboxSettings(), context or ServerContext()
    service = SandboxService(
        dialect(settings.dialect).choices,
        settings.policy(),
        settings.seed,
        FaultHooks(chosen(settings.faults)),
        settings.mailer,
        clock=context.clock,
    )
    payment_provider = provider_app(service.provider)
    operations = {each: HANDLERS[each.id] for each in schemas.operations().values()}
    if service.choices.v3.cancel_in_v2 == "works":
        operations[_CANCELLATION] = booking_requests.cancel_request
    # A payment client that is set to the address of the service.
    elsewhere = [any_method(path, rejecting(service, "payment-elsewhere")) for path in OPERATIONS]
    removed_route = any_method("/{path:path}", rejecting(service, "version-removed"))
    removed = [Mount(path, routes=[removed_route]) for path in REMOVED_VERSIONS]
    app = Starlette(
        routes=[
            *ControlEndpoints(service, settings, context).routes(),
            *(interface(service, version, operations) for version in schemas.VERSIONS),
            Mount("/payment", payment_provider),
            *elsewhere,
            *(removed if service.choices.http.removed_versions != "no route" else ()),
        ],
        exception_handlers={UsageError: usage_error},
    )
    app.state.service, app.state.payment_provider = service, payment_provider
    return app
