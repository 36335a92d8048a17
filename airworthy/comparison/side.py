"""One side of a comparison: the results of a run, or the findings in recorded traffic, in a comparable form."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, cast

from airworthy.audit import AuditSettings, audit
from airworthy.audit.formats import find_recordings
from airworthy.contract import Finding, ServiceAddress, Side
from airworthy.errors import UsageError, reading
from airworthy.report.decision import decide
from airworthy.report.document import load_results
from airworthy.report.results import ITEM_WORDS, Results, Verdict, weigh
from airworthy.traffic import Summary
from airworthy.traffic.document import from_json

SideSource = Literal["run", "traffic"]
IssueKind = Literal["broken", "drifting", "warned", "unjudged"]
IssueKey = tuple[str, ...]

NOT_SELECTED: Final = "not selected"
FILES_IN_FOLDER: Final = ("results.json", "traffic.json")
_WHAT: Final = f"{', '.join(FILES_IN_FOLDER)} or recordings"
_HEAD: Final = 200
_FORMAT: Final = re.compile(rb'\s*\{\s*"format"\s*:\s*"airworthy-([a-z]+)-')
_DIGEST_LENGTH: Final = 12


@dataclass(frozen=True, slots=True)
class Issue:
    """A root cause: a finding, or a failed scenario as a finding.

    ``operation`` is empty if the issue belongs to no particular operation, as in a run. ``count`` is the number of
    occurrences, 0 if they were not counted.
    """

    finding: Finding
    count: int = 0
    operation: str = ""

    @property
    def type(self) -> IssueKind:
        """What the issue means for its rule."""
        if self.finding.kind == "drift":
            return "drifting"
        if self.finding.kind == "unreadable":
            return "unjudged"
        return "warned" if weigh(self.finding) == "warning" else "broken"

    @property
    def location(self) -> str:
        """The operation, the side, the pointer with an asterisk for each array index, and the class of a drift."""
        _, _, side, place = self.finding.key
        text = f"{side} {place}".strip()
        text = f"{self.operation}: {text}" if self.operation else text
        return f"{text} ({self.finding.drift})" if self.finding.drift else text

    @property
    def key(self) -> IssueKey:
        """The key of the issue, which is equal on both sides for the same root cause."""
        finding = self.finding
        return (self.type, self.operation, *finding.key, finding.drift or "", finding.provenance)


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


def read_side(path: Path, service: ServiceAddress | None = None, *, jobs: int | None = None) -> ComparisonSide:
    """Read one side of a comparison.

    ``path`` is a run (its folder or results.json), a summary of traffic (the JSON of the proxy or the audit), or
    recorded traffic of ``service`` (a file, or a folder of recordings), which is judged by this version of the contract
    in ``jobs`` processes. Raises `UsageError` if the file cannot be read, or has another format.
    """
    described = (path / name for name in FILES_IN_FOLDER if (path / name).exists())
    file = next(described, None) if path.is_dir() else path
    if file is None:
        return of_summary(_audit(path, service or ServiceAddress(), jobs), str(path))
    with reading(file), file.open("rb") as opened:
        found = _FORMAT.match(opened.read(_HEAD))
    match found and found[1]:
        case b"results":
            return of_results(load_results(file), str(path))
        case b"traffic":
            return of_summary(from_json(file.read_bytes(), str(file)), str(path))
        case None:
            return of_summary(_audit(file, service or ServiceAddress(), jobs), str(path))
        case _:
            raise UsageError(f"{file}: expected results.json of a run, a summary of traffic, or recorded traffic")


def _audit(path: Path, service: ServiceAddress, jobs: int | None) -> Summary:
    summary = audit(AuditSettings(find_recordings([path], _WHAT).files, service), jobs=jobs).summary
    if not summary.judged:
        reason = next(iter(summary.not_judged), "it contains no exchanges with the service")
        raise UsageError(f"{path}: nothing to compare: {reason}")
    return summary


def of_results(results: Results, name: str) -> ComparisonSide:
    """Return the side for a run; ``name`` is the path that the user gave."""
    observed: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for each in results.observations:
        observed[each.open_id, each.question].add(each.value)
    scope = results.scope
    left_out = [each for each in results.rules if scope.filtered and each.verdict == "untested" and not each.scenarios]
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
            "requirement set": scope.requirement_set_digest[:_DIGEST_LENGTH],
            "contract": scope.contract_digest[:_DIGEST_LENGTH],
            "schemas": scope.schemas_digest[:_DIGEST_LENGTH],
            "features": scope.features_digest[:_DIGEST_LENGTH],
        },
        _by_key(_issues_of_run(results)),
        {
            rule.id: RuleStatus(NOT_SELECTED if rule in left_out else rule.verdict, rule.reason)
            for rule in results.rules
        },
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
        _by_key(Issue(row.finding, row.count, row.operation) for row in summary.rows()),
        operations=frozenset(summary.operations),
    )


def _by_key(issues: Iterable[Issue]) -> dict[IssueKey, Issue]:
    found: dict[IssueKey, Issue] = {}
    for each in issues:
        found.setdefault(each.key, each)
    return found


def _issues_of_run(results: Results) -> Iterator[Issue]:
    yield from (Issue(counted.finding, counted.count) for counted in results.findings)
    for rule in results.rules:
        for failure in (each.failure for each in rule.scenarios if each.failure and each.verdict == "failed"):
            side = cast("Side", failure.side)
            yield Issue(Finding(rule.id, "violation", side, failure.pointer, failure.message, "", "", ""))
