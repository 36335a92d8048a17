"""Faults in what all operations of v3 and v2 share: transport, tokens, organisations, versions."""

import re
from http import HTTPStatus

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import Json, add, after, before, change, rename, when
from airworthy.sandbox.faults.fault import Rewrite, fault_rejection
from airworthy.sandbox.faults.table import rule, table
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.service.service import SandboxService


def _crash_on_v2(service: SandboxService, request: SandboxRequest) -> None:
    if service.store.bookings.get(("v2", request.query.get("cp_reference", ""))) is not None:
        raise fault_rejection(service, "other-version-crashes", 500)


def _serves_wrong_token(form: str) -> Rewrite:
    """Return a rewrite: a search with an unknown token, sent in one form, finds nothing instead of being rejected."""

    def rewrite(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
        is_sent = re.match(form, request.headers.get("authorization", ""), re.IGNORECASE)
        if request.operation != "searchFlights" or response.status != HTTPStatus.UNAUTHORIZED or not is_sent:
            return response
        return SandboxResponse(200, {"results": [], "next_page_id": None})

    return rewrite


def _lose_bookings_before_orders(service: SandboxService, request: SandboxRequest, _: Json) -> Json:
    booked = service.store.bookings.get((request.version, request.query.get("cp_reference")))
    orders = [service.store.orders.get(each.order) for each in service.store.reservations.newest(1)]
    was_before = booked and any(order and order.created > booked[0].created for order in orders)
    return {"bookings": []} if was_before else None


def _has_scheme(request: SandboxRequest) -> bool:
    return " " in request.headers.get("authorization", "")


_MOST_PASSENGERS = 9


def _ends_before_it_starts(request: SandboxRequest) -> bool:
    return request.operation.startswith("searchFlights") and request.query.get("end", "9") < request.query.get(
        "start", ""
    )


FAULTS = table(
    rule("V23-HTTPS-ONLY"),
    row.sets("plain-http-for-tokens: responds to requests with a token over plain HTTP", plain_http_served=True),
    rule("V23-JSON-ANSWERS"),
    row.sends(
        "bookings-as-html: responds to the retrieval of a v2 booking with an HTML page",
        "getBookingsV2",
        body=b"<html></html>",
        headers={"content-type": "text/html"},
    ),
    rule("V23-JSON-ANSWERS", warns="The documents require JSON but do not mention the Content-Type header"),
    row.sends(
        "flights-as-text: responds to a flight search with the content type text/plain",
        "searchFlights",
        headers={"content-type": "text/plain"},
    ),
    rule("V23-SUCCESS-STATUS"),
    row.sends("requests-created: responds to POST requests with 201", "createRequests", status=201),
    row.sends("bookings-accepted: responds to POST bookings with 202", "createBookings", status=202),
    row.sends("bookings-partial: responds to POST bookings of v3 with 206", "createBookings", status=206),
    rule("V23-NO-SERVER-FAULT"),
    row.crashes("request-bad-json-crashes: a v3 or v2 body that is not JSON", "body-not-json"),
    row.crashes("request-array-crashes: a booking request whose body is an array", "createRequests*::type"),
    row.behaves(
        "other-version-crashes: responds with 500 when a v2 booking is retrieved in v3",
        before("getBookings", _crash_on_v2),
    ),
    row.crashes_at_empty("createBookings:/external_id"),
    row.crashes("window-backwards-crash: a flight search whose end is before its start", _ends_before_it_starts),
    row.crashes(
        "request-twice-crash: a booking of one booking request twice",
        when("createBookings", lambda body: len(set(body["request_ids"])) < len(body["request_ids"])),
    ),
    row.crashes(
        "crowd-crash: a booking request for more than nine passengers",
        when("createRequests", lambda body: len(body["passengers"]) > _MOST_PASSENGERS),
    ),
    row.crashes(
        "accents-crash: a booking request for a passenger whose name has accents",
        when("createRequests", lambda body: not all(each["last_name"].isascii() for each in body["passengers"])),
    ),
    rule("V23-AUTH-KEY"),
    row.rejects(
        "flights-without-scheme: flight searches whose token follows the word Bearer",
        lambda request: request.operation.startswith("searchFlights") and _has_scheme(request),
        401,
    ),
    row.rejects(
        "flights-bare-crashes: flight searches whose token has no scheme",
        lambda request: request.operation.startswith("searchFlights") and not _has_scheme(request),
        500,
    ),
    rule("V23-AUTH-WRONG-KEY"),
    row.accepts("wrong-token-served: an unknown token", "token-wrong@*"),
    row.rejects_with("wrong-token-forbidden: an unknown token", 403, "token-wrong@*"),
    row.accepts("wrong-token-createBookings: an unknown token for a v3 booking", "token-wrong@createBookings"),
    row.accepts("wrong-token-createBookingsV2: an unknown token for a v2 booking", "token-wrong@createBookingsV2"),
    row.accepts(
        "wrong-token-cancelRequest: an unknown token for the cancellation of a booking request",
        "token-wrong@cancelRequest",
    ),
    row.accepts(
        "wrong-token-getBookingsV2: an unknown token for the retrieval of a v2 booking", "token-wrong@getBookingsV2"
    ),
    rule("V23-AUTH-WRONG-KEY", warns="The documents do not say whether the letter case of a token counts"),
    row.tolerates("token-any-case: ignores the letter case of tokens", "token-other-case@*"),
    rule("V23-AUTH-MISSING-KEY"),
    row.accepts("no-token-served: a request without a token", "token-missing@*"),
    row.does("empty-token-served: serves a search with an empty token", rewrite=_serves_wrong_token(r"(bearer)?\s*$")),
    row.accepts("no-token-books: a v3 booking without a token", "token-missing@createBookings"),
    row.serves_empty("no-token-empty: a request without a token", "token-missing@*"),
    rule("V23-CURRENT-REVISION"),
    row.responds("reference-renamed", rename("*Bookings:/bookings/*", "cp_reference", "pnr_reference")),
    row.does(
        "luggage-in-v3: responds to a v3 flight search with the luggage_options of v2",
        change(
            "searchFlights:/results/*",
            lambda flight: {**flight, "luggage_options": (flight.get("bags") or {}).get("checked")},
        ),
        change(
            "searchFlights:/results/*", lambda flight: {name: each for name, each in flight.items() if name != "bags"}
        ),
    ),
    row.does(
        "segment-number-text: responds with flight numbers that include the carrier, as an earlier revision did",
        change("searchFlights*:/results/*/segments/*/marketing_carrier_flight_number", lambda number: f"IB{number}"),
    ),
    row.responds("bags-fee-in-v2", add("createRequestsV2:/requests/*", bags_fee={"checked": 0, "cabin": 0})),
    row.responds("bags-in-v2", rename("searchFlightsV2:/results/*", "luggage_options", "bags")),
    row.responds("final-flight-of-v3", rename("getBookingsV2:/bookings/*/final_flight", "luggage_options", "bags")),
    rule("V23-UNKNOWN-FIELDS", passes="OPEN-46: additional response fields are tolerated and reported as drift"),
    row.responds("booking-points", add("getBookings*:/bookings/*", loyalty_points=12)),
    rule("V23-AUTH-WRONG-KEY-FORMS"),
    row.does(
        "wrong-bearer-served: accepts an unknown token that follows the word Bearer",
        rewrite=_serves_wrong_token("Bearer "),
    ),
    row.does(
        "wrong-bare-token-served: accepts an unknown token without a scheme",
        rewrite=_serves_wrong_token("airworthy-wrong"),
    ),
    rule("V23-FOREIGN", warns="The documents do not say what another organisation may do"),
    row.tolerates(
        "cancelled-by-all: cancels booking requests for another organisation", "request-foreign@cancelRequest"
    ),
    row.tolerates("booked-by-all: books booking requests for another organisation", "request-foreign@createBookings*"),
    row.tolerates("bookings-for-all: returns bookings to another organisation", "reference-foreign@*"),
    rule("V23-BESIDE-V4"),
    row.behaves(
        "bookings-lost-to-orders: finds no booking that was made before an order was booked",
        after("getBookings*", _lose_bookings_before_orders),
    ),
)
