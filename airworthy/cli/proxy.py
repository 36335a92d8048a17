"""``airworthy proxy``: run mitmproxy in front of a service, with Airworthy's addons."""

import contextlib
import errno
import ipaddress
import logging
import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer
from typer import Option

from airworthy.cli.options import PASSES_ON
from airworthy.errors import StorageError, UsageError, writing
from airworthy.private_files import require_writable_file, require_writable_folder
from airworthy.resources import resource

app = typer.Typer()

_LAST_PORT = 2**16 - 1


@app.command("proxy", context_settings=PASSES_ON)
def proxy(
    context: typer.Context,
    *,
    target: Annotated[
        str | None, Option(metavar="URL", help="Base URL of the service, without the version; overrides the profile.")
    ] = None,
    listen: Annotated[str, Option(metavar="HOST:PORT", help="Address on which the proxy listens.")] = (
        "127.0.0.1:8080"
    ),
    web: Annotated[bool, Option("--web", help="Show the traffic in a browser (mitmweb).")] = False,
    web_without_login: Annotated[
        bool,
        Option("--web-without-login", help="Allow --web with a mitmproxy before 11.1.2, whose web page has no login."),
    ] = False,
    annotate: Annotated[bool, Option("--annotate", help="Report findings in a header of each response.")] = False,
    enforce: Annotated[
        bool, Option("--enforce", help="Reject requests that violate the contract, without forwarding them.")
    ] = False,
    on_error: Annotated[
        Literal["pass", "block"],
        Option(
            help="With --enforce: forward or reject requests without a violation that are not documented or cannot be"
            " judged."
        ),
    ] = "pass",
    evidence: Annotated[
        Path | None,
        Option(metavar="FILE", help="Append each exchange to this file as redacted, hash-chained evidence."),
    ] = None,
    evidence_dir: Annotated[
        Path | None,
        Option(metavar="DIR", help="Write the evidence to compressed files in this folder, in one hash chain."),
    ] = None,
    rotate: Annotated[
        list[str] | None,
        Option(
            metavar="LIMIT",
            help="With --evidence-dir: close a file after this time (30s, 5m, 1h) or at this size before compression"
            " (64MB), whichever comes first; repeatable. Default: 5m and 64MB.",
        ),
    ] = None,
    pseudonym_key_env: Annotated[
        str | None,
        Option(
            metavar="VARIABLE",
            help="Environment variable with the key for the pseudonyms in the evidence, in Base64; proxies that share"
            " a key write the same pseudonyms.",
        ),
    ] = None,
    report: Annotated[
        Path | None, Option(metavar="DIR", help="Write a report into this folder when the proxy ends.")
    ] = None,
    golive_port: Annotated[
        int | None,
        Option(
            metavar="PORT",
            min=1,
            max=_LAST_PORT,
            help="Show the progress on the go-live list in a browser, on this port of the loopback address.",
        ),
    ] = None,
    payment_provider: Annotated[
        list[str] | None,
        Option(
            metavar="URL", help="Also judge requests to this payment provider; each further host gets the next port."
        ),
    ] = None,
    profile: Annotated[
        Path | None,
        Option(metavar="FILE", help="TOML profile with the base URL, the CA bundle and the secrets to redact."),
    ] = None,
    ca_bundle: Annotated[
        Path | None,
        Option(metavar="FILE", help="PEM file with the certificate authorities to trust; overrides the profile."),
    ] = None,
    allow_plain_http: Annotated[
        bool, Option("--allow-plain-http", help="Do not report plain HTTP, because TLS ends before the proxy.")
    ] = False,
    verbose: Annotated[bool, Option("--verbose", help="Also log each connection and each exchange.")] = False,
    script: Annotated[bool, Option("--script", help="Print the path of the script for mitmdump -s, and exit.")] = False,
) -> None:
    """Judge live traffic: clients send their requests to the proxy, and the proxy forwards them to the service.

    The traffic is not changed unless --annotate or --enforce is given. The proxy reports, in one line each, violations
    by the client, violations by the service, drift, and progress on the go-live list. Press Ctrl-C to end it.
    Arguments after -- are passed to mitmproxy.

    Example: airworthy proxy --target https://api.example.com --evidence evidence.jsonl
    """
    from airworthy.target.profile_file import load_profile
    from airworthy.target.urls import absolute_url, origin_of, service_url, trusted_authorities

    program = resource("proxy_addons") / "airworthy.py"
    if script:
        typer.echo(program)
        return
    if annotate and enforce:
        raise UsageError("--annotate and --enforce cannot be combined: choose one of them")
    if on_error != "pass" and not enforce:
        raise UsageError(f"--on-error {on_error} has no effect without --enforce")
    evidence_arguments = list(_evidence_arguments(evidence, evidence_dir, rotate or [], pseudonym_key_env))
    if report:
        _require(require_writable_folder, "--report", report)
    if web and not web_without_login:
        _require_login()
    trusted = trusted_authorities(ca_bundle)
    known = load_profile(profile) if profile else None
    if target is None and known is None:
        raise UsageError("the service is missing: name it with --target URL or --profile FILE")
    base_url = target or (known.base_url if known else "")
    service = service_url("--target", base_url)
    _require_tls(base_url, service.scheme, is_optional=allow_plain_http or bool(known and known.allow_plain_http))
    providers = payment_provider or ([known.payment.url] if known and known.payment.url else [])
    origins = [origin_of(service), *(origin_of(absolute_url("--payment-provider", each)) for each in providers)]
    host, port = _address(listen, len(set(origins)) + web)
    listeners = [(origin, f"{host}:{port + number}") for number, origin in enumerate(dict.fromkeys(origins))]
    needed = [("--listen", host.strip("[]"), port + number) for number in range(len(listeners) + web)]
    for each in [*needed, *([("--golive-port", "127.0.0.1", golive_port)] if golive_port else [])]:
        _require_free(*each)
    options = {
        "airworthy_mode": "annotate" if annotate else "enforce" if enforce else "observe",
        "airworthy_on_error": on_error,
        "airworthy_report": report,
        "airworthy_golive_port": golive_port,
        "airworthy_profile": profile,
        "airworthy_allow_plain_http": "true" if allow_plain_http else None,
        "ssl_verify_upstream_trusted_ca": trusted or (known.ca_bundle if known else None),
        # The address that mitmproxy shows.
        "listen_host": host.strip("[]"),
        "listen_port": port,
        "web_port": port + len(listeners) if web else None,
    }
    arguments = [f"--set={name}={value}" for name, value in options.items() if value is not None]
    arguments += [f"--set=airworthy_base_urls={base_url}"]
    arguments += evidence_arguments
    arguments += [f"--set=airworthy_payment_providers={each}" for each in providers]
    arguments += [f"--mode=reverse:{origin}@{where}" for origin, where in listeners]
    _announce(listeners, base_url, evidence)
    if not verbose:
        arguments += ["--set=flow_detail=0"]
        # mitmweb's address contains a token, so it is always shown.
        logging.getLogger("mitmproxy").setLevel(logging.WARNING)
        logging.getLogger("mitmproxy.tools").setLevel(logging.INFO)
    # Whatever mitmproxy writes, such as saved flows, contains raw traffic.
    os.umask(0o077)
    from mitmproxy.tools import main

    started = time.time()
    (main.mitmweb if web else main.mitmdump)([f"--scripts={program}", *arguments, *context.args])
    if report and not _is_written(report.expanduser(), started):
        # The addon has logged why.
        raise typer.Exit(StorageError.exit_code)


def _require_tls(base_url: str, scheme: str, *, is_optional: bool) -> None:
    if scheme == "http" and not is_optional:
        raise UsageError(f"--target must start with https://, got {base_url!r}; without TLS, add --allow-plain-http")


def _announce(listeners: Sequence[tuple[str, str]], base_url: str, evidence: Path | None) -> None:
    """Tell where each service is reached, and that evidence grows."""
    from airworthy.target.urls import send_to

    for origin, where in listeners:
        typer.echo(send_to(origin, where, [base_url]))
    if evidence and evidence.expanduser().is_file() and evidence.expanduser().stat().st_size:
        typer.echo(f"Adds to {evidence}, whose earlier exchanges count, too; name a new file to record anew")


def _evidence_arguments(
    file: Path | None, folder: Path | None, rotate: Sequence[str], key_variable: str | None
) -> Iterator[str]:
    """Yield the arguments for mitmproxy that are about the evidence. Raises UsageError."""
    from airworthy.evidence.pseudonyms import pseudonym_key
    from airworthy.evidence.rotation import parse_rotation

    if file and folder:
        raise UsageError("--evidence and --evidence-dir exclude each other: choose one of them")
    if rotate and not folder:
        raise UsageError("--rotate has no effect without --evidence-dir")
    if key_variable and not (file or folder):
        raise UsageError("--pseudonym-key-env has no effect without --evidence or --evidence-dir")
    with _naming("--rotate"):
        parse_rotation(rotate)
    yield from (f"--set=airworthy_rotate={each}" for each in rotate)
    if key_variable:
        with _naming("--pseudonym-key-env"):
            pseudonym_key(key_variable, os.environ)
        yield f"--set=airworthy_pseudonym_key_env={key_variable}"
    for option, path, require in (
        ("evidence", file, require_writable_file),
        ("evidence-dir", folder, require_writable_folder),
    ):
        if path:
            _require(require, f"--{option}", path)
            yield f"--set=airworthy_{option.replace('-', '_')}={path}"


def _require(require: Callable[[Path], None], option: str, path: Path) -> None:
    """Raise UsageError, rather than after hours of traffic, if the path of an option cannot be written."""
    with writing(f"{option} {path}"):
        require(path.expanduser())


@contextlib.contextmanager
def _naming(option: str) -> Iterator[None]:
    """Name an option in the message of a usage error."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"{option}: {error}") from None


def _is_written(report: Path, since: float) -> bool:
    from airworthy.proxy.report import PAGE

    page = report / PAGE
    # File systems may round times down to a second or two.
    return page.exists() and page.stat().st_mtime > since - 2


def _require_login() -> None:
    """Raise UsageError if the web page of the installed mitmproxy has no login."""
    from mitmproxy.version import VERSION

    from airworthy.proxy.advisories import restrictions

    if reason := restrictions(VERSION).web:
        raise UsageError(f"--web: {reason}. Add --web-without-login if nobody else can reach the page")


def _address(text: str, ports: int) -> tuple[str, int]:
    """Return the host and the first port of an address on which ``ports`` consecutive ports are needed."""
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and 0 < int(port[:6]) <= _LAST_PORT + 1 - ports):
        raise UsageError(f"--listen: expected HOST:PORT such as 127.0.0.1:8080, got {text!r}")
    host = host.strip("[]") or "127.0.0.1"
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        raise UsageError(f"--listen: expected an IP address as the host, such as 127.0.0.1, got {host!r}") from None
    return (f"[{address}]" if ":" in str(address) else str(address)), int(port)


def _require_free(option: str, host: str, port: int) -> None:
    """Raise `UsageError` if another program listens, which mitmproxy would report in several lines."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        # As mitmproxy listens: a port whose last connections are being closed is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            is_taken = error.errno == errno.EADDRINUSE
            why = "is in use; choose another port" if is_taken else f"cannot be used: {error.strerror}"
            raise UsageError(f"{option}: port {port} on {host} {why}") from None
