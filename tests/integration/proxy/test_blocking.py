"""With airworthy_mode=enforce and airworthy_on_error=block, only documented requests reach the service."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from airworthy.contract.bodies.body import LARGEST
from unit.contract.http.test_paths import SPELLINGS

from . import corpus
from .mitm import Mitm, Service, exchange, mitm

RIGHT = corpus.REQUESTS["as documented"]
BODY = corpus.SEARCH.request.body or b""
CHUNKED = b"Transfer-Encoding: chunked"
LARGE = BODY + b" " * LARGEST


@pytest.fixture(scope="module")
def proxy(folder: Path, service: Service, trust: str) -> Iterator[Mitm]:
    options = {"mode": "enforce", "on_error": "block", "base_urls": service.url}
    block = [f"--set=airworthy_{name}={value}" for name, value in options.items()]
    # A lower limit of the user must not let requests pass.
    with mitm(folder, f"reverse:{service.url}", trust, *block, "--set=stream_large_bodies=1k") as running:
        yield running


def passed(proxy: Mitm, service: Service, request: bytes, response: str = "as documented") -> bytes:
    service.responses = [corpus.RESPONSES[response]]
    service.requests.clear()
    (received,) = exchange(proxy.port, request)
    return received.partition(b"\r\n")[0]


@pytest.mark.parametrize("length", ["known", "unknown"])
def test_request_that_is_too_large_is_rejected(proxy: Mitm, service: Service, length: str) -> None:
    # The proxy responds before the end of the body.
    body = corpus.chunked(LARGE, LARGEST)[: LARGEST + 1000]
    request = corpus.request(corpus.SEARCH, CHUNKED, body=body)
    if length == "known":
        request = corpus.request(corpus.SEARCH, body=LARGE).partition(b"\r\n\r\n")[0] + b"\r\n\r\n"

    assert b" 413 " in passed(proxy, service, request)
    assert not service.requests


@pytest.mark.parametrize("name", SPELLINGS)
def test_request_with_another_spelling_of_a_path_is_rejected(proxy: Mitm, service: Service, name: str) -> None:
    request = RIGHT.replace(b"/v4/search", SPELLINGS[name].encode(), 1)

    assert passed(proxy, service, request).split()[1] == b"400"
    assert not service.requests


@pytest.mark.parametrize("name", ["as documented", "in chunks", "encoded"])
def test_request_that_conforms_is_forwarded(proxy: Mitm, service: Service, name: str) -> None:
    assert b" 200 " in passed(proxy, service, corpus.REQUESTS[name])
    assert len(service.requests) == 1


def test_large_response_is_forwarded(proxy: Mitm, service: Service) -> None:
    assert b" 200 " in passed(proxy, service, RIGHT, "10 MB")
