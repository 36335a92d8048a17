"""The verdict of a scenario."""

import json
from dataclasses import asdict, replace

import pytest

from airworthy.contract.bodies.applications import Applications
from airworthy.contract.findings.finding import Finding, Kind, Side
from airworthy.contract.http.exchange import Exchange, Response
from airworthy.report.document import build
from airworthy.report.results import Failure, Verdict
from airworthy.suite.capture import Capture, Record, conclude, count_reactions
from airworthy.suite.outcomes import ExpectationError, NotApplicable, PrerequisiteFailed, Untested, expect, prerequisite
from airworthy.target.ageing import NotAgedError
from airworthy.target.client import InconclusiveError
from airworthy.target.ledger import LiveBookingError
from airworthy.target.transport import ExchangeError
from unit.evidence.stub import exchange

OWN, OTHER = "V4-OWN", "V4-OTHER"
EXCHANGE = replace(exchange(None, b""), elapsed=0.25)


def _finding(rule: str, kind: Kind = "violation", side: Side = "response", *, soft: bool = False) -> Finding:
    return Finding(rule, kind, side, "/status", f"{rule} is violated", "OPEN", "OPENED", EXCHANGE.id, soft=soft)


def _capture(*findings: Finding) -> Capture:
    return Capture("A scenario", frozenset({OWN}), exchanges=[EXCHANGE], findings=list(findings), steps=["Given x"])


@pytest.mark.parametrize(
    ("findings", "response", "counted"),
    [
        ([_finding(OWN, side="request")], Response(400), {OWN: 1}),
        ([_finding(OWN, side="request"), _finding(OTHER, side="request")], Response(400), {}),
        ([_finding(OWN, side="request", soft=True)], Response(400), {}),
        ([_finding(OWN, side="request")], Response(429), {}),
        ([_finding(OWN, side="request")], None, {}),
        ([_finding(OWN)], Response(200), {}),
    ],
)
def test_response_to_a_request_that_violates_one_rule_examines_that_rule(
    findings: list[Finding], response: Response | None, counted: dict[str, int]
) -> None:
    applied = Applications()
    count_reactions(replace(EXCHANGE, response=response), findings, applied)
    assert applied == counted


@pytest.mark.parametrize(
    ("error", "verdict", "reason"),
    [
        (None, "passed", ""),
        (ExpectationError("no", expected=1, actual=2), "failed", "no"),
        (AssertionError("assert 1 == 2\n +  where"), "failed", "assert 1 == 2"),
        (NotApplicable("no bags"), "not_applicable", "no bags"),
        (Untested("no route"), "untested", "no route"),
        (InconclusiveError("throttled"), "untested", "throttled"),
        (NotAgedError("too long"), "untested", "too long"),
        (LiveBookingError(), "untested", "the profile is for a production environment"),
        (ExchangeError("timeout", "GET /x: hangs"), "untested", "GET /x: hangs"),
        (KeyError("id"), "error", "KeyError"),
    ],
)
def test_exception_of_a_step_determines_the_verdict(error: Exception | None, verdict: Verdict, reason: str) -> None:
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
def test_verdict_for_a_finding_depends_on_its_rule_and_side(finding: Finding, verdict: Verdict) -> None:
    record = conclude(_capture(finding), None, "test", 0)
    assert record.result.verdict == verdict
    assert len(record.findings) == (finding.side == "response")
    if verdict == "error":
        # It overrides a failure.
        assert conclude(_capture(finding), ExpectationError("no"), "test", 0).result.verdict == "error"
    if verdict == "failed":
        assert record.result.failure is not None
        assert record.result.failure.steps == ("Given x",)


def _prerequisite(rule: str, exchange: Exchange | None = EXCHANGE) -> PrerequisiteFailed:
    with pytest.raises(PrerequisiteFailed) as caught, prerequisite("no offer was stored", rule=rule, exchange=exchange):
        expect(
            False,
            "the offer must be stored",
            expected="status 200",
            actual="status 500",
            pointer="status",
            exchange=exchange,
        )
    return caught.value


def test_failed_prerequisite_counts_as_a_violation_of_its_rule() -> None:
    record = conclude(_capture(), _prerequisite(OTHER), "test", 0)
    assert record.result.verdict == "untested"
    assert record.result.reason == "no offer was stored: the offer must be stored (V4-OTHER)"
    (blame,) = record.findings
    assert (blame.finding.rule, blame.finding.kind, blame.finding.actual) == (OTHER, "violation", "status 500")
    assert conclude(_capture(), _prerequisite(OWN), "test", 0).result.verdict == "failed"


@pytest.mark.parametrize("where", ["findings", "earlier_violations"])
@pytest.mark.parametrize(("pointer", "violated"), [("status", "V4-CAUSE"), ("/message", OTHER)])
def test_finding_explains_a_wrong_status_only_if_it_is_about_the_status(
    where: str, pointer: str, violated: str
) -> None:
    capture = _capture()
    getattr(capture, where).append(replace(_finding("V4-CAUSE"), pointer=pointer))
    result = conclude(capture, _prerequisite(OTHER), "test", 0).result
    assert result.verdict == "untested"
    assert result.reason.endswith(f"({violated})")
    assert result.root is not None
    assert (result.root.rule, result.root.exchange) == (violated, EXCHANGE.id)
    assert (OTHER in {each.rule for each in result.findings}) == (violated == OTHER)


def test_prerequisite_converts_missing_members_but_not_outcomes_and_target_errors() -> None:
    with pytest.raises(PrerequisiteFailed, match="no bags"), prerequisite("no bags", rule=OWN):
        _ = dict[str, object]()["fareBaggageOptions"]
    with pytest.raises(Untested), prerequisite("no bags", rule=OWN):
        raise Untested("no route")
    with pytest.raises(ExchangeError), prerequisite("no bags", rule=OWN):
        raise ExchangeError("timeout", "hangs")


def test_step_error_after_a_violation_is_untested() -> None:
    result = conclude(_capture(_finding("V4-CAUSE")), KeyError("id"), "test", 0).result
    assert result.verdict == "untested"
    assert result.reason == "a response violates V4-CAUSE: V4-CAUSE is violated"
    assert conclude(_capture(_finding(OWN)), KeyError("id"), "test", 0).result.verdict == "failed"


def test_record_survives_serialization() -> None:
    capture = _capture(_finding(OWN))
    capture.needs += ["infants", "card", "infants"]
    record = conclude(capture, ExpectationError("no", expected="a", exchange=EXCHANGE), "test", 0.5)
    assert record.needs == ("card", "infants")
    assert build(Record, json.loads(json.dumps(asdict(record)))) == record


@pytest.mark.parametrize("kind", ["violation", "unreadable"])
@pytest.mark.parametrize("error", [KeyError("id"), LookupError("the contract does not find it"), None])
def test_internal_error_after_a_violation_of_the_target_is_untested(kind: Kind, error: Exception | None) -> None:
    # Without an error, the suite sent a request that violates a rule.
    capture = _capture(*([] if error else [_finding(OTHER, side="request")]))
    assert conclude(capture, error, "test", 1.5).result.verdict == "error"
    (capture.earlier_violations if kind == "violation" else capture.unjudged).append(_finding(OTHER, kind))
    result = conclude(capture, error, "test", 1.5).result
    assert (result.verdict, result.failure) == ("untested", None)
    assert f"{OTHER} is violated" in result.reason


def test_service_is_not_blamed_for_rejecting_a_wrong_request_of_the_suite() -> None:
    rejected = PrerequisiteFailed("no booking", OTHER, ExpectationError("it must be accepted", exchange=EXCHANGE))
    assert [each.finding.rule for each in conclude(_capture(), rejected, "test", 1.5).findings] == [OTHER]
    own, later = _capture(_finding("V4-SENT", side="request")), _capture()
    later.mistaken_requests[EXCHANGE.id] = _finding("V4-SENT", side="request")
    for capture in (own, later):
        assert conclude(capture, rejected, "test", 1.5).result.verdict == "error"
        capture.earlier_violations.append(_finding("V4-CAUSE"))
        record = conclude(capture, rejected, "test", 1.5)
        assert (record.result.verdict, record.findings) == ("untested", ())
        assert "V4-CAUSE is violated" in record.result.reason


@pytest.mark.parametrize(
    ("findings", "error", "at_last_step", "basis"),
    [
        ([], None, True, "findings"),
        ([_finding(OWN)], None, True, "findings"),
        ([_finding(OWN)], ExpectationError(f"{OWN} is violated"), True, "findings"),
        ([_finding(OWN)], ExpectationError(f"{OWN} is violated"), False, "interrupted"),
        ([_finding(OWN)], KeyError("id"), False, "interrupted"),
        ([_finding(OTHER)], KeyError("id"), False, "interrupted"),
        ([_finding(OTHER)], PrerequisiteFailed("none", OTHER, ExpectationError("none")), False, "interrupted"),
        ([], PrerequisiteFailed("none", OTHER, ExpectationError("none")), False, "step"),
        ([_finding(OTHER)], ExpectationError("no"), True, "step"),
        ([], Untested("no route"), False, "step"),
        ([], KeyError("id"), False, "step"),
        ([_finding(OTHER, side="request")], None, True, "step"),
    ],
)
def test_basis_says_whether_a_step_gave_the_verdict(
    findings: list[Finding], error: Exception | None, at_last_step: bool, basis: str
) -> None:
    capture = _capture(*findings)
    capture.is_at_last_step = at_last_step
    assert conclude(capture, error, "test", 0).result.basis == basis
    if not findings and error is None:
        capture.warnings.append(Failure("odd"))
        assert conclude(capture, error, "test", 0).result.basis == "step"
