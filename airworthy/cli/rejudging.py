"""Judges the evidence of an old run again, and writes the results to a folder of their own."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import typer

from airworthy.attestation.consistency import consistent_results
from airworthy.cli.certification import Certification
from airworthy.errors import UsageError, writing
from airworthy.private_files import owner_only
from airworthy.register import go_live_rules, rules
from airworthy.report.overview import overview
from airworthy.report.results import EMBEDDED, WORST_FIRST, Results, VerdictChange
from airworthy.report.write import LEDGER, deciding_records, write_reports
from airworthy.suite.aggregate import waivers_of
from airworthy.suite.folders import RunFolder
from airworthy.suite.rejudgement import judge_again
from airworthy.suite.terminal import fix_next_lines, summary_lines
from airworthy.target.profile_file import load_profile
from airworthy.target.records import Waiver
from airworthy.text import printable

_NO_RULE: Final = "no such rule"
_NAMED: Final = 3


def certify_again(
    run: Path, arguments: Sequence[str], reports: Path, name: str | None = None, profile: Path | None = None
) -> Certification:
    """Judge the evidence of a run again with the current rules, and return the decision.

    The results have the id ``name`` (default: that of the run), and the waivers of the ``profile`` if there is one.
    The new folder has the evidence and the ledger of the run, so that it can be signed and verified by itself.

    Raises:
        UsageError: the folder is not a run of a service, or one that only explored, its files do not agree with each
            other, or there are ``arguments`` for a run, which would have no effect.
        StorageError: a file cannot be written.
    """
    if arguments:
        raise UsageError(f"--from-evidence sends no requests, so {arguments[0]} has no effect; remove one of them")
    old = consistent_results(run)
    if old.integration:
        raise UsageError(f"{run}: the run judged a partner; judge its evidence again with airworthy certify partner")
    if old.is_exploration:
        raise UsageError(f"{run}: the run only explored, which certifies nothing")
    evidence = Path(old.integrity.evidence).name
    if not evidence:
        raise UsageError(f"{run}: the run has no evidence to judge again")
    results = judge_again(old, run / evidence, rules())
    waivers = _waivers(profile, results) if profile else old.waivers
    results = replace(results, run=name or old.run, waivers=waivers)
    folder = RunFolder(reports, name)
    try:
        for each in (evidence, LEDGER):
            _copy(run / each, folder.path / each)
        write_reports(results, folder.path)
    finally:
        folder.release()
    seen = overview(results)
    decision = seen.decision
    records = deciding_records(results, decision, folder.path)
    for line in (
        *fix_next_lines(results, seen, records),
        *summary_lines(results, seen, str(folder.path / "report.html")),
        *map(printable, _change_lines(results)),
    ):
        typer.echo(line)
    return Certification(results, folder.path, decision.exit_code)


def _waivers(path: Path, results: Results) -> tuple[Waiver, ...]:
    """Return the waivers of a profile, which has to be one of the same service."""
    profile = load_profile(path)
    if results.target not in (profile.base_url, EMBEDDED):
        raise UsageError(f"--profile {path}: base_url is {profile.base_url}, but the run tested {results.target}")
    excluded = {rule.id for rule in (*rules(), *go_live_rules())} - {rule.id for rule in results.rules}
    return waivers_of(profile, excluded)


def _copy(source: Path, target: Path) -> None:
    if source.exists():
        with writing(target), source.open("rb") as old, open(target, "xb", opener=owner_only) as new:
            shutil.copyfileobj(old, new)


def _change_lines(results: Results) -> list[str]:
    again = results.rejudgement
    if again is None:
        return []
    before = f"Airworthy {again.tool}, requirement set {again.requirement_set or 'unknown'}"
    counts = f"changed verdicts: {len(again.changes)}, scenarios with the verdict of their steps: {again.kept}"
    return [f"judged again (before: {before}): {counts}", *change_lines(again.changes)]


def change_lines(changes: Sequence[VerdictChange]) -> list[str]:
    """Return a line for each kind and reason of a change, worst first, with the rules that it is about."""
    rules: dict[tuple[str, str, str], list[str]] = {}
    for each in changes:
        rules.setdefault((each.before, each.after, each.why), []).append(each.rule)
    order = (*WORST_FIRST, "")
    return [
        f"  {_named(names)}: {before or _NO_RULE} before, {after or _NO_RULE} now: {why}"
        for (before, after, why), names in sorted(rules.items(), key=lambda each: order.index(each[0][1]))
    ]


def _named(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
