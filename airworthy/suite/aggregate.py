"""Turns the records of all scenarios into the results of a run, with a verdict for every rule of the register."""

import hashlib
import platform
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import version as version_of
from itertools import chain
from pathlib import Path
from typing import Final

from airworthy import __version__, register
from airworthy.contract.bodies.applications import Applications
from airworthy.contract.findings.finding import Finding
from airworthy.evidence.chain import verify_chain
from airworthy.register import Rule, go_live_rules
from airworthy.report.exchange_summaries import with_exchanges
from airworthy.report.results import (
    Capability,
    FindingCount,
    Integrity,
    Observation,
    Results,
    RuleResult,
    ScenarioResult,
    Scope,
    Timing,
    Tool,
    Verdict,
    merge_counts,
    verdict_of,
    weigh,
)
from airworthy.requirements import RequirementSet, current_set
from airworthy.resources import resource
from airworthy.suite.capture import Record
from airworthy.suite.selection import Selected, SelectionStatus
from airworthy.target.profile import Profile
from airworthy.target.records import LedgerEntry, Waiver

_PACKAGES: Final = ("pytest", "pytest-bdd", "requests", "jsonschema-rs")


@dataclass
class CollectedResults:
    """The records received so far, from all processes."""

    selected: dict[str, Selected] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    crashed: dict[str, str] = field(default_factory=dict)
    created: list[LedgerEntry] = field(default_factory=list)

    @property
    def findings(self) -> list[FindingCount]:
        """The findings about the service: each root cause once, as first seen, with its count."""
        return list(merge_counts(each for record in self.records.values() for each in record.findings))

    @cached_property
    def applied(self) -> Applications:
        """How often the contract applied each rule."""
        return sum((Applications(record.applied) for record in self.records.values()), Applications())

    def in_order(self) -> "CollectedResults":
        """Return the same with the records in the order of the selection: several processes send them in any order."""
        place = {test: number for number, test in enumerate(self.selected)}
        records = sorted(self.records.items(), key=lambda item: place.get(item[0], len(place)))
        return replace(self, records=dict(records))

    @property
    def not_examined(self) -> set[str]:
        """The rules of which no scenario is about an examined interface."""
        return _never_examined((rule, each) for each in self.selected.values() for rule in each.rules)

    def not_examined_scenarios(self, versions: Collection[str]) -> set[str]:
        """Return the scenarios (``RULE: name``) of the rules of some interfaces that are about another interface."""
        return _never_examined(
            (f"{identifier}: {each.scenario}", each)
            for each in self.selected.values()
            for identifier in each.rules
            if (rule := register.rule(identifier)) and rule.concerns(versions)
        )


def _never_examined(named: Iterable[tuple[str, Selected]]) -> set[str]:
    statuses: defaultdict[str, set[SelectionStatus]] = defaultdict(set)
    for name, scenario in named:
        statuses[name].add(scenario.status)
    return {name for name, found in statuses.items() if found == {"not examined"}}


@dataclass(frozen=True, slots=True)
class Run:
    """The circumstances of a run.

    ``narrowed`` has the options that narrow the selection, ``stopped`` the reason if the run ended early.
    ``has_failed`` is whether an internal error of the suite is that reason.
    """

    id: str
    started: datetime
    profile: Profile
    target: str
    evidence: Path
    narrowed: str = ""
    stopped: str = ""
    has_failed: bool = False


def results_of(run: Run, collected: CollectedResults, rules: Sequence[Rule]) -> Results:
    """Return the results of a run, with a verdict for each rule of the register, whether its scenarios ran or not.

    Rules of interfaces that are not examined are left out, as are their waivers.
    """
    profile, collected = run.profile, collected.in_order()
    excluded = {rule.id for rule in rules if not rule.concerns(profile.versions)} | collected.not_examined
    excluded |= {rule.id for rule in go_live_rules()}
    rules = sorted((rule for rule in rules if rule.id not in excluded), key=lambda rule: rule.version)
    filtered_why = _filtered(run, collected, rules)
    findings, records = collected.findings, collected.records.values()
    transitions = sum((Counter(record.transitions) for record in records), Counter[str]())
    finished = datetime.now(UTC)
    results = Results(
        run=run.id,
        started=run.started,
        finished=finished,
        subject=profile.subject,
        environment=profile.environment,
        target=run.target,
        tool=current_tool(),
        scope=current_scope(
            Scope(
                profile=profile.source,
                profile_digest=profile.digest,
                versions=profile.versions,
                filtered=filtered_why is not None,
                filtered_why=filtered_why or "",
                lifetimes=asdict(profile.lifetimes),
                payment_provider=profile.payment.url or "",
                not_examined=tuple(sorted(collected.not_examined_scenarios(profile.versions))),
            )
        ),
        rules=tuple(
            rule_result(
                rule, tuple(_scenarios(rule, run, collected)), findings, collected.applied[rule.id], run.stopped
            )
            for rule in rules
        ),
        capabilities=tuple(_capabilities(run, collected)),
        findings=tuple(findings),
        observations=_observations(records),
        waivers=waivers_of(profile, excluded),
        waits=tuple(chain.from_iterable(record.aged for record in records)),
        ledger=tuple(collected.created),
        timing=Timing(
            (finished - run.started).total_seconds(),
            sum(record.result.http_seconds for record in records),
            sum(len(record.result.exchanges) for record in records),
            sum(record.throttled for record in records),
        ),
        integrity=integrity_of(run.evidence),
        transitions=dict(sorted(transitions.items())),
        explored=tuple(each.explored for each in records if each.explored),
    )
    return with_exchanges(results, run.evidence)


def waivers_of(profile: Profile, excluded: Collection[str]) -> tuple[Waiver, ...]:
    """Return the waivers of a profile, except for those of excluded rules, which the run does not decide about."""
    return tuple(waiver for waiver in profile.waivers if waiver.rule not in excluded)


def current_tool() -> Tool:
    """Return the version of the suite and of the components that matter."""
    return Tool(__version__, platform.python_version(), {name: version_of(name) for name in _PACKAGES})


def current_scope(scope: Scope, features: str = "", requirements: RequirementSet | None = None) -> Scope:
    """Return a scope with the digests of what is installed: the contract, the schemas, and the requirement set.

    A partner has only a folder of the ``features``, and ``requirements`` of its own.
    """
    requirements = requirements or current_set()
    return replace(
        scope,
        contract_digest=digest(Path(__file__).parent.parent / "contract", "*.py"),
        features_digest=digest(resource("features") / features, "*.feature"),
        schemas_digest=digest(resource("schemas"), "*.json"),
        requirement_set=requirements.version,
        requirement_set_digest=requirements.digest,
    )


def digest(folder: Path, pattern: str) -> str:
    """Return the SHA-256 over the names and bytes of a folder's files."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob(pattern)):
        total.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _filtered(run: Run, collected: CollectedResults, rules: Sequence[Rule]) -> str | None:
    """Return what narrowed the run, or None if every scenario of the register was selected."""
    if run.has_failed:
        # The scenarios that were not collected are errors.
        return run.narrowed or None
    if run.stopped and not collected.selected:
        return None
    kept = [each for each in collected.selected.values() if each.status != "deselected"]
    in_run = {(rule, each.scenario) for each in kept for rule in each.rules}
    missing = [
        (rule.id, scenario)
        for rule in rules
        if not rule.excluded_reason
        for scenario in rule.scenarios
        if (rule.id, scenario) not in in_run
    ]
    left_out = len(collected.selected) - len(kept)
    if not missing and not left_out:
        return None
    if run.narrowed or not missing:
        return run.narrowed or f"{left_out} scenarios were left out"
    rule, scenario = missing[0]
    return f"{len(missing)} scenarios were not collected, such as {rule}: {scenario}"


def rule_result(
    rule: Rule, scenarios: tuple[ScenarioResult, ...], findings: Sequence[FindingCount], applied: int, stopped: str = ""
) -> RuleResult:
    """Return the verdict on a rule.

    ``findings`` are all findings of the run, ``applied`` is how often the contract applied the rule, and ``stopped`` is
    the reason if the run ended early.
    """
    own = [each.finding for each in findings if each.finding.rule == rule.id]
    verdict: Verdict = verdict_of(scenarios, own)
    if rule.excluded_reason and not scenarios and not own:
        verdict = "not_applicable"
    reason = rule.excluded_reason or _reason(verdict, stopped, scenarios, own)
    compared = sum(each.compared for each in scenarios)
    # If a step relies on the contract, comparisons of other steps do not replace it.
    is_examined = applied or (compared and not any(each.relies_on_contract for each in scenarios))
    if verdict == "passed" and not is_examined:
        reason = f"nothing to examine: {rule.optional}" if rule.optional else rule.unexamined
        verdict = "passed" if rule.optional else "untested"
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
        applied=applied + compared,
        quote=rule.quote,
    )


def _scenarios(rule: Rule, run: Run, collected: CollectedResults) -> Iterable[ScenarioResult]:
    own = {test: each for test, each in collected.selected.items() if rule.id in each.rules}
    for test, selected in own.items():
        if selected.status != "selected":
            continue
        if test in collected.records:
            yield collected.records[test].result
        elif test in collected.crashed:
            yield ScenarioResult(selected.scenario, "error", collected.crashed[test])
        else:
            verdict: Verdict = "error" if run.has_failed else "untested"
            yield ScenarioResult(selected.scenario, verdict, run.stopped or "the run ended before this scenario")
    if run.has_failed and not rule.excluded_reason:
        known = {each.scenario for each in own.values()}
        yield from (ScenarioResult(name, "error", run.stopped) for name in rule.scenarios if name not in known)


def _reason(verdict: Verdict, stopped: str, scenarios: Sequence[ScenarioResult], findings: Sequence[Finding]) -> str:
    if verdict == "passed":
        return ""
    if not scenarios and not findings:
        return stopped or "none of its scenarios was selected"
    reasons = [each.reason for each in scenarios if each.verdict == verdict]
    reasons += [finding.message for finding in findings if weigh(finding) == verdict]
    return next(iter(reasons), "")


def _capabilities(run: Run, collected: CollectedResults) -> Iterable[Capability]:
    """Return the capabilities that the profile declares or a scenario needs, and what the scenarios show about them."""
    needing: dict[str, list[ScenarioResult]] = {name: [] for name in run.profile.capabilities}
    for record in collected.records.values():
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


def _observations(records: Iterable[Record]) -> tuple[Observation, ...]:
    """Return each distinct observation once, with the exchange that showed it first."""
    seen: dict[tuple[str, str, str], Observation] = {}
    for record in records:
        for each in record.observations:
            seen.setdefault((each.open_id, each.question, each.value), each)
    return tuple(sorted(seen.values(), key=lambda each: (int(each.open_id.rpartition("-")[2] or 0), each.question)))


def integrity_of(evidence: Path) -> Integrity:
    """Return what identifies an evidence file, if it exists."""
    if not evidence.exists():
        return Integrity()
    chain = verify_chain(evidence)
    return Integrity(evidence.name, chain.sha256, chain.lines, chain.last_hash, chain.unredacted)
