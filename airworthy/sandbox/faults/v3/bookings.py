"""Faults in POST bookings."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from airworthy.sandbox.faults.changes import change, edit_responses, put, when, with_success
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.kinds import accepts, crashes, rejects, rejects_with
from airworthy.sandbox.faults.updates import without_abort, without_transaction
from airworthy.sandbox.resources.v3.states import BookingRequest

_CREATED = ("createBookings", "createBookingsV2")


def _secured(version: str) -> Any:  # noqa: ANN401 - a condition on any JSON
    return lambda body: (body.get("three_d_secure") or {}).get("version") == version


def _numbered(bookings: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the bookings with a separate reference for each."""
    return [{**each, "cp_reference": f"{each['cp_reference']}-{at}"} for at, each in enumerate(bookings)]


FAULTS: tuple[Fault, ...] = (
    Fault(
        "bookings-rejected",
        "V23-BOOKINGS-BOOK",
        "The service rejects every v3 booking with 409",
        rejects=when("createBookings"),
        rejects_with=409,
    ),
    Fault(
        "bookings-rejected-in-v2",
        "V23-BOOKINGS-BOOK",
        "The service rejects every v2 booking with 409",
        rejects=when("createBookingsV2"),
        rejects_with=409,
    ),
    rejects(
        "no-3ds-1",
        "V23-BOOKINGS-BOOK",
        "a booking with 3D Secure version 1.0.2",
        when("createBookings", _secured("1.0.2")),
    ),
    rejects(
        "no-3ds-2.1",
        "V23-BOOKINGS-BOOK",
        "a booking with 3D Secure version 2.1.0",
        when("createBookings", _secured("2.1.0")),
    ),
    Fault(
        "booked-another-departure",
        "V23-BOOKINGS-BOOK",
        "The service responds with bookings whose flight departs at another time than the requested one",
        rewrite=edit_responses(_CREATED, put("/bookings/*/flight/departure_date", "2031-05-05 10:00:00")),
    ),
    Fault(
        "booked-before-requested",
        "V23-BOOKINGS-BOOK",
        "The service responds with bookings that are older than their booking requests",
        rewrite=edit_responses(_CREATED, put("/bookings/*/created_at", "2020-05-05T10:00:00+00:00")),
    ),
    Fault(
        "booked-dearer-infants",
        "V23-BOOKINGS-AS-REQUESTED",
        "The service books infants at a higher price than that of the booking request",
        rewrite=edit_responses(_CREATED, change("/bookings/*/infant_price", lambda price: price and price + 10)),
        verdict="warning",
        reason="Some differences are acceptable (v3, Errors, 409)",
    ),
    rejects_with(
        "booking-incomplete-422", "V3-BOOKINGS-REQUIRED", 422, "an incomplete booking", "createBookings:/*:required"
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
    crashes(
        "booking-unpaid-crash", "V23-BOOKINGS-PAYMENT", "a booking without payment_method", "*:/payment_method:required"
    ),
    Fault(
        "no-deposit",
        "V23-BOOKINGS-SELF-PSP",
        "The service rejects self_psp with 403",
        rejects=lambda request: request.operation in _CREATED and request.body.get("self_psp") is True,
        rejects_with=403,
    ),
    accepts(
        "deposit-for-all",
        "V23-BOOKINGS-SELF-PSP-UNAUTHORIZED",
        "self_psp from organisations that are not authorised for it",
        "self-psp-unauthorized",
    ),
    accepts(
        "booking-for-anybody", "V23-BOOKINGS-CUSTOMER-UNKNOWN", "any customer code for a booking", "customer-unknown"
    ),
    crashes("customer-unknown-crash", "V23-BOOKINGS-CUSTOMER-UNKNOWN", "an unknown customer code", "customer-unknown"),
    Fault(
        "declined-booked",
        "V23-BOOKINGS-PAYMENT-FAILS",
        "The service books with a declined card",
        tolerates=("card-declined",),
    ),
    Fault(
        "declined-stays-pending",
        "V23-BOOKINGS-PAYMENT-FAILS",
        "The service leaves a booking request pending after its payment failed",
        policy={"update": without_abort},
    ),
    rejects_with(
        "aborted-conflict",
        "V23-BOOKINGS-PAYMENT-FAILS",
        409,
        "the booking of an aborted booking request",
        "request-aborted",
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
    crashes("booked-again-crash", "V23-BOOKINGS-ONCE", "a second booking", "request-booked"),
    Fault(
        "booking-race",
        "V23-BOOKINGS-ONCE",
        "The service accepts several bookings of one booking request that arrive at the same time",
        policy={"update": without_transaction(BookingRequest)},
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
    rejects_with(
        "unknown-request-409",
        "V23-BOOKINGS-UNKNOWN-REQUEST",
        409,
        "the booking of an unknown booking request",
        "request-unknown@createBookings*",
    ),
    crashes(
        "unknown-request-crash",
        "V23-BOOKINGS-UNKNOWN-REQUEST",
        "the booking of an unknown booking request",
        "request-unknown@createBookings*",
    ),
    Fault(
        "unavailable-booked",
        "V23-BOOKINGS-CONFLICT",
        "The service books a flight in v3 that is no longer available",
        tolerates=("flight-gone@createBookings",),
    ),
    rejects_with(
        "unavailable-410",
        "V23-BOOKINGS-CONFLICT",
        410,
        "the booking of a flight that is no longer available",
        "flight-gone@createBookings*",
    ),
    Fault(
        "old-price-booked",
        "V23-BOOKINGS-CONFLICT",
        "The service books in v3 at a price that has changed",
        tolerates=("price-moved@createBookings",),
        verdict="warning",
        reason="Which price difference is unacceptable is not documented (v3, Errors, 409)",
    ),
    accepts(
        "secure-incomplete",
        "V23-3DS-FIELDS",
        "three_d_secure with missing fields in a booking",
        "createBookings*:/three_d_secure/*:required",
    ),
    accepts(
        "secure-any-version",
        "V23-3DS-VALUES",
        "any version in three_d_secure of a booking",
        "createBookings*:/three_d_secure/version:*",
    ),
    accepts(
        "secure-any-cryptogram",
        "V23-3DS-VALUES",
        "any cryptogram in three_d_secure of a booking",
        "createBookings*:/three_d_secure/cryptogram:*",
    ),
    Fault(
        "secure-any-indicator",
        "V23-3DS-VALUES",
        "The service treats any electronic_commerce_indicator of a booking as 05",
        tolerates=("createBookings*:/three_d_secure/electronic_commerce_indicator:*",),
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
)
