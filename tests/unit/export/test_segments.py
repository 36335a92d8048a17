"""A flight agrees with its segments, and its times with its duration."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

from airworthy.export.segments import FROM, TO, ordinals, segment_facts

from .sample import EXPORT, RIGHT_FLIGHT, checked, flight, flights, only

AIRPORTS = ("MAD", "BCN", "PMI", "IBZ")
TYPES = {column.name: column.type.name for column in EXPORT.formats["flights"].columns}
OTHERS = {"airport": "LHR", "carrier": "W6", "flightNumber": "77", "time": "23:11", "text": "Q"}
Row = dict[str, str]


def itinerary(number: int) -> Row:
    """Return a flight with this number of segments that differ in every fact."""
    row = RIGHT_FLIGHT | {"arrivalAirport": AIRPORTS[number], "stops": str(number - 1)}
    for index, name in enumerate(ordinals()[:number]):
        facts = (AIRPORTS[index], AIRPORTS[index + 1], ("U2", "VY", "IB")[index], str(3166 + index))
        times = (f"{13 + 3 * index}:05", f"{14 + 3 * index}:50")
        cells = (*facts, *facts[2:], *times, "Y", "Y")
        row |= {f"segment{name}{fact.segment}": cell for fact, cell in zip(segment_facts(), cells, strict=True)}
    return row


def mutants(row: Row) -> Iterator[tuple[str, str, Row]]:
    """Yield the column, the change and the row of each change of a fact that a flight and its segments show."""
    used = ordinals()[: int(row["stops"]) + 1]
    for fact in segment_facts():
        columns = [f"segment{name}{fact.segment}" for name in used]
        for column in filter(None, (fact.flight, *columns)):
            yield column, "another", row | {column: OTHERS[TYPES[column]]}
            yield column, "empty", row | {column: ""}
            if TYPES[column] == "time":
                yield column, "twelve-hour", row | {column: f"{int(row[column][:2]) - 12:02}{row[column][2:]}"}
        for one, other in pairwise(columns):
            if row[one] != row[other]:
                yield one, "exchanged", row | {one: row[other], other: row[one]}


def outcome(row: Row, *, by_segments: bool = True) -> str:
    findings = checked(flights(";".join(row.values()))).findings
    counted = {each.soft for each in findings if by_segments or each.rule != "EXPORT-SEGMENTS"}
    return "firm" if False in counted else "soft" if counted else "not noticed"


def outcomes(*, by_segments: bool) -> Counter[str]:
    every = (mutant for number in (1, 2, 3) for _, _, mutant in mutants(itinerary(number)))
    return Counter(outcome(mutant, by_segments=by_segments) for mutant in every)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_flight_and_its_segments_agree(number: int) -> None:
    row = itinerary(number)
    first = {name: row[f"segmentFirst{name.removeprefix('segmentThird')}"] for name in row if "segmentThird" in name}

    assert outcome(row) == "not noticed"
    assert number == 3 or outcome(row | first) == "not noticed"


@pytest.mark.parametrize("number", [1, 2, 3])
def test_wrong_airport_is_noticed(number: int) -> None:
    for column, change, mutant in mutants(itinerary(number)):
        is_filled = change in ("another", "exchanged")
        if TYPES[column] == "airport" and is_filled:
            found = outcome(mutant)
            # A segment that ends where it begins may be unused.
            is_flown = not any(
                mutant[f"segment{name}{FROM}"] == mutant[f"segment{name}{TO}"] != "" for name in ordinals()
            )
            assert found != "not noticed" or not is_flown, column
            assert found == "firm" or column not in ("departureAirport", "segmentFirstDepartureAirport"), column


def test_arrival_at_a_stop_over_is_a_violation() -> None:
    finding = only(checked(flights(";".join((itinerary(3) | {"arrivalAirport": "BCN"}).values()))))

    assert (finding.rule, finding.column, finding.value, finding.soft) == (
        "EXPORT-SEGMENTS",
        "arrivalAirport",
        "BCN",
        False,
    )


def test_empty_segment_may_be_left_out() -> None:
    second = {name: "" for name in RIGHT_FLIGHT if name.startswith("segmentSecond")}

    assert outcome(itinerary(2) | second) == "soft"


def test_number_of_changes_that_are_noticed() -> None:
    assert outcomes(by_segments=False) == {"firm": 6, "soft": 18, "not noticed": 174}
    assert outcomes(by_segments=True) == {"firm": 26, "soft": 60, "not noticed": 112}


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
