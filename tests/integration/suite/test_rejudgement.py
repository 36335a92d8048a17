"""The evidence of a run is judged again: the same rules give the same results, other rules say what changed and why."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from airworthy.attestation.keys import load_verification_key, new_key_pair
from airworthy.attestation.verification import verify_run
from airworthy.errors import UsageError
from airworthy.register import Rule, rules
from airworthy.report.decision import decide
from airworthy.report.document import load_results, to_json
from airworthy.report.results import Results, RuleResult, ScenarioResult, VerdictChange
from airworthy.suite import rejudgement
from airworthy.suite.aggregate import current_scope
from airworthy.suite.rejudgement import judge_again
from collected_suite import CollectedSuite, FinishedRun
from command_line import Command
from integration.conftest import FAULTY, FullRun

CURRENCY, CONTACT, QUERY = "V4-CURRENCY", "V4-ORDER-CONTACT-ECHO", "V4-ORDER-QUERY"


def again(run: FinishedRun, register: Sequence[Rule] = (), **changes: object) -> Results:
    """Judge a run again, perhaps with other results or another register."""
    old = replace(run.results, **changes)  # type: ignore[arg-type]
    return judge_again(old, run.folder / "evidence.jsonl", register or rules())


def without_judgement(results: Results) -> bytes:
    return to_json(replace(results, rejudgement=None))


def verdict(results: Results, identifier: str) -> str:
    return next(rule.verdict for rule in results.rules if rule.id == identifier)


@pytest.fixture(scope="module")
def forgetful(suite: CollectedSuite, tmp_path_factory: pytest.TempPathFactory) -> FinishedRun:
    """A run of a suite that did not know a rule which the service violates."""
    folder = tmp_path_factory.mktemp("forgetful") / "run"
    return suite.run(folder, faults=["us-dollars"], rules=[CURRENCY, "V4-SEARCH-OFFERS"], forgotten=CURRENCY)


@pytest.fixture(scope="module")
def failing(suite: CollectedSuite, tmp_path_factory: pytest.TempPathFactory) -> FinishedRun:
    """A run with a failure that the contract finds, and one that only a step finds."""
    folder = tmp_path_factory.mktemp("failing") / "run"
    return suite.run(folder, faults=["us-dollars", "order-query-crash"], rules=[CURRENCY, QUERY])


@pytest.mark.parametrize("faults", [(), FAULTY], ids=["no fault", "faults"])
def test_same_evidence_gives_the_same_results_byte_for_byte(full_run: FullRun, faults: tuple[str, ...]) -> None:
    run = full_run(faults=faults)
    bases = {scenario.basis for rule in run.results.rules for scenario in rule.scenarios}
    assert bases <= {"findings", "step", "interrupted"}

    results = again(run)

    assert without_judgement(results) == to_json(run.results)
    assert results.rejudgement
    assert results.rejudgement.changes == ()


def test_violation_that_the_old_rules_did_not_find_changes_the_verdict(forgetful: FinishedRun) -> None:
    assert verdict(forgetful.results, CURRENCY) != "failed"

    results = again(forgetful)

    assert results.rejudgement
    (change,) = results.rejudgement.changes
    assert (change.rule, change.after) == (CURRENCY, "failed")
    assert change.why.startswith("currency of ")
    assert "(response /" in change.why
    assert "exchange x" in change.why


def test_failure_that_the_contract_no_longer_finds_is_gone(
    failing: FinishedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert verdict(failing.results, CURRENCY) == verdict(failing.results, QUERY) == "failed"
    judged = rejudgement._judged

    def forgetting(old: Results, evidence: Path) -> rejudgement.JudgedEvidence:
        found = judged(old, evidence)
        found.findings = {key: [each for each in kept if each.rule != CURRENCY] for key, kept in found.findings.items()}
        return found

    monkeypatch.setattr(rejudgement, "_judged", forgetting)
    results = again(failing)

    assert results.rejudgement
    (change,) = results.rejudgement.changes
    assert (change.rule, change.before, change.after) == (CURRENCY, "failed", "passed")
    assert change.why.startswith("no longer found: currency of ")
    # What only a step could know is kept, and counted.
    assert verdict(results, QUERY) == "failed"
    assert results.rejudgement.kept >= 1


def test_rules_that_were_added_or_removed_are_named(failing: FinishedRun) -> None:
    removed = replace(failing.results.rules[0], id="V4-FORMER", scenarios=(ScenarioResult("Gone", "passed"),))
    old = tuple(rule for rule in failing.results.rules if rule.id != CONTACT)

    results = again(failing, rules=(*old, removed))

    assert results.rejudgement
    added, gone = results.rejudgement.changes
    assert (added.rule, added.before, added.after) == (CONTACT, "", "untested")
    assert gone == VerdictChange("V4-FORMER", removed.verdict, "", "the rule no longer exists")
    assert "V4-FORMER" not in {rule.id for rule in results.rules}


def test_scenario_that_the_run_did_not_have_is_untested(failing: FinishedRun) -> None:
    known = next(rule for rule in rules() if rule.id == QUERY)
    register = [replace(known, scenarios=("A new scenario", *known.scenarios[1:]))]
    scope = replace(failing.results.scope, features_digest="f" * 64, filtered=False)
    own = [rule for rule in failing.results.rules if rule.id == QUERY]

    results = again(failing, register, scope=scope, rules=own)

    (rule,) = results.rules
    assert [each.reason for each in rule.scenarios if each.name == "A new scenario"] == [
        "the scenario did not exist when the run was made; make a new run"
    ]
    # Without its first scenario, the rule has fewer results than the run.
    assert len(rule.scenarios) <= len(own[0].scenarios)
    assert results.scope == replace(current_scope(scope), filtered=False)


def test_steps_that_ended_at_a_violation_show_nothing_without_it(failing: FinishedRun) -> None:
    def interrupted(rule: RuleResult) -> RuleResult:
        scenarios = tuple(replace(each, basis="interrupted", verdict="failed") for each in rule.scenarios)
        return replace(rule, scenarios=scenarios)

    results = again(failing, rules=tuple(interrupted(rule) for rule in failing.results.rules if rule.id == QUERY))

    (rule,) = (rule for rule in results.rules if rule.id == QUERY)
    assert {each.verdict for each in rule.scenarios} == {"untested"}
    assert all("make a new run" in each.reason for each in rule.scenarios)


def test_rules_of_interfaces_that_were_not_examined_are_not_new(failing: FinishedRun) -> None:
    other = next(rule for rule in rules() if rule.id == CONTACT)
    scope = replace(failing.results.scope, not_examined=tuple(f"{CONTACT}: {name}" for name in other.scenarios))
    old = tuple(rule for rule in failing.results.rules if rule.id != CONTACT)

    results = again(failing, scope=scope, rules=old)

    assert results.rejudgement
    assert results.rejudgement.changes == ()


def test_command_writes_a_run_that_can_be_signed_and_verified(
    airworthy: Command, forgetful: FinishedRun, tmp_path: Path
) -> None:
    _, public, _ = new_key_pair(tmp_path / "operator")
    options = ("--reports", str(tmp_path), "--run-id", "again", "--sign", str(tmp_path / "operator.key"), "--pdf")

    shown = airworthy("certify", "service", "--from-evidence", forgetful.folder, *options)

    assert shown.code == 1
    assert f"  {CURRENCY}: passed before, failed now: currency of" in shown.out
    verification = verify_run(tmp_path / "again", load_verification_key(public))
    assert verification.problems == ()
    assert verification.certificate
    assert verification.certificate.run == "again"
    assert verification.results
    assert verification.results.rejudgement
    assert verification.results.rejudgement.run == forgetful.results.run
    assert (tmp_path / "again" / "evidence.jsonl").read_bytes() == (forgetful.folder / "evidence.jsonl").read_bytes()


def test_waivers_of_a_profile_are_applied(airworthy: Command, forgetful: FinishedRun, tmp_path: Path) -> None:
    profile = tmp_path / "waived.toml"
    waiver = f"rule = '{CURRENCY}'\nowner = 'Support'\nreason = 'Agreed'\nexpires = 2099-01-01"
    service = "base_url = 'https://api.example.com'\nenvironment = 'test'\n[v4]\nkey = 'k'\ncustomer_code = 'c'"
    profile.write_text(f"{service}\n[[waivers]]\n{waiver}\n")
    options = ("--reports", str(tmp_path), "--run-id", "waived", "--profile", str(profile))

    airworthy("certify", "service", "--from-evidence", forgetful.folder, *options)

    assert [each.rule for each in decide(load_results(tmp_path / "waived" / "results.json")).waived] == [CURRENCY]


def test_evidence_of_another_run_is_not_judged(failing: FinishedRun, forgetful: FinishedRun) -> None:
    scenario = ScenarioResult("A scenario", "passed", exchanges=("x9999",))
    rule = replace(failing.results.rules[0], scenarios=(scenario,))

    with pytest.raises(UsageError, match="does not contain exchange x9999"):
        judge_again(replace(failing.results, rules=(rule,)), forgetful.folder / "evidence.jsonl", rules())
