"""``airworthy proxy``: mitmproxy in front of a service, with Airworthy's addons."""

import ipaddress
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import SplitResult, urlsplit

import typer

from airworthy.cli.options import PASSES_ON
from airworthy.errors import UsageError
from airworthy.resources import resource
from airworthy.target import authorities
from airworthy.target.profile_file import load_profile

app = typer.Typer()

_LAST_PORT = 2**16 - 1
_DEFAULT_PORTS = {"https": 443, "http": 80}


@app.command("proxy", context_settings=PASSES_ON)
def proxy(
    context: typer.Context,
    *,
    target: Annotated[
        str | None, typer.Option(metavar="URL", help="Base URL of the service, without the version (the profile's).")
    ] = None,
    listen: Annotated[str, typer.Option(metavar="HOST:PORT", help="Where clients call.")] = "127.0.0.1:8080",
    web: Annotated[bool, typer.Option("--web", help="Show the traffic in a browser (mitmweb).")] = False,
    annotate: Annotated[bool, typer.Option("--annotate", help="Tell findings in a header of each answer.")] = False,
    enforce: Annotated[
        bool, typer.Option("--enforce", help="Answer requests that break the contract; the service never sees them.")
    ] = False,
    on_error: Annotated[
        Literal["pass", "block"],
        typer.Option(help="With --enforce: what becomes of requests where the judge itself fails."),
    ] = "pass",
    evidence: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep each exchange there, redacted and chained by hash.")
    ] = None,
    report: Annotated[Path | None, typer.Option(metavar="DIR", help="Write a report there at the end.")] = None,
    payment_provider: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="Judge calls of this payment provider; one elsewhere gets the next port."),
    ] = None,
    profile: Annotated[
        Path | None, typer.Option(metavar="FILE", help="TOML profile: base URL, authorities, secrets to keep out.")
    ] = None,
    ca_bundle: Annotated[
        Path | None, typer.Option(metavar="FILE", help="PEM file with authorities to trust (the profile's).")
    ] = None,
    allow_plain_http: Annotated[
        bool, typer.Option("--allow-plain-http", help="Plain HTTP is no finding: TLS ends elsewhere.")
    ] = False,
    script: Annotated[
        bool, typer.Option("--script", help="Print the path of the script for mitmdump -s, and leave.")
    ] = False,
) -> None:
    """Judge live traffic while it passes: clients call the proxy, the proxy calls the service.

    It changes nothing unless --annotate or --enforce is given. It says in a line each what the client does wrong, what
    the service does wrong, what drifts, and how far the go-live list has come. Ctrl-C ends it.
    What stands after -- goes to mitmproxy.

    Example: airworthy proxy --target https://api.example.com --evidence evidence.jsonl
    """
    program = resource("proxy_addons") / "airworthy.py"
    if script:
        typer.echo(program)
        return
    if annotate and enforce:
        raise UsageError("--annotate and --enforce: name one of them")
    if on_error != "pass" and not enforce:
        raise UsageError(f"--on-error {on_error}: only --enforce keeps anything back")
    trusted = authorities.ca_bundle(ca_bundle)
    known = load_profile(profile) if profile else None
    if target is None and known is None:
        raise UsageError("name the service with --target URL or --profile FILE")
    base_url = target or (known.base_url if known else "")
    service = _url("--target", base_url)
    providers = payment_provider or ([known.payment.url] if known and known.payment.url else [])
    origins = [_origin(service), *(_origin(_url("--payment-provider", each)) for each in providers)]
    host, port = _address(listen, len(set(origins)) + web)
    listeners = list(_listeners(dict.fromkeys(origins), host, port))
    options = {
        "airworthy_mode": "annotate" if annotate else "enforce" if enforce else "observe",
        "airworthy_on_error": on_error,
        "airworthy_evidence": evidence,
        "airworthy_report": report,
        "airworthy_profile": profile,
        "airworthy_allow_plain_http": "true" if allow_plain_http else None,
        "ssl_verify_upstream_trusted_ca": trusted or (known.ca_bundle if known else None),
        # What mitmproxy shows as its address.
        "listen_host": host.strip("[]"),
        "listen_port": port,
        "web_port": port + len(listeners) if web else None,
    }
    arguments = [f"--set={name}={value}" for name, value in options.items() if value is not None]
    arguments += [f"--set=airworthy_base_urls={base_url}"]
    arguments += [f"--set=airworthy_payment_providers={each}" for each in providers]
    arguments += [f"--mode=reverse:{origin}@{where}" for origin, where in listeners]
    for origin, where in listeners:
        path = service.path.rstrip("/") if origin == _origin(service) else ""
        typer.echo(f"Calls to {origin}{path} go to http://{where}{path} (or https://, with mitmproxy's authority)")
    _run([f"--scripts={program}", *arguments, *context.args], web=web)


def _run(arguments: Sequence[str], *, web: bool) -> None:
    # Slow to import, and only wanted here.
    from mitmproxy.tools import main

    (main.mitmweb if web else main.mitmdump)(arguments)


def _url(option: str, text: str) -> SplitResult:
    """Return the parts of an absolute URL of a service."""
    try:
        parts = urlsplit(text.rstrip("/"))
        valid = parts.scheme in _DEFAULT_PORTS and parts.hostname and parts.port != 0 and not parts.query
    except ValueError:
        valid = False
    if "@" in text:
        raise UsageError(f"{option}: expected a URL without a user and a password: clients send what they know")
    if not valid:
        raise UsageError(f"{option} {text}: expected an absolute URL, such as https://api.example.com")
    return parts


def _origin(parts: SplitResult) -> str:
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}:{parts.port or _DEFAULT_PORTS[parts.scheme]}"


def _address(text: str, ports: int) -> tuple[str, int]:
    """Return the host and the first of so many ports."""
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and 0 < int(port[:6]) <= _LAST_PORT + 1 - ports):
        raise UsageError(f"--listen {text}: expected HOST:PORT, such as 127.0.0.1:8080")
    host = host.strip("[]") or "127.0.0.1"
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        raise UsageError(f"--listen {text}: expected an address as the host, such as 127.0.0.1") from None
    return (f"[{address}]" if ":" in str(address) else str(address)), int(port)


def _listeners(origins: dict[str, None], host: str, port: int) -> Iterator[tuple[str, str]]:
    for number, origin in enumerate(origins):
        yield origin, f"{host}:{port + number}"
