"""The capabilities in the results of a run."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from airworthy.report.results import Capability, ScenarioResult, Verdict
from airworthy.sandbox.dashboard.profile import profile
from airworthy.suite.aggregate import CollectedResults, Run, results_of
from airworthy.suite.capture import Record
from airworthy.target.profile_file import profile_from


def _capabilities(
    declared: dict[str, bool], *scenarios: tuple[Verdict, str, str], stopped: str = ""
) -> tuple[Capability, ...]:
    """Return the capabilities after scenarios, each with its verdict, its reason and the capabilities that it needs."""
    values = profile("https://127.0.0.1:1") | {"capabilities": declared}
    run = Run("run", datetime.now(UTC), profile_from(values, "here"), "there", Path("none.jsonl"), stopped=stopped)
    records = {
        str(place): Record(str(place), (), ScenarioResult("It is so", verdict, reason), needs=tuple(needs.split()))
        for place, (verdict, reason, needs) in enumerate(scenarios)
    }
    return results_of(run, CollectedResults(records=records), ()).capabilities


@pytest.mark.parametrize(
    ("scenarios", "probed", "note"),
    [
        ([("failed", "no", "card"), ("passed", "", "card"), ("untested", "no route", "card")], True, ""),
        ([("warning", "odd", "card")], True, ""),
        (
            [("untested", "no route", "card"), ("failed", "one", "card"), ("failed", "two", "card")],
            False,
            "no scenario that needs it passed: one",
        ),
        ([("untested", "no route", "card"), ("untested", "no clock", "card")], None, "no route"),
        ([("error", "KeyError: 'id'", "card")], None, "KeyError: 'id'"),
        ([("passed", "", "")], None, "no scenario of this run needs it"),
    ],
    ids=["one passed", "one warned", "failed only", "untested only", "errors", "not needed"],
)
def test_declared_capability_is_probed_by_scenarios_that_need_it(
    scenarios: list[tuple[Verdict, str, str]], probed: bool | None, note: str
) -> None:
    assert _capabilities({"card": True}, *scenarios) == (Capability("card", True, probed, note),)


def test_undeclared_capability_is_reported_if_a_scenario_needs_it() -> None:
    capabilities = _capabilities({"verify": True}, ("passed", "", "card infants"), ("failed", "no", "infants"))
    assert capabilities == (
        Capability("card", None, probed=True),
        Capability("infants", None, probed=True),
        Capability("verify", True, None, "no scenario of this run needs it"),
    )


def test_absent_capability_has_a_note_only_if_a_scenario_found_it() -> None:
    # An interface's own credentials win over the capability.
    assert _capabilities({"balance": False}) == (Capability("balance", False),)
    assert _capabilities({"balance": False}, ("passed", "", "balance")) == (
        Capability("balance", False, True, "declared absent, but scenarios that need it passed"),
    )


def test_stopped_run_is_the_reason_for_capabilities_not_probed() -> None:
    assert _capabilities({"card": True}, stopped="the target is gone") == (
        Capability("card", True, None, "the target is gone"),
    )
