"""Responses of v2 and v3 with one defect have one finding."""

from dataclasses import replace

import pytest

from airworthy.contract import Contract, Conversation, Response, ServiceAddress
from unit.contract.examples import JSON, Change, Finder, changed, drop, put, rejected
from unit.contract.v3.v3_examples import (
    BACK,
    BAGS,
    CHANGE,
    FLIGHT,
    HEADERS,
    NO_BAGS,
    OPERATIONS,
    POSTS,
    REFERENCE,
    RETURNED,
    SENT,
    WINDOW,
    exchange,
    flight,
    leaving,
    queried,
    segment,
    times,
    unmoved,
)

FOUND_IN_V3 = RETURNED["searchFlights"]["results"][0]
FOUND = "results[0]"
HELD = "requests[0]"
MADE = "bookings[0]"
NEW = "bookings[0].flight_changes[0].data.newFlight"
NEW_AT = "/bookings/0/flight_changes/0/data/newFlight"
NO_TIMES: list[object] = ["2026-12-02", "2026-12-02T10:00:00", "2026-02-30 10:00:00", "2026-12-02 25:00:00", None]

SEARCHED: list[tuple[Change, str, str]] = [
    (drop("results"), "V23-FLIGHTS-ANSWER", "/results"),
    (drop("next_page_id"), "V23-FLIGHTS-ANSWER", "/next_page_id"),
    (put("next_page_id", 2), "V23-FLIGHTS-ANSWER", "/next_page_id"),
    *[
        (drop(f"{FOUND}.{name}"), "V23-FLIGHT-FIELDS", f"/results/0/{name}")
        for name in ("id", "need_apis", "cabin_class", "available_seats", "price", "infant_price", "cc_fee", "segments")
    ],
    (put(f"{FOUND}.id", "812345"), "V23-FLIGHT-FIELDS", "/results/0/id"),
    (put(f"{FOUND}.infant_price", "10"), "V23-FLIGHT-INFANT-PRICE", "/results/0/infant_price"),
    *[(put(f"{FOUND}.departure_date", value), "V23-FLIGHT-TIMES", "/results/0/departure_date") for value in NO_TIMES],
    (put(f"{FOUND}.duration", "80"), "V23-FLIGHT-TIMES", "/results/0/duration"),
    (put(f"{FOUND}.origin.iata_code", "MADR"), "V23-FLIGHT-PLACES", "/results/0/origin/iata_code"),
    (drop(f"{FOUND}.destination.timezone"), "V23-FLIGHT-PLACES", "/results/0/destination/timezone"),
    (put(f"{FOUND}.segments", []), "V23-FLIGHT-SEGMENTS", "/results/0/segments"),
    (put(f"{FOUND}.segments", [segment()] * 4), "V23-FLIGHT-SEGMENTS", "/results/0/segments"),
    (drop(f"{FOUND}.segments[0].duration"), "V23-FLIGHT-SEGMENTS", "/results/0/segments/0/duration"),
    (
        put(f"{FOUND}.segments[0].marketing_carrier_flight_number", "3912"),
        "V23-FLIGHT-SEGMENTS",
        "/results/0/segments/0/marketing_carrier_flight_number",
    ),
    (
        put(f"{FOUND}.segments[0].operating_carrier.iata_code", "IBE"),
        "V23-FLIGHT-SEGMENTS",
        "/results/0/segments/0/operating_carrier/iata_code",
    ),
    (leaving(FOUND, "2026-12-04 10:00:00"), "V23-FLIGHTS-WINDOW", "/results/0/departure_date"),
    (leaving(FOUND, "2026-11-30 23:59:59"), "V23-FLIGHTS-WINDOW", "/results/0/departure_date"),
]
MADE_OR_FOUND: list[tuple[Change, str, str]] = [
    *[
        (drop(f"{MADE}.{name}"), "V23-BOOKING-FIELDS", f"/bookings/0/{name}")
        for name in ("id", "request_id", "cp_reference", "pnr_airline", "passengers", "total_price", "flight")
    ],
    (put(f"{MADE}.id", "9001"), "V23-BOOKING-FIELDS", "/bookings/0/id"),
    (put(f"{MADE}.status", "BOOKED"), "V23-BOOKING-STATUS", "/bookings/0/status"),
    (drop(f"{MADE}.passengers[0].confirmed_at"), "V23-PASSENGER-RECORD", "/bookings/0/passengers/0/confirmed_at"),
    (put(f"{MADE}.passengers[0].is_infant", 0), "V23-PASSENGER-RECORD", "/bookings/0/passengers/0/is_infant"),
    (put(f"{MADE}.passengers[0].booking_id", 5), "V23-PASSENGER-RECORD", "/bookings/0/passengers/0/booking_id"),
    (put(f"{MADE}.external_id", 5), "V23-EXTERNAL-ID", "/bookings/0/external_id"),
    (put(f"{MADE}.infant_count", 1), "V23-BOOKING-FIELDS", "/bookings/0/infant_count"),
]
RETRIEVED: list[tuple[Change, str, str]] = [
    (drop("bookings"), "V23-LOOK-UP", "/bookings"),
    (put(f"{MADE}.cp_reference", "CPXX99"), "V23-LOOK-UP", "/bookings/0/cp_reference"),
    (put(f"{MADE}.type", "there"), "V23-LOOK-UP", "/bookings/0/type"),
    (drop(f"{MADE}.final_flight"), "V23-FLIGHT-CHANGES", "/bookings/0/final_flight"),
    (drop(f"{MADE}.flight_changes"), "V23-FLIGHT-CHANGES", "/bookings/0/flight_changes"),
    (put(f"{MADE}.flight_changes[0].status", "NEW"), "V23-FLIGHT-CHANGES", "/bookings/0/flight_changes/0/status"),
    (
        put(f"{NEW}.segment_1_departure_date", "2026-12-02T10:00:00"),
        "V23-FLIGHT-CHANGES",
        f"{NEW_AT}/segment_1_departure_date",
    ),
    (put(f"{NEW}.segment_2_airline_iata_code", "IBE"), "V23-FLIGHT-CHANGES", f"{NEW_AT}/segment_2_airline_iata_code"),
    (put(f"{NEW}.segment_3_flight_number", "3912X"), "V23-FLIGHT-CHANGES", f"{NEW_AT}/segment_3_flight_number"),
    (put(f"{NEW}.segment_1_origin_airport", "Madrid"), "V23-FLIGHT-CHANGES", f"{NEW_AT}/segment_1_origin_airport"),
    (put(f"{NEW}.segment_4_origin_airport", "MAD"), "V23-FLIGHT-CHANGES", f"{NEW_AT}/segment_4_origin_airport"),
    (put(f"{NEW}.flight_number", "IB1"), "V23-FLIGHT-CHANGES", f"{NEW_AT}/flight_number"),
    (drop(f"{NEW}.segment_1_origin_airport"), "V23-FLIGHT-CHANGES", f"{NEW_AT}/segment_1_origin_airport"),
    (put(f"{NEW}.segment_2_airline_name", "X"), "V23-FLIGHT-CHANGES", f"{NEW_AT}/segment_2_airline_iata_code"),
    (put(f"{NEW}.need_apis", "yes"), "V23-FLIGHT-CHANGES", f"{NEW_AT}/need_apis"),
]
SHAPES: list[tuple[str, Change, str, str]] = [
    *[(name, *each) for name in ("searchFlights", "searchFlightsV2") for each in SEARCHED],
    ("searchFlights", drop(f"{FOUND}.bags"), "V3-FLIGHT-BAGS", "/results/0/bags"),
    (
        "searchFlights",
        drop(f"{FOUND}.bags.checked[0].weight"),
        "V3-FLIGHT-BAGS",
        "/results/0/bags/checked/0/weight",
    ),
    (
        "searchFlights",
        drop(f"{FOUND}.bags.cabin[0].dimensions.length"),
        "V3-FLIGHT-BAGS",
        "/results/0/bags/cabin/0/dimensions/length",
    ),
    ("searchFlights", put(f"{FOUND}.available_seats", 1), "V23-FLIGHTS-SEATS", "/results/0/available_seats"),
    ("searchFlightsV2", drop(f"{FOUND}.luggage_options"), "V2-FLIGHT-LUGGAGE", "/results/0/luggage_options"),
    (
        "searchFlightsV2",
        drop(f"{FOUND}.luggage_options[0].price"),
        "V2-FLIGHT-LUGGAGE",
        "/results/0/luggage_options/0/price",
    ),
    ("searchRoundTrips", drop("fares"), "V3-ROUND-TRIPS-ANSWER", "/fares"),
    ("searchRoundTrips", drop("flights"), "V3-ROUND-TRIPS-ANSWER", "/flights"),
    ("searchRoundTrips", drop("fares[0].return_id"), "V3-ROUND-TRIP-FARE", "/fares/0/return_id"),
    ("searchRoundTrips", put("fares[0].checked_bags_prices", 60), "V3-ROUND-TRIP-FARE", "/fares/0/checked_bags_prices"),
    (
        "searchRoundTrips",
        leaving("flights[0]", "2026-12-05 10:00:00"),
        "V3-ROUND-TRIPS-WINDOW",
        "/flights/0/departure_date",
    ),
    (
        "searchRoundTrips",
        leaving("flights[1]", "2026-12-12 10:00:00"),
        "V3-ROUND-TRIPS-WINDOW",
        "/flights/1/departure_date",
    ),
    ("verifyFlight", drop("total_price"), "V3-VERIFY-ANSWER", "/total_price"),
    ("verifyFlight", put("currency", "USD"), "V3-VERIFY-ANSWER", "/currency"),
    ("verifyFlight", put("infant_price", 10), "V3-VERIFY-ANSWER", "/infant_price"),
    ("createRequests", drop("requests"), "V3-REQUESTS-ANSWER", "/requests"),
    ("createRequests", put("requests", []), "V3-REQUESTS-ANSWER", "/requests"),
    ("createRequests", drop(f"{HELD}.customer"), "V3-REQUESTS-ANSWER", "/requests/0/customer"),
    ("createRequests", drop(f"{HELD}.customer.verified"), "V3-REQUESTS-ANSWER", "/requests/0/customer/verified"),
    ("createRequests", put(f"{HELD}.created_at", "yesterday"), "V3-REQUESTS-ANSWER", "/requests/0/created_at"),
    ("createRequests", put(f"{HELD}.flight.id", BACK), "V3-REQUESTS-ANSWER", "/requests/0/flight/id"),
    ("createRequests", drop(f"{HELD}.bags_fee"), "V3-REQUESTS-BAGS-FEE", "/requests/0/bags_fee"),
    ("createRequests", put(f"{HELD}.bags_fee.checked", 0), "V3-REQUESTS-BAGS-FEE", "/requests/0/bags_fee/checked"),
    ("createRequests", drop(f"{HELD}.bags_fee.cabin"), "V3-REQUESTS-BAGS-FEE", "/requests/0/bags_fee/cabin"),
    ("createBookingsV2", put(f"{MADE}.luggage_fee", 0), "V2-BOOKING-LUGGAGE", "/bookings/0/luggage_fee"),
    ("createRequests", put(f"{HELD}.passengers.adults", 2), "V3-REQUESTS-COUNT", "/requests/0/passengers"),
    ("createRequestsV2", put("requests", []), "V2-REQUESTS-ANSWER", "/requests"),
    ("createRequestsV2", drop(f"{HELD}.passengers.infants"), "V2-REQUESTS-ANSWER", "/requests/0/passengers/infants"),
    ("createRequestsV2", put(f"{HELD}.passengers.adults", 2), "V2-REQUESTS-ANSWER", "/requests/0/passengers/adults"),
    ("createRequestsV2", put(f"{HELD}.flight.id", BACK), "V2-REQUESTS-ANSWER", "/requests/0/flight/id"),
    (
        "createRequestsV2",
        drop(f"{HELD}.flight.luggage_options"),
        "V2-FLIGHT-LUGGAGE",
        "/requests/0/flight/luggage_options",
    ),
    ("cancelRequest", put("success", "yes"), "V3-CANCEL", "/success"),
    ("cancelRequest", drop("success"), "V3-CANCEL", "/success"),
    *[
        (name, *each)
        for name in ("createBookings", "createBookingsV2", "getBookings", "getBookingsV2")
        for each in MADE_OR_FOUND
    ],
    *[
        (name, change, rule, pointer)
        for name in ("createBookings", "createBookingsV2")
        for change, rule, pointer in (
            (drop("bookings"), "V23-BOOKINGS-BOOK", "/bookings"),
            (put("bookings", []), "V23-BOOKINGS-BOOK", "/bookings"),
            (put(f"{MADE}.request_id", 1), "V23-BOOKINGS-BOOK", "/bookings/0/request_id"),
            (put(f"{MADE}.external_id", "other"), "V23-EXTERNAL-ID", "/bookings/0/external_id"),
            (put(f"{MADE}.external_id", None), "V23-EXTERNAL-ID", "/bookings/0/external_id"),
            (drop(f"{MADE}.external_id"), "V23-EXTERNAL-ID", "/bookings/0/external_id"),
            (put(f"{MADE}.pnr_airline", "XY98ZK"), "V23-LOCATOR", "/bookings/0/pnr_airline"),
        )
    ],
    *[(name, *each) for name in ("getBookings", "getBookingsV2") for each in RETRIEVED],
    ("createBookings", drop(f"{MADE}.bags_fee"), "V23-BOOKING-FIELDS", "/bookings/0/bags_fee"),
    ("createBookingsV2", drop(f"{MADE}.luggage_fee"), "V2-BOOKING-LUGGAGE", "/bookings/0/luggage_fee"),
    ("getBookings", put("bookings", [RETURNED["getBookings"]["bookings"][0]] * 3), "V23-LOOK-UP", "/bookings"),
]


@pytest.mark.parametrize(
    ("operation", "change", "rule", "pointer"), SHAPES, ids=[f"{one[0]}-{one[2]}-{at}" for at, one in enumerate(SHAPES)]
)
def test_wrong_response_has_one_finding(found: Finder, operation: str, change: Change, rule: str, pointer: str) -> None:
    places = found(exchange(operation, returned=changed(RETURNED[operation], change)))
    assert [place for place in places if place[0] == "response"] == [("response", rule, pointer)]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_conforming_response_has_no_findings(found: Finder, operation: str) -> None:
    assert [place for place in found(exchange(operation)) if place[0] == "response"] == []


# Searches


@pytest.mark.parametrize("operation", ["searchFlights", "searchFlightsV2"])
@pytest.mark.parametrize(("count", "broken"), [(100, False), (101, True)])
def test_page_has_more_than_100_results(found: Finder, operation: str, count: int, broken: bool) -> None:
    returned = {"results": RETURNED[operation]["results"] * count, "next_page_id": "more"}
    expected = [("response", "V23-FLIGHTS-PAGE", "/results")]
    assert found(exchange(operation, returned=returned)) == (expected if broken else [])


@pytest.mark.parametrize(
    ("query", "day", "broken"),
    [
        ("start=2026-12-01&end=2026-12-01", "2026-12-01", False),
        ("start=2026-12-01&end=2026-12-01", "2026-12-02", True),
        ("start=2026-12-01", "2026-12-04", False),
        ("start=2026-12-01", "2026-12-05", True),
        ("start=2026-12-01&end=2026-12-09", "2026-12-04", False),
        ("start=2026-12-01&end=2026-12-09", "2026-12-05", True),
        ("start=2026-12-01&end=2026-11-01", "2026-12-01", False),
        ("start=2026-12-01&end=2026-11-01", "2026-11-20", True),
        ("", "2026-11-01", False),
        ("", "2026-11-06", False),
        ("", "2026-11-07", True),
        ("", "2026-10-31", True),
        ("end=2026-11-03", "2026-11-03", False),
        ("end=2026-11-03", "2026-11-04", True),
        ("start=soon", "2030-01-01", False),
        ("start=2026-12-01&end=later", "2030-01-01", False),
        ("next_page_id=c", "2030-01-01", False),
        ("start=2026-12-01&next_page_id=c", "2030-01-01", False),
    ],
)
@pytest.mark.parametrize("operation", ["searchFlights", "searchFlightsV2"])
def test_flight_departs_outside_the_requested_window(
    found: Finder, operation: str, query: str, day: str, broken: bool
) -> None:
    returned = changed(RETURNED[operation], leaving(FOUND, f"{day} 10:00:00"))
    places = found(queried(operation, f"origin=MAD&destination=PMI&{query}", returned=returned))
    expected = [("response", "V23-FLIGHTS-WINDOW", "/results/0/departure_date")]
    assert [place for place in places if place[2] == "/results/0/departure_date"] == (expected if broken else [])


@pytest.mark.parametrize(("seats", "broken"), [("9", False), ("10", True), ("x", False), ("0", False), ("", False)])
def test_flight_has_too_few_seats(found: Finder, seats: str, broken: bool) -> None:
    places = found(queried("searchFlightsV2", f"{WINDOW}&seats={seats}"))
    assert (("response", "V23-FLIGHTS-SEATS", "/results/0/available_seats") in places) is broken


@pytest.mark.parametrize(
    ("seats", "shown", "softness"),
    [
        ("90", [9, 9], {True}),
        ("90", [9, 8], {False}),
        ("90", [40, 40], {False}),
        ("8", [7, 7], {False}),
        ("90", [9], {False}),
    ],
)
def test_service_may_count_no_further_than_nine_seats(
    whole_contract: Contract, seats: str, shown: list[int], softness: set[bool]
) -> None:
    flights = [FOUND_IN_V3 | {"id": 1 + index, "available_seats": number} for index, number in enumerate(shown)]
    made = queried("searchFlights", f"{WINDOW}&seats={seats}", returned={"results": flights, "next_page_id": None})
    found = [finding for finding in whole_contract.judge(made) if finding.rule == "V23-FLIGHTS-SEATS"]
    assert {finding.soft for finding in found} == softness


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (put("destination.iata_code", "ORK"), [("V23-FLIGHT-FIELDS", "/results/0/destination", False)]),
        (put("arrival_date", "2026-12-02 12:20:00"), [("V23-FLIGHT-FIELDS", "/results/0/arrival_date", True)]),
        (put("price", 700), []),
    ],
)
def test_id_is_of_one_flight(whole_contract: Contract, change: Change, expected: list[tuple[str, str, bool]]) -> None:
    conversation = Conversation()
    assert whole_contract.judge(exchange("searchFlights"), conversation) == []
    again = exchange("searchFlights", returned={"results": [changed(FOUND_IN_V3, change)], "next_page_id": None})
    found = whole_contract.judge(again, conversation)
    assert [(each.rule, each.pointer, each.soft) for each in found if each.rule == "V23-FLIGHT-FIELDS"] == expected


@pytest.mark.parametrize(("query", "warns"), [("origin=MAD", []), ("origin=mad", []), ("origin=BCN", ["origin"])])
def test_search_returns_another_route(whole_contract: Contract, query: str, warns: list[str]) -> None:
    made = queried("searchFlights", f"{query}&destination=PMI&start=2026-12-01")
    found = [(finding.rule, finding.pointer, finding.soft) for finding in whole_contract.judge(made)]
    assert found == [("V23-FLIGHTS-ROUTE", f"/results/0/{name}/iata_code", True) for name in warns]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("origin=MAD&destination=PMI", []),
        ("origin=mad&destination=pmi", []),
        ("origin=BCN&destination=PMI", [("/flights/0/origin", True), ("/flights/1/destination", True)]),
        # The same defect of the return flight is counted in the message of the first.
        ("origin=PMI&destination=MAD", [("/flights/0/origin", False), ("/flights/0/destination", False)]),
        ("origin=PMI&destination=MAD&next_page_id=c", []),
    ],
)
def test_fare_flies_another_route(whole_contract: Contract, query: str, expected: list[tuple[str, bool]]) -> None:
    found = whole_contract.judge(queried("searchRoundTrips", query))
    shown = [(each.rule, each.pointer, each.soft) for each in found if each.side == "response"]
    assert shown == [("V3-ROUND-TRIPS-ROUTE", f"{place}/iata_code", soft) for place, soft in expected]


def test_default_windows_of_round_trips_are_open(found: Finder) -> None:
    query = "origin=MAD&destination=PMI"
    for more in ("", "&start=2026-12-01", "&returnStart=2026-12-01", "&start=2026-11-01&end=2026-11-02&next_page_id=c"):
        assert found(queried("searchRoundTrips", query + more)) == []


def test_flight_without_a_fare_is_not_compared(found: Finder) -> None:
    returned = changed(RETURNED["searchRoundTrips"], put("flights[0].id", 5), put("fares[0].outward_id", 6))
    late = changed(returned, leaving("flights[0]", "2027-01-01 10:00:00"))
    assert found(exchange("searchRoundTrips", returned=late)) == []


# Requests and bookings


def test_booking_request_for_two_flights_returns_one(found: Finder) -> None:
    sent = changed(SENT["createRequests"], put("flight_ids", [FLIGHT, BACK]), put(f"bags.{BACK}", NO_BAGS))
    assert found(exchange("createRequests", sent=sent)) == [("response", "V3-REQUESTS-ANSWER", "/requests")]
    held = RETURNED["createRequests"]["requests"][0]
    both = {"requests": [held, changed(held, put("id", 4712), put("flight.id", BACK))]}
    assert found(exchange("createRequests", sent=sent, returned=both)) == []


@pytest.mark.parametrize(("operation", "rule"), [("createRequests", "V3"), ("createRequestsV2", "V2")])
def test_booking_request_has_another_customer(found: Finder, operation: str, rule: str) -> None:
    other = changed(RETURNED[operation], put(f"{HELD}.customer_code", "AGENCY2"))
    expected = [("response", f"{rule}-REQUESTS-ANSWER", "/requests/0/customer_code")]
    assert found(exchange(operation, returned=other)) == expected
    own = [put(f"{HELD}.customer_code", "Agency1"), put(f"{HELD}.customer.company_codes", ["AGENCY1", "AGENCY2"])]
    assert found(exchange(operation, returned=changed(RETURNED[operation], own[0]))) == []
    assert found(exchange(operation, returned=changed(other, own[1]))) == []


@pytest.mark.parametrize("name", ["customer_code", "customer"])
def test_v2_booking_request_lacks_its_customer(found: Finder, name: str) -> None:
    for change in (put(f"{HELD}.{name}", None), drop(f"{HELD}.{name}")):
        returned = changed(RETURNED["createRequestsV2"], change)
        nameless = changed(SENT["createRequestsV2"], drop("customer_code"))
        expected = [("response", "V2-REQUESTS-ANSWER", f"/requests/0/{name}")]
        assert found(exchange("createRequestsV2", returned=returned)) == expected
        assert found(exchange("createRequestsV2", sent=nameless, returned=returned)) == []


def test_passenger_record_has_another_booking_id(found: Finder) -> None:
    made = RETURNED["getBookings"]["bookings"][0]
    records = [made["passengers"][0], made["passengers"][0] | {"id": 2}]
    expected = [("response", "V23-PASSENGER-RECORD", "/bookings/0/id")]
    assert found(exchange("getBookings", returned={"bookings": [made | {"passengers": records, "id": 5}]})) == expected
    records[1]["booking_id"] = 5
    expected = [("response", "V23-PASSENGER-RECORD", "/bookings/0/passengers/1/booking_id")]
    assert found(exchange("getBookings", returned={"bookings": [made | {"passengers": records}]})) == expected


def test_canceled_infant_may_not_count(found: Finder) -> None:
    changes = [put(f"{MADE}.passengers[0].is_infant", True), put(f"{MADE}.passengers[0].canceled", True)]
    returned = changed(RETURNED["getBookings"], *changes)
    assert found(exchange("getBookings", returned=returned)) == []


@pytest.mark.parametrize(("operation", "count", "soft"), [("createBookings", 2, False), ("createBookingsV2", 3, True)])
def test_bookings_made_together_have_different_references(
    whole_contract: Contract, operation: str, count: int, soft: bool
) -> None:
    ids = "request_ids" if operation == "createBookings" else "requests"
    sent = changed(SENT[operation], put(ids, list(range(count))))
    if operation == "createBookingsV2":
        sent = changed(sent, put("luggage", {str(number): [] for number in range(count)}))
    made = RETURNED[operation]["bookings"][0]
    bookings = [changed(made, put("request_id", number)) for number in range(count)]
    assert whole_contract.judge(exchange(operation, sent=sent, returned={"bookings": bookings})) == []
    bookings[-1] = changed(bookings[-1], put("cp_reference", "CPXX99"))
    (finding,) = whole_contract.judge(exchange(operation, sent=sent, returned={"bookings": bookings}))
    place = f"/bookings/{count - 1}/cp_reference"
    assert (finding.rule, finding.pointer, finding.soft) == ("V23-BOOKINGS-TOGETHER", place, soft)
    assert REFERENCE not in repr(finding)


@pytest.mark.parametrize("operation", ["createBookings", "createBookingsV2"])
def test_booking_request_is_booked_twice_in_one_response(found: Finder, operation: str) -> None:
    twice = {"bookings": RETURNED[operation]["bookings"] * 2}
    expected = [("response", "V23-BOOKING-FIELDS", "/bookings")]
    assert found(exchange(operation, returned=twice)) == expected


@pytest.mark.parametrize("operation", ["getBookings", "getBookingsV2"])
def test_get_bookings_lists_a_booking_twice(found: Finder, operation: str) -> None:
    twice = {"bookings": RETURNED[operation]["bookings"] * 2}
    assert found(exchange(operation, returned=twice)) == [("response", "V23-LOOK-UP", "/bookings")]


@pytest.mark.parametrize("operation", ["createBookings", "createBookingsV2"])
@pytest.mark.parametrize("indicator", ["06", "01"])
def test_booking_succeeds_although_authentication_was_only_attempted(
    found: Finder, operation: str, indicator: str
) -> None:
    secure = {
        "version": "1.0.2",
        "electronic_commerce_indicator": indicator,
        "cryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=",
        "transaction_id": "xid",
    }
    made = exchange(operation, sent=SENT[operation] | {"three_d_secure": secure})
    assert found(made) == [("response", "V23-3DS-FAILED", "status")]
    assert found(rejected(made, 422)) == []


# Statuses and bodies


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


@pytest.mark.parametrize(
    "change",
    [
        unmoved(None),
        unmoved([]),
        put("flight_changes[0].data.segment_2_origin_terminal_label", "T4"),
        put("flight_changes[0].data.newFlight.segment_1_destination_timezone", "Europe/Madrid"),
        put("type", None),
        put("status", "CHANGED"),
        put("status", "CANCELED"),
        drop("address"),
        put("passengers[0].date_of_birth", "10/12/1990"),
    ],
)
def test_allowed_booking_has_no_findings(found: Finder, change: Change) -> None:
    booking = changed(RETURNED["getBookings"]["bookings"][0], change)
    assert found(exchange("getBookings", returned={"bookings": [booking]})) == []


def test_finding_names_the_key_of_a_schedule_change(whole_contract: Contract) -> None:
    assert CHANGE["data"]["newFlight"]
    returned = changed(RETURNED["getBookings"], put(f"{NEW}.segment_1_departure_date", "soon"))
    (finding,) = whole_contract.judge(exchange("getBookings", returned=returned))
    assert finding.message == (
        'segment_1_departure_date of a new flight is "soon", not a date and time (YYYY-MM-DD HH:mm:ss)'
    )


@pytest.mark.parametrize(
    ("changes", "broken"),
    [
        ({}, False),
        (times("2026-12-03 10:00:00", "2026-12-03 11:20:00"), True),
        ({"segments": [segment(marketing_carrier_flight_number=3913)]}, True),
        ({"price": 90, "available_seats": 8}, False),
    ],
)
def test_two_flights_of_a_page_have_one_id(found: Finder, changes: dict[str, object], broken: bool) -> None:
    results = [flight(bags=BAGS), flight(bags=BAGS, **changes)]
    searched = exchange("searchFlights", returned=RETURNED["searchFlights"] | {"results": results})
    assert found(searched) == ([("response", "V23-FLIGHT-FIELDS", "/results/1/id")] if broken else [])
