"""Steps that use resources of a certain age, such as an expired offer; without a clock, these are created first."""

from pytest_bdd import parsers

from airworthy.suite import ages
from airworthy.target.ageing import Ageing
from airworthy.target.profile import Profile
from conformance.scenario_context import ScenarioContext
from conformance.step_table import given, when
from conformance.v4.offer_client import StoredOffer
from conformance.v4.order_client import CreatedOrder


@given(parsers.re(r"(?P<what>an? (?:round-trip )?offer stored (?:more than|almost) 30 minutes ago)"))
def _an_aged_offer(ageing: Ageing, context: ScenarioContext, what: str) -> None:
    stored = ageing.aged(what)
    assert isinstance(stored, StoredOffer)
    context.criteria, context.stored, context.response = stored.criteria, stored, stored.response


@when("more than 30 minutes have passed since the offer was stored")
def _the_offer_ages(ageing: Ageing, profile: Profile) -> None:
    expired = ages.due("an offer stored more than 30 minutes ago", profile.lifetimes)
    ageing.age_further("an offer stored almost 30 minutes ago", expired)


@given(parsers.re(r"(?P<what>an order (?:created|booked) in time from an offer stored more than 30 minutes ago)"))
def _an_order_of_an_aged_offer(ageing: Ageing, context: ScenarioContext, what: str) -> None:
    order = ageing.aged(what)
    assert isinstance(order, CreatedOrder)
    context.order, context.stored, context.response = order, order.stored, order.response
