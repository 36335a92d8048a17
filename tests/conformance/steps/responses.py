"""Steps that compare a response with the documents."""

import re
from collections.abc import Collection
from http import HTTPStatus
from itertools import chain
from urllib.parse import urlsplit

from airworthy.register import rules
from airworthy.suite.outcomes import comparisons, prerequisite
from conformance.fixtures import RuleCheck
from conformance.parsed_response import ParsedResponse, expect_status
from conformance.scenario_context import ScenarioContext
from conformance.step_table import STATEMENT, given, then
from conformance.v3.request_bodies import INTERFACES

_CAPABILITIES = {
    "takes cards": ("card",),
    "takes 3D Secure results": ("card", "three_d_secure"),
    "lists identification types": ("identification",),
    "sells round trips": ("round_trips",),
    "sells checked bags": ("checked_bags",),
    "sells paid baggage": ("baggage",),
    "has round-trip fares": ("round_trip_fares",),
}
# The status codes in the table of errors of v3 and v2.
_LISTED = (400, 401, 403, 404, 409, 422)
REASONS = "Conflict|Bad Request|Unauthorized|Forbidden|Not Found|Not Acceptable|Unprocessable Entity"


# RFC 9110 gave 422 another text; the documents and Python's versions differ in which they use.
_RENAMED = {422: "Unprocessable Entity"}


def expect_rejection(
    response: ParsedResponse, reason: str, subject: str = "the service must reject the request"
) -> None:
    """Expect a response with the status code of a reason phrase."""
    status = next(each.value for each in HTTPStatus if reason in (each.phrase, _RENAMED.get(each.value)))
    expect_status(response, response.status == status, f"{subject} with {status} {reason}", f"status {status}")


# Accepted


@then("the service accepts the request")
def _the_request_is_accepted(context: ScenarioContext) -> None:
    draft, response = context.draft, context.last_response
    if draft and context.v3.requested_flights.may_explain(draft, response):
        raise context.service.sold_out(context.flight_criteria.route, context.last_response)
    stored = context.stored if draft and draft.operation == "getOffer" else None
    # The itinerary may be sold out since the request was accepted from which this one is derived (OPEN-56).
    if stored and not response.succeeded and not context.service.send(stored.draft).succeeded:
        raise context.service.sold_out(context.criteria.route)
    expect_success(context)


def expect_success(context: ScenarioContext) -> None:
    response = context.last_response
    expect_status(response, response.succeeded, "the service must accept a documented request", "status 200")


@then("the service accepts the key every time")
def _the_key_was_accepted(context: ScenarioContext) -> None:
    for response in context.together:
        is_valid = response.status not in (401, 403)
        expect_status(response, is_valid, "the service must accept a valid key", "neither 401 nor 403")


# Rejected


# The statuses that v4 lists for a client error, and those that concern payments and so Confirm Order only.
_LISTED_OF_V4 = (400, 401, 404)
_LISTED_OF_PAYMENTS = (403, 406, 422)
_STATUS_QUESTIONS = {"createOrder": "OPEN-67", "confirmOrder": "OPEN-51", "searchOffers": "OPEN-55"}
_QUESTION_OF_RULE = re.compile(r"status[^.]*\((OPEN-\d+)\)")


def _observe_unlisted_status(context: ScenarioContext, own: Collection[str]) -> None:
    """Record a status code that the documents do not list for the operation; which one a violation has is open.

    The note of one of the scenario's ``own`` rules may name the question.
    """
    response, draft = context.last_response, context.draft
    if not response.rejected:
        return
    if "/v4/" not in response.exchange.request.url:
        if response.status not in _LISTED:
            context.observe("OPEN-29", "a status code that v3 and v2 do not list", str(response.status))
        return
    if draft is None:
        return
    listed = _LISTED_OF_V4 + (_LISTED_OF_PAYMENTS if draft.operation == "confirmOrder" else ())
    if response.status not in listed:
        question = f"a status that the documents do not list for {draft.operation}"
        noted = [_QUESTION_OF_RULE.findall(each.note) for each in rules() if each.id in own]
        open_id = next(chain(*noted), _STATUS_QUESTIONS.get(draft.operation, "OPEN-49"))
        context.observe(open_id, question, response.status)


@then("the service rejects the request")
def _request_is_rejected(context: ScenarioContext, rule_check: RuleCheck) -> None:
    _observe_unlisted_status(context, rule_check.capture.rules)
    response = context.last_response
    text = f"the service must reject {rule_check.wrong_request(response.exchange)}"
    expect_status(response, response.unfulfilled, text, "status 4xx")
    rule_check.check_request_finding(response.exchange)


@then(rf"the service rejects the request with \d{{3}} (?P<reason>{REASONS})")
def _request_is_rejected_as(context: ScenarioContext, rule_check: RuleCheck, reason: str) -> None:
    response = context.last_response
    request = response.exchange.request
    operation = context.service.contract.operation(request.method, request.url)
    if operation and reason == "Bad Request" and response.rejected:
        # Which 4xx status it is concerns the rule about the status, whatever the scenario is about.
        owner = f"{operation.version.upper()}-BAD-REQUEST"
        expect_status(response, response.rejected, "the service must reject the request", "status 4xx")
        with prerequisite(f"status {response.status} instead of 400", rule=owner, exchange=response.exchange):
            expect_rejection(response, reason)
    else:
        expect_rejection(response, reason)
    rule_check.check_request_finding(response.exchange)


@then("the service rejects the request with 404 Not Found or 409 Conflict")
def _request_is_rejected_as_not_found_or_conflict(context: ScenarioContext) -> None:
    response, text = context.last_response, "the service must reject the request with 404 or 409"
    expect_status(response, response.status in (404, 409), text, "status 404 or 409")


@then("the request fails")
def expect_failed(context: ScenarioContext) -> None:
    expect_status(context.last_response, not context.last_response.succeeded, "the request must fail", "no 2xx status")
    expect_not_server_error(context)


@then("the service does not respond with a 5xx status")
def expect_not_server_error(context: ScenarioContext) -> None:
    expect_no_server_error(context.last_response)


def expect_no_server_error(response: ParsedResponse) -> None:
    """Expect that a mistake of the client is not taken for an error of the service."""
    text = "the service must not respond to a client's mistake with a 5xx status"
    expect_status(response, response.status < 500, text, "no 5xx")


@then("the service should accept the request")
def _request_should_be_accepted(context: ScenarioContext) -> None:
    expect_not_server_error(context)
    if not context.last_response.succeeded:
        exchange = context.last_response.exchange
        context.service.explain(exchange)
        request, status = exchange.request, context.last_response.status
        context.warn(f"{request.method} {urlsplit(request.url).path} was not accepted: status {status}", exchange)


@then("the service should reject the request")
def _request_should_be_rejected(context: ScenarioContext, rule_check: RuleCheck) -> None:
    expect_not_server_error(context)
    exchange = context.last_response.exchange
    if not context.last_response.rejected:
        context.warn(f"the service does not reject {rule_check.wrong_request(exchange)}", exchange)


@then("the service accepts the request or rejects it with 404 Not Found")
def _request_is_accepted_or_not_found(context: ScenarioContext) -> None:
    response, text = context.last_response, "the service must accept the request or reject it with 404 Not Found"
    expect_status(response, response.succeeded or response.status == 404, text, "status 200 or 404")


@then("the service does not accept the request")
def _request_is_not_accepted(context: ScenarioContext) -> None:
    response = context.last_response
    if response.exchange.response is None:
        # A refused connection delivers nothing.
        comparisons.add()
    else:
        expect_status(response, not response.succeeded, "the service must not accept the request", "no 2xx status")


# The contract


@given(f"the service (?P<offer>{'|'.join(_CAPABILITIES)})")
def _the_service_has_a_capability(context: ScenarioContext, offer: str) -> None:
    context.service.needs(*_CAPABILITIES[offer])


@then(STATEMENT)
def _the_rule_holds(context: ScenarioContext, rule_check: RuleCheck) -> None:
    """Fail if the contract has found a violation of the scenario's rule in any response so far.

    If neither a step nor another scenario sends any request, every kind of request is sent here.
    """
    if context.response is None and not rule_check.is_exercised_elsewhere:
        for interface in INTERFACES:
            if interface in rule_check.interfaces:
                context.v3.use_every_operation(interface)
        if "v4" in rule_check.interfaces:
            context.service.use_every_operation()
            rule_check.capture.expected.add("V4-SEARCH-ADULTS")
            context.service.provoke_errors()
    rule_check.check_own_rule()
