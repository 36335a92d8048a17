"""Group what prevents a certificate by its cause, in the order in which the causes should be fixed.

One cause is one entry: an operation that fails, an operation that rejects documented requests, a violated rule, or
something that the profile lacks. What is untested because of a violation belongs to the cause of that violation.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from http import HTTPStatus
from typing import Final, Literal

from airworthy.report.exchanges import ExchangeSummary
from airworthy.report.results import Failure, Results, RuleResult, ScenarioResult, failure_of, weigh

Cause = Literal["failed", "stale waiver", "error", "untested", "filtered"]

ORDER: Final[tuple[Cause, ...]] = ("failed", "stale waiver", "error", "untested", "filtered")
MOST_BLOCKERS: Final = 5
"""The number of causes that a report describes at its end or beginning."""
_BAD_REQUEST: Final = 400
_SERVER_ERROR: Final = 500
_CHANGE: Final = re.compile(r"the client sends the request ((?:with|without) .+)")
_EXPECTS_REJECTION: Final = re.compile(r"\b4(?:xx|\d\d)\b|\b5xx\b|reject")
# A table that is not one of many is named with the key in it, as in "[v4] balance".
_SETTING: Final = re.compile(r"\[[a-z0-9_]+\](?: [a-z_]+)?|\[[a-z0-9_.]+\]|--[a-z-]+|allow_plain_http")
_PARTY: Final = re.compile(r'\d+ (?:adult|child|infant)\w*(?:,| and)? ?|; the service responds ".*')
_FINDS_NOTHING: Final = re.compile(r"(?<=\]) finds (?:no |\d+ available).*")
_ROOT: Final = re.compile(r"a response violates ([A-Z0-9]+(?:-[A-Z0-9]+)+): ")
_NAME_WITH_DIGITS: Final = re.compile(r"\S*\d\S*")
# How many parts of a rejected request are named that no accepted request has.
_MOST_PARTS: Final = 3
_PHRASES: Final[Mapping[int | None, str]] = {each.value: each.phrase for each in HTTPStatus}


@dataclass(frozen=True, slots=True)
class Blocker:
    """One cause that prevents a certificate.

    ``rules`` are the rules that it affects: the violated ones if ``cause`` is ``failed``, the most telling one first.
    ``blocked`` are the rules that are untested because of the violation. ``checks`` is the number of scenarios and
    findings that the cause explains.

    The other fields describe the first of these checks, and are empty where they do not apply: the documented
    ``operation``; the ``change`` to a request that the service had accepted, or what no accepted request contains; the
    ``step`` that sent it; what was ``expected`` and the ``actual`` value; the location (``side``, ``pointer`` and
    ``exchange``); and the ``message`` of the error response.
    """

    cause: Cause
    reason: str
    rules: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    checks: int = 1
    operation: str = ""
    change: str = ""
    step: str = ""
    expected: str = ""
    actual: str = ""
    side: Literal["request", "response", ""] = ""
    pointer: str = ""
    exchange: str = ""
    message: str = ""

    @property
    def all_rules(self) -> tuple[str, ...]:
        """The rules that are violated or untested because of this cause."""
        return (*self.rules, *self.blocked)


@dataclass(frozen=True)
class _Check:
    """A scenario or a finding that prevents a certificate.

    ``violated`` is the rule whose violation explains it, which need not be its own ``rule``. ``fault`` is the location
    of that violation, and ``is_finding`` whether the contract found it. ``unaccepted`` is the part of a rejected
    request that explains most rejections.
    """

    rule: str
    cause: Cause
    reason: str
    violated: str = ""
    fault: Failure | None = None
    is_finding: bool = False
    exchange: ExchangeSummary | None = None
    unaccepted: str = ""

    @cached_property
    def change(self) -> str:
        """The only change to a request that the service had accepted, or what it contains as no accepted one."""
        if found := _CHANGE.search(self.step):
            return found[1]
        return f"with {self.unaccepted}" if self.unaccepted else ""

    @property
    def step(self) -> str:
        """The step that sent the request; the last one if the scenario failed before."""
        steps = self.fault.steps if self.fault else ()
        return next((each for each in reversed(steps) if each.startswith("When ")), steps[-1] if steps else "")

    @property
    def expects_success(self) -> bool:
        """Whether the request is a documented one that the service must accept."""
        return self.fault is not None and not _EXPECTS_REJECTION.search(self.fault.expected)

    @property
    def is_server_error(self) -> bool:
        """Whether the service responded with a 5xx status, or not at all."""
        is_defect_of_body = self.is_finding and self.fault and self.fault.pointer not in ("", "status")
        if self.exchange is None or is_defect_of_body:
            return False
        return self.exchange.status is None or self.exchange.status >= _SERVER_ERROR

    @property
    def is_rejection(self) -> bool:
        """Whether the service rejected a documented request."""
        if self.exchange is None or self.exchange.status is None or not self.fault or self.fault.pointer != "status":
            return False
        return _BAD_REQUEST <= self.exchange.status < _SERVER_ERROR and self.expects_success

    @property
    def defect(self) -> tuple[str, ...]:
        """The wrong value in a body, which may violate several rules; empty if it is not known."""
        if self.exchange is None or not self.fault or not self.fault.pointer.startswith("/") or not self.fault.actual:
            return ()
        place = "/".join("*" if part.isdigit() else part for part in self.fault.pointer.split("/"))
        return self.exchange.operation, place, self.fault.expected, self.fault.actual

    def key(
        self, working: Collection[str], failing: Collection[str], rules: Mapping[tuple[str, ...], str]
    ) -> tuple[object, ...]:
        """Return what all checks with the same cause have in common.

        ``working`` are the operations that succeeded at least once, ``failing`` those that failed a documented request,
        ``rules`` the first rule that each defect violates.
        If an operation never succeeds, all its rejections have one cause. Otherwise they are told apart by what the
        service says, and by what was sent.
        """
        if self.cause in ("failed", "untested") and self.exchange:
            operation = self.exchange.operation
            if self.is_server_error and operation in failing:
                return operation, "fails"
            if self.is_rejection and operation not in working:
                return operation, "rejects"
            if self.is_rejection:
                said = _NAME_WITH_DIGITS.sub("#", self.exchange.message.lower())
                is_generic = said in ("", _PHRASES.get(self.exchange.status, "").lower())
                return operation, self.exchange.status, said, self.change or (self.violated if is_generic else "")
        if self.cause in ("failed", "untested") and self.violated and (self.exchange or not self.fault):
            return "violated", rules.get(self.defect, self.violated)
        return self.cause, _situation(self.reason) if self.cause == "untested" else self.reason


def blockers(results: Results, waived: Collection[str], others: Iterable[Blocker] = ()) -> tuple[Blocker, ...]:
    """Return the causes for which rules failed or are untested, and others, in the order in which to fix them.

    First come the violations, those that block the most rules first: a response may be the reason why the suite found
    nothing on a route of the profile. Then come internal errors of the suite, and gaps. ``waived`` are the rules that
    do not count.
    """
    checks = list(_all_checks(results, waived))
    working = {each.operation for each in results.operations if each.succeeded}
    failing = {
        each.exchange.operation for each in checks if each.exchange and each.is_server_error and each.expects_success
    }
    rules = {each.defect: each.violated for each in reversed(checks) if each.defect and each.violated}
    grouped: dict[tuple[object, ...], list[_Check]] = {}
    for check in _explained(checks):
        grouped.setdefault(check.key(working, failing, rules), []).append(check)
    violated = {each.rule for each in checks if each.cause == "failed"}
    found = (*(_blocker(each, violated) for each in grouped.values()), *others)
    return tuple(sorted(found, key=lambda each: (ORDER.index(each.cause), -len(each.blocked), -len(each.rules))))


def _all_checks(results: Results, waived: Collection[str]) -> Iterator[_Check]:
    exchanges = {each.id: each for each in results.exchanges}
    for rule in results.rules:
        cause = _cause(rule, is_of_partner=results.integration is not None)
        # The rules that the filter excluded are one reason, not hundreds.
        excluded = cause == "untested" and results.scope.filtered and not rule.scenarios
        # An internal error of the suite cannot be waived.
        if cause and not excluded and (cause == "error" or rule.id not in waived):
            for check in _checks(results, rule, cause):
                yield replace(check, exchange=exchanges.get(check.fault.exchange) if check.fault else None)


def _explained(checks: Iterable[_Check]) -> Iterator[_Check]:
    """Yield the checks, the rejections with the part of their request by which the fewest causes explain them all."""
    left = []
    for check in checks:
        if check.is_rejection and check.exchange and check.exchange.unaccepted:
            left.append((check, {(check.exchange.operation, each) for each in check.exchange.unaccepted}))
        else:
            yield check
    while left:
        common = Counter(part for _, parts in left for part in sorted(parts)).most_common(1)[0][0]
        explained = [each for each in left if common in each[1]]
        shared = sorted(set[tuple[str, str]].intersection(*(parts for _, parts in explained)))
        unaccepted = " and ".join(part for _, part in shared[:_MOST_PARTS])
        yield from (replace(check, unaccepted=unaccepted) for check, _ in explained)
        left = [each for each in left if common not in each[1]]


def _cause(rule: RuleResult, *, is_of_partner: bool) -> Cause | None:
    if rule.binds == "client" and not is_of_partner:
        # The suite is the client, so a violation of a client rule is an internal error.
        return "error" if rule.verdict in ("failed", "error") else None
    match rule.verdict:
        case "failed" | "error" | "untested":
            return rule.verdict
        case _:
            return None


def _checks(results: Results, rule: RuleResult, cause: Cause) -> list[_Check]:
    """Return the checks of a rule that give it its verdict, at least one."""
    checks = [_of_scenario(results, rule, each, cause) for each in rule.scenarios if each.verdict == rule.verdict]
    shown = {(check.fault.side, check.fault.pointer) for check in checks if check.fault}
    for counted in results.findings:
        found = counted.finding
        if found.rule == rule.id and weigh(found) == rule.verdict and (found.side, found.pointer) not in shown:
            fault = failure_of(found)
            checks.append(_Check(rule.id, cause, results.one_line(fault), rule.id, fault, is_finding=True))
    # Without the exchanges, which older results do not have, the first reason stands for all.
    shortened = checks if results.exchanges else checks[:1]
    return shortened or [_Check(rule.id, cause, rule.reason or rule.statement)]


def _of_scenario(results: Results, rule: RuleResult, scenario: ScenarioResult, cause: Cause) -> _Check:
    # Airworthy 0.1 stored the violation of a failed prerequisite among the findings only.
    prerequisite = (each for each in scenario.findings if each.message == scenario.reason.rpartition(" (")[0])
    if root := scenario.root or next(prerequisite, None):
        return _Check(rule.id, cause, scenario.reason, root.rule, failure_of(root))
    failure = scenario.failure
    if failure is None:
        reason = scenario.reason or rule.reason or rule.statement
        root_rule = _ROOT.search(reason)
        return _Check(rule.id, cause, reason, root_rule[1] if root_rule else "")
    # A finding says what is wrong; a step may only state its requirement.
    place = failure.exchange, failure.pointer
    own = (each for each in scenario.findings if each.rule == rule.id and (each.exchange, each.pointer) == place)
    found = next(own, None)
    fault = replace(failure_of(found), steps=failure.steps) if found else failure
    return _Check(rule.id, cause, results.one_line(fault), rule.id, fault, is_finding=found is not None)


def _blocker(checks: Sequence[_Check], violated: Collection[str]) -> Blocker:
    """Return the cause of some checks, described by the most telling one. ``violated`` are the rules that failed."""
    failed = [check for check in checks if check.cause == "failed"]
    roots = Counter(check.violated for check in checks if check.violated != check.rule)
    first = min(
        failed or checks, key=lambda check: (not check.expects_success, -roots[check.violated], check.change != "")
    )
    # A rule fails once, even if several causes violate it.
    fails = dict.fromkeys([*(check.rule for check in (first, *failed)), *(check.violated for check in checks)])
    rules = tuple(rule for rule in fails if rule in violated) or tuple(dict.fromkeys(check.rule for check in checks))
    blocked = tuple(dict.fromkeys(check.rule for check in checks if check.rule not in rules))
    cause: Cause = "failed" if rules[0] in violated else first.cause
    fault, exchange = first.fault or Failure(""), first.exchange or ExchangeSummary("", "")
    return Blocker(
        cause,
        _reason(first),
        rules,
        blocked,
        len(checks),
        operation=exchange.operation,
        change=first.change,
        step=first.step,
        expected=fault.expected,
        actual=fault.actual,
        side=fault.side,
        pointer=fault.pointer,
        exchange=fault.exchange,
        message=exchange.message,
    )


def _reason(check: _Check) -> str:
    fault = check.fault
    if check.exchange is None or fault is None:
        return check.reason
    request = f"{check.exchange.operation} {check.change}".strip()
    is_told_by_status = check.is_server_error or (check.is_rejection and check.change)
    if fault.expected and fault.actual and is_told_by_status:
        return f"{request}: expected {fault.expected}, actual {fault.actual}"
    return f"{request}: {check.reason}"


def _situation(reason: str) -> str:
    """Return what the untested rules with the same gap have in common.

    That is the reason without what the service says, but all waits that are too long have one cause, and so have all
    searches that find nothing on a route, whatever the passengers.
    """
    if "--max-wait" in _SETTING.findall(reason):
        return "--max-wait"
    found = _FINDS_NOTHING.search(reason)
    return " ".join(_SETTING.findall(reason)) + " finds nothing" if found else _PARTY.sub("", reason)


def names(blockers: Iterable[Blocker]) -> Iterator[str]:
    """Yield a word for each cause: the key of the profile that is missing, otherwise the first rule."""
    for blocker in blockers:
        settings = _SETTING.findall(blocker.reason) if blocker.cause == "untested" else []
        yield next(iter((*settings, *blocker.rules)), blocker.cause)
