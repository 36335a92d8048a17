"""Faults in what all operations of v3 and v2 share: transport, tokens, versions."""

from airworthy.sandbox.faults.changes import (
    add,
    change,
    edit_responses,
    rename,
    replace_response,
    with_success,
)
from airworthy.sandbox.faults.fault import Fault, fault_rejection
from airworthy.sandbox.faults.kinds import accepts, crashes, rejects_with
from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.service.service import Handler, SandboxService

_SEARCHES = ("searchFlights", "searchFlightsV2")


def _crash_on_v2(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Respond with 500 in v3 to the reference of a v2 booking."""
    reference = request.query.get("cp_reference", "")
    if request.operation == "getBookings" and service.store.bookings.get(("v2", reference)) is not None:
        raise fault_rejection(service, "other-version-crashes", 500)
    return handler(service, request)


FAULTS: tuple[Fault, ...] = (
    Fault(
        "plain-http-for-tokens",
        "V23-HTTPS-ONLY",
        "The service responds to requests with a token over plain HTTP",
        policy={"plain_http_served": True},
    ),
    Fault(
        "flights-as-text",
        "V23-JSON-ANSWERS",
        "The service responds to a flight search with the content type text/plain",
        rewrite=replace_response("searchFlights", headers={"content-type": "text/plain"}),
        verdict="warning",
        reason="The documents require JSON but do not mention the Content-Type header",
    ),
    Fault(
        "bookings-as-html",
        "V23-JSON-ANSWERS",
        "The service responds to the retrieval of a v2 booking with an HTML page",
        rewrite=replace_response("getBookingsV2", body=b"<html></html>", headers={"content-type": "text/html"}),
    ),
    Fault(
        "requests-created",
        "V23-SUCCESS-STATUS",
        "The service responds to POST requests with 201",
        rewrite=replace_response("createRequests", status=201),
    ),
    Fault(
        "bookings-accepted",
        "V23-SUCCESS-STATUS",
        "The service responds to POST bookings with 202",
        rewrite=replace_response("createBookings", status=202),
    ),
    Fault(
        "bookings-partial",
        "V23-SUCCESS-STATUS",
        "The service responds to POST bookings of v3 with 206",
        rewrite=replace_response("createBookings", status=206),
    ),
    crashes("request-bad-json-crashes", "V23-NO-SERVER-FAULT", "a v3 or v2 body that is not JSON", "body-not-json"),
    crashes(
        "request-array-crashes",
        "V23-NO-SERVER-FAULT",
        "a booking request whose body is an array",
        "createRequests*::type",
    ),
    Fault(
        "other-version-crashes",
        "V23-NO-SERVER-FAULT",
        "The service responds with 500 when a v2 booking is retrieved in v3",
        wraps=_crash_on_v2,
    ),
    Fault(
        "flights-without-scheme",
        "V23-AUTH-KEY",
        "The service rejects flight searches whose token follows the word Bearer",
        rejects=lambda request: request.operation in _SEARCHES and " " in request.headers.get("authorization", ""),
        rejects_with=401,
    ),
    Fault(
        "flights-bare-crashes",
        "V23-AUTH-KEY",
        "The service responds with 500 to a flight search whose token has no scheme",
        rejects=lambda request: request.operation in _SEARCHES and " " not in request.headers.get("authorization", ""),
        rejects_with=500,
    ),
    accepts("wrong-token-served", "V23-AUTH-WRONG-KEY", "an unknown token", "token-wrong@*"),
    rejects_with("wrong-token-forbidden", "V23-AUTH-WRONG-KEY", 403, "an unknown token", "token-wrong@*"),
    accepts(
        "wrong-token-createBookings",
        "V23-AUTH-WRONG-KEY",
        "an unknown token for a v3 booking",
        "token-wrong@createBookings",
    ),
    accepts(
        "wrong-token-createBookingsV2",
        "V23-AUTH-WRONG-KEY",
        "an unknown token for a v2 booking",
        "token-wrong@createBookingsV2",
    ),
    accepts(
        "wrong-token-cancelRequest",
        "V23-AUTH-WRONG-KEY",
        "an unknown token for the cancellation of a booking request",
        "token-wrong@cancelRequest",
    ),
    accepts(
        "wrong-token-getBookingsV2",
        "V23-AUTH-WRONG-KEY",
        "an unknown token for the retrieval of a v2 booking",
        "token-wrong@getBookingsV2",
    ),
    accepts("no-token-served", "V23-AUTH-MISSING-KEY", "a request without a token", "token-missing@*"),
    accepts("no-token-books", "V23-AUTH-MISSING-KEY", "a v3 booking without a token", "token-missing@createBookings"),
    Fault(
        "no-token-empty",
        "V23-AUTH-MISSING-KEY",
        "The service responds to a request without a token with 200 and an empty object",
        rewords={"token-missing@*": with_success({})},
    ),
    Fault(
        "reference-renamed",
        "V23-CURRENT-REVISION",
        "The service responds with the field pnr_reference of an earlier revision instead of cp_reference",
        rewrite=edit_responses(
            ("createBookings", "getBookings"), rename("/bookings/*", "cp_reference", "pnr_reference")
        ),
    ),
    Fault(
        "luggage-in-v3",
        "V23-CURRENT-REVISION",
        "The service responds to a v3 flight search with the luggage_options of v2",
        rewrite=edit_responses(
            "searchFlights",
            change(
                "/results/*", lambda flight: {**flight, "luggage_options": (flight.get("bags") or {}).get("checked")}
            ),
            change("/results/*", lambda flight: {name: each for name, each in flight.items() if name != "bags"}),
        ),
    ),
    Fault(
        "segment-number-text",
        "V23-CURRENT-REVISION",
        "The service responds with flight numbers that include the carrier, as an earlier revision did",
        rewrite=edit_responses(
            _SEARCHES, change("/results/*/segments/*/marketing_carrier_flight_number", lambda number: f"IB{number}")
        ),
    ),
    Fault(
        "bags-in-v2",
        "V23-CURRENT-REVISION",
        "The service responds to a v2 flight search with the bags of v3",
        rewrite=edit_responses("searchFlightsV2", rename("/results/*", "luggage_options", "bags")),
    ),
    Fault(
        "booking-points",
        "V23-UNKNOWN-FIELDS",
        "The service responds with an undocumented field in bookings",
        rewrite=edit_responses(("getBookings", "getBookingsV2"), add("/bookings/*", loyalty_points=12)),
        verdict="passed",
        reason="OPEN-46: additional response fields are tolerated and reported as drift",
    ),
)
