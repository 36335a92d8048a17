"""How a scenario's end becomes a verdict."""

import json
from dataclasses import asdict
from datetime import UTC, datetime

import pytest

from airworthy.contract.exchange import Exchange, Request, Response
from airworthy.contract.finding import Finding, Kind, Side
from airworthy.report.document import build
from airworthy.report.results import Verdict
from airworthy.suite.capture import Capture, Record, conclude
from airworthy.suite.outcomes import (
    Broken,
    NotApplicable,
    PrerequisiteBroken,
    Untested,
    Warn,
    expect,
    prerequisite,
)
from airworthy.target.ageing import NotAgedError
from airworthy.target.client import InconclusiveError
from airworthy.target.ledger import LiveBookingError
from airworthy.target.transport import ExchangeError

OWN, OTHER = "V4-OWN", "V4-OTHER"
EXCHANGE = Exchange(
    "x0001", datetime(2026, 11, 3, tzinfo=UTC), 0.25, Request("GET", "https://x.example/v4/order/1"), Response(200)
)


def _finding(rule: str, kind: Kind = "violation", side: Side = "response", *, soft: bool = False) -> Finding:
    return Finding(rule, kind, side, "/status", f"{rule} is broken", "OPEN", "OPENED", EXCHANGE.id, soft=soft)


def _capture(*findings: Finding) -> Capture:
    return Capture("A scenario", frozenset({OWN}), exchanges=[EXCHANGE], findings=list(findings), steps=["Given x"])


@pytest.mark.parametrize(
    ("error", "verdict", "reason"),
    [
        (None, "passed", ""),
        (Broken("no", expected=1, actual=2), "failed", "no"),
        (AssertionError("assert 1 == 2\n +  where"), "failed", "assert 1 == 2"),
        (NotApplicable("no bags"), "not_applicable", "no bags"),
        (Warn("odd"), "warning", "odd"),
        (Untested("no route"), "untested", "no route"),
        (InconclusiveError("throttled"), "untested", "throttled"),
        (NotAgedError("too long"), "untested", "too long"),
        (LiveBookingError(), "untested", "the profile is for a production environment"),
        (ExchangeError("timeout", "GET /x: hangs"), "untested", "GET /x: hangs"),
        (KeyError("id"), "error", "KeyError: 'id'"),
    ],
)
def test_what_a_step_raises_is_the_verdict(error: Exception | None, verdict: Verdict, reason: str) -> None:
    result = conclude(_capture(), error, "test", 1.5).result
    assert result.verdict == verdict
    assert result.reason.startswith(reason)
    assert (result.duration, result.http_seconds, result.exchanges) == (1.5, 0.25, ("x0001",))


@pytest.mark.parametrize(
    ("finding", "verdict"),
    [
        (_finding(OWN), "failed"),
        (_finding(OWN, soft=True), "warning"),
        (_finding(OWN, "unreadable"), "untested"),
        (_finding(OTHER), "passed"),
        (_finding(OWN, side="request"), "passed"),
        (_finding(OTHER, side="request"), "error"),
        (_finding(OTHER, side="request", soft=True), "passed"),
    ],
)
def test_what_the_contract_finds_is_weighed_by_whose_rule_it_is(finding: Finding, verdict: Verdict) -> None:
    record = conclude(_capture(finding), None, "test", 0)
    assert record.result.verdict == verdict
    assert len(record.findings) == (finding.side == "response")
    if verdict == "failed":
        assert record.result.failure is not None
        assert record.result.failure.steps == ("Given x",)


def test_a_wrong_request_can_be_announced() -> None:
    capture = _capture(_finding(OTHER, side="request"))
    capture.expected.add(OTHER)
    assert conclude(capture, None, "test", 0).result.verdict == "passed"


def test_a_wrong_request_that_nobody_announced_makes_a_failure_worthless() -> None:
    capture = _capture(_finding(OTHER, side="request"))
    assert conclude(capture, Broken("no"), "test", 0).result.verdict == "error"


def test_the_same_root_cause_is_counted_once() -> None:
    record = conclude(_capture(_finding(OTHER), _finding(OTHER)), None, "test", 0)
    assert [(each.finding.rule, each.count) for each in record.findings] == [(OTHER, 2)]


def _prerequisite(rule: str, exchange: Exchange | None = EXCHANGE) -> PrerequisiteBroken:
    with pytest.raises(PrerequisiteBroken) as caught, prerequisite("no offer was stored", rule=rule, exchange=exchange):
        expect(False, "it is answered", expected="status 200", actual="status 500", pointer="status", exchange=exchange)
    return caught.value


def test_a_broken_prerequisite_counts_against_the_rule_that_owns_it() -> None:
    record = conclude(_capture(), _prerequisite(OTHER), "test", 0)
    assert record.result.verdict == "untested"
    assert record.result.reason == "no offer was stored: it is answered (V4-OTHER)"
    (blame,) = record.findings
    assert (blame.finding.rule, blame.finding.kind, blame.finding.actual) == (OTHER, "violation", "status 500")


def test_a_broken_prerequisite_of_the_own_rule_fails() -> None:
    assert conclude(_capture(), _prerequisite(OWN), "test", 0).result.verdict == "failed"


@pytest.mark.parametrize("where", ["findings", "earlier"])
def test_a_broken_prerequisite_that_the_contract_explains_blames_nobody_else(where: str) -> None:
    capture = _capture()
    getattr(capture, where).append(_finding("V4-CAUSE"))
    record = conclude(capture, _prerequisite(OTHER), "test", 0)
    assert record.result.verdict == "untested"
    assert "V4-CAUSE" in record.result.reason
    assert OTHER not in {each.finding.rule for each in record.findings}


def test_an_unreadable_answer_is_a_broken_prerequisite_and_outcomes_go_through() -> None:
    with pytest.raises(PrerequisiteBroken, match="no bags"), prerequisite("no bags", rule=OWN):
        _ = dict[str, object]()["fareBaggageOptions"]
    with pytest.raises(Untested), prerequisite("no bags", rule=OWN):
        raise Untested("no route")
    with pytest.raises(ExchangeError), prerequisite("no bags", rule=OWN):
        raise ExchangeError("timeout", "hangs")


def test_a_step_that_stumbles_over_a_broken_answer_is_not_the_suites_fault() -> None:
    result = conclude(_capture(_finding("V4-CAUSE")), KeyError("id"), "test", 0).result
    assert result.verdict == "untested"
    assert result.reason == "a response violates V4-CAUSE: V4-CAUSE is broken"
    assert conclude(_capture(_finding(OWN)), KeyError("id"), "test", 0).result.verdict == "failed"


def test_a_record_travels_between_processes() -> None:
    capture = _capture(_finding(OWN))
    capture.needs += ["infants", "card", "infants"]
    record = conclude(capture, Broken("no", expected="a", exchange=EXCHANGE), "test", 0.5)
    assert record.needs == ("card", "infants")
    assert build(Record, json.loads(json.dumps(asdict(record)))) == record


@pytest.mark.parametrize("kind", ["violation", "unreadable"])
@pytest.mark.parametrize("error", [KeyError("id"), LookupError("the contract does not find it"), None])
def test_an_error_after_the_target_misbehaved_is_not_the_suites(kind: Kind, error: Exception | None) -> None:
    # Without an error, the suite sent a request that violates a rule.
    capture = _capture(*([] if error else [_finding(OTHER, side="request")]))
    assert conclude(capture, error, "test", 1.5).result.verdict == "error"
    (capture.earlier if kind == "violation" else capture.unjudged).append(_finding(OTHER, kind))
    result = conclude(capture, error, "test", 1.5).result
    assert (result.verdict, result.failure) == ("untested", None)
    assert f"{OTHER} is broken" in result.reason


def test_a_service_is_not_blamed_for_rejecting_a_wrong_request_of_the_suite() -> None:
    rejected = PrerequisiteBroken("no booking", OTHER, Broken("it must be accepted", exchange=EXCHANGE))
    assert [each.finding.rule for each in conclude(_capture(), rejected, "test", 1.5).findings] == [OTHER]
    own, later = _capture(_finding("V4-SENT", side="request")), _capture()
    later.mistaken[EXCHANGE.id] = _finding("V4-SENT", side="request")
    for capture in (own, later):
        assert conclude(capture, rejected, "test", 1.5).result.verdict == "error"
        capture.earlier.append(_finding("V4-CAUSE"))
        record = conclude(capture, rejected, "test", 1.5)
        assert (record.result.verdict, record.findings) == ("untested", ())
        assert "V4-CAUSE is broken" in record.result.reason
