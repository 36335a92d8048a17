"""Orders move as the documents say, and only one confirmation gets hold of an order."""

import threading
from datetime import UTC, date, datetime, timedelta

import pytest

from airworthy.sandbox.faults.v4.confirmation import claim_slowly
from airworthy.sandbox.inventory import Inventory, Passengers, Trip
from airworthy.sandbox.policy import Claim, claim_atomically, order_total
from airworthy.sandbox.states import BoundedTable, Fare, InvalidTransition, Offer, Order

NOW = datetime(2027, 1, 1, tzinfo=UTC)


@pytest.fixture
def order() -> Order:
    itinerary = Inventory(0, digits=False).itineraries("MAD", "BCN", date(2027, 2, 1))[0]
    fare = Fare("fare", 5000, 5000, 0, 1)
    offer = Offer("offer", "first", Trip(itinerary), Passengers(1, 0, 0), (fare,), 100, NOW + timedelta(minutes=30))
    return Order("first", offer, fare, {"paymentMethod": {"card": True}}, 5100, NOW)


def test_an_order_opens_and_is_booked(order: Order) -> None:
    booked = order.claim().book("reservation")

    assert (order.status, order.reservation) == ("OPEN", None)
    assert (booked.status, booked.reservation, booked.claimed) == ("BOOKED", "reservation", False)


def test_an_order_that_is_not_paid_fails(order: Order) -> None:
    assert order.claim().fail().status == "FAILED"


def test_an_order_can_be_left_as_open_as_before(order: Order) -> None:
    assert order.claim().release() == order


@pytest.mark.parametrize("state", ["claimed", "booked", "failed"])
def test_only_an_open_order_is_claimed(order: Order, state: str) -> None:
    moved = {"claimed": order.claim(), "booked": order.claim().book("r"), "failed": order.claim().fail()}[state]

    with pytest.raises(InvalidTransition):
        moved.claim()


def test_a_failed_order_may_try_again_where_the_dialect_has_it_so(order: Order) -> None:
    assert order.claim().fail().claim(again=True).status == "OPEN"
    with pytest.raises(InvalidTransition):
        order.claim().book("r").claim(again=True)


@pytest.mark.parametrize(("claim", "winners"), [(claim_atomically, 1), (claim_slowly, 10)])
def test_of_ten_claims_at_once_one_wins(order: Order, claim: Claim, winners: int) -> None:
    orders: BoundedTable[Order] = BoundedTable()
    orders.put(order.id, order)
    together = threading.Barrier(10)
    won = []

    def confirm() -> None:
        together.wait()
        try:
            won.append(claim(orders, order.id, False))
        except InvalidTransition:
            return

    threads = [threading.Thread(target=confirm) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(won) == winners


def test_a_shelf_makes_room_for_what_is_new() -> None:
    shelf: BoundedTable[int] = BoundedTable(kept=2)
    for number in range(3):
        shelf.put(number, number)

    assert list(shelf) == [1, 2]
    assert shelf.get(0) is None
    assert len(shelf) == 2


def test_a_move_that_is_refused_changes_nothing(order: Order) -> None:
    orders: BoundedTable[Order] = BoundedTable()
    orders.put(order.id, order.claim())

    with pytest.raises(InvalidTransition):
        claim_atomically(orders, order.id, False)
    assert orders.get(order.id) == order.claim()


def test_a_total_includes_baggage_and_fee() -> None:
    assert order_total(5000, 2350, 100) == 7450
