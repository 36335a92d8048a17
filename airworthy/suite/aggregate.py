"""From the records of all scenarios to the results of a run: nothing is silently missing."""

import hashlib
import platform
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Final

from airworthy import __version__
from airworthy.contract.applications import Applications
from airworthy.contract.finding import Finding
from airworthy.evidence.recorder import verify_chain
from airworthy.register import Rule
from airworthy.report.results import (
    Capability,
    FindingCount,
    Integrity,
    LedgerEntry,
    Observation,
    Results,
    RuleResult,
    ScenarioResult,
    Scope,
    Timing,
    Tool,
    Verdict,
    Wait,
    Waiver,
    merge_counts,
    verdict_of,
    weigh,
)
from airworthy.requirements import current_set
from airworthy.resources import resource
from airworthy.suite.capture import Record
from airworthy.suite.selection import Fate, Selected
from airworthy.target.ageing import AgeingRecord
from airworthy.target.ledger import CreatedResource
from airworthy.target.profile import Profile

_PARTS: Final = ("pytest", "pytest-bdd", "requests", "jsonschema-rs")


@dataclass
class CollectedResults:
    """The records received so far, from all processes."""

    selected: dict[str, Selected] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    crashed: dict[str, str] = field(default_factory=dict)
    made: list[CreatedResource] = field(default_factory=list)

    @property
    def findings(self) -> list[FindingCount]:
        """What is held against the service: each root cause once, as first seen, with its count."""
        return list(merge_counts(each for record in self.records.values() for each in record.findings))

    @cached_property
    def applied(self) -> Applications:
        """How often the contract applied each rule to something."""
        return sum((Applications(record.applied) for record in self.records.values()), Applications())

    @property
    def aged(self) -> list[AgeingRecord]:
        """What had to age, and how it did."""
        return [each for record in self.records.values() for each in record.aged]

    @property
    def not_examined(self) -> set[str]:
        """The rules whose every scenario is about an interface that is not examined."""
        fates: dict[str, set[Fate]] = {}
        for each in self.selected.values():
            for rule in each.rules:
                fates.setdefault(rule, set()).add(each.fate)
        return {rule for rule, found in fates.items() if found == {"not examined"}}

    @property
    def failing(self) -> list[FindingCount]:
        """The findings that fail a rule."""
        return [each for each in self.findings if weigh(each.finding) == "failed"]


@dataclass(frozen=True, slots=True)
class Run:
    """The circumstances of a run. ``stopped`` says why it ended before its end, "" where it did not."""

    id: str
    started: datetime
    profile: Profile
    target: str
    evidence: Path
    narrowed: str = ""
    stopped: str = ""


def results_of(run: Run, tally: CollectedResults, rules: Sequence[Rule]) -> Results:
    """Return the results of a run: a verdict for each rule of the register, whether it was examined or not.

    The rules of interfaces that the profile does not have examined are no part of them, and neither are their waivers.
    """
    profile = run.profile
    elsewhere = {rule.id for rule in rules if not rule.concerns(profile.versions)} | tally.not_examined
    rules = sorted((rule for rule in rules if rule.id not in elsewhere), key=lambda rule: rule.version)
    filtered_why = _filtered(run, tally, rules)
    findings, requirements = tally.findings, current_set()
    finished = datetime.now(UTC)
    return Results(
        run=run.id,
        started=run.started,
        finished=finished,
        subject=profile.subject,
        environment=profile.environment,
        target=run.target,
        tool=Tool(__version__, platform.python_version(), {part: version_of(part) for part in _PARTS}),
        scope=Scope(
            profile=profile.source,
            profile_digest=profile.digest,
            contract_digest=digest(Path(__file__).parent.parent / "contract", "*.py"),
            features_digest=digest(resource("features"), "*.feature"),
            schemas_digest=digest(resource("schemas"), "*.json"),
            versions=profile.versions,
            requirement_set=requirements.version,
            requirement_set_digest=requirements.digest,
            filtered=filtered_why is not None,
            filtered_why=filtered_why or "",
        ),
        rules=tuple(_rule_result(rule, run, tally, findings) for rule in rules),
        capabilities=tuple(_capabilities(run, tally)),
        findings=tuple(findings),
        observations=_observations(tally.records.values()),
        waivers=tuple(Waiver(**asdict(waiver)) for waiver in profile.waivers if waiver.rule not in elsewhere),
        waits=tuple(Wait(aged.what, aged.seconds, aged.way, aged.why) for aged in tally.aged),
        ledger=tuple(_entry(made) for made in tally.made),
        timing=_timing((finished - run.started).total_seconds(), tally),
        integrity=_integrity(run.evidence),
    )


def digest(folder: Path, pattern: str) -> str:
    """Return the SHA-256 over the names and bytes of a folder's files."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob(pattern)):
        total.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _filtered(run: Run, tally: CollectedResults, rules: Sequence[Rule]) -> str | None:
    """Say what narrowed the run, or None where every scenario of the register was selected."""
    if run.stopped and not tally.selected:
        return None
    kept = [each for each in tally.selected.values() if each.fate != "left out"]
    in_run = {(rule, each.scenario) for each in kept for rule in each.rules}
    missing = [
        (rule.id, scenario)
        for rule in rules
        if not rule.excluded_reason
        for scenario in rule.scenarios
        if (rule.id, scenario) not in in_run
    ]
    left_out = len(tally.selected) - len(kept)
    if not missing and not left_out:
        return None
    if run.narrowed or not missing:
        return run.narrowed or f"{left_out} scenarios were left out"
    rule, scenario = missing[0]
    return f"{len(missing)} scenarios were not collected, such as {rule}: {scenario}"


def _rule_result(rule: Rule, run: Run, tally: CollectedResults, findings: Sequence[FindingCount]) -> RuleResult:
    scenarios = tuple(_scenarios(rule, run, tally))
    own = [each.finding for each in findings if each.finding.rule == rule.id]
    verdict: Verdict = verdict_of(scenarios, own)
    if rule.excluded_reason and not scenarios and not own:
        verdict = "not_applicable"
    reason = rule.excluded_reason or _reason(verdict, run, scenarios, own)
    records = [each for each in tally.records.values() if rule.id in each.rules]
    by_contract, compared = tally.applied[rule.id], sum(each.compared for each in records)
    # Where a step relies on the contract, the comparisons of other steps are no substitute.
    is_examined = by_contract or (compared and not any(each.by_contract for each in records))
    if verdict == "passed" and not is_examined:
        verdict, reason = _unexamined(rule)
    return RuleResult(
        id=rule.id,
        version=rule.version,
        area=rule.area,
        statement=rule.statement,
        source=rule.source,
        binds=rule.binds,
        verdict=verdict,
        reason=reason,
        scenarios=scenarios,
        applied=by_contract + compared,
    )


def _unexamined(rule: Rule) -> tuple[Verdict, str]:
    """Return the verdict and the reason for a rule that was not violated, but was not applied to anything either."""
    if rule.optional:
        return "passed", f"nothing to examine: {rule.optional}"
    return "untested", rule.unexamined


def _scenarios(rule: Rule, run: Run, tally: CollectedResults) -> Iterable[ScenarioResult]:
    for test, selected in tally.selected.items():
        if rule.id not in selected.rules or selected.fate != "run":
            continue
        if test in tally.records:
            yield tally.records[test].result
        elif test in tally.crashed:
            yield ScenarioResult(selected.scenario, "error", tally.crashed[test])
        else:
            yield ScenarioResult(selected.scenario, "untested", run.stopped or "the run ended before this scenario")


def _reason(verdict: Verdict, run: Run, scenarios: Sequence[ScenarioResult], findings: Sequence[Finding]) -> str:
    if verdict == "passed":
        return ""
    if not scenarios and not findings:
        return run.stopped or "none of its scenarios was selected"
    reasons = [each.reason for each in scenarios if each.verdict == verdict]
    reasons += [finding.message for finding in findings if weigh(finding) == verdict]
    return next(iter(reasons), "")


def _capabilities(run: Run, tally: CollectedResults) -> Iterable[Capability]:
    """Return what the profile declares and what scenarios came to need, with what these say of it."""
    needing: dict[str, list[ScenarioResult]] = {name: [] for name in run.profile.capabilities}
    for record in tally.records.values():
        for name in record.needs:
            needing.setdefault(name, []).append(record.result)
    for name, scenarios in sorted(needing.items()):
        yield _capability(name, run.profile.capabilities.get(name), scenarios, run.stopped)


def _capability(name: str, declared: bool | None, scenarios: Sequence[ScenarioResult], stopped: str) -> Capability:
    first = {each.verdict: each.reason for each in reversed(scenarios)}
    if first.keys() & {"passed", "warning"}:
        note = "declared absent, but scenarios that need it passed" if declared is False else ""
        return Capability(name, declared, probed=True, note=note)
    if "failed" in first:
        return Capability(name, declared, probed=False, note=f"no scenario that needs it passed: {first['failed']}")
    if declared is False:
        return Capability(name, declared)
    reasons = [each.reason for each in scenarios]
    return Capability(name, declared, note=next(iter(reasons), stopped or "no scenario of this run needs it"))


def _timing(seconds: float, tally: CollectedResults) -> Timing:
    scenarios = [record.result for record in tally.records.values()]
    return Timing(seconds, sum(each.http_seconds for each in scenarios), sum(len(each.exchanges) for each in scenarios))


def _observations(records: Iterable[Record]) -> tuple[Observation, ...]:
    """Return each answer to an open question once, with the exchange that showed it first."""
    seen: dict[tuple[str, str, str], Observation] = {}
    for record in records:
        for each in record.observations:
            seen.setdefault((each.open_id, each.question, each.value), each)
    return tuple(sorted(seen.values(), key=lambda each: (int(each.open_id.rpartition("-")[2] or 0), each.question)))


def _entry(made: CreatedResource) -> LedgerEntry:
    return LedgerEntry(made.kind, made.id, datetime.fromisoformat(made.made), made.status, made.exchange, made.note)


def _integrity(evidence: Path) -> Integrity:
    if not evidence.exists():
        return Integrity()
    chain = verify_chain(evidence)
    return Integrity(evidence.name, chain.sha256, chain.lines, chain.last_hash, chain.unredacted)
