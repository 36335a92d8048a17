"""The addon that rejects requests that violate the contract."""

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import brotli
import pytest
import zstandard
from mitmproxy import exceptions, http
from mitmproxy.test import tflow

from airworthy.contract import Exchange
from airworthy.contract.bodies.body import LARGEST
from airworthy.contract.http.operations import LONGEST_QUERY
from conformance.v4 import samples
from exchange_parts import changed_request
from proxy_addons.enforce import BLOCKED, Enforce

from ..material import flow, search, search_without_adults
from .bench import InProcessJudge, context, controlled, run

HOST = "https://service.example"
ENCODERS: Mapping[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "br": brotli.compress,
    "zstd": zstandard.compress,
    "deflate": zlib.compress,
}


def screened(exchange: Exchange, failing: str = "", **options: str) -> tuple[http.HTTPFlow, InProcessJudge]:
    addon, judge = controlled()
    judge.failing = failing
    enforce = Enforce(addon)
    with context(addon, enforce, **{"airworthy_mode": "enforce", "airworthy_base_urls": [HOST], **options}):
        seen = flow(exchange, with_response=False)
        seen.live = True
        run(enforce.request(seen))
    return seen, judge


def test_violating_request_is_rejected_with_a_problem_document() -> None:
    seen, judge = screened(search_without_adults())

    assert seen.response
    assert seen.response.status_code == 400
    assert seen.response.headers["Content-Type"] == "application/problem+json"
    assert seen.response.headers["Airworthy-Findings"] == 'count=1, violation=1, rules=("V4-SEARCH-ADULTS")'
    problem = json.loads(seen.response.content or b"")
    assert problem["status"] == 400
    assert problem["title"] == "The request violates the contract"
    assert problem["detail"].endswith("[V4-SEARCH-ADULTS]")
    assert problem["instance"] == f"urn:uuid:{seen.id}"
    assert [(each["rule"], each["pointer"]) for each in problem["findings"]] == [("V4-SEARCH-ADULTS", "/adults")]
    assert seen.metadata[BLOCKED]
    assert judge.summary.kinds["violation"] == judge.summary.seen == 1


@pytest.mark.parametrize("each", samples.conversation(), ids=lambda each: each.id)
def test_conforming_request_is_forwarded(each: Exchange) -> None:
    seen, judge = screened(each)

    assert seen.response is None
    assert judge.summary.seen == 0


@pytest.mark.parametrize(
    ("exchange", "failing", "mode"),
    [
        (samples.with_header(search(), "Accept", "text/html"), "", "enforce"),
        (search_without_adults(), "it ended", "enforce"),
        (search_without_adults(), "", "observe"),
    ],
    ids=["a warning", "the judge fails", "another mode"],
)
def test_request_is_forwarded(exchange: Exchange, failing: str, mode: str) -> None:
    seen, judge = screened(exchange, failing=failing, airworthy_mode=mode)

    assert seen.response is None
    assert bool(judge.exchanges) is (mode == "enforce")


def test_request_is_rejected_if_the_judge_fails_and_on_error_is_block() -> None:
    seen, judge = screened(search(), failing="it ended", airworthy_on_error="block")

    assert seen.response
    assert seen.response.status_code == 503
    assert json.loads(seen.response.content or b"")["detail"] == "it ended"
    assert judge.summary.not_judged == {"rejected without being judged: it ended": 1}


def encoded(exchange: Exchange, encodings: Sequence[str], change: Callable[[bytes], bytes] = bytes) -> Exchange:
    """Return an exchange whose request body is encoded, and then changed."""
    body = exchange.request.body or b""
    for encoding in encodings:
        body = ENCODERS[encoding](body)
    named = samples.with_header(exchange, "Content-Encoding", ", ".join(encodings))
    return changed_request(named, body=change(body))


def sent(
    exchange: Exchange, *headers: tuple[str, str], path: str = "/v4/search", body: bytes | None = None
) -> Exchange:
    """Return an exchange whose request has more headers, another path or another body."""
    request = exchange.request
    body = request.body if body is None else body
    url = f"https://service.example{path}"
    return replace(exchange, request=replace(request, url=url, headers=(*request.headers, *headers), body=body))


def unclear(exchange: Exchange) -> Iterator[tuple[str, Exchange]]:
    """Yield requests that are not documented, or that the judge and a service can understand in different ways."""
    body = exchange.request.body or b""
    for encoding in ("gzip", "br", "zstd", "deflate"):
        yield f"cut {encoding}", encoded(exchange, [encoding], lambda body: body[:-4])
        yield f"not {encoding}", sent(exchange, ("Content-Encoding", encoding))
        yield f"{encoding} with a tail", encoded(exchange, [encoding], lambda body: body + b"{}")
    yield "unknown encoding", sent(exchange, ("Content-Encoding", "compress"))
    yield (
        "unknown encoding below a known one",
        sent(exchange, ("Content-Encoding", "rot13"), ("Content-Encoding", "gzip"), body=gzip.compress(body)),
    )
    yield "stacked encodings", encoded(exchange, ["gzip"] * 4)
    yield "decodes to too much", sent(exchange, ("Content-Encoding", "gzip"), body=gzip.compress(bytes(LARGEST + 1)))
    yield "too large", sent(exchange, body=body + b" " * LARGEST)
    for charset in ("utf-16", "utf-7", "iso-8859-1", "cp037", "'UTF-32'"):
        yield charset, samples.with_header(exchange, "Content-Type", f"application/json; charset={charset}")
    yield "UTF-16", sent(exchange, body=body.decode().encode("utf-16"))
    yield "not UTF-8", sent(exchange, body=body.replace(b"{", b'{"note": "\xff", ', 1))
    yield "two types", sent(exchange, ("Content-Type", "application/json"), ("content-type", "text/xml"))
    yield "name twice", sent(exchange, body=body.replace(b"{", b'{"adults": 1, ', 1))
    yield "deep", sent(exchange, body=b"[" * 5000 + b"]" * 5000)
    yield "other method", sent(exchange, ("X-HTTP-Method-Override", "DELETE"))
    yield "WebSocket", sent(exchange, ("Upgrade", "WebSocket"))
    yield "long query", sent(exchange, path=f"/v4/search?{'a' * (LONGEST_QUERY + 1)}")
    yield "another service", sent(exchange, path="/static/app.js")
    yield "another spelling", sent(exchange, path="/v4/./search")


UNCLEAR = dict(unclear(search()))
TITLES = ("The request violates the contract", "Only documented requests that conform are forwarded")


@pytest.mark.parametrize("name", UNCLEAR)
def test_request_that_is_not_as_documented_is_rejected_if_on_error_is_block(name: str) -> None:
    seen, judge = screened(UNCLEAR[name], airworthy_on_error="block")

    assert seen.response
    assert seen.response.status_code == 400
    assert json.loads(seen.response.content or b"")["title"] == TITLES[not judge.summary.judged]
    assert judge.summary.seen == 1


@pytest.mark.parametrize("name", ["cut gzip", "stacked encodings", "utf-16", "another spelling", "WebSocket"])
def test_request_that_is_not_as_documented_is_forwarded_if_on_error_is_pass(name: str) -> None:
    seen, judge = screened(UNCLEAR[name])

    assert seen.response is None
    assert judge.summary.seen == 0


CLEAR = {
    **{name: encoded(search(), [name]) for name in ENCODERS},
    "stacked": encoded(search(), ["gzip", "br"]),
    "identity": sent(search(), ("Content-Encoding", "identity")),
    "declared UTF-8": samples.with_header(search(), "Content-Type", 'application/json; charset="UTF-8"'),
    "slash at the end": sent(search(), path="/v4/search/"),
    **{each.id: each for each in samples.conversation()},
}


@pytest.mark.parametrize("name", CLEAR)
def test_conforming_request_is_forwarded_if_on_error_is_block(name: str) -> None:
    assert screened(CLEAR[name], airworthy_on_error="block")[0].response is None


def test_connection_without_http_transfers_nothing_if_on_error_is_block() -> None:
    for on_error, kept in (("pass", True), ("block", False)):
        addon, _ = controlled()
        enforce = Enforce(addon)
        with context(addon, enforce, airworthy_mode="enforce", airworthy_base_urls=[HOST], airworthy_on_error=on_error):
            tunnel, datagrams = tflow.ttcpflow(), tflow.tudpflow()
            enforce.tcp_message(tunnel)
            enforce.udp_message(datagrams)

        assert [bool(each.messages[-1].content) for each in (tunnel, datagrams)] == [kept, kept]


def test_request_that_is_streamed_or_answered_is_not_screened() -> None:
    addon, judge = controlled()
    enforce = Enforce(addon)
    with context(addon, enforce, airworthy_mode="enforce"):
        streamed, answered, loaded = (flow(search_without_adults(), with_response=False) for _ in range(3))
        streamed.live = answered.live = True
        streamed.request.stream = True
        answered.response = http.Response.make(200)
        loaded.live = False
        for each in (streamed, answered, loaded):
            run(enforce.request(each))

    assert judge.exchanges == []


@pytest.mark.parametrize(("option", "value"), [("airworthy_mode", "block"), ("airworthy_on_error", "retry")])
def test_unknown_choice_is_an_error(option: str, value: str) -> None:
    addon, _ = controlled()
    with context(addon, Enforce(addon)) as made, pytest.raises(exceptions.OptionsError):
        made.options.update(**{option: value})


@pytest.mark.parametrize(
    ("choice", "message"),
    [("pass", "that cannot be judged are forwarded"), ("block", "forwards only documented requests that conform")],
)
def test_start_logs_the_effect_of_on_error(choice: str, message: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    addon, _ = controlled()
    enforce = Enforce(addon)
    with context(addon, enforce, airworthy_mode="enforce", airworthy_base_urls=[HOST], airworthy_on_error=choice):
        enforce.running()

    assert message in caplog.text


def test_block_needs_the_service() -> None:
    addon, _ = controlled()
    with (
        context(addon, Enforce(addon)) as made,
        pytest.raises(exceptions.OptionsError, match="airworthy_on_error: block needs the service; name it with"),
    ):
        made.options.update(airworthy_mode="enforce", airworthy_on_error="block")
