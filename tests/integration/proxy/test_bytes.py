"""Mode observe does not change a byte."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from . import corpus
from .mitm import Mitm, Service, exchange, mitm

Both = tuple[Mitm, Mitm]


@pytest.fixture(scope="module")
def both(folder: Path, service: Service, trust: str) -> Iterator[Both]:
    """Run the same mitmdump without the addons and with them."""
    mode = f"reverse:{service.url}"
    with mitm(folder, mode, trust, script=None) as alone, mitm(folder, mode, trust) as judged:
        yield alone, judged


def passed(proxy: Mitm, service: Service, request: bytes, response: bytes) -> tuple[bytes, list[bytes]]:
    service.requests.clear()
    service.responses = [response]
    (received,) = exchange(proxy.port, request)
    return received, list(service.requests)


@pytest.mark.parametrize("name", corpus.RESPONSES)
def test_responses_are_the_same_with_and_without_the_addons(both: Both, service: Service, name: str) -> None:
    alone, judged = (passed(each, service, corpus.REQUESTS["as documented"], corpus.RESPONSES[name]) for each in both)

    assert judged == alone
    assert judged[0]


@pytest.mark.parametrize("name", corpus.REQUESTS)
def test_requests_are_the_same_with_and_without_the_addons(both: Both, service: Service, name: str) -> None:
    alone, judged = (passed(each, service, corpus.REQUESTS[name], corpus.RESPONSES["as documented"]) for each in both)

    assert judged == alone
    assert judged[1]


def test_every_exchange_is_judged_or_counted(folder: Path, service: Service, trust: str) -> None:
    with mitm(folder, f"reverse:{service.url}", trust) as judged:
        for response in corpus.RESPONSES.values():
            passed(judged, service, corpus.REQUESTS["as documented"], response)
        for request in corpus.REQUESTS.values():
            passed(judged, service, request, corpus.RESPONSES["as documented"])
        log = judged.end()

    seen = len(corpus.RESPONSES) + len(corpus.REQUESTS)
    assert f"{seen} exchanges: " in log
    assert "1 not judged (the body has an unknown content encoding)" in log
    assert "1 not judged (the body does not match its Content-Encoding)" in log
    assert "1 not judged (the body is nested too deeply)" in log
    assert "Traceback" not in log
