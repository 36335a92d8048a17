"""The capture of one scenario and the verdict that follows from it. This module does not depend on pytest."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from airworthy.contract.bodies.applications import Applications
from airworthy.contract.findings.finding import Finding
from airworthy.contract.findings.root_causes import NOT_OF_THE_SERVICE
from airworthy.contract.http.exchange import Exchange
from airworthy.contract.life_cycles import Step
from airworthy.errors import AirworthyError, StorageError, TargetError
from airworthy.report.exploration import Explored
from airworthy.report.results import (
    Basis,
    Failure,
    FindingCount,
    Observation,
    ScenarioResult,
    Verdict,
    count_findings,
    failure_of,
    weigh,
)
from airworthy.suite.outcomes import ExpectationError, NotApplicable, PrerequisiteFailed, UnexpectedError, Untested
from airworthy.target.ageing import NotAgedError
from airworthy.target.client import InconclusiveError
from airworthy.target.ledger import LiveBookingError
from airworthy.target.records import Wait
from airworthy.target.retries import is_throttled


@dataclass
class Capture:
    """The exchanges of one scenario, the findings in them, and what the steps recorded.

    Attributes:
        rules: the rules that the scenario checks.
        expected: the rules that its requests violate on purpose.
        needs: the capabilities that it needs, with repetitions.
        earlier_violations: the violations of the session so far, because a scenario may depend on earlier ones.
        unjudged: the first response of the session that could not be judged.
        violating_exchanges: the exchanges of the earlier violations, by id.
        mistaken_requests: the violations in the suite's own requests that no step announced, by exchange id.
        applied: how often the contract applied each rule.
        taken: the steps that the exchanges took in the life cycles.
        explores: whether it is an exploration, whose requests may violate any rule on purpose.
        compared: the number of comparisons in the steps.
        relies_on_contract: whether a step leaves the check to the contract.
        is_at_last_step: whether no step follows the running one.
    """

    scenario: str
    rules: frozenset[str] = frozenset()
    expected: set[str] = field(default_factory=set)
    exchanges: list[Exchange] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    warnings: list[Failure] = field(default_factory=list)
    observations: list[Observation] = field(default_factory=list)
    needs: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    earlier_violations: list[Finding] = field(default_factory=list)
    unjudged: list[Finding] = field(default_factory=list)
    violating_exchanges: dict[str, Exchange] = field(default_factory=dict)
    mistaken_requests: dict[str, Finding] = field(default_factory=dict)
    applied: Applications = field(default_factory=Applications)
    taken: list[Step] = field(default_factory=list)
    explores: bool = False
    compared: int = 0
    relies_on_contract: bool = False
    is_at_last_step: bool = False

    def observe(self, open_id: str, question: str, value: object, exchange: Exchange | None = None) -> None:
        """Record how the service resolves an open question."""
        self.observations.append(Observation(open_id, question, str(value), exchange.id if exchange else ""))

    def warn(self, message: str, exchange: Exchange | None = None) -> None:
        """Record that a soft check failed. The scenario continues."""
        self.warnings.append(Failure(message, exchange=exchange.id if exchange else ""))

    def exchange(self, identifier: str) -> Exchange | None:
        """Return an exchange of the scenario, or an earlier one with a violation; None if it is neither."""
        own = next((each for each in self.exchanges if each.id == identifier), None)
        return own or self.violating_exchanges.get(identifier)

    @property
    def response_findings(self) -> list[Finding]:
        """The findings about the service's responses."""
        return [finding for finding in self.findings if finding.side == "response"]

    def unexpected_among(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return those findings that are violations in the suite's own requests that no step announced."""
        if self.explores:
            return []
        intended = self.rules | self.expected
        return [
            finding
            for finding in findings
            if finding.side == "request" and finding.rule not in intended and weigh(finding) == "failed"
        ]

    @property
    def transitions(self) -> Counter[str]:
        """How often each transition of a life cycle was taken, by its name."""
        return Counter(each.life_cycle.name(each.transition) for each in self.taken if each.transition)

    @property
    def violations(self) -> list[Finding]:
        """The findings that fail a rule."""
        return [finding for finding in self.response_findings if weigh(finding) == "failed"]


@dataclass(frozen=True)
class Record:
    """The contribution of one scenario to the results: its rules, its result, and the findings about the service.

    ``needs`` are the capabilities that it needs, ``aged`` the items that it waited for or advanced the clock for.
    ``applied`` and ``transitions`` are as in `Capture`. ``throttled`` is how many of its requests the target throttled.
    ``explored`` is set for an exploration.
    """

    test: str
    rules: tuple[str, ...]
    result: ScenarioResult
    findings: tuple[FindingCount, ...] = ()
    observations: tuple[Observation, ...] = ()
    needs: tuple[str, ...] = ()
    aged: tuple[Wait, ...] = ()
    applied: Mapping[str, int] = field(default_factory=dict)
    transitions: Mapping[str, int] = field(default_factory=dict)
    explored: Explored | None = None
    throttled: int = 0


def count_reactions(exchange: Exchange, findings: Iterable[Finding], applied: Applications) -> None:
    """Count the rule that a request violates alone: the response shows whether the service keeps it."""
    response = exchange.response
    violated = {each.rule for each in findings if each.side == "request" and weigh(each) == "failed"}
    if response is not None and response.status not in NOT_OF_THE_SERVICE and len(violated) == 1:
        applied.update(violated)


def conclude(capture: Capture, error: BaseException | None, test: str, duration: float) -> Record:
    """Return the record of a scenario that ended with ``error``, the exception that was raised, or None.

    If a request of the suite violates a rule and no step announced it, the verdict is ``error``, whatever the response.
    A violation by the service fails the scenario only if it is of the scenario's own rule.
    """
    made = _prerequisite_findings(capture, error)
    findings = [*capture.response_findings, *made]
    verdict, reason, failure = _excuse_suite(capture, *_verdict(capture, error, findings))
    root = next(iter(made), None) or _root(capture, error)
    result = ScenarioResult(
        name=capture.scenario,
        verdict=verdict,
        reason=reason,
        duration=duration,
        http_seconds=sum(exchange.elapsed for exchange in capture.exchanges),
        exchanges=tuple(exchange.id for exchange in capture.exchanges),
        findings=tuple(counted.finding for counted in count_findings(findings)),
        failure=replace(failure, steps=tuple(capture.steps)) if failure else None,
        root=root if verdict == "untested" else None,
        basis=_basis(capture, error, verdict),
        compared=capture.compared,
        relies_on_contract=capture.relies_on_contract,
    )
    return Record(
        test,
        rules=tuple(sorted(capture.rules)),
        result=result,
        findings=count_findings(findings),
        observations=tuple(capture.observations),
        needs=tuple(sorted(set(capture.needs))),
        applied={rule: count for rule, count in capture.applied.items() if count},
        transitions=capture.transitions,
        throttled=sum(is_throttled(exchange.response) for exchange in capture.exchanges),
    )


def _prerequisite_findings(capture: Capture, error: BaseException | None) -> list[Finding]:
    """Return the finding that a failed prerequisite makes, unless the contract has already found its root cause."""
    if not isinstance(error, PrerequisiteFailed) or _mistake(capture, error) or _root_cause(capture, error):
        return []
    return [violation_of(error, capture)]


def violation_of(error: PrerequisiteFailed, capture: Capture) -> Finding:
    """Return a failed prerequisite as a violation of its rule."""
    expectation = error.expectation
    return Finding(
        rule=error.rule,
        kind="violation",
        side="response",
        pointer=expectation.pointer,
        message=error.reason,
        expected=expectation.expected,
        actual=expectation.actual,
        exchange=next((each.id for each in (expectation.exchange, *capture.exchanges[-1:]) if each), ""),
    )


def _basis(capture: Capture, error: BaseException | None, verdict: Verdict) -> Basis:
    """Return what the verdict follows from: whoever judges the evidence again cannot execute a step again."""
    if _states_finding(capture, error):
        return "findings" if capture.is_at_last_step else "interrupted"
    if _mistake(capture, error) or isinstance(error, _OUTCOMES):
        return "step"
    if error is None:
        return "step" if capture.warnings and verdict == "warning" else "findings"
    return "interrupted" if _root_cause(capture, error) else "step"


def _states_finding(capture: Capture, error: BaseException | None) -> bool:
    """Return whether the expectation of a step failed because of a violation that the contract found."""
    if not isinstance(error, ExpectationError) or _mistake(capture, error):
        return False
    found = (*capture.violations, *capture.earlier_violations)
    return any(each.message == error.message and each.rule in capture.rules for each in found)


def _mistake(capture: Capture, error: BaseException | None) -> Finding | None:
    """Return the violation in a request of the suite: of the scenario, else of the one that a prerequisite names."""
    exchange = error.expectation.exchange if isinstance(error, PrerequisiteFailed) else None
    own = next(iter(capture.unexpected_among(capture.findings)), None)
    return own or (capture.mistaken_requests.get(exchange.id) if exchange else None)


def _root_cause(capture: Capture, error: BaseException) -> Finding | None:
    """Return the violation that explains the error of a step, or None.

    If the error names an exchange, it is a violation in that exchange, otherwise the first one of the scenario. The
    body of a rejection does not explain the rejection.
    """
    expectation = error.expectation if isinstance(error, PrerequisiteFailed) else None
    if expectation is None or expectation.exchange is None:
        return next(iter(capture.violations), None)
    found = (
        each
        for each in (*capture.violations, *capture.earlier_violations)
        if each.exchange == expectation.exchange.id and (expectation.pointer != "status" or each.pointer == "status")
    )
    return next(found, None)


def _root(capture: Capture, error: BaseException | None) -> Finding | None:
    """Return the violation, or the response that cannot be judged, because of which a scenario ended early."""
    if error is None or isinstance(error, NotAgedError | Untested):
        return None
    last = next(reversed(capture.exchanges), None)
    if isinstance(error, InconclusiveError | TargetError) and last:
        is_cause = last.response is None or last.response.status in NOT_OF_THE_SERVICE
        message = str(error).partition("\n")[0]
        return Finding("", "unreadable", "response", "status", message, "", "", last.id) if is_cause else None
    return _root_cause(capture, error)


Conclusion = tuple[Verdict, str, Failure | None]

_VERDICT_BY_ERROR: tuple[tuple[tuple[type[BaseException], ...], Verdict], ...] = (
    ((AssertionError,), "failed"),
    ((NotApplicable,), "not_applicable"),
    ((Untested, InconclusiveError, LiveBookingError, NotAgedError, TargetError, StorageError), "untested"),
    ((AirworthyError,), "error"),
)

_OUTCOMES = tuple(each for types, _ in _VERDICT_BY_ERROR for each in types)
_OF_FINDINGS: tuple[Verdict, ...] = ("failed", "untested", "warning")


def _verdict(capture: Capture, error: BaseException | None, findings: Sequence[Finding]) -> Conclusion:
    if finding := _mistake(capture, error):
        reason = f"the suite sent a request that violates {finding.rule}"
        return "error", reason, replace(failure_of(finding), message=f"{reason}: {finding.message}")
    for types, verdict in _VERDICT_BY_ERROR:
        if isinstance(error, types):
            return _verdict_of_outcome(verdict, error)
    own = {weigh(finding): finding for finding in reversed(findings) if finding.rule in capture.rules}
    # Steps that ended too early show a violation, and nothing else.
    for verdict in _OF_FINDINGS if error is None else _OF_FINDINGS[:1]:
        if verdict in own:
            return verdict, own[verdict].message, failure_of(own[verdict])
    if error is not None:
        return _verdict_of_step_error(capture, error)
    if capture.warnings:
        return "warning", capture.warnings[0].message, capture.warnings[0]
    return "passed", "", None


def _excuse_suite(capture: Capture, verdict: Verdict, reason: str, failure: Failure | None) -> Conclusion:
    """Turn ``error`` into ``untested`` if the target violated a rule before: then the target may be the cause."""
    finding = next(chain(capture.violations, capture.earlier_violations, capture.unjudged), None)
    if verdict != "error" or finding is None:
        return verdict, reason, failure
    is_unjudged = weigh(finding) == "untested"
    cause = "a response could not be judged" if is_unjudged else f"a response violates {finding.rule}"
    return "untested", f"{reason}, but {cause}: {finding.message}", None


def _verdict_of_outcome(verdict: Verdict, error: BaseException) -> Conclusion:
    failure = Failure(str(error)) if verdict in ("failed", "error") else None
    if isinstance(error, ExpectationError):
        failure = Failure(error.message, error.expected, error.actual, pointer=error.pointer)
        if error.exchange:
            failure = replace(failure, side="response", exchange=error.exchange.id)
    return verdict, str(error).partition("\n")[0], failure


def _verdict_of_step_error(capture: Capture, error: BaseException) -> Conclusion:
    cause = _root_cause(capture, error)
    if isinstance(error, PrerequisiteFailed):
        return "untested", f"{error.reason} ({cause.rule if cause else error.rule})", None
    if cause:
        # The violation explains why the step failed, so this is not an error of the suite.
        return "untested", f"a response violates {cause.rule}: {cause.message}", None
    text = str(error) if isinstance(error, UnexpectedError) else type(error).__name__
    return "error", text, Failure(text)
