"""Steps that validate every member of a request."""

from airworthy.suite.capture import Capture
from airworthy.suite.outcomes import comparisons
from conformance.documented_values import DocumentedValues, expect_accepted
from conformance.scenario_context import ScenarioContext
from conformance.service_client import ServiceClient
from conformance.step_table import then, when
from conformance.validation import expect_rejected, send_negatives


@when("the client sends the pattern with each wrong value of each member")
def _send_pattern_with_each_wrong_value(
    service_client: ServiceClient, context: ScenarioContext, scenario_capture: Capture
) -> None:
    context.negatives = send_negatives(service_client, context.accepted_pattern, scenario_capture)


@then("the service rejects every wrong value")
def _the_service_rejects_every_wrong_value(context: ScenarioContext, scenario_capture: Capture) -> None:
    comparisons.add(len(context.negatives))
    expect_rejected(context.negatives, scenario_capture)


@when("the client sends the pattern with each documented value of each member")
def _send_pattern_with_each_documented_value(service_client: ServiceClient, context: ScenarioContext) -> None:
    context.positives = DocumentedValues(service_client, context.accepted_pattern).send()


@then("the service accepts every documented value")
def _the_service_accepts_every_documented_value(context: ScenarioContext, scenario_capture: Capture) -> None:
    expect_accepted(context.positives, scenario_capture)
