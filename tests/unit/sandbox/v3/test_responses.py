"""Dates and durations in responses of v3 and v2."""

from datetime import date, datetime, timedelta

import pytest

from airworthy.sandbox.model.dates import FORMS, read_day, written
from airworthy.sandbox.resources.v3.itineraries import duration

DAY = date(1990, 7, 4)


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


def test_duration_across_time_zones_and_days() -> None:
    noon = datetime(2027, 2, 1, 12)  # noqa: DTZ001 - times of flights are local

    assert duration(noon, noon + timedelta(hours=2), "LHR", "MAD") == "01:00"
    assert duration(noon, noon + timedelta(hours=2), "MAD", "LHR") == "03:00"
    assert duration(noon, noon + timedelta(hours=30), "MAD", "PMI") == "30:00"
