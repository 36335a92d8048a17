"""Rules of v2 and v3 that need several exchanges."""

from dataclasses import replace

import pytest

from airworthy.contract import Contract, Conversation, Exchange, InMemoryStore, Response
from unit.contract import examples as v4
from unit.contract.examples import (
    BEARER_HEADERS,
    JSON,
    RETURNED,
    SENT,
    THREE_D,
    Change,
    changed,
    dated,
    drop,
    exchange,
    put,
    rejected,
)
from unit.contract.judging import expect_mistake, found, last_findings, on_request, shown, weighed
from unit.contract.v3.v3_examples import BACK, BOOKING, FLIGHT, NO_BAGS, PASSENGER, REQUEST, flight, queried

INTERFACES = ("v2", "v3")
REQUESTED = {"v2": "createRequestsV2", "v3": "createRequests"}
BOOKED = {"v2": "createBookingsV2", "v3": "createBookings"}
RETRIEVED = {"v2": "getBookingsV2", "v3": "getBookings"}
NAMED = {"v2": "/requests/0", "v3": "/request_ids/0"}
MADE = "bookings[0]"
BAG = f"bags.{FLIGHT}"
PASSPORT = PASSENGER | {"passport_number": "XDA123456"}


def declined(version: str, status: int = 422, body: bytes = b'{"code": "card_declined"}') -> Exchange:
    return replace(exchange(BOOKED[version], after=1), response=Response(status, JSON, body))


# The end of a booking request


@pytest.mark.parametrize("version", INTERFACES)
@pytest.mark.parametrize(("minutes", "broken"), [(2.9, False), (4, False), (5.05, False), (6, True), (600, True)])
def test_expired_booking_request_is_booked(version: str, minutes: float, broken: bool) -> None:
    late = exchange(BOOKED[version], after=minutes, name="2")
    expect_mistake([exchange(REQUESTED[version])], late, "V23-REQUEST-LIFETIME", NAMED[version], broken=broken)


@pytest.mark.parametrize(("recorded", "by_the_service", "broken"), [(6, 2, False), (2, 6, False), (6, 6, True)])
def test_booking_request_has_expired_only_if_both_clocks_say_so(
    recorded: float, by_the_service: float, broken: bool
) -> None:
    late = dated(rejected(exchange("createBookings", after=recorded), 409), by_the_service)
    judged = found(dated(exchange("createRequests"), 0), late)
    assert judged == ([("request", "V23-REQUEST-LIFETIME", "/request_ids/0")] if broken else [])


def test_dates_of_a_service_whose_clock_the_suite_moves_do_not_count(whole_contract: Contract) -> None:
    conversation = Conversation(dates=False)
    late = dated(rejected(exchange("createBookings", after=6), 409), 1)
    requested, found = (
        whole_contract.judge(each, conversation) for each in (dated(exchange("createRequests"), 0), late)
    )
    assert ([each.rule for each in requested], [each.rule for each in found]) == ([], ["V23-REQUEST-LIFETIME"])


def test_cancelled_booking_request_is_booked() -> None:
    before = [exchange("createRequests"), exchange("cancelRequest", after=1)]
    late = exchange("createBookings", after=2, name="3")
    expect_mistake(before, late, "V3-BOOKINGS-CANCELLED", "/request_ids/0", 404)
    unsuccessful = exchange("cancelRequest", returned={"success": False}, after=4)
    assert found(before[0], unsuccessful, exchange("createBookings", after=4.5)) == []
    assert found(before[0], rejected(before[1], 404), late) == []


@pytest.mark.parametrize(("by_the_service", "broken"), [(2, False), (4, True)])
def test_cancellation_comes_first_only_by_both_clocks(by_the_service: float, broken: bool) -> None:
    before = [exchange("createRequests"), dated(exchange("cancelRequest", after=1), 3)]
    late = dated(rejected(exchange("createBookings", after=2, name="3"), 409), by_the_service)
    assert found(*before, late) == ([("request", "V3-BOOKINGS-CANCELLED", "/request_ids/0")] if broken else [])


@pytest.mark.parametrize("version", INTERFACES)
def test_booking_request_is_booked_twice(version: str) -> None:
    before = [exchange(REQUESTED[version]), exchange(BOOKED[version], after=1)]
    again = exchange(BOOKED[version], after=2, name="3")
    expect_mistake(before, again, "V23-BOOKINGS-ONCE", NAMED[version])
    at_once = exchange(BOOKED[version], after=1, name="4")
    assert found(*before, at_once) == [("response", "V23-BOOKINGS-ONCE", "status")]
    assert found(*before, before[1]) == []
    assert found(before[0], rejected(before[1], 409), again) == []


def test_booking_request_ends_twice_at_the_same_time() -> None:
    requested, booked = exchange("createRequests"), exchange("createBookings", after=1, name="2")
    cancelled = exchange("cancelRequest", after=1, name="3")
    either = [("response", "V3-CANCEL-OR-BOOK", "status")]
    assert found(requested, booked, cancelled) == found(requested, cancelled, booked) == either
    again = exchange("cancelRequest", after=1, name="4")
    assert found(requested, cancelled, again) == [("response", "V3-CANCEL-PENDING", "status")]
    assert found(requested, cancelled, rejected(again, 409)) == found(requested, cancelled, rejected(booked, 409)) == []


AUTHENTICATION_ATTEMPTED = put("three_d_secure", THREE_D | {"electronic_commerce_indicator": "06"})


@pytest.mark.parametrize("version", INTERFACES)
@pytest.mark.parametrize(
    ("attempted", "rejection", "softness"),
    [
        (False, (422, b'{"code": "card_declined"}'), [False]),
        (False, (400, b"insufficient_funds"), [False]),
        (False, (400, b'{"code": "generic_decline"}'), [False]),
        (False, (422, b'{"code": "authentication_required"}'), [True]),
        (False, (422, b"three_d_secure is missing"), []),
        (False, (402, b""), [False]),
        (False, (422, b"customer_code is unknown"), []),
        (False, (422, b""), [True]),
        (False, (422, b'{"message": "Unprocessable Entity"}'), [True]),
        (False, (409, b""), []),
        (False, (500, b'{"code": "card_declined"}'), []),
        (True, (422, b""), [False]),
        (True, (422, b'{"field": "three_d_secure.electronic_commerce_indicator"}'), [False]),
        (True, (402, b""), [False]),
        (True, (422, b"customer_code is unknown"), []),
        # The service has not tried the payment.
        (True, (400, b""), []),
    ],
)
def test_booking_request_is_booked_after_its_payment_failed(
    version: str, attempted: bool, rejection: tuple[int, bytes], softness: list[bool]
) -> None:
    first = exchange(BOOKED[version], sent=AUTHENTICATION_ATTEMPTED if attempted else None, after=1)
    status, body = rejection
    before = [exchange(REQUESTED[version]), replace(first, response=Response(status, JSON, body))]
    again = exchange(BOOKED[version], after=2, name="3")
    sent, accepted = (
        [("V23-BOOKINGS-PAYMENT-FAILS", place, soft) for soft in softness] for place in (NAMED[version], "status")
    )
    assert weighed(*before, again) == [*sent, *accepted]
    assert weighed(*before, rejected(again, 403)) == sent


@pytest.mark.parametrize("version", ["v2", "v3"])
def test_attempt_that_is_rejected_before_its_payment_aborts_nothing(version: str) -> None:
    incomplete = AUTHENTICATION_ATTEMPTED, drop("three_d_secure.version")
    # A service may know other notations of a gender only (OPEN-83).
    refused = AUTHENTICATION_ATTEMPTED, put("gender", "")
    others = (("Authorization", "Bearer another-token"), *BEARER_HEADERS[1:])
    for sent, headers in ((incomplete, BEARER_HEADERS), (AUTHENTICATION_ATTEMPTED, others), (refused, BEARER_HEADERS)):
        attempted = exchange(BOOKED[version], sent=sent, headers=headers, after=1)
        rejection = replace(attempted, response=Response(422, JSON, b""))
        again = exchange(BOOKED[version], after=2, name="3")
        found = weighed(exchange(REQUESTED[version]), rejection, again)
        assert [rule for rule, _, soft in found if not soft and rule == "V23-BOOKINGS-PAYMENT-FAILS"] == []


def test_booking_is_repeated_for_another_customer() -> None:
    before = [exchange("createRequests"), declined("v3", 422, b"")]
    for name, value, is_the_same in (("payment_method", "pm_2", True), ("customer_code", "AGENCY2", False)):
        again = rejected(exchange("createBookings", sent=put(name, value), after=2, name="3"), 403)
        wrong = ("request", "V23-BOOKINGS-PAYMENT-FAILS", "/request_ids/0")
        assert found(*before, again) == [wrong] * is_the_same
    assert found(*before, exchange("cancelRequest", after=2, name="3")) == []


@pytest.mark.parametrize("version", INTERFACES)
@pytest.mark.parametrize(
    ("after", "status", "broken"), [(2, 409, True), (2, 404, True), (2, 403, False), (2, 400, False), (4, 409, False)]
)
def test_booking_an_aborted_booking_request_is_not_rejected_with_403(
    version: str, after: float, status: int, broken: bool
) -> None:
    again = rejected(exchange(BOOKED[version], after=after, name="3"), status)
    sent = ("request", "V23-BOOKINGS-PAYMENT-FAILS", NAMED[version])
    rejection = [("response", "V23-BOOKINGS-PAYMENT-FAILS", "status")] if broken else []
    assert found(exchange(REQUESTED[version]), declined(version), again) == [sent, *rejection]


@pytest.mark.parametrize(
    ("ids", "status", "softness"),
    [
        # One of the two is aborted, whichever it is (OPEN-97).
        ([REQUEST, 4712], 200, [("/request_ids/0", False), ("status", False)]),
        ([4712, REQUEST, 4713], 200, [("/request_ids/1", False)]),
        ([REQUEST, 4712], 409, [("/request_ids/0", False), ("status", False)]),
        ([REQUEST, 4713], 409, []),
        ([REQUEST], 200, []),
    ],
)
def test_booking_requests_are_booked_after_their_common_payment_failed(
    ids: list[int], status: int, softness: list[tuple[str, bool]]
) -> None:
    together = replace(
        declined("v3"), request=exchange("createBookings", sent=put("request_ids", [REQUEST, 4712])).request
    )
    booking = RETURNED["createBookings"]["bookings"][0]
    booked = [booking | {"id": 90 + each, "request_id": each, "flight_id": each} for each in ids[-2:]]
    again = exchange("createBookings", sent=put("request_ids", ids), returned={"bookings": booked}, after=2, name="3")
    judged = weighed(exchange("createRequests"), together, rejected(again, status) if status >= 400 else again)
    assert [(place, soft) for rule, place, soft in judged if rule == "V23-BOOKINGS-PAYMENT-FAILS"] == softness


@pytest.mark.parametrize(("request_id", "broken"), [(4712, False), (REQUEST, True)])
def test_booking_may_leave_out_an_expired_booking_request(request_id: int, broken: bool) -> None:
    sent, returned = put("request_ids[1]", 4712), put("bookings[0].request_id", request_id)
    judged = found(exchange("createRequests"), exchange("createBookings", sent=sent, returned=returned, after=9))
    assert (("response", "V23-REQUEST-LIFETIME", "status") in judged) is broken


def test_ended_booking_request_is_cancelled() -> None:
    late, unsuccessful = (
        exchange("cancelRequest", returned={"success": success}, after=2, name="3") for success in (True, False)
    )
    for end in (exchange("cancelRequest", after=1), exchange("createBookings", after=1), declined("v3")):
        expect_mistake([exchange("createRequests"), end], late, "V3-CANCEL-PENDING", "path")
        assert found(exchange("createRequests"), end, unsuccessful) == [("request", "V3-CANCEL-PENDING", "path")]


@pytest.mark.parametrize(("minutes", "broken"), [(4, False), (5.05, False), (6, True)])
def test_expired_booking_request_is_cancelled(minutes: float, broken: bool) -> None:
    late = exchange("cancelRequest", after=minutes)
    expect_mistake([exchange("createRequests")], late, "V3-CANCEL-PENDING", "path", broken=broken)


# Searches before a booking request


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (drop(f"{BAG}.checked[1]"), "checked"),
        (put(f"{BAG}.cabin[0].dimensions.width", 41), "cabin"),
        (put(f"{BAG}.cabin[0]", {"quantity": 0}), None),
        (put(f"{BAG}.checked[0].weight", 15.0), None),
        (put(f"{BAG}.checked[2]", {"quantity": 0, "weight": 40}), None),
    ],
)
def test_booking_request_lacks_a_bag_option_of_the_search(change: Change, kind: str | None) -> None:
    made, place = exchange("createRequests", sent=change, after=1), f"/bags/?/{kind}"
    expect_mistake([exchange("searchFlights")], made, "V3-BAGS-LISTED", place, 422, broken=kind is not None)


def test_bag_option_that_only_one_search_showed_may_be_absent() -> None:
    fewer = changed(RETURNED["searchFlights"], drop("results[0].bags.checked[1]"))
    made = exchange("createRequests", sent=drop(f"{BAG}.checked[1]"), after=1)
    for one, other in ((RETURNED["searchFlights"], fewer), (fewer, RETURNED["searchFlights"])):
        seen_twice = [exchange("searchFlights", returned=one), exchange("searchFlights", returned=other)]
        assert found(*seen_twice, made) == []


def test_booking_request_for_a_flight_without_bags() -> None:
    made = exchange("createRequests", sent=put(BAG, {}), after=1)
    assert found(exchange("searchFlights", returned=put("results[0].bags", {"checked": [], "cabin": None})), made) == []


def test_flights_of_a_round_trip_fare_in_the_wrong_order() -> None:
    bags = {str(each): NO_BAGS for each in (FLIGHT, BACK)}
    sent = SENT["createRequests"] | {"fare_type": "round_trip", "bags": bags}
    wrong = ("request", "V3-REQUESTS-FARE-TYPE", "/flight_ids")
    for ids, expected in (([FLIGHT, BACK], []), ([BACK, FLIGHT], [wrong])):
        made = rejected(exchange("createRequests", sent=sent | {"flight_ids": ids}), 409)
        assert found(exchange("searchRoundTrips"), made) == expected
        assert found(made) == []


@pytest.mark.parametrize(
    ("needs", "passenger", "warns"), [(True, PASSENGER, True), (True, PASSPORT, False), (False, PASSENGER, False)]
)
def test_booking_request_without_passport_data(needs: bool, passenger: dict[str, str], warns: bool) -> None:
    searched = exchange("searchFlights", returned=put("results[0].need_apis", needs))
    requested = exchange("createRequests", sent=put("passengers", [passenger]), after=1)
    held = exchange("createRequestsV2", returned=put("requests[0].flight.need_apis", needs))
    travellers = put("passengers", [passenger | {"is_infant": False}])
    booked = exchange("createBookingsV2", sent=travellers, after=1)
    for before, made in ((searched, requested), (held, booked)):
        wrong = ("V23-TRAVEL-DOCUMENTS", "/passengers/0/passport_number", True)
        assert on_request(before, made) == [wrong] * warns


# Two versions in one conversation


def test_id_of_another_version_is_drift() -> None:
    for first, second, pointer, origin in (
        ("createRequests", "createBookingsV2", "/requests/0", "v3"),
        ("createRequestsV2", "createBookings", "/request_ids/0", "v2"),
        ("createRequestsV2", "cancelRequest", "path", "v2"),
        ("searchFlights", "createRequestsV2", "/flights/0", "v3"),
        ("createBookings", "getBookingsV2", "query:cp_reference", "v3"),
    ):
        findings = shown("rule pointer drift provenance soft", exchange(first), exchange(second, after=1, name="2"))
        assert findings == [("V23-CURRENT-REVISION", pointer, "other-version", origin, True)]
        assert found(exchange(second, after=1, name="3")) == []


def test_order_id_as_a_reference_is_drift() -> None:
    lost = rejected(queried("getBookings", f"cp_reference={v4.ORDER}"), 404)
    (finding,) = last_findings(exchange("createOrder"), lost)
    assert (finding.drift, finding.provenance, finding.pointer) == ("other-version", "v4", "query:cp_reference")


def test_equal_ids_in_two_versions() -> None:
    """A v2 booking ends the v2 booking request only, even if a v3 booking request has the same id."""
    made = [exchange("createRequests"), exchange("createRequestsV2"), exchange("createBookingsV2", after=1)]
    assert found(*made, exchange("createBookings", after=2, name="4")) == []
    lost = exchange("getBookings", returned={"bookings": []}, after=3)
    assert found(*made, lost) == [("request", "V23-CURRENT-REVISION", "query:cp_reference")]


# The memory


@pytest.mark.parametrize(
    ("operation", "change", "rule", "pointer"),
    [
        ("createBookings", put(f"{MADE}.id", str(BOOKING)), "V23-BOOKING-FIELDS", "/bookings/0/id"),
        ("createBookings", put(f"{MADE}.request_id", str(REQUEST)), "V23-BOOKING-FIELDS", "/bookings/0/request_id"),
        ("createBookings", put(f"{MADE}.request_id", 4712), "V23-BOOKINGS-BOOK", "/bookings/0/request_id"),
        ("createBookings", put(f"{MADE}.flight.id", "8123"), "V23-FLIGHT-FIELDS", "/bookings/0/flight/id"),
        ("createBookings", put(f"{MADE}.flight_id", BACK), "V23-BOOKING-FIELDS", "/bookings/0/flight_id"),
        ("createBookings", put(f"{MADE}.passengers", []), "V23-BOOKINGS-BOOK", "/bookings/0/passengers"),
        ("createRequests", put("requests[0].flight.id", "8123"), "V23-FLIGHT-FIELDS", "/requests/0/flight/id"),
        ("createRequests", put("requests[0].flight.id", BACK), "V3-REQUESTS-ANSWER", "/requests/0/flight/id"),
    ],
)
def test_defect_is_not_reported_again_for_later_responses(
    operation: str, change: Change, rule: str, pointer: str
) -> None:
    story = [
        exchange(each, returned=change if each == operation else None, after=after, name=each)
        for after, each in enumerate(("createRequests", "createBookings", "getBookings"))
    ]
    expected = [place for end in range(1, 4) for place in found(*story[:end])]
    assert expected == [("response", rule, pointer)]


def test_ids_as_strings_and_integers_are_equal() -> None:
    late = rejected(exchange("createBookingsV2", sent=put("requests", [str(REQUEST)]), after=9))
    assert found(exchange("createRequestsV2"), late) == [("request", "V23-REQUEST-LIFETIME", "/requests/0")]


def test_many_searches_do_not_evict_booking_requests(whole_contract: Contract) -> None:
    memory = InMemoryStore(limit=20)
    conversation = Conversation(memory)
    whole_contract.judge(exchange("createRequests"), conversation)
    for number in range(50):
        found = [flight(id=number * 100 + each, bags={}) for each in range(10)]
        whole_contract.judge(exchange("searchFlights", returned={"results": found, "next_page_id": None}), conversation)
    assert len(memory) == 20 + 5  # flights; a request, a key, its customer, the searches, the service
    late = rejected(exchange("createBookings", after=9))
    assert [each.rule for each in whole_contract.judge(late, conversation)] == ["V23-REQUEST-LIFETIME"]


def test_long_ids_and_many_options_are_not_remembered(whole_contract: Contract) -> None:
    memory = InMemoryStore()
    options = [{"weight": number, "quantity": 1, "price": 1} for number in range(1000)]
    for each in (flight(id="x" * 1000, bags={}), flight(bags={"checked": options, "cabin": []})):
        whole_contract.judge(exchange("searchFlights", returned={"results": [each]}), Conversation(memory))
    assert len(memory) == 4  # the key, the searches, the service, and a flight without its options
