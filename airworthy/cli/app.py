"""The commands. Each does its work elsewhere; here are its options, its help and how its outcome is shown."""

import contextlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from airworthy import __version__
from airworthy.cli.audit import audit_files
from airworthy.cli.certify import Certification, certify
from airworthy.cli.compare import compare_sides
from airworthy.cli.export_check import export_check
from airworthy.cli.har import har
from airworthy.cli.proxy import proxy
from airworthy.contract import DocumentError, bundle
from airworthy.errors import UsageError
from airworthy.register import Rule, rules
from airworthy.sandbox import Dialect, Fault, SandboxServer, Settings, dialects
from airworthy.sandbox.export import Extent
from airworthy.sandbox.export_drop import Drop
from airworthy.sandbox.faults import faults
from airworthy.sandbox.post import Post
from airworthy.suite.options import known, pairs

app = typer.Typer(
    name="airworthy",
    help="Holds an implementation of the Flight Booking Service against its documents.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
certify_app = typer.Typer(no_args_is_help=True)
app.add_typer(certify_app, name="certify", help="Examine the whole of something, and decide.")

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for machines.")]
PYTEST_OPTIONS = {"allow_extra_args": True, "ignore_unknown_options": False}


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"airworthy {__version__}")
        raise typer.Exit


@app.callback()
def _airworthy(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    pass


@app.command()
def sandbox(
    *,
    port: Annotated[int, typer.Option(help="Port on the loopback address; 0 takes a free one.")] = 8443,
    dialect: Annotated[str, typer.Option(help="The choices made where the documents are silent.")] = Settings().dialect,
    fault: Annotated[list[str] | None, typer.Option(help="A breach of the documents, by name; repeatable.")] = None,
    lifetimes: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=SECONDS", help="A shorter life: offer, request or locator; repeatable."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed gives other flights.")] = 0,
    outbox: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where confirmation e-mails go (a folder of its own).")
    ] = None,
    smtp: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Send confirmation e-mails there; what fails goes to --outbox."),
    ] = None,
    ftp: Annotated[bool, typer.Option("--ftp", help="Serve the content export by FTP and FTPS.")] = False,
    ftp_port: Annotated[int, typer.Option(help="Its port on the loopback address; 0 takes a free one.")] = 2121,
    drop: Annotated[
        str | None,
        typer.Option(metavar="LOCATION", help="Drop the content export there: ftp://HOST:PORT/FOLDER, or a folder."),
    ] = None,
    export_days: Annotated[int, typer.Option(help="Days of departure in the content export.")] = 30,
    export_all_routes: Annotated[
        bool, typer.Option("--export-all-routes", help="Export every route, not only those that are listed.")
    ] = False,
    ca_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the authority to trust there, as PEM.")
    ] = None,
    list_faults: Annotated[bool, typer.Option("--list-faults", help="List the faults and leave.")] = False,
    list_dialects: Annotated[bool, typer.Option("--list-dialects", help="List the dialects and leave.")] = False,
    as_json: Json = False,
) -> None:
    """Run the service in test mode on this machine, over TLS, until Ctrl-C.

    It prints its credentials, routes and cards; the same stands at its address. User and password for --drop come from
    AIRWORTHY_FTP_USER and AIRWORTHY_FTP_PASSWORD.

    Example: airworthy sandbox --port 8443 --lifetimes offer=60 --smtp localhost:1025 --ftp
    """
    if list_faults or list_dialects:
        _print_names(faults() if list_faults else dialects(), as_json)
        return
    post = Post(outbox, _host_and_port(smtp) if smtp else None)
    extent = Extent(export_days, export_all_routes)
    settings = Settings(dialect, tuple(fault or ()), seed, pairs("--lifetimes", lifetimes or ()), post, extent)
    place = Drop.at(drop, os.environ) if drop else None
    server = SandboxServer(known(settings), port=port, ftp_port=ftp_port if ftp else None, drop=place)
    if ca_file:
        _copy_authority(server, ca_file)
    typer.echo(json.dumps(server.profile(), indent=2) if as_json else server.summary())
    sys.stdout.flush()
    server.run()


def _copy_authority(server: SandboxServer, path: Path) -> None:
    try:
        path.write_bytes(server.ca_bundle.read_bytes() if server.ca_bundle else b"")
    except OSError as error:
        server.close()
        raise UsageError(f"--ca-file {path}: {error.strerror}") from None


@certify_app.command(context_settings=PYTEST_OPTIONS)
def service(
    context: typer.Context,
    *,
    profile: Annotated[Path | None, typer.Option(metavar="FILE", help="TOML profile of the target.")] = None,
    target: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Base URL without the version; beside a profile: over its own."),
    ] = None,
    ca_bundle: Annotated[Path | None, typer.Option(metavar="FILE", help="PEM file with authorities to trust.")] = None,
    versions: Annotated[
        str | None, typer.Option(metavar="LIST", help="Interfaces to examine, such as v3,v4 (all with credentials).")
    ] = None,
    key_env: Annotated[
        str | None, typer.Option(metavar="NAME", help="Variable with the v4 key, for --target alone.")
    ] = None,
    allow_plain_http: Annotated[
        bool, typer.Option("--allow-plain-http", help="Examine a base URL without TLS.")
    ] = False,
    allow_live_bookings: Annotated[
        bool, typer.Option("--allow-live-bookings", help="Book in a production environment.")
    ] = False,
    max_wait: Annotated[float | None, typer.Option(metavar="SECONDS", help="Longest wait for things to age.")] = None,
    max_rps: Annotated[float | None, typer.Option(metavar="N", help="Most requests a second.")] = None,
    reports: Annotated[Path, typer.Option(metavar="DIR", help="Where the report's folder goes.")] = Path("reports"),
    run_id: Annotated[str | None, typer.Option(metavar="NAME", help="Name of that folder (date and time).")] = None,
    as_json: Json = False,
) -> None:
    """Hold a service against every documented rule, and decide. Without a target: the embedded sandbox.

    Exit codes: 0 certified, 1 not certified, 2 wrong use, 3 incomplete, 4 the suite's own fault.
    What stands after -- goes to pytest.

    Example: airworthy certify service --profile acme.toml -- -n 2
    """
    given = {
        "--profile": profile,
        "--target": target,
        "--ca-bundle": ca_bundle,
        "--versions": versions,
        "--key-env": key_env,
        "--max-wait": max_wait,
        "--max-rps": max_rps,
    }
    flags = {"--allow-plain-http": allow_plain_http, "--allow-live-bookings": allow_live_bookings}
    arguments = [f"{name}={value}" for name, value in given.items() if value is not None]
    arguments += [name for name, wanted in flags.items() if wanted]
    # With --json, what pytest shows goes where it is not in the way.
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        certification = certify([*arguments, *context.args], reports, run_id)
    if as_json:
        typer.echo(json.dumps(_told(certification), indent=2))
    raise typer.Exit(certification.decision.exit_code)


app.command("audit")(audit_files)
app.command("compare")(compare_sides)
app.command("export-check")(export_check)
app.command("har")(har)
app.command("proxy", context_settings=PYTEST_OPTIONS)(proxy)


@app.command("rules")
def show_rules(
    version: Annotated[
        str | None, typer.Option(metavar="VERSION", help="Only one: v2, v3, v4, payment or export.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the register: what the documents demand, of whom, and where they say so.

    Example: airworthy rules --version v3 --json
    """
    chosen = [rule for rule in rules() if version is None or version in rule.versions]
    if not chosen:
        known = ", ".join(sorted({each for rule in rules() for each in rule.versions}))
        raise UsageError(f"--version {version}: expected one of {known}")
    typer.echo(json.dumps([_rule(rule) for rule in chosen], indent=2)) if as_json else _print_table(chosen)


@app.command()
def openapi(
    version: Annotated[str, typer.Argument(metavar="VERSION", help="The interface: v2, v3 or v4.")],
) -> None:
    """Print an interface as one OpenAPI 3.1 document.

    Example: airworthy openapi v4 > flight-booking-v4.json
    """
    try:
        document = bundle(version)
    except DocumentError as error:
        raise UsageError(f"{version}: {error}") from None
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))


def _host_and_port(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port[:6]) < 2**16:
        raise UsageError(f"--smtp {text}: expected HOST:PORT, such as localhost:1025")
    return host.strip("[]"), int(port)


def _print_names(known: Mapping[str, Fault] | Mapping[str, Dialect], as_json: bool) -> None:
    told = {name: each.description for name, each in known.items()}
    lines = (f"{name:<44} {description}" for name, description in told.items())
    typer.echo(json.dumps(told, indent=2) if as_json else "\n".join(lines))


def _told(certification: Certification) -> dict[str, object]:
    results, decision = certification.results, certification.decision
    return {
        "decision": decision.outcome,
        "exit_code": decision.exit_code,
        "run": results.run,
        "target": results.target,
        "counts": results.counts,
        "blocks": [asdict(block) for block in decision.blocks],
        "seconds": results.timing.seconds,
        "folder": str(certification.folder),
    }


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "version": rule.version,
        "area": rule.area,
        "binds": rule.binds,
        "statement": rule.statement,
        "source": rule.source,
        "excluded": rule.excluded_reason,
    }


def _print_table(chosen: Sequence[Rule]) -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("Rule", "Area", "Binds"):
        table.add_column(column, no_wrap=True)
    table.add_column("Statement")
    table.add_column("Source")
    for rule in chosen:
        table.add_row(rule.id, rule.area, rule.binds, rule.statement, rule.source)
    console = Console(width=None if sys.stdout.isatty() else 240)
    with console.capture() as captured:
        console.print(table)
    # A table is as wide as its console; whoever reads it from a pipe has no use for the blanks.
    typer.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))
    typer.echo(f"{len(chosen)} rules")
