"""Steps that have planned conversations, in which every two circumstances come together."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from airworthy.suite.capture import Capture
from airworthy.suite.outcomes import Untested, comparisons
from airworthy.target.ageing import DAY, MINUTE
from conformance.fixtures import Conversing
from conformance.scenario_context import ScenarioContext
from conformance.step_table import then
from conformance.v3.request_bodies import INTERFACE, Interface

if TYPE_CHECKING:
    from conformance.explore.planned import PlannedConversations

TOGETHER = 2


@then(rf"bookings in {INTERFACE} are as documented, whichever two circumstances come together")
def _bookings(context: ScenarioContext, conversing: Conversing, interface: Interface) -> None:
    from conformance.explore import planned, v3_planned  # noqa: PLC0415 - needs Hypothesis, which takes a moment

    conversations, service = conversing(interface)
    with _counted(conversations, context.capture):
        plans = v3_planned.plans(service, context.v3, interface, TOGETHER)
        lives = service.profile.lifetimes
        planned.follow(plans, max(lives.locator_seconds, lives.schedule_change_seconds or 0.0) + MINUTE)


@then("orders are as documented, whichever two circumstances come together")
def _orders(context: ScenarioContext, conversing: Conversing) -> None:
    from conformance.explore import planned, v4_planned  # noqa: PLC0415 - needs Hypothesis, which takes a moment

    conversations, service = conversing("v4")
    with _counted(conversations, context.capture):
        plans = v4_planned.plans(service, TOGETHER)
        # What a service keeps of the day on which it started is stale by then.
        plans[0].begin().wait(2 * DAY)
        planned.follow(plans, service.profile.lifetimes.offer_seconds + MINUTE)


@contextmanager
def _counted(conversations: "PlannedConversations", capture: Capture) -> Iterator[None]:
    before = len(capture.needs)
    yield
    # What not every service sells belongs to other scenarios.
    del capture.needs[before:]
    comparisons.add(conversations.count)
    if not conversations.count:
        raise Untested("the service accepted nothing with which a conversation could begin")
