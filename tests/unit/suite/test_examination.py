"""The recording of exchanges, its order, and the effect of its failure."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from airworthy.contract.findings.finding import Finding
from airworthy.contract.http.exchange import Exchange
from airworthy.errors import StorageError
from airworthy.suite.capture import Capture
from airworthy.suite.examination import Examination, connect
from airworthy.target.client import Client, InconclusiveError
from airworthy.target.ledger import Ledger
from airworthy.target.profile import Organisation, Profile
from conformance.request_draft import RequestDraft
from conformance.service_client import ServiceClient
from unit.evidence.stub import exchange
from unit.target.servers import response, serving


def _profile(base_url: str, ca_bundle: Path) -> Profile:
    return Profile(source="", base_url=base_url, ca_bundle=ca_bundle, organisation=Organisation(), versions=("v4",))


def test_order_without_evidence_is_in_the_ledger_and_stops_the_run(tmp_path: Path) -> None:
    def full(_exchange: Exchange, _capture: Capture) -> None:
        raise StorageError("evidence.jsonl: No space left on device")

    examination = Examination(lambda *_: [], full, Ledger(tmp_path / "ledger.jsonl"))
    with serving(lambda connection, _: connection.sendall(response(b'{"id": "a1"}')), tmp_path, tls=True) as server:
        connections = connect(_profile(server.base_url, server.ca_bundle), examination)
        for _ in range(2):
            with pytest.raises(StorageError, match="No space left"):
                connections.client.send("POST", "/v4/order", json={})
        connections.close()

    assert [each.id for each in examination.ledger.entries()] == ["a1"]
    assert len(server.requests) == 1


def test_retried_order_is_in_the_ledger_twice(tmp_path: Path) -> None:
    busy = response(b"", "429 Too Many Requests", "Retry-After: 0")
    left = [busy, response(b'{"id": "a1", "status": "OPEN"}')]
    examination = Examination(lambda *_: [], lambda *_: None, Ledger(tmp_path / "ledger.jsonl"))
    with serving(lambda connection, _: connection.sendall(left.pop(0)), tmp_path, tls=True) as server:
        connections = connect(_profile(server.base_url, server.ca_bundle), examination, pause=lambda _: None)
        connections.client.send("POST", "/v4/order", json={})
        connections.close()

    assert [(each.id, each.status) for each in examination.ledger.entries()] == [("", "throttled"), ("a1", "OPEN")]


def test_throttled_booking_is_not_counted_against_max_bookings(tmp_path: Path) -> None:
    busy = response(b"", "429 Too Many Requests", "Retry-After: 0")
    left = [busy, busy, response(b'{"status": "BOOKED"}')]
    examination = Examination(lambda *_: [], lambda *_: None, Ledger(tmp_path / "ledger.jsonl"))
    examination.begin("exploration of v4", frozenset(), explores=True)
    examination.bookings_left = 2
    with serving(lambda connection, _: connection.sendall(left.pop(0)), tmp_path, tls=True) as server:
        connections = connect(_profile(server.base_url, server.ca_bundle), examination, pause=lambda _: None)
        connections.client.send("POST", "/v4/order/1/confirm", json={})
        connections.close()

    assert examination.bookings_left == 1


def test_clients_share_the_run_budget(tmp_path: Path) -> None:
    busy = response(b"", "503 Service Unavailable", "Retry-After: 60")
    examination = Examination(lambda *_: [], lambda *_: None, Ledger(tmp_path / "ledger.jsonl"))
    with serving(lambda connection, _: connection.sendall(busy), tmp_path, tls=True) as server:
        connections = connect(_profile(server.base_url, server.ca_bundle), examination)
        for number in range(5):
            with pytest.raises(InconclusiveError):
                connections.client.send("GET", f"/{number}")
        connections.close()

    assert connections.run_budget.exhausted
    assert len(server.requests) == 3


def test_large_responses_are_not_kept_in_memory(tmp_path: Path) -> None:
    violation = Finding("V4-ALPHA", "violation", "response", "", "wrong", "", "", "")
    examination = Examination(lambda *_: [violation], lambda *_: None, Ledger(tmp_path / "ledger.jsonl"))
    capture = examination.begin("A scenario", frozenset())
    for number in range(100):
        examination.receive(_received(f"x{number}", bytes(5 * 1024 * 1024)))
    kept = [*capture.exchanges, *examination.violating_exchanges.values()]
    assert len(kept) == 200
    assert sum(len(each.response.body or b"") for each in kept if each.response) == 0


def test_exchange_of_another_test_is_recorded_and_counts_for_no_scenario(tmp_path: Path) -> None:
    violation = Finding("V4-ALPHA", "violation", "response", "", "wrong", "", "", "")
    kept: list[str] = []
    ledger = Ledger(tmp_path / "ledger.jsonl")
    examination = Examination(lambda *_: [violation], lambda each, _: kept.append(each.id), ledger)
    before = examination.begin("A scenario", frozenset())
    examination.leave()
    examination.receive(_received("x1", b"{}"))
    after = examination.begin("Another scenario", frozenset())
    assert kept == ["x1"]
    assert not [*before.findings, *before.exchanges, *after.earlier_violations, *after.mistaken_requests]


def _received(identifier: str, body: bytes) -> Exchange:
    return exchange(None, body, identifier=identifier)


def test_shared_resources_are_bounded_by_the_bytes_of_their_responses(tmp_path: Path) -> None:
    nothing = cast("Any", None)
    payments = SimpleNamespace(needs=SimpleNamespace(noted=list, note=lambda *_: None), follow=lambda _: None)
    with serving(lambda connection, _: connection.sendall(response(b" " * 4_000_000)), tmp_path, tls=True) as server:
        client = Client(server.base_url, ca_bundle=server.ca_bundle)
        service = ServiceClient(nothing, nothing, client, cast("Any", payments), nothing, nothing)
        draft = RequestDraft("searchOffers", "GET", "/v4/search")
        made = [service.once(number, lambda: service.send(draft, key=None)) for number in range(10)]
        sent = len(server.requests)
        assert service.once(9, lambda: service.send(draft, key=None)) is made[9]
        assert len(server.requests) == sent
        assert service.once(0, lambda: service.send(draft, key=None)) is not made[0]
        client.close()
    assert len(service._shared) == 4
