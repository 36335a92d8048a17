"""Requests of v3 scenarios that depend on earlier ones."""

import json
from datetime import UTC, datetime

from airworthy.contract.exchange import Exchange, Request, Response
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.v3.booking_client import RequestedFlights


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
