"""What no sentence of the documents says: a service that behaves so causes a warning of the rule, or no finding."""

from dataclasses import replace
from importlib import import_module

import pytest

from airworthy.contract import Exchange, Response
from airworthy.contract.bodies.body import Json
from unit.contract import examples as v4
from unit.contract.examples import JSON, RETURNED, SENT, THREE_D, Change, changed, exchange, put
from unit.contract.open_questions.bookings import bookings_of
from unit.contract.open_questions.stories import Stories, Story, against_the_service, blamed, bodies, rejections
from unit.contract.v3 import v3_examples as v3
from unit.contract.v3.v3_examples import REQUEST

OTHER = "00000000-0000-4000-8000-000000000000"
NO_SUCH_DAY = "2027-02-30"
NO_OFFERS: Json = {"offers": []}
NOTHING: Json = {"results": [], "next_page_id": None}
STATUSES = (400, 404, 409, 422)


def made(operation: str, *changes: Change, after: float = 0.0, name: str = "1") -> Exchange:
    """Return a documented exchange whose response has some changes."""
    return exchange(operation, returned=(*changes,), after=after, name=f"{operation} {name}")


def another_order(operation: str) -> Exchange:
    """Return the exchange of another order of the same offer."""
    url = f"https://service.example/v4/order/{OTHER}/confirm" if operation == "confirmOrder" else ""
    return exchange(operation, returned=put("id", OTHER), name=f"other {operation}", url=url)


def of_an_impossible_day(operation: str, place: str, *accepted: Json) -> list[Story]:
    time = "T10:00:00" if operation == "getOffer" else ""
    sent = exchange(operation, sent=put(place, NO_SUCH_DAY + time))
    answers = [replace(sent, response=Response(200, JSON, v4.as_bytes(body))) for body in accepted]
    return [*[[each] for each in answers], *rejections(sent, *STATUSES)]


def of_two_requests(after: float) -> Exchange:
    return exchange("createBookings", sent=SENT["createBookings"] | {"request_ids": [REQUEST, 4712]}, after=after)


((DECLINED_TOGETHER,),) = bodies(of_two_requests(1), 422, b'{"code": "card_declined"}')
((CHALLENGED,),) = bodies(exchange("createBookings", after=1), 402, b'{"code": "authentication_required"}')
WITH_RESULTS = exchange("createBookings", sent=SENT["createBookings"] | {"three_d_secure": THREE_D}, after=2, name="3")
ORDERED = changed(RETURNED["createOrder"], put("passengers[0].birthDate", NO_SUCH_DAY))
TWO_DAYS = 2 * 24 * 60.0
TWO_ONE_WAY = bookings_of("getBookings", 1, 2)
HELD, BOOKED = "requests[0]", "bookings[0]"

SILENT: Stories = {
    "a search of a day that does not exist": [
        *of_an_impossible_day("searchOffers", "outboundSegment.departureDate", NO_OFFERS),
        [v3.queried("searchFlights", f"origin=MAD&destination=FCO&start={NO_SUCH_DAY}", returned=NOTHING)],
        *rejections(v3.queried("searchFlights", f"origin=MAD&destination=FCO&start={NO_SUCH_DAY}"), *STATUSES),
    ],
    "an offer and an order of a day that does not exist": [
        *of_an_impossible_day("getOffer", "outboundSegment.sections[0].departureDate"),
        *of_an_impossible_day("createOrder", "passengers[0].birthDate", ORDERED),
    ],
    "a value of an earlier revision": [
        [exchange("createOrder", sent=put("passengers[0].type", "ADULT"))],
        [exchange("createOrder", sent=SENT["createOrder"] | {"paymentMethod": {"cash": True}})],
    ],
    "OPEN-73: another order of an offer that is booked": [
        [*(made("getOffer"), made("createOrder"), another_order("createOrder"), another_order("confirmOrder")), last]
        for last in (
            made("getOrder", put("status", "FAILED"), put("reservationId", None), after=1),
            *(story[0] for story in rejections(exchange("getOrder", after=1), 404)),
        )
    ],
    "OPEN-97: a common payment that fails aborts one of two booking requests": [
        [exchange("createRequests"), DECLINED_TOGETHER, exchange("createBookings", after=2, name="3")]
    ],
    "a reservation that is looked for while its order is confirmed": rejections(
        exchange("findReservation", after=0.9, elapsed=60.0),
        404,
        before=[made("createOrder"), made("confirmOrder", after=1)],
    ),
    "a number below 0, of which only an upper limit is documented": [
        [exchange(name, sent=put(place, -1), returned=put(f"{HELD}.{shown}", value))]
        for name, place, shown, value in (
            ("createRequestsV2", "passengers.children", "passengers.children", -1),
            ("createRequests", f"bags.{v3.FLIGHT}.checked[0].quantity", "bags_fee.checked", 0),
        )
    ],
}

UNWRITTEN = {
    "V4-SUCCESS-STATUS": ("getOrder", "getReservation"),
    "V23-SUCCESS-STATUS": ("getBookings", "searchFlightsV2"),
}
# By the rule that warns.
WARNED: Stories = {
    **{
        rule: [[replace(made(name), response=Response(203, JSON, v4.as_bytes(RETURNED[name])))] for name in operations]
        for rule, operations in UNWRITTEN.items()
    },
    "V23-BOOKINGS-AS-REQUESTED": [
        [made("createRequests"), made("createBookings", put(f"{BOOKED}.price", 81.3), after=1)],
        [made("createRequests"), made("createBookings", put(f"{BOOKED}.bags_fee.checked", 36), after=1)],
    ],
    "V23-BOOKINGS-BOOK": [
        [
            made("createRequests", put(f"{HELD}.created_at", "2026-11-01T10:00:00")),
            made("createBookings", put(f"{BOOKED}.created_at", "2026-11-01 05:00:00"), after=1),
        ]
    ],
    "V23-FLIGHTS-ANSWER": [[made("searchFlights", put("next_page_id", ""))]],
    "V23-LOOK-UP": [
        *rejections(exchange("getBookings", after=TWO_DAYS), 404, before=[made("createBookings")]),
        [exchange("getBookings", returned={"bookings": [changed(each, put("type", None)) for each in TWO_ONE_WAY]})],
    ],
    "V23-BOOKING-STATUS": [[made("createBookings", put(f"{BOOKED}.status", each))] for each in ("CANCELED", "CHANGED")],
    "V23-BOOKINGS-PAYMENT-FAILS": [[exchange("createRequests"), CHALLENGED, WITH_RESULTS]],
    "V23-FLIGHT-INFANTS-UNAVAILABLE": [
        [made("createRequests", put(f"{HELD}.flight.infant_price", None), put(f"{HELD}.infant_price", 0))]
    ],
    "V23-REQUESTS-FLIGHT": [
        [
            made("searchFlights"),
            made(
                "createRequests",
                *(
                    put(f"{HELD}.flight.{name}", value)
                    for name, value in v3.times("2035-03-14 10:05:00", "2035-03-14 11:25:00").items()
                ),
            ),
        ]
    ],
    "V4-ORDER-READ": [
        [made("createOrder"), made("confirmOrder", put("totalPrice.amount", 200.0), after=1)],
        *rejections(
            exchange("getOrder", after=TWO_DAYS), 404, before=[made("createOrder"), made("confirmOrder", after=1)]
        ),
    ],
    "V4-RESERVATION-MATCHES-ORDER": [
        story
        for name in ("getReservation", "findReservation")
        for story in rejections(exchange(name, after=TWO_DAYS), 404, before=[made("createOrder"), made("confirmOrder")])
    ],
}


def test_behaviour_of_several_items_is_not_a_violation() -> None:
    assert blamed(SILENT) == {}


@pytest.mark.parametrize(("rule", "story"), [(rule, story) for rule, stories in WARNED.items() for story in stories])
def test_undocumented_behaviour_only_warns(rule: str, story: Story) -> None:
    assert [(each.rule, each.soft) for each in against_the_service(story)] == [(rule, True)]


def test_unknown_member_of_a_schedule_change_is_drift_only() -> None:
    looks = [made("getBookings", put(f"{BOOKED}.flight_changes[0].data.trace", trace)) for trace in (1, 2)]
    assert {(each.rule, each.kind) for each in against_the_service(looks)} == {("V23-UNKNOWN-FIELDS", "drift")}


def test_restarted_test_system_may_use_its_ids_again() -> None:
    elsewhere = [put("destination.iata_code", "IBZ"), put("segments[0].destination.iata_code", "IBZ")]
    other = changed(v3.flight(bags=v3.BAGS), *elsewhere, put("price", 120))
    before = [exchange(name, name=name) for name in ("searchFlights", "createRequests", "createBookings")]
    after = [
        v3.queried(
            "searchFlights", v3.WINDOW.replace("FCO", "IBZ"), returned={"results": [other], "next_page_id": None}
        ),
        made("createRequests", put(f"{HELD}.flight", other), put(f"{HELD}.price", 120), after=3, name="2"),
        made(
            "createBookings",
            *(put(f"{BOOKED}.flight", other), put(f"{BOOKED}.price", 120), put(f"{BOOKED}.cp_reference", "CPZZ99")),
            after=3,
            name="2",
        ),
    ]
    assert {each.soft for each in against_the_service([*before, *after])} <= {True}


@pytest.mark.parametrize(
    "module",
    ["booking_requests", "bookings", "confirmations", "flights", "http_of_v3", "http_of_v4", "offers", "orders"],
)
def test_undocumented_behaviour_is_not_a_violation(module: str) -> None:
    conforming = import_module(f"unit.contract.open_questions.{module}").CONFORMING
    assert conforming
    assert blamed(conforming) == {}
