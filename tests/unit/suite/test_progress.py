"""The lines of a long run."""

from collections.abc import Sequence

import pytest

from airworthy.report.results import ScenarioResult
from airworthy.suite.aggregate import CollectedResults
from airworthy.suite.capture import Record
from airworthy.suite.progress import Progress
from airworthy.suite.selection import Selected

SCENARIOS = 1_200


def _shown(seconds_for_each: float, ended: int, wait: float = 0.0, exchanges: int = 10) -> Sequence[str]:
    """Return the lines while so many scenarios end, each after the same time with the same number of exchanges."""
    collected = CollectedResults({str(each): Selected(str(each), (), "") for each in range(SCENARIOS)})
    collected.selected["deselected"] = Selected("deselected", (), "", "deselected")
    lines: list[str] = []
    now = 0.0
    progress = Progress(collected, SCENARIOS * 10, wait, lines.append, lambda: now)
    for test in map(str, range(ended)):
        result = ScenarioResult("It", "passed", exchanges=tuple(f"x{number}" for number in range(exchanges)))
        collected.records[test] = Record(test, (), result)
        progress.note(collected.records[test])
        now += seconds_for_each
    return lines


@pytest.mark.parametrize(
    ("seconds", "ended", "expected"),
    [
        (1, 10, []),
        (5, 3, []),
        (1, 11, ["11 of 1,200 scenarios done, about 20 min left"]),
        (1, 71, ["11 of 1,200 scenarios done, about 20 min left", "71 of 1,200 scenarios done, about 19 min left"]),
        (0.05, SCENARIOS, []),
    ],
    ids=["less than 10 seconds", "less than 30 exchanges", "estimate", "a minute later", "short run"],
)
def test_long_run_shows_its_progress(seconds: float, ended: int, expected: list[str]) -> None:
    assert _shown(seconds, ended) == expected


def test_last_minute_of_a_run_has_no_line() -> None:
    assert _shown(0.5, SCENARIOS)[-1] == "981 of 1,200 scenarios done, about 2 min left"


def test_wait_for_the_oldest_item_counts() -> None:
    assert _shown(0.05, 201, wait=1854) == ["201 of 1,200 scenarios done, about 31 min left"]


def test_scenarios_without_exchanges_show_no_estimate() -> None:
    assert _shown(1, SCENARIOS, exchanges=0) == []
