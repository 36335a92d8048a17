"""Judge the evidence of an old run again with the current rules.

The contract judges every exchange again, so its findings are the current ones. What only a step could know is kept: the
expectation that it stated, the situation that it missed, the waits, observations and capabilities. A scenario says
which of the two its verdict follows from (`ScenarioResult.basis`). A rule or scenario that the run did not have is
untested, because its requests were never sent.

The results contain no time of their own: judging the same evidence twice gives the same bytes.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from airworthy.contract import Contract, Conversation, Finding, ServiceAddress
from airworthy.contract.bodies.applications import Applications
from airworthy.contract.conversation.limits import Lifetimes
from airworthy.errors import UsageError
from airworthy.evidence.recorder import EXCERPT, EvidenceRecord, read
from airworthy.register import Rule
from airworthy.report.exchange_summaries import with_exchanges
from airworthy.report.results import (
    EMBEDDED,
    FindingCount,
    Rejudgement,
    Results,
    RuleResult,
    ScenarioResult,
    VerdictChange,
    count_findings,
    failure_of,
    merge_counts,
    weigh,
)
from airworthy.suite.aggregate import current_scope, current_tool, rule_result
from airworthy.suite.capture import count_reactions

_ADDED: Final = "the scenario did not exist when the run was made; make a new run"
_UNKNOWN: Final = "the steps ended at a violation that the current rules do not find; make a new run"
_LIFETIMES: Final = frozenset(each.name for each in fields(Lifetimes))


@dataclass
class JudgedEvidence:
    """The findings against the service by exchange, and how often each rule was applied by exchange, in its order."""

    findings: dict[str, list[Finding]] = field(default_factory=dict)
    applied: dict[str, Applications] = field(default_factory=dict)

    def of(self, scenario: ScenarioResult) -> list[Finding]:
        """Return the findings of a scenario: those in its exchanges, and the one that a failed prerequisite made."""
        found = [finding for exchange in scenario.exchanges for finding in self.findings[exchange]]
        keys = {finding.key for finding in found}
        if scenario.basis == "step":
            # The reason of a failed prerequisite is also the message of its finding.
            reasons = (scenario.reason, scenario.reason.rpartition(" (")[0])
            found += [each for each in scenario.findings if each.message in reasons and each.key not in keys]
        return found


def judge_again(old: Results, evidence: Path, rules: Sequence[Rule]) -> Results:
    """Return the results of an old run by the current rules, with what changed.

    Args:
        old: the results of the run.
        evidence: its evidence, which must be intact.
        rules: the rules of the register.

    Raises:
        UsageError: the evidence cannot be read, or does not contain an exchange of the results.
    """
    judged = _judged(old, evidence)
    missing = {each for rule in old.rules for scenario in rule.scenarios for each in scenario.exchanges} - {
        *judged.findings
    }
    if missing:
        raise UsageError(f"{evidence}: the evidence does not contain exchange {min(missing)} of the results")
    before = {rule.id: rule for rule in old.rules}
    current = [rule for rule in rules if _is_examined(rule, old, before)]
    current.sort(key=lambda rule: rule.version)
    scope = current_scope(old.scope)
    has_same_features = scope.features_digest == old.scope.features_digest
    scenarios = {
        rule.id: tuple(_scenarios(rule, before.get(rule.id), old, judged, check_names=not has_same_features))
        for rule in current
    }
    # A conversation of an exploration shows its findings by the steps that were taken, so they are kept.
    explored = (FindingCount(finding) for each in old.explored for finding in each.findings)
    findings = merge_counts((*_all_findings(scenarios, judged), *explored))
    exchanges = dict.fromkeys(each for found in scenarios.values() for one in found for each in one.exchanges)
    applied = sum((judged.applied[each] for each in exchanges), Applications())
    results = tuple(rule_result(rule, scenarios[rule.id], findings, applied[rule.id]) for rule in current)
    kept = sum(each.basis == "step" for found in scenarios.values() for each in found)
    again = Rejudgement(
        old.tool.version, old.scope.requirement_set, kept, tuple(_changes(old, results, findings)), old.run
    )
    judged_again = replace(old, tool=current_tool(), scope=scope, rules=results, findings=findings, rejudgement=again)
    return with_exchanges(judged_again, evidence)


def _judged(old: Results, evidence: Path) -> JudgedEvidence:
    contract = Contract.load(old.scope.versions, _service(old, evidence))
    known: dict[str, Any] = {name: value for name, value in old.scope.lifetimes.items() if name in _LIFETIMES}
    # Each process of a run had a conversation of its own; its name begins the ids of its exchanges.
    conversations: dict[str, Conversation] = {}
    judged = JudgedEvidence()
    for record in read(evidence):
        process = record.exchange.id.rpartition("x")[0]
        conversation = conversations.setdefault(process, Conversation(lifetimes=Lifetimes(**known), dates=False))
        applied = judged.applied[record.exchange.id] = Applications()
        found = contract.judge(record.exchange, conversation, applied)
        count_reactions(record.exchange, found, applied)
        judged.findings[record.exchange.id] = [_explained(each, record) for each in found if each.side == "response"]
    return judged


def _service(old: Results, evidence: Path) -> ServiceAddress:
    """Return the address of the service; each process of a run has an embedded sandbox at an address of its own."""
    provider = old.scope.payment_provider
    if old.target != EMBEDDED:
        return ServiceAddress((old.target,), (provider,) if provider else (), old.target.startswith("http://"))
    urls = (urlsplit(record.exchange.request.url) for record in read(evidence))
    origins = tuple(dict.fromkeys(f"{url.scheme}://{url.netloc}" for url in urls))
    return ServiceAddress(origins, tuple(origin + urlsplit(provider).path for origin in origins if provider))


def _explained(finding: Finding, record: EvidenceRecord) -> Finding:
    is_cut = finding.kind == "unreadable" and finding.side in record.excerpts
    return replace(finding, message=EXCERPT) if is_cut else finding


def _is_examined(rule: Rule, old: Results, before: Mapping[str, RuleResult]) -> bool:
    """Return whether a rule belongs to the results, which lack the rules of interfaces that were not examined."""
    if rule.id in before:
        return True
    left_out = rule.scenarios and all(f"{rule.id}: {name}" in old.scope.not_examined for name in rule.scenarios)
    return rule.concerns(old.scope.versions) and not left_out


# Scenarios


def _scenarios(
    rule: Rule, before: RuleResult | None, old: Results, judged: JudgedEvidence, *, check_names: bool
) -> Iterator[ScenarioResult]:
    found = before.scenarios if before else ()
    templates = {name: _pattern(name) for name in rule.scenarios}
    for scenario in found:
        if not check_names or any(pattern.fullmatch(scenario.name) for pattern in templates.values()):
            yield _scenario(scenario, rule, judged)
    if check_names and not old.scope.filtered:
        for name, pattern in templates.items():
            is_known = any(pattern.fullmatch(scenario.name) for scenario in found)
            if not is_known and f"{rule.id}: {name}" not in old.scope.not_examined:
                yield ScenarioResult(name, "untested", _ADDED)


def _pattern(name: str) -> re.Pattern[str]:
    """Return a pattern for the names of a scenario, which contain the values of its example row."""
    parts = re.split(r"<[^<>]+>", name)
    return re.compile(".*".join(map(re.escape, parts)) + r"(?: \(.*\))?", re.DOTALL)


def _scenario(old: ScenarioResult, rule: Rule, judged: JudgedEvidence) -> ScenarioResult:
    """Return the result of a scenario by the current findings, or with the old verdict if a step gave it."""
    found = judged.of(old)
    now = replace(old, findings=tuple(each.finding for each in count_findings(found)))
    if old.basis == "step":
        return now
    own = {weigh(finding): finding for finding in reversed(found) if finding.rule == rule.id}
    if stated := _stated(old, rule, judged):
        own["failed"] = stated
    for verdict in ("failed", "untested", "warning"):
        # Steps that ended too early show a violation, and nothing else.
        if verdict in own and (old.basis == "findings" or verdict == "failed"):
            failure = replace(failure_of(own[verdict]), steps=old.failure.steps if old.failure else ())
            return replace(now, verdict=verdict, reason=failure.message, failure=failure, root=None)
    if old.basis == "findings":
        return replace(now, verdict="passed", reason="", failure=None, root=None)
    return replace(now, verdict="untested", reason=_UNKNOWN, failure=None) if old.verdict == "failed" else now


def _stated(old: ScenarioResult, rule: Rule, judged: JudgedEvidence) -> Finding | None:
    """Return the violation that the scenario stated, if the contract still finds it; any exchange may contain it."""
    if old.failure is None or old.verdict != "failed":
        return None
    found = judged.findings.get(old.failure.exchange, ())
    place = old.failure.side, old.failure.pointer
    own = (each for each in found if each.rule == rule.id and weigh(each) == "failed")
    return next((each for each in own if (each.side, each.pointer) == place), None)


def _all_findings(
    scenarios: Mapping[str, tuple[ScenarioResult, ...]], judged: JudgedEvidence
) -> tuple[FindingCount, ...]:
    """Return the findings of all scenarios, in the order in which the run came to them."""
    place = {exchange: index for index, exchange in enumerate(judged.findings)}
    distinct = {each.exchanges: each for found in scenarios.values() for each in found if each.exchanges}
    ordered = sorted(distinct.values(), key=lambda each: place[each.exchanges[0]])
    without = [each for found in scenarios.values() for each in found if not each.exchanges]
    return merge_counts(counted for each in (*ordered, *without) for counted in count_findings(judged.of(each)))


# What changed


def _changes(old: Results, rules: Sequence[RuleResult], findings: Sequence[FindingCount]) -> Iterator[VerdictChange]:
    before = {rule.id: rule for rule in old.rules}
    for rule in rules:
        was = before.pop(rule.id, None)
        if was is None:
            yield VerdictChange(rule.id, "", rule.verdict, f"the rule is new: {_why(rule, findings) or rule.statement}")
        elif was.verdict != rule.verdict:
            gone = f"no longer found: {was.reason}" if was.reason else "applied to something now"
            yield VerdictChange(rule.id, was.verdict, rule.verdict, _why(rule, findings) or gone)
    for identifier, was in before.items():
        yield VerdictChange(identifier, was.verdict, "", "the rule no longer exists")


def _why(rule: RuleResult, findings: Sequence[FindingCount]) -> str:
    own = (each.finding for each in findings if each.finding.rule == rule.id and weigh(each.finding) == rule.verdict)
    finding = next(own, None)
    if finding is None:
        return rule.reason
    place = " ".join(each for each in (finding.side, finding.pointer) if each)
    return f"{finding.message} ({place}, exchange {finding.exchange})"
