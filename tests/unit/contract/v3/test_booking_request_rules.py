"""Requests of v2 and v3 with one defect have one finding."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from airworthy.contract import Contract, Conversation
from unit.contract.examples import Change, Finder, changed, drop, put, rejected
from unit.contract.v3.v3_examples import (
    BACK,
    CABIN,
    FLIGHT,
    HEADERS,
    PASSENGER,
    POSTS,
    REQUEST,
    SENT,
    WINDOW,
    exchange,
    queried,
)

BAG = f"bags.{FLIGHT}"
BAG_AT = f"/bags/{FLIGHT}"
LUGGAGE = f"luggage.{REQUEST}[0]"
THREE_D = {
    "version": "2.2.0",
    "electronic_commerce_indicator": "05",
    "cryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=",
    "transaction_id": "f25084f0-5b16-4c0a-ae5d-b24808a95e4b",
}
CUSTOMER = dict.fromkeys(("first_name", "last_name", "gender", "email", "phonenumber"), "x")
ONE_ID: list[object] = ["first", {}, None]

REQUESTED = [
    *[
        (drop(name), "V3-REQUESTS-REQUIRED", f"/{name}")
        for name in ("flight_ids", "customer_code", "passengers", "fare_type")
    ],
    *[(put("flight_ids", value), "V3-REQUESTS-REQUIRED", "/flight_ids") for value in ONE_ID],
    (put("flight_ids", ["first"]), "V3-REQUESTS-REQUIRED", "/flight_ids/0"),
    (put("customer_code", {}), "V3-REQUESTS-REQUIRED", "/customer_code"),
    (put("passengers", "Amelia"), "V3-REQUESTS-REQUIRED", "/passengers"),
    (put("passengers", []), "V3-REQUESTS-REQUIRED", "/passengers"),
    (put("flight_ids", []), "V3-REQUESTS-FLIGHTS", "/flight_ids"),
    *[
        (drop(f"passengers[0].{name}"), "V3-REQUESTS-PASSENGER", f"/passengers/0/{name}")
        for name in ("first_name", "last_name", "gender", "date_of_birth")
    ],
    (put("passengers[0].gender", 1), "V3-REQUESTS-PASSENGER", "/passengers/0/gender"),
    *[(put("fare_type", value), "V3-REQUESTS-FARE-TYPE", "/fare_type") for value in ("open_jaw", "", None)],
    (put("fare_type", "round_trip"), "V3-REQUESTS-FARE-TYPE", "/flight_ids"),
    (drop("bags"), "V3-BAGS-NOT-EMPTY", "/bags"),
    (put("bags", {}), "V3-BAGS-NOT-EMPTY", "/bags"),
    (put("bags", None), "V3-BAGS-NOT-EMPTY", "/bags"),
    (put("bags.77", {"checked": [], "cabin": []}), "V3-BAGS-KEYS", "/bags"),
    (put("bags", {"77": {"checked": [], "cabin": []}}), "V3-BAGS-KEYS", "/bags"),
    (put("bags.bag", {"checked": [], "cabin": []}), "V3-BAGS-KEYS", "/bags"),
    (put(BAG, []), "V3-BAGS-OPTION", BAG_AT),
    (drop(f"{BAG}.checked[0].quantity"), "V3-BAGS-OPTION", f"{BAG_AT}/checked/0/quantity"),
    (drop(f"{BAG}.checked[0].weight"), "V3-BAGS-OPTION", f"{BAG_AT}/checked/0/weight"),
    (drop(f"{BAG}.cabin[0].quantity"), "V3-BAGS-OPTION", f"{BAG_AT}/cabin/0/quantity"),
    (put(f"{BAG}.checked[0].quantity", "none"), "V3-BAGS-OPTION", f"{BAG_AT}/checked/0/quantity"),
    (put(f"{BAG}.checked[0].quantity", 2), "V3-BAGS-QUANTITY", f"{BAG_AT}/checked/0/quantity"),
    (put(f"{BAG}.cabin[0].quantity", 5), "V3-BAGS-QUANTITY", f"{BAG_AT}/cabin/0/quantity"),
    (put(f"{BAG}.checked[1].quantity", 1), "V3-BAGS-QUANTITY", f"{BAG_AT}/checked"),
]
BOOKED = [
    *[(drop(name), "V3-BOOKINGS-REQUIRED", f"/{name}") for name in ("request_ids", "customer_code", "email")],
    (put("request_ids", ["first"]), "V3-BOOKINGS-REQUIRED", "/request_ids/0"),
    (put("request_ids", "first"), "V3-BOOKINGS-REQUIRED", "/request_ids"),
    (put("last_name", None), "V3-BOOKINGS-REQUIRED", "/last_name"),
    (put("request_ids", [1, 2, 3]), "V3-BOOKINGS-REQUESTS", "/request_ids"),
    (put("request_ids", []), "V3-BOOKINGS-REQUESTS", "/request_ids"),
]
BOTH_BOOKED = [
    (drop("payment_method"), "V23-BOOKINGS-PAYMENT", "/payment_method"),
    (put("payment_method", "card_1"), "V23-BOOKINGS-PAYMENT", "/payment_method"),
    (put("self_psp", "yes"), "V23-BOOKINGS-PAYMENT", "/self_psp"),
    (put("self_psp", True), "V23-BOOKINGS-PAYMENT", "/payment_method"),
    *[
        (put("three_d_secure", {key: THREE_D[key] for key in THREE_D if key != name}), "V23-3DS-FIELDS", name)
        for name in THREE_D
    ],
    (put("three_d_secure", THREE_D | {"version": "2.3.1"}), "V23-3DS-VALUES", "version"),
    *[
        (
            put("three_d_secure", THREE_D | {"electronic_commerce_indicator": value}),
            rule,
            "electronic_commerce_indicator",
        )
        for value, rule in (("03", "V23-3DS-VALUES"), ("07", "V23-3DS-FAILED"), ("00", "V23-3DS-FAILED"))
    ],
    (put("three_d_secure", THREE_D | {"cryptogram": "AAEC"}), "V23-3DS-VALUES", "cryptogram"),
]
REQUESTED_V2 = [
    (drop("flights"), "V2-REQUESTS-REQUIRED", "/flights"),
    (drop("passengers"), "V2-REQUESTS-REQUIRED", "/passengers"),
    (put("flights", "first"), "V2-REQUESTS-REQUIRED", "/flights"),
    (put("passengers", []), "V2-REQUESTS-REQUIRED", "/passengers"),
    (put("passengers.adults", "two"), "V2-REQUESTS-REQUIRED", "/passengers/adults"),
    (put("flights", [1, 2, 3, 4]), "V2-REQUESTS-FLIGHTS", "/flights"),
]
BOOKED_V2 = [
    *[
        (drop(name), "V2-BOOKINGS-REQUIRED", f"/{name}")
        for name in ("requests", "first_name", "phonenumber", "passengers", "luggage")
    ],
    (drop("passengers[0].is_infant"), "V2-BOOKINGS-REQUIRED", "/passengers/0/is_infant"),
    (drop("passengers[0].date_of_birth"), "V2-BOOKINGS-REQUIRED", "/passengers/0/date_of_birth"),
    (drop("customer_code"), "V2-BOOKINGS-CUSTOMER", ""),
    (put("customer_data", {**CUSTOMER, "email": 1}), "V2-BOOKINGS-CUSTOMER", "/customer_data/email"),
    (put("luggage.77", []), "V2-LUGGAGE", "/luggage"),
    (put("luggage", {}), "V2-LUGGAGE", "/luggage"),
    *[
        (drop(f"{LUGGAGE}.{name}"), "V2-LUGGAGE", f"/luggage/{REQUEST}/0/{name}")
        for name in ("weight", "price", "quantity")
    ],
    (put(f"{LUGGAGE}.quantity", 2), "V2-LUGGAGE", f"/luggage/{REQUEST}/0/quantity"),
    (put("passengers", []), "V2-BOOKINGS-REQUIRED", "/passengers"),
    (put("card_token", "tok_123"), "V2-CARD-TOKEN", "/card_token"),
    (put("card_token", 1), "V2-CARD-TOKEN", "/card_token"),
]
VERIFIED = [
    (drop("flight_id"), "V3-VERIFY-REQUEST", "/flight_id"),
    (drop("passengers.adults"), "V3-VERIFY-REQUEST", "/passengers/adults"),
    (drop("customer_code"), "V3-VERIFY-REQUEST", "/customer_code"),
    (put("passengers.infants", 2), "V3-VERIFY-INFANTS", "/passengers/infants"),
]


def below(pointer: str) -> str:
    return pointer if pointer.startswith("/") or not pointer else f"/three_d_secure/{pointer}"


CASES = [
    *[("createRequests", change, rule, pointer) for change, rule, pointer in REQUESTED],
    *[("createBookings", change, rule, pointer) for change, rule, pointer in BOOKED],
    *[
        (operation, change, rule, below(pointer))
        for operation in ("createBookings", "createBookingsV2")
        for change, rule, pointer in BOTH_BOOKED
    ],
    *[("createRequestsV2", change, rule, pointer) for change, rule, pointer in REQUESTED_V2],
    *[("createBookingsV2", change, rule, pointer) for change, rule, pointer in BOOKED_V2],
    *[("verifyFlight", change, rule, pointer) for change, rule, pointer in VERIFIED],
]
VERIFICATION = ("request", "V3-VERIFY-DEPRECATED", "path")


@pytest.mark.parametrize(
    ("operation", "change", "rule", "pointer"),
    CASES,
    ids=[f"{operation}-{rule}-{index}" for index, (operation, _, rule, _) in enumerate(CASES)],
)
def test_wrong_request_has_one_finding(found: Finder, operation: str, change: Change, rule: str, pointer: str) -> None:
    places = found(rejected(exchange(operation, sent=changed(SENT[operation], change))))
    assert [place for place in places if place != VERIFICATION] == [("request", rule, pointer)]


@pytest.mark.parametrize(
    ("operation", "change"),
    [
        ("createRequests", put(f"{BAG}.checked[0].quantity", 0)),
        ("createRequests", put(BAG, {"checked": [], "cabin": []})),
        ("createRequests", put(BAG, {})),
        ("createRequests", drop(f"{BAG}.cabin[0].weight")),
        ("createRequests", drop(f"{BAG}.cabin[0].dimensions")),
        ("createRequests", put(f"{BAG}.checked[0].price", 35.5)),
        ("createRequests", put("passengers[0].passport_number", "XDA123456")),
        ("createRequests", put("passengers[0].date_of_birth", "10/12/1990")),
        ("createBookings", put("self_psp", value=False)),
        ("createBookings", put("three_d_secure", THREE_D)),
        ("createBookings", put("three_d_secure", THREE_D | {"transaction_id": True})),
        ("createBookings", drop("external_id")),
        ("createRequestsV2", drop("customer_code")),
        ("createRequestsV2", put("passengers", {})),
        ("createRequestsV2", put("flights", ["812345"])),
        ("createBookingsV2", put("customer_data", CUSTOMER | {"is_company": True, "vat_number": "ES1"})),
        ("createBookingsV2", put("requests", [str(REQUEST)])),
        ("createBookingsV2", put(f"luggage.{REQUEST}", [])),
    ],
)
def test_allowed_request_has_no_findings(found: Finder, operation: str, change: Change) -> None:
    assert found(rejected(exchange(operation, sent=changed(SENT[operation], change)))) == []


def test_booking_on_deposit_without_payment_method(found: Finder) -> None:
    sent = changed(SENT["createBookings"], drop("payment_method"), put("self_psp", value=True))
    assert found(exchange("createBookings", sent=sent)) == []


def test_customer_data_instead_of_customer_code(found: Finder) -> None:
    sent = changed(SENT["createBookingsV2"], drop("customer_code"), put("customer_data", CUSTOMER))
    assert found(exchange("createBookingsV2", sent=sent)) == []


def test_bags_of_two_flights(found: Finder) -> None:
    sent = changed(SENT["createRequests"], put("flight_ids", [FLIGHT, BACK]))
    assert found(rejected(exchange("createRequests", sent=sent))) == [("request", "V3-BAGS-KEYS", "/bags")]
    both = changed(sent, put(f"bags.{BACK}", {"checked": [], "cabin": []}))
    assert found(rejected(exchange("createRequests", sent=both))) == []


def test_bags_of_several_options_exceed_the_passengers(whole_contract: Contract) -> None:
    sent = changed(SENT["createRequests"], put(f"{BAG}.checked[1].quantity", 1))
    (finding,) = whole_contract.judge(exchange("createRequests", sent=sent))
    assert (finding.rule, finding.side, finding.soft) == ("V3-BAGS-QUANTITY", "request", True)


# The query


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("destination=PMI", [("V23-FLIGHTS-REQUIRED", "query:origin")]),
        ("origin=MAD", [("V23-FLIGHTS-REQUIRED", "query:destination")]),
        ("origin=Madrid&destination=PMI", [("V23-FLIGHTS-REQUIRED", "query:origin")]),
        ("origin=MAD&destination=PMI&seats=2", []),
        ("origin=MAD&destination=PMI&seats=many", [("V23-FLIGHTS-PARAMETERS", "query:seats")]),
        ("origin=MAD&destination=PMI&seats=2.5", [("V23-FLIGHTS-PARAMETERS", "query:seats")]),
        ("origin=MAD&destination=PMI&start=tomorrow", [("V23-FLIGHTS-PARAMETERS", "query:start")]),
        ("origin=MAD&destination=PMI&start=2026-12-01&end=14/03/2027", [("V23-FLIGHTS-PARAMETERS", "query:end")]),
        ("origin=MAD&destination=PMI&start=2026-9-1&end=2026-12-04", [("V23-FLIGHTS-PARAMETERS", "query:start")]),
        ("origin=MAD&destination=PMI&start=&end=2026-12-04", [("V23-FLIGHTS-PARAMETERS", "query:start")]),
        ("origin=MAD&destination=PMI&start=2026-12-01&end=2026-12-04", []),
        ("origin=MAD&destination=PMI&start=2026-12-01&end=2026-12-05", [("V23-FLIGHTS-WINDOW", "query:end")]),
        ("origin=MAD&destination=PMI&start=2026-12-01&end=2026-11-30", [("V23-FLIGHTS-WINDOW", "query:end")]),
        ("origin=MAD&destination=PMI&start=9999-12-31&end=9999-12-31", []),
        ("origin=MAD&destination=PMI&end=2026-11-06", []),
        ("origin=MAD&destination=PMI&end=2026-11-07", [("V23-FLIGHTS-WINDOW", "query:end")]),
        ("origin=MAD&destination=PMI&end=2026-10-30", [("V23-FLIGHTS-WINDOW", "query:end")]),
        ("origin=MAD&destination=PMI&end=2027-01-01&next_page_id=c", []),
        ("origin=MAD&destination=PMI&colour=1", [("V23-UNKNOWN-FIELDS", "query:colour")]),
        ("origin=MAD&destination=PMI&x=4242424242424242", []),
    ],
)
@pytest.mark.parametrize("operation", ["searchFlights", "searchFlightsV2"])
def test_search_query(whole_contract: Contract, operation: str, query: str, expected: list[tuple[str, str]]) -> None:
    findings = whole_contract.judge(rejected(queried(operation, query)))
    rules = [(finding.rule, finding.pointer) for finding in findings if finding.rule != "V23-CARD-DATA"]
    assert rules == expected
    assert any(finding.rule == "V23-CARD-DATA" for finding in findings) is ("4242" in query)


def test_finding_shows_a_number_in_a_query_as_sent(whole_contract: Contract) -> None:
    (finding,) = whole_contract.judge(rejected(queried("searchFlights", "origin=MAD&destination=PMI&seats=many")))
    assert finding.message == 'the parameter seats is "many", not a whole number'


def test_service_may_accept_an_empty_parameter(found: Finder) -> None:
    assert found(queried("searchFlights", f"{WINDOW}&seats=")) == [("request", "V23-FLIGHTS-PARAMETERS", "query:seats")]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("origin=MAD", [("V3-ROUND-TRIPS-REQUIRED", "query:destination")]),
        (f"{WINDOW}&returnStart=2026-12-08&returnEnd=2026-12-12", [("V3-ROUND-TRIPS-WINDOW", "query:returnEnd")]),
        (f"{WINDOW}&returnStart=2026-12-08&returnEnd=2026-12-07", [("V3-ROUND-TRIPS-WINDOW", "query:returnEnd")]),
        (f"{WINDOW}&returnEnd=2027-12-07", []),
        (f"{WINDOW}&returnStart=2026-12-08", []),
        ("origin=MAD&destination=PMI&end=2027-01-01", []),
        (
            "origin=MAD&destination=PMI&start=2026-12-01&end=2026-12-08",
            [("V3-ROUND-TRIPS-WINDOW", "query:end")],
        ),
        (f"{WINDOW}&seats=x", [("V23-FLIGHTS-PARAMETERS", "query:seats")]),
    ],
)
def test_round_trip_search_query(found: Finder, query: str, expected: list[tuple[str, str]]) -> None:
    assert [place[1:] for place in found(rejected(queried("searchRoundTrips", query)))] == expected


@pytest.mark.parametrize("operation", ["getBookings", "getBookingsV2"])
def test_get_bookings_without_a_reference(found: Finder, operation: str) -> None:
    assert found(rejected(queried(operation, ""))) == [("request", "V23-LOOK-UP", "query:cp_reference")]
    assert found(queried(operation, "")) == [
        ("request", "V23-LOOK-UP", "query:cp_reference"),
        ("response", "V23-LOOK-UP", "status"),
    ]


@pytest.mark.parametrize(
    ("operation", "rule"),
    [("searchFlights", None), ("getBookings", None), ("searchFlightsV2", "V23-CURRENT-REVISION")],
)
def test_customer_code_in_a_query(found: Finder, operation: str, rule: str | None) -> None:
    query = f"{WINDOW}&customerCode=A" if "search" in operation else "cp_reference=CPAB12&customerCode=A"
    assert found(queried(operation, query)) == ([("request", rule, "query:customerCode")] if rule else [])


# Headers and bodies


@pytest.mark.parametrize(
    ("header", "value", "rule"),
    [
        ("Authorization", None, "V23-AUTH-KEY-SENT"),
        ("Authorization", "Bearer", "V23-AUTH-KEY-SENT"),
        ("Authorization", "Bearer  ", "V23-AUTH-KEY-SENT"),
        ("Authorization", "test-token", None),
        ("Authorization", "Bearer test-token", None),
        ("Content-Type", "application/x-www-form-urlencoded", "V23-CONTENT-TYPE"),
        ("Content-Type", None, "V23-CONTENT-TYPE"),
        ("Accept", "text/html", "V23-ACCEPT"),
    ],
)
@pytest.mark.parametrize("operation", ["createRequests", "createBookingsV2"])
def test_request_headers(found: Finder, operation: str, header: str, value: str | None, rule: str | None) -> None:
    headers = tuple(pair for pair in HEADERS if pair[0] != header) + (((header, value),) if value is not None else ())
    places = found(rejected(exchange(operation, headers=headers)))
    assert places == ([("request", rule, f"header:{header}")] if rule else [])


def test_cancellation_with_and_without_a_body(found: Finder) -> None:
    assert found(exchange("cancelRequest", headers=HEADERS[:2])) == []
    assert found(exchange("cancelRequest", sent={"any": "thing"})) == []


@pytest.mark.parametrize("operation", [name for name in POSTS if name != "verifyFlight"])
@pytest.mark.parametrize("body", [b"[]", b"null", b'{"flights":', b"  "])
def test_request_body_is_not_an_object(found: Finder, operation: str, body: bytes) -> None:
    rule = {
        "createRequests": "V3-REQUESTS-REQUIRED",
        "createBookings": "V3-BOOKINGS-REQUIRED",
        "createRequestsV2": "V2-REQUESTS-REQUIRED",
        "createBookingsV2": "V2-BOOKINGS-REQUIRED",
    }[operation]
    assert found(rejected(exchange(operation, sent=body))) == [("request", rule, "")]


def test_card_number_in_an_address(found: Finder) -> None:
    sent = changed(SENT["createBookings"], put("address", "card 4242424242424242"))
    assert found(rejected(exchange("createBookings", sent=sent))) == [("request", "V23-CARD-DATA", "/address")]


def test_service_accepts_a_wrong_request(found: Finder) -> None:
    sent = changed(SENT["createRequests"], put(f"{BAG}.cabin[0].quantity", 5))
    assert found(exchange("createRequests", sent=sent))[1:] == [("response", "V3-BAGS-QUANTITY", "status")]
    sent = changed(SENT["createRequestsV2"], put("flights", [FLIGHT, 1, 2, 3]))
    assert ("response", "V2-REQUESTS-FLIGHTS", "status") in found(exchange("createRequestsV2", sent=sent, status=201))


def test_server_error_for_a_wrong_request(found: Finder) -> None:
    sent = changed(SENT["createRequests"], put("flight_ids", "first"))
    assert found(exchange("createRequests", sent=sent, status=500, returned=b"oops")) == [
        ("request", "V3-REQUESTS-REQUIRED", "/flight_ids"),
        ("response", "V23-NO-SERVER-FAULT", "status"),
    ]


# Deprecated operations and members


@pytest.mark.parametrize(
    ("day", "soft"), [(datetime(2026, 9, 24, 23, 59, tzinfo=UTC), True), (datetime(2026, 9, 25, tzinfo=UTC), False)]
)
def test_verify_flight_is_deprecated(whole_contract: Contract, day: datetime, soft: bool) -> None:
    made = replace(exchange("verifyFlight", returned={"anything": 1}), started=day)
    findings = whole_contract.judge(made, Conversation())
    assert [(each.kind, each.rule, each.side, each.soft) for each in findings if each.side == "request"] == [
        ("deprecated", "V3-VERIFY-DEPRECATED", "request", soft)
    ]
    assert any(each.side == "response" for each in findings) is soft


def test_card_token_is_not_to_be_used(whole_contract: Contract) -> None:
    sent = changed(SENT["createBookingsV2"], put("card_token", "tok_123"), drop("payment_method"))
    (finding,) = whole_contract.judge(exchange("createBookingsV2", sent=sent))
    assert (finding.kind, finding.rule, finding.side, finding.soft) == ("violation", "V2-CARD-TOKEN", "request", False)
    assert "tok_123" not in repr(finding)


def test_examples_contain_the_documented_members() -> None:
    assert PASSENGER.keys() <= SENT["createRequests"]["passengers"][0].keys()
    assert CABIN["dimensions"] == SENT["createRequests"]["bags"][str(FLIGHT)]["cabin"][0]["dimensions"]
