"""One side of a comparison: the results of a run, or the findings in recorded traffic, in a comparable form."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from airworthy.contract.findings.finding import Finding
from airworthy.report import Results, RuleResult, Verdict, decide, weigh
from airworthy.report.results import ITEM_WORDS
from airworthy.traffic import Summary

SideSource = Literal["run", "traffic"]
IssueKind = Literal["broken", "drifting", "warned", "unjudged"]
IssueKey = tuple[str, ...]

NOT_SELECTED: Final = "not selected"
_DIGEST_LENGTH: Final = 12


@dataclass(frozen=True, slots=True)
class Issue:
    """A root cause: a finding, or a failed scenario.

    ``operation`` is empty if the issue belongs to no particular operation, as in a run. ``count`` is the number of
    occurrences, 0 if they were not counted.
    """

    type: IssueKind
    rule: str
    side: str
    pointer: str
    message: str
    count: int = 0
    operation: str = ""
    drift: str = ""
    provenance: str = ""
    kind: str = "violation"

    @property
    def location(self) -> str:
        """The side and the pointer, with an asterisk for each array index."""
        pointer = "/".join("*" if part.isdigit() else part for part in self.pointer.split("/"))
        return f"{self.side} {pointer}".strip()

    @property
    def key(self) -> IssueKey:
        """The key of the issue, which is equal on both sides for the same root cause."""
        return (self.type, self.operation, self.rule, self.kind, self.location, self.drift, self.provenance)


@dataclass(frozen=True, slots=True)
class RuleStatus:
    """The verdict on a rule, or `NOT_SELECTED` if the run was restricted to other rules, and the reason."""

    verdict: Verdict | Literal["not selected"]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ComparisonSide:
    """One side of a comparison.

    ``facts`` identify it, by name, in the order in which they are displayed. ``rules`` are the statuses of a run's
    rules, ``observations`` its values by open question; ``operations`` are those requested in the traffic.
    ``of_partner`` is whether a run judged a partner.
    """

    source: SideSource
    name: str
    facts: Mapping[str, str]
    issues: Mapping[IssueKey, Issue]
    rules: Mapping[str, RuleStatus] = field(default_factory=dict)
    observations: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    operations: frozenset[str] = frozenset()
    of_partner: bool = False

    @property
    def kind(self) -> str:
        """What the side is, for messages. Only sides of the same kind can be compared."""
        if self.source == "traffic":
            return "traffic"
        return "a run of a partner" if self.of_partner else "a run of a service"

    def word(self, verdict: str) -> str:
        """Return the word for a verdict on a rule, or on an item of the go-live list."""
        return ITEM_WORDS.get(verdict, verdict) if self.of_partner else verdict


def of_results(results: Results, name: str) -> ComparisonSide:
    """Return the side for a run; ``name`` is the path that the user gave."""
    observed: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for each in results.observations:
        observed[each.open_id, each.question].add(each.value)
    scope = results.scope
    return ComparisonSide(
        "run",
        name,
        {
            "decision": decide(results).outcome,
            "run": results.run,
            "subject": results.subject,
            "target": results.target,
            "versions": ", ".join(scope.versions),
            "selection": scope.filtered_why if scope.filtered else "every rule",
            "suite": results.tool.version,
            "contract": scope.contract_digest[:_DIGEST_LENGTH],
            "schemas": scope.schemas_digest[:_DIGEST_LENGTH],
            "features": scope.features_digest[:_DIGEST_LENGTH],
        },
        _by_key(_issues_of_run(results)),
        {rule.id: _status(rule, filtered=scope.filtered) for rule in results.rules},
        {question: frozenset(values) for question, values in observed.items()},
        of_partner=results.integration is not None,
    )


def of_summary(summary: Summary, name: str) -> ComparisonSide:
    """Return the side for traffic; ``name`` is the path that the user gave."""
    began, ended = summary.began, summary.ended
    return ComparisonSide(
        "traffic",
        name,
        {
            "from": f"{began:%Y-%m-%d %H:%M:%S}" if began else "",
            "to": f"{ended:%Y-%m-%d %H:%M:%S}" if ended else "",
            "exchanges": str(summary.seen - summary.foreign),
            "not judged": str(summary.not_judged.total()),
        },
        _by_key(_issue(row.finding, row.count, row.operation) for row in summary.rows()),
        operations=frozenset(summary.operations),
    )


def _by_key(issues: Iterable[Issue]) -> dict[IssueKey, Issue]:
    found: dict[IssueKey, Issue] = {}
    for each in issues:
        found.setdefault(each.key, each)
    return found


def _issues_of_run(results: Results) -> Iterator[Issue]:
    for counted in results.findings:
        yield _issue(counted.finding, counted.count)
    for rule in results.rules:
        for scenario in rule.scenarios:
            failure = scenario.failure
            if failure and scenario.verdict == "failed":
                yield Issue("broken", rule.id, failure.side, failure.pointer, failure.message)


def _issue(finding: Finding, count: int, operation: str = "") -> Issue:
    return Issue(
        _issue_kind(finding),
        finding.rule,
        finding.side,
        finding.pointer,
        finding.message,
        count,
        operation,
        finding.drift or "",
        finding.provenance,
        finding.kind,
    )


def _issue_kind(finding: Finding) -> IssueKind:
    if finding.kind == "drift":
        return "drifting"
    if finding.kind == "unreadable":
        return "unjudged"
    return "warned" if weigh(finding) == "warning" else "broken"


def _status(rule: RuleResult, *, filtered: bool) -> RuleStatus:
    if filtered and rule.verdict == "untested" and not rule.scenarios:
        return RuleStatus(NOT_SELECTED, rule.reason)
    return RuleStatus(rule.verdict, rule.reason)
