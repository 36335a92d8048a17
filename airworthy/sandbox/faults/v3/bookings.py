"""Faults in POST bookings and GET bookings."""

import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from airworthy.sandbox.faults.changes import add, change, edit_responses, put, remove, when, with_status, with_success
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.states import BookingRequest, Shelf

_RACE = 0.15
_CREATED = ("createBookings", "createBookingsV2")
_READ = ("getBookings", "getBookingsV2")
_BOTH = (*_CREATED, *_READ)


def _secured(version: str) -> Any:  # noqa: ANN401 - a condition on any JSON
    return lambda body: (body.get("three_d_secure") or {}).get("version") == version


def _numbered(bookings: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Give each booking a reference of its own."""
    return [{**each, "cp_reference": f"{each['cp_reference']}-{at}"} for at, each in enumerate(bookings)]


def _with_change(**keys: object) -> Any:  # noqa: ANN401 - an edit of any JSON
    return add("/bookings/*/flight_changes/*/data/newFlight", **keys)


def _with_whole_flights(booking: dict[str, Any]) -> dict[str, Any]:
    data = {"oldFlight": booking["flight"], "newFlight": booking["final_flight"], "flight_id": booking["flight_id"]}
    changes = [{**each, "data": data} for each in booking["flight_changes"] or ()]
    return booking | {"flight_changes": changes}


def claim_slowly(requests: Shelf[BookingRequest], request: int, now: datetime) -> BookingRequest:
    """Look first and claim later: what a service does that has no transaction."""
    found = requests.get(request)
    if found is None:
        raise KeyError(request)
    claimed = found.claim(now)
    time.sleep(_RACE)
    return requests.put(request, claimed)


FAULTS: tuple[Fault, ...] = (
    Fault(
        "bookings-refused",
        "V23-BOOKINGS-BOOK",
        "The service rejects every v3 booking with 409",
        rejects=when("createBookings"),
        rejects_with=409,
    ),
    Fault(
        "bookings-refused-in-v2",
        "V23-BOOKINGS-BOOK",
        "The service rejects every v2 booking with 409",
        rejects=when("createBookingsV2"),
        rejects_with=409,
    ),
    Fault(
        "no-3ds-1",
        "V23-BOOKINGS-BOOK",
        "The service rejects a booking with 3D Secure version 1.0.2",
        rejects=when("createBookings", _secured("1.0.2")),
    ),
    Fault(
        "no-3ds-2.1",
        "V23-BOOKINGS-BOOK",
        "The service rejects a booking with 3D Secure version 2.1.0",
        rejects=when("createBookings", _secured("2.1.0")),
    ),
    Fault(
        "booked-nothing",
        "V23-BOOKINGS-BOOK",
        "The service responds to a booking with an empty list of bookings",
        rewrite=edit_responses(_CREATED, put("/bookings", [])),
    ),
    Fault(
        "booking-any-ids",
        "V3-BOOKINGS-REQUIRED",
        "The service accepts any value as request_ids of a booking",
        tolerates=("createBookings:/request_ids*:*",),
    ),
    Fault(
        "booking-any-customer",
        "V3-BOOKINGS-REQUIRED",
        "The service accepts any value as customer_code of a booking",
        tolerates=("createBookings:/customer_code:*",),
    ),
    Fault(
        "booking-any-email",
        "V3-BOOKINGS-REQUIRED",
        "The service accepts any value as email of a booking",
        tolerates=("createBookings:/email:*",),
    ),
    Fault(
        "booking-any-name",
        "V3-BOOKINGS-REQUIRED",
        "The service accepts values of any type as the names of a booking",
        tolerates=("createBookings:/*_name:type",),
    ),
    Fault(
        "booking-incomplete-422",
        "V3-BOOKINGS-REQUIRED",
        "The service rejects an incomplete booking with 422",
        rewords={"createBookings:/*:required": with_status(422)},
    ),
    Fault(
        "address-demanded",
        "V23-BOOKINGS-OPTIONAL",
        "The service requires address in a booking",
        rejects=lambda call: call.operation in _CREATED and "address" not in call.body,
    ),
    Fault(
        "external-id-demanded",
        "V23-BOOKINGS-OPTIONAL",
        "The service requires external_id in a v2 booking",
        rejects=when("createBookingsV2", lambda body: "external_id" not in body),
    ),
    Fault(
        "booking-of-three",
        "V3-BOOKINGS-REQUESTS",
        "The service books three booking requests at once",
        tolerates=("createBookings:/request_ids:maxItems",),
    ),
    Fault(
        "references-apart",
        "V23-BOOKINGS-TOGETHER",
        "The service assigns a separate cp_reference to each booking of one v3 request",
        rewrite=edit_responses("createBookings", change("/bookings", _numbered)),
    ),
    Fault(
        "references-apart-in-v2",
        "V23-BOOKINGS-TOGETHER",
        "The service assigns a separate cp_reference to each booking of one v2 request",
        rewrite=edit_responses("createBookingsV2", change("/bookings", _numbered)),
    ),
    Fault(
        "booking-unpaid",
        "V23-BOOKINGS-PAYMENT",
        "The service books without payment_method",
        tolerates=("createBookings*:/payment_method:required",),
    ),
    Fault(
        "booking-unpaid-crash",
        "V23-BOOKINGS-PAYMENT",
        "The service responds to a booking without payment_method with 500",
        rewords={"*:/payment_method:required": with_status(500)},
    ),
    Fault(
        "no-deposit",
        "V23-BOOKINGS-SELF-PSP",
        "The service rejects self_psp with 403",
        rejects=lambda call: call.operation in _CREATED and call.body.get("self_psp") is True,
        rejects_with=403,
    ),
    Fault(
        "deposit-for-all",
        "V23-BOOKINGS-SELF-PSP-UNAUTHORIZED",
        "The service accepts self_psp from organisations that are not authorised for it",
        tolerates=("self-psp-unauthorized",),
    ),
    Fault(
        "booking-for-anybody",
        "V23-BOOKINGS-CUSTOMER-UNKNOWN",
        "The service accepts any customer code for a booking",
        tolerates=("customer-unknown",),
    ),
    Fault(
        "customer-unknown-crash",
        "V23-BOOKINGS-CUSTOMER-UNKNOWN",
        "The service responds to an unknown customer code with 500",
        rewords={"customer-unknown": with_status(500)},
    ),
    Fault(
        "declined-booked",
        "V23-BOOKINGS-PAYMENT-FAILS",
        "The service books with a declined card",
        tolerates=("card-declined",),
    ),
    Fault(
        "declined-stays-pending",
        "V23-BOOKINGS-PAYMENT-FAILS",
        "The service leaves a booking request PENDING after its payment failed",
        policy={"aborts": False},
    ),
    Fault(
        "aborted-conflict",
        "V23-BOOKINGS-PAYMENT-FAILS",
        "The service rejects the booking of an aborted booking request with 409",
        rewords={"request-aborted": with_status(409)},
    ),
    Fault(
        "booked-twice",
        "V23-BOOKINGS-ONCE",
        "The service books a booking request that is already booked again",
        tolerates=("request-booked",),
    ),
    Fault(
        "booked-again-empty",
        "V23-BOOKINGS-ONCE",
        "The service responds to a second booking with 200 and an empty list",
        rewords={"request-booked": with_success({"bookings": []})},
    ),
    Fault(
        "booked-again-crash",
        "V23-BOOKINGS-ONCE",
        "The service responds to a second booking with 500",
        rewords={"request-booked": with_status(500)},
    ),
    Fault(
        "booking-race",
        "V23-BOOKINGS-ONCE",
        "The service accepts several bookings of one booking request that arrive at the same time",
        policy={"claim_request": claim_slowly},
    ),
    Fault(
        "cancelled-booked",
        "V3-BOOKINGS-CANCELLED",
        "The service books a cancelled booking request",
        tolerates=("request-cancelled",),
    ),
    Fault(
        "expired-booked",
        "V23-REQUEST-LIFETIME",
        "The service books an expired booking request",
        tolerates=("request-expired",),
    ),
    Fault(
        "requests-short-lived",
        "V23-REQUEST-LIFETIME",
        "The service keeps booking requests for two minutes",
        policy={"request_lifetime": timedelta(minutes=2)},
    ),
    Fault(
        "requests-long-lived",
        "V23-REQUEST-LIFETIME",
        "The service keeps booking requests for an hour",
        policy={"request_lifetime": timedelta(hours=1)},
    ),
    Fault(
        "unknown-request-booked",
        "V23-BOOKINGS-UNKNOWN-REQUEST",
        "The service responds to the booking of an unknown booking request with 200 and an empty list",
        rewords={"request-unknown@createBookings*": with_success({"bookings": []})},
    ),
    Fault(
        "unknown-request-crash",
        "V23-BOOKINGS-UNKNOWN-REQUEST",
        "The service responds to the booking of an unknown booking request with 500",
        rewords={"request-unknown@createBookings*": with_status(500)},
    ),
    Fault(
        "gone-booked",
        "V23-BOOKINGS-CONFLICT",
        "The service books a flight that is no longer available",
        tolerates=("flight-gone@createBookings*",),
    ),
    Fault(
        "old-price-booked",
        "V23-BOOKINGS-CONFLICT",
        "The service books at a price that has changed",
        tolerates=("price-moved@*",),
    ),
    Fault(
        "gone-410",
        "V23-BOOKINGS-CONFLICT",
        "The service rejects the booking of a flight that is no longer available with 410",
        rewords={"flight-gone@createBookings*": with_status(410)},
    ),
    Fault(
        "price-moved-422",
        "V23-BOOKINGS-CONFLICT",
        "The service rejects a booking whose price has changed with 422",
        rewords={"price-moved@*": with_status(422)},
    ),
    Fault(
        "secure-incomplete",
        "V23-3DS-FIELDS",
        "The service accepts three_d_secure with missing fields in a booking",
        tolerates=("createBookings*:/three_d_secure/*:required",),
    ),
    Fault(
        "secure-any-version",
        "V23-3DS-VALUES",
        "The service accepts any version in three_d_secure of a booking",
        tolerates=("createBookings*:/three_d_secure/version:*",),
    ),
    Fault(
        "secure-any-cryptogram",
        "V23-3DS-VALUES",
        "The service accepts any cryptogram in three_d_secure of a booking",
        tolerates=("createBookings*:/three_d_secure/cryptogram:*",),
    ),
    Fault(
        "secure-any-indicator",
        "V23-3DS-VALUES",
        "The service treats any electronic_commerce_indicator of a booking as 05",
        tolerates=("createBookings*:/three_d_secure/electronic_commerce_indicator:*",),
    ),
    Fault(
        "secure-visa-only",
        "V23-3DS-VALUES",
        "The service rejects the electronic_commerce_indicator 02 in a booking",
        rejects=lambda call: (
            call.operation in _CREATED
            and (call.body.get("three_d_secure") or {}).get("electronic_commerce_indicator") == "02"
        ),
        rejects_with=422,
    ),
    Fault(
        "secure-attempt-paid",
        "V23-3DS-FAILED",
        "The service books after an authentication that was only attempted",
        tolerates=("secure-attempted",),
    ),
    Fault(
        "secure-failure-paid",
        "V23-3DS-FAILED",
        "The service books after a failed authentication",
        tolerates=("secure-failed",),
    ),
    Fault(
        "booking-dearer-bags",
        "V23-BOOKING-FIELDS",
        "The service charges more for bags in a booking than in its booking request",
        rewrite=edit_responses(_BOTH, change("/bookings/*/bags_fee/checked", lambda fee: fee + 9)),
        verdict="warning",
        reason="The documents do not say which price differences are acceptable",
    ),
    Fault(
        "booking-without-flight",
        "V23-BOOKING-FIELDS",
        "The service responds with bookings that have no flight",
        rewrite=edit_responses(_READ, remove("/bookings/*/flight")),
    ),
    Fault(
        "booking-total-text",
        "V23-BOOKING-FIELDS",
        "The service responds with bookings whose total_price is a string",
        rewrite=edit_responses(_BOTH, change("/bookings/*/total_price", str)),
    ),
    Fault(
        "booking-without-infants",
        "V23-BOOKING-FIELDS",
        "The service responds with bookings that count no infants",
        rewrite=edit_responses(_BOTH, put("/bookings/*/infant_count", 0)),
    ),
    Fault(
        "booking-without-bags",
        "V23-BOOKING-FIELDS",
        "The service responds with bookings that have no bags",
        rewrite=edit_responses(
            _BOTH, put("/bookings/*/bags", {"checked": [], "cabin": []}), put("/bookings/*/luggage", [])
        ),
    ),
    Fault(
        "booking-without-email",
        "V23-BOOKING-FIELDS",
        "The service responds with bookings that have no email",
        rewrite=edit_responses(_BOTH, remove("/bookings/*/email")),
    ),
    Fault(
        "booking-count-text",
        "V23-BOOKING-FIELDS",
        "The service responds with bookings whose passenger_count is a string",
        rewrite=edit_responses(_READ, change("/bookings/*/passenger_count", str)),
    ),
    Fault(
        "booking-lower-status",
        "V23-BOOKING-STATUS",
        "The service responds with booking statuses in lower case",
        rewrite=edit_responses(_BOTH, change("/bookings/*/status", str.lower)),
    ),
    Fault(
        "booking-ticketed",
        "V23-BOOKING-STATUS",
        "The service responds with the booking status TICKETED",
        rewrite=edit_responses(_CREATED, put("/bookings/*/status", "TICKETED")),
    ),
    Fault(
        "record-without-country",
        "V23-PASSENGER-RECORD",
        "The service responds with passengers of a booking that have no birth_country",
        rewrite=edit_responses(_READ, remove("/bookings/*/passengers/*/birth_country")),
    ),
    Fault(
        "record-infant-text",
        "V23-PASSENGER-RECORD",
        "The service responds with is_infant as a string",
        rewrite=edit_responses(_BOTH, change("/bookings/*/passengers/*/is_infant", str)),
    ),
    Fault(
        "records-of-one-id",
        "V23-PASSENGER-RECORD",
        "The service responds with the same id for every passenger of a booking",
        rewrite=edit_responses(_BOTH, put("/bookings/*/passengers/*/id", 7)),
    ),
    Fault(
        "record-of-another",
        "V23-PASSENGER-RECORD",
        "The service responds with passengers of a booking that have another first_name",
        rewrite=edit_responses(_BOTH, put("/bookings/*/passengers/*/first_name", "NOBODY")),
    ),
    Fault(
        "external-id-lost",
        "V23-EXTERNAL-ID",
        "The service responds with an empty external_id",
        rewrite=edit_responses(_CREATED, put("/bookings/*/external_id", "")),
    ),
    Fault(
        "external-id-null",
        "V23-EXTERNAL-ID",
        "The service responds with external_id set to null",
        rewrite=edit_responses(_CREATED, put("/bookings/*/external_id", None)),
    ),
    Fault(
        "locator-tomorrow",
        "V23-LOCATOR",
        "The service obtains the record locator after a day",
        policy={"locator_delay": timedelta(days=1)},
        verdict="warning",
        reason="OPEN-39: a record locator generally takes up to two hours, so it may take longer",
    ),
    Fault(
        "locator-unconfirmed",
        "V23-LOCATOR",
        "The service responds with AWAITING_PNR_AIRLINE for a booking that has a record locator",
        rewrite=edit_responses(_READ, put("/bookings/*/status", "AWAITING_PNR_AIRLINE")),
    ),
    Fault(
        "charter-awaits",
        "V23-LOCATOR",
        "The service responds with AWAITING_PNR_AIRLINE for the booking of a charter flight",
        rewrite=edit_responses(_CREATED, put("/bookings/*/status", "AWAITING_PNR_AIRLINE")),
        verdict="warning",
        reason="OPEN-39: the first status of a charter booking is not documented",
    ),
    Fault(
        "look-up-dearer",
        "V23-LOOK-UP",
        "The service responds with a higher total_price when a booking is retrieved",
        rewrite=edit_responses(_READ, change("/bookings/*/total_price", lambda total: total + 50)),
    ),
    Fault(
        "look-up-of-another",
        "V23-LOOK-UP",
        "The service responds with another last_name when a booking is retrieved",
        rewrite=edit_responses(_READ, put("/bookings/*/last_name", "X")),
    ),
    Fault(
        "look-up-other-fees",
        "V23-LOOK-UP",
        "The service responds with another baggage fee when a booking is retrieved",
        rewrite=edit_responses(
            _READ,
            change("/bookings/*/bags_fee/checked", lambda fee: fee + 9),
            change("/bookings/*/luggage_fee", lambda fee: fee + 9),
        ),
    ),
    Fault(
        "look-up-empty",
        "V23-LOOK-UP",
        "The service responds with an empty list when a booking is retrieved",
        rewrite=edit_responses(_READ, put("/bookings", [])),
    ),
    Fault(
        "look-up-first-only",
        "V23-LOOK-UP",
        "The service responds with one of two bookings when they are retrieved",
        rewrite=edit_responses(_READ, change("/bookings", lambda bookings: bookings[:1])),
    ),
    Fault(
        "look-up-inbound",
        "V23-LOOK-UP",
        "The service responds with the type inbound when a booking is retrieved",
        rewrite=edit_responses(_READ, put("/bookings/*/type", "inbound")),
    ),
    Fault(
        "look-up-all-outward",
        "V23-LOOK-UP",
        "The service responds with the type outward for every v3 booking that is retrieved",
        rewrite=edit_responses("getBookings", put("/bookings/*/type", "outward")),
    ),
    Fault(
        "look-up-of-nothing",
        "V23-LOOK-UP",
        "The service responds with 200 and an empty list where cp_reference is missing",
        rewords={"getBookings*:query/cp_reference:required": with_success({"bookings": []})},
    ),
    Fault(
        "look-up-of-anybody",
        "V23-LOOK-UP-UNKNOWN",
        "The service responds to an unknown cp_reference with another booking",
        rewords={"reference-unknown@*": with_success({"bookings": [{"id": 1, "cp_reference": "CPAAAAAA"}]})},
    ),
    Fault(
        "look-up-crash",
        "V23-LOOK-UP-UNKNOWN",
        "The service responds to an unknown cp_reference with 500",
        rewords={"reference-unknown@*": with_status(500)},
    ),
    Fault(
        "change-pending",
        "V23-FLIGHT-CHANGES",
        "The service responds with flight changes in the status PENDING",
        rewrite=edit_responses(_READ, put("/bookings/*/flight_changes/*/status", "PENDING")),
    ),
    Fault(
        "change-segment-4",
        "V23-FLIGHT-CHANGES",
        "The service responds with flight changes of a fourth segment",
        rewrite=edit_responses(_READ, _with_change(segment_4_flight_number="IB1")),
    ),
    Fault(
        "change-airline-alone",
        "V23-FLIGHT-CHANGES",
        "The service responds with a flight change that has an airline name without its code",
        rewrite=edit_responses(_READ, _with_change(segment_1_airline_name="Iberia")),
    ),
    Fault(
        "change-without-flight",
        "V23-FLIGHT-CHANGES",
        "The service responds with bookings that have no final_flight",
        rewrite=edit_responses(_READ, remove("/bookings/*/final_flight")),
    ),
    Fault(
        "change-of-nothing",
        "V23-FLIGHT-CHANGES",
        "The service responds with flight changes whose old and new values are equal",
        rewrite=edit_responses(
            _READ, change("/bookings/*/flight_changes/*/data", lambda data: data | {"newFlight": data["oldFlight"]})
        ),
    ),
    Fault(
        "change-of-everything",
        "V23-FLIGHT-CHANGES",
        "The service responds with flight changes that contain the whole flights",
        rewrite=edit_responses(_READ, change("/bookings/*", _with_whole_flights)),
    ),
    Fault(
        "change-not-flown",
        "V23-FLIGHT-CHANGES",
        "The service responds with the original flight as final_flight after a flight change",
        rewrite=edit_responses(
            _READ, change("/bookings/*", lambda booking: booking | {"final_flight": booking["flight"]})
        ),
        verdict="warning",
        reason="OPEN-13: how several flight changes follow one another is not documented",
    ),
    Fault(
        "change-of-the-past",
        "V23-FLIGHT-CHANGES",
        "The service responds with the changed flight as the original flight",
        rewrite=edit_responses(
            _READ, change("/bookings/*", lambda booking: booking | {"flight": booking["final_flight"]})
        ),
    ),
    Fault(
        "change-not-listed",
        "V23-FLIGHT-CHANGES",
        "The service responds with flight_changes set to null after a flight change",
        rewrite=edit_responses(_READ, put("/bookings/*/flight_changes", None)),
        verdict="warning",
        reason="OPEN-11: what the operator records as a flight change is not documented",
    ),
    Fault(
        "change-time-iso",
        "V23-FLIGHT-CHANGES",
        "The service responds with flight changes whose times are in ISO 8601 format",
        rewrite=edit_responses(_READ, _with_change(segment_1_departure_date="2027-01-01T10:00:00Z")),
    ),
)
