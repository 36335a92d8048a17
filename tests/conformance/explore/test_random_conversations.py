"""Explore each interface with random conversations, for ``--explore`` and ``--conversations``."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest

from airworthy.suite.examiner import Examiner
from airworthy.suite.exploration import Exploration
from airworthy.suite.outcomes import Untested
from airworthy.suite.selection import EXPLORES
from conformance.explore import v3, v3_choices, v3_planned, v4, v4_planned
from conformance.explore.random_conversation import ExploredService, explored_service
from conformance.v3.booking_client import BookingClient
from conformance.v3.request_bodies import INTERFACES, Interface
from conformance.v4.order_client import OrderClient

_TOGETHER = 3
"""How many circumstances of planned conversations come together in every combination."""


@pytest.fixture
def service(
    exploration: Exploration, service_client: OrderClient, second_client_or_none: OrderClient | None, examiner: Examiner
) -> ExploredService:
    """The service, as it is explored."""
    clients = service_client, second_client_or_none
    return explored_service(exploration, exploration.interface, *clients, examiner.conversation)


@pytest.mark.ages
@pytest.mark.explores("v4")
def test_random_conversations_with_v4(exploration: Exploration, service: ExploredService) -> None:
    """Offers, orders and reservations."""
    with _ended_by_outcomes(exploration):
        plans = v4_planned.plans(service, _TOGETHER)
        exploration.run(partial(v4.V4Conversation, service, v4.choices(service)), plans)


@pytest.mark.ages
@pytest.mark.parametrize(
    "interface", [pytest.param(each, marks=getattr(pytest.mark, EXPLORES)(each)) for each in reversed(INTERFACES)]
)
def test_random_conversations(
    exploration: Exploration, service: ExploredService, booking_client: BookingClient, interface: Interface
) -> None:
    """Booking requests and bookings."""
    with _ended_by_outcomes(exploration):
        clients = v3_choices.clients_of(service, booking_client, interface)
        offered = v3_choices.choices(service, interface, booking_client)
        plans = v3_planned.plans(service, booking_client, interface, _TOGETHER)
        exploration.run(partial(v3.V3Conversation, service, offered, interface, clients), plans)


@contextmanager
def _ended_by_outcomes(exploration: Exploration) -> Iterator[None]:
    try:
        yield
    except Untested as outcome:
        exploration.ended = str(outcome)
