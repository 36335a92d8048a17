"""A response of v2 or v3 with one wrong member has one finding."""

import pytest

from unit.contract.examples import Change, Finder, changed, drop, put
from unit.contract.v3.v3_examples import (
    BACK,
    OPERATIONS,
    RETURNED,
    exchange,
    leaving,
    segment,
)

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
