"""The summary of a run in a terminal: its width, its length, and hostile text."""

from dataclasses import replace
from datetime import date
from types import SimpleNamespace
from typing import cast

import pytest

from airworthy.report.overview import overview
from airworthy.report.results import Results, RuleResult, ScenarioResult
from airworthy.suite.terminal import fix_next_lines, progress, summary_lines
from airworthy.target.records import Waiver
from unit.report.hostile import ATTACK, INVISIBLE
from unit.report.sample import rule, sample


def untested(number: int) -> RuleResult:
    reason = f"the profile names no route for this situation, so nothing was sent: [routes.with_a_long_name_{number}]"
    return rule(
        f"V4-A-RULE-WITH-A-LONG-NAME-{number}", "untested", ScenarioResult("It", "untested", reason), reason=reason
    )


def with_rules(*rules: RuleResult, waivers: tuple[Waiver, ...] = ()) -> Results:
    return replace(sample(), rules=rules, waivers=waivers)


def lines_of(results: Results) -> list[str]:
    return [*fix_next_lines(results, overview(results), {}), *summary_lines(results, overview(results), "report.html")]


@pytest.mark.parametrize("width", [80, 110])
def test_summary_fits_into_the_terminal_and_breaks_no_name(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    rules = tuple(untested(number) for number in range(10, 20))

    lines = lines_of(with_rules(*rules))

    assert max(map(len, lines)) <= width
    assert " ".join(lines).split().count("[routes.with_a_long_name_19]") == 1


def test_summary_names_some_of_many_waivers() -> None:
    rules = tuple(untested(number) for number in range(10, 50))
    waivers = tuple(Waiver(each.id, "Support", "Agreed", date(2027, 1, 31)) for each in rules)

    waived = [line for line in lines_of(with_rules(*rules, waivers=waivers)) if line.startswith("  waived")]

    assert len(waived) == 6
    assert waived[-1] == "  waived    and 35 more, see the report"


def test_warnings_and_a_self_test_are_named() -> None:
    warned = rule("V4-A", "warning", reason="a deprecated name")
    lines = lines_of(with_rules(warned, rule("V4-B", "warning", reason="a path")))
    shown = [
        "  warning   V4-A: a deprecated name",
        "  warning   V4-B: a path",
        "            airworthy rules V4-A explains why it only warns",
    ]
    assert lines[lines.index(shown[0]) :][: len(shown)] == shown

    lines = lines_of(replace(sample(), target="embedded sandbox"))
    assert lines[lines.index("NOT CERTIFIED") + 1].startswith("  self-test The run tested the sandbox")


def test_a_gap_in_the_profile_is_named_once() -> None:
    reason = "the profile has no content export: [export] location"
    scenario = ScenarioResult("It", "not_applicable", reason)
    rules = [rule(f"EXPORT-{name}", "not_applicable", scenario, reason=reason) for name in "AB"]

    excluded = rule("V4-A", "not_applicable", reason="no interface shows it")

    lines = lines_of(with_rules(*rules, excluded))
    assert [each for each in lines if "left out" in each] == [f"  left out  2 rules: {reason}"]


def test_areas_with_something_left_to_do_are_counted_and_the_others_are_named() -> None:
    done, gone = rule("V4-A", "passed", area="Get Fares"), rule("V4-B", "not_applicable", area="Get Order")
    rules = (done, gone, rule("V4-C", "passed"), rule("V4-D", "failed"), rule("V4-E", "untested"))

    lines = lines_of(with_rules(*rules))

    assert "  v4 Search Offers             1/1/1" in lines
    assert "  complete  v4 Get Fares" in lines


def test_progress_on_a_terminal_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    reporter = SimpleNamespace(isatty=True, rewrite=lambda line, *, erase: lines.append(line) if erase else None)
    plugins = {"terminalreporter": reporter}
    show = progress(cast("pytest.Config", SimpleNamespace(pluginmanager=SimpleNamespace(getplugin=plugins.get))))
    monkeypatch.setenv("COLUMNS", "40")

    show("waiting 30 min for an offer that is older than its lifetime (2 h 5 min in total)")

    assert [len(each) for each in lines] == [39]


def test_hostile_text_changes_no_line_of_the_terminal() -> None:
    hostile = sample(ATTACK)
    lines = lines_of(hostile)

    assert not INVISIBLE & set("".join(lines))
    assert not any("\n" in line or "\r" in line for line in lines)
