"""Faults in what holds for every operation of v3 and v2: transport, tokens, versions."""

from airworthy.sandbox.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.making import (
    add,
    answering,
    change,
    objecting,
    of,
    policy,
    rename,
    replacing,
    rewording,
    to_status,
    to_success,
    tolerating,
    wrapping,
)
from airworthy.sandbox.service import Handler, SandboxService

_SEARCHES = ("searchFlights", "searchFlightsV2")


def _crashes_on_v2(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Respond with 500 in v3 to the reference of a v2 booking."""
    reference = request.query.get("cp_reference", "")
    if request.operation == "getBookings" and service.store.bookings.get(("v2", reference)) is not None:
        raise to_status(500)(service.rejection("objection:other-version-crashes"))
    return handler(service, request)


FAULTS: tuple[Fault, ...] = (
    *of(
        "V23-HTTPS-ONLY",
        policy("plain-http-for-tokens", "Plain HTTP is served, tokens and all", plain_http_served=True),
    ),
    *of(
        "V23-JSON-ANSWERS",
        replacing(
            "flights-as-text",
            "A search answers JSON that is declared as text",
            "searchFlights",
            headers={"content-type": "text/plain"},
        ),
        replacing(
            "bookings-as-html",
            "Bookings are looked up as a page",
            "getBookingsV2",
            body=b"<html></html>",
            headers={"content-type": "text/html"},
        ),
    ),
    *of(
        "V23-SUCCESS-STATUS",
        replacing("requests-created", "POST requests answers 201", "createRequests", status=201),
        replacing("bookings-accepted", "POST bookings answers 202", "createBookings", status=202),
        replacing("bookings-partial", "GET bookings of v2 answers 206", "getBookingsV2", status=206),
    ),
    *of(
        "V23-NO-SERVER-FAULT",
        rewording("request-bad-json-crashes", "Broken JSON gives 500", "body-not-json", to_status(500)),
        rewording(
            "request-array-crashes", "A body that is an array gives 500", "createRequests*::type", to_status(500)
        ),
        wrapping("other-version-crashes", "A reference of v2 gives 500 in v3", _crashes_on_v2),
    ),
    *of(
        "V23-AUTH-KEY",
        objecting(
            "flights-without-scheme",
            "A search wants the token without the word Bearer",
            lambda call: call.operation in _SEARCHES and " " in call.headers.get("authorization", ""),
            401,
        ),
        objecting(
            "flights-bare-crashes",
            "A bare token gives 500",
            lambda call: call.operation in _SEARCHES and " " not in call.headers.get("authorization", ""),
            500,
        ),
    ),
    *of(
        "V23-AUTH-WRONG-KEY",
        tolerating("wrong-token-served", "A wrong token is served", "token-wrong@*"),
        rewording("wrong-token-forbidden", "A wrong token gives 403", "token-wrong@*", to_status(403)),
        *(
            tolerating(f"wrong-token-{each}", f"A wrong token is served by {each}", f"token-wrong@{each}")
            for each in ("createBookings", "createBookingsV2", "cancelRequest", "getBookingsV2")
        ),
    ),
    *of(
        "V23-AUTH-MISSING-KEY",
        tolerating("no-token-served", "A request without a token is served", "token-missing@*"),
        tolerating("no-token-books", "A booking needs no token", "token-missing@createBookings"),
        rewording(
            "no-token-empty", "A request without a token gives an empty success", "token-missing@*", to_success({})
        ),
    ),
    *of(
        "V23-CURRENT-REVISION",
        answering(
            "reference-renamed",
            "Bookings carry pnr_reference, as before v2",
            ("createBookings", "getBookings"),
            rename("/bookings/*", "cp_reference", "pnr_reference"),
        ),
        answering(
            "luggage-in-v3",
            "Flights of v3 carry the luggage_options of v2",
            "searchFlights",
            change(
                "/results/*", lambda flight: {**flight, "luggage_options": (flight.get("bags") or {}).get("checked")}
            ),
            change("/results/*", lambda flight: {name: each for name, each in flight.items() if name != "bags"}),
        ),
        answering(
            "segment-number-text",
            "Flight numbers hold the carrier, as before v2",
            _SEARCHES,
            change("/results/*/segments/*/marketing_carrier_flight_number", lambda number: f"IB{number}"),
        ),
        answering(
            "bags-in-v2",
            "Flights of v2 carry the bags of v3",
            "searchFlightsV2",
            rename("/results/*", "luggage_options", "bags"),
        ),
    ),
    *of(
        "V23-UNKNOWN-FIELDS",
        answering(
            "booking-points",
            "Bookings carry an unknown field",
            ("getBookings", "getBookingsV2"),
            add("/bookings/*", loyalty_points=12),
        ),
    ),
)
