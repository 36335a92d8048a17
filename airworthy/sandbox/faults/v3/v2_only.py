"""Faults in what v2 does differently from v3."""

from airworthy.sandbox.faults.changes import change, edit_responses, put, when
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.kinds import accepts, rejects, rejects_with

_BOOKED = ("createBookingsV2", "getBookingsV2")

FAULTS: tuple[Fault, ...] = (
    rejects_with(
        "v2-request-422", "V2-REQUESTS-REQUIRED", 422, "an invalid v2 booking request", "createRequestsV2:/*:*"
    ),
    accepts(
        "v2-request-for-four",
        "V2-REQUESTS-FLIGHTS",
        "a v2 booking request for four flights",
        "createRequestsV2:/flights:maxItems",
    ),
    rejects(
        "v2-request-for-two-only",
        "V2-REQUESTS-FLIGHTS",
        "a v2 booking request for three flights",
        when("createRequestsV2", lambda body: len(body["flights"]) not in (1, 2)),
    ),
    Fault(
        "v2-customer-required",
        "V2-REQUESTS-CUSTOMER-CODE",
        "The service requires customer_code in a v2 booking request",
        rejects=when("createRequestsV2", lambda body: "customer_code" not in body),
    ),
    Fault(
        "v2-infants-required",
        "V2-REQUESTS-ANSWER",
        "The service requires the number of infants in a v2 booking request",
        rejects=when("createRequestsV2", lambda body: "infants" not in body["passengers"]),
    ),
    rejects_with(
        "v2-booking-422", "V2-BOOKINGS-REQUIRED", 422, "an incomplete v2 booking", "createBookingsV2:/*:required"
    ),
    Fault(
        "v2-booking-of-four",
        "V2-BOOKINGS-REQUESTS",
        "The service books four v2 booking requests at once",
        tolerates=("createBookingsV2:/requests:maxItems",),
    ),
    accepts("v2-booking-for-nobody", "V2-BOOKINGS-CUSTOMER", "a v2 booking without a customer", "customer-missing"),
    rejects(
        "v2-no-customer-data",
        "V2-BOOKINGS-CUSTOMER",
        "customer_data in a v2 booking",
        when("createBookingsV2", lambda body: "customer_data" in body),
    ),
    accepts("luggage-under-any-id", "V2-LUGGAGE", "luggage for booking requests that are not booked", "luggage-keys"),
    accepts("luggage-without-limit", "V2-LUGGAGE", "any quantity of luggage", "luggage-quantity"),
    rejects_with("luggage-409", "V2-LUGGAGE", 409, "incomplete luggage", "createBookingsV2:/luggage/*:*"),
    Fault(
        "luggage-for-nothing",
        "V2-BOOKING-LUGGAGE",
        "The service responds with the luggage_fee 0 to bookings with luggage",
        rewrite=edit_responses(_BOOKED, put("/bookings/*/luggage_fee", 0)),
        verdict="warning",
        reason="OPEN-81: the quantity of a luggage option may be the number of pieces that are included",
    ),
    Fault(
        "luggage-fee-unwanted",
        "V2-BOOKING-LUGGAGE",
        "The service charges for one piece of luggage more than was chosen",
        rewrite=edit_responses(_BOOKED, change("/bookings/*/luggage_fee", lambda fee: fee + 23.5)),
        verdict="warning",
        reason="OPEN-82: how a price is computed is not documented",
    ),
)
