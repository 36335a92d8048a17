"""The lines before the first scenario, and those of a long run."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from airworthy.report.results import ScenarioResult
from airworthy.suite import ages
from airworthy.suite.aggregate import CollectedResults
from airworthy.suite.announcement import Progress, announcement
from airworthy.suite.capture import Record
from airworthy.suite.selection import Selected
from airworthy.target.profile import Organisation, Profile

PROFILE = Profile(source="", base_url="https://x.example", organisation=Organisation(), versions=("v3", "v4"))
SELECTED = [
    Selected(str(number), ("V4-ALPHA",), "", "selected" if number < 10 else "deselected") for number in range(100)
]


def _lines(
    profile: Profile,
    selected: list[Selected],
    steps: tuple[str, ...] = ages.steps_of(("v3", "v4")),
    processes: int = 0,
    **options: object,
) -> dict[str, str]:
    """Return the announced values by their names."""
    defaults = {"target": "https://x.example", "profile": None, "allow_live_bookings": False, "max_wait": None}
    defaults |= dict.fromkeys(("explore", "conversations", "seed", "max_bookings", "until_found"))
    shown = announcement(profile, selected, steps, Namespace(**defaults | options), processes)
    return {name: text.strip() for name, _, text in (line.partition(" ") for line in shown)}


def test_announcement_names_target_versions_scenarios_bookings_and_wait() -> None:
    of_both = {"target": "https://x.example (test environment)", "versions": "v3, v4", "scenarios": "10"}
    assert _lines(PROFILE, SELECTED, ages.steps_of(("v4",))) == of_both | {
        "bookings": "up to 26",
        "waiting": "about 31 min; --max-wait 0 skips what has to age",
    }
    assert _lines(PROFILE, SELECTED, target=None) == of_both | {"target": "embedded sandbox"}
    assert _lines(PROFILE, SELECTED, ())["waiting"] == "none"


def test_without_the_selected_scenarios_the_announcement_is_that_of_a_full_run() -> None:
    lines = _lines(PROFILE, [], processes=4)
    assert "scenarios" not in lines
    assert lines["processes"] == "4, to run as many scenarios at a time; -n 0 uses one"
    # Some resources are created once for each process.
    assert (lines["bookings"], _lines(PROFILE, [])["bookings"]) == ("up to 332", "up to 255")


def test_announcement_of_an_exploration_says_how_much_it_books() -> None:
    explorations = [Selected("test", (), "exploration of v4")]
    assert _lines(PROFILE, explorations, explore="5m") == {
        "target": "https://x.example (test environment)",
        "versions": "v3, v4",
        "exploring": "5m, with up to 200 bookings",
    }
    lines = _lines(PROFILE, SELECTED, conversations=20, max_bookings=7)
    assert lines["exploring"] == "20 conversations for each interface, with up to 7 bookings"
    assert lines["bookings"] == "up to 26"


@pytest.mark.parametrize(
    ("profile", "max_wait", "text"),
    [
        (PROFILE, 0, "none: --max-wait 0 skips what has to age"),
        (PROFILE, 600, "about 6 min; --max-wait 600 skips what takes longer"),
        (PROFILE, 9000, "about 2 h 3 min; --max-wait 0 skips what has to age"),
        (
            replace(PROFILE, advance_url="https://x.example/clock"),
            None,
            "none: the suite moves the clock of the target",
        ),
    ],
)
def test_expected_wait(profile: Profile, max_wait: float | None, text: str) -> None:
    assert _lines(profile, [], max_wait=max_wait)["waiting"] == text


@pytest.mark.parametrize(
    ("base_url", "warning"),
    [
        ("https://127.0.0.1:8443", ""),
        ("https://[::1]/api", ""),
        ("https://localhost", ""),
        ("https://flights.staging.acme.com", ""),
        ("https://api-test2.acme.com", ""),
        ("https://acme.com/sandbox", ""),
        ("https://flights.acme.test", ""),
        ("https://QA.acme.com", ""),
        ("https://api.acme.com", "api.acme.com"),
        ("https://latest.acme.com", "latest.acme.com"),
        ("https://10.0.0.7", "10.0.0.7"),
        ("https://contest.com", "contest.com"),
        ("https://acme.com/v", "acme.com"),
    ],
)
def test_announcement_warns_of_a_host_that_does_not_look_like_a_test_system(base_url: str, warning: str) -> None:
    line = _lines(replace(PROFILE, base_url=base_url), [])["bookings"]
    assert line == "up to 255" + (f"; {warning} does not look like a test system" if warning else "")


def test_no_bookings_in_production_unless_allowed() -> None:
    profile = replace(PROFILE, environment="production")
    assert _lines(profile, [])["bookings"].startswith("none: this is a production environment")
    assert _lines(profile, [], allow_live_bookings=True)["bookings"] == "up to 255"


SCENARIOS = 1_200
LAST = [(861, 3), (981, 2)]


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
    ("seconds", "ended", "options", "expected"),
    [
        (1, 10, {}, []),
        (5, 3, {}, []),
        (1, 11, {}, ["11 of 1,200 scenarios done, about 20 min left"]),
        (1, 71, {}, ["11 of 1,200 scenarios done, about 20 min left", "71 of 1,200 scenarios done, about 19 min left"]),
        (0.05, SCENARIOS, {}, []),
        (0.5, SCENARIOS, {}, [f"{done} of 1,200 scenarios done, about {left} min left" for done, left in LAST]),
        (0.05, 201, {"wait": 1854}, ["201 of 1,200 scenarios done, about 31 min left"]),
        (1, SCENARIOS, {"exchanges": 0}, []),
    ],
    ids=[
        "less than 10 seconds",
        "less than 30 exchanges",
        "estimate",
        "a minute later",
        "short run",
        "no line in the last minute",
        "wait for the oldest item",
        "scenarios without exchanges",
    ],
)
def test_long_run_shows_its_progress(seconds: float, ended: int, options: dict[str, Any], expected: list[str]) -> None:
    assert _shown(seconds, ended, **options)[-2:] == expected
