"""Requests of v2 and v3 whose defect depends on several members, queries, headers, and what is allowed."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from airworthy.contract import Contract, Conversation
from unit.contract.all_examples import CUSTOMER
from unit.contract.examples import BEARER_HEADERS, SENT, Change, changed, drop, exchange, put, rejected
from unit.contract.judging import found, last_findings, weighed
from unit.contract.v3.v3_examples import BACK, FLIGHT, REFERENCE, REQUEST, WINDOW, queried

BAG = f"bags.{FLIGHT}"


@pytest.mark.parametrize(
    ("operation", "change"),
    [
        ("createRequests", put(BAG, {"checked": [], "cabin": []})),
        ("createRequests", put(f"{BAG}.checked[0].price", 23.5)),
        ("createRequests", put("passengers[0].passport_number", "XDA123456")),
        ("createBookingsV2", put("customer_data", CUSTOMER | {"is_company": True, "vat_number": "ES1"})),
        ("createBookingsV2", put("requests", [str(REQUEST)])),
    ],
)
def test_allowed_request_has_no_findings(operation: str, change: Change) -> None:
    assert found(rejected(exchange(operation, sent=change))) == []


def test_bags_of_two_flights() -> None:
    sent = changed(SENT["createRequests"], put("flight_ids", [FLIGHT, BACK]))
    assert found(rejected(exchange("createRequests", sent=sent))) == [("request", "V3-BAGS-KEYS", "/bags")]
    both = changed(sent, put(f"bags.{BACK}", {"checked": [], "cabin": []}))
    assert found(rejected(exchange("createRequests", sent=both))) == []


# The query


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("destination=FCO", [("V23-FLIGHTS-REQUIRED", "query:origin")]),
        ("origin=MAD", [("V23-FLIGHTS-REQUIRED", "query:destination")]),
        ("origin=Madrid&destination=FCO", [("V23-FLIGHTS-REQUIRED", "query:origin")]),
        ("origin=MAD&destination=FCO&seats=2", []),
        ("origin=MAD&destination=FCO&seats=many", [("V23-FLIGHTS-PARAMETERS", "query:seats")]),
        ("origin=MAD&destination=FCO&seats=2.5", [("V23-FLIGHTS-PARAMETERS", "query:seats")]),
        ("origin=MAD&destination=FCO&start=tomorrow", [("V23-FLIGHTS-PARAMETERS", "query:start")]),
        ("origin=MAD&destination=FCO&start=2026-12-01&end=14/03/2027", [("V23-FLIGHTS-PARAMETERS", "query:end")]),
        ("origin=MAD&destination=FCO&start=2026-9-1&end=2026-12-04", [("V23-FLIGHTS-PARAMETERS", "query:start")]),
        ("origin=MAD&destination=FCO&start=&end=2026-12-04", [("V23-FLIGHTS-PARAMETERS", "query:start")]),
        ("origin=MAD&destination=FCO&start=2026-12-01&end=2026-12-04", []),
        ("origin=MAD&destination=FCO&start=2026-12-01&end=2026-12-05", [("V23-FLIGHTS-WINDOW", "query:end")]),
        ("origin=MAD&destination=FCO&start=2026-12-01&end=2026-11-30", [("V23-FLIGHTS-WINDOW", "query:end")]),
        ("origin=MAD&destination=FCO&start=9999-12-31&end=9999-12-31", []),
        ("origin=MAD&destination=FCO&end=2026-11-06", []),
        ("origin=MAD&destination=FCO&end=2026-11-07", [("V23-FLIGHTS-WINDOW", "query:end")]),
        ("origin=MAD&destination=FCO&end=2026-10-30", [("V23-FLIGHTS-WINDOW", "query:end")]),
        ("origin=MAD&destination=FCO&end=2027-01-01&next_page_id=c", []),
        ("origin=MAD&destination=FCO&colour=1", [("V23-UNKNOWN-FIELDS", "query:colour")]),
        ("origin=MAD&destination=FCO&x=4242424242424242", []),
    ],
)
@pytest.mark.parametrize("operation", ["searchFlights", "searchFlightsV2"])
def test_search_query(operation: str, query: str, expected: list[tuple[str, str]]) -> None:
    findings = last_findings(rejected(queried(operation, query)))
    rules = [(finding.rule, finding.pointer) for finding in findings if finding.rule != "V23-CARD-DATA"]
    assert rules == expected
    assert any(finding.rule == "V23-CARD-DATA" for finding in findings) is ("4242" in query)


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        ("seats=many", 'the parameter seats is "many", not a whole number'),
        ("colour=1", "colour is not a documented parameter at this location"),
        ("nextPageId=1", "nextPageId is not a documented parameter at this location; did you mean next_page_id?"),
    ],
)
def test_finding_names_a_parameter_as_sent(parameter: str, message: str) -> None:
    (finding,) = last_findings(rejected(queried("searchFlights", f"origin=MAD&destination=FCO&{parameter}")))
    assert finding.message == message


def test_service_may_accept_an_empty_parameter() -> None:
    assert found(queried("searchFlights", f"{WINDOW}&seats=")) == [("request", "V23-FLIGHTS-PARAMETERS", "query:seats")]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("origin=MAD", [("V3-ROUND-TRIPS-REQUIRED", "query:destination")]),
        (f"{WINDOW}&returnStart=2026-12-08&returnEnd=2026-12-12", [("V3-ROUND-TRIPS-WINDOW", "query:returnEnd")]),
        (f"{WINDOW}&returnStart=2026-12-08&returnEnd=2026-12-07", [("V3-ROUND-TRIPS-WINDOW", "query:returnEnd")]),
        (f"{WINDOW}&returnEnd=2027-12-07", []),
        (f"{WINDOW}&returnStart=2026-12-08", []),
        ("origin=MAD&destination=FCO&end=2027-01-01", []),
        ("origin=MAD&destination=FCO&start=2026-12-01&end=2026-12-08", [("V3-ROUND-TRIPS-WINDOW", "query:end")]),
        (f"{WINDOW}&seats=x", [("V23-FLIGHTS-PARAMETERS", "query:seats")]),
    ],
)
def test_round_trip_search_query(query: str, expected: list[tuple[str, str]]) -> None:
    assert [place[1:] for place in found(rejected(queried("searchRoundTrips", query)))] == expected


@pytest.mark.parametrize("operation", ["getBookings", "getBookingsV2"])
def test_get_bookings_without_a_reference(operation: str) -> None:
    assert found(rejected(queried(operation, ""))) == [("request", "V23-LOOK-UP", "query:cp_reference")]
    assert found(queried(operation, "")) == [
        ("request", "V23-LOOK-UP", "query:cp_reference"),
        ("response", "V23-LOOK-UP", "status"),
    ]


@pytest.mark.parametrize(
    ("operation", "rule"), [("searchFlights", None), ("getBookings", None), ("searchFlightsV2", "V23-CURRENT-REVISION")]
)
def test_customer_code_in_a_query(operation: str, rule: str | None) -> None:
    query = f"{WINDOW}&customerCode=A" if "search" in operation else f"cp_reference={REFERENCE}&customerCode=A"
    assert found(queried(operation, query)) == ([("request", rule, "query:customerCode")] if rule else [])


# Bodies


def test_cancellation_with_and_without_a_body() -> None:
    assert found(exchange("cancelRequest", headers=BEARER_HEADERS[:2])) == []
    assert found(exchange("cancelRequest", sent={"any": "thing"})) == []


# Deprecated operations and members


@pytest.mark.parametrize(
    ("day", "kind"),
    [(datetime(2026, 9, 24, 23, 59, tzinfo=UTC), "deprecated"), (datetime(2026, 9, 25, tzinfo=UTC), "violation")],
)
def test_verify_flight_is_deprecated(whole_contract: Contract, day: datetime, kind: str) -> None:
    soft = kind == "deprecated"
    made = replace(exchange("verifyFlight", returned={"anything": 1}), started=day)
    findings = whole_contract.judge(made, Conversation())
    assert [(each.kind, each.rule, each.side, each.soft) for each in findings if each.side == "request"] == [
        (kind, "V3-VERIFY-DEPRECATED", "request", soft)
    ]
    assert any(each.side == "response" for each in findings) is soft


def test_card_token_is_not_to_be_used() -> None:
    sent = changed(SENT["createBookingsV2"], put("card_token", "tok_123"), drop("payment_method"))
    (finding,) = last_findings(exchange("createBookingsV2", sent=sent))
    assert (finding.kind, finding.rule, finding.side, finding.soft) == ("violation", "V2-CARD-TOKEN", "request", False)
    assert "tok_123" not in repr(finding)


@pytest.mark.parametrize(
    ("operation", "infants"), [("createRequests", 1), ("createRequestsV2", 1), ("createRequests", 0)]
)
def test_infants_are_requested_without_infant_tickets(operation: str, infants: int) -> None:
    sent = put("passengers.infants", infants) if operation == "createRequestsV2" else None
    adults = 1 if sent else 1 - infants
    counted = put("requests[0].passengers", {"adults": adults, "children": 0, "infants": infants})
    made = exchange(operation, sent=sent, returned=(counted, put("requests[0].infant_price", None)))
    wrong = [("V23-FLIGHT-INFANTS-UNAVAILABLE", "/requests/0/infant_price", True)]
    assert weighed(made) == (wrong if infants else [])
