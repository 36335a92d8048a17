"""Steps that send every value that the documents exclude, or allow, in requests that the service accepts."""

from collections.abc import Callable
from functools import partial

from airworthy.suite.capture import Capture
from airworthy.suite.negatives import is_about
from airworthy.suite.outcomes import NotApplicable, Untested, comparisons
from conformance.documented_values import DocumentedValues, expect_accepted
from conformance.fixtures import RuleCheck
from conformance.scenario_context import ScenarioContext
from conformance.step_table import then, when
from conformance.v3 import accepted_requests as of_v3
from conformance.v3.booking_client import BookingClient
from conformance.v4 import accepted_requests as of_v4
from conformance.v4.order_client import OrderClient
from conformance.validation import AcceptedRequest, SentNegative, expect_rejected, send_negatives


def _accepted_requests(
    service: OrderClient, bookings: BookingClient
) -> dict[str, tuple[str, Callable[[], AcceptedRequest]]]:
    return {**of_v4.accepted_requests(service), **of_v3.accepted_requests(bookings)}


@when("the client sends (?P<request>.+) with each value that the documents exclude")
def _send_each_excluded_value(context: ScenarioContext, request: str) -> None:
    _, accept = _accepted_requests(context.service, context.v3)[request]
    context.negatives = send_negatives(context.service, accept(), context.capture)


@then("the service rejects each value that the documents exclude")
def _each_excluded_value_is_rejected(context: ScenarioContext, rule_check: RuleCheck) -> None:
    """Check what was sent. If nothing was, send the values of this rule, unless other scenarios send all values."""
    if not context.negatives:
        if rule_check.is_validated_elsewhere:
            rule_check.check_own_rule()
            return
        context.negatives = _send_values_of_own_rule(context.service, context.v3, context.capture)
    comparisons.add(len(context.negatives))
    expect_rejected(context.negatives, context.capture)


def _send_values_of_own_rule(service: OrderClient, bookings: BookingClient, capture: Capture) -> list[SentNegative]:
    (rule,) = capture.rules
    about = {each.id for each in service.contract.operations() if is_about(each, rule)}
    sent: list[SentNegative] = []
    missed: NotApplicable | Untested | None = None
    for operation, accept in _accepted_requests(service, bookings).values():
        try:
            sent += send_negatives(service, accept(), capture, rule) if operation in about else []
        except (NotApplicable, Untested) as outcome:
            missed = outcome
    if missed and not sent:
        raise missed
    return sent


@when("the client sends (?P<request>.+) with each value that the documents allow")
def _send_each_documented_value(context: ScenarioContext, request: str) -> None:
    requests = _accepted_requests(context.service, context.v3)
    requests |= {"an order of two passengers": ("createOrder", partial(of_v4.order_of_two_passengers, context.service))}
    _, accept = requests[request]
    context.positives = DocumentedValues(context.service, accept()).send()


@then("the service accepts each value that the documents allow")
def _each_documented_value_is_accepted(context: ScenarioContext) -> None:
    expect_accepted(context.positives, context.capture)
