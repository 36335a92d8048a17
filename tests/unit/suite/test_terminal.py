"""The summary of a run in a terminal: its width, its length, and hostile text."""

from dataclasses import replace
from datetime import date

import pytest

from airworthy.report import RuleResult, ScenarioResult, Waiver, decide
from airworthy.report.results import Results
from airworthy.suite.terminal import finding_lines, summary_lines
from unit.report.hostile import ATTACK, INVISIBLE
from unit.report.sample import rule, sample


def untested(number: int) -> RuleResult:
    reason = f"an offer stored more than {number} minutes ago: takes {number} min 45 s; --max-wait is 0 s"
    return rule(
        f"V4-A-RULE-WITH-A-LONG-NAME-{number}", "untested", ScenarioResult("It", "untested", reason), reason=reason
    )


def with_rules(*rules: RuleResult, waivers: tuple[Waiver, ...] = ()) -> Results:
    return replace(sample(), rules=rules, waivers=waivers)


def lines_of(results: Results) -> list[str]:
    return summary_lines(results, decide(results), "report.html")


@pytest.mark.parametrize("width", [80, 110])
def test_summary_fits_into_the_terminal_and_breaks_no_name(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    rules = tuple(untested(number) for number in range(10, 20))

    lines = lines_of(with_rules(*rules))

    assert max(map(len, lines)) <= width
    words = " ".join(lines).split()
    assert words.count("--max-wait") == len(rules)
    assert {f"({each.id})" for each in rules} <= set(words)


def test_summary_names_some_of_many_waivers() -> None:
    rules = tuple(untested(number) for number in range(10, 50))
    waivers = tuple(Waiver(each.id, "Support", "Agreed", date(2027, 1, 31)) for each in rules)

    waived = [line for line in lines_of(with_rules(*rules, waivers=waivers)) if line.startswith("  waived")]

    assert len(waived) == 13
    assert waived[-1] == "  waived    and 28 more rules, see the report"


def test_hostile_text_changes_no_line_of_the_terminal() -> None:
    hostile = sample(ATTACK)
    lines = [*lines_of(hostile), *(line for each in hostile.findings for line in finding_lines(each))]

    assert not INVISIBLE & set("".join(lines))
    assert not any("\n" in line or "\r" in line for line in lines)
