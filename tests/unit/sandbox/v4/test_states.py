"""The states of an order, and simultaneous confirmations."""

from datetime import UTC, date, datetime, timedelta

import pytest

from airworthy.sandbox.model.inventory import Inventory, Passengers, Trip
from airworthy.sandbox.model.policy import update_atomically
from airworthy.sandbox.model.tables import BoundedTable, InvalidTransition
from airworthy.sandbox.resources.v4.states import Fare, Offer, Order

NOW = datetime(2027, 1, 1, tzinfo=UTC)


@pytest.fixture
def order() -> Order:
    itinerary = Inventory(0, digits=False).itineraries("MAD", "BCN", date(2027, 2, 1))[0]
    fare = Fare("fare", 5000, 5000, 0, 1)
    offer = Offer("offer", "first", Trip(itinerary), Passengers(1, 0, 0), (fare,), 100, NOW + timedelta(minutes=30))
    return Order("first", offer, fare, {"paymentMethod": {"card": True}}, 5100, NOW)


def test_order_ends_a_confirmation_booked_failed_or_as_it_was(order: Order) -> None:
    booked = order.claim().book("reservation")

    assert (order.status, order.reservation) == ("OPEN", None)
    assert (booked.status, booked.reservation, booked.claimed) == ("BOOKED", "reservation", False)
    assert order.claim().fail().status == "FAILED"
    assert order.claim().release() == order


@pytest.mark.parametrize("state", ["claimed", "booked", "failed"])
def test_claimed_booked_or_failed_order_cannot_be_claimed(order: Order, state: str) -> None:
    moved = {"claimed": order.claim(), "booked": order.claim().book("r"), "failed": order.claim().fail()}[state]

    with pytest.raises(InvalidTransition):
        moved.claim()


def test_failed_order_can_be_claimed_again_if_the_dialect_allows_it(order: Order) -> None:
    assert order.claim().fail().claim(retry_failed=True).status == "OPEN"
    with pytest.raises(InvalidTransition):
        order.claim().book("r").claim(retry_failed=True)


def test_rejected_transition_leaves_the_order_unchanged(order: Order) -> None:
    orders: BoundedTable[Order] = BoundedTable()
    orders.put(order.id, order.claim())

    with pytest.raises(InvalidTransition):
        update_atomically(orders, order.id, Order.claim)
    assert orders.get(order.id) == order.claim()
