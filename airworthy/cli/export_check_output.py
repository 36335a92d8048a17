"""The output of ``airworthy export-check``: progress while it reads, and the report in each format."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from types import FrameType
from typing import Any, Final, NoReturn
from urllib.parse import quote

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from airworthy.errors import TargetError
from airworthy.export import ExportFinding, ExportLocation, ExportReport
from airworthy.export.check import LISTING
from airworthy.export.report import shown
from airworthy.export.rows import ByteStream
from airworthy.report.sarif import located, log, result
from airworthy.report.templating import PageTable, TablesPage, render_tables
from airworthy.traffic.sarif import described
from airworthy.traffic.summary import number

_MOST_VALUES: Final = 4
_COLUMNS: Final = ("rule", "finding", "expected", "file", "column", "occurrences")
_RESULTS: Final = {
    0: ("passed", "No violation was found"),
    1: ("failed", "The export violates the documents"),
    3: ("incomplete", "Not everything could be read"),
}


@contextmanager
def progress_of(location: ExportLocation) -> Iterator[Callable[[str, ByteStream], ByteStream]]:
    """Return what shows on a terminal how far a file of the location has been read."""
    console = Console(stderr=True)
    name = TextColumn("{task.description}", markup=False)
    columns = (name, BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:

        def shown_stream(name: str, stream: ByteStream) -> ByteStream:
            return _StreamWithProgress(stream, progress, progress.add_task(shown(name), total=location.size(name)))

        yield shown_stream


@dataclass(frozen=True)
class _StreamWithProgress:
    stream: ByteStream
    progress: Progress
    task: Any

    def read(self, size: int, /) -> bytes:
        block = self.stream.read(size)
        self.progress.advance(self.task, len(block))
        return block


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C end the reading only, so that the findings so far are shown."""

    def stop(_: int, __: FrameType | None) -> NoReturn:
        raise TargetError("interrupted by Ctrl-C")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def json_report(report: ExportReport) -> dict[str, object]:
    """Return the report as ``--json`` prints it."""
    return {
        "location": report.location,
        "exit_code": report.exit_code,
        "rows": report.rows,
        "files": [
            {"file": each.file, "format": each.format, "rows": each.rows, "not_read": each.interrupted or None}
            for each in report.files
        ],
        "findings": [json_finding(each) for each in report.findings],
        "observations": [asdict(each) for each in report.observations],
        "examined": sorted(report.examined),
    }


def json_finding(finding: ExportFinding) -> dict[str, object]:
    """Return a finding as ``--format jsonl`` prints it."""
    return {"file": finding.file, "line": finding.line, "value": finding.value, **asdict(finding)}


def print_report(report: ExportReport, seconds: float) -> None:
    """Print the findings, the observations and the counts of a check that took ``seconds``."""
    console = Console(width=None if sys.stdout.isatty() else 160, markup=False, highlight=False, emoji=False)
    for finding in report.findings:
        style, word = ("yellow", "warning") if finding.soft else ("red", finding.kind)
        place = ", ".join(each for each in (finding.file, finding.column) if each)
        console.print(f"{word} {finding.rule} {place}: {finding.message}", style=style)
        console.print(f"    expected {finding.expected}; {examples(finding)}")
    for question, subject, values in observed(report):
        console.print(f"observed {question} {subject}: {values}", style="dim")
    for interruption in report.interruptions:
        console.print(f"not read: {interruption}", style="red")
    console.print(conclusion(report, f" in {seconds:.1f} s"), style="bold")


def conclusion(report: ExportReport, time_taken: str = "") -> str:
    """Return the counts of the check in one sentence."""
    violated = {each.rule for each in report.findings if each.kind == "violation" and not each.soft}
    warned = {each.rule for each in report.findings if each.soft} - violated
    return (
        f"{number(len(report.files), 'file')}, {number(report.rows, 'row')}{time_taken}: "
        f"{number(len(violated), 'rule')} violated, {number(len(warned), 'rule')} with warnings only"
    )


def examples(finding: ExportFinding) -> str:
    """Return how often a finding occurs, and its first examples."""
    shown = [f"line {each.line}: {each.value or '(empty)'}" if each.line else each.value for each in finding.examples]
    times = f"{finding.count:,} times, first at " if finding.count > 1 else ""
    return times + " | ".join(each for each in shown if each)


def observed(report: ExportReport) -> Iterator[tuple[str, str, str]]:
    """Yield each question, its subject and the values in the files, each with the place where it appears first."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for each in report.observations:
        place = f"{each.file}:{each.line}" if each.line else ""
        found.setdefault((each.question, each.subject), {}).setdefault(each.value, place)
    for (question, subject), values in sorted(found.items()):
        shown = [f"{value} ({place})" if len(values) > 1 and place else value for value, place in values.items()]
        more = [f"and {len(shown) - _MOST_VALUES} more (see --json)"] if len(shown) > _MOST_VALUES else []
        yield question, subject, "; ".join(shown[:_MOST_VALUES] + more)


def render_sarif(report: ExportReport) -> bytes:
    """Return the findings as SARIF; what could not be read is a notification."""
    findings = [each for each in report.findings if each.kind == "violation"]
    rules = sorted({each.rule for each in findings})
    notes = (f"{each.file}: {each.message}, {each.count} times" for each in report.findings if each not in findings)
    return log([described(each) for each in rules], map(_result, findings), [*report.interruptions, *notes])


def render_html(report: ExportReport) -> str:
    """Return the result as a page: violations, warnings, what was not read, observations and files."""
    tone, headline = _RESULTS[report.exit_code]
    warnings = [each for each in report.findings if each.soft]
    violations = [each for each in report.findings if each.kind == "violation" and not each.soft]
    unreadable = [each for each in report.findings if each.kind == "unreadable" and not each.soft]
    files = tuple((each.file, each.format or "unknown", f"{each.rows:,}", each.interrupted) for each in report.files)
    tables = (
        PageTable("Violations", _COLUMNS, tuple(map(_row, violations))),
        PageTable("Unreadable rows", _COLUMNS, tuple(map(_row, unreadable))),
        PageTable("Warnings", _COLUMNS, tuple(map(_row, warnings))),
        PageTable("Observations", ("question", "about", "values"), tuple(observed(report))),
        PageTable("Files", ("file", "format", "rows", "not read because"), files),
    )
    result = (("Result", conclusion(report)),)
    return render_tables(TablesPage("content export", report.location, headline, tone, result, (), tables))


def _row(finding: ExportFinding) -> tuple[str, ...]:
    return finding.rule, finding.message, finding.expected, finding.file, finding.column, examples(finding)


def _result(finding: ExportFinding) -> dict[str, Any]:
    place = located(finding.file)
    if finding.file != LISTING:
        region = {"region": {"startLine": finding.line}} if finding.line else {}
        place = {"physicalLocation": {"artifactLocation": {"uri": quote(finding.file)}, **region}}
    subject = f"{finding.column}: " if finding.column else ""
    key = (finding.rule, finding.file, finding.column, finding.message, finding.expected)
    text = f"{subject}{finding.message}: expected {finding.expected}; {examples(finding)}"
    level = "warning" if finding.soft else "error"
    return result(finding.rule, level, text, place, count=finding.count, identity=key)
