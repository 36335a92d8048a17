"""What happened in one scenario, and the verdict that follows. This module does not depend on pytest."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from airworthy.contract.applications import Applications
from airworthy.contract.exchange import Exchange
from airworthy.contract.finding import Finding
from airworthy.errors import AirworthyError, StorageError, TargetError
from airworthy.report.results import (
    Failure,
    FindingCount,
    Observation,
    ScenarioResult,
    Verdict,
    count_findings,
    failure_of,
    weigh,
)
from airworthy.suite.outcomes import Broken, NotApplicable, PrerequisiteBroken, Untested, Warn
from airworthy.target.ageing import AgeingRecord, NotAgedError
from airworthy.target.client import InconclusiveError
from airworthy.target.ledger import LiveBookingError


@dataclass
class Capture:
    """The exchanges of one scenario (bounded by its length), what the contract found in them, and what steps noted.

    ``rules`` are those that the scenario checks; ``expected`` those of wrong requests that it announced. ``needs`` are
    the capabilities that the target is taken to have for it, each as often as it was needed. ``earlier``
    are the session's violations so far, ``unjudged`` a response that could not be judged, if there was one, and
    ``at_fault`` the exchanges with violations, by id: what the scenario depends on may have happened before it.
    ``mistaken`` has what the suite sent wrong without meaning to so far, by exchange id.
    ``applied`` says how often the contract applied each rule
    to something, ``compared`` how many comparisons the steps made, and ``by_contract`` whether a step relies on the
    contract alone.
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
    earlier: list[Finding] = field(default_factory=list)
    unjudged: list[Finding] = field(default_factory=list)
    at_fault: dict[str, Exchange] = field(default_factory=dict)
    mistaken: dict[str, Finding] = field(default_factory=dict)
    applied: Applications = field(default_factory=Applications)
    compared: int = 0
    by_contract: bool = False

    def exchange(self, identifier: str) -> Exchange | None:
        """Return an exchange of the scenario, or an earlier one that is at fault."""
        own = next((each for each in self.exchanges if each.id == identifier), None)
        return own or self.at_fault.get(identifier)

    @property
    def held(self) -> list[Finding]:
        """What the contract holds against the service."""
        return [finding for finding in self.findings if finding.side == "response"]

    @property
    def mistakes(self) -> list[Finding]:
        """What the suite sent wrong without meaning to: neither by the scenario's rule nor announced."""
        return self.unmeant(self.findings)

    def unmeant(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return those findings in requests that neither the scenario's rule nor an announcement explains."""
        meant = self.rules | self.expected
        return [
            finding
            for finding in findings
            if finding.side == "request" and finding.rule not in meant and weigh(finding) == "failed"
        ]

    @property
    def violations(self) -> list[Finding]:
        """What breaks a rule for certain."""
        return [finding for finding in self.held if weigh(finding) == "failed"]


@dataclass(frozen=True)
class Record:
    """What one scenario leaves for the results: its rules, its own result, all that is held against the service.

    ``needs`` are the capabilities that it needed, ``aged`` what it waited for, or moved the clock for.
    ``applied``, ``compared`` and ``by_contract`` as in `Capture`.
    """

    test: str
    rules: tuple[str, ...]
    result: ScenarioResult
    findings: tuple[FindingCount, ...] = ()
    observations: tuple[Observation, ...] = ()
    needs: tuple[str, ...] = ()
    aged: tuple[AgeingRecord, ...] = ()
    applied: Mapping[str, int] = field(default_factory=dict)
    compared: int = 0
    by_contract: bool = False


def conclude(capture: Capture, error: BaseException | None, test: str, duration: float) -> Record:
    """Return what a scenario comes to, by how it ended (``error``: what was raised, None at its end).

    A wrong request that nobody announced makes the check itself worthless (``error``), whatever came back. What the
    service breaks fails the scenario where it is its own rule; another rule's breach is left to that rule.
    """
    blamed = _blame(capture, error)
    held = [*capture.held, *blamed]
    verdict, reason, failure = _excused(capture, *_weighed(capture, error, held))
    result = ScenarioResult(
        name=capture.scenario,
        verdict=verdict,
        reason=reason,
        duration=duration,
        http_seconds=sum(exchange.elapsed for exchange in capture.exchanges),
        exchanges=tuple(exchange.id for exchange in capture.exchanges),
        findings=tuple(counted.finding for counted in count_findings(held)),
        failure=replace(failure, steps=tuple(capture.steps)) if failure else None,
    )
    rules = tuple(sorted(capture.rules))
    needs = tuple(sorted(set(capture.needs)))
    return Record(
        test,
        rules,
        result,
        count_findings(held),
        tuple(capture.observations),
        needs,
        applied={rule: count for rule, count in capture.applied.items() if count},
        compared=capture.compared,
        by_contract=capture.by_contract,
    )


def _blame(capture: Capture, error: BaseException | None) -> list[Finding]:
    """Return the finding that a broken prerequisite makes, unless its cause is already known."""
    if not isinstance(error, PrerequisiteBroken) or _mistake(capture, error) or _cause(capture, error):
        return []
    broken = error.broken
    blame = Finding(
        rule=error.rule,
        kind="violation",
        side="response",
        pointer=broken.pointer,
        message=error.reason,
        expected=broken.expected,
        actual=broken.actual,
        exchange=broken.exchange.id if broken.exchange else (capture.exchanges[-1].id if capture.exchanges else ""),
    )
    return [blame]


def _mistake(capture: Capture, error: BaseException | None) -> Finding | None:
    """Return what the suite sent wrong: in the scenario, else in the earlier request that broke its prerequisite."""
    exchange = error.broken.exchange if isinstance(error, PrerequisiteBroken) else None
    return next(iter(capture.mistakes), None) or (capture.mistaken.get(exchange.id) if exchange else None)


def _cause(capture: Capture, error: BaseException) -> Finding | None:
    """Return the violation that a step has stumbled over: in the exchange that it names, else in the scenario's."""
    exchange = error.broken.exchange if isinstance(error, PrerequisiteBroken) else None
    if exchange is None:
        return next(iter(capture.violations), None)
    return next((each for each in (*capture.violations, *capture.earlier) if each.exchange == exchange.id), None)


Weighed = tuple[Verdict, str, Failure | None]

_SAID: tuple[tuple[tuple[type[BaseException], ...], Verdict], ...] = (
    ((AssertionError,), "failed"),
    ((NotApplicable,), "not_applicable"),
    ((Warn,), "warning"),
    ((Untested, InconclusiveError, LiveBookingError, NotAgedError, TargetError, StorageError), "untested"),
    ((AirworthyError,), "error"),
)


def _weighed(capture: Capture, error: BaseException | None, held: Sequence[Finding]) -> Weighed:
    if mistake := _mistake(capture, error):
        reason = f"the suite sent a request that violates {mistake.rule}"
        return "error", reason, replace(failure_of(mistake), message=f"{reason}: {mistake.message}")
    own = [finding for finding in held if finding.rule in capture.rules]
    failed = next((finding for finding in own if weigh(finding) == "failed"), None)
    if error is None:
        return _ended(capture, own, failed)
    for kinds, verdict in _SAID:
        if isinstance(error, kinds):
            return _said(verdict, error)
    if failed:
        return "failed", failed.message, failure_of(failed)
    return _stumbled(capture, error)


def _excused(capture: Capture, verdict: Verdict, reason: str, failure: Failure | None) -> Weighed:
    """Turn an error into ``untested`` if the target has misbehaved: then it is not known to be the suite's."""
    misbehaved = next(chain(capture.violations, capture.earlier, capture.unjudged), None)
    if verdict != "error" or misbehaved is None:
        return verdict, reason, failure
    is_unjudged = weigh(misbehaved) == "untested"
    cause = "a response could not be judged" if is_unjudged else f"a response violates {misbehaved.rule}"
    return "untested", f"{reason}, but {cause}: {misbehaved.message}", None


def _ended(capture: Capture, own: Iterable[Finding], failed: Finding | None) -> Weighed:
    if failed:
        return "failed", failed.message, failure_of(failed)
    lesser: tuple[Verdict, ...] = ("untested", "warning")
    for verdict in lesser:
        found = next((finding for finding in own if weigh(finding) == verdict), None)
        if found:
            return verdict, found.message, failure_of(found)
    if capture.warnings:
        return "warning", capture.warnings[0].message, capture.warnings[0]
    return "passed", "", None


def _said(verdict: Verdict, error: BaseException) -> Weighed:
    reason = str(error).partition("\n")[0]
    if isinstance(error, Broken):
        where = error.exchange.id if error.exchange else ""
        side = error.side if where else ""
        return verdict, reason, Failure(error.message, error.expected, error.actual, side, error.pointer, where)
    if isinstance(error, Warn):
        return verdict, reason, Failure(error.message, exchange=error.exchange.id if error.exchange else "")
    return verdict, reason, Failure(str(error)) if verdict in ("failed", "error") else None


def _stumbled(capture: Capture, error: BaseException) -> Weighed:
    """Weigh what was raised by a step that stood on something broken."""
    cause = _cause(capture, error)
    if isinstance(error, PrerequisiteBroken):
        return "untested", f"{error.reason} ({cause.rule if cause else error.rule})", None
    if cause:
        # The step could not read the answer, and the contract says why: the answer is at fault, not the suite.
        return "untested", f"a response violates {cause.rule}: {cause.message}", None
    text = f"{type(error).__name__}: {error}"
    return "error", text, Failure(text)
