"""Bookings of v2 and v3 where the documents are silent."""

from typing import Any

from airworthy.contract import Exchange
from unit.contract.examples import RETURNED, SENT, THREE_D, changed, drop, exchange, put
from unit.contract.open_questions.stories import Stories, bodies, rejections, responses, sending
from unit.contract.v3.v3_examples import FLIGHT, REQUEST, queried, unmoved

RETRIEVED = RETURNED["getBookings"]["bookings"][0]
DATA = "bookings[0].flight_changes[0].data"
LUGGAGE = SENT["createBookingsV2"]["luggage"][str(REQUEST)]
NEEDS_DOCUMENTS = put(f"{DATA}.newFlight.need_apis", True), put("bookings[0].final_flight.need_apis", True)
NUMBER = {"segment_1_flight_number": "AZ3210"}
ANSWERED = put("bookings[0].flight_changes[0].status", "ACCEPTED")
UNMOVED = put("bookings", [changed(RETRIEVED, unmoved([]))])
OTHER_CLASS = put("bookings[0].final_flight", RETRIEVED["flight"] | {"booking_class": "Z"})
NO_LUGGAGE = put("bookings[0].luggage", []), put("bookings[0].luggage_fee", 0)


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
    return exchange(operation, sent=put(name, [REQUEST, REQUEST]), returned=returned)


def retrieved(operation: str) -> Exchange:
    name = "getBookingsV2" if operation == "createBookingsV2" else "getBookings"
    return exchange(name, returned={"bookings": two_of_one_request(name)})


def two_of_one_request(operation: str) -> list[Any]:
    return [changed(each, put("request_id", REQUEST)) for each in bookings_of(operation, 1, 2)]


CONFORMING: Stories = {
    "OPEN-11": [
        [
            exchange("createBookings"),
            *[story[0] for story in responses("getBookings", "bookings[0].status", "CHANGED", "CANCELED", "CONFIRMED")],
        ],
        [exchange("createBookings"), *responses("getBookings", "bookings[0].status", "CHANGED")[0]],
        [
            exchange("getBookings"),
            exchange("getBookings", returned=put("bookings[0].status", "CANCELED"), name="2", after=3),
            exchange("getBookings", returned=put("bookings[0].pnr_airline", "QZ7RTA"), name="3", after=4),
        ],
        [exchange("getBookings", returned={"bookings": [changed(RETRIEVED, unmoved([]))]})],
        [exchange("getBookings", returned={"bookings": [changed(RETRIEVED, unmoved(None))]})],
    ],
    "OPEN-13": [
        *responses("getBookings", "bookings[0].flight_changes[0].status", "SEEN", "ACCEPTED", "REFUSED", "WAITING"),
        [
            exchange("getBookings"),
            exchange("getBookings", returned=(*NEEDS_DOCUMENTS, ANSWERED), name="2", after=3),
        ],
    ],
    "OPEN-17": [
        [sending(name, put("three_d_secure", THREE_D | {"transaction_id": value}))]
        for name in ("createBookings", "createBookingsV2")
        for value in ("x", True)
    ]
    + rejections(sending("createBookings", put("three_d_secure", THREE_D | {"transaction_id": True})), 400, 422),
    "OPEN-19": [
        [
            exchange(
                "createBookingsV2",
                sent=(put("requests", [1, 2, 3]), put("luggage", dict.fromkeys("123", LUGGAGE))),
                returned={"bookings": [*made, last | {"cp_reference": third}]},
            ),
            exchange("getBookingsV2", returned={"bookings": bookings_of("getBookingsV2", 1, 2, 3)[:count]}),
        ]
        for *made, last in [bookings_of("createBookingsV2", 1, 2, 3)]
        for third, counts in ((last["cp_reference"], (1, 2, 3)), ("CPXX99", (2,)))
        for count in counts
    ],
    "OPEN-21": [
        [story]
        for each in (
            {"segment_1_origin_airport": "MAD", "segment_1_destination_timezone": "Europe/Rome"},
            {"segment_1_destination_airport": "FCO", "segment_1_destination_timezone": "Europe/Rome"},
        )
        for (story,) in responses("getBookings", f"{DATA}.newFlight", NUMBER | each)
    ],
    "OPEN-26": [
        [sending("createBookings", put("self_psp", value=False))],
        [sending("createBookings", drop("payment_method"), put("self_psp", value=True))],
    ],
    "OPEN-38": [
        *responses("createBookings", "bookings[0].first_name", "ANA", "Ana "),
        *responses("createBookings", "bookings[0].phonenumber", "0034600000000"),
    ],
    "OPEN-39": [
        [
            exchange("createBookings"),
            exchange(
                "getBookings",
                returned=(put("bookings[0].status", "AWAITING_PNR_AIRLINE"), put("bookings[0].pnr_airline", None)),
                after=100,
            ),
        ],
        *responses("createBookings", "bookings[0].status", "CONFIRMED"),
    ],
    "OPEN-81": [
        [
            exchange(f"createBookings{version}"),
            exchange(f"getBookings{version}", returned=put(f"bookings[0].{name}", [*bags, bags[0] | more]), after=2),
        ]
        for version, name, bags in (("", "bags.checked", RETRIEVED["bags"]["checked"]), ("V2", "luggage", LUGGAGE))
        for more in ({"weight": 32, "quantity": 0},)
    ]
    + [
        [
            exchange("createRequests"),
            exchange("createBookings", returned=put("bookings[0].flight.bags.checked[0].quantity", 7), after=1),
            exchange("getBookings", after=2),
        ]
    ],
    "OPEN-82": [
        *responses("createBookings", "bookings[0].cc_fee", 0, 0.03, 12.5),
        *responses("createBookings", "bookings[0].infant_price", None, 0),
        *responses("createBookings", "bookings[0].total_price", 1, 99999),
        *responses("createBookings", "bookings[0].passenger_count", 0, 7),
    ],
    "OPEN-86": [
        [
            exchange("createRequests", sent=put(f"bags.{FLIGHT}.checked[2]", {"quantity": 1, "weight": 99})),
            exchange("createBookings", after=1),
        ]
    ],
    "OPEN-90": [
        *rejections(sending("createBookings", put("customer_code", "X")), 400, 403, 404, 409, 422),
        *rejections(sending("createBookings", put("self_psp", value=True)), 400, 403, 404, 409, 422),
        *[
            [sending("createBookings", put("self_psp", value=True), *more)]
            for more in (
                (),
                (put("payment_method", 2),),
                (put("three_d_secure", THREE_D | {"electronic_commerce_indicator": "06"}),),
            )
        ],
        *[
            [exchange("createRequests"), unknown, exchange("createBookings", after=1, name="3")]
            for (unknown,) in rejections(sending("createBookings", put("customer_code", "X")), 422)
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
        [
            exchange("createBookings", sent=put("external_id", ""), returned=put("bookings[0].external_id", None)),
            exchange("getBookings", returned=put("bookings[0].external_id", None)),
        ],
        *responses("getBookings", "bookings[0].final_flight.id", 5),
        [exchange("createBookings"), exchange("getBookings", returned=(UNMOVED, OTHER_CLASS), after=2)],
    ],
    "OPEN-94": [
        *responses("getBookings", DATA, {"oldFlight": {"flight_id": FLIGHT}, "newFlight": {"flight_id": FLIGHT}}),
        *responses("getBookings", DATA, {"oldFlight": {}, "newFlight": {}, "segment_1_departure_date": None} | NUMBER),
        *responses("getBookings", f"{DATA}.newFlight", {"segment_3_flight_number": "IB1"}),
        *responses("getBookings", "bookings[0].flight_changes[0].created_at", 1762000000, "2 Nov 2026"),
        *responses("getBookings", "bookings[0].flight_changes[0].updated_at", None),
    ],
    "OPEN-97": [
        [exchange("createRequests"), two_requests("createBookings")],
        *rejections(two_requests("createBookings"), 409, before=[exchange("createRequests")]),
        [two_requests("createBookingsV2")],
    ],
    "OPEN-98": [
        [sending("createBookings", put("request_ids", [REQUEST, REQUEST]))],
        *[[repeated(name), retrieved(name)] for name in ("createBookings", "createBookingsV2")],
        [
            exchange(
                "createRequestsV2",
                sent=put("passengers.infants", 1),
                returned=(put("requests[0].passengers.infants", 1), put("requests[0].infant_price", 15)),
            ),
            exchange("createBookingsV2", returned=put("bookings[0].infant_count", 1)),
        ],
    ],
    "OPEN-99": [
        [sending("createRequestsV2", put("flights", [str(FLIGHT)]))],
        [
            exchange("createRequestsV2", sent=put("passengers", {})),
            exchange("createBookingsV2", returned=put("bookings[0].infant_count", 1)),
        ],
        [sending("createBookingsV2", put("luggage", {}))],
        *[
            [
                exchange("searchFlightsV2"),
                exchange("createRequestsV2"),
                exchange("createBookingsV2", sent=put(f"luggage.{REQUEST}", chosen), returned=NO_LUGGAGE),
            ]
            for chosen in ([], [{"weight": 99, "price": 0, "quantity": 1}])
        ],
        *[[exchange(name, status=201)] for name in ("createRequestsV2", "createBookingsV2")],
    ],
}
