"""Faults in POST bookings and GET bookings."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.making import (
    add,
    answering,
    change,
    drop,
    objecting,
    of,
    policy,
    put,
    rewording,
    to_status,
    to_success,
    tolerating,
    when,
)
from airworthy.sandbox.faults.updates import without_abort, without_transaction
from airworthy.sandbox.v3.states import BookingRequest

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


FAULTS: tuple[Fault, ...] = (
    *of(
        "V23-BOOKINGS-BOOK",
        objecting("bookings-refused", "Every booking of v3 is refused", when("createBookings"), 409),
        objecting("bookings-refused-in-v2", "Every booking of v2 is refused", when("createBookingsV2"), 409),
        objecting("no-3ds-1", "3D Secure 1 is refused", when("createBookings", _secured("1.0.2"))),
        objecting("no-3ds-2.1", "3D Secure 2.1 is refused", when("createBookings", _secured("2.1.0"))),
        answering("booked-nothing", "A booking answers none", _CREATED, put("/bookings", [])),
    ),
    *of(
        "V3-BOOKINGS-REQUIRED",
        tolerating("booking-any-ids", "request_ids may be anything", "createBookings:/request_ids*:*"),
        tolerating("booking-any-customer", "customer_code may be anything", "createBookings:/customer_code:*"),
        tolerating("booking-any-email", "email may be anything", "createBookings:/email:*"),
        tolerating("booking-any-name", "Names may be anything", "createBookings:/*_name:type"),
        rewording(
            "booking-incomplete-422", "An incomplete booking gives 422", "createBookings:/*:required", to_status(422)
        ),
    ),
    *of(
        "V23-BOOKINGS-OPTIONAL",
        objecting(
            "address-demanded",
            "A booking needs an address",
            lambda call: call.operation in _CREATED and "address" not in call.body,
        ),
        objecting(
            "external-id-demanded",
            "A booking of v2 needs an external id",
            when("createBookingsV2", lambda body: "external_id" not in body),
        ),
    ),
    *of(
        "V3-BOOKINGS-REQUESTS",
        tolerating("booking-of-three", "Three requests are booked", "createBookings:/request_ids:maxItems"),
    ),
    *of(
        "V23-BOOKINGS-TOGETHER",
        answering(
            "references-apart", "Each booking has its own reference", "createBookings", change("/bookings", _numbered)
        ),
        answering(
            "references-apart-in-v2",
            "Each booking of v2 has its own reference",
            "createBookingsV2",
            change("/bookings", _numbered),
        ),
    ),
    *of(
        "V23-BOOKINGS-PAYMENT",
        tolerating("booking-unpaid", "A booking needs no payment", "createBookings*:/payment_method:required"),
        rewording(
            "booking-unpaid-crash", "A booking without payment gives 500", "*:/payment_method:required", to_status(500)
        ),
    ),
    *of(
        "V23-BOOKINGS-SELF-PSP",
        objecting(
            "no-deposit",
            "self_psp is refused",
            lambda call: call.operation in _CREATED and call.body.get("self_psp") is True,
            403,
        ),
    ),
    *of(
        "V23-BOOKINGS-SELF-PSP-UNAUTHORIZED",
        tolerating("deposit-for-all", "Everybody books on deposit", "self-psp-unauthorized"),
    ),
    *of(
        "V23-BOOKINGS-CUSTOMER-UNKNOWN",
        tolerating("booking-for-anybody", "Any customer code books", "customer-unknown"),
        rewording("customer-unknown-crash", "An unknown customer gives 500", "customer-unknown", to_status(500)),
    ),
    *of(
        "V23-BOOKINGS-PAYMENT-FAILS",
        tolerating("declined-booked", "A declined card books", "card-declined"),
        policy("declined-stays-pending", "A failed payment leaves the request pending", update=without_abort),
        rewording("aborted-conflict", "Booking an aborted request gives 409", "request-aborted", to_status(409)),
    ),
    *of(
        "V23-BOOKINGS-ONCE",
        tolerating("booked-twice", "A request is booked again and again", "request-booked"),
        rewording(
            "booked-again-empty",
            "A second booking gives an empty success",
            "request-booked",
            to_success({"bookings": []}),
        ),
        rewording("booked-again-crash", "A second booking gives 500", "request-booked", to_status(500)),
        policy(
            "booking-race",
            "Bookings of a request that arrive at once all succeed",
            update=without_transaction(BookingRequest),
        ),
    ),
    *of(
        "V3-BOOKINGS-CANCELLED",
        tolerating("cancelled-booked", "A cancelled request is booked", "request-cancelled"),
    ),
    *of(
        "V23-REQUEST-LIFETIME",
        tolerating("expired-booked", "An expired request is booked", "request-expired"),
        policy("requests-short-lived", "Requests live for two minutes", request_lifetime=timedelta(minutes=2)),
        policy("requests-long-lived", "Requests live for an hour", request_lifetime=timedelta(hours=1)),
    ),
    *of(
        "V23-BOOKINGS-UNKNOWN-REQUEST",
        rewording(
            "unknown-request-booked",
            "Booking an unknown request gives an empty success",
            "request-unknown@createBookings*",
            to_success({"bookings": []}),
        ),
        rewording(
            "unknown-request-crash", "An unknown request gives 500", "request-unknown@createBookings*", to_status(500)
        ),
    ),
    *of(
        "V23-BOOKINGS-CONFLICT",
        tolerating("gone-booked", "A flight that is gone is booked", "flight-gone@createBookings*"),
        tolerating("old-price-booked", "A price that has moved is booked", "price-moved@*"),
        rewording("gone-410", "A flight that is gone gives 410", "flight-gone@createBookings*", to_status(410)),
        rewording("price-moved-422", "A price that has moved gives 422", "price-moved@*", to_status(422)),
    ),
    *of(
        "V23-3DS-FIELDS",
        tolerating("secure-incomplete", "three_d_secure needs no field", "createBookings*:/three_d_secure/*:required"),
    ),
    *of(
        "V23-3DS-VALUES",
        tolerating("secure-any-version", "Any version is taken", "createBookings*:/three_d_secure/version:*"),
        tolerating("secure-any-cryptogram", "Any cryptogram is taken", "createBookings*:/three_d_secure/cryptogram:*"),
        tolerating(
            "secure-any-indicator",
            "Any indicator is taken for 05",
            "createBookings*:/three_d_secure/electronic_commerce_indicator:*",
        ),
        objecting(
            "secure-visa-only",
            "The other indicator of a full authentication is refused",
            lambda call: (
                call.operation in _CREATED
                and (call.body.get("three_d_secure") or {}).get("electronic_commerce_indicator") == "02"
            ),
            422,
        ),
    ),
    *of(
        "V23-3DS-FAILED",
        tolerating("secure-attempt-paid", "An attempted authentication pays", "secure-attempted"),
        tolerating("secure-failure-paid", "A failed authentication pays", "secure-failed"),
    ),
    *of(
        "V23-BOOKING-FIELDS",
        answering(
            "booking-dearer-bags",
            "Bags cost more than their request held",
            _BOTH,
            change("/bookings/*/bags_fee/checked", lambda fee: fee + 9),
        ),
        answering("booking-without-flight", "Bookings lack their flight", _READ, drop("/bookings/*/flight")),
        answering("booking-total-text", "Totals are strings", _BOTH, change("/bookings/*/total_price", str)),
        answering("booking-without-infants", "No infants are counted", _BOTH, put("/bookings/*/infant_count", 0)),
        answering(
            "booking-without-bags",
            "A booking has no bags",
            _BOTH,
            put("/bookings/*/bags", {"checked": [], "cabin": []}),
            put("/bookings/*/luggage", []),
        ),
        answering("booking-without-email", "Bookings lack their email", _BOTH, drop("/bookings/*/email")),
        answering("booking-count-text", "Counts are strings", _READ, change("/bookings/*/passenger_count", str)),
    ),
    *of(
        "V23-BOOKING-STATUS",
        answering("booking-lower-status", "Statuses are in lower case", _BOTH, change("/bookings/*/status", str.lower)),
        answering("booking-ticketed", "A booking is TICKETED", _CREATED, put("/bookings/*/status", "TICKETED")),
    ),
    *of(
        "V23-PASSENGER-RECORD",
        answering(
            "record-without-country",
            "Records lack birth_country",
            _READ,
            drop("/bookings/*/passengers/*/birth_country"),
        ),
        answering(
            "record-infant-text", "is_infant is a string", _BOTH, change("/bookings/*/passengers/*/is_infant", str)
        ),
        answering("records-of-one-id", "All records have one id", _BOTH, put("/bookings/*/passengers/*/id", 7)),
        answering(
            "record-of-another",
            "Records are of somebody else",
            _BOTH,
            put("/bookings/*/passengers/*/first_name", "NOBODY"),
        ),
    ),
    *of(
        "V23-EXTERNAL-ID",
        answering("external-id-lost", "external_id comes back empty", _CREATED, put("/bookings/*/external_id", "")),
        answering("external-id-null", "external_id is never kept", _CREATED, put("/bookings/*/external_id", None)),
    ),
    *of(
        "V23-LOCATOR",
        policy("locator-tomorrow", "The record locator takes a day", locator_delay=timedelta(days=1)),
        answering(
            "locator-unconfirmed",
            "A booking awaits the record locator that it has",
            _READ,
            put("/bookings/*/status", "AWAITING_PNR_AIRLINE"),
        ),
        answering(
            "charter-awaits",
            "A charter flight awaits a record locator",
            _CREATED,
            put("/bookings/*/status", "AWAITING_PNR_AIRLINE"),
        ),
    ),
    *of(
        "V23-LOOK-UP",
        answering(
            "look-up-dearer",
            "A booking that is looked up costs more",
            _READ,
            change("/bookings/*/total_price", lambda total: total + 50),
        ),
        answering(
            "look-up-of-another",
            "A booking that is looked up has another name",
            _READ,
            put("/bookings/*/last_name", "X"),
        ),
        answering(
            "look-up-other-fees",
            "A booking that is looked up has another fee for its bags",
            _READ,
            change("/bookings/*/bags_fee/checked", lambda fee: fee + 9),
            change("/bookings/*/luggage_fee", lambda fee: fee + 9),
        ),
        answering("look-up-empty", "A reference finds nothing", _READ, put("/bookings", [])),
        answering(
            "look-up-first-only",
            "Of two bookings one is found",
            _READ,
            change("/bookings", lambda bookings: bookings[:1]),
        ),
        answering("look-up-inbound", "A booking's type is inbound", _READ, put("/bookings/*/type", "inbound")),
        answering("look-up-all-outward", "All bookings are outward", "getBookings", put("/bookings/*/type", "outward")),
        rewording(
            "look-up-of-nothing",
            "Without a reference nothing is found",
            "getBookings*:query/cp_reference:required",
            to_success({"bookings": []}),
        ),
    ),
    *of(
        "V23-LOOK-UP-UNKNOWN",
        rewording(
            "look-up-of-anybody",
            "An unknown reference finds somebody's booking",
            "reference-unknown@*",
            to_success({"bookings": [{"id": 1, "cp_reference": "CPAAAAAA"}]}),
        ),
        rewording("look-up-crash", "An unknown reference gives 500", "reference-unknown@*", to_status(500)),
    ),
    *of(
        "V23-FLIGHT-CHANGES",
        answering(
            "change-pending", "Changes are PENDING", _READ, put("/bookings/*/flight_changes/*/status", "PENDING")
        ),
        answering(
            "change-segment-4", "Changes name a fourth segment", _READ, _with_change(segment_4_flight_number="IB1")
        ),
        answering(
            "change-airline-alone",
            "An airline changes without its code",
            _READ,
            _with_change(segment_1_airline_name="Iberia"),
        ),
        answering("change-without-flight", "The final flight is missing", _READ, drop("/bookings/*/final_flight")),
        answering(
            "change-of-nothing",
            "Changes list what has not changed",
            _READ,
            change("/bookings/*/flight_changes/*/data", lambda data: data | {"newFlight": data["oldFlight"]}),
        ),
        answering(
            "change-of-everything",
            "Changes hold the whole flights",
            _READ,
            change("/bookings/*", _with_whole_flights),
        ),
        answering(
            "change-not-flown",
            "The final flight is the original one, whatever has changed",
            _READ,
            change("/bookings/*", lambda booking: booking | {"final_flight": booking["flight"]}),
        ),
        answering(
            "change-of-the-past",
            "The original flight is the final one",
            _READ,
            change("/bookings/*", lambda booking: booking | {"flight": booking["final_flight"]}),
        ),
        answering("change-not-listed", "No change is listed", _READ, put("/bookings/*/flight_changes", None)),
        answering(
            "change-time-iso",
            "Changed times are in ISO 8601",
            _READ,
            _with_change(segment_1_departure_date="2027-01-01T10:00:00Z"),
        ),
    ),
)
