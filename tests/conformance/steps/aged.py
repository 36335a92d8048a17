"""Steps that use a resource of a certain age."""

from airworthy.suite import ages
from airworthy.target.ageing import Ageing
from conformance.scenario_context import ScenarioContext
from conformance.step_table import given
from conformance.v3.booking_client import CreatedBookings
from conformance.v3.booking_request_client import CreatedBookingRequests
from conformance.v4.offer_client import StoredOffer
from conformance.v4.order_client import CreatedOrder


@given(f"(?P<what>{'|'.join(ages.BY_STEP)})")
def _an_aged_resource(ageing: Ageing, context: ScenarioContext, what: str) -> None:
    match ageing.aged(what):
        case StoredOffer() as stored:
            context.keep_stored(stored)
        case CreatedOrder() as order:
            context.keep_ordered(order)
        case CreatedBookingRequests() as requested:
            context.keep_requested(requested)
        case CreatedBookings() as booked:
            context.keep_booked(booked)
