"""``airworthy sandbox``: the service in test mode."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from airworthy.cli.options import Json
from airworthy.errors import UsageError
from airworthy.sandbox import Dialect, SandboxServer, Settings
from airworthy.sandbox.dialects.named import dialects
from airworthy.sandbox.export.delivery import Drop
from airworthy.sandbox.export.files import Extent
from airworthy.sandbox.faults import Fault, faults
from airworthy.sandbox.v3.confirmation_email import Post
from airworthy.suite.options import known, pairs

app = typer.Typer()

_FTP_PORT = 2121


@app.command("sandbox")
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
    ftp_port: Annotated[int, typer.Option(help="Its port on the loopback address; 0 takes a free one.")] = _FTP_PORT,
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
    list_dialects: Annotated[bool, typer.Option("--list-dialects", help="List the named and leave.")] = False,
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
    if ftp_port != _FTP_PORT and not ftp:
        raise UsageError(f"--ftp-port {ftp_port}: the content export is served with --ftp only")
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


def _host_and_port(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port[:6]) < 2**16:
        raise UsageError(f"--smtp {text}: expected HOST:PORT, such as localhost:1025")
    return host.strip("[]"), int(port)


def _print_names(known: Mapping[str, Fault] | Mapping[str, Dialect], as_json: bool) -> None:
    told = {name: each.description for name, each in known.items()}
    lines = (f"{name:<44} {description}" for name, description in told.items())
    typer.echo(json.dumps(told, indent=2) if as_json else "\n".join(lines))
