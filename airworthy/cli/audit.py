"""``airworthy audit``: the contract's judgement on traffic that was recorded earlier."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Annotated, Literal

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from airworthy.audit import Audit, Settings, audit
from airworthy.contract import Contract, Service
from airworthy.contract.contract import SERVED
from airworthy.errors import UsageError
from airworthy.evidence import Recorder
from airworthy.target.profile import Profile
from airworthy.target.profile_file import load_profile
from airworthy.target.variables import secret_placeholders
from airworthy.traffic import Summary
from airworthy.traffic.document import to_json
from airworthy.traffic.golive import ADULTS, INFANTS
from airworthy.traffic.lines import at_fault, plain
from airworthy.traffic.outcome import number, outcome
from airworthy.traffic.page import render_html, sort
from airworthy.traffic.sarif import to_sarif
from airworthy.traffic.summary import ranked

app = typer.Typer()

Format = Literal["table", "jsonl", "json", "sarif", "html"]
_WIDTH = 200
_MOST_SHOWN = 100
_PATIENCE = 1.0
_STYLES = {"violation": "red", "drift": "red", "warning": "yellow", "deprecated": "yellow", "note": "dim"}


@app.command("audit")
def audit_files(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="HAR, mitmproxy's flows, or evidence.")],
    *,
    base_url: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="Whose traffic is judged: base URL without the version; repeatable."),
    ] = None,
    payment_provider: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="The payment provider's URL; repeatable.")
    ] = None,
    profile: Annotated[
        Path | None, typer.Option(metavar="FILE", help="TOML profile that names both, and what is secret.")
    ] = None,
    allow_plain_http: Annotated[
        bool, typer.Option("--allow-plain-http", help="TLS ended before the recorder: http:// is no finding.")
    ] = False,
    form: Annotated[Format, typer.Option("--format", help="How the findings are shown.")] = "table",
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Where they go (standard output).")] = None,
    evidence: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write redacted evidence of the service's exchanges.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes (one for each processor).")] = None,
    adults: Annotated[
        int, typer.Option(min=1, help="Adults in one booking that are several, for going live.")
    ] = ADULTS,
    infants: Annotated[int, typer.Option(min=1, help="Infants in one booking that are wanted.")] = INFANTS,
) -> None:
    """Judge recorded traffic by the contract, as the proxy would have when it passed.

    Exit codes: 0 nothing is broken, 1 something is, 2 wrong use, 3 nothing could be judged.

    Example: airworthy audit monday.har --base-url https://api.example.com --format html --output monday.html
    """
    known = load_profile(profile) if profile else None
    service = _service(known, base_url or [], payment_provider or [], allow_plain_http=allow_plain_http)
    settings = Settings(tuple(files), service, adults, infants, tell=form == "jsonl")
    with _recorder(evidence, service, known) as recorder, _progress() as progress:
        try:
            found = audit(settings, jobs=jobs, recorder=recorder, progress=progress)
        except OSError as error:
            raise UsageError(f"--evidence {evidence}: {error.strerror or error}") from None
    said = outcome(found.summary)
    _write(found, form, output)
    if output:
        sys.stderr.write(f"{said.headline}: {output}\n")
    raise typer.Exit(said.exit_code)


def _service(profile: Profile | None, base_urls: list[str], providers: list[str], *, allow_plain_http: bool) -> Service:
    for option, urls in (("--base-url", base_urls), ("--payment-provider", providers)):
        for url in urls:
            if not url.lower().startswith(("https://", "http://")):
                raise UsageError(f"{option} {url}: expected an absolute URL, such as https://api.example.com")
    named = [profile.base_url] if profile else []
    paid = [profile.payment.url] if profile and profile.payment.url else []
    plain_http = allow_plain_http or bool(profile and profile.allow_plain_http)
    return Service((*named, *base_urls), (*paid, *providers), plain_http)


@contextlib.contextmanager
def _recorder(path: Path | None, service: Service, profile: Profile | None) -> Iterator[Recorder | None]:
    if path is None:
        yield None
        return
    secrets = secret_placeholders(profile) if profile else {}
    try:
        recorder = Recorder(path, Contract.load(SERVED, service), secrets=secrets)
    except OSError as error:
        raise UsageError(f"--evidence {path}: {error.strerror}") from None
    with recorder:
        yield recorder


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """Show on a terminal how far the audit has come, once it has taken a second."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (TextColumn("Judging"), BarColumn(), TextColumn("{task.percentage:.0f} %"), TimeRemainingColumn())
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task("", total=None)
    began = time.monotonic()

    def show(done: int, whole: int) -> None:
        bar.update(task, completed=done, total=whole)
        if not bar.live.is_started and time.monotonic() - began > _PATIENCE:
            bar.start()

    try:
        yield show
    finally:
        bar.stop()


def _write(found: Audit, form: Format, output: Path | None) -> None:
    try:
        with output.open("wb") if output else contextlib.nullcontext(sys.stdout.buffer) as file:
            if form == "table" and output is None:
                _print(found.summary, Console(width=None if sys.stdout.isatty() else _WIDTH, highlight=False))
            else:
                _render(found, form, file)
    except OSError as error:
        if output is None:
            raise
        raise UsageError(f"--output {output}: {error.strerror}") from None


def _render(found: Audit, form: Format, file: IO[bytes]) -> None:
    names = found.files
    match form:
        case "jsonl":
            file.writelines(found.lines)
        case "json":
            file.write(to_json(found.summary))
        case "sarif":
            places = {key: (names[number], entry) for key, (number, entry) in found.examples.items()}
            file.write(to_sarif(found.summary, places))
        case "html":
            file.write(render_html(found.summary, ", ".join(names)).encode())
        case "table":
            with TextIOWrapper(file, encoding="utf-8") as text:
                _print(found.summary, Console(file=text, width=_WIDTH, highlight=False))


def _print(summary: Summary, console: Console) -> None:
    said = outcome(summary)
    console.print(Text(f"{said.headline}. {said.lead}", style="bold"))
    rows = [row for row in summary.rows() if row.finding.kind != "unreadable"]
    if rows:
        table = Table(box=None, header_style="bold", pad_edge=False)
        for column in ("", "By the", "Where", "What", "Rule"):
            table.add_column(column)
        table.add_column("Times", justify="right")
        for row in rows[:_MOST_SHOWN]:
            name, finding = sort(row.finding), row.finding
            where = plain(f"{row.operation} {row.place}")
            what = plain(f"{finding.message} (first: {finding.exchange})")
            cells = (Text(name, style=_STYLES[name]), Text(at_fault(finding)), Text(where), Text(what))
            table.add_row(*cells, Text(finding.rule), f"{row.count:,}")
        console.print(table)
    if len(rows) > _MOST_SHOWN:
        console.print(f"… and {number(len(rows) - _MOST_SHOWN, 'kind')} more: --format html shows them")
    told = f"Seen {summary.seen:,}, judged {summary.judged:,}, not the service's {summary.foreign:,}"
    console.print(f"{told}, not judged {summary.not_judged.total():,}.")
    for reason, count in ranked(summary.not_judged).items():
        console.print(Text(plain(f"  not judged, {number(count, 'time')}: {reason}")))
    asked = [item for item in summary.golive.progress() if item.asked]
    if asked:
        missing = ", ".join(item.name for item in asked if not item.done) or "nothing"
        done = sum(item.done for item in asked)
        console.print(f"Go-live bookings: {done} of {len(asked)} covered; missing: {missing}.")
