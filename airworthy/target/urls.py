"""Check the addresses and the certificate authorities that options and profiles name."""

import re
import ssl
from collections.abc import Iterable, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, urlsplit

from airworthy.contract import ServiceAddress
from airworthy.errors import UsageError
from airworthy.target.profile import Profile

DEFAULT_PORTS: Final = {"https": 443, "http": 80}
# A version at the end, or a path of an interface.
_VERSION_AT_END: Final = re.compile(
    r"/v[0-9](\.[0-9])?$|/v[234]/(search|offer|order|reservation|flights|roundTrips|requests|bookings)\b", re.IGNORECASE
)


def absolute_url(option: str, text: str) -> SplitResult:
    """Return the parts of an absolute URL. Raises `UsageError`, which names the option, for any other text."""
    try:
        parts = urlsplit(text.rstrip("/"))
        valid = parts.scheme in DEFAULT_PORTS and parts.hostname and parts.port != 0 and not parts.query
    except ValueError:
        valid = False
    if "@" in text:
        raise UsageError(f"{option}: expected a URL without user and password; clients send their own credentials")
    if not valid:
        raise UsageError(f"{option}: expected an absolute URL such as https://api.example.com, got {text!r}")
    return parts


def service_url(option: str, text: str) -> SplitResult:
    """Return the parts of the base URL of a service. Raises `UsageError` where it ends with a version, too."""
    parts = absolute_url(option, text)
    if (base := without_version(text.rstrip("/"))) is not None:
        raise UsageError(f"{option}: must not end with the version, got {text!r}; write {base!r}")
    return parts


def named_service(
    base_urls: Sequence[str] = (),
    providers: Sequence[str] = (),
    profile: Profile | None = None,
    *,
    allow_plain_http: bool = False,
) -> ServiceAddress:
    """Return whose traffic ``--base-url``, ``--payment-provider`` and a profile name. Raises `UsageError`."""
    for url in base_urls:
        service_url("--base-url", url)
    for url in providers:
        absolute_url("--payment-provider", url)
    if profile:
        base_urls = [profile.base_url, *base_urls]
        providers = [*filter(None, [profile.payment.url]), *providers]
        allow_plain_http = allow_plain_http or profile.allow_plain_http
    return ServiceAddress(tuple(base_urls), tuple(providers), allow_plain_http)


def without_version(base_url: str) -> str | None:
    """Return what comes before the version at the end of a base URL, or `None` where it has none."""
    found = _VERSION_AT_END.search(base_url)
    return base_url[: found.start()] if found else None


def origin_of(parts: SplitResult) -> str:
    """Return scheme, host and port of a URL; the port is always there."""
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}:{parts.port or DEFAULT_PORTS[parts.scheme]}"


def is_loopback(base_url: str) -> bool:
    """Return whether a URL is on this machine; False for any other text."""
    try:
        host = urlsplit(base_url).hostname or ""
        return host == "localhost" or host.endswith(".localhost") or ip_address(host).is_loopback
    except ValueError:
        return False


def send_to(origin: str, listener: str, base_urls: Iterable[str]) -> str:
    """Return where a client sends requests for an origin that the proxy stands in for at ``listener``.

    ``base_urls`` are those of the service.
    """
    parts = (urlsplit(each) for each in base_urls)
    path = next((each.path.rstrip("/") for each in parts if origin_of(each) == origin), "")
    return f"Send requests for {origin}{path} to http://{listener}{path} (or https://, with mitmproxy's CA)"


def ca_bundle_problem(path: Path) -> str | None:
    """Return why a file cannot be used as a CA bundle, or None."""
    try:
        ssl.create_default_context(cafile=path)
    except ssl.SSLError:
        return "does not contain a PEM certificate"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return None


def trusted_authorities(path: Path | None) -> Path | None:
    """Return the file that ``--ca-bundle`` names. Raises `UsageError` if it cannot be used."""
    if path and (problem := ca_bundle_problem(path)):
        raise UsageError(f"--ca-bundle {path}: {problem}")
    return path
