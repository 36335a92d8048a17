"""Judge the recordings of a partner once, and turn what they show into results, redacted evidence and a report.

The scenarios of the go-live list have two kinds of steps: "no …" fails if an exchange contradicts the item; "it shows
…" needs exchanges that show it, and that every exchange could be judged for it.
"""

import hashlib
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from airworthy import __version__
from airworthy.audit import AuditSettings, audit, not_called
from airworthy.contract import Contract
from airworthy.contract.http.operations import SERVED
from airworthy.errors import UsageError, did_you_mean, writing
from airworthy.evidence.files import is_evidence
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.recorder import Recorder
from airworthy.evidence.verification import verify_chains
from airworthy.register import GO_LIVE, go_live_rules
from airworthy.report.integration import Integration, ItemChange, RecordedFile
from airworthy.report.results import (
    FindingCount,
    Results,
    RuleResult,
    ScenarioResult,
    Scope,
    Timing,
    Tool,
    Verdict,
    failure_of,
    verdict_of,
)
from airworthy.report.write import EVIDENCE, write_reports
from airworthy.requirements import go_live_set
from airworthy.suite.aggregate import current_scope, integrity_of, waivers_of
from airworthy.suite.folders import RunFolder
from airworthy.target.profile import Profile, ProfileGoLive, known_terms
from airworthy.target.urls import named_service
from airworthy.traffic import GoLive, Summary
from airworthy.traffic.golive.items import GoLiveSettings, go_live_items, golive_settings
from airworthy.traffic.golive.progress import ItemOutcome, ItemProgress, Sighting

_UNNAMED: Final = "the partner"
_AGAIN: Final = "Record the traffic again: an exchange that cannot be judged leaves the item open."


def certify_partner(
    recordings: Sequence[Path],
    reports: Path,
    profile: Profile | None = None,
    *,
    partner: str = "",
    version: str | None = None,
    run: str | None = None,
) -> tuple[Results, Path]:
    """Judge a partner's recordings, write the report to a folder in ``reports``, and return the results and the folder.

    Without ``version``, the recordings show it. ``partner`` overrides the name in the profile, and ``run`` is the name
    of the folder (default: date and time).

    Raises:
        UsageError: a recording or a key of the profile is wrong, or the recordings do not show one version.
        StorageError: the report cannot be written.
    """
    started = datetime.now(UTC)
    golive = profile.golive if profile else ProfileGoLive()
    _check_profile(profile)
    folder = RunFolder(reports, run)
    try:
        files, summary = _judge(recordings, profile, folder.path)
        integrated = _version(summary.golive, version or golive.version)
        subject = partner or golive.partner or _UNNAMED
        results = _results(files, summary, integrated, profile, subject=subject, started=started, folder=folder.path)
        write_reports(results, folder.path)
    except BaseException:
        (folder.path / EVIDENCE).unlink(missing_ok=True)
        raise
    finally:
        folder.release()
    return results, folder.path


def _check_profile(profile: Profile | None) -> None:
    if profile is None:
        return
    if profile.environment == "production":
        raise UsageError(f'{profile.source}: environment is "production", but a partner is certified with test traffic')
    known = {item.id: item for item in go_live_items()}
    keys = {"[golive] required": profile.golive.required, "[golive.not_required]": profile.golive.not_required}
    for key, named in keys.items():
        for identifier in named:
            if identifier not in known:
                advice = did_you_mean(identifier, known, f"expected one of {', '.join(known)}")
                raise UsageError(f"{profile.source}: {key} {identifier} is not a go-live item; {advice}")
    for identifier in profile.golive.required:
        if not known[identifier].is_optional:
            raise UsageError(f"{profile.source}: [golive] required {identifier} is required anyway; remove it")


def _judge(files: Sequence[Path], profile: Profile | None, folder: Path) -> tuple[tuple[RecordedFile, ...], Summary]:
    """Judge recordings, and write the exchanges with the service to `EVIDENCE` in a folder.

    The pseudonyms in the evidence depend on the recordings alone, so that equal recordings give equal evidence.
    """
    _check(files)
    names = [path.name.encode("utf-8", "replace").decode() for path in files]
    labels = tuple(
        f"{name}#{names[: index + 1].count(name)}" if names.count(name) > 1 else name
        for index, name in enumerate(names)
    )
    recorded = tuple(map(_recorded_file, labels, files))
    service = named_service(profile=profile)
    pseudonyms = Pseudonyms(hashlib.sha256("\n".join(each.sha256 for each in recorded).encode()).digest())
    evidence = folder / EVIDENCE
    # The exchanges of one partner belong together, so that more processes would have nothing to judge.
    audited = AuditSettings(tuple(files), service, golive_settings(profile), labels=labels, together=True)
    contract, terms = Contract.load(SERVED, service), known_terms(profile)
    with writing(evidence), Recorder(evidence, contract, pseudonyms=pseudonyms, **terms) as recorder:
        result = audit(audited, jobs=1, recorder=recorder)
    if not result.summary.golive.versions:
        source = f" (base_url of {profile.source})" if profile else ""
        raise UsageError(f"{', '.join(labels)}: {not_called(files, service.base_urls)}{source}")
    return recorded, result.summary


def _check(files: Sequence[Path]) -> None:
    """Raise `UsageError` if a file is evidence that was changed after it was recorded."""
    for chain in verify_chains(filter(is_evidence, files), later_start=True):
        for problem in chain.problems:
            if not problem.is_unfinished:
                raise UsageError(problem.explained)


def _recorded_file(label: str, path: Path) -> RecordedFile:
    with path.open("rb") as file:
        return RecordedFile(label, hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size)


def _version(golive: GoLive, named: str | None) -> str:
    """Return the version that a partner integrates: the named one, the only one with bookings, or else the only one."""
    if named:
        if named not in golive.versions:
            raise UsageError(
                f"the recordings contain no {named}, only {' and '.join(sorted(golive.versions))}: correct --version, "
                "or [golive] version in the profile"
            )
        return named
    found = golive.booked() or golive.versions
    if len(found) == 1:
        return next(iter(found))
    raise UsageError(
        f"the recordings contain {' and '.join(sorted(found))}: name the version that the partner integrates with "
        f"--version {sorted(found)[-1]}"
    )


def _results(
    files: tuple[RecordedFile, ...],
    summary: Summary,
    version: str,
    profile: Profile | None,
    *,
    subject: str,
    started: datetime,
    folder: Path,
) -> Results:
    outcomes = {each.item.id: each for each in summary.golive.outcomes(version)}
    excluded = dict(_not_applicable(version, profile))
    scenarios = {
        rule.id: tuple(
            _scenario(name, steps, outcomes[rule.id].progress, excluded.get(rule.id, ""))
            for name, steps in zip(rule.scenarios, rule.steps, strict=True)
        )
        for rule in go_live_rules()
    }
    settings, finished = summary.golive.settings, datetime.now(UTC)
    scope = Scope(profile.source if profile else "", profile.digest if profile else "", versions=(version,))
    return Results(
        run=folder.name,
        started=started,
        finished=finished,
        subject=subject,
        environment=profile.environment if profile else "unknown",
        target=profile.base_url if profile else "",
        tool=Tool(__version__, platform.python_version()),
        scope=current_scope(scope, GO_LIVE, go_live_set()),
        rules=tuple(_rule(each, settings, scenarios[name]) for name, each in outcomes.items()),
        findings=tuple(FindingCount(row.finding, row.count) for row in summary.rows() if row.finding.side == "request"),
        waivers=waivers_of(profile, {each.rule for each in profile.waivers} - outcomes.keys()) if profile else (),
        timing=Timing((finished - started).total_seconds(), exchanges=summary.judged),
        integrity=integrity_of(folder / EVIDENCE),
        integration=Integration(
            version, files, summary.began, summary.ended, settings.adults, settings.infants, tuple(_changes(profile))
        ),
    )


def _scenario(name: str, steps: Sequence[str], progress: ItemProgress, not_applicable: str) -> ScenarioResult:
    """Return the result of a scenario; ``not_applicable`` is why its item does not apply to this partner, or empty."""
    if not_applicable:
        return ScenarioResult(name, "not_applicable", not_applicable)
    judged = [_judged(step, progress) for step in steps]
    last = next((number for number, (verdict, _, _) in enumerate(judged) if verdict != "passed"), len(steps) - 1)
    verdict, reason, shown = judged[last]
    findings = tuple(each.finding for each in shown if each.finding)
    return ScenarioResult(
        name,
        verdict,
        reason,
        # The last exchange of a sighting decides; those before it are what it follows from.
        exchanges=tuple(dict.fromkeys(exchange for each in shown for exchange in reversed(each.exchanges))),
        findings=findings,
        failure=replace(failure_of(findings[0]), steps=tuple(steps[: last + 1])) if findings else None,
    )


def _judged(step: str, progress: ItemProgress) -> tuple[Verdict, str, Sequence[Sighting]]:
    """Return the verdict of a step, the reason for it, and what shows it."""
    _, is_shown, what = step.partition(" it shows ")
    if " no " in step and progress.violations:
        return "failed", progress.violations[0].reason, progress.violations
    if is_shown and progress.gaps:
        gap = progress.gaps[0]
        return "untested", f"{gap.name} could not be judged: {gap.reason}", progress.gaps
    if is_shown and not progress.proofs:
        close = progress.attempts[-1:]
        why = "".join(f": {each.reason}" for each in close)
        return "untested", f"the recorded traffic does not show {what}{why}", close
    if is_shown and progress.warnings:
        return "warning", progress.warnings[0].reason, progress.warnings
    return "passed", "", progress.proofs


def _rule(outcome: ItemOutcome, settings: GoLiveSettings, scenarios: tuple[ScenarioResult, ...]) -> RuleResult:
    item, version, progress = outcome.item, outcome.version, outcome.progress
    texts: Iterable[Mapping[str, str]] = (item.sources, item.quotes, item.instructions_with(settings))
    source, quote, instructions = (each.get(version) or next(iter(each.values())) for each in texts)
    return RuleResult(
        id=item.id,
        version=version,
        area=item.area,
        statement=item.statement,
        source=source,
        binds="client",
        verdict=verdict_of(scenarios),
        reason=next((each.reason for each in scenarios if each.reason), ""),
        scenarios=scenarios,
        applied=progress.examined,
        instructions=_AGAIN if progress.gaps else instructions,
        quote=quote,
    )


def _not_applicable(version: str, profile: Profile | None) -> Iterable[tuple[str, str]]:
    golive = profile.golive if profile else ProfileGoLive()
    for item in go_live_items():
        if version not in item.versions:
            yield item.id, f"the item does not concern {version}"
        elif item.is_optional and item.id not in golive.required:
            yield item.id, "the item is optional and the operator does not require it"
        elif item.id in golive.not_required:
            yield item.id, f"the operator does not require it: {golive.not_required[item.id]}"
        elif item.needs and profile and not profile.has_capability(item.needs):
            yield item.id, f"the profile says that the service does not have it: [capabilities] {item.needs} = false"


def _changes(profile: Profile | None) -> Iterable[ItemChange]:
    golive = profile.golive if profile else ProfileGoLive()
    for each in golive.required:
        yield ItemChange(each, "added", "an optional item that the operator requires")
    for each, why in golive.not_required.items():
        yield ItemChange(each, "not required", why)
