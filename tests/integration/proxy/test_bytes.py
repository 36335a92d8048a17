"""Mode observe does not change a byte."""

from pathlib import Path

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
