"""The proof that each rule can fail: every fault of the sandbox fails its rule, and for the reason that it is."""

from pathlib import Path

import pytest

from airworthy.register import Rule, rules
from airworthy.report.results import weigh
from airworthy.sandbox.faults import Fault, faults
from collected_suite import CollectedSuite
from faults.proof import LENIENT, PAGE, REFRESH, Row, demanded, page, prove, rows_of


@pytest.fixture(scope="session")
def shown() -> list[Row]:
    """The rows of the committed page."""
    return rows_of(PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("fault", list(faults().values()), ids=list(faults()))
def test_a_fault_fails_its_rule(suite: CollectedSuite, shown: list[Row], fault: Fault) -> None:
    verdict, _ = LENIENT.get(fault.name, ("failed", ""))
    row, ran = prove(suite, fault)

    assert row.verdict == verdict, ran.terminal
    scenarios = ran.rule(fault.rule).scenarios
    held = [each.finding for each in ran.results.findings if each.finding.rule == fault.rule]
    # What fails the rule is its own: one of its scenarios, or what the contract found against it.
    assert any(each.verdict == verdict for each in scenarios) or any(weigh(each) == verdict for each in held)
    assert [each.reason for rule in ran.results.rules for each in rule.scenarios if each.verdict == "error"] == []
    assert row.said or verdict == "passed"
    assert row in shown, f"{PAGE.name} says something else: {REFRESH}"


def test_an_unknown_field_is_shown_though_it_fails_nobody(suite: CollectedSuite) -> None:
    _, ran = prove(suite, faults()["loyalty-points"])

    assert [(each.finding.rule, each.finding.drift) for each in ran.results.drift] == [
        ("V4-UNKNOWN-FIELDS", "unknown-field")
    ]


@pytest.mark.parametrize("rule", demanded(), ids=lambda rule: rule.id)
def test_a_rule_that_binds_the_service_has_a_fault_that_fails_it(rule: Rule) -> None:
    made = [fault.name for fault in faults().values() if fault.rule == rule.id]

    assert made
    # A rule is lenient as a whole only where its statement says so.
    assert set(made) - set(LENIENT) or any(word in rule.note for word in ("warns", "fails nobody"))


@pytest.mark.parametrize(
    "rule", [rule for rule in rules() if rule.binds == "client" and not rule.excluded_reason], ids=lambda rule: rule.id
)
def test_a_rule_that_binds_the_client_is_missed_where_the_contract_forgets_it(
    suite: CollectedSuite, rule: Rule, tmp_path: Path
) -> None:
    assert suite.run(tmp_path / "known", rules=[rule.id]).rule(rule.id).verdict == "passed"
    assert suite.run(tmp_path / "forgotten", rules=[rule.id], forgotten=rule.id).rule(rule.id).verdict == "error"


def test_the_page_shows_every_fault_and_nothing_else() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = rows_of(text)

    assert sorted(row.fault for row in rows) == sorted(faults()), f"{PAGE.name} is out of date: {REFRESH}"
    assert page(rows) == text, f"{PAGE.name} is out of date: {REFRESH}"
