"""The output of ``airworthy audit``: progress while it judges, and the result in each format."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import IO

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from airworthy.audit import AuditResult
from airworthy.audit.run import NewRedactor, example_exchanges
from airworthy.cli.options import AuditFormat
from airworthy.errors import unwritable
from airworthy.private_files import opened_output
from airworthy.report.violations import comparison
from airworthy.text import printable
from airworthy.traffic import Summary
from airworthy.traffic.document import to_json
from airworthy.traffic.lines import at_fault, progress_lines
from airworthy.traffic.naming import after
from airworthy.traffic.page import first_exchanges, label, render_html
from airworthy.traffic.sarif import to_sarif
from airworthy.traffic.summary import number, outcome, ranked

_WIDTH = 200
_MOST_SHOWN = 100
_PROGRESS_DELAY = 1.0
_STYLES = {"violation": "red", "drift": "red", "warning": "yellow", "deprecated": "yellow", "note": "dim"}


@contextlib.contextmanager
def progress() -> Iterator[Callable[[int, int], None] | None]:
    """Show a progress bar on a terminal if the audit takes longer than a second."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (TextColumn("Judging"), BarColumn(), TextColumn("{task.percentage:.0f} %"), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task("", total=None)
    began = time.monotonic()

    def show(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total)
        if not bar.live.is_started and time.monotonic() - began > _PROGRESS_DELAY:
            bar.start()

    try:
        yield show
    finally:
        bar.stop()


def write(result: AuditResult, form: AuditFormat, output: Path | None, new_redactor: NewRedactor) -> None:
    """Write the result in one format to a file, or to standard output; ``new_redactor`` is for what a page shows."""
    try:
        with opened_output(output) if output else contextlib.nullcontext(sys.stdout.buffer) as file:
            if form == "table" and output is None:
                _print(result.summary, Console(width=None if sys.stdout.isatty() else _WIDTH, highlight=False))
            else:
                _render(result, form, file, new_redactor)
    except OSError as error:
        if output is None:
            raise
        raise unwritable(f"--output {output}", error) from None


def _render(result: AuditResult, form: AuditFormat, file: IO[bytes], new_redactor: NewRedactor) -> None:
    names = result.files
    match form:
        case "jsonl":
            file.writelines(result.lines)
        case "json":
            file.write(to_json(result.summary))
        case "sarif":
            locations = {key: (names[index], entry) for key, (index, entry) in result.examples.items()}
            file.write(to_sarif(result.summary, locations))
        case "html":
            subject = Path(names[0]).name if len(names) == 1 else number(len(names), "recording")
            exchanges = example_exchanges(result, first_exchanges(result.summary), new_redactor)
            file.write(render_html(result.summary, subject, exchanges, names, changed=result.changed).encode())
        case "table":
            with TextIOWrapper(file, encoding="utf-8") as text:
                _print(result.summary, Console(file=text, width=_WIDTH, highlight=False))


def _print(summary: Summary, console: Console) -> None:
    verdict = outcome(summary)
    console.print(Text(f"{verdict.headline}. {verdict.lead}", style="bold"))
    rows = [row for row in summary.rows() if row.finding.kind != "unreadable"]
    if rows:
        table = Table(box=None, header_style="bold", pad_edge=False)
        for column in ("", "Side", "Location", "Finding", "Rule"):
            table.add_column(column)
        table.add_column("Count", justify="right")
        for row in rows[:_MOST_SHOWN]:
            name, finding = label(row.finding), row.finding
            location = printable(f"{row.operation} {row.place}")
            message = printable(f"{finding.message}{comparison(finding)} (first: {row.example_name}{after(finding)})")
            cells = (Text(name, style=_STYLES[name]), Text(at_fault(finding)), Text(location), Text(message))
            table.add_row(*cells, Text(finding.rule), f"{row.count:,}")
        console.print(table)
    if len(rows) > _MOST_SHOWN:
        console.print(f"… and {len(rows) - _MOST_SHOWN:,} more; use --format html to list them")
    judged = f"{number(summary.judged, 'exchange')} judged, {summary.foreign:,} with other hosts"
    console.print(f"{judged}, {summary.not_judged.total():,} not judged.")
    for reason, count in ranked(summary.not_judged).items():
        console.print(Text(printable(f"  {count:,} not judged: {reason}")))
    for text in progress_lines(summary.golive):
        console.print(Text(f"Go-live list, {text}."))
