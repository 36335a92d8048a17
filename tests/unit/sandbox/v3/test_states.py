"""Requests move as the documents say, hold their seats, and only one booking gets hold of a request."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from airworthy.sandbox.inventory import Inventory, Passengers
from airworthy.sandbox.states import BookingRequest, BoundedTable, InvalidTransition, SeatHold, SeatHolds
from airworthy.sandbox.v3.timetable import Timetable

NOW = datetime(2027, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(minutes=5)


@pytest.fixture
def request_() -> BookingRequest:
    flight = Timetable(Inventory(0, digits=False)).between("HEL", "ARN", date(2027, 2, 1), date(2027, 2, 1))[0]
    return BookingRequest(1, "v3", "first", flight, Passengers(1, 0, 0), 5000, 500, "FIRST-OTA", NOW, LATER)


def test_a_pending_request_expires_by_time_alone(request_: BookingRequest) -> None:
    assert request_.status(NOW) == request_.status(LATER - timedelta(seconds=1)) == "pending"
    assert request_.status(LATER) == "expired"


def test_a_request_that_is_being_paid_does_not_expire(request_: BookingRequest) -> None:
    assert request_.claim(NOW).status(LATER) == "pending"
    assert request_.claim(NOW).release().status(LATER) == "expired"


@pytest.mark.parametrize(
    ("moved", "status"),
    [
        (lambda request: request.cancel(NOW), "cancelled"),
        (lambda request: request.claim(NOW).abort(), "aborted"),
        (lambda request: request.claim(NOW).book(), "booked"),
        (lambda request: replace(request, expires=NOW), "expired"),
        (lambda request: request.claim(NOW), "booked"),
    ],
)
def test_only_a_pending_request_is_claimed_or_cancelled(
    request_: BookingRequest, moved: Callable[[BookingRequest], BookingRequest], status: str
) -> None:
    settled = moved(request_)
    for move in (settled.claim, settled.cancel):
        with pytest.raises(InvalidTransition, match=status):
            move(NOW)


def test_of_ten_claims_at_once_one_wins(request_: BookingRequest) -> None:
    requests: BoundedTable[BookingRequest] = BoundedTable()
    requests.put(1, request_)
    together = threading.Barrier(10)
    won = []

    def book() -> None:
        together.wait()
        try:
            won.append(requests.change(1, lambda found: found.claim(NOW)))
        except InvalidTransition:
            return

    threads = [threading.Thread(target=book) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(won) == 1


def test_seats_are_held_booked_and_freed(request_: BookingRequest) -> None:
    seats, flight = SeatHolds(), request_.flight
    capacity = flight.itinerary.seats

    assert seats.hold(flight, 1, SeatHold(capacity - 1, LATER), NOW)
    assert not seats.hold(flight, 2, SeatHold(2, LATER), NOW)
    assert seats.left(flight, NOW) == 1
    assert seats.left(flight, LATER) == capacity

    seats.settle(request_, booked=True)
    assert seats.left(flight, LATER) == 1
    seats.settle(request_, booked=False)
    assert seats.left(flight, NOW) == capacity
    seats.settle(request_, booked=True)
    assert seats.left(flight, NOW) == capacity


def test_of_many_holds_at_once_no_seat_is_given_twice(request_: BookingRequest) -> None:
    seats, flight = SeatHolds(), request_.flight
    held: list[bool] = []

    def hold(first: int) -> None:
        held.extend(seats.hold(flight, number, SeatHold(1, LATER), NOW) for number in range(first, first + 30))

    threads = [threading.Thread(target=hold, args=(30 * number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(held) == flight.itinerary.seats
    assert seats.left(flight, NOW) == 0
