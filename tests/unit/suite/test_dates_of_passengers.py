"""Dates of passengers: the same day in every format that the documents leave open (OPEN-10)."""

import pytest

from conformance.v3.dates_of_passengers import are_of_different_days


@pytest.mark.parametrize(
    "returned",
    ["1991-11-02", "02.11.1991", "02/11/1991", "11/02/1991", "1991-11-02T00:00:00", "1991-11-01T23:00:00Z", None, "?"],
)
def test_same_day_in_another_format(returned: str | None) -> None:
    assert not are_of_different_days("1991-11-02", returned)


@pytest.mark.parametrize("returned", ["1991-11-03", "03.11.1991", "1991-11-03T00:00:00", "1990-11-02"])
def test_another_day(returned: str) -> None:
    assert are_of_different_days("1991-11-02", returned)
