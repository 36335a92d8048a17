"""The states of a booking request, its seats, and simultaneous bookings."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial

import pytest

from airworthy.sandbox.model.inventory import Inventory, Passengers
from airworthy.sandbox.model.seats import SeatHolds
from airworthy.sandbox.resources.v3.states import BookingRequest
from airworthy.sandbox.resources.v3.timetable import Timetable
from airworthy.target.client import run_concurrently

NOW = datetime(2027, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(minutes=5)


@pytest.fixture
def booking_request() -> BookingRequest:
    flight = Timetable(Inventory(0, digits=False)).between("HEL", "ARN", date(2027, 2, 1), date(2027, 2, 1))[0]
    return BookingRequest(1, "v3", "first", flight, Passengers(1, 0, 0), 5000, 500, "FIRST-OTA", NOW, LATER)


@pytest.mark.parametrize(("end", "is_kept"), [("book", True), ("abort", False), ("release", None)])
def test_seats_follow_the_booking_request(booking_request: BookingRequest, end: str, is_kept: bool | None) -> None:
    seats, flight = SeatHolds(), booking_request.flight
    capacity = flight.itinerary.seats
    seats.hold(booking_request, NOW)
    seats.settle(getattr(booking_request.claim(NOW), end)())

    assert seats.left(flight.itinerary, NOW) == (capacity if is_kept is False else capacity - 1)
    assert seats.left(flight.itinerary, LATER) == (capacity - 1 if is_kept else capacity)


def test_simultaneous_holds_never_exceed_the_seats_of_a_flight(booking_request: BookingRequest) -> None:
    seats, flight = SeatHolds(), booking_request.flight

    def hold(first: int) -> int:
        return sum(seats.hold(replace(booking_request, id=number), NOW) for number in range(first, first + 30))

    held = run_concurrently([partial(hold, 30 * number) for number in range(8)])
    assert sum(held) == flight.itinerary.seats
    assert seats.left(flight.itinerary, NOW) == 0
