"""``airworthy export-check``: check the files of a content export against the documents."""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, Final, Literal, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from airworthy.cli.options import Json
from airworthy.errors import TargetError, UsageError
from airworthy.export import (
    ExpectedFiles,
    ExportFinding,
    ExportLocation,
    ExportReport,
    FtpAccess,
    check_folder,
    open_location,
)
from airworthy.export.formats import export_specification
from airworthy.export.report import printable
from airworthy.export.rows import ByteStream
from airworthy.target import authorities
from airworthy.target.secret import Secret

app = typer.Typer()

USER_VARIABLE: Final = "AIRWORTHY_FTP_USER"
PASSWORD_VARIABLE: Final = "AIRWORTHY_FTP_PASSWORD"  # noqa: S105  a name
_MOST_VALUES: Final = 4


@app.command("export-check")
def export_check(
    location: Annotated[
        str, typer.Argument(metavar="LOCATION", help="A folder, a file, ftp://HOST/FOLDER or ftps://HOST/FOLDER.")
    ],
    *,
    customer: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Customer that must have its own files; repeatable."),
    ] = None,
    api_version: Annotated[
        list[int] | None, typer.Option(metavar="N", help="API version that must have files; repeatable.")
    ] = None,
    user_env: Annotated[str, typer.Option(metavar="NAME", help="Variable with the user name.")] = USER_VARIABLE,
    password_env: Annotated[str, typer.Option(metavar="NAME", help="Variable with the password.")] = PASSWORD_VARIABLE,
    ca_bundle: Annotated[Path | None, typer.Option(metavar="FILE", help="PEM file with trusted authorities.")] = None,
    timeout: Annotated[float, typer.Option(metavar="SECONDS", help="How long the server may send nothing.")] = 30.0,
    max_time: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Maximum time for reading everything from the server.")
    ] = None,
    form: Annotated[Literal["table", "jsonl", "json"], typer.Option("--format", help="Output format.")] = "table",
    as_json: Json = False,
) -> None:
    """Check the CSV files of a content export: file names, columns and cells.

    A finding names the file, the line, the column, the value and what was expected. Equal findings are counted and
    shown once with their first examples. Where the documents leave the choice, the value is an observation or a
    warning. Unless the environment variables for user and password are set, the login is anonymous.
    Exit codes: 0 no violation, 1 violations, 2 usage error, 3 not everything could be read.

    Example: airworthy export-check ftps://drop.example.com/export --customer acme --api-version 3
    """
    access = FtpAccess(
        *_credentials(user_env, password_env),
        authorities.ca_bundle(ca_bundle),
        _positive("--timeout", timeout),
        max_time,
    )
    if max_time is not None:
        _positive("--max-time", max_time)
    export_location = open_location(location, access)
    expected = ExpectedFiles(tuple(customer or ()), _versions(api_version or ()))
    began = time.monotonic()
    with _progress() as progress, _interruptible():
        report = check_folder(_LocationWithProgress(export_location, progress), expected)
    if as_json or form == "json":
        sys.stdout.write(json.dumps(_json_report(report), indent=2) + "\n")
    elif form == "jsonl":
        sys.stdout.writelines(json.dumps(_json_finding(each)) + "\n" for each in report.findings)
        sys.stderr.writelines(f"not read: {each}\n" for each in report.interruptions)
    else:
        _print(report, time.monotonic() - began)
    raise typer.Exit(report.exit_code)


# Options


def _credentials(user_env: str, password_env: str) -> tuple[Secret | None, Secret | None]:
    for name, default in ((user_env, USER_VARIABLE), (password_env, PASSWORD_VARIABLE)):
        if name != default and name not in os.environ:
            raise UsageError(f"the environment variable {name} is not set")
    if user_env not in os.environ:
        return None, None
    if password_env not in os.environ:
        raise UsageError(f"the environment variable {user_env} is set, but {password_env} is not")
    return Secret(os.environ[user_env], user_env), Secret(os.environ[password_env], password_env)


def _positive(name: str, seconds: float) -> float:
    if not 0 < seconds < threading.TIMEOUT_MAX:
        raise UsageError(f"{name} must be a positive number of seconds, got {seconds:g}")
    return seconds


def _versions(asked: Sequence[int]) -> tuple[int, ...]:
    known = export_specification().versions
    if unknown := [each for each in asked if each not in known]:
        raise UsageError(f"--api-version must be {' or '.join(map(str, known))}, got {unknown[0]}")
    return tuple(asked)


# Progress


@dataclass(frozen=True)
class _LocationWithProgress:
    """A location that shows the progress of reading."""

    location: ExportLocation
    progress: Progress

    @property
    def name(self) -> str:
        return self.location.name

    @property
    def is_folder(self) -> bool:
        return self.location.is_folder

    def names(self) -> Sequence[str]:
        return self.location.names()

    def size(self, name: str) -> int | None:
        return self.location.size(name)

    @contextmanager
    def open(self, name: str) -> Iterator[ByteStream]:
        with self.location.open(name) as stream:
            yield _StreamWithProgress(
                stream, self.progress, self.progress.add_task(printable(name), total=self.size(name))
            )


@dataclass(frozen=True)
class _StreamWithProgress:
    stream: ByteStream
    progress: Progress
    task: Any

    def read(self, size: int, /) -> bytes:
        block = self.stream.read(size)
        self.progress.advance(self.task, len(block))
        return block


def _progress() -> Progress:
    console = Console(stderr=True)
    name = TextColumn("{task.description}", markup=False)
    columns = (name, BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


@contextmanager
def _interruptible() -> Iterator[None]:
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


# Output


def _json_report(report: ExportReport) -> dict[str, object]:
    return {
        "location": report.location,
        "exit_code": report.exit_code,
        "rows": report.rows,
        "files": [
            {"file": each.file, "format": each.format, "rows": each.rows, "not_read": each.interrupted or None}
            for each in report.files
        ],
        "findings": [_json_finding(each) for each in report.findings],
        "observations": [asdict(each) for each in report.observations],
        "examined": sorted(report.examined),
    }


def _json_finding(finding: ExportFinding) -> dict[str, object]:
    return {"file": finding.file, "line": finding.line, "value": finding.value, **asdict(finding)}


def _print(report: ExportReport, seconds: float) -> None:
    console = Console(width=None if sys.stdout.isatty() else 160, markup=False, highlight=False, emoji=False)
    for finding in report.findings:
        style, word = ("yellow", "warning") if finding.soft else ("red", finding.kind)
        place = ", ".join(each for each in (finding.file, finding.column) if each)
        console.print(f"{word} {finding.rule} {place}: {finding.message}", style=style)
        console.print(f"    expected {finding.expected}; {_examples(finding)}")
    for question, subject, values in _observations(report):
        console.print(f"observed {question} {subject}: {values}", style="dim")
    for interruption in report.interruptions:
        console.print(f"not read: {interruption}", style="red")
    violated = {each.rule for each in report.findings if each.kind == "violation" and not each.soft}
    warned = {each.rule for each in report.findings if each.soft} - violated
    console.print(
        f"{_count(len(report.files), 'file')}, {_count(report.rows, 'row')} in {seconds:.1f} s: "
        f"{_count(len(violated), 'rule')} violated, {_count(len(warned), 'rule')} with warnings",
        style="bold",
    )


def _examples(finding: ExportFinding) -> str:
    shown = [f"line {each.line}: {each.value or '(empty)'}" if each.line else each.value for each in finding.examples]
    times = f"{finding.count:,} times, first at " if finding.count > 1 else ""
    return times + " | ".join(each for each in shown if each)


def _observations(report: ExportReport) -> Iterator[tuple[str, str, str]]:
    """Yield each question, its subject and the values in the files, each with the place where it appears first."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for each in report.observations:
        place = f"{each.file}:{each.line}" if each.line else ""
        found.setdefault((each.question, each.subject), {}).setdefault(each.value, place)
    for (question, subject), values in sorted(found.items()):
        shown = [f"{value} ({place})" if len(values) > 1 and place else value for value, place in values.items()]
        more = [f"and {len(shown) - _MOST_VALUES} more (see --json)"] if len(shown) > _MOST_VALUES else []
        yield question, subject, "; ".join(shown[:_MOST_VALUES] + more)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"
