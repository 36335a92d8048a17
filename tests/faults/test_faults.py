"""Every rule can fail: each fault of the sandbox gets the verdict that it expects, because of its own rule."""

from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from airworthy.register import Rule, rules
from airworthy.report.results import weigh
from airworthy.sandbox.faults import Fault, faults, written
from airworthy.sandbox.service import credentials
from collected_suite import CollectedSuite
from faults.proof import prove, stricter_than_the_contract

# One fault of each rule proves that the rule can fail.
FIRST = {fault.rule: fault for fault in reversed(list(faults().values())) if fault.verdict == "failed"}
CHECKED = [rule for rule in rules() if not rule.excluded_reason]
# Those of requests are all run together, and the changed responses of the others are judged, by tests of their own.
RUN = {fault.name for fault in (*written(), *(each for each in FIRST.values() if each.rewrite))}


def fault_case(fault: Fault) -> ParameterSet:
    """Return a fault as a parameter."""
    marks = () if FIRST.get(fault.rule, fault) is fault else (pytest.mark.exhaustive, pytest.mark.further)
    return pytest.param(fault, id=fault.name, marks=marks)


@pytest.mark.parametrize("fault", [fault_case(each) for each in faults().values() if each.name in RUN])
def test_fault_gets_its_verdict(suite: CollectedSuite, fault: Fault) -> None:
    run = prove(suite, fault)
    result = run.rule(fault.rule)
    findings = [each.finding for each in run.results.findings if each.finding.rule == fault.rule]

    assert result.verdict == fault.verdict, run.terminal
    # The verdict comes from a scenario of the rule or from a finding about the rule, and says what is wrong.
    failures = [each.failure for each in result.scenarios if each.verdict == fault.verdict]
    reasons = [each.message for each in failures if each] + [
        each.message for each in findings if weigh(each) == fault.verdict
    ]
    assert any(reasons) or (fault.verdict == "passed" and failures)
    assert [each.reason for rule in run.results.rules for each in rule.scenarios if each.verdict == "error"] == []
    # A rule has one firmness: no step fails what the contract only warns of.
    assert stricter_than_the_contract(result) == []


def test_undocumented_field_is_reported_as_drift(suite: CollectedSuite) -> None:
    run = prove(suite, faults()["loyalty-points"])

    assert [(each.finding.rule, each.finding.drift) for each in run.results.drift] == [
        ("V4-UNKNOWN-FIELDS", "unknown-field")
    ]


def test_every_rule_that_binds_the_service_has_a_fault_that_fails_it() -> None:
    binding = [rule for rule in CHECKED if rule.binds != "client"]
    with_a_fault = {fault.rule for fault in faults().values()}
    assert [rule.id for rule in binding if rule.id not in with_a_fault] == []
    # Only a rule whose note documents it never fails.
    never = [rule for rule in binding if rule.id not in FIRST]
    documented = ("warn", "fails nobody", "not a violation")
    assert [rule.id for rule in never if not any(words in rule.note for words in documented)] == []


@pytest.mark.parametrize("rule", [each for each in CHECKED if each.binds == "client"], ids=lambda rule: rule.id)
def test_scenarios_of_a_client_rule_need_the_contract(suite: CollectedSuite, rule: Rule, tmp_path: Path) -> None:
    forgotten = suite.run(tmp_path, rules=[rule.id], forgotten=rule.id, brief=True).rule(rule.id)
    assert forgotten.verdict == "error"
    assert forgotten.reason.startswith("LookupError: expected ")


RULE = "V4-AUTH-WRONG-KEY"


def test_suite_examines_the_replaced_module(suite: CollectedSuite, tmp_path: Path) -> None:
    changed = tmp_path / "credentials.py"
    source = Path(credentials.__file__).read_text(encoding="utf-8")
    changed.write_text(
        source + "\n\ndef key_holder(*_: object): return next(iter(BY_KEY.values()))\n", encoding="utf-8"
    )

    run = suite.run(tmp_path / "run", rules=[RULE], brief=True, replaced=(credentials.__name__, str(changed)))

    assert run.rule(RULE).verdict == "failed"
    assert suite.run(tmp_path / "unchanged", rules=[RULE], brief=True).rule(RULE).verdict == "passed"
