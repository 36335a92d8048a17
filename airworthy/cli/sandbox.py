"""``airworthy sandbox``: the service in test mode."""

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import Annotated, Final

import typer
from typer import Option

from airworthy.cli.options import Json
from airworthy.errors import UsageError

app = typer.Typer()

_FTP_PORT: Final = 2121


@app.command("sandbox")
def sandbox(
    *,
    host: Annotated[
        str, Option(metavar="ADDRESS", help="IP address to listen on; 0.0.0.0 for every address of this machine.")
    ] = "127.0.0.1",
    port: Annotated[int, Option(metavar="PORT", help="Port to listen on; 0 selects a free port.")] = 8443,
    payment_port: Annotated[
        int | None,
        Option(
            metavar="PORT",
            help="Port of the payment provider's own address, for clients that configure host, port and protocol.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        Option(metavar="NAME", help="Host name by which clients reach the sandbox, for its certificate; repeatable."),
    ] = None,
    dialect: Annotated[str, Option(metavar="NAME", help="Behaviour where the documents are silent.")] = "documented",
    fault: Annotated[
        list[str] | None, Option(metavar="NAME", help="Violate one documented rule on purpose; repeatable.")
    ] = None,
    lifetimes: Annotated[
        list[str] | None,
        Option(
            metavar="NAME=SECONDS", help="Shorten a lifetime: offer, request, locator or schedule_change; repeatable."
        ),
    ] = None,
    seed: Annotated[int, Option(metavar="N", help="Seed of the generated flights.")] = 0,
    outbox: Annotated[
        Path | None, Option(metavar="DIR", help="Folder for confirmation e-mails. Default: a temporary folder.")
    ] = None,
    smtp: Annotated[
        str | None, Option(metavar="HOST:PORT", help="Mail server for confirmation e-mails. Failures go to --outbox.")
    ] = None,
    ftp: Annotated[bool, Option("--ftp", help="Serve the content export by FTP and FTPS.")] = False,
    ftp_port: Annotated[int, Option(metavar="PORT", help="Port of --ftp; 0 selects a free port.")] = _FTP_PORT,
    drop: Annotated[
        str | None,
        Option(metavar="LOCATION", help="Upload the content export to ftp://HOST:PORT/FOLDER or to a folder."),
    ] = None,
    export_days: Annotated[int, Option(metavar="N", help="Days of departure in the content export.")] = 30,
    export_all_routes: Annotated[
        bool, Option("--export-all-routes", help="Export every route, not only the listed ones.")
    ] = False,
    ca_file: Annotated[
        Path | None, Option(metavar="FILE", help="Write the sandbox's certificate authority to this PEM file.")
    ] = None,
    ca_dir: Annotated[
        Path | None,
        Option(metavar="DIR", help="Folder that keeps the certificate authority, so that it survives restarts."),
    ] = None,
    quiet: Annotated[bool, Option("--quiet", help="Do not print a line for each request.")] = False,
    list_faults: Annotated[bool, Option("--list-faults", help="List the faults and exit.")] = False,
    list_dialects: Annotated[bool, Option("--list-dialects", help="List the dialects and exit.")] = False,
    as_json: Json = False,
) -> None:
    """Run the service in test mode on this machine, over TLS, until Ctrl-C.

    The sandbox prints its credentials, routes and test cards, then a line for each request. Its address shows a
    dashboard. User name and password for --drop are read from AIRWORTHY_FTP_USER and AIRWORTHY_FTP_PASSWORD.

    Example: airworthy sandbox --payment-port 8444 --lifetimes offer=60 --smtp localhost:1025 --ftp

    Example in a container: airworthy sandbox --host 0.0.0.0 --name sandbox --ca-dir authority
    """
    from airworthy.sandbox import SandboxServer, SandboxSettings
    from airworthy.sandbox.dashboard.request_log import RequestLog
    from airworthy.sandbox.dialects.named import dialects
    from airworthy.sandbox.export.delivery import ExportDestination
    from airworthy.sandbox.export.files import ExportExtent
    from airworthy.sandbox.faults import faults
    from airworthy.sandbox.http.listening import ip_address
    from airworthy.sandbox.resources.v3.confirmation_email import ConfirmationMailer
    from airworthy.suite.options import parse_lifetimes, validated

    if list_faults or list_dialects:
        listed = faults() if list_faults else dialects()
        descriptions = {name: each.description for name, each in listed.items()}
        lines = (f"{name:<44} {description}" for name, description in descriptions.items())
        typer.echo(json.dumps(descriptions, indent=2) if as_json else "\n".join(lines))
        return
    if ftp_port != _FTP_PORT and not ftp:
        raise UsageError(f"--ftp-port {ftp_port}: requires --ftp")
    post = ConfirmationMailer(outbox, _host_and_port(smtp) if smtp else None)
    extent = ExportExtent(export_days, export_all_routes)
    settings = SandboxSettings(dialect, tuple(fault or ()), seed, parse_lifetimes(lifetimes or ()), post, extent)
    place = ExportDestination.at(drop, os.environ) if drop else None
    server = SandboxServer(
        validated(settings),
        host=host,
        port=port,
        names=name or (),
        payment_port=payment_port,
        ca_folder=ca_dir,
        ca_file=ca_file,
        ftp_port=ftp_port if ftp else None,
        destination=place,
        log=RequestLog(None if quiet else _print_request),
    )
    if not ip_address(host).is_loopback:
        typer.echo(f"airworthy: --host {host}: everyone who reaches this machine can use the sandbox", err=True)
    typer.echo(json.dumps(server.profile(), indent=2) if as_json else server.summary())
    sys.stdout.flush()
    server.run()


def _print_request(line: str) -> None:
    # The service keeps running if nothing reads its terminal any more.
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def _host_and_port(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port[:6]) < 2**16:
        raise UsageError(f"--smtp {text}: expected HOST:PORT, such as localhost:1025")
    return host.strip("[]"), int(port)
