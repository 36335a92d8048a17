"""The times of a flight and its duration fit the zones that other flights of the route show."""

import pytest

from .sample import checked, flight, flights

MESSAGE = "times and duration of a flight disagree"


def to_athens(departs: str, arrives: str, lasts: str = "03:30") -> str:
    """Return a flight from Madrid, where it is an hour earlier."""
    times = {"segmentFirstDepartureTime": departs, "segmentFirstArrivalTime": arrives, "journeyDuration": lasts}
    return flight(arrivalAirport="ATH", segmentFirstArrivalAirport="ATH", **times)


def from_athens(departs: str, arrives: str, lasts: str = "03:50") -> str:
    ends = {"departureAirport": "ATH", "segmentFirstDepartureAirport": "ATH"}
    ends |= {"arrivalAirport": "MAD", "segmentFirstArrivalAirport": "MAD"}
    times = {"segmentFirstDepartureTime": departs, "segmentFirstArrivalTime": arrives, "journeyDuration": lasts}
    return flight(**ends, **times)


def disagreeing_lines(*rows: str) -> list[int]:
    findings = checked(flights(*rows)).findings
    assert all(each.soft for each in findings)
    return [each.line for each in findings if each.message == MESSAGE]


@pytest.mark.parametrize(
    "row",
    [
        to_athens("22:10", "02:40"),
        to_athens("00:05", "04:35"),
        to_athens("10:00", "14:30", "PT3H30M"),
        to_athens("10:00", "13:30"),
        to_athens("10:00", "20:00", "210"),
        to_athens("10:00", "20:00", "P1D"),
        to_athens("", "14:30"),
        from_athens("10:00", "12:50"),
        from_athens("00:55", "03:45"),
    ],
)
def test_duration_fits(row: str) -> None:
    assert disagreeing_lines(to_athens("10:00", "14:30"), row) == []


@pytest.mark.parametrize(
    ("departs", "arrives"), [("14:30", "10:00"), ("10:00", "02:30"), ("10:00", "18:00"), ("04:00", "14:30")]
)
def test_duration_does_not_fit(departs: str, arrives: str) -> None:
    assert disagreeing_lines(to_athens("10:00", "14:30"), to_athens(departs, arrives)) == [3]


def test_times_that_are_exchanged_in_every_row_contradict_the_way_back() -> None:
    assert disagreeing_lines(to_athens("14:30", "10:00"), from_athens("12:50", "10:00")) == [3]
