"""Booking requests and bookings in responses, compared with their requests."""

import pytest

from airworthy.contract import Contract
from unit.contract.examples import CHANGE, RETURNED, SENT, THREE_D, Change, changed, exchange, put, rejected
from unit.contract.judging import found, last_findings, on_response, weighed
from unit.contract.v3.v3_examples import BACK, FLIGHT, NO_BAGS, REFERENCE, REQUEST

HELD = "requests[0]"
MADE = "bookings[0]"
NEW = "bookings[0].flight_changes[0].data.newFlight"


def test_booking_request_for_two_flights_returns_one() -> None:
    sent = changed(SENT["createRequests"], put("flight_ids", [FLIGHT, BACK]), put(f"bags.{BACK}", NO_BAGS))
    assert found(exchange("createRequests", sent=sent)) == [("response", "V3-REQUESTS-ANSWER", "/requests")]
    held = RETURNED["createRequests"]["requests"][0]
    both = {"requests": [held, changed(held, put("id", 4712), put("flight.id", BACK))]}
    assert found(exchange("createRequests", sent=sent, returned=both)) == []


@pytest.mark.parametrize(
    ("kind", "fee", "warns"),
    [("checked", 23.5, False), ("checked", 23.4, True), ("checked", 32.1, True), ("cabin", 14.9, True)],
)
def test_bags_fee_is_not_the_price_of_the_chosen_bags(kind: str, fee: float, warns: bool) -> None:
    found = weighed(exchange("createRequests", returned=put(f"{HELD}.bags_fee.{kind}", fee)))
    assert found == [("V3-REQUESTS-BAGS-FEE", f"/requests/0/bags_fee/{kind}", True)] * warns


@pytest.mark.parametrize(("luggage", "fee", "warns"), [(1, 23.5, False), (1, 47, True), (0, 23.5, True), (0, 0, False)])
def test_luggage_fee_is_not_the_price_of_the_chosen_luggage(luggage: int, fee: float, warns: bool) -> None:
    sent = put(f"luggage.{REQUEST}[0].quantity", luggage)
    returned = put(f"{MADE}.luggage_fee", fee), put(f"{MADE}.luggage", [])
    found = weighed(exchange("createBookingsV2", sent=sent, returned=returned))
    at = "/bookings/0/luggage_fee"
    assert [each for each in found if each[1] == at] == [("V2-BOOKING-LUGGAGE", at, True)] * warns


@pytest.mark.parametrize("operation", ["createRequests", "createRequestsV2"])
def test_booking_request_may_name_any_code_of_its_customer(operation: str) -> None:
    other = changed(RETURNED[operation], put(f"{HELD}.customer_code", "AGENCY2"))
    own = [put(f"{HELD}.customer_code", "Agency1"), put(f"{HELD}.customer.company_codes", ["FIRST-OTA", "AGENCY2"])]
    assert found(exchange(operation, returned=own[0])) == []
    assert found(exchange(operation, returned=changed(other, own[1]))) == []


@pytest.mark.parametrize("version", ["v2", "v3"])
def test_booking_request_is_for_another_customer(version: str) -> None:
    operation, rule = {"v2": "createRequestsV2", "v3": "createRequests"}[version], f"{version.upper()}-REQUESTS-ANSWER"
    other = put(f"{HELD}.customer_code", "AGENCY2")
    requested = exchange(operation, returned=other, after=1, name="later")
    booked = exchange({"v2": "createBookingsV2", "v3": "createBookings"}[version])
    listed = put(f"{HELD}.customer.company_codes", [SENT[operation]["customer_code"]])
    of_its_codes = exchange(operation, returned=changed(RETURNED[operation], other, listed), after=1, name="later")
    empty = exchange(operation, sent=put("customer_code", ""), returned=other, after=1, name="later")
    for made, softness in (
        ([booked, requested], [False]),
        ([booked, of_its_codes], [True]),
        # OPEN-90: a code may be ignored that the service does not know.
        ([requested], []),
        ([booked, empty], []),
    ):
        found = [(each, soft) for each, at, soft in weighed(*made) if at.endswith("/customer_code")]
        assert found == [(rule, soft) for soft in softness]


@pytest.mark.parametrize(
    ("price", "warns"), [(97.43, False), (194.86, False), (48.72, False), (100.35, False), (120, True)]
)
def test_price_of_a_booking_is_that_of_its_request_for_one_or_for_all(price: float, warns: bool) -> None:
    held = exchange("createRequests", returned=put(f"{HELD}.passengers.adults", 2))
    found = on_response(held, exchange("createBookings", returned=put(f"{MADE}.price", price)))
    assert found == [("V23-BOOKINGS-AS-REQUESTED", "/bookings/0/price", True)] * warns


def test_passenger_record_has_another_booking_id() -> None:
    made = RETURNED["getBookings"]["bookings"][0]
    records = [made["passengers"][0], made["passengers"][0] | {"id": 2}]
    expected = [("response", "V23-PASSENGER-RECORD", "/bookings/0/id")]
    assert found(exchange("getBookings", returned={"bookings": [made | {"passengers": records, "id": 5}]})) == expected
    records[1]["booking_id"] = 5
    expected = [("response", "V23-PASSENGER-RECORD", "/bookings/0/passengers/1/booking_id")]
    assert found(exchange("getBookings", returned={"bookings": [made | {"passengers": records}]})) == expected


def test_adult_is_marked_as_an_infant() -> None:
    at = "/bookings/0/passengers/0/is_infant"
    for born, expected in (("1985-05-02", True), ("02.05.1985", True), ("2029-05-02", False), (None, False)):
        record = RETURNED["getBookings"]["bookings"][0]["passengers"][0] | {"is_infant": True, "date_of_birth": born}
        changes = [put(f"{MADE}.passengers[0]", record), put(f"{MADE}.infant_count", 1)]
        for operation in ("createBookings", "getBookings"):
            marked = [each for each in weighed(exchange(operation, returned=(*changes,))) if each[1] == at]
            assert marked == [("V23-PASSENGER-RECORD", at, True)] * expected


def test_canceled_infant_may_not_count() -> None:
    infant = [put(f"{MADE}.passengers[0].is_infant", True), put(f"{MADE}.passengers[0].date_of_birth", "2034-01-10")]
    changes = [*infant, put(f"{MADE}.passengers[0].canceled", True)]
    assert found(exchange("getBookings", returned=(*changes,))) == []


@pytest.mark.parametrize(("operation", "count", "soft"), [("createBookings", 2, False), ("createBookingsV2", 3, True)])
def test_bookings_made_together_have_different_references(
    whole_contract: Contract, operation: str, count: int, soft: bool
) -> None:
    named = [put("request_ids", [*range(count)])]
    if operation == "createBookingsV2":
        chosen = SENT[operation]["luggage"][str(REQUEST)]
        named = [put("requests", [*range(count)]), put("luggage", {str(each): chosen for each in range(count)})]
    made = RETURNED[operation]["bookings"][0]
    bookings = [made | {"id": number, "request_id": number, "passengers": []} for number in range(count)]
    assert whole_contract.judge(exchange(operation, sent=(*named,), returned={"bookings": bookings})) == []
    bookings[1:] = [each | {"cp_reference": f"CPXX9{each['id']}"} for each in bookings[1:]]
    (finding,) = whole_contract.judge(exchange(operation, sent=(*named,), returned={"bookings": bookings}))
    place = f"/bookings/{count - 1}/cp_reference"
    assert (finding.rule, finding.pointer, finding.soft) == ("V23-BOOKINGS-TOGETHER", place, soft)
    assert REFERENCE not in repr(finding)


@pytest.mark.parametrize("operation", ["createBookings", "createBookingsV2"])
@pytest.mark.parametrize("indicator", ["06", "01"])
def test_booking_succeeds_although_authentication_was_only_attempted(operation: str, indicator: str) -> None:
    secure = THREE_D | {"electronic_commerce_indicator": indicator}
    made = exchange(operation, sent=SENT[operation] | {"three_d_secure": secure})
    assert found(made) == [("response", "V23-3DS-FAILED", "status")]
    assert found(rejected(made, 422)) == []


@pytest.mark.parametrize(
    "change",
    [
        put("flight_changes[0].data.segment_2_origin_terminal_label", "T4"),
        put("flight_changes[0].data.newFlight.segment_1_destination_timezone", "Europe/Madrid"),
    ],
)
def test_allowed_booking_has_no_findings(change: Change) -> None:
    booking = changed(RETURNED["getBookings"]["bookings"][0], change)
    assert found(exchange("getBookings", returned={"bookings": [booking]})) == []


def test_finding_names_the_key_of_a_schedule_change() -> None:
    assert CHANGE["data"]["newFlight"]
    (finding,) = last_findings(exchange("getBookings", returned=put(f"{NEW}.segment_1_departure_date", "soon")))
    assert finding.message == (
        'segment_1_departure_date of a new flight is "soon", not a date and time (YYYY-MM-DD HH:mm:ss)'
    )
