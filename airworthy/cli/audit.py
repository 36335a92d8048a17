"""``airworthy audit``: judge recorded traffic."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Annotated, BinaryIO, Literal

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from airworthy.audit import AuditResult, AuditSettings, audit
from airworthy.contract import Contract, ServiceAddress
from airworthy.contract.contract import SERVED
from airworthy.errors import UsageError, unwritable
from airworthy.evidence import Recorder
from airworthy.private_files import owner_only
from airworthy.target.profile import Profile
from airworthy.target.profile_file import load_profile
from airworthy.target.variables import secret_placeholders
from airworthy.traffic import Summary
from airworthy.traffic.document import to_json
from airworthy.traffic.golive import ADULTS, INFANTS, GoLiveSettings
from airworthy.traffic.lines import at_fault, plain, progress_lines
from airworthy.traffic.outcome import number, outcome
from airworthy.traffic.page import label, render_html
from airworthy.traffic.sarif import to_sarif
from airworthy.traffic.summary import ranked

app = typer.Typer()

Format = Literal["table", "jsonl", "json", "sarif", "html"]
_WIDTH = 200
_MOST_SHOWN = 100
_PROGRESS_DELAY = 1.0
_STYLES = {"violation": "red", "drift": "red", "warning": "yellow", "deprecated": "yellow", "note": "dim"}


@app.command("audit")
def audit_files(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="HAR files, mitmproxy flow files or evidence.")
    ],
    *,
    base_url: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL", help="Base URL of the service whose traffic is judged, without the version; repeatable."
        ),
    ] = None,
    payment_provider: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="URL of the payment provider; repeatable.")
    ] = None,
    profile: Annotated[
        Path | None, typer.Option(metavar="FILE", help="TOML profile with both URLs and the secrets to redact.")
    ] = None,
    allow_plain_http: Annotated[
        bool, typer.Option("--allow-plain-http", help="Accept http:// URLs, for recordings made behind the end of TLS.")
    ] = False,
    form: Annotated[Format, typer.Option("--format", help="Output format.")] = "table",
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Output file (default: standard output).")] = None,
    evidence: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Also write the exchanges with the service to this file, as redacted evidence."
        ),
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Number of processes (default: one per processor).")] = None,
    adults: Annotated[
        int,
        typer.Option(
            min=1, help='Minimum number of adults in one booking that counts as "several adults" on the go-live list.'
        ),
    ] = ADULTS,
    infants: Annotated[
        int, typer.Option(min=1, help="Minimum number of infants in one booking for the go-live list.")
    ] = INFANTS,
) -> None:
    """Judge recorded traffic. The findings are those that the live proxy would have reported.

    Exit codes: 0 no violations, 1 violations, 2 usage error, 3 nothing could be judged or the
    output could not be written.

    Example: airworthy audit monday.har --base-url https://api.example.com --format html --output monday.html
    """
    loaded = load_profile(profile) if profile else None
    service = _service(loaded, base_url or [], payment_provider or [], allow_plain_http=allow_plain_http)
    settings = AuditSettings(tuple(files), service, GoLiveSettings(adults, infants), lines=form == "jsonl")
    with _recorder(evidence, service, loaded) as recorder, _progress() as progress:
        try:
            result = audit(settings, jobs=jobs, recorder=recorder, progress=progress)
        except OSError as error:
            raise unwritable(f"--evidence {evidence}" if evidence else "temporary file", error) from None
    verdict = outcome(result.summary)
    _write(result, form, output)
    if output:
        sys.stderr.write(f"{verdict.headline}: {output}\n")
    raise typer.Exit(verdict.exit_code)


def _service(
    profile: Profile | None, base_urls: list[str], providers: list[str], *, allow_plain_http: bool
) -> ServiceAddress:
    for option, urls in (("--base-url", base_urls), ("--payment-provider", providers)):
        for url in urls:
            if not url.lower().startswith(("https://", "http://")):
                raise UsageError(f"{option} {url}: expected an absolute URL, such as https://api.example.com")
    named = [profile.base_url] if profile else []
    paid = [profile.payment.url] if profile and profile.payment.url else []
    plain_http = allow_plain_http or bool(profile and profile.allow_plain_http)
    return ServiceAddress((*named, *base_urls), (*paid, *providers), plain_http)


@contextlib.contextmanager
def _recorder(path: Path | None, service: ServiceAddress, profile: Profile | None) -> Iterator[Recorder | None]:
    if path is None:
        yield None
        return
    secrets = secret_placeholders(profile) if profile else {}
    try:
        recorder = Recorder(path, Contract.load(SERVED, service), secrets=secrets)
    except OSError as error:
        raise unwritable(f"--evidence {path}", error) from None
    with recorder:
        yield recorder


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
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


def _write(result: AuditResult, form: Format, output: Path | None) -> None:
    try:
        with _opened(output) if output else contextlib.nullcontext(sys.stdout.buffer) as file:
            if form == "table" and output is None:
                _print(result.summary, Console(width=None if sys.stdout.isatty() else _WIDTH, highlight=False))
            else:
                _render(result, form, file)
    except OSError as error:
        if output is None:
            raise
        raise unwritable(f"--output {output}", error) from None


def _opened(output: Path) -> BinaryIO:
    return open(output, "wb", opener=owner_only)


def _render(result: AuditResult, form: Format, file: IO[bytes]) -> None:
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
            file.write(render_html(result.summary, _subject(result.files), result.files).encode())
        case "table":
            with TextIOWrapper(file, encoding="utf-8") as text:
                _print(result.summary, Console(file=text, width=_WIDTH, highlight=False))


def _subject(files: tuple[str, ...]) -> str:
    return Path(files[0]).name if len(files) == 1 else number(len(files), "recording")


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
            location = plain(f"{row.operation} {row.place}")
            message = plain(f"{finding.message} (first: {finding.exchange})")
            cells = (Text(name, style=_STYLES[name]), Text(at_fault(finding)), Text(location), Text(message))
            table.add_row(*cells, Text(finding.rule), f"{row.count:,}")
        console.print(table)
    if len(rows) > _MOST_SHOWN:
        console.print(f"… and {len(rows) - _MOST_SHOWN:,} more; use --format html to list them")
    counts = f"{number(summary.seen, 'exchange')}: {summary.judged:,} judged, {summary.foreign:,} with other hosts"
    console.print(f"{counts}, {summary.not_judged.total():,} not judged.")
    for reason, count in ranked(summary.not_judged).items():
        console.print(Text(plain(f"  {count:,} not judged: {reason}")))
    for text in progress_lines(summary.golive):
        console.print(Text(f"Go-live list, {text}."))
