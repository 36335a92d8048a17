"""The monitor judges traffic as it passes; what it remembers can be stored between two exchanges."""

import pickle
from base64 import b64encode
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from airworthy.contract import Contract, Exchange, Response, ServiceAddress
from airworthy.contract.http.operations import SERVED
from airworthy.evidence.recorder import Recorder, read
from airworthy.traffic import TrafficMonitor, line, lines
from airworthy.traffic.document import to_json
from conformance.v4 import samples
from exchange_parts import changed_request
from unit.audit.test_run import AGAIN, CONVERSATIONS, day

from .material import finding, responding, sent

CONTRACT = Contract.load(SERVED)
V4 = samples.conversation()


def watching(*exchanges: Exchange) -> TrafficMonitor:
    watch = TrafficMonitor(CONTRACT)
    for each in exchanges:
        watch.observe(each)
    return watch


def elsewhere(exchange: Exchange, host: str) -> Exchange:
    url = exchange.request.url.replace("service.example", host)
    return changed_request(exchange, url=url)


def test_judged_request_is_not_remembered() -> None:
    search, payment = samples.sample("searchOffers"), samples.sample("createPaymentMethod")
    key = dict(search.request.headers)["Authorization"]
    token = ("Authorization", f"Basic {b64encode(f'{key}:'.encode()).decode()}")
    rejection = Response(401, (), b'{"error": {"type": "invalid_request_error"}}')
    leaked = replace(changed_request(payment, headers=(token,)), response=rejection)
    weighing, seeing = watching(), watching(search)
    weighing.judge_request(replace(search, response=None))

    assert weighing.observe(leaked) == []
    assert [each.rule for each in seeing.observe(leaked)] == ["PAYMENT-METHOD-TOKEN"]


def test_what_was_forgotten_is_counted_but_explains_nothing() -> None:
    watch = watching(*V4)
    shown = dict(watch.golive.record.entries)

    watch.recall()

    assert watch.observe(AGAIN) == []
    assert watch.summary.judged == len(V4) + 1
    assert shown.keys() <= watch.golive.record.entries.keys()


@pytest.mark.parametrize(("services", "count"), [((), 0), (("https://service.example",), 1)])
def test_unknown_version_is_reported_for_a_known_service(services: tuple[str, ...], count: int) -> None:
    unknown = changed_request(V4[0], url="https://service.example/v9/search", headers=(), body=b"{}")

    assert len(TrafficMonitor(CONTRACT, services=services).observe(unknown)) == count


def test_each_host_has_its_own_conversation() -> None:
    watch = watching(*V4)

    for each in V4:
        assert watch.observe(elsewhere(each, "test.example")) == []


def test_foreign_traffic_is_counted_and_not_recorded(tmp_path: Path) -> None:
    contract = Contract.load(SERVED, ServiceAddress(base_urls=("https://service.example",)))
    with Recorder(tmp_path / "evidence.jsonl", contract) as recorder:
        watch = TrafficMonitor(contract, recorder=recorder)
        watch.observe(V4[0], scenario="one")
        watch.observe(elsewhere(V4[0], "other.example"))

    assert (watch.summary.seen, watch.summary.foreign, watch.summary.judged) == (2, 1, 1)
    [record] = read(tmp_path / "evidence.jsonl")
    assert record.context == {"scenario": "one"}


def test_unwritten_evidence_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Recorder(tmp_path / "evidence.jsonl", CONTRACT) as recorder:

        def full(*_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(recorder, "append", full)
        watch = TrafficMonitor(CONTRACT, recorder=recorder)
        watch.observe(V4[0])

    assert (watch.summary.unrecorded, watch.summary.judged) == (1, 1)


def test_line_of_a_finding() -> None:
    search = sent(V4[0], {"adults": 0})
    watch = TrafficMonitor(CONTRACT)
    found = watch.observe(responding(search, {"statusCode": 400, "error": "Bad Request", "message": "no"}, 400))

    [text] = [line(each, search) for each in found]
    assert text == (
        "violation by the client: POST /v4/search 200 at /adults: adults of a search request is 0, "
        f"not an integer from 1 to 9 [V4-SEARCH-ADULTS] (exchange {search.id} at 2026-11-02 09:00:00 UTC)"
    )
    soft = finding("/adults", soft=True), finding("/adults", "drift", drift="retyped", soft=True)
    assert [line(each, search).partition(" by ")[0] for each in soft] == ["warning", "warning of drift (retyped)"]
    assert line(finding("/adults", earlier="x0"), search).endswith(" at 2026-11-02 09:00:00 UTC, after exchange x0)")


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/v4/order/5b9e8d7c-3a2b-4c1d-9e8f-7a6b5c4d3e33/confirm",) * 2,
        ("/v4/order/ada%40example.com", "/v4/order/?"),
        ("/v4/order/4242424242424242", "/v4/order/?"),
        ("/v4/order/sk_live_1234567890abcdef", "/v4/order/?"),
        ("/v4/a%20b", "/v4/?"),
        ("/v4/Orders/cancelled", "/v4/Orders/?"),
    ],
)
def test_shown_path_has_no_private_values(path: str, shown: str) -> None:
    assert lines.path(changed_request(V4[0], url=f"https://service.example{path}?secret=1")) == shown


def test_path_of_an_address_is_shown() -> None:
    sent_there = changed_request(V4[0], url="https://service.example/Pay/v1/payment_methods")

    assert lines.path(sent_there) == "/?/v1/payment_methods"
    service = ServiceAddress(payment_providers=("https://service.example/Pay/",))
    assert lines.path(sent_there, service) == "/Pay/v1/payment_methods"


def test_line_with_a_hostile_path_is_short() -> None:
    search = sent(V4[0], {"adults": 0})
    [found, *_] = TrafficMonitor(CONTRACT).observe(search)
    url = "https://service.example/v4/search\n\x1b[31m\u202e" + "x" * 5000 + "?email=ada@example.com"

    text = line(found, changed_request(search, url=url, method="PO\nST"))

    assert text.isprintable()
    assert len(text) < 600
    assert "ada@" not in text
    assert "client: ? /v4/?" in text


def traffic() -> list[Exchange]:
    """Conversations of all versions, and a second confirmation."""
    return sorted([*chain(*CONVERSATIONS), AGAIN, *day(5)], key=lambda exchange: exchange.started)


@pytest.mark.parametrize("step", [1, 7])
def test_stored_memory_changes_no_finding(step: int) -> None:
    exchanges = traffic()
    whole, stored = TrafficMonitor(CONTRACT), TrafficMonitor(CONTRACT)
    expected = [whole.observe(each) for each in exchanges]

    found = []
    for start in range(0, len(exchanges), step):
        stored.recall(pickle.loads(pickle.dumps(stored.memory)))  # noqa: S301 - our own
        found += [stored.observe(each) for each in exchanges[start : start + step]]

    assert found == expected
    assert any(finding.rule == "V4-CONFIRM-ONCE" for findings in found for finding in findings)
    assert to_json(stored.summary) == to_json(whole.summary)
