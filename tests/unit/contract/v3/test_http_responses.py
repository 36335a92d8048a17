"""Status codes, bodies, tokens and TLS of responses of v2 and v3."""

from dataclasses import replace

import pytest

from airworthy.contract import Contract, Response, ServiceAddress
from unit.contract.examples import JSON, Finder, rejected
from unit.contract.v3.v3_examples import HEADERS, OPERATIONS, POSTS, REFERENCE, exchange


@pytest.mark.parametrize("operation", [*POSTS, "searchFlights", "cancelRequest"])
def test_success_status_is_not_200(found: Finder, operation: str) -> None:
    written = operation not in ("verifyFlight", "createRequestsV2", "createBookingsV2")
    places = [place for place in found(exchange(operation, status=201)) if place[0] == "response"]
    assert places == ([("response", "V23-SUCCESS-STATUS", "status")] if written else [])


@pytest.mark.parametrize("operation", ["verifyFlight", "createRequestsV2", "createBookingsV2"])
def test_success_with_any_status_is_judged(found: Finder, operation: str) -> None:
    (name,) = [place[1] for place in found(exchange(operation, status=201, returned={})) if place[0] == "response"][:1]
    assert name in ("V3-VERIFY-ANSWER", "V2-REQUESTS-ANSWER", "V23-BOOKINGS-BOOK")


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"code": "x"}', b'["no"]'])
def test_body_of_a_rejection_is_not_judged(found: Finder, operation: str, body: bytes) -> None:
    made = replace(exchange(operation), response=Response(422, JSON, body))
    assert [place for place in found(made) if place[0] == "response"] == []


@pytest.mark.parametrize("operation", OPERATIONS)
def test_successful_response_is_not_json(found: Finder, operation: str) -> None:
    places = found(exchange(operation, returned=b"<html>"))
    assert [place for place in places if place[0] == "response"] == [("response", "V23-JSON-ANSWERS", "")]


@pytest.mark.parametrize("operation", ["searchFlights", "getBookingsV2"])
def test_request_without_a_token_succeeds(found: Finder, operation: str) -> None:
    made = exchange(operation, headers=HEADERS[1:])
    assert found(made) == [
        ("request", "V23-AUTH-KEY-SENT", "header:Authorization"),
        ("response", "V23-AUTH-MISSING-KEY", "status"),
    ]
    assert found(rejected(made, 401)) == [("request", "V23-AUTH-KEY-SENT", "header:Authorization")]


def test_request_over_plain_http_succeeds(found: Finder) -> None:
    made = exchange("getBookings", url=f"http://service.example/v3/bookings?cp_reference={REFERENCE}")
    sent = ("request", "V23-HTTPS-ONLY", "path")
    assert found(made) == [sent, ("response", "V23-HTTPS-ONLY", "status")]
    assert found(rejected(made, 403)) == [sent]
    behind_tls = Contract.load(("v3",), ServiceAddress(allow_plain_http=True))
    assert behind_tls.judge(made) == []
