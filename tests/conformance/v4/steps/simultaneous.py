"""Steps that create or confirm two orders at the same time."""

from collections.abc import Mapping
from dataclasses import replace

from airworthy.contract.http.transaction import same_id
from airworthy.suite.outcomes import NotApplicable, comparisons
from conformance.parsed_response import ParsedResponse
from conformance.payments import WAYS
from conformance.request_draft import RequestDraft
from conformance.scenario_context import ScenarioContext
from conformance.simultaneous import expect_serial_outcome, send_at_once
from conformance.step_table import then, when
from conformance.v4 import request_bodies as bodies
from conformance.v4.offer_client import OfferCriteria
from conformance.v4.request_bodies import OrderOptions, PassengerCounts
from conformance.v4.steps.orders import another_order


@when("the client searches, stores, orders and retrieves trips, two at the same time each")
def _create_two_orders(context: ScenarioContext) -> None:
    options = OrderOptions(payment=context.service.usual_payment)
    # Shows how the service numbers passengers (OPEN-66).
    context.service.ordered(OfferCriteria(), options)
    criteria = [OfferCriteria(party=each) for each in (PassengerCounts(1), PassengerCounts(2))]
    stored = [context.service.store(each) for each in criteria]
    searches = [context.service.search_request(each) for each in criteria]
    send_at_once(context.service, searches, bodies.get_fares(stored[0].id))
    again = send_at_once(context.service, [each.draft for each in stored])
    # The fares of the offers may have other ids now (OPEN-73).
    stored = [replace(offer, response=each) for offer, each in zip(stored, again, strict=True) if each.succeeded]
    orders = send_at_once(context.service, [context.service.order_request(each, options) for each in stored])
    send_at_once(context.service, [bodies.get_order(str(each.member("id"))) for each in orders if each.succeeded])
    context.together, context.response = orders, next(iter(orders), again[0])


@when("the client confirms two orders at the same time")
def _confirm_two_orders(context: ScenarioContext) -> None:
    by = WAYS[context.service.usual_payment]
    # A rejection shows something only if the service books one order at a time.
    context.service.booked(by)
    orders = [context.service.any_order(context.service.usual_payment) for _ in range(2)]
    _confirm(context, {each.id: context.service.confirmation(each, by) for each in orders})


@when("the client confirms two orders of one offer by one payment intent at the same time")
def _confirm_two_orders_by_one_intent(context: ScenarioContext) -> None:
    if context.service.payments.has_reusable_intent():
        raise NotApplicable("the profile names a payment intent that is accepted several times")
    context.service.booked("a payment intent")
    first = context.service.any_order("card")
    second = another_order(context.service, first)
    if first.total != second.total:
        raise NotApplicable("two orders of one offer have different total prices (OPEN-61)")
    confirmation = context.service.confirmation(first, "a payment intent")
    intent = confirmation.body["payment_intent_id"]
    repeated = bodies.confirm_order(second.id, "card", payment_intent_id=intent)
    _confirm(context, {first.id: confirmation, second.id: repeated})


def _confirm(context: ScenarioContext, confirmations: Mapping[str, RequestDraft]) -> None:
    read = bodies.get_order(next(iter(confirmations)))
    context.together = send_at_once(context.service, list(confirmations.values()), read)
    context.response = context.together[0]


@then("both orders are booked, each with a reservation of its own")
def _both_are_booked_separately(context: ScenarioContext) -> None:
    booked = _booked(context)
    message = "the service must book both orders"
    expect_serial_outcome(context.together, succeeded=len(booked), allowed=2, message=message, warn=context.warn)
    _each_has_its_own_reservation(context)


@then("each order that is booked has a reservation of its own")
def _each_has_its_own_reservation(context: ScenarioContext) -> None:
    booked = _booked(context)
    reservations = {str(each.member("reservationId")).lower() for each in booked}
    context.last_response.expect(
        len(reservations) == len(booked),
        "two booked orders must have reservations of their own",
        expected="different reservation ids",
        actual="the same reservation id",
        pointer="/reservationId",
    )
    for each in booked:
        draft = bodies.get_order(str(each.member("id")))
        read = context.service.send_required(draft, "the service did not return a booked order", "V4-ORDER-READ")
        read.expect(
            same_id(read.member("reservationId"), each.member("reservationId")),
            "an order must keep the reservation of its own confirmation",
            expected=f"reservationId {each.shown('reservationId')}",
            actual=f"reservationId {read.shown('reservationId')}",
            pointer="/reservationId",
        )


@then("the payment intent should pay for one of them only")
def _the_intent_should_pay_for_one(context: ScenarioContext) -> None:
    # What a second use of a payment intent does is not documented.
    comparisons.add()
    number = len(_booked(context))
    if number != 1:
        context.warn(f"one payment intent pays for {number} of two orders at the same time")


def _booked(context: ScenarioContext) -> list[ParsedResponse]:
    return [each for each in context.together if each.succeeded and each.member("status") == "BOOKED"]
