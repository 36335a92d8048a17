"""Responses that contradict earlier ones: resources that are not found again or differ from before."""

from dataclasses import replace
from http import HTTPStatus

import pytest

from airworthy.contract import Exchange, Response
from exchange_parts import authorized, changed_request
from unit.contract.all_examples import BEFORE, family
from unit.contract.examples import BASE, JSON, OFFER, RETURNED, dated, drop, exchange, money, put, rejected
from unit.contract.judging import Weighed, last_findings, on_response
from unit.contract.v3 import v3_examples as trips

OTHER_ID = "0f0f0f0f-0000-4000-8000-000000000001"


def by_another(made: Exchange) -> Exchange:
    return authorized(made, "another-key")


def not_found(operation: str, after: float = 2.0, status: int = 404, query: str = "") -> Exchange:
    made = exchange(operation, name="late", after=after)
    asked = changed_request(made, url=made.request.url + query)
    return rejected(asked, status, HTTPStatus(status).phrase)


@pytest.mark.parametrize(
    ("before", "operation", "rule", "soft"),
    [
        (("createOrder", "confirmOrder"), "getOrder", "V4-ORDER-READ", False),
        (("createOrder",), "getOrder", "V4-ORDER-READ", True),
        (("createOrder", "confirmOrder"), "getReservation", "V4-RESERVATION-MATCHES-ORDER", False),
        (("createOrder", "confirmOrder"), "findReservation", "V4-RESERVATION-MATCHES-ORDER", False),
        (("findReservation",), "getReservation", "V4-RESERVATION-MATCHES-ORDER", False),
        (("getReservation",), "findReservation", "V4-RESERVATION-MATCHES-ORDER", False),
        (("getOffer",), "getBaggage", "V4-OFFER-RETENTION", False),
    ],
)
def test_resource_is_not_found_later(before: tuple[str, ...], operation: str, rule: str, soft: bool) -> None:
    seen = [exchange(each, name=each, after=number) for number, each in enumerate(before)]
    assert on_response(*seen, not_found(operation)) == [(rule, "status", soft)]
    assert on_response(*seen, by_another(not_found(operation))) == []
    assert on_response(not_found(operation)) == []
    for status, expected in ((400, [(rule, "status", soft)]), (422, [(rule, "status", soft)]), (403, []), (429, [])):
        assert on_response(*seen, not_found(operation, status=status)) == expected
    # A parameter that is not documented may be rejected (OPEN-47).
    more = "&details=true" if operation == "findReservation" else "?details=true"
    assert on_response(*seen, not_found(operation, status=400, query=more)) == []


@pytest.mark.parametrize(("confirmed", "is_open"), [((), True), (("confirmOrder",), False)])
def test_order_that_was_not_booked_may_be_deleted(confirmed: tuple[str, ...], is_open: bool) -> None:
    seen = [exchange(each, name=each) for each in ("createOrder", *confirmed)]
    [found] = (each for each in last_findings(*seen, not_found("getOrder")) if each.side == "response")
    assert ("OPEN-71" in found.message) is is_open


def test_offer_or_order_is_not_found_by_the_request_that_needs_it() -> None:
    """A second order of an offer, a second confirmation and an older order may be rejected in any way."""
    offered, made, confirmed = (exchange(each, name=each) for each in ("getOffer", "createOrder", "confirmOrder"))
    for before, operation, rule in (
        ((offered,), "createOrder", "V4-OFFER-RETENTION"),
        ((offered, made), "confirmOrder", "V4-ORDER-READ"),
        ((made,), "confirmOrder", "V4-ORDER-READ"),
    ):
        late, other = not_found(operation, after=0.9), not_found(operation, after=0.9, status=422)
        assert on_response(*before, late) == [(rule, "status", True)]
        for allowed in (by_another(late), other, not_found(operation, after=31)):
            assert on_response(*before, allowed) == []
    assert on_response(offered, made, not_found("createOrder")) == []
    assert on_response(made, not_found("confirmOrder")) == []
    for other in (confirmed, replace(confirmed, response=None), rejected(confirmed, 406, "Not Acceptable")):
        assert on_response(made, other, not_found("confirmOrder", after=0.9)) == []


def test_one_way_offer_has_inbound_baggage_options() -> None:
    inbound = "fareBaggageOptions[0].inboundSegmentOptions"
    option = RETURNED["getBaggage"]["fareBaggageOptions"][0]["outboundSegmentOptions"][0]
    for options, expected in ((None, []), ([], []), ([option], [("V4-BAGGAGE-OPTIONS", True)])):
        bags = exchange("getBaggage", returned=put(inbound, options), after=1)
        assert [(rule, soft) for rule, _, soft in on_response(exchange("getOffer"), bags)] == expected
        assert on_response(bags) == []


@pytest.mark.parametrize(("minutes", "rules"), [(1, ["V4-OFFER-RETENTION"]), (31, [])])
def test_offer_is_not_found_after_the_clock_of_the_service_was_moved(minutes: int, rules: list[str]) -> None:
    late = not_found("getBaggage")
    moved = dated(late, 2.0 + minutes)
    assert [rule for rule, _, _ in on_response(exchange("getOffer"), moved)] == rules


def test_offer_may_be_stored_long_before_its_response_is_complete() -> None:
    slow = replace(exchange("getOffer"), elapsed=90.0)
    assert on_response(slow, not_found("getBaggage", after=30.5)) == []
    assert on_response(slow, not_found("getBaggage", after=29)) == [("V4-OFFER-RETENTION", "status", False)]


def test_get_fares_of_a_live_offer_is_empty() -> None:
    offer = exchange("getOffer")
    soon, late = (exchange("getFares", returned={"fares": []}, after=after) for after in (0, 31))
    assert on_response(offer, soon) == [("V4-FARES-LIVE", "/fares", True)]
    assert on_response(offer, late) == on_response(offer, by_another(soon)) == []


@pytest.mark.parametrize(("after", "soft"), [(2, False), (90, True)])
def test_reservation_has_other_flights_than_its_order(after: int, soft: bool) -> None:
    made = [exchange(each, name=each) for each in ("getOffer", "createOrder", "confirmOrder")]
    late = exchange("getReservation", returned=put("outboundSegment.sections[0].origin", "JFK"), after=after)
    assert on_response(*made, late) == [("V4-RESERVATION-MATCHES-ORDER", "/outboundSegment/sections/0/origin", soft)]


@pytest.mark.parametrize(("listed", "soft"), [(36.88, []), (50, [True])])
def test_order_has_another_fare_with_the_price_of_the_cheapest(listed: float, soft: list[bool]) -> None:
    """The fare of an order costs what Get Fares lists, if it lists total prices (OPEN-03)."""
    fares = exchange("getFares", returned={"fares": [{"id": OTHER_ID.upper(), "totalPrice": money(listed)}]})
    url = f"{BASE}/v4/order?offerId={OFFER}&fareId={OTHER_ID}"
    order = exchange("createOrder", url=url, returned=put("offer.fare.id", OTHER_ID))
    found = [("V4-ORDER-OFFER", "/offer/fare/totalPrice/amount", each) for each in soft]
    assert on_response(exchange("getOffer"), fares, order) == found


@pytest.mark.parametrize("place", ["email", "customerContact.email"])
def test_reservation_has_two_email_addresses(place: str) -> None:
    read = exchange("getReservation", returned=put(place, "x@example.com"))
    assert on_response(read) == [("V4-RESERVATION-MATCHES-ORDER", "/email", True)]


@pytest.mark.parametrize("status", [0, 400, 402, 403, 406, 422])
def test_order_is_booked_after_its_confirmation_was_refused(status: int) -> None:
    declined = exchange("confirmOrder", returned=(put("status", "FAILED"), drop("reservationId")), name="2", after=1)
    declined = rejected(declined, status, "") if status else declined
    read, reserved = exchange("getOrder", name="4", after=3), exchange("findReservation", name="4", after=3)
    wrong = ("V4-CONFIRM-FAILED-STATUS", "/status", True), ("V4-RESERVATION-BEFORE-BOOKING", "status", True)
    for made, defect in zip((read, reserved), wrong, strict=True):
        assert on_response(exchange("createOrder"), declined, made) == [defect]
        again = exchange("confirmOrder", name="3", after=2)
        for other in (again, replace(again, response=None), rejected(again, 500, "Internal Server Error")):
            assert on_response(exchange("createOrder"), declined, other, made) == []
            assert on_response(exchange("createOrder"), other, declined, made) == []
        duplicate = rejected(declined, 409, "Conflict")
        assert on_response(exchange("createOrder"), duplicate, made) == []


@pytest.mark.parametrize("operation", ["getReservation", "findReservation"])
def test_order_that_failed_has_a_reservation(operation: str) -> None:
    """Its confirmation has no response."""
    lost = replace(exchange("confirmOrder", name="2", after=1), response=None)
    failed = exchange("getOrder", returned=(put("status", "FAILED"), drop("reservationId")), name="3", after=2)
    read = exchange(operation, name="4", after=3)
    wrong = [("V4-RESERVATION-BEFORE-BOOKING", "status", True)]
    assert on_response(exchange("createOrder"), lost, failed, read) == wrong
    assert on_response(exchange("createOrder"), lost, read) == []


def test_order_has_a_reservation_before_it_is_booked() -> None:
    rule = "V4-RESERVATION-BEFORE-BOOKING"
    seen = exchange("createOrder"), exchange("findReservation", name="2", after=1)
    for status in ("OPEN", "FAILED"):
        read = exchange("getOrder", returned=(put("status", status), drop("reservationId")), name="3", after=2)
        assert on_response(*seen, read) == [(rule, "/status", False)]
        assert on_response(seen[1], read) == [(rule, "/status", False)]
    assert on_response(*seen, exchange("confirmOrder", name="3", after=2)) == [(rule, "status", False)]
    assert on_response(*seen, exchange("getOrder", name="3", after=2)) == []
    overlapping = exchange("createOrder"), exchange("findReservation", name="2", after=1, elapsed=90)
    assert on_response(*overlapping, exchange("confirmOrder", name="3", after=2)) == []


def test_total_of_an_order_changes() -> None:
    left_open = put("reservationId", None), put("status", "OPEN")
    for more, soft in ((left_open, False), ((), True)):
        read = exchange("getOrder", returned=(put("totalPrice.amount", 200.0), *more), after=1)
        found = on_response(exchange("createOrder"), read)
        assert found == [("V4-ORDER-READ", "/totalPrice/amount", soft)]


@pytest.mark.parametrize("status", [301, 303, 307])
def test_redirect_warns(status: int) -> None:
    made = replace(exchange("getOrder"), response=Response(status, JSON, b""))
    assert on_response(made) == [("V4-SUCCESS-STATUS", "status", True)]
    unmodified = replace(made, response=Response(304, (), b""))
    assert on_response(unmodified) == []


# v3 and v2


def page(query: str, cursor: str | None, **found_flight: object) -> Exchange:
    returned = {"results": [trips.flight(bags=trips.BAGS, **found_flight)], "next_page_id": cursor}
    return trips.queried("searchFlights", query, returned=returned)


def test_next_page_breaks_the_filters_of_its_search() -> None:
    query, other = f"{trips.WINDOW}&seats=2", f"{trips.WINDOW}&seats=1"
    late = trips.times("2035-03-21 10:00:00", "2035-03-21 11:20:00") | {"id": 4711, "available_seats": 1}
    first, further = page(query, "c1"), page(f"{query}&next_page_id=c1", None, **late)
    assert on_response(first, further) == [
        ("V23-FLIGHTS-WINDOW", "/results/0/departure_date", False),
        ("V23-FLIGHTS-SEATS", "/results/0/available_seats", False),
    ]
    # A cursor with other filters, and an unknown cursor, are open (OPEN-80).
    assert on_response(first, page(f"{other}&next_page_id=c1", None, **late)) == []
    assert on_response(further) == []


def test_round_trip_fare_has_too_few_seats() -> None:
    query = f"{trips.WINDOW}&returnStart=2035-03-19&returnEnd=2035-03-21&seats=9"
    made = trips.queried("searchRoundTrips", query, returned=put("fares[0].available_seats", 4))
    assert on_response(made) == [("V23-FLIGHTS-SEATS", "/fares/0/available_seats", False)]


def test_bookings_are_not_found_by_their_own_client() -> None:
    made = [exchange(each, name=each) for each in ("createRequests", "createBookings")]
    missing = replace(exchange("getBookings", after=1), response=Response(404, (), b""))
    none = exchange("getBookings", returned={"bookings": []}, after=1)
    refused = replace(missing, response=Response(400, (), b""))
    for each in (missing, refused):
        assert on_response(*made, each) == [("V23-LOOK-UP", "status", False)]
    assert on_response(*made, none) == [("V23-LOOK-UP", "/bookings", False)]
    assert on_response(*made, by_another(missing)) == on_response(*made, by_another(none)) == []


def test_booking_is_of_another_flight_than_its_booking_request() -> None:
    other = put("bookings[0].flight_id", 5), put("bookings[0].flight.id", 5)
    booked = exchange("createBookings", returned=other, after=1)
    places = on_response(exchange("createRequests"), booked)
    assert ("V23-BOOKINGS-BOOK", "/bookings/0/flight_id", False) in places
    assert {place for _, place, _ in places} == {"/bookings/0/flight_id"}


# Another customer


FOREIGN = {
    "getFares": "V4-FARES-FOREIGN",
    "createOrder": "V4-OFFER-FOREIGN",
    "confirmOrder": "V4-ORDER-FOREIGN",
    "getOrder": "V4-ORDER-FOREIGN",
    "getReservation": "V4-RESERVATION-FOREIGN",
    "findReservation": "V4-RESERVATION-FOREIGN",
    "cancelRequest": "V23-FOREIGN",
    "createBookings": "V23-FOREIGN",
    "getBookings": "V23-FOREIGN",
}


@pytest.mark.parametrize("operation", FOREIGN)
def test_resource_of_another_customer_only_warns(operation: str) -> None:
    before = [exchange(each, name=each, after=at / 10) for at, each in enumerate(BEFORE[operation])]

    def judged(code: str) -> Weighed:
        if family(operation) == "V4":
            own = exchange("searchOffers", sent=put("customerCode", code), name="own", after=1)
        else:
            returned = put("requests[0].id", 99), put("requests[0].customer_code", code)
            own = exchange("createRequests", sent=put("customer_code", code), returned=returned, name="own", after=1)
        sent = put("customer_code", code) if operation == "createBookings" else None
        late = exchange(operation, name="late", after=2, sent=sent)
        return on_response(*before, by_another(own), by_another(late))

    assert (FOREIGN[operation], "status", True) in judged("ANOTHER")
    assert judged("first-ota ") == judged("FIRST-OTA") == []
    assert on_response(*before, by_another(exchange(operation, name="late", after=2))) == []
