"""What a run, and one that was judged again, shows in the terminal and as JSON."""

from dataclasses import replace
from pathlib import Path

from airworthy.cli.certification import Certification
from airworthy.cli.rejudging import change_lines
from airworthy.report.results import VerdictChange
from unit.report.sample import sample

NEW = "the scenario did not exist when the run was made; make a new run"


def test_changes_with_the_same_reason_are_one_line_and_the_worst_is_first() -> None:
    gone = VerdictChange("V4-GONE", "passed", "", "the rule no longer exists")
    untested = (VerdictChange(f"V4-{number}", "passed", "untested", NEW) for number in range(5))
    broken = VerdictChange("V4-BROKEN", "passed", "failed", "a price is in USD")

    assert change_lines((gone, *untested, broken)) == [
        "  V4-BROKEN: passed before, failed now: a price is in USD",
        f"  V4-0, V4-1, V4-2 and 2 more: passed before, untested now: {NEW}",
        "  V4-GONE: passed before, no such rule now: the rule no longer exists",
    ]


def test_json_names_each_warning_with_its_reason() -> None:
    results = sample()
    warned = replace(next(each for each in results.rules if each.verdict == "warning"), reason="an unknown field")
    summary = Certification(replace(results, rules=(warned,)), Path("run"), 0).summary()
    assert summary["warnings"] == {"V4-CURRENT-REVISION": "an unknown field"}
