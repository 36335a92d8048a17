import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from airworthy.contract.exchange import Exchange, Request, Response
from airworthy.target.ledger import Ledger, books

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
    ],
)
def test_what_books_is_known(method: str, path: str, kind: str | None) -> None:
    assert books(method, path) == kind


def test_each_order_and_confirmation_is_written_as_it_happens(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "reports" / "ledger.jsonl")
    body = json.dumps({"id": ORDER, "status": "OPEN", "passengers": [{"name": "Canary"}]}).encode()
    ledger.hear(_exchange("/v4/order?offerId=1", Response(200, (), body)), "An order is created")
    ledger.hear(_exchange(f"/v4/order/{ORDER}/confirm", None))
    ledger.hear(_exchange("/v4/order", Response(400, (), b"{}")))
    ledger.hear(_exchange("/v4/search", Response(200, (), b"{}")))
    ledger.hear(_exchange("/v4/order", Response(200, (), b'{"id": "Mr Canary", "status": ["Canary"]}')))

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
