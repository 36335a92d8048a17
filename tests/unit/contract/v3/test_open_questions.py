"""Behaviour that the documents leave open in v2 and v3 has no finding against the service.

One entry for each item of ``open-questions.md`` that is about v2, v3 or all versions and shows on the wire.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from airworthy.contract import Contract, Conversation, Exchange, Response, ServiceAddress
from unit.contract.examples import JSON, Change, changed, drop, put
from unit.contract.v3.v3_examples import (
    BASE,
    ENDPOINTS,
    FLIGHT,
    HEADERS,
    NO_BAGS,
    PASSENGER,
    REQUEST,
    RETURNED,
    SENT,
    WINDOW,
    exchange,
    flight,
    queried,
    unmoved,
)

THREE_D = {
    "version": "2.1.0",
    "electronic_commerce_indicator": "05",
    "cryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=",
    "transaction_id": "x",
}
CUSTOMER = dict.fromkeys(("first_name", "last_name", "gender", "email", "phonenumber"), "x")
BAG = f"bags.{FLIGHT}"
RETRIEVED = RETURNED["getBookings"]["bookings"][0]
DATA = "bookings[0].flight_changes[0].data"
NO_BAGS_AT_ALL: list[object] = [NO_BAGS, {}, {"checked": []}, {"cabin": []}]
WHATEVER = (b"", b"no", b"[]", b'{"message": "no"}', b'{"error": {"code": 1}}', b'[{"field": "x", "wrong": true}]')
UNMAINTAINED = 0.0

Story = list[Exchange]


def rejections(made: Exchange, *statuses: int, before: Iterable[Exchange] = ()) -> list[Story]:
    return [[*before, replace(made, response=Response(status, JSON, b'{"any": 1}'))] for status in statuses]


def responses(operation: str, path: str, *values: object, leave_out: bool = False) -> list[Story]:
    made = [exchange(operation, returned=changed(RETURNED[operation], put(path, value))) for value in values]
    if leave_out:
        made.append(exchange(operation, returned=changed(RETURNED[operation], put(path, None), drop(path))))
    return [[each] for each in made]


def sending(operation: str, *changes: Change, after: float | None = None, name: str = "1") -> Exchange:
    return exchange(operation, sent=changed(SENT[operation], *changes), after=after, name=name)


def bodies(made: Exchange, status: int, *contents: bytes) -> list[Story]:
    return [[replace(made, response=Response(status, JSON, content))] for content in contents]


def two_requests(operation: str) -> Exchange:
    name = "requests" if operation == "createBookingsV2" else "request_ids"
    return sending(operation, put(f"{name}[1]", 4712), *([put("luggage.4712", [])] if name == "requests" else []))


def bookings_of(operation: str, *requests: int) -> list[Any]:
    made = RETURNED[operation]["bookings"][0]
    return [
        changed(made, put("id", each), put("request_id", each), put("passengers[0].booking_id", each))
        for each in requests
    ]


def repeated(operation: str) -> Exchange:
    """Book one booking request by sending its id twice, which creates two bookings."""
    name = "requests" if operation == "createBookingsV2" else "request_ids"
    returned = {"bookings": two_of_one_request(operation)}
    return exchange(operation, sent=changed(SENT[operation], put(name, [REQUEST, REQUEST])), returned=returned)


def retrieved(operation: str) -> Exchange:
    name = "getBookingsV2" if operation == "createBookingsV2" else "getBookings"
    return exchange(name, returned={"bookings": two_of_one_request(name)})


def two_of_one_request(operation: str) -> list[Any]:
    return [changed(each, put("request_id", REQUEST)) for each in bookings_of(operation, 1, 2)]


CONFORMING: dict[str, list[Story]] = {
    "OPEN-09": [story for name in ENDPOINTS for story in bodies(exchange(name), 429, b"", b"slow", b'{"retry": 1}')],
    "OPEN-10": [
        *[
            [sending("createRequests", put("passengers[0].date_of_birth", value))]
            for value in ("1990-12-10", "10.12.1990", "10/12/1990", "1990-12-10T00:00:00Z")
        ],
        *responses("createBookings", "bookings[0].passengers[0].date_of_birth", "10.12.1990", "1990-12-10T00:00:00Z"),
        *rejections(sending("createRequests", put("passengers[0].date_of_birth", "10/12/1990")), 400, 422),
    ],
    "OPEN-11": [
        [
            exchange("createBookings"),
            *[story[0] for story in responses("getBookings", "bookings[0].status", "CHANGED", "CANCELED", "CONFIRMED")],
        ],
        [exchange("createBookings"), *responses("getBookings", "bookings[0].status", "CHANGED")[0]],
        [exchange("getBookings", returned={"bookings": [changed(RETRIEVED, unmoved([]))]})],
        [exchange("getBookings", returned={"bookings": [changed(RETRIEVED, unmoved(None))]})],
    ],
    "OPEN-12": responses("createRequests", "requests[0].status", "pending", "PENDING", 1),
    "OPEN-13": responses(
        "getBookings", "bookings[0].flight_changes[0].status", "SEEN", "ACCEPTED", "REFUSED", "WAITING"
    ),
    "OPEN-14": [
        story
        for name in ENDPOINTS
        for status in (400, 401, 403, 404, 409, 422, 500)
        for story in bodies(exchange(name), status, *WHATEVER)
    ],
    "OPEN-15": [
        [exchange("createRequests"), exchange("createBookings", after=4, name="2")],
        *rejections(exchange("createBookings", after=4), 400, 403, 404, 409, before=[exchange("createRequests")]),
    ],
    "OPEN-16": [
        [exchange("searchFlights"), made]
        for made in (
            sending("createRequests", drop(f"{BAG}.cabin[0].weight"), after=1),
            sending("createRequests", drop(f"{BAG}.cabin[0].dimensions"), after=1),
            sending("createRequests", put(f"{BAG}.cabin[0].weight", None), after=1),
        )
    ]
    + rejections(sending("createRequests", drop(f"{BAG}.cabin[0].weight")), 400, 422)
    + responses("searchFlights", "results[0].bags.cabin[0].weight", None, leave_out=True),
    "OPEN-17": [
        [sending(name, put("three_d_secure", THREE_D | {"transaction_id": value}))]
        for name in ("createBookings", "createBookingsV2")
        for value in ("x", True)
    ]
    + rejections(sending("createBookings", put("three_d_secure", THREE_D | {"transaction_id": True})), 400, 422),
    "OPEN-18": [
        [exchange(name, headers=(("Authorization", "test-token"), *HEADERS[1:]), status=status)]
        for name in ENDPOINTS
        for status in (200, 401)
    ],
    "OPEN-19": [
        [
            exchange(
                "createBookingsV2",
                sent=changed(
                    SENT["createBookingsV2"],
                    put("requests", [1, 2, 3]),
                    put("luggage", dict.fromkeys("123", SENT["createBookingsV2"]["luggage"][str(REQUEST)])),
                ),
                returned={"bookings": bookings_of("createBookingsV2", 1, 2, 3)},
            ),
            exchange("getBookingsV2", returned={"bookings": bookings_of("getBookingsV2", 1, 2, 3)[:count]}),
        ]
        for count in (1, 2, 3)
    ],
    "OPEN-20": [
        story for name in ("createRequests", "createRequestsV2") for story in rejections(exchange(name), 404, 409)
    ],
    "OPEN-21": [
        [story]
        for each in (
            {"segment_1_origin_airport": "MAD", "segment_1_destination_timezone": "Europe/Madrid"},
            {"segment_1_destination_airport": "PMI", "segment_1_destination_timezone": "Europe/Madrid"},
        )
        for (story,) in responses("getBookings", f"{DATA}.newFlight", each)
    ],
    "OPEN-22": rejections(exchange("cancelRequest", url=f"{BASE}/v3/requests/none/cancel"), 400, 404),
    "OPEN-23": [
        [sending("createRequestsV2", drop("customer_code"))],
        *[
            [replace(sending("createRequestsV2", drop("customer_code")), response=each.response)]
            for name in ("customer", "customer_code")
            for (each,) in responses("createRequestsV2", f"requests[0].{name}", None, leave_out=True)
        ],
        [sending("createBookingsV2", put("customer_data", CUSTOMER))],
    ],
    "OPEN-26": [
        [sending("createBookings", put("self_psp", value=False))],
        [sending("createBookings", drop("payment_method"), put("self_psp", value=True))],
    ],
    "OPEN-28": [[sending("createRequests", put(BAG, value))] for value in NO_BAGS_AT_ALL]
    + responses("searchFlights", "results[0].bags", NO_BAGS, {}, {"checked": None, "cabin": None}, {"checked": []}),
    "OPEN-29": [
        *rejections(sending("createRequests", put(f"{BAG}.checked[0].quantity", 9)), 400, 409, 422),
        *rejections(sending("createRequests", put("flight_ids", [1, 2, 3])), 400, 422),
        *rejections(
            sending("createRequests", put(BAG, NO_BAGS), after=1), 400, 422, before=[exchange("searchFlights")]
        ),
    ],
    "OPEN-32": [
        story for name in ENDPOINTS for story in rejections(exchange(name, headers=HEADERS[1:]), 400, 401, 403)
    ],
    "OPEN-33": [
        [replace(exchange("searchFlights", url=f"http://service.example/v3/flights?{WINDOW}"), response=response)]
        for response in (None, Response(301, JSON, b""), Response(403, JSON, b"no"), Response(308, (), None))
    ],
    "OPEN-37": [
        [exchange("searchFlights"), *responses("createRequests", "requests[0].flight.price", 999)[0]],
        [exchange("searchFlights"), *responses("createRequests", "requests[0].flight.bags", NO_BAGS)[0]],
        *rejections(exchange("createRequests"), 409, before=[exchange("searchFlights")]),
    ],
    "OPEN-38": [
        *responses("createBookings", "bookings[0].first_name", "ADA", "Ada "),
        *responses("createBookings", "bookings[0].phonenumber", "0034600123456"),
    ],
    "OPEN-39": [
        [
            exchange("createBookings"),
            exchange(
                "getBookings",
                returned=changed(
                    RETURNED["getBookings"],
                    put("bookings[0].status", "AWAITING_PNR_AIRLINE"),
                    put("bookings[0].pnr_airline", None),
                ),
                after=100,
            ),
        ],
        *responses("createBookings", "bookings[0].status", "CONFIRMED"),
    ],
    "OPEN-40": [
        [exchange("verifyFlight", returned={}, after=UNMAINTAINED)],
        [exchange("verifyFlight", returned=b"<html>", after=UNMAINTAINED)],
        [exchange("verifyFlight", returned={"price": "wrong"}, after=UNMAINTAINED)],
        [exchange("verifyFlight", status=500, returned=b"", after=UNMAINTAINED)],
        [exchange("verifyFlight", sent={}, status=500, returned=b"", after=UNMAINTAINED)],
        *rejections(exchange("verifyFlight", after=UNMAINTAINED), 404, 410),
    ],
    "OPEN-47": [
        [sending("createRequests", put("passengers[0].is_infant", value=False))],
        [sending("createBookings", put("luggage", {}))],
        *rejections(sending("createBookings", put("luggage", {})), 400),
    ],
    "OPEN-48": [
        *responses("createBookings", "bookings[0].address", None, leave_out=True),
        *responses("createBookings", "bookings[0].postal_code", None, leave_out=True),
        *responses("searchFlights", "results[0].segments[0].via_airport", None, "BCN"),
        *responses("createRequests", "requests[0].customer.vat_number", None, ""),
    ],
    "OPEN-75": [
        [exchange("searchFlights", headers=HEADERS[:1])],
        *rejections(exchange("searchFlights", headers=HEADERS[:1]), 400, 406, 415),
        *rejections(exchange("searchFlights", url=f"{BASE}/v3/nothing"), 404, 405),
        [exchange("searchFlights", url=f"{BASE}/v3/nothing")],
    ],
    "OPEN-78": [
        story
        for query in (
            "origin=MAD&destination=PMI&start=2026-12-01&end=2026-12-09",
            "origin=MAD&destination=PMI&start=2026-12-01&end=2026-11-01",
            "origin=LON&destination=PMI&start=2026-12-01",
            "origin=ZZZ&destination=QQQ",
            "origin=MAD&destination=PMI&start=2020-01-01",
        )
        for story in (
            [queried("searchFlights", query, returned={"results": [], "next_page_id": None})],
            *rejections(queried("searchFlights", query), 400, 404, 422),
        )
    ]
    + [[queried("searchFlights", "origin=MAD&destination=PMI&start=2026-12-01&end=2026-12-09")]]
    + [[queried("searchFlights", "origin=MAD&destination=PMI&start=2026-12-01&end=2026-11-01")]],
    "OPEN-79": [
        [queried("searchRoundTrips", query)]
        for query in (
            "origin=MAD&destination=PMI&returnStart=2027-01-01",
            "origin=MAD&destination=PMI&start=2026-12-20&returnStart=2026-12-01",
            "origin=MAD&destination=PMI&returnEnd=2026-11-05",
        )
    ]
    + rejections(queried("searchRoundTrips", f"{WINDOW}&returnStart=2026-11-01"), 400, 422),
    "OPEN-80": [
        [
            exchange("searchFlights", returned={"results": [flight(bags=NO_BAGS)] * 3, "next_page_id": "a"}),
            queried("searchFlights", f"{WINDOW}&seats=20&next_page_id=a"),
            queried("searchFlights", "origin=BCN&destination=IBZ&next_page_id=a"),
            queried("searchFlights", "origin=BCN&destination=IBZ&start=2030-01-01&next_page_id=a"),
        ],
        *responses("searchFlights", "next_page_id", " ", "x" * 500),
    ],
    "OPEN-81": [
        *responses("searchFlights", "results[0].bags.checked[0].quantity", 0, 5, 1.5),
        *responses("searchFlights", "results[0].duration", "26:05", "101:00"),
    ],
    "OPEN-82": [
        *responses("createBookings", "bookings[0].cc_fee", 0, 0.03, 12.5),
        *responses("createBookings", "bookings[0].infant_price", None, 0),
        *responses("createBookings", "bookings[0].total_price", 1, 99999),
        *responses("createBookings", "bookings[0].passenger_count", 0, 7),
    ],
    "OPEN-83": [
        [sending("createRequests", put("passengers[0].gender", value))] for value in ("male", "M", "FEMALE", "x")
    ]
    + responses("createBookings", "bookings[0].gender", "F", "FEMALE"),
    "OPEN-84": [
        *responses("createRequests", "requests[0].passengers", {"adults": 0, "children": 1, "infants": 0}),
        *responses("createRequests", "requests[0].passengers", {"adults": 0, "children": 0, "infants": 1}),
    ],
    "OPEN-85": [
        [
            exchange("searchFlights", returned=changed(RETURNED["searchFlights"], put("results[0].need_apis", True))),
            last,
        ]
        for last in (
            exchange("createRequests", after=1),
            *(story[0] for story in rejections(exchange("createRequests", after=1), 400, 409, 422)),
        )
    ],
    "OPEN-86": [
        [
            exchange(
                "createRequests",
                sent=changed(
                    SENT["createRequests"],
                    put("passengers", [PASSENGER, PASSENGER]),
                    put(f"{BAG}.checked[0].quantity", 2),
                    put(f"{BAG}.checked[1].quantity", quantity),
                    put(f"{BAG}.checked[0].price", 1),
                    put(f"{BAG}.checked[2]", {"quantity": 0, "weight": 99}),
                ),
                returned=changed(RETURNED["createRequests"], put("requests[0].passengers.infants", 1)),
            )
        ]
        for quantity in (0, 1, 2)
    ],
    "OPEN-87": [
        [sending("createRequests", put("fare_type", "round_trip"))],
        *rejections(sending("createRequests", put("fare_type", "round_trip")), 400, 404, 409),
    ],
    "OPEN-88": [
        story
        for end in ("cancelRequest", "createBookings")
        for story in rejections(
            exchange("createBookings", after=2, name="3"),
            *(400, 403, 404, 409),
            before=[exchange("createRequests"), exchange(end, after=1, name="2")],
        )
    ]
    + rejections(exchange("createBookings", after=9), 400, 403, 404, 409, before=[exchange("createRequests")]),
    "OPEN-89": [
        [exchange("createRequests"), exchange("cancelRequest", after=1), again]
        for again in (
            exchange("cancelRequest", returned={"success": False}, after=2, name="3"),
            *(story[0] for story in rejections(exchange("cancelRequest", after=2, name="3"), 400, 403, 404, 409)),
        )
    ]
    + rejections(exchange("cancelRequest", url=f"{BASE}/v2/requests/{REQUEST}/cancel"), 404, 405)
    + [[exchange("cancelRequest", url=f"{BASE}/v2/requests/{REQUEST}/cancel")]],
    "OPEN-90": [
        *rejections(sending("createBookings", put("customer_code", "X")), 400, 403, 404, 409, 422),
        *rejections(sending("createBookings", put("self_psp", value=True)), 400, 403, 404, 409, 422),
        [sending("createBookings", put("self_psp", value=True))],
        [
            *rejections(sending("createBookings", put("customer_code", "X")), 422, before=[exchange("createRequests")])[
                0
            ],
            exchange("createBookings", after=1, name="3"),
        ],
    ],
    "OPEN-91": [
        [exchange("createRequests"), failed, *rejections(exchange("createBookings", after=2, name="3"), 403)[0]]
        for status in (400, 402, 403, 409, 422)
        for (failed,) in bodies(exchange("createBookings", after=1), status, b'{"code": "card_declined"}', b"")
    ],
    "OPEN-92": [
        *rejections(queried("getBookings", "cp_reference=NOPE"), 404),
        [queried("getBookings", "cp_reference=NOPE", returned={"bookings": []})],
    ],
    "OPEN-93": [
        *responses("getBookings", "bookings[0].type", None, "outward", "return", leave_out=True),
        *responses("getBookings", "bookings[0].external_id", None, leave_out=True),
        *responses("getBookings", "bookings[0].final_flight.id", 5),
    ],
    "OPEN-94": [
        *responses("getBookings", DATA, {"oldFlight": {"flight_id": 1}, "newFlight": {"flight_id": 2}}),
        *responses("getBookings", DATA, {"oldFlight": {}, "newFlight": {}, "segment_1_departure_date": None}),
        *responses("getBookings", f"{DATA}.newFlight", {"segment_3_flight_number": "IB1", "need_apis": True}),
        *responses("getBookings", "bookings[0].flight_changes[0].created_at", 1762000000, "2 Nov 2026"),
    ],
    "OPEN-95": [
        *responses("searchRoundTrips", "fares[0].checked_bags_prices", [], [60.5], [{"weight": 20, "price": 60}]),
        *responses("searchRoundTrips", "fares[0].cabin_bags_prices", [], [12], [{"any": 1}]),
        *responses("searchRoundTrips", "fares[0].return_id", 1),
    ],
    "OPEN-96": [
        *[[exchange("verifyFlight", status=status)] for status in (200, 201)],
        *responses("verifyFlight", "infant_price", None, leave_out=True),
        *responses("verifyFlight", "total_price", 1),
    ],
    "OPEN-97": [
        [exchange("createRequests"), two_requests("createBookings")],
        *rejections(two_requests("createBookings"), 409, before=[exchange("createRequests")]),
        [two_requests("createBookingsV2")],
    ],
    "OPEN-98": [
        [sending("createBookings", put("request_ids", [REQUEST, REQUEST]))],
        *[[repeated(name), retrieved(name)] for name in ("createBookings", "createBookingsV2")],
    ],
    "OPEN-99": [
        [sending("createRequestsV2", put("flights", [str(FLIGHT)]))],
        [sending("createRequestsV2", put("passengers", {}))],
        [sending("createBookingsV2", put("luggage", {}))],
        [
            exchange("searchFlightsV2"),
            exchange("createRequestsV2"),
            exchange(
                "createBookingsV2",
                sent=changed(SENT["createBookingsV2"], put("luggage.4711", [])),
                returned=changed(RETURNED["createBookingsV2"], put("bookings[0].luggage", [])),
            ),
        ],
        *[[exchange(name, status=201)] for name in ("createRequestsV2", "createBookingsV2")],
    ],
    "OPEN-102": rejections(exchange("searchFlights", url=f"{BASE}/v1.0/flights"), 404, 410),
}
CASES = [(item, at, story) for item, stories in CONFORMING.items() for at, story in enumerate(stories)]


@pytest.mark.parametrize(("item", "at", "story"), CASES, ids=[f"{item}-{at}" for item, at, _ in CASES])
def test_undocumented_behaviour_is_not_a_violation(item: str, at: int, story: Story) -> None:
    contract = Contract.load(("v2", "v3", "v4"), ServiceAddress(base_urls=(BASE,)))
    conversation = Conversation()
    for made in story:
        against = [
            finding
            for finding in contract.judge(made, conversation)
            if finding.side == "response" and not (finding.kind == "drift" and finding.soft)
        ]
        assert against == [], (item, at)


# Findings on requests only


@pytest.mark.parametrize(
    ("operation", "change"),
    [
        ("createRequests", put("fare_type", "round_trip")),
        ("createBookings", put("self_psp", True)),
        ("createBookings", put("payment_method", "card_1")),
        ("createBookingsV2", put("luggage", {})),
        ("createBookingsV2", put("card_token", "tok_1")),
        ("createBookings", put("luggage", {})),
        ("verifyFlight", put("passengers.infants", 5)),
        ("verifyFlight", drop("customer_code")),
    ],
)
def test_finding_on_the_request_only(whole_contract: Contract, operation: str, change: Change) -> None:
    findings = whole_contract.judge(exchange(operation, sent=changed(SENT[operation], change)))
    assert {finding.side for finding in findings} == {"request"}


@pytest.mark.parametrize("operation", ENDPOINTS)
def test_open_46_unknown_field_only_warns(whole_contract: Contract, operation: str) -> None:
    returned = changed(RETURNED[operation], put("surprise", {"a": [1]}))
    findings = whole_contract.judge(exchange(operation, returned=returned))
    assert [(each.kind, each.drift, each.rule, each.soft) for each in findings if each.side == "response"] == [
        ("drift", "unknown-field", "V23-UNKNOWN-FIELDS", True)
    ]


def test_open_21_time_zone_without_an_airport_only_warns(whole_contract: Contract) -> None:
    (story,) = responses("getBookings", f"{DATA}.newFlight", {"segment_1_destination_timezone": "Europe/Madrid"})
    (finding,) = whole_contract.judge(story[0])
    assert (finding.rule, finding.soft) == ("V23-FLIGHT-CHANGES", True)
