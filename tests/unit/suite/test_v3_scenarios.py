"""Requests of v3 scenarios that depend on earlier ones."""

import json
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from airworthy.contract.exchange import Exchange, Request, Response
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.v3.booking_client import BookingClient, RequestedFlights


def requesting(*flights: int) -> RequestDraft:
    return RequestDraft("createRequests", "POST", "/v3/requests", body={"flight_ids": list(flights)})


def response(requested: RequestedFlights, draft: RequestDraft, status: int) -> ParsedResponse:
    request = Request("POST", "https://service.example/v3/requests", (), json.dumps(draft.body).encode())
    exchange = Exchange("x1", datetime(2026, 11, 1, tzinfo=UTC), 0.1, request, Response(status, (), b""))
    requested.follow(exchange)
    return ParsedResponse(exchange)


def test_seats_may_be_taken_by_earlier_booking_requests_only() -> None:
    requested = RequestedFlights()
    first, other, accepted = requesting(1, 2), requesting(1, 3), requesting(7)
    assert not requested.may_explain(first, response(requested, first, 409))
    assert requested.may_explain(other, response(requested, other, 409))
    assert not requested.may_explain(first, response(requested, first, 400))
    assert not requested.may_explain(accepted, response(requested, accepted, 200))
    assert requested.may_explain(accepted, response(requested, accepted, 404))


def client_of(*statuses: int) -> BookingClient:
    """Return a client of a service that responds with these status codes."""
    requested, left = RequestedFlights(), iter(statuses)
    service: Any = SimpleNamespace(
        client=SimpleNamespace(listeners=[]),
        token=lambda _: SimpleNamespace(date_format="YYYY-MM-DD"),
        send=lambda draft: response(requested, draft, next(left)),
    )
    return BookingClient(service, requested_flights=requested)


def test_flight_that_is_gone_does_not_settle_the_notation() -> None:
    client = client_of(409, 400, 409, 400, 200, 400)

    for expected, is_settled in ((409, False), (409, False), (200, True), (400, True)):
        _, last = client._understood("v3", lambda: requesting(1))
        assert (last.status, "v3" in client.known_notations) == (expected, is_settled)
