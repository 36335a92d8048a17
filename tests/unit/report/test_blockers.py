"""What to fix next: what has one cause, what does not, and the order."""

from dataclasses import replace
from pathlib import Path

import pytest

from airworthy.contract import Contract
from airworthy.contract.findings.finding import Finding
from airworthy.evidence.recorder import Recorder
from airworthy.report.blockers import Blocker, blockers, names
from airworthy.report.exchange_summaries import with_exchanges
from airworthy.report.exchanges import ExchangeSummary, OperationUse
from airworthy.report.results import Failure, Results, RuleResult, ScenarioResult, Verdict
from unit.evidence.stub import exchange

from .sample import rule, sample

CONFIRM, SEARCH = "POST /v4/order/{orderId}/confirm", "POST /v4/search"
GENERIC = "the service must accept a documented request"


def root(exchange: str, violated: str = "V4-ROOT", expected: str = "status 200", pointer: str = "status") -> Finding:
    return Finding(violated, "violation", "response", pointer, GENERIC, expected, "status 500", exchange)


def failed(
    name: str, exchange: str, expected: str = "status 200", change: str = "", pointer: str = "status"
) -> RuleResult:
    steps = (f"When the client sends the request {change}", "Then the service accepts the request")
    failure = Failure(GENERIC, expected, "another status", "response", pointer, exchange, steps)
    return rule(name, "failed", ScenarioResult("S", "failed", failure=failure))


def blocked(name: str, exchange: str, violated: str = "V4-ROOT") -> RuleResult:
    return rule(name, "untested", ScenarioResult("S", "untested", GENERIC, root=root(exchange, violated)))


def untested(name: str, *reasons: str, verdict: Verdict = "untested") -> RuleResult:
    return rule(name, verdict, *(ScenarioResult("S", verdict, reason) for reason in reasons))


def results(*rules: RuleResult, exchanges: dict[str, tuple[str, int | None, str]], working: str = "") -> Results:
    """``exchanges`` have an operation, a status and a message by id; ``working`` is an operation that succeeded."""
    summaries = tuple(ExchangeSummary(each, *values) for each, values in exchanges.items())
    operations = (OperationUse(working, {"200": 1, "400": 1}),) if working else ()
    return replace(sample(), rules=rules, findings=(), waivers=(), exchanges=summaries, operations=operations)


def found(*rules: RuleResult, working: str = "", **exchanges: tuple[str, int | None, str]) -> tuple[Blocker, ...]:
    return blockers(results(*rules, exchanges=exchanges, working=working), ())


@pytest.mark.parametrize("status", [500, 503, None])
def test_operation_that_fails_is_one_cause_with_all_that_it_blocks(status: int | None) -> None:
    [cause] = found(
        failed("V4-OTHER", "x2", expected="status 4xx"),
        failed("V4-ROOT", "x1"),
        blocked("V4-BLOCKED", "x3"),
        working=CONFIRM,
        x1=(CONFIRM, status, "a"),
        x2=(CONFIRM, 500, "b"),
        x3=(CONFIRM, status, "c"),
    )
    assert (cause.cause, cause.rules, cause.blocked) == ("failed", ("V4-ROOT", "V4-OTHER"), ("V4-BLOCKED",))
    assert (cause.operation, cause.exchange, cause.message, cause.checks) == (CONFIRM, "x1", "a", 3)
    assert cause.reason == f"{CONFIRM}: expected status 200, actual another status"


@pytest.mark.parametrize(
    ("one", "other", "change", "working", "causes"),
    [
        ("no such fare 17", "no such fare 4", "", SEARCH, 1),
        ("no such fare", "no such city", "", SEARCH, 2),
        ("Bad Request", "Bad Request", "with infants set to 1", SEARCH, 2),
        ("Bad Request", "Bad Request", "", SEARCH, 2),
        ("no such fare", "no such city", "with infants set to 1", "", 1),
    ],
    ids=["one message", "two messages", "another change", "another rule", "nothing ever succeeds"],
)
def test_rejections_have_one_cause_if_nothing_tells_them_apart(
    one: str, other: str, change: str, working: str, causes: int
) -> None:
    rules = failed("V4-A", "x1"), failed("V4-B", "x2", change=change)
    seen = found(*rules, working=working, x1=(SEARCH, 400, one), x2=(SEARCH, 400, other))
    assert len(seen) == causes
    assert {each.change for each in seen} == ({change, ""} if causes > 1 else {""})


def test_rejections_without_a_telling_message_are_told_apart_by_what_is_never_accepted(tmp_path: Path) -> None:
    bodies = {
        "x1": (200, {"adults": 2, "paymentMethod": {"card": True}}),
        "x2": (400, {"adults": 1, "paymentMethod": {"balance": True}}),
        "x3": (400, {"adults": 1, "infants": 1, "paymentMethod": {"card": True}}),
        "x4": (400, {"adults": 3, "infants": 2, "paymentMethod": {"balance": True}}),
    }
    with Recorder(tmp_path / "evidence.jsonl", Contract.load()) as recorder:
        for name, (status, body) in bodies.items():
            url, error = "https://service.example/v4/order?offerId=1", {"message": "Bad Request"}
            recorder.append(exchange(body, error, url=url, status=status, identifier=name))
    rules = failed("V4-ROOT", "x2"), blocked("V4-A", "x3"), blocked("V4-B", "x4")
    seen = with_exchanges(results(*rules, exchanges={}), tmp_path / "evidence.jsonl")

    assert [(each.operation, each.statuses) for each in seen.operations] == [("POST /v4/order", {"200": 1, "400": 3})]
    # All four create an order of the same offer.
    assert seen.earlier("x3") == ("POST /v4/order: 200 (x1)", "POST /v4/order: 400 (x2)")
    assert [(each.change, each.rules, each.blocked) for each in blockers(seen, ())] == [
        ("with paymentMethod.balance = true", ("V4-ROOT",), ("V4-B",)),
        ("with infants > 0", ("V4-ROOT",), ("V4-A",)),
    ]


def test_operation_that_fails_only_for_mistakes_violates_one_rule_with_the_others() -> None:
    rules = failed("V4-NO-SERVER-FAULT", "x1", expected="no 5xx"), failed("V4-NO-SERVER-FAULT", "x2", expected="no 5xx")
    both = replace(rules[0], scenarios=(*rules[0].scenarios, *rules[1].scenarios))
    crash: tuple[str, int | None, str] = (SEARCH, 500, "")
    assert [each.rules for each in found(both, x1=crash, x2=(CONFIRM, 500, ""))] == [("V4-NO-SERVER-FAULT",)]
    assert len(found(both, failed("V4-ROOT", "x2"), x1=crash, x2=(CONFIRM, 500, ""))) == 2


@pytest.mark.parametrize(("other", "causes"), [("/status", 1), ("/orders/1/status", 2), ("status", 2)])
def test_one_wrong_value_is_one_cause_whatever_rules_it_violates(other: str, causes: int) -> None:
    rules = failed("V4-A", "x1", pointer="/status"), failed("V4-B", "x2", pointer=other)
    assert len(found(*rules, x1=(SEARCH, 200, ""), x2=(SEARCH, 200, ""))) == causes


def test_rule_violated_in_several_operations_is_one_cause() -> None:
    wrong_key = [failed("V4-WRONG-KEY", each, expected="status 401") for each in ("x1", "x2")]
    both = replace(wrong_key[0], scenarios=(*wrong_key[0].scenarios, *wrong_key[1].scenarios))
    [cause] = found(both, x1=(SEARCH, 200, ""), x2=(CONFIRM, 404, ""))
    assert (cause.checks, cause.operation) == (2, SEARCH)


def test_defect_of_an_error_body_is_not_the_error() -> None:
    defect = replace(root("x1", "V4-ERROR-BODY", pointer="/statusCode"), message="statusCode is missing")
    scenario = ScenarioResult(
        "S", "failed", findings=(defect,), failure=Failure("no", "", "", "response", "/statusCode", "x1")
    )
    seen = found(rule("V4-ERROR-BODY", "failed", scenario), blocked("V4-A", "x1"), x1=(SEARCH, 500, ""))
    assert [(each.cause, each.rules) for each in seen] == [("failed", ("V4-ERROR-BODY",)), ("untested", ("V4-A",))]
    assert seen[0].reason == f"{SEARCH}: statusCode is missing: expected status 200, actual status 500"


@pytest.mark.parametrize(
    ("one", "other", "causes"),
    [
        ("a search on [routes.regular] finds no offers for 2 adults, 1 child and 1 infant in 10 days",) * 2 + (1,),
        (
            "a search on [routes.regular] finds no offers for 2 adults, 1 child and 1 infant in 10 days",
            "a search on [routes.regular] finds no round-trip offers for 1 adult in 10 days",
            1,
        ),
        ("a search on [routes.regular] finds no offers", "a search on [routes.city] finds no offers", 2),
        ("a search on [routes.regular] finds no offers", "the offers of [routes.regular] have no checked bags", 2),
        ("[routes.x] is sold out", '[routes.x] is sold out; the service responds "flight 7 of [routes.y] is full"', 1),
        ("an offer: takes 29 min; --max-wait is 0 s", "an order: takes 2 h; --max-wait is 0 s", 1),
        ("the profile names no x: [routes.x]", "the profile names no y: [routes.y]", 2),
    ],
)
def test_gap_of_the_profile_is_one_cause(one: str, other: str, causes: int) -> None:
    assert len(found(untested("V4-A", one), untested("V4-B", other), x1=(SEARCH, 200, ""))) == causes


def test_rule_with_several_gaps_is_untested_because_of_each() -> None:
    gaps = ("lacks [routes.x]", "says nothing: [v4] balance", "no TLS (allow_plain_http)")
    seen = found(untested("V4-A", *gaps), x1=(SEARCH, 200, ""))
    assert [each.rules for each in seen] == [("V4-A",)] * 3
    assert list(names(seen)) == ["[routes.x]", "[v4] balance", "allow_plain_http"]


def test_what_blocks_most_comes_first_and_gaps_come_last() -> None:
    gaps = [untested(f"V4-GAP-{number}", "lacks [routes.x]") for number in range(30)]
    rules = [
        failed("V4-A", "x1"),
        *(blocked(f"V4-{number}", "x2") for number in range(20)),
        *gaps,
        failed("V4-ROOT", "x2"),
    ]
    exchanges: dict[str, tuple[str, int | None, str]] = {"x1": (SEARCH, 500, ""), "x2": (CONFIRM, 500, "")}
    assert list(names(blockers(results(*rules, exchanges=exchanges), ()))) == ["V4-ROOT", "V4-A", "[routes.x]"]


def test_rule_whose_reason_names_a_violation_is_blocked_by_it() -> None:
    gaps = [untested(f"V4-{each}", f"no order, but a response violates V4-ROOT: the id is {each}") for each in "AB"]
    [cause] = blockers(results(failed("V4-ROOT", "x1"), *gaps, exchanges={"x1": (SEARCH, 200, "")}), ())
    assert (cause.rules, cause.blocked) == (("V4-ROOT",), ("V4-A", "V4-B"))


def test_what_a_waived_violation_blocks_is_still_untested() -> None:
    rules = failed("V4-ROOT", "x1"), blocked("V4-A", "x1")
    [cause] = blockers(results(*rules, exchanges={"x1": (SEARCH, 500, "")}), {"V4-ROOT"})
    assert (cause.cause, cause.rules, cause.blocked) == ("untested", ("V4-A",), ())
