"""Behaviour that a service may choose has no finding, and similar violations still have one."""

import pytest

from airworthy.contract import Exchange
from unit.contract.examples import Change, put
from unit.contract.judging import on_response
from unit.contract.v3 import v3_examples as trips

CHANGE = "bookings[0].flight_changes[0].data"
HELD = "requests[0]"
BOOKED = "bookings[0]"
FOUND = "results[0]"
RECORD = "bookings[0].passengers[0]"


def flights_exchange(operation: str, *changes: Change, **more: object) -> Exchange:
    return trips.exchange(operation, returned=(*changes,), **more)  # type: ignore[arg-type]


def two_legs(*order: int, **more: str) -> Exchange:
    first = trips.segment(destination=trips.place("VLC"), arrival_date="2026-12-02 10:40:00")
    second = trips.segment(origin=trips.place("VLC"), departure_date="2026-12-02 11:00:00")
    legs = [(first, second)[each] for each in order]
    return flights_exchange(
        "searchFlights",
        *[put(f"{FOUND}.{name}", value) for name, value in more.items()],
        put(f"{FOUND}.segments", legs),
    )


def test_segments_may_be_in_another_order() -> None:
    assert on_response(two_legs(0, 1)) == on_response(two_legs(1, 0)) == []
    assert {rule for rule, _, soft in on_response(two_legs(0, 0)) if not soft} == {"V23-FLIGHT-ITINERARY"}


@pytest.mark.parametrize(
    ("time", "soft"), [("2026-12-02 09:00:00", True), ("2026-12-02 10:07:00", False), ("2026-12-05 10:00:00", False)]
)
def test_flight_times_may_be_in_another_zone(time: str, soft: bool) -> None:
    made = two_legs(0, 1, departure_date=time)
    places = [each for each in on_response(made) if each[0] == "V23-FLIGHT-ITINERARY"]
    assert places == [("V23-FLIGHT-ITINERARY", "/results/0/departure_date", soft)]


def test_airline_name_and_code_may_be_in_different_objects() -> None:
    old = {"segment_1_airline_name": "Iberia"}
    for new, findings in (
        ({"segment_1_airline_iata_code": "IB"}, []),
        ({"segment_2_airline_iata_code": "UX"}, [False]),
    ):
        sides = [put(f"{CHANGE}.oldFlight", old), put(f"{CHANGE}.newFlight", new | {"segment_1_departure_date": None})]
        assert [soft for _, _, soft in on_response(flights_exchange("getBookings", *sides))] == findings


def test_booking_price_differs_from_its_booking_request() -> None:
    held = flights_exchange("createRequests", put(f"{HELD}.passengers.adults", 2))
    for price, findings in (
        (80.5, []),
        (161, []),
        (40.25, []),
        (82.92, []),
        (99, [("V23-BOOKINGS-AS-REQUESTED", "/bookings/0/price", True)]),
    ):
        made = on_response(held, flights_exchange("createBookings", put(f"{BOOKED}.price", price)))
        assert made == findings


def test_search_returns_the_opposite_direction() -> None:
    back = [put(f"{FOUND}.{one}", trips.place(code)) for one, code in (("origin", "PMI"), ("destination", "MAD"))]
    back += [
        put(f"{FOUND}.segments[0].{one}", trips.place(code))
        for one, code in (("origin", "PMI"), ("destination", "MAD"))
    ]
    route = [each for each in on_response(flights_exchange("searchFlights", *back)) if each[0] == "V23-FLIGHTS-ROUTE"]
    assert [soft for _, _, soft in route] == [False, False]
    near = [put(f"{FOUND}.{place}origin", trips.place("TOJ")) for place in ("", "segments[0].")]
    assert [soft for _, _, soft in on_response(flights_exchange("searchFlights", *near))] == [True]
