"""Mode observe does not change a byte; enforce with airworthy_on_error=block forwards only documented requests."""

from pathlib import Path

from airworthy.contract.bodies.body import LARGEST
from unit.contract.http.test_paths import SPELLINGS

from . import corpus
from .mitm import Mitm, Service, exchange, mitm


def passed(proxy: Mitm, service: Service, request: bytes, response: bytes) -> tuple[bytes, list[bytes]]:
    service.requests.clear()
    service.responses = [response]
    (received,) = exchange(proxy.port, request)
    return received, list(service.requests)


def test_exchanges_are_the_same_with_and_without_the_addons(tmp_path: Path, service: Service, trust: str) -> None:
    mode, (request, *_), (response, *_) = f"reverse:{service.url}", corpus.REQUESTS.values(), corpus.RESPONSES.values()
    exchanges = {
        **{f"response {name}": (request, each) for name, each in corpus.RESPONSES.items()},
        **{f"request {name}": (each, response) for name, each in corpus.REQUESTS.items()},
    }
    with mitm(tmp_path, mode, trust, script=None) as plain, mitm(tmp_path, mode, trust) as judging:
        for name, sent in exchanges.items():
            received, forwarded = passed(judging, service, *sent)
            assert (received, forwarded) == passed(plain, service, *sent), name
            assert received, name
            assert forwarded, name
        log = judging.end()

    assert f"{len(exchanges)} exchanges: " in log
    assert "1 not judged (the body has an unknown content encoding)" in log
    assert "1 not judged (the body does not match its Content-Encoding)" in log
    assert "1 not judged (the body is nested too deeply)" in log
    assert "Traceback" not in log


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
