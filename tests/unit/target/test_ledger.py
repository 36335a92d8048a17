"""The ledger of what a run created at the target."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from airworthy.contract.http.exchange import Exchange, Request, Response
from airworthy.errors import StorageError
from airworthy.target.ledger import Ledger, created_kind

ORDER = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"


def _exchange(path: str, response: Response | None, method: str = "POST") -> Exchange:
    started = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)
    return Exchange("x0001", started, 0.1, Request(method, f"https://x.example/api{path}"), response)


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("POST", "/v4/order?offerId=1", "order"),
        ("post", "/v4/order/", "order"),
        ("POST", f"/v4/order/{ORDER}/confirm", "confirmation"),
        ("GET", f"/v4/order/{ORDER}", None),
        ("POST", "/v4/offer", None),
        ("POST", "/v3/requests", "request"),
        ("POST", "/v2/requests/", "request"),
        ("POST", "/v3/bookings", "booking"),
        ("POST", "/v2/bookings", "booking"),
        ("GET", "/v3/bookings?cp_reference=ABC123", None),
        ("POST", "/v3/requests/4711/cancel", None),
        ("POST", "/v3/flights/verify", None),
    ],
)
def test_kind_of_resource_that_a_request_creates(method: str, path: str, kind: str | None) -> None:
    assert created_kind(method, path) == kind


def test_orders_and_confirmations_are_recorded(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "reports" / "ledger.jsonl")
    body = json.dumps({"id": ORDER, "status": "OPEN", "passengers": [{"name": "Canary"}]}).encode()
    ledger.record(_exchange("/v4/order?offerId=1", Response(200, (), body)), "An order is created")
    ledger.record(_exchange(f"/v4/order/{ORDER}/confirm", None))
    ledger.record(_exchange("/v4/order", Response(400, (), b"{}")))
    ledger.record(_exchange("/v4/search", Response(200, (), b"{}")))
    ledger.record(_exchange("/v4/order", Response(200, (), b'{"id": "Mr Canary", "status": ["Canary"]}')))

    lines = [json.loads(line) for line in ledger.path.read_text().splitlines()]
    assert [(line["kind"], line["id"], line["status"]) for line in lines] == [
        ("order", ORDER, "OPEN"),
        ("confirmation", ORDER, "unknown"),
        ("order", "unreadable", "unreadable"),
    ]
    assert lines[0] == {
        "kind": "order",
        "id": ORDER,
        "made": "2026-11-03T12:00:00+00:00",
        "status": "OPEN",
        "exchange": "x0001",
        "note": "An order is created",
    }
    assert "Canary" not in ledger.path.read_text()


def test_every_booking_request_and_booking_of_a_response_is_recorded(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    requests = {"requests": [{"id": 4711, "customer": {"name": "Canary"}}, {"id": 4712}]}
    bookings = [
        {"id": 81, "cp_reference": "ABC123", "status": "CONFIRMED", "first_name": "Canary"},
        {"id": 82, "cp_reference": "ABC123", "status": "AWAITING_PNR_AIRLINE"},
    ]
    ledger.record(_exchange("/v3/requests", Response(200, (), json.dumps(requests).encode())))
    ledger.record(_exchange("/v2/bookings", Response(201, (), json.dumps({"bookings": bookings}).encode())))
    ledger.record(_exchange("/v3/bookings", Response(409, (), b"{}")))

    lines = [json.loads(line) for line in ledger.path.read_text().splitlines()]
    assert [(line["kind"], line["id"], line["status"]) for line in lines] == [
        ("request", "4711", "unknown"),
        ("request", "4712", "unknown"),
        ("booking", "81 ABC123", "CONFIRMED"),
        ("booking", "82 ABC123", "AWAITING_PNR_AIRLINE"),
    ]
    assert "Canary" not in ledger.path.read_text()

    ledger.record(_exchange("/v3/bookings", Response(200, (), json.dumps({"bookings": [{"id": 1}] * 1000}).encode())))
    assert len(ledger.path.read_text().splitlines()) == 4 + 10


@pytest.mark.parametrize(
    "response",
    [
        None,
        Response(200, (), None),
        Response(200, (), b"oops"),
        Response(200, (), b"[]"),
        Response(200, (), b"[" * 100_000),
        Response(200, (), b'{"bookings": "Mr Canary"}'),
        Response(200, (), b'{"bookings": []}'),
        Response(200, (), b'{"bookings": ["Mr Canary"]}'),
    ],
)
def test_booking_without_a_readable_response_is_recorded_as_unknown(tmp_path: Path, response: Response | None) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.record(_exchange("/v3/bookings", response))
    (line,) = ledger.path.read_text().splitlines()
    assert json.loads(line).items() >= {"kind": "booking", "id": "", "status": "unknown"}.items()


@pytest.mark.parametrize(
    ("refusal", "status"),
    [
        (Response(429, (), b'{"id": "x"}'), "throttled"),
        (Response(429, (), None), "throttled"),
        # It may have been processed.
        (Response(503, (("retry-after", "0"),)), "unknown"),
    ],
)
def test_throttled_request_that_books_is_recorded(tmp_path: Path, refusal: Response, status: str) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.record(_exchange("/v4/order", refusal))
    ledger.record(_exchange(f"/v4/order/{ORDER}/confirm", refusal))
    ledger.record(_exchange("/v4/search", refusal))
    assert [(each.kind, each.id, each.status) for each in ledger.entries()] == [
        ("order", "", status),
        ("confirmation", ORDER, status),
    ]


def test_storage_error_names_the_missing_entries() -> None:
    ledger = Ledger(Path("/dev/full"))
    body = json.dumps({"id": ORDER, "status": "OPEN"}).encode()
    with pytest.raises(StorageError, match=f"^/dev/full: No space left on device; the ledger lacks: order {ORDER}$"):
        ledger.record(_exchange("/v4/order", Response(200, (), body)))


def test_incomplete_entry_is_skipped(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.record(_exchange("/v4/order", None))
    complete = ledger.path.read_bytes()
    ledger.path.write_bytes(complete + complete[:40])
    assert len(list(ledger.entries())) == 1
