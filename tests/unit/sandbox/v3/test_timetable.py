"""Ids, places and prices of v3 and v2 flights."""

from datetime import date, timedelta

import pytest

from airworthy.sandbox.model.geography import AIRPORTS
from airworthy.sandbox.model.inventory import Inventory
from airworthy.sandbox.model.situations import SITUATIONS
from airworthy.sandbox.resources.v3.timetable import Timetable, infant_price, is_fare, round_trip_price

DAY = date(2027, 3, 14)


@pytest.fixture
def timetable() -> Timetable:
    return Timetable(Inventory(7, digits=False))


@pytest.mark.parametrize("route", [("MAD", "PMI"), ("BUD", "MAD"), ("BIO", "HEL"), ("LHR", "DUB")])
def test_flight_is_found_by_its_id(timetable: Timetable, route: tuple[str, str]) -> None:
    flights = timetable.between(*route, DAY, DAY + timedelta(days=3))

    assert len({flight.id for flight in flights}) == len(flights)
    assert all(timetable.find(flight.id) == flight for flight in flights)
    assert {flight.departure.date() for flight in flights} == {DAY + timedelta(days=ahead) for ahead in range(4)}


@pytest.mark.parametrize("number", [0, 1, -1, 4711, 815_001, 999_999_999, 2**40, 2**63, 10**300, -(2**40)])
def test_unknown_id_has_no_flight(timetable: Timetable, number: int) -> None:
    assert timetable.find(number) is None


def test_window_that_ends_before_it_begins_has_no_flights(timetable: Timetable) -> None:
    assert timetable.between("MAD", "PMI", DAY, DAY - timedelta(days=1)) == []


def test_every_airport_has_a_location() -> None:
    assert all("/" in place.timezone for place in AIRPORTS.values())


@pytest.mark.parametrize(
    ("name", "fares"), [("flights_round_trip_fares", True), ("flights_no_fares", False), ("flights_regular", False)]
)
def test_round_trip_fares_are_sold_on_some_routes(timetable: Timetable, name: str, fares: bool) -> None:
    special = SITUATIONS[name]
    out = timetable.between(special.origin, special.destination, DAY, DAY)[0]
    back = timetable.between(special.destination, special.origin, DAY + timedelta(days=5), DAY + timedelta(days=5))[0]

    assert is_fare(out, back) is fares
    assert not is_fare(back, out)
    assert not is_fare(out, out)


def test_prices_follow_the_base_fare(timetable: Timetable) -> None:
    regular = timetable.between("MAD", "PMI", DAY, DAY)[0]
    without_infants = timetable.between("MAD", "IBZ", DAY, DAY)[0]

    assert regular.infant_price == infant_price(regular.price) == round(regular.price / 10)
    assert without_infants.infant_price is None
    assert round_trip_price(10_000) == 8_500
    assert (regular.card_fee, timetable.between("LIS", "MAD", DAY, DAY)[0].card_fee) == (0.03, 0)
