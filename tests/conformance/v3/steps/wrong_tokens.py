"""Steps that send wrong tokens to v2 and v3 in both documented forms."""

from conformance.parsed_response import expect_status
from conformance.scenario_context import ScenarioContext
from conformance.step_table import then, when
from conformance.v3.booking_client import BookingClient


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
