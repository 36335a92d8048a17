"""Steps that send wrong tokens to v2 and v3 in both documented forms."""

from pytest_bdd import parsers

from conformance.parsed_response import expect_status
from conformance.scenario_context import ScenarioContext
from conformance.step_table import given, then, when
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import BookingClient
from conformance.v3.flight_client import FlightCriteria
from conformance.v3.request_bodies import INTERFACE, Interface
from conformance.v4.request_bodies import PassengerCounts


@given(parsers.re(rf"a documented request of (?P<operation>\w+) in {INTERFACE}"))
def _a_documented_call(
    booking_client: BookingClient, context: ScenarioContext, operation: str, interface: Interface
) -> None:
    criteria = FlightCriteria(interface)
    context.flights = criteria
    match operation:
        case "searchFlights":
            context.draft = booking_client.search(criteria).draft
        case "createRequests":
            booking_client.requested(criteria)
            context.draft = booking_client.request_draft(
                interface, [booking_client.flight(criteria)], PassengerCounts()
            )
        case _:
            context.draft = bodies.get_bookings(interface, booking_client.booked(criteria).reference)


@when("the client sends it with a wrong token in both forms")
def _the_client_sends_wrong_tokens(booking_client: BookingClient, context: ScenarioContext, wrong_key: str) -> None:
    keys = (f"Bearer {wrong_key}", wrong_key)
    context.together = tuple(booking_client.service.send(context.request, key=key) for key in keys)
    context.response = context.together[0]


@then("the service accepts neither")
def _the_service_accepts_neither(context: ScenarioContext) -> None:
    for response in context.together:
        # The status code of a form that the service does not accept is not documented (OPEN-18).
        expect_status(response, response.rejected, "the service must reject a wrong token in every form", "status 4xx")
