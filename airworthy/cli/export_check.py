"""``airworthy export-check``: the files of a content export, held against the documents."""

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
from airworthy.export import Access, Expected, ExportReport, Finding, Location, check_folder, open_location
from airworthy.export.formats import content_export
from airworthy.export.report import shown
from airworthy.export.rows import Stream
from airworthy.target import authorities
from airworthy.target.secret import Secret

app = typer.Typer()

USER_VARIABLE: Final = "AIRWORTHY_FTP_USER"
PASSWORD_VARIABLE: Final = "AIRWORTHY_FTP_PASSWORD"  # noqa: S105  a name
_MOST: Final = 4


@app.command("export-check")
def export_check(
    location: Annotated[
        str, typer.Argument(metavar="LOCATION", help="A folder, a file, or ftp://HOST/FOLDER, ftps://HOST/FOLDER.")
    ],
    *,
    customer: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A customer with distribution rules, as files name it; repeatable."),
    ] = None,
    api_version: Annotated[
        list[int] | None, typer.Option(metavar="N", help="An API version that files must be there for; repeatable.")
    ] = None,
    user_env: Annotated[str, typer.Option(metavar="NAME", help="Variable with the server's user.")] = USER_VARIABLE,
    password_env: Annotated[
        str, typer.Option(metavar="NAME", help="Variable with the user's password.")
    ] = PASSWORD_VARIABLE,
    ca_bundle: Annotated[Path | None, typer.Option(metavar="FILE", help="PEM file with authorities to trust.")] = None,
    timeout: Annotated[float, typer.Option(metavar="SECONDS", help="Longest silence of a server.")] = 30.0,
    max_time: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Longest time for all that is read from a server.")
    ] = None,
    form: Annotated[
        Literal["table", "jsonl", "json"], typer.Option("--format", help="How the findings are shown.")
    ] = "table",
    as_json: Json = False,
) -> None:
    """Check the CSV files of a content export: names, columns, and what the cells hold.

    A finding names file, line, column, value and what was expected; what is alike is counted, with its first examples.
    What the documents leave open is observed, or a warning. Nobody logs in to a server where the variables are not set.
    Exit codes: 0 no rule is broken, 1 one is, 2 wrong use, 3 not all could be read.

    Example: airworthy export-check ftps://drop.example.com/export --customer acme --api-version 3
    """
    access = Access(
        *_credentials(user_env, password_env),
        authorities.ca_bundle(ca_bundle),
        _positive("--timeout", timeout),
        max_time,
    )
    if max_time is not None:
        _positive("--max-time", max_time)
    place = open_location(location, access)
    expected = Expected(tuple(customer or ()), _versions(api_version or ()))
    began = time.monotonic()
    with _progress() as progress, _stopped_gently():
        report = check_folder(_Watched(place, progress), expected)
    if as_json or form == "json":
        sys.stdout.write(json.dumps(_told(report), indent=2) + "\n")
    elif form == "jsonl":
        sys.stdout.writelines(json.dumps(_finding(each)) + "\n" for each in report.findings)
        sys.stderr.writelines(f"not read: {each}\n" for each in report.interruptions)
    else:
        _print(report, time.monotonic() - began)
    raise typer.Exit(report.exit_code)


# What was asked for


def _credentials(user_env: str, password_env: str) -> tuple[Secret | None, Secret | None]:
    for name, default in ((user_env, USER_VARIABLE), (password_env, PASSWORD_VARIABLE)):
        if name != default and name not in os.environ:
            raise UsageError(f"the variable {name} is not set")
    if user_env not in os.environ:
        return None, None
    if password_env not in os.environ:
        raise UsageError(f"the variable {password_env} is not set, and {user_env} is")
    return Secret(os.environ[user_env], user_env), Secret(os.environ[password_env], password_env)


def _positive(name: str, seconds: float) -> float:
    if not 0 < seconds < threading.TIMEOUT_MAX:
        raise UsageError(f"{name} {seconds:g}: expected seconds")
    return seconds


def _versions(asked: Sequence[int]) -> tuple[int, ...]:
    known = content_export().versions
    if unknown := [each for each in asked if each not in known]:
        raise UsageError(f"--api-version {unknown[0]}: expected {' or '.join(map(str, known))}")
    return tuple(asked)


# While it runs


@dataclass(frozen=True)
class _Watched:
    """A location whose reading is shown."""

    place: Location
    progress: Progress

    @property
    def name(self) -> str:
        return self.place.name

    @property
    def is_folder(self) -> bool:
        return self.place.is_folder

    def names(self) -> Sequence[str]:
        return self.place.names()

    def size(self, name: str) -> int | None:
        return self.place.size(name)

    @contextmanager
    def open(self, name: str) -> Iterator[Stream]:
        with self.place.open(name) as stream:
            yield _Counted(stream, self.progress, self.progress.add_task(shown(name), total=self.size(name)))


@dataclass(frozen=True)
class _Counted:
    stream: Stream
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
def _stopped_gently() -> Iterator[None]:
    """Let Ctrl-C end the reading, so that what was found so far is shown."""

    def stop(_: int, __: FrameType | None) -> NoReturn:
        raise TargetError("stopped by Ctrl-C")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# What is shown


def _told(report: ExportReport) -> dict[str, object]:
    return {
        "location": report.location,
        "exit_code": report.exit_code,
        "rows": report.rows,
        "files": [
            {"file": each.file, "format": each.format, "rows": each.rows, "not_read": each.interrupted or None}
            for each in report.files
        ],
        "findings": [_finding(each) for each in report.findings],
        "observations": [asdict(each) for each in report.observations],
        "examined": sorted(report.examined),
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {"file": finding.file, "line": finding.line, "value": finding.value, **asdict(finding)}


def _print(report: ExportReport, seconds: float) -> None:
    console = Console(width=None if sys.stdout.isatty() else 160, markup=False, highlight=False, emoji=False)
    for finding in report.findings:
        style, word = ("yellow", "warning") if finding.soft else ("red", finding.kind)
        place = ", ".join(each for each in (finding.file, finding.column) if each)
        console.print(f"{word} {finding.rule} {place}: {finding.message}", style=style)
        console.print(f"    {_where(finding)}; expected {finding.expected}")
    for question, subject, values in _observed(report):
        console.print(f"observed {question} {subject}: {values}", style="dim")
    for interruption in report.interruptions:
        console.print(f"not read: {interruption}", style="red")
    broken = {each.rule for each in report.findings if each.kind == "violation" and not each.soft}
    warned = {each.rule for each in report.findings if each.soft} - broken
    console.print(
        f"{_number(len(report.files), 'file')}, {_number(report.rows, 'row')} in {seconds:.1f} s: "
        f"{_number(len(broken), 'rule')} broken, {len(warned)} with a warning",
        style="bold",
    )


def _where(finding: Finding) -> str:
    shown = [f"line {each.line}: {each.value or '(empty)'}" if each.line else each.value for each in finding.examples]
    times = f"{finding.count:,} times, first at " if finding.count > 1 else ""
    return times + " | ".join(each for each in shown if each)


def _observed(report: ExportReport) -> Iterator[tuple[str, str, str]]:
    """Yield what is open, and what the files show: each value once, with the place where it shows first."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for each in report.observations:
        place = f"{each.file}:{each.line}" if each.line else ""
        found.setdefault((each.question, each.subject), {}).setdefault(each.value, place)
    for (question, subject), values in sorted(found.items()):
        shown = [f"{value} ({place})" if len(values) > 1 and place else value for value, place in values.items()]
        more = [f"and {len(shown) - _MOST} more: --json shows all"] if len(shown) > _MOST else []
        yield question, subject, "; ".join(shown[:_MOST] + more)


def _number(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"
