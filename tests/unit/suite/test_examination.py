"""What is recorded of an exchange, in which order, and what a failure to record it prevents."""

from pathlib import Path

import pytest

from airworthy.contract.exchange import Exchange
from airworthy.errors import StorageError
from airworthy.suite.capture import Capture
from airworthy.suite.examination import Examination, connect
from airworthy.target.client import InconclusiveError
from airworthy.target.ledger import Ledger
from airworthy.target.profile import Organisation, Profile
from unit.target.servers import response, serving


def _profile(base_url: str, ca_bundle: Path) -> Profile:
    return Profile(source="", base_url=base_url, ca_bundle=ca_bundle, organisation=Organisation(), versions=("v4",))


def test_an_order_is_in_the_ledger_even_if_its_evidence_is_not_and_nothing_more_is_sent(tmp_path: Path) -> None:
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


def test_a_throttled_order_that_is_sent_again_is_in_the_ledger_twice(tmp_path: Path) -> None:
    busy = response(b"", "429 Too Many Requests", "Retry-After: 0")
    left = [busy, response(b'{"id": "a1", "status": "OPEN"}')]
    examination = Examination(lambda *_: [], lambda *_: None, Ledger(tmp_path / "ledger.jsonl"))
    with serving(lambda connection, _: connection.sendall(left.pop(0)), tmp_path, tls=True) as server:
        connections = connect(_profile(server.base_url, server.ca_bundle), examination, pause=lambda _: None)
        connections.client.send("POST", "/v4/order", json={})
        connections.close()

    assert [(each.id, each.status) for each in examination.ledger.entries()] == [("", "throttled"), ("a1", "OPEN")]


def test_all_clients_of_a_run_share_its_retries(tmp_path: Path) -> None:
    busy = response(b"", "503 Service Unavailable", "Retry-After: 60")
    examination = Examination(lambda *_: [], lambda *_: None, Ledger(tmp_path / "ledger.jsonl"))
    with serving(lambda connection, _: connection.sendall(busy), tmp_path, tls=True) as server:
        connections = connect(_profile(server.base_url, server.ca_bundle), examination)
        for number in range(5):
            with pytest.raises(InconclusiveError):
                connections.client.send("GET", f"/{number}")
        connections.close()

    assert connections.retry_budget.exhausted
    assert len(server.requests) == 3
