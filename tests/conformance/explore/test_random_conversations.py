"""Explore each interface with random conversations, for ``--explore`` and ``--conversations``."""

from functools import partial

import pytest

from airworthy.suite.examiner import Examiner
from airworthy.suite.exploration import Exploration
from airworthy.suite.selection import EXPLORES
from conformance.explore import v3, v4
from conformance.explore.random_conversation import ExploredService
from conformance.v3.booking_client import BookingClient
from conformance.v3.flight_client import FlightCriteria
from conformance.v3.request_bodies import INTERFACES, Interface
from conformance.v4.offer_client import OfferCriteria
from conformance.v4.order_client import OrderClient
from conformance.v4.request_bodies import OrderOptions


@pytest.fixture
def explored_service(
    exploration: Exploration, service_client: OrderClient, second_client_or_none: OrderClient | None, examiner: Examiner
) -> ExploredService:
    """The service, as it is explored: with the second organisation, if that may use the interface."""
    second, interface = second_client_or_none, exploration.interface
    is_usable = second and second.succeeds(lambda: second.v4 if interface == "v4" else second.token(interface))
    return ExploredService(exploration, service_client, second if is_usable else None, examiner.conversation)


@pytest.mark.ages
@pytest.mark.explores("v4")
def test_random_conversations_with_v4(explored_service: ExploredService) -> None:
    """Offers, orders and reservations."""
    # The first order shows the number of the first passenger (OPEN-66).
    for client in explored_service.clients:
        create = partial(client.ordered, OfferCriteria(), OrderOptions(payment=client.usual_payment))
        client.succeeds(create)
    offered = v4.choices(explored_service)
    explored_service.explore(offered, partial(v4.V4Conversation, explored_service, offered))


@pytest.mark.ages
@pytest.mark.parametrize(
    "interface", [pytest.param(each, marks=getattr(pytest.mark, EXPLORES)(each)) for each in reversed(INTERFACES)]
)
def test_random_conversations(
    explored_service: ExploredService, booking_client: BookingClient, interface: Interface
) -> None:
    """Booking requests and bookings."""
    # The first booking shows how the service writes what the documents leave open.
    explored_service.client.succeeds(lambda: booking_client.booked(FlightCriteria(interface)))
    offered = v3.choices(explored_service, interface, booking_client)
    clients = [booking_client]
    if second := explored_service.second:
        notations, flights = booking_client.known_notations, booking_client.requested_flights
        clients.append(BookingClient(second, known_notations=notations, requested_flights=flights))
    explored_service.explore(offered, partial(v3.V3Conversation, explored_service, offered, interface, clients))
