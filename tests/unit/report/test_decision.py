"""The decision on a run."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import get_args

import pytest

from airworthy.contract.findings.finding import Finding
from airworthy.report.decision import Decision, decide, stale_waivers
from airworthy.report.results import (
    Binds,
    Failure,
    FindingCount,
    Results,
    RuleResult,
    ScenarioResult,
    Scope,
    Tool,
    Verdict,
    Waiver,
)

from .sample import partner

TODAY = datetime(2026, 11, 21, 8, 30, tzinfo=UTC)


def rule(verdict: Verdict, name: str = "V4-A", binds: Binds = "service", reason: str = "") -> RuleResult:
    return RuleResult(name, "v4", "Orders", f"Statement of {name}", "v4", binds, verdict, reason)


def waiver(name: str = "V4-A", expires: date = date(2026, 11, 21)) -> Waiver:
    return Waiver(name, "Support", "Agreed until the next release", expires)


def decision(*rules: RuleResult, waivers: tuple[Waiver, ...] = (), filtered: bool = False) -> Decision:
    return decide(results(*rules, waivers=waivers, filtered=filtered))


def results(*rules: RuleResult, waivers: tuple[Waiver, ...] = (), filtered: bool = False) -> Results:
    return Results(
        run="r",
        started=TODAY,
        finished=TODAY,
        subject="Sandbox",
        environment="test",
        target="https://127.0.0.1",
        tool=Tool("0.1.0", "3.11.7"),
        scope=Scope(
            "sandbox", "", "", "", "", ("v4",), filtered=filtered, filtered_why="-k orders" if filtered else ""
        ),
        rules=rules,
        waivers=waivers,
    )


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


def test_failed_rule_outweighs_everything_else() -> None:
    made = decision(rule("error", "V4-B"), rule("untested", "V4-C"), rule("failed"), filtered=True)
    assert (made.outcome, made.exit_code) == ("NOT CERTIFIED", 1)
    assert [block.cause for block in made.blocks] == ["failed", "error", "filtered"]


def test_internal_error_outweighs_an_untested_rule() -> None:
    assert decision(rule("untested"), rule("error", "V4-B")).exit_code == 4


def test_filtered_run_never_certifies() -> None:
    made = decision(rule("passed"), rule("untested", "V4-B", reason="not selected"), filtered=True)
    assert (made.outcome, made.exit_code) == ("INCOMPLETE", 3)
    assert [(block.cause, block.rules) for block in made.blocks] == [("filtered", ())]
    assert "-k orders" in made.blocks[0].reason


def test_run_without_rules_is_incomplete() -> None:
    assert (decision().outcome, decision().exit_code) == ("INCOMPLETE", 3)


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


def test_waiver_covers_no_other_rule() -> None:
    assert decision(rule("failed"), rule("failed", "V4-B"), waivers=(waiver(),)).outcome == "NOT CERTIFIED"


def test_internal_error_cannot_be_waived() -> None:
    assert decision(rule("error"), waivers=(waiver(),)).exit_code == 1
    assert [block.cause for block in decision(rule("error"), waivers=(waiver(),)).blocks] == ["stale waiver", "error"]


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


def test_filtered_run_does_not_report_unnecessary_waivers() -> None:
    made = decision(rule("passed", "V4-B"), rule("passed"), waivers=(waiver(), waiver("V4-C")), filtered=True)
    assert [block.cause for block in made.blocks] == ["filtered"]
