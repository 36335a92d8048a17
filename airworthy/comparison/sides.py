"""One side of a comparison: what a run or a recorded traffic showed, by names that the other side has as well."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from airworthy.contract.finding import Finding
from airworthy.report import Results, RuleResult, Scope, Verdict, decide, weigh
from airworthy.traffic import Summary

Source = Literal["run", "traffic"]
Trait = Literal["broken", "drifting", "warned", "unjudged"]
Key = tuple[str, ...]

LEFT_OUT: Final = "left out"
_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class Sign:
    """One root cause that shows: a finding, or the failure of a scenario, which has no kind of its own.

    ``operation`` is empty where it may show in any, as in a run. ``count`` is how often it shows, 0 where that was not
    counted.
    """

    trait: Trait
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
    def place(self) -> str:
        """The side and the pointer, without positions in arrays."""
        pointer = "/".join("*" if part.isdigit() else part for part in self.pointer.split("/"))
        return f"{self.side} {pointer}".strip()

    @property
    def key(self) -> Key:
        """The same root cause has the same key."""
        return (self.trait, self.operation, self.rule, self.kind, self.place, self.drift, self.provenance)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a run stands to a rule: its verdict, or `LEFT_OUT` where a selection did not take it, and why."""

    verdict: Verdict | Literal["left out"]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison.

    ``facts`` identify it, by name, in the order in which they are shown. ``standings`` are by rule (of a run),
    ``observations`` by open question; ``operations`` are those that a traffic called.
    """

    source: Source
    name: str
    facts: Mapping[str, str]
    signs: Mapping[Key, Sign]
    standings: Mapping[str, Standing] = field(default_factory=dict)
    observations: Mapping[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    operations: frozenset[str] = frozenset()


def of_results(results: Results, name: str) -> Side:
    """Return a run as a side; ``name`` is what its user calls it."""
    observed: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for each in results.observations:
        observed[each.open_id, each.question].add(each.value)
    scope = results.scope
    return Side(
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
            "requirement set": _requirement_set(scope),
            "contract": scope.contract_digest[:_DIGITS],
            "schemas": scope.schemas_digest[:_DIGITS],
            "features": scope.features_digest[:_DIGITS],
        },
        _by_key(_signs_of_run(results)),
        {rule.id: _standing(rule, filtered=scope.filtered) for rule in results.rules},
        {question: frozenset(values) for question, values in observed.items()},
    )


def of_summary(summary: Summary, name: str) -> Side:
    """Return a traffic as a side."""
    began, ended = summary.began, summary.ended
    return Side(
        "traffic",
        name,
        {
            "from": f"{began:%Y-%m-%d %H:%M:%S}" if began else "",
            "to": f"{ended:%Y-%m-%d %H:%M:%S}" if ended else "",
            "exchanges": str(summary.seen - summary.foreign),
            "not judged": str(summary.not_judged.total()),
        },
        _by_key(_sign(row.finding, row.count, row.operation) for row in summary.rows()),
        operations=frozenset(summary.operations),
    )


def _by_key(signs: Iterable[Sign]) -> dict[Key, Sign]:
    found: dict[Key, Sign] = {}
    for each in signs:
        found.setdefault(each.key, each)
    return found


def _signs_of_run(results: Results) -> Iterator[Sign]:
    for counted in results.findings:
        yield _sign(counted.finding, counted.count)
    for rule in results.rules:
        for scenario in rule.scenarios:
            failure = scenario.failure
            if failure and scenario.verdict == "failed":
                yield Sign("broken", rule.id, failure.side, failure.pointer, failure.message)


def _sign(finding: Finding, count: int, operation: str = "") -> Sign:
    return Sign(
        _trait(finding),
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


def _trait(finding: Finding) -> Trait:
    if finding.kind == "drift":
        return "drifting"
    if finding.kind == "unreadable":
        return "unjudged"
    return "warned" if weigh(finding) == "warning" else "broken"


def _standing(rule: RuleResult, *, filtered: bool) -> Standing:
    if filtered and rule.verdict == "untested" and not rule.scenarios:
        return Standing(LEFT_OUT, rule.reason)
    return Standing(rule.verdict, rule.reason)


def _requirement_set(scope: Scope) -> str:
    return f"{scope.requirement_set} ({scope.requirement_set_digest[:_DIGITS]})" if scope.requirement_set else "unknown"
