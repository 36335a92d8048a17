"""Steps that retrieve what is known of an offer, an order and a reservation."""

from collections.abc import Callable, Mapping
from typing import Final

from airworthy.contract.bodies.applications import has_content
from airworthy.suite.outcomes import expect_situation
from conformance.request_draft import RequestDraft
from conformance.scenario_context import WHO, ScenarioContext
from conformance.step_table import when
from conformance.v4 import request_bodies as bodies

_RETRIEVALS: Final[Mapping[str, Callable[[ScenarioContext], RequestDraft]]] = {
    "the fares of the offer": lambda context: bodies.get_fares(context.offer.id),
    "the fares of an unknown offer": lambda context: bodies.get_fares(bodies.another_id(context.offer.id)),
    "the baggage options of the offer": lambda context: bodies.get_baggage(context.offer.id),
    "the baggage options of an unknown offer": lambda context: bodies.get_baggage(bodies.another_id(context.offer.id)),
    "the order": lambda context: bodies.get_order(context.ordered.id),
    "an unknown order": lambda context: bodies.get_order(bodies.another_id(context.ordered.id)),
    "the reservation": lambda context: bodies.get_reservation(context.ordered.reservation_id),
    "the reservation by its id": lambda context: bodies.get_reservation(context.ordered.reservation_id),
    "an unknown reservation": lambda context: bodies.get_reservation(bodies.another_id(context.ordered.reservation_id)),
    "the reservation by its order": lambda context: bodies.find_reservation(context.ordered.id),
    "the reservation of an unknown order": lambda context: bodies.find_reservation(
        bodies.another_id(context.ordered.id)
    ),
    "a reservation without naming its order": lambda context: bodies.find_reservation(context.ordered.id).with_query(
        orderId=None
    ),
}


@when(f"{WHO} retrieves (?P<what>{'|'.join(_RETRIEVALS)})")
def _retrieve(context: ScenarioContext, who: str, what: str) -> None:
    context.response = response = context.client_of(who).send(_RETRIEVALS[what](context))
    if context.criteria.route == "no_baggage":
        fares = response.array("fareBaggageOptions")
        is_sold = any(
            has_content(each.get(f"{way}SegmentOptions")) for each in fares for way in ("outbound", "inbound")
        )
        expect_situation(not is_sold, "routes.no_baggage", "has offers with paid baggage")


@when("the client retrieves what became of refused orders")
def _retrieve_orders_again(context: ScenarioContext) -> None:
    histories = context.service.histories
    for order in histories.refused_orders():
        context.response = context.service.send(bodies.get_order(order))
    if booked := histories.order_booked_after_a_refusal():
        context.response = response = context.service.send(bodies.find_reservation(booked))
        if isinstance(identifier := response.member("id"), str):
            context.response = context.service.send(bodies.get_reservation(identifier))
