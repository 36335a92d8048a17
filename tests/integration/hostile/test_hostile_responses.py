"""What a hostile or broken response does to a run is the target's fault: a finding or ``untested``, never an error."""

from pathlib import Path
from typing import Final

import pytest

from collected_suite import CollectedSuite, FinishedRun

# Scenarios that send what an earlier response contained, and scenarios in which the service must reject a request.
RULES: Final = ("V23-LOOK-UP", "V23-BOOKINGS-ONCE", "V4-SEARCH-CITIES")
NOT_ACCEPTED: Final = {"V2-REQUESTS-ANSWER", "V3-REQUESTS-ANSWER", "V4-SEARCH-OFFERS"}
ROOT_CAUSES: Final = {
    "byte order mark": set[str](),
    "duplicate names": set[str](),
    "too large": set[str](),
    "stacked encodings": set[str](),
    "NaN": {"V23-JSON-ANSWERS", "V4-JSON-ANSWERS"},
    "lone surrogate": NOT_ACCEPTED,
    "strings for all members": NOT_ACCEPTED,
}
"""The rules that fail if the successful responses to POST requests are of this kind."""


def expect_no_error(ran: FinishedRun, code: int) -> None:
    """Fail if a scenario ended in an error, or the run with another exit code."""
    ended = [(each.verdict, each.reason) for rule in ran.results.rules for each in rule.scenarios]
    assert [reason for verdict, reason in ended if verdict == "error"] == []
    assert (ran.exit_code, "Traceback" in ran.terminal) == (code, False)


@pytest.mark.parametrize("kind", ROOT_CAUSES)
def test_hostile_success_has_its_own_cause(suite: CollectedSuite, tmp_path: Path, kind: str) -> None:
    ran = suite.run(tmp_path / "run", rules=RULES, spoiled=(kind, "successes"))

    assert ran.rules("failed") == ROOT_CAUSES[kind]
    expect_no_error(ran, 1 if ROOT_CAUSES[kind] else 3)


def test_service_is_not_blamed_for_rejecting_what_its_wrong_responses_made_the_suite_send(
    suite: CollectedSuite, tmp_path: Path
) -> None:
    ran = suite.run(tmp_path / "run", rules=RULES, spoiled=("strings for all values", "successes"))

    expect_no_error(ran, 1)
    assert not ran.rules("failed") & {"V23-BOOKINGS-BOOK", "V4-SEARCH-OFFERS"}
    reasons = {each.reason for each in ran.rule("V23-LOOK-UP").scenarios}
    assert all("but a response violates" in reason for reason in reasons)


@pytest.mark.parametrize("kind", ["duplicate names", "too large"])
def test_hostile_rejection_is_no_error(suite: CollectedSuite, tmp_path: Path, kind: str) -> None:
    ran = suite.run(tmp_path / "run", rules=RULES, spoiled=(kind, "rejections"))

    assert ran.rules("failed") == set()
    expect_no_error(ran, 3)
