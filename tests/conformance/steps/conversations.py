"""Steps that have planned conversations, in which every two circumstances come together."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pytest_bdd import parsers

from airworthy.suite.capture import Capture
from airworthy.suite.outcomes import Untested, comparisons
from conformance.fixtures import Plan
from conformance.step_table import then
from conformance.v3.booking_client import BookingClient
from conformance.v3.request_bodies import INTERFACE, Interface

if TYPE_CHECKING:
    from conformance.explore.planned import PlannedConversations


@then(parsers.re(rf"bookings in {INTERFACE} are as documented, whichever two circumstances come together"))
def _bookings(plan: Plan, booking_client: BookingClient, scenario_capture: Capture, interface: Interface) -> None:
    # Only conversations need Hypothesis, whose import takes a moment.
    from conformance.explore.v3_planned import have_conversations  # noqa: PLC0415

    conversations, service = plan(interface)
    with _counted(conversations, scenario_capture):
        have_conversations(service, booking_client, interface)


@then("orders are as documented, whichever two circumstances come together")
def _orders(plan: Plan, scenario_capture: Capture) -> None:
    from conformance.explore.v4_planned import have_conversations  # noqa: PLC0415

    conversations, service = plan("v4")
    with _counted(conversations, scenario_capture):
        have_conversations(service)


@contextmanager
def _counted(conversations: "PlannedConversations", capture: Capture) -> Iterator[None]:
    before = len(capture.needs)
    yield
    # What not every service sells belongs to other scenarios.
    del capture.needs[before:]
    comparisons.add(conversations.count)
    if not conversations.count:
        raise Untested("the service accepted nothing with which a conversation could begin")
