"""Headers and bodies of requests, and status codes, JSON, error bodies, keys and TLS in responses of all interfaces."""

from dataclasses import replace

import pytest

from airworthy.contract import Contract, Response, ServiceAddress
from exchange_parts import changed_request, changed_response
from unit.contract.all_examples import family
from unit.contract.examples import ENDPOINTS, HEADERS, JSON, OF_V4, SENT, error, exchange, put, rejected
from unit.contract.judging import found, on_request, on_response, weighed

# Requests

# The operation of each version that creates something, and the rule on the members that it requires.
REQUIRED = {
    "searchOffers": "V4-SEARCH-REQUIRED",
    "createRequests": "V3-REQUESTS-REQUIRED",
    "createBookings": "V3-BOOKINGS-REQUIRED",
    "createRequestsV2": "V2-REQUESTS-REQUIRED",
    "createBookingsV2": "V2-BOOKINGS-REQUIRED",
}


@pytest.mark.parametrize(
    ("header", "value", "rule"),
    [
        ("Authorization", None, "AUTH-KEY-SENT"),
        ("Authorization", "  ", "AUTH-KEY-SENT"),
        ("Content-Type", None, "CONTENT-TYPE"),
        ("Content-Type", "text/plain", "CONTENT-TYPE"),
        ("Content-Type", "application/x-www-form-urlencoded", "CONTENT-TYPE"),
        ("Content-Type", "Application/JSON; charset=utf-8", None),
        ("Accept", None, "ACCEPT"),
        ("Accept", "text/html", "ACCEPT"),
        ("Accept", "text/html, */*;q=0.5", None),
        ("Accept", "application/*", None),
    ],
)
@pytest.mark.parametrize("operation", ["searchOffers", "createRequests", "createBookingsV2"])
def test_request_headers(operation: str, header: str, value: str | None, rule: str | None) -> None:
    made = exchange(operation)
    others = tuple(pair for pair in made.request.headers if pair[0] != header)
    headers = (*others, *([(header, value)] if value is not None else []))
    found = weighed(rejected(changed_request(made, headers=headers)))
    # A wrong header of the contents only warns.
    soft = header != "Authorization"
    assert found == ([(f"{family(operation)}-{rule}", f"header:{header}", soft)] if rule else [])


@pytest.mark.parametrize("value", ["Bearer", "Bearer  "])
def test_bearer_scheme_without_a_token(value: str) -> None:
    made = exchange("createRequests", headers=(("Authorization", value), *HEADERS[1:]))
    assert found(rejected(made)) == [("request", "V23-AUTH-KEY-SENT", "header:Authorization")]


@pytest.mark.parametrize("operation", REQUIRED)
@pytest.mark.parametrize("body", [b'{"adults": ', b"\x00", b"adults=1", b"  ", b'{"a": NaN}', b"[]", b"null"])
def test_request_body_is_not_a_json_object(operation: str, body: bytes) -> None:
    assert found(rejected(exchange(operation, sent=body))) == [("request", REQUIRED[operation], "")]


@pytest.mark.parametrize(
    ("operation", "member", "rule"),
    [("searchOffers", "adults", "V4-SEARCH-ADULTS"), ("createRequests", "flight_ids", "V3-REQUESTS-REQUIRED")],
)
def test_server_error_for_a_wrong_request(operation: str, member: str, rule: str) -> None:
    sent, wrong = put(member, "first"), ("request", rule, f"/{member}")
    failed = ("response", f"{family(operation)}-NO-SERVER-FAULT", "status")
    for body, status, expected in ((sent, 500, [wrong, failed]), (None, 500, []), (sent, 503, [wrong])):
        assert found(exchange(operation, sent=body, status=status, returned=b"oops")) == expected


# Responses


def test_successful_response_is_not_json() -> None:
    found = {each: on_response(exchange(each, returned=b"<html>")) for each in ENDPOINTS}
    assert found == {each: [(f"{family(each)}-JSON-ANSWERS", "", False)] for each in ENDPOINTS}


@pytest.mark.parametrize("operation", ["getOrder", "searchFlights", "getBookingsV2"])
def test_request_without_a_key_succeeds(operation: str) -> None:
    made = exchange(operation, headers=HEADERS[1:])
    sent = (f"{family(operation)}-AUTH-KEY-SENT", "header:Authorization", False)
    assert on_request(made) == [sent]
    assert on_response(made) == [(f"{family(operation)}-AUTH-MISSING-KEY", "status", False)]
    assert weighed(rejected(made, 403, "Forbidden")) == [sent]


@pytest.mark.parametrize("operation", ["getOrder", "getBookings"])
def test_request_over_plain_http_succeeds(operation: str) -> None:
    rule = f"{family(operation)}-HTTPS-ONLY"
    made = exchange(operation, url=f"http://service.example{ENDPOINTS[operation][1]}")
    sent = (rule, "path", False)
    assert on_request(made) == [sent]
    assert on_response(made) == [(rule, "status", False)]
    assert weighed(rejected(made, 403, "Forbidden")) == [sent]
    assert weighed(replace(made, response=Response(301, JSON, b""))) == [sent]
    behind_tls = Contract.load(("v2", "v3", "v4"), ServiceAddress(allow_plain_http=True))
    assert behind_tls.judge(made) == []


# v3 and v2


@pytest.mark.parametrize("operation", [*(each for each in SENT if each not in OF_V4), "searchFlights", "cancelRequest"])
def test_success_status_is_not_the_documented_one(operation: str) -> None:
    written = operation not in ("verifyFlight", "createRequestsV2", "createBookingsV2")
    assert on_response(exchange(operation, status=201)) == [("V23-SUCCESS-STATUS", "status", False)] * written


@pytest.mark.parametrize("operation", ["verifyFlight", "createRequestsV2", "createBookingsV2"])
def test_success_with_any_status_is_judged(operation: str) -> None:
    rule, *_ = on_response(exchange(operation, status=201, returned={}))[0]
    assert rule in ("V3-VERIFY-ANSWER", "V2-REQUESTS-ANSWER", "V23-BOOKINGS-BOOK")


# v4


@pytest.mark.parametrize("status", [201, 202, 204])
@pytest.mark.parametrize("operation", [each for each in SENT if each in OF_V4])
def test_success_status_is_not_200(operation: str, status: int) -> None:
    assert found(exchange(operation, status=status)) == [("response", "V4-SUCCESS-STATUS", "status")]


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (400, error(400, "Bad Request"), None),
        (400, error(400, "BAD REQUEST"), None),
        (422, error(422, "Unprocessable Entity"), None),
        (422, error(422, "Unprocessable Content"), None),
        (409, error(409, "Conflict"), None),
        (499, error(499, "Client Closed Request"), None),
        (404, error(400, "Not Found"), ("V4-ERROR-STATUS-CODE", "/statusCode")),
        (404, error(404, "not_found"), ("V4-ERROR-TEXT", "/error")),
        (404, {"statusCode": 404, "error": "Not Found"}, ("V4-ERROR-BODY", "/message")),
        (404, {"statusCode": "404", "error": "Not Found", "message": "x"}, ("V4-ERROR-BODY", "/statusCode")),
        (404, {"statusCode": 404, "error": "Not Found", "message": ["x"]}, ("V4-ERROR-BODY", "/message")),
        (401, [], ("V4-ERROR-BODY", "")),
        (401, b"<html>", ("V4-JSON-ANSWERS", "")),
        (401, b"", ("V4-JSON-ANSWERS", "")),
        (429, b"slow down", None),
        (500, b"<html>", None),
        (503, b"", None),
    ],
)
def test_error_responses(status: int, body: object, expected: tuple[str, str] | None) -> None:
    made = exchange("getOrder", status=status, returned=body)
    assert found(made) == ([("response", *expected)] if expected else [])


def test_json_with_another_content_type_only_warns() -> None:
    made = exchange("searchOffers")
    named = changed_response(made, headers=(("content-type", "text/html"),))
    assert weighed(named) == [("V4-JSON-ANSWERS", "header:Content-Type", True)]


def test_get_fares_responds_with_404_or_410() -> None:
    for status, text in ((404, "Not Found"), (410, "Gone")):
        assert found(rejected(exchange("getFares"), status, text)) == [("response", "V4-FARES-MISSING", "status")]
    malformed = exchange("getFares", url="https://service.example/v4/offer/4711/fares")
    assert found(rejected(malformed, 404, "Not Found")) == [("request", "V4-ORDER-ID-FORM", "path")]
    assert found(exchange("getFares", returned={"fares": []})) == []
