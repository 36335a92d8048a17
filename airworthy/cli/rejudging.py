"""Judges the evidence of an old run again, and writes the results to a folder of their own."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import typer

from airworthy.attestation import consistent_results
from airworthy.cli.certification import Certification
from airworthy.errors import UsageError, unwritable
from airworthy.private_files import owner_only
from airworthy.register import rules
from airworthy.report import Results, decide, write_reports
from airworthy.suite.folders import RunFolder
from airworthy.suite.rejudgement import judge_again
from airworthy.suite.terminal import summary_lines
from airworthy.traffic.lines import plain

_LEDGER: Final = "ledger.jsonl"
_NO_RULE: Final = "no such rule"


def certify_again(run: Path, arguments: Sequence[str], reports: Path, name: str | None = None) -> Certification:
    """Judge the evidence of a run again with the current rules, and return the decision.

    The new folder has the evidence and the ledger of the run, so that it can be signed and verified by itself.

    Raises:
        UsageError: the folder is not a run of a service, its files do not agree with each other, or there are
            ``arguments`` for a run, which would have no effect.
        StorageError: a file cannot be written.
    """
    if arguments:
        raise UsageError(f"--from-evidence sends no requests, so {arguments[0]} has no effect; remove one of them")
    old = consistent_results(run)
    if old.integration:
        raise UsageError(f"{run}: the run judged a partner; judge its evidence again with airworthy certify partner")
    evidence = Path(old.integrity.evidence).name
    if not evidence:
        raise UsageError(f"{run}: the run has no evidence to judge again")
    results = judge_again(old, run / evidence, rules())
    folder = RunFolder(reports, name)
    try:
        for each in (evidence, _LEDGER):
            _copy(run / each, folder.path / each)
        write_reports(results, folder.path)
    finally:
        folder.release()
    decision = decide(results)
    for line in (
        *summary_lines(results, decision, str(folder.path / "report.html")),
        *map(plain, _change_lines(results)),
    ):
        typer.echo(line)
    return Certification(results, decision, folder.path)


def _copy(source: Path, target: Path) -> None:
    if not source.exists():
        return
    try:
        with source.open("rb") as old, open(target, "xb", opener=owner_only) as new:
            shutil.copyfileobj(old, new)
    except OSError as error:
        raise unwritable(str(target), error) from None


def _change_lines(results: Results) -> list[str]:
    again = results.rejudgement
    if again is None:
        return []
    before = f"Airworthy {again.tool}, requirement set {again.requirement_set}"
    counts = f"changed verdicts: {len(again.changes)}, scenarios with the verdict of their steps: {again.kept}"
    changes = (
        f"  {each.rule}: {each.before or _NO_RULE} before, {each.after or _NO_RULE} now: {each.why}"
        for each in again.changes
    )
    return [f"judged again (before: {before}): {counts}", *changes]
