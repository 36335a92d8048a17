"""With airworthy_mode=enforce and airworthy_on_error=block, only documented requests reach the service."""

from pathlib import Path

from airworthy.contract.bodies.body import LARGEST
from unit.contract.http.test_paths import SPELLINGS

from . import corpus
from .mitm import Mitm, Service, exchange, mitm

RIGHT = corpus.REQUESTS["as documented"]
BODY = corpus.SEARCH.request.body or b""
CHUNKED = b"Transfer-Encoding: chunked"
LARGE = BODY + b" " * LARGEST


def test_only_documented_requests_reach_the_service(tmp_path: Path, service: Service, trust: str) -> None:
    # The proxy responds before the end of a body that is too large.
    unknown = corpus.request(corpus.SEARCH, CHUNKED, body=corpus.chunked(LARGE, LARGEST)[: LARGEST + 1000])
    known = corpus.request(corpus.SEARCH, body=LARGE).partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    rejected = {
        "too large": (known, b"413"),
        "too large, in chunks": (unknown, b"413"),
        **{name: (RIGHT.replace(b"/v4/search", path.encode(), 1), b"400") for name, path in SPELLINGS.items()},
    }
    forwarded = [(corpus.REQUESTS[name], "as documented") for name in ("as documented", "in chunks", "encoded")]
    options = {"mode": "enforce", "on_error": "block", "base_urls": service.url}
    block = [f"--set=airworthy_{name}={value}" for name, value in options.items()]
    # A lower limit of the user must not let requests pass.
    with mitm(tmp_path, f"reverse:{service.url}", trust, *block, "--set=stream_large_bodies=1k") as proxy:
        for name, (request, status) in rejected.items():
            assert status_code(proxy, service, request) == status, name
            assert not service.requests, name
        for request, response in (*forwarded, (RIGHT, "10 MB")):
            assert status_code(proxy, service, request, response) == b"200"
            assert len(service.requests) == 1


def status_code(proxy: Mitm, service: Service, request: bytes, response: str = "as documented") -> bytes:
    """Return the status code with which the proxy responds."""
    service.responses = [corpus.RESPONSES[response]]
    service.requests.clear()
    (received,) = exchange(proxy.port, request)
    return received.split(b" ", 2)[1]
