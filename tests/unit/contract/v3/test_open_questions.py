"""Where the documents are silent or disagree about v2 and v3: no conforming service is blamed.

One entry for each item of ``open-questions.md`` that is about v2, v3 or all versions and shows on the wire.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from airworthy.contract import Contract, Conversation, Exchange, Response, ServiceAddress
from unit.contract.examples import JSON, Change, changed, drop, put
from unit.contract.v3.v3_examples import (
    ANSWERED,
    BASE,
    CALLS,
    FLIGHT,
    HEADERS,
    NO_BAGS,
    PASSENGER,
    REQUEST,
    SENT,
    WINDOW,
    asked,
    exchange,
    flight,
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
LOOKED_UP = ANSWERED["getBookings"]["bookings"][0]
DATA = "bookings[0].flight_changes[0].data"
NO_BAGS_AT_ALL: list[object] = [NO_BAGS, {}, {"checked": []}, {"cabin": []}]
WHATEVER = (b"", b"no", b"[]", b'{"message": "no"}', b'{"error": {"code": 1}}', b'[{"field": "x", "wrong": true}]')
UNMAINTAINED = 0.0

Story = list[Exchange]


def refusals(made: Exchange, *statuses: int, before: Iterable[Exchange] = ()) -> list[Story]:
    return [[*before, replace(made, response=Response(status, JSON, b'{"any": 1}'))] for status in statuses]


def answers(operation: str, path: str, *values: object, leave_out: bool = False) -> list[Story]:
    made = [exchange(operation, answered=changed(ANSWERED[operation], put(path, value))) for value in values]
    if leave_out:
        made.append(exchange(operation, answered=changed(ANSWERED[operation], put(path, None), drop(path))))
    return [[each] for each in made]


def ask(operation: str, *changes: Change, after: float | None = None, name: str = "1") -> Exchange:
    return exchange(operation, sent=changed(SENT[operation], *changes), after=after, name=name)


def bodies(made: Exchange, status: int, *contents: bytes) -> list[Story]:
    return [[replace(made, response=Response(status, JSON, content))] for content in contents]


def two_requests(operation: str) -> Exchange:
    name = "requests" if operation == "createBookingsV2" else "request_ids"
    return ask(operation, put(f"{name}[1]", 4712), *([put("luggage.4712", [])] if name == "requests" else []))


def bookings_of(operation: str, *requests: int) -> list[Any]:
    made = ANSWERED[operation]["bookings"][0]
    return [
        changed(made, put("id", each), put("request_id", each), put("passengers[0].booking_id", each))
        for each in requests
    ]


def repeated(operation: str) -> Exchange:
    """Book one request by sending its id twice, and get two bookings of it."""
    name = "requests" if operation == "createBookingsV2" else "request_ids"
    answered = {"bookings": two_of_one_request(operation)}
    return exchange(operation, sent=changed(SENT[operation], put(name, [REQUEST, REQUEST])), answered=answered)


def looked_up(operation: str) -> Exchange:
    name = "getBookingsV2" if operation == "createBookingsV2" else "getBookings"
    return exchange(name, answered={"bookings": two_of_one_request(name)})


def two_of_one_request(operation: str) -> list[Any]:
    return [changed(each, put("request_id", REQUEST)) for each in bookings_of(operation, 1, 2)]


CONFORMING: dict[str, list[Story]] = {
    "OPEN-09": [story for name in CALLS for story in bodies(exchange(name), 429, b"", b"slow", b'{"retry": 1}')],
    "OPEN-10": [
        *[
            [ask("createRequests", put("passengers[0].date_of_birth", value))]
            for value in ("1990-12-10", "10.12.1990", "10/12/1990", "1990-12-10T00:00:00Z")
        ],
        *answers("createBookings", "bookings[0].passengers[0].date_of_birth", "10.12.1990", "1990-12-10T00:00:00Z"),
        *refusals(ask("createRequests", put("passengers[0].date_of_birth", "10/12/1990")), 400, 422),
    ],
    "OPEN-11": [
        [
            exchange("createBookings"),
            *[story[0] for story in answers("getBookings", "bookings[0].status", "CHANGED", "CANCELED", "CONFIRMED")],
        ],
        [exchange("createBookings"), *answers("getBookings", "bookings[0].status", "CHANGED")[0]],
        [exchange("getBookings", answered={"bookings": [changed(LOOKED_UP, unmoved([]))]})],
        [exchange("getBookings", answered={"bookings": [changed(LOOKED_UP, unmoved(None))]})],
    ],
    "OPEN-12": answers("createRequests", "requests[0].status", "pending", "PENDING", 1),
    "OPEN-13": answers("getBookings", "bookings[0].flight_changes[0].status", "SEEN", "ACCEPTED", "REFUSED", "WAITING"),
    "OPEN-14": [
        story
        for name in CALLS
        for status in (400, 401, 403, 404, 409, 422, 500)
        for story in bodies(exchange(name), status, *WHATEVER)
    ],
    "OPEN-15": [
        [exchange("createRequests"), exchange("createBookings", after=4, name="2")],
        *refusals(exchange("createBookings", after=4), 400, 403, 404, 409, before=[exchange("createRequests")]),
    ],
    "OPEN-16": [
        [exchange("searchFlights"), made]
        for made in (
            ask("createRequests", drop(f"{BAG}.cabin[0].weight"), after=1),
            ask("createRequests", drop(f"{BAG}.cabin[0].dimensions"), after=1),
            ask("createRequests", put(f"{BAG}.cabin[0].weight", None), after=1),
        )
    ]
    + refusals(ask("createRequests", drop(f"{BAG}.cabin[0].weight")), 400, 422)
    + answers("searchFlights", "results[0].bags.cabin[0].weight", None, leave_out=True),
    "OPEN-17": [
        [ask(name, put("three_d_secure", THREE_D | {"transaction_id": value}))]
        for name in ("createBookings", "createBookingsV2")
        for value in ("x", True)
    ]
    + refusals(ask("createBookings", put("three_d_secure", THREE_D | {"transaction_id": True})), 400, 422),
    "OPEN-18": [
        [exchange(name, headers=(("Authorization", "test-token"), *HEADERS[1:]), status=status)]
        for name in CALLS
        for status in (200, 401)
    ],
    "OPEN-19": [
        [
            exchange(
                "createBookingsV2",
                sent=changed(
                    SENT["createBookingsV2"], put("requests", [1, 2, 3]), put("luggage", {"1": [], "2": [], "3": []})
                ),
                answered={"bookings": bookings_of("createBookingsV2", 1, 2, 3)},
            ),
            exchange("getBookingsV2", answered={"bookings": bookings_of("getBookingsV2", 1, 2, 3)[:count]}),
        ]
        for count in (1, 2, 3)
    ],
    "OPEN-20": [
        story for name in ("createRequests", "createRequestsV2") for story in refusals(exchange(name), 404, 409)
    ],
    "OPEN-21": [
        [story]
        for each in (
            {"segment_1_origin_airport": "MAD", "segment_1_destination_timezone": "Europe/Madrid"},
            {"segment_1_destination_airport": "PMI", "segment_1_destination_timezone": "Europe/Madrid"},
        )
        for (story,) in answers("getBookings", f"{DATA}.newFlight", each)
    ],
    "OPEN-22": refusals(exchange("cancelRequest", url=f"{BASE}/v3/requests/none/cancel"), 400, 404),
    "OPEN-23": [
        [ask("createRequestsV2", drop("customer_code"))],
        *[
            [replace(ask("createRequestsV2", drop("customer_code")), response=each.response)]
            for name in ("customer", "customer_code")
            for (each,) in answers("createRequestsV2", f"requests[0].{name}", None, leave_out=True)
        ],
        [ask("createBookingsV2", put("customer_data", CUSTOMER))],
    ],
    "OPEN-26": [
        [ask("createBookings", put("self_psp", value=False))],
        [ask("createBookings", drop("payment_method"), put("self_psp", value=True))],
    ],
    "OPEN-28": [[ask("createRequests", put(BAG, value))] for value in NO_BAGS_AT_ALL]
    + answers("searchFlights", "results[0].bags", NO_BAGS, {}, {"checked": None, "cabin": None}, {"checked": []}),
    "OPEN-29": [
        *refusals(ask("createRequests", put(f"{BAG}.checked[0].quantity", 9)), 400, 409, 422),
        *refusals(ask("createRequests", put("flight_ids", [1, 2, 3])), 400, 422),
        *refusals(ask("createRequests", put(BAG, NO_BAGS), after=1), 400, 422, before=[exchange("searchFlights")]),
    ],
    "OPEN-32": [story for name in CALLS for story in refusals(exchange(name, headers=HEADERS[1:]), 400, 401, 403)],
    "OPEN-33": [
        [replace(exchange("searchFlights", url=f"http://service.example/v3/flights?{WINDOW}"), response=response)]
        for response in (None, Response(301, JSON, b""), Response(403, JSON, b"no"), Response(308, (), None))
    ],
    "OPEN-37": [
        [exchange("searchFlights"), *answers("createRequests", "requests[0].flight.price", 999)[0]],
        [exchange("searchFlights"), *answers("createRequests", "requests[0].flight.bags", NO_BAGS)[0]],
        *refusals(exchange("createRequests"), 409, before=[exchange("searchFlights")]),
    ],
    "OPEN-38": [
        *answers("createBookings", "bookings[0].first_name", "ADA", "Ada "),
        *answers("createBookings", "bookings[0].phonenumber", "0034600123456"),
    ],
    "OPEN-39": [
        [
            exchange("createBookings"),
            exchange(
                "getBookings",
                answered=changed(
                    ANSWERED["getBookings"],
                    put("bookings[0].status", "AWAITING_PNR_AIRLINE"),
                    put("bookings[0].pnr_airline", None),
                ),
                after=100,
            ),
        ],
        *answers("createBookings", "bookings[0].status", "CONFIRMED"),
    ],
    "OPEN-40": [
        [exchange("verifyFlight", answered={}, after=UNMAINTAINED)],
        [exchange("verifyFlight", answered=b"<html>", after=UNMAINTAINED)],
        [exchange("verifyFlight", answered={"price": "wrong"}, after=UNMAINTAINED)],
        [exchange("verifyFlight", status=500, answered=b"", after=UNMAINTAINED)],
        [exchange("verifyFlight", sent={}, status=500, answered=b"", after=UNMAINTAINED)],
        *refusals(exchange("verifyFlight", after=UNMAINTAINED), 404, 410),
    ],
    "OPEN-47": [
        [ask("createRequests", put("passengers[0].is_infant", value=False))],
        [ask("createBookings", put("luggage", {}))],
        *refusals(ask("createBookings", put("luggage", {})), 400),
    ],
    "OPEN-48": [
        *answers("createBookings", "bookings[0].address", None, leave_out=True),
        *answers("createBookings", "bookings[0].postal_code", None, leave_out=True),
        *answers("searchFlights", "results[0].segments[0].via_airport", None, "BCN"),
        *answers("createRequests", "requests[0].customer.vat_number", None, ""),
    ],
    "OPEN-75": [
        [exchange("searchFlights", headers=HEADERS[:1])],
        *refusals(exchange("searchFlights", headers=HEADERS[:1]), 400, 406, 415),
        *refusals(exchange("searchFlights", url=f"{BASE}/v3/nothing"), 404, 405),
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
            [asked("searchFlights", query, answered={"results": [], "next_page_id": None})],
            *refusals(asked("searchFlights", query), 400, 404, 422),
        )
    ]
    + [[asked("searchFlights", "origin=MAD&destination=PMI&start=2026-12-01&end=2026-12-09")]]
    + [[asked("searchFlights", "origin=MAD&destination=PMI&start=2026-12-01&end=2026-11-01")]],
    "OPEN-79": [
        [asked("searchRoundTrips", query)]
        for query in (
            "origin=MAD&destination=PMI&returnStart=2027-01-01",
            "origin=MAD&destination=PMI&start=2026-12-20&returnStart=2026-12-01",
            "origin=MAD&destination=PMI&returnEnd=2026-11-05",
        )
    ]
    + refusals(asked("searchRoundTrips", f"{WINDOW}&returnStart=2026-11-01"), 400, 422),
    "OPEN-80": [
        [
            exchange("searchFlights", answered={"results": [flight(bags=NO_BAGS)] * 3, "next_page_id": "a"}),
            asked("searchFlights", f"{WINDOW}&seats=20&next_page_id=a"),
            asked("searchFlights", "origin=BCN&destination=IBZ&next_page_id=a"),
            asked("searchFlights", "origin=BCN&destination=IBZ&start=2030-01-01&next_page_id=a"),
        ],
        *answers("searchFlights", "next_page_id", " ", "x" * 500),
    ],
    "OPEN-81": [
        *answers("searchFlights", "results[0].bags.checked[0].quantity", 0, 5, 1.5),
        *answers("searchFlights", "results[0].duration", "26:05", "101:00"),
    ],
    "OPEN-82": [
        *answers("createBookings", "bookings[0].cc_fee", 0, 0.03, 12.5),
        *answers("createBookings", "bookings[0].infant_price", None, 0),
        *answers("createBookings", "bookings[0].total_price", 1, 99999),
        *answers("createBookings", "bookings[0].passenger_count", 0, 7),
    ],
    "OPEN-83": [[ask("createRequests", put("passengers[0].gender", value))] for value in ("male", "M", "FEMALE", "x")]
    + answers("createBookings", "bookings[0].gender", "F", "FEMALE"),
    "OPEN-84": [
        *answers("createRequests", "requests[0].passengers", {"adults": 0, "children": 1, "infants": 0}),
        *answers("createRequests", "requests[0].passengers", {"adults": 0, "children": 0, "infants": 1}),
    ],
    "OPEN-85": [
        [
            exchange("searchFlights", answered=changed(ANSWERED["searchFlights"], put("results[0].need_apis", True))),
            last,
        ]
        for last in (
            exchange("createRequests", after=1),
            *(story[0] for story in refusals(exchange("createRequests", after=1), 400, 409, 422)),
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
                answered=changed(ANSWERED["createRequests"], put("requests[0].passengers.infants", 1)),
            )
        ]
        for quantity in (0, 1, 2)
    ],
    "OPEN-87": [
        [ask("createRequests", put("fare_type", "round_trip"))],
        *refusals(ask("createRequests", put("fare_type", "round_trip")), 400, 404, 409),
    ],
    "OPEN-88": [
        story
        for end in ("cancelRequest", "createBookings")
        for story in refusals(
            exchange("createBookings", after=2, name="3"),
            *(400, 403, 404, 409),
            before=[exchange("createRequests"), exchange(end, after=1, name="2")],
        )
    ]
    + refusals(exchange("createBookings", after=9), 400, 403, 404, 409, before=[exchange("createRequests")]),
    "OPEN-89": [
        [exchange("createRequests"), exchange("cancelRequest", after=1), again]
        for again in (
            exchange("cancelRequest", answered={"success": False}, after=2, name="3"),
            *(story[0] for story in refusals(exchange("cancelRequest", after=2, name="3"), 400, 403, 404, 409)),
        )
    ]
    + refusals(exchange("cancelRequest", url=f"{BASE}/v2/requests/{REQUEST}/cancel"), 404, 405)
    + [[exchange("cancelRequest", url=f"{BASE}/v2/requests/{REQUEST}/cancel")]],
    "OPEN-90": [
        *refusals(ask("createBookings", put("customer_code", "X")), 400, 403, 404, 409, 422),
        *refusals(ask("createBookings", put("self_psp", value=True)), 400, 403, 404, 409, 422),
        [ask("createBookings", put("self_psp", value=True))],
        [
            *refusals(ask("createBookings", put("customer_code", "X")), 422, before=[exchange("createRequests")])[0],
            exchange("createBookings", after=1, name="3"),
        ],
    ],
    "OPEN-91": [
        [exchange("createRequests"), failed, *refusals(exchange("createBookings", after=2, name="3"), 403)[0]]
        for status in (400, 402, 403, 409, 422)
        for (failed,) in bodies(exchange("createBookings", after=1), status, b'{"code": "card_declined"}', b"")
    ],
    "OPEN-92": [
        *refusals(asked("getBookings", "cp_reference=NOPE"), 404),
        [asked("getBookings", "cp_reference=NOPE", answered={"bookings": []})],
    ],
    "OPEN-93": [
        *answers("getBookings", "bookings[0].type", None, "outward", "return", leave_out=True),
        *answers("getBookings", "bookings[0].external_id", None, leave_out=True),
        *answers("getBookings", "bookings[0].final_flight.id", 5),
    ],
    "OPEN-94": [
        *answers("getBookings", DATA, {"oldFlight": {"flight_id": 1}, "newFlight": {"flight_id": 2}}),
        *answers("getBookings", DATA, {"oldFlight": {}, "newFlight": {}, "segment_1_departure_date": None}),
        *answers("getBookings", f"{DATA}.newFlight", {"segment_3_flight_number": "IB1", "need_apis": True}),
        *answers("getBookings", "bookings[0].flight_changes[0].created_at", 1762000000, "2 Nov 2026"),
    ],
    "OPEN-95": [
        *answers("searchRoundTrips", "fares[0].checked_bags_prices", [], [60.5], [{"weight": 20, "price": 60}]),
        *answers("searchRoundTrips", "fares[0].cabin_bags_prices", [], [12], [{"any": 1}]),
        *answers("searchRoundTrips", "fares[0].return_id", 1),
    ],
    "OPEN-96": [
        *[[exchange("verifyFlight", status=status)] for status in (200, 201)],
        *answers("verifyFlight", "infant_price", None, leave_out=True),
        *answers("verifyFlight", "total_price", 1),
    ],
    "OPEN-97": [
        [exchange("createRequests"), two_requests("createBookings")],
        *refusals(two_requests("createBookings"), 409, before=[exchange("createRequests")]),
        [two_requests("createBookingsV2")],
    ],
    "OPEN-98": [
        [ask("createBookings", put("request_ids", [REQUEST, REQUEST]))],
        *[[repeated(name), looked_up(name)] for name in ("createBookings", "createBookingsV2")],
    ],
    "OPEN-99": [
        [ask("createRequestsV2", put("flights", [str(FLIGHT)]))],
        [ask("createRequestsV2", put("passengers", {}))],
        [ask("createBookingsV2", put("luggage", {}))],
        [exchange("searchFlightsV2"), exchange("createRequestsV2"), ask("createBookingsV2", put("luggage.4711", []))],
        *[[exchange(name, status=201)] for name in ("createRequestsV2", "createBookingsV2")],
    ],
    "OPEN-102": refusals(exchange("searchFlights", url=f"{BASE}/v1.0/flights"), 404, 410),
}
CASES = [(item, at, story) for item, stories in CONFORMING.items() for at, story in enumerate(stories)]


@pytest.mark.parametrize(("item", "at", "story"), CASES, ids=[f"{item}-{at}" for item, at, _ in CASES])
def test_what_is_open_is_held_against_no_service(item: str, at: int, story: Story) -> None:
    contract = Contract.load(("v2", "v3", "v4"), ServiceAddress(base_urls=(BASE,)))
    conversation = Conversation()
    for made in story:
        against = [
            finding
            for finding in contract.judge(made, conversation)
            if finding.side == "response" and not (finding.kind == "drift" and finding.soft)
        ]
        assert against == [], (item, at)


# What may be asserted of clients, and only of them


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
def test_a_finding_of_the_client_s_alone(whole_contract: Contract, operation: str, change: Change) -> None:
    findings = whole_contract.judge(exchange(operation, sent=changed(SENT[operation], change)))
    assert {finding.side for finding in findings} == {"request"}


@pytest.mark.parametrize("operation", CALLS)
def test_open_46_unknown_fields_are_a_note(whole_contract: Contract, operation: str) -> None:
    answer = changed(ANSWERED[operation], put("surprise", {"a": [1]}))
    findings = whole_contract.judge(exchange(operation, answered=answer))
    assert [(each.kind, each.drift, each.rule, each.soft) for each in findings if each.side == "response"] == [
        ("drift", "unknown-field", "V23-UNKNOWN-FIELDS", True)
    ]


def test_open_21_a_time_zone_without_an_airport_only_warns(whole_contract: Contract) -> None:
    (story,) = answers("getBookings", f"{DATA}.newFlight", {"segment_1_destination_timezone": "Europe/Madrid"})
    (finding,) = whole_contract.judge(story[0])
    assert (finding.rule, finding.soft) == ("V23-FLIGHT-CHANGES", True)
