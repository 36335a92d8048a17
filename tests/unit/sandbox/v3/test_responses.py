"""Responses of v3 and v2 in the forms of a dialect: dates, durations, bags, schedule changes."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest

from airworthy.sandbox.dialects.choices import Choices
from airworthy.sandbox.model.dates import FORMS, age, read_day, written
from airworthy.sandbox.model.inventory import Inventory
from airworthy.sandbox.resources.v3.itineraries import changed_keys, duration, moved, sibling
from airworthy.sandbox.resources.v3.responses import V3Resources
from airworthy.sandbox.resources.v3.timetable import Flight, Timetable
from airworthy.sandbox.v3.booking_requests import matches

DAY = date(1990, 7, 4)


def flight(origin: str = "STN", destination: str = "LIN") -> Flight:
    return Timetable(Inventory(0, digits=False)).between(origin, destination, date(2027, 2, 1), date(2027, 2, 1))[0]


def choosing(**choices: Any) -> Choices:  # noqa: ANN401
    return Choices.of(choices)


@pytest.mark.parametrize("form", list(FORMS))
def test_date_is_read_in_each_format(form: str) -> None:
    text = written("1990-07-04", form)

    assert text is not None
    assert read_day(text, form) == read_day(text) == DAY
    assert [other for other in FORMS if read_day(text, other)] == [form]


@pytest.mark.parametrize(
    "text", ["", "1990-02-30", "30.02.1990", "4 July 1990", "1990-07-04\n", "0000-01-01", "\u0664.\u0667.1990"]
)
def test_invalid_date_is_returned_unchanged(text: str) -> None:
    assert read_day(text) is None
    assert written(text, "DD.MM.YYYY") == text


def test_age_on_and_before_a_birthday() -> None:
    assert [age(DAY, day) for day in (date(1992, 7, 3), date(1992, 7, 4), date(2002, 7, 4))] == [1, 2, 12]


def test_duration_across_time_zones_and_days() -> None:
    noon = datetime(2027, 2, 1, 12)  # noqa: DTZ001 - times of flights are local

    assert duration(noon, noon + timedelta(hours=2), "LHR", "MAD") == "01:00"
    assert duration(noon, noon + timedelta(hours=2), "MAD", "LHR") == "03:00"
    assert duration(noon, noon + timedelta(hours=30), "MAD", "PMI") == "30:00"


@pytest.mark.parametrize(
    ("choice", "keys"),
    [
        ("with the origin", {"origin_airport", "origin_timezone", "destination_timezone"}),
        ("with the destination", {"destination_airport", "destination_timezone"}),
        (
            "with either",
            {"origin_airport", "origin_timezone", "destination_airport", "destination_timezone"},
        ),
    ],
)
def test_schedule_change_lists_the_changed_keys(choice: str, keys: set[str]) -> None:
    before = flight()
    choices = choosing(destination_timezone=choice)
    after = moved(before, choices.v3)
    old, new = changed_keys(before, after, choices.v3)
    last = len(before.itinerary.sections)
    shown = {name.split("_", 2)[2] for name in new if name.startswith(("segment_1_", f"segment_{last}_"))}

    assert old.keys() == new.keys()
    assert shown == keys | {"departure_date", "arrival_date", "flight_number"}
    assert all(old[name] != new[name] for name in old if not name.endswith("timezone"))
    assert after.id == before.id
    assert moved(before, choosing(final_flight_id="another").v3).id != before.id


def test_other_airport_of_a_city() -> None:
    assert sibling("LHR") in {"LGW", "STN"}
    assert sibling("MAD") == "MAD"


@pytest.mark.parametrize(
    ("sent", "fitting"),
    [
        ({}, True),
        ({"weight": 10, "dimensions": {"width": 40, "height": 55, "length": 20}}, True),
        ({"weight": 10.0, "dimensions": {}, "price": 1, "quantity": 7}, True),
        ({"weight": 11}, False),
        ({"dimensions": {"width": 39}}, False),
    ],
)
def test_sent_bag_matches_a_listed_option(sent: dict[str, Any], fitting: bool) -> None:
    assert matches(V3Resources(Choices()).options(flight(), "cabin")[0], sent) is fitting


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({}, {"checked": 15, "cabin": 10, "quantity": 2}),
        ({"bag_units": "imperial"}, {"checked": 33.1, "cabin": 22.0, "quantity": 2}),
        ({"bag_quantity": "zero"}, {"checked": 15, "cabin": 10, "quantity": 0}),
        ({"cabin_bag_weight": "not listed"}, {"checked": 15, "cabin": None, "quantity": 2}),
    ],
)
def test_bag_options_of_a_dialect(choices: dict[str, Any], expected: dict[str, Any]) -> None:
    resources = V3Resources(choosing(**choices))
    checked, cabin = (resources.options(flight(), kind)[0] for kind in ("checked", "cabin"))

    assert {"checked": checked["weight"], "cabin": cabin["weight"], "quantity": checked["quantity"]} == expected
