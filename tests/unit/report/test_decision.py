"""The decision on a run."""

from dataclasses import replace
from datetime import date
from typing import get_args

import pytest

from airworthy.contract.findings.finding import Finding
from airworthy.report.decision import Decision, decide, stale_waivers
from airworthy.report.results import Binds, Failure, FindingCount, Results, RuleResult, ScenarioResult, Verdict
from airworthy.target.records import Waiver

from . import sample
from .sample import partner


def rule(verdict: Verdict, name: str = "V4-A", binds: Binds = "service", reason: str = "") -> RuleResult:
    return replace(sample.rule(name, verdict, reason=reason), binds=binds)


def waiver(name: str = "V4-A", expires: date = date(2026, 11, 21)) -> Waiver:
    return Waiver(name, "Support", "Agreed until the next release", expires)


def decision(*rules: RuleResult, waivers: tuple[Waiver, ...] = (), filtered: bool = False) -> Decision:
    return decide(results(*rules, waivers=waivers, filtered=filtered))


def results(*rules: RuleResult, waivers: tuple[Waiver, ...] = (), filtered: bool = False) -> Results:
    made = sample.sample()
    scope = replace(made.scope, filtered=filtered, filtered_why="-k orders" if filtered else "")
    return replace(made, scope=scope, rules=rules, waivers=waivers, findings=())


@pytest.mark.parametrize(
    ("verdict", "outcome", "exit_code"),
    [
        ("passed", "CERTIFIED", 0),
        ("warning", "CERTIFIED", 0),
        ("not_applicable", "CERTIFIED", 0),
        ("failed", "NOT CERTIFIED", 1),
        ("untested", "INCOMPLETE", 3),
        ("error", "INCOMPLETE", 4),
    ],
)
@pytest.mark.parametrize("binds", ["service", "both"])
def test_rule_that_binds_the_service_decides(verdict: Verdict, outcome: str, exit_code: int, binds: Binds) -> None:
    made = decision(rule("passed", "V4-B"), rule(verdict, binds=binds))
    assert (made.outcome, made.exit_code) == (outcome, exit_code)
    assert [block.rules for block in made.blocks] == ([("V4-A",)] if exit_code else [])


@pytest.mark.parametrize("verdict", get_args(Verdict))
def test_violated_client_rule_is_an_internal_error(verdict: Verdict) -> None:
    made = decision(rule("passed", "V4-B"), rule(verdict, binds="client"))
    fault = verdict in ("failed", "error")
    assert (made.outcome, made.exit_code) == (("INCOMPLETE", 4) if fault else ("CERTIFIED", 0))


@pytest.mark.parametrize(
    ("made", "outcome", "causes"),
    [
        (
            decision(rule("error", "V4-B"), rule("untested", "V4-C"), rule("failed"), filtered=True),
            ("NOT CERTIFIED", 1),
            ["failed", "error", "filtered"],
        ),
        (decision(rule("untested"), rule("error", "V4-B")), ("INCOMPLETE", 4), ["error", "untested"]),
        (decision(), ("INCOMPLETE", 3), ["untested"]),
        (decision(rule("failed"), rule("failed", "V4-B"), waivers=(waiver(),)), ("NOT CERTIFIED", 1), ["failed"]),
        (decision(rule("error"), waivers=(waiver(),)), ("NOT CERTIFIED", 1), ["stale waiver", "error"]),
        (
            decision(rule("passed", "V4-B"), rule("passed"), waivers=(waiver(), waiver("V4-C")), filtered=True),
            ("INCOMPLETE", 3),
            ["filtered"],
        ),
    ],
    ids=[
        "failed rule outweighs",
        "internal error outweighs untested",
        "no rules",
        "waiver for another rule",
        "internal error is not waived",
        "filtered run has no unnecessary waivers",
    ],
)
def test_worst_cause_decides_and_comes_first(made: Decision, outcome: tuple[str, int], causes: list[str]) -> None:
    assert (made.outcome, made.exit_code) == outcome
    assert [block.cause for block in made.blocks] == causes


def test_filtered_run_never_certifies() -> None:
    made = decision(rule("passed"), rule("untested", "V4-B", reason="not selected"), filtered=True)
    assert (made.outcome, made.exit_code) == ("INCOMPLETE", 3)
    assert [(block.cause, block.rules) for block in made.blocks] == [("filtered", ())]
    assert "-k orders" in made.blocks[0].reason


def test_common_reason_is_named_once() -> None:
    down = "the search found no offer"
    made = decision(*(rule("untested", f"V4-{number}", reason=down) for number in range(3)))
    assert [(block.reason, block.rules) for block in made.blocks] == [(down, ("V4-0", "V4-1", "V4-2"))]


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (Failure("the order is booked", "BOOKED", "OPEN"), "the order is booked: expected BOOKED, actual OPEN"),
        (Failure("an order is booked", "", "none"), "an order is booked: actual none"),
        (Failure('currency is "USD", not EUR', "EUR", '"USD"'), 'currency is "USD", not EUR'),
        (Failure("the body is not JSON", "JSON", "another form"), "the body is not JSON"),
        (Failure("KeyError: 'id'"), "KeyError: 'id'"),
    ],
)
def test_blocking_reason_states_expected_and_actual(failure: Failure, reason: str) -> None:
    failed = replace(rule("failed", reason="short"), scenarios=(ScenarioResult("A", "failed", failure=failure),))
    found = Finding("V4-A", "violation", "response", "", "the body is not JSON", "JSON", "another form", "x1")
    made = decide(replace(results(failed), findings=(FindingCount(found),)))
    assert [block.reason for block in made.blocks] == [reason]


@pytest.mark.parametrize("verdict", ["failed", "untested"])
def test_waiver_covers_its_rule_until_its_expiry_date(verdict: Verdict) -> None:
    made = decision(rule(verdict), waivers=(waiver(),))
    assert (made.outcome, made.exit_code, made.waived) == ("CERTIFIED WITH WAIVERS", 0, (waiver(),))


@pytest.mark.parametrize(
    ("rules", "stale", "why"),
    [
        ((rule("failed"),), waiver(expires=date(2026, 11, 20)), "expired on 2026-11-20"),
        ((rule("passed"),), waiver(), "unnecessary: the verdict of the rule is passed"),
        ((rule("not_applicable"),), waiver(), "unnecessary: the verdict of the rule is not applicable"),
        ((rule("passed"),), waiver("V4-NOBODY"), "does not exist"),
    ],
)
def test_stale_waiver_fails_the_run(rules: tuple[RuleResult, ...], stale: Waiver, why: str) -> None:
    made = decision(*rules, waivers=(stale,))
    assert (made.outcome, made.exit_code) == ("NOT CERTIFIED", 1)
    assert any(block.cause == "stale waiver" and why in block.reason for block in made.blocks)
    assert list(stale_waivers(results(*rules, waivers=(stale,)))) == [stale]


def test_unnecessary_waiver_of_a_partner_uses_the_words_of_the_list() -> None:
    shown = next(each for each in partner().rules if each.verdict == "passed")
    unneeded = waiver(shown.id)

    assert stale_waivers(replace(partner(), waivers=(unneeded,))) == {
        unneeded: "the waiver is unnecessary: the item is shown"
    }
