"""Ids, places and prices of v3 and v2 flights."""

from datetime import date, timedelta

import pytest

from airworthy.sandbox.model.inventory import Inventory
from airworthy.sandbox.resources.v3.timetable import Timetable

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
