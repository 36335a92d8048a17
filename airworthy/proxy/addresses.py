"""Say where clients send their requests so that the proxy sees them."""

from collections.abc import Iterable
from urllib.parse import SplitResult, urlsplit

from airworthy.target.urls import DEFAULT_PORTS


def origin_of(parts: SplitResult) -> str:
    """Return scheme, host and port of a URL; the port is always there."""
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}:{parts.port or DEFAULT_PORTS[parts.scheme]}"


def send_to(origin: str, listener: str, base_urls: Iterable[str]) -> str:
    """Return where a client sends requests for an origin that the proxy stands in for at ``listener``.

    ``base_urls`` are those of the service.
    """
    parts = (urlsplit(each) for each in base_urls)
    path = next((each.path.rstrip("/") for each in parts if origin_of(each) == origin), "")
    return f"Send requests for {origin}{path} to http://{listener}{path} (or https://, with mitmproxy's CA)"
