from base64 import b64encode
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from airworthy.contract import Contract, Exchange, Response, ServiceAddress
from airworthy.evidence import Recorder, read
from airworthy.traffic import TrafficMonitor, line, lines
from conformance.v3 import samples as v3_samples
from conformance.v4 import samples

from .material import came, sent

CONTRACT = Contract.load(("v2", "v3", "v4"))


def elsewhere(exchange: Exchange, host: str) -> Exchange:
    url = exchange.request.url.replace("service.example", host)
    return replace(exchange, request=replace(exchange.request, url=url))


def test_a_conforming_journey_is_judged_and_nothing_is_found() -> None:
    watch = TrafficMonitor(CONTRACT)

    for each in (*samples.journey(), *v3_samples.journey("v3"), *v3_samples.journey("v2")):
        assert watch.observe(each) == []

    assert watch.summary.judged == watch.summary.seen == 17
    assert watch.summary.operations["POST /v4/order/{orderId}/confirm"] == 1


def test_exchanges_are_judged_by_those_before() -> None:
    watch = TrafficMonitor(CONTRACT)
    journey = samples.journey()
    confirmation = next(each for each in journey if each.request.url.endswith("/confirm"))
    for each in journey:
        watch.observe(each)

    found = watch.observe(replace(confirmation, id="again", started=confirmation.started + timedelta(minutes=1)))

    assert {each.rule for each in found} == {"V4-CONFIRM-ONCE"}


def test_a_request_that_is_weighed_leaves_no_trace() -> None:
    search, payment = samples.sample("searchOffers"), samples.sample("createPaymentMethod")
    key = dict(search.request.headers)["Authorization"]
    token = ("Authorization", f"Basic {b64encode(f'{key}:'.encode()).decode()}")
    refused = Response(401, (), b'{"error": {"type": "invalid_request_error"}}')
    leaked = replace(payment, request=replace(payment.request, headers=(token,)), response=refused)
    weighing, seeing = TrafficMonitor(CONTRACT), TrafficMonitor(CONTRACT)
    weighing.judge_request(replace(search, response=None))
    seeing.observe(search)

    assert weighing.observe(leaked) == []
    assert [each.rule for each in seeing.observe(leaked)] == ["PAYMENT-METHOD-TOKEN"]


def test_another_service_counts_its_ids_for_itself() -> None:
    watch = TrafficMonitor(CONTRACT)
    for each in samples.journey():
        watch.observe(each)

    for each in samples.journey():
        assert watch.observe(elsewhere(each, "test.example")) == []


def test_other_traffic_is_counted_and_not_recorded(tmp_path: Path) -> None:
    contract = Contract.load(("v2", "v3", "v4"), ServiceAddress(base_urls=("https://service.example",)))
    with Recorder(tmp_path / "evidence.jsonl", contract) as recorder:
        watch = TrafficMonitor(contract, recorder=recorder)
        watch.observe(samples.journey()[0], scenario="one")
        watch.observe(elsewhere(samples.journey()[0], "other.example"))

    assert (watch.summary.seen, watch.summary.foreign, watch.summary.judged) == (2, 1, 1)
    [record] = read(tmp_path / "evidence.jsonl")
    assert record.context == {"scenario": "one"}


def test_evidence_that_cannot_be_written_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Recorder(tmp_path / "evidence.jsonl", CONTRACT) as recorder:

        def full(*_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(recorder, "append", full)
        watch = TrafficMonitor(CONTRACT, recorder=recorder)
        watch.observe(samples.journey()[0])

    assert (watch.summary.unrecorded, watch.summary.judged) == (1, 1)


def test_a_body_that_is_not_there_is_explained() -> None:
    watch = TrafficMonitor(CONTRACT)
    search = samples.journey()[0]
    assert search.response
    found = watch.observe(
        replace(search, response=replace(search.response, body=None)), response_unread="it was streamed"
    )

    assert [(each.kind, each.message) for each in found] == [("unreadable", "it was streamed")]
    assert watch.summary.not_judged == {"it was streamed": 1}


def test_a_line_says_who_did_what_where() -> None:
    search = sent(samples.journey()[0], {"adults": 0})
    watch = TrafficMonitor(CONTRACT)
    found = watch.observe(came(search, {"statusCode": 400, "error": "Bad Request", "message": "no"}, 400))

    [told] = [line(each, search) for each in found]
    assert told == (
        "violation by the client: POST /v4/search 200 at /adults: adults of a search request is 0, "
        "not an integer from 1 to 9 (expected an integer from 1 to 9) [V4-SEARCH-ADULTS]"
    )


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/v4/order/5b9e8d7c-3a2b-4c1d-9e8f-7a6b5c4d3e33/confirm",) * 2,
        ("/v4/order/ada%40example.com", "/v4/order/?"),
        ("/v4/order/4242424242424242", "/v4/order/?"),
        ("/v4/order/sk_live_1234567890abcdef", "/v4/order/?"),
        ("/v4/a%20b", "/v4/?"),
    ],
)
def test_a_path_is_shown_without_what_is_private(path: str, shown: str) -> None:
    search = samples.journey()[0]
    url = f"https://service.example{path}?secret=1"

    assert lines.path(replace(search, request=replace(search.request, url=url))) == shown


def test_a_line_is_one_line_and_short_whatever_the_path() -> None:
    search = sent(samples.journey()[0], {"adults": 0})
    [found, *_] = TrafficMonitor(CONTRACT).observe(search)
    url = "https://service.example/v4/search\n\x1b[31m\u202e" + "x" * 5000 + "?email=ada@example.com"

    told = line(found, replace(search, request=replace(search.request, url=url, method="PO\nST")))

    assert told.isprintable()
    assert len(told) < 600
    assert "ada@" not in told
    assert "client: ? /v4/?" in told
