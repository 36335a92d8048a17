"""Findings and exchanges to count."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from airworthy.contract import Exchange, Finding, Kind, Request, Response, Side
from conformance.v3 import samples as flight_samples
from conformance.v3.request_bodies import Interface
from exchange_parts import changed_request

START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
SEARCH = "POST /v4/search"


def exchange(number: int, path: str = "/v4/search", status: int | None = 200) -> Exchange:
    """Return an exchange that begins a number of seconds after the first."""
    response = Response(status) if status else None
    request = Request("POST", f"https://service.example{path}")
    return Exchange(f"x{number}", START + timedelta(seconds=number), 0.1, request, response)


def finding(pointer: str, kind: Kind = "violation", side: Side = "request", **more: Any) -> Finding:  # noqa: ANN401
    members = {"rule": "V4-SEARCH-ADULTS", "message": "it is wrong", "expected": "1", "actual": "0", "exchange": "x"}
    return Finding(kind=kind, side=side, pointer=pointer, **members | more)


def booked(
    interface: Interface,
    people: Mapping[str, int],
    *,
    checked: int = 0,
    cabin: int = 0,
    request: int = 4711,
    later: float = 0.0,
) -> list[Exchange]:
    """Return a conversation of v3 or v2 for a number of people and bags."""
    search, requesting, booking, look_up = (
        replace(each, id=f"{each.id}-{request}", started=each.started + timedelta(seconds=later))
        for each in flight_samples.conversation(interface)
    )
    flight = body(search.response)["results"][0]["id"]
    if interface == "v3":
        options = {
            "checked": [{"quantity": checked, "weight": 20}],
            "cabin": [{"quantity": cabin, "dimensions": {"width": 1, "height": 1, "length": 1}}],
        }
        passengers = [each | {"last_name": f"Gil {request}"} for each in body(requesting.request)["passengers"]]
        requesting = sent(requesting, {"bags": {str(flight): options}, "passengers": passengers})
        booking = sent(booking, {"request_ids": [request]})
    else:
        luggage = [{"quantity": checked, "weight": 20, "price": 1}]
        booking = sent(booking, {"requests": [request], "luggage": {str(request): luggage}})
    made = body(requesting.response)["requests"][0] | {"id": request, "passengers": people}
    requesting = responding(requesting, {"requests": [made]})
    return [search, requesting, booking, look_up]


def body(message: Request | Response | None) -> Any:  # noqa: ANN401
    assert message is not None
    return json.loads(message.body or b"null")


def sent(whole: Exchange, change: Mapping[str, Any]) -> Exchange:
    """Return the exchange with other members in its request body."""
    content = json.dumps(body(whole.request) | change).encode()
    return changed_request(whole, body=content)


def responding(exchange: Exchange, body: Any, status: int = 200) -> Exchange:  # noqa: ANN401
    return replace(
        exchange, response=Response(status, (("Content-Type", "application/json"),), json.dumps(body).encode())
    )
