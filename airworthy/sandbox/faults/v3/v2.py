"""Faults in what v2 does in its own way."""

from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.making import (
    answering,
    change,
    drop,
    objecting,
    of,
    put,
    rewording,
    to_status,
    tolerating,
    when,
)

_BOOKED = ("createBookingsV2", "getBookingsV2")

FAULTS: tuple[Fault, ...] = (
    *of(
        "V2-REQUESTS-REQUIRED",
        tolerating("v2-any-flights", "flights may be anything", "createRequestsV2:/flights*:type"),
        tolerating("v2-any-passengers", "passengers may be anything", "createRequestsV2:/passengers:*"),
        tolerating("v2-any-adults", "adults may be anything", "createRequestsV2:/passengers/adults:*"),
        rewording("v2-request-422", "A wrong request gives 422", "createRequestsV2:/*:*", to_status(422)),
    ),
    *of(
        "V2-REQUESTS-FLIGHTS",
        tolerating("v2-request-for-four", "Four flights are requested", "createRequestsV2:/flights:maxItems"),
        objecting(
            "v2-request-for-two-only",
            "Three flights are refused",
            when("createRequestsV2", lambda body: len(body["flights"]) > 2),  # noqa: PLR2004
        ),
    ),
    *of(
        "V2-REQUESTS-CUSTOMER-CODE",
        objecting(
            "v2-customer-demanded",
            "A request needs a customer code",
            when("createRequestsV2", lambda body: "customer_code" not in body),
        ),
    ),
    *of(
        "V2-REQUESTS-ANSWER",
        objecting(
            "v2-infants-demanded",
            "Infants have to be counted, even none",
            when("createRequestsV2", lambda body: "infants" not in body["passengers"]),
        ),
        answering(
            "v2-request-without-counts", "Requests lack passengers", "createRequestsV2", drop("/requests/*/passengers")
        ),
        answering("v2-request-id-text", "Requests have ids of text", "createRequestsV2", change("/requests/*/id", str)),
    ),
    *of(
        "V2-BOOKINGS-REQUIRED",
        tolerating("v2-booking-without-email", "A booking needs no email", "createBookingsV2:/email:*"),
        tolerating("v2-infants-unmarked", "is_infant may be missing", "createBookingsV2:/passengers/*/is_infant:*"),
        rewording("v2-booking-422", "A wrong booking gives 422", "createBookingsV2:/*:required", to_status(422)),
    ),
    *of(
        "V2-BOOKINGS-REQUESTS",
        tolerating("v2-booking-of-four", "Four requests are booked", "createBookingsV2:/requests:maxItems"),
    ),
    *of(
        "V2-BOOKINGS-CUSTOMER",
        tolerating("v2-booking-for-nobody", "A booking needs no customer", "customer-missing"),
        tolerating("v2-customer-incomplete", "customer_data may be incomplete", "createBookingsV2:/customer_data/*:*"),
        objecting(
            "v2-no-customer-data",
            "customer_data is refused",
            when("createBookingsV2", lambda body: "customer_data" in body),
        ),
    ),
    *of(
        "V2-LUGGAGE",
        tolerating("luggage-under-any-id", "Luggage may stand under any id", "luggage-keys"),
        tolerating("luggage-without-limit", "Passengers have any number of pieces", "luggage-quantity"),
        tolerating("luggage-incomplete", "Luggage needs no price", "createBookingsV2:/luggage/*/price:*"),
        rewording("luggage-409", "Incomplete luggage gives 409", "createBookingsV2:/luggage/*:*", to_status(409)),
    ),
    *of(
        "V2-BOOKING-LUGGAGE",
        answering("luggage-fee-missing", "Bookings lack luggage_fee", _BOOKED, drop("/bookings/*/luggage_fee")),
        answering(
            "luggage-fee-by-kind",
            "luggage_fee is an object",
            _BOOKED,
            put("/bookings/*/luggage_fee", {"checked": 23.5}),
        ),
    ),
)
