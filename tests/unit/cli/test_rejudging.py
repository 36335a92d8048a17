"""What a run that was judged again shows in the terminal."""

from airworthy.cli.rejudging import change_lines
from airworthy.report.results import VerdictChange

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
