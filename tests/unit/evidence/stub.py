"""Exchanges to redact."""

from datetime import UTC, datetime
from typing import Any, Final

import orjson

from airworthy.contract import Contract
from airworthy.contract.http.exchange import Exchange, Headers, Request, Response
from exchange_parts import response_of

STARTED: Final = datetime(2026, 11, 21, 8, 30, tzinfo=UTC)
JSON: Final = ("Content-Type", "application/json")
KEY: Final = "sk-canary-4d1f9a77"
SECRETS: Final = {
    KEY: ("$AIRWORTHY_V4_KEY",),
    "partner-canary-code": ("$AIRWORTHY_V4_CUSTOMER_CODE", "$AIRWORTHY_V3_CUSTOMER_CODE"),
    "7": ("$AIRWORTHY_V3_TOKEN",),
}

CONTRACT: Final = Contract.load(("v2", "v3", "v4"))


def exchange(
    sent: object = None,
    received: object = None,
    *,
    url: str = "https://service.example/v4/order",
    method: str = "POST",
    headers: Headers = (("Authorization", KEY), JSON),
    status: int = 200,
    identifier: str = "x0001",
) -> Exchange:
    """An exchange; bytes are sent as they are, anything else as JSON."""
    response = None if received is None else Response(status, (JSON,), _bytes(received))
    return Exchange(identifier, STARTED, 0.012, Request(method, url, headers, _bytes(sent)), response)


def request_json(found: Exchange) -> Any:  # noqa: ANN401 - any JSON value
    return orjson.loads(found.request.body or b"null")


def response_json(found: Exchange) -> Any:  # noqa: ANN401 - any JSON value
    return orjson.loads(response_of(found).body or b"null")


def _bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else b"" if value is None else orjson.dumps(value)
