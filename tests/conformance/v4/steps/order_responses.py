"""Steps that check orders and reservations in responses."""

from airworthy.contract.conversation.agreement import Terms, differences
from airworthy.contract.http.reading import described_schema
from airworthy.contract.http.transaction import same_id
from airworthy.contract.schema.known_members import KnownMembers
from airworthy.suite.outcomes import comparisons, prerequisite
from conformance.fixtures import RuleCheck
from conformance.parsed_response import ParsedResponse, expect_status, shown_statuses
from conformance.scenario_context import ScenarioContext
from conformance.service_client import ServiceClient
from conformance.step_table import then
from conformance.steps.responses import REASONS, expect_failed, expect_rejection, expect_success
from conformance.v4 import request_bodies as bodies

# Orders


@then("the order is open")
def _the_order_is_open(context: ScenarioContext) -> None:
    expect_success(context)
    with prerequisite("a created order is not OPEN", rule="V4-ORDER-OPENS", exchange=context.last_response.exchange):
        _expect_status_of_order(context.last_response, "OPEN", "a created order must be OPEN")


def _expect_member(response: ParsedResponse, name: str, value: str, message: str) -> None:
    """Expect an id, whose letter case does not count (OPEN-73), or a documented status."""
    response.expect(
        same_id(response.member(name), value),
        message,
        expected=f"{name} {value}",
        actual=f"{name} {response.shown(name)}",
        pointer=f"/{name}",
    )


@then("the order is booked")
def _the_order_is_booked(context: ScenarioContext) -> None:
    expect_success(context)
    _expect_status_of_order(context.last_response, "BOOKED", "a paid confirmation must book the order")
    _reservation_of(context.last_response)
    now = _order_now(context)
    with prerequisite("an order is not persisted as it was returned", rule="V4-ORDER-READ", exchange=now.exchange):
        _expect_status_of_order(now, "BOOKED", "the service must persist the order as it returned it")


@then("the order is booked, or rejected because its card is not a Mastercard")
def _the_order_is_booked_or_its_card_rejected(context: ScenarioContext, rule_check: RuleCheck) -> None:
    # A service may reject Mastercard's indicator with a card of another brand (OPEN-52).
    if context.last_response.unfulfilled and context.service.payments.lacks_mastercard():
        _the_order_is_not_booked(context, rule_check)
    else:
        _the_order_is_booked(context)


def _order_now(context: ScenarioContext) -> ParsedResponse:
    reason = "the service did not return an order of the organisation"
    return context.owner.send_required(bodies.get_order(context.ordered.id), reason, "V4-ORDER-READ")


def _expect_status_of_order(response: ParsedResponse, status: str, message: str) -> None:
    documented = response.member("status") in ("OPEN", "BOOKED", "FAILED")
    with prerequisite("the status of an order is not documented", rule="V4-ORDER-STATUS", exchange=response.exchange):
        assert documented
    _expect_member(response, "status", status, message)


def _reservation_of(response: ParsedResponse) -> str:
    reservation = response.member("reservationId")
    reason = "a booked order has no reservationId"
    with prerequisite(reason, rule="V4-ORDER-RESERVATION-ID", exchange=response.exchange):
        response.expect(
            reservation,
            "a booked order must have a reservationId",
            expected="a reservationId",
            actual="none",
            pointer="/reservationId",
        )
    return str(reservation)


@then("the order is booked with the same reservation")
def _the_order_is_booked_with_the_same_reservation(context: ScenarioContext) -> None:
    now = _order_now(context)
    _expect_status_of_order(now, "BOOKED", "a booked order must stay booked")
    _reservation_of(now)
    _expect_member(now, "reservationId", context.ordered.reservation_id, "a booked order must keep its reservation")


@then("one confirmation succeeds")
def _one_confirmation_succeeds(context: ScenarioContext) -> None:
    succeeded = sum(response.succeeded for response in context.together)
    context.last_response.expect(
        succeeded == 1,
        "exactly one of several simultaneous confirmations must succeed",
        expected=f"1 success of {len(context.together)}",
        actual=shown_statuses(context.together),
    )


@then("the order is not booked")
def _the_order_is_not_booked(context: ScenarioContext, rule_check: RuleCheck) -> None:
    if context.order is None:
        return
    for response in (context.last_response, _order_now(context)):
        expect_not_booked(response, "an order whose confirmation was rejected must not be booked")
    if rule_check.capture.is_at_last_step:
        expect_no_reservation(context.owner, context.order.id)


def expect_not_booked(response: ParsedResponse, message: str) -> None:
    """Expect an order that is not booked, or another response without one."""
    response.expect(
        response.member("status") != "BOOKED" and not response.member("reservationId"),
        message,
        expected="an order that is not BOOKED, without a reservation",
        actual=f"status {response.shown('status')}",
        pointer="/status",
    )


def expect_no_reservation(client: ServiceClient, order: str) -> None:
    """Expect that an order has no reservation; another rule owns one that it has."""
    found = client.send(bodies.find_reservation(order))
    reason = "an order that is not booked has a reservation"
    with prerequisite(reason, rule="V4-RESERVATION-BEFORE-BOOKING", exchange=found.exchange):
        _no_reservation_is_delivered_in(found)


@then("the order is not booked unless the confirmation succeeds")
def _the_order_is_not_booked_unless_confirmed(context: ScenarioContext, rule_check: RuleCheck) -> None:
    if context.last_response.member("status") != "BOOKED":
        _the_order_is_not_booked(context, rule_check)


@then("the order is not booked with the other one")
def _the_order_is_not_booked_with_another(context: ScenarioContext) -> None:
    context.response = now = context.service.send(bodies.get_order(context.ordered.id))
    now.expect(
        now.member("status") != "BOOKED",
        "a confirmation must not book another order",
        expected="an order that is not BOOKED",
        actual="status BOOKED",
        pointer="/status",
    )
    expect_no_reservation(context.service, context.ordered.id)


@then("the order is still open")
def _the_order_is_still_open(context: ScenarioContext) -> None:
    now = _order_now(context)
    _expect_status_of_order(now, "OPEN", "an order that nobody confirmed with its own key must stay OPEN")


@then("the order should still be open")
def _the_order_should_still_be_open(context: ScenarioContext) -> None:
    """Only warns: what a rejection with 403 makes of an order is open (OPEN-24)."""
    now = _order_now(context)
    if now.member("status") == "FAILED":
        context.warn("the order is FAILED because another organisation tried to confirm it", now.exchange)


@then("the payment fails")
def _the_payment_fails(context: ScenarioContext) -> None:
    response = context.last_response
    response.expect(
        response.unfulfilled,
        "the payment must fail, with an error or with an order that is FAILED",
        expected="status 4xx, or an order that is FAILED",
        actual=f"status {response.status}, order {response.shown('status')}",
        pointer="/status" if response.succeeded else "status",
    )


@then("the payment should fail")
def _the_payment_should_fail(context: ScenarioContext) -> None:
    comparisons.add()
    if context.last_response.member("status") == "BOOKED":
        context.warn("an order is booked by the payment intent of another order")


@then(rf"the payment fails with \d{{3}} (?P<reason>{REASONS})")
def _the_payment_fails_as(context: ScenarioContext, reason: str) -> None:
    _the_payment_fails(context)
    response, seen = context.last_response, "200 with an order that is FAILED"
    if not response.succeeded:
        expect_rejection(response, reason, "the payment must fail")
        seen = "an error"
    context.observe("OPEN-24", "response to a failed payment", seen)


@then("the service rejects the order, or its confirmation with 403 Forbidden")
def _order_or_confirmation_is_rejected(context: ScenarioContext) -> None:
    response = context.last_response
    if context.order is None:
        expect_failed(context)
        where = f"at Create Order, {response.status}"
    else:
        expect_rejection(response, "Forbidden")
        where = "at Confirm Order"
    context.observe("OPEN-53", "where the service rejects balance payment", where)


@then("the order should be FAILED")
def _the_order_should_have_failed(context: ScenarioContext) -> None:
    _the_payment_fails(context)
    now = _order_now(context)
    context.response = now
    now.expect(
        now.member("status") in ("FAILED", "OPEN"),
        "an order whose payment was rejected must be FAILED or OPEN",
        expected="status FAILED or OPEN",
        actual=f"status {now.shown('status')}",
        pointer="/status",
    )
    if now.member("status") != "FAILED":
        context.warn(f"the order is {now.member('status')}", now.exchange)


# Reservations


@then("the response contains no reservation")
def _no_reservation_is_delivered(context: ScenarioContext) -> None:
    _no_reservation_is_delivered_in(context.last_response)


def _no_reservation_is_delivered_in(response: ParsedResponse) -> None:
    response.expect(
        not (response.succeeded and (response.member("id") or response.member("pnr"))),
        "an order that is not booked must not have a reservation",
        expected="no reservation",
        actual=f"status {response.status} with a reservation",
        pointer="/id",
    )


# What the documents do not describe in a reservation (OPEN-01, OPEN-02, OPEN-04), or only of a search.
_UNDESCRIBED = Terms(
    open="inboundSegment/* selectedBaggage/* fare/* *Terminal *technicalStops *availableSeats *Credentials"
)


@then("the reservation is the same as by its id")
def _reservation_is_the_same(context: ScenarioContext) -> None:
    expect_success(context)
    by_id = context.service.send(bodies.get_reservation(context.ordered.reservation_id))
    expect_status(by_id, by_id.succeeded, "the service must return a reservation by its id", "status 200")
    for name in ("id", "orderId"):
        shown = context.last_response.member(name), by_id.member(name)
        context.last_response.expect(
            same_id(*shown) or shown == (None, None),
            f"the service must return the same {name} by order as by id",
            expected="the value returned by id" if by_id.member(name) else "none",
            actual="another value" if context.last_response.member(name) else "none",
            pointer=f"/{name}",
        )
    # Members that are not documented, and null where a value is absent, may differ (OPEN-46, OPEN-48).
    comparisons.add()
    operation = context.service.contract.operation("GET", by_id.exchange.request.url)
    schema = described_schema(operation, by_id.status) if operation else None
    known = schema.members if schema else KnownMembers()
    by_order = context.last_response
    pairs = {"only by id": (by_id, by_order), "only by order": (by_order, by_id)}
    for where, (one, other) in pairs.items():
        lost = [each for each in differences(known, one.body, other.body, _UNDESCRIBED) if each.kind == "missing"]
        context.last_response.expect(
            not lost,
            "the service must return the same members of a reservation by order as by id",
            expected="the same members",
            actual=f"{', '.join(dict.fromkeys(each.name for each in lost))} {where}",
            pointer=f"/{'/'.join(map(str, lost[0].path))}" if lost else "",
        )
