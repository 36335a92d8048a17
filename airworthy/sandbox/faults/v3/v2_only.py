"""Faults in what v2 does differently from v3."""

from airworthy.sandbox.faults.changes import change, edit_responses, put, remove, when, with_status
from airworthy.sandbox.faults.fault import Fault

_BOOKED = ("createBookingsV2", "getBookingsV2")

FAULTS: tuple[Fault, ...] = (
    Fault(
        "v2-any-flights",
        "V2-REQUESTS-REQUIRED",
        "The service accepts values of any type as flights of a v2 booking request",
        tolerates=("createRequestsV2:/flights*:type",),
    ),
    Fault(
        "v2-any-passengers",
        "V2-REQUESTS-REQUIRED",
        "The service accepts any value as passengers of a v2 booking request",
        tolerates=("createRequestsV2:/passengers:*",),
    ),
    Fault(
        "v2-any-adults",
        "V2-REQUESTS-REQUIRED",
        "The service accepts any value as the number of adults in a v2 booking request",
        tolerates=("createRequestsV2:/passengers/adults:*",),
    ),
    Fault(
        "v2-request-422",
        "V2-REQUESTS-REQUIRED",
        "The service rejects an invalid v2 booking request with 422",
        rewords={"createRequestsV2:/*:*": with_status(422)},
    ),
    Fault(
        "v2-request-for-four",
        "V2-REQUESTS-FLIGHTS",
        "The service accepts a v2 booking request for four flights",
        tolerates=("createRequestsV2:/flights:maxItems",),
    ),
    Fault(
        "v2-request-for-two-only",
        "V2-REQUESTS-FLIGHTS",
        "The service rejects a v2 booking request for three flights",
        rejects=when("createRequestsV2", lambda body: len(body["flights"]) not in (1, 2)),
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
    Fault(
        "v2-request-without-counts",
        "V2-REQUESTS-ANSWER",
        "The service responds with v2 booking requests that have no passengers",
        rewrite=edit_responses("createRequestsV2", remove("/requests/*/passengers")),
    ),
    Fault(
        "v2-request-id-text",
        "V2-REQUESTS-ANSWER",
        "The service responds with v2 booking requests whose ids are strings",
        rewrite=edit_responses("createRequestsV2", change("/requests/*/id", str)),
    ),
    Fault(
        "v2-booking-without-email",
        "V2-BOOKINGS-REQUIRED",
        "The service accepts a v2 booking without email",
        tolerates=("createBookingsV2:/email:*",),
    ),
    Fault(
        "v2-infants-unmarked",
        "V2-BOOKINGS-REQUIRED",
        "The service accepts v2 passengers without is_infant",
        tolerates=("createBookingsV2:/passengers/*/is_infant:*",),
    ),
    Fault(
        "v2-booking-422",
        "V2-BOOKINGS-REQUIRED",
        "The service rejects an incomplete v2 booking with 422",
        rewords={"createBookingsV2:/*:required": with_status(422)},
    ),
    Fault(
        "v2-booking-of-four",
        "V2-BOOKINGS-REQUESTS",
        "The service books four v2 booking requests at once",
        tolerates=("createBookingsV2:/requests:maxItems",),
    ),
    Fault(
        "v2-booking-for-nobody",
        "V2-BOOKINGS-CUSTOMER",
        "The service accepts a v2 booking without a customer",
        tolerates=("customer-missing",),
    ),
    Fault(
        "v2-customer-incomplete",
        "V2-BOOKINGS-CUSTOMER",
        "The service accepts an incomplete customer_data in a v2 booking",
        tolerates=("createBookingsV2:/customer_data/*:*",),
    ),
    Fault(
        "v2-no-customer-data",
        "V2-BOOKINGS-CUSTOMER",
        "The service rejects customer_data in a v2 booking",
        rejects=when("createBookingsV2", lambda body: "customer_data" in body),
    ),
    Fault(
        "luggage-under-any-id",
        "V2-LUGGAGE",
        "The service accepts luggage for booking requests that are not booked",
        tolerates=("luggage-keys",),
    ),
    Fault(
        "luggage-without-limit",
        "V2-LUGGAGE",
        "The service accepts any quantity of luggage",
        tolerates=("luggage-quantity",),
    ),
    Fault(
        "luggage-incomplete",
        "V2-LUGGAGE",
        "The service accepts luggage without a price",
        tolerates=("createBookingsV2:/luggage/*/price:*",),
    ),
    Fault(
        "luggage-409",
        "V2-LUGGAGE",
        "The service rejects incomplete luggage with 409",
        rewords={"createBookingsV2:/luggage/*:*": with_status(409)},
    ),
    Fault(
        "luggage-fee-missing",
        "V2-BOOKING-LUGGAGE",
        "The service responds with v2 bookings that have no luggage_fee",
        rewrite=edit_responses(_BOOKED, remove("/bookings/*/luggage_fee")),
    ),
    Fault(
        "luggage-for-nothing",
        "V2-BOOKING-LUGGAGE",
        "The service responds with the luggage_fee 0 to bookings with luggage",
        rewrite=edit_responses(_BOOKED, put("/bookings/*/luggage_fee", 0)),
        verdict="warning",
        reason="OPEN-81: the quantity of a luggage option may be the number of pieces that are included",
    ),
    Fault(
        "luggage-fee-by-kind",
        "V2-BOOKING-LUGGAGE",
        "The service responds with luggage_fee as an object",
        rewrite=edit_responses(_BOOKED, put("/bookings/*/luggage_fee", {"checked": 23.5})),
    ),
)
