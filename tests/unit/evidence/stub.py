"""A contract of a few marks, and exchanges to redact."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import orjson

from airworthy.contract.body import read_json
from airworthy.contract.exchange import Exchange, Headers, Request, Response

STARTED: Final = datetime(2026, 11, 21, 8, 30, tzinfo=UTC)
JSON: Final = ("Content-Type", "application/json")
KEY: Final = "sk-canary-4d1f9a77"
SECRETS: Final = {KEY: "$AIRWORTHY_V4_KEY", "partner-canary-code": "$AIRWORTHY_V4_CUSTOMER_CODE"}

DOCUMENTS: Final[Mapping[str, Any]] = {
    "v4/order.json": {
        "properties": {
            "name": {"x-sensitive": "name"},
            "email": {"x-sensitive": "email"},
            "identificationNumber": {"type": "string", "x-sensitive": "document-number"},
            "status": {"enum": ["OPEN", "BOOKED"]},
        }
    }
}


class StubContract:
    """Knows paths that begin with /v4/order, and marks the values of given member names."""

    documents = DOCUMENTS

    def __init__(self, **kinds: str) -> None:
        self._kinds = kinds

    def is_impersonal(self, exchange: Exchange) -> bool:
        return "/v4/order/search" in exchange.request.url

    def private_names(self) -> dict[str, str]:
        return {}

    def operation(self, method: str, url: str) -> str | None:
        return method if "/v4/order" in url else None

    def sensitive(self, exchange: Exchange) -> list[tuple[str, str, str]]:
        answer = exchange.response
        bodies = {"request": exchange.request.body, "response": answer.body if answer else None}
        found = []
        for side, body in bodies.items():
            members = read_json(body).value
            if self.operation(exchange.request.method, exchange.request.url) and isinstance(members, dict):
                found += [(side, f"/{name}", self._kinds[name]) for name in members if name in self._kinds]
        return found


def exchange(
    sent: object = None,
    answer: object = None,
    *,
    url: str = "https://service.example/v4/order",
    method: str = "POST",
    headers: Headers = (("Authorization", KEY), JSON),
    status: int = 200,
    identifier: str = "x0001",
) -> Exchange:
    """An exchange; bytes are sent as they are, anything else as JSON."""
    response = None if answer is None else Response(status, (JSON,), _bytes(answer))
    return Exchange(identifier, STARTED, 0.012, Request(method, url, headers, _bytes(sent)), response)


def sent_by(found: Exchange) -> Any:  # noqa: ANN401 - any JSON value
    return orjson.loads(found.request.body or b"null")


def answered_by(found: Exchange) -> Any:  # noqa: ANN401 - any JSON value
    assert found.response is not None
    return orjson.loads(found.response.body or b"null")


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else b"" if value is None else orjson.dumps(value)
