"""Faults in what all operations of v3 and v2 share: transport, tokens, organisations, versions."""

import re
from dataclasses import replace
from http import HTTPStatus

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import Json, add, after, before, change, having, rename, when
from airworthy.sandbox.faults.fault import Rewrite, fault_rejection
from airworthy.sandbox.faults.table import FAILS, PASSES, WARNS, Table, rule
from airworthy.sandbox.faults.updates import sent_requests
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.service.service import SandboxService


def _crash_on_v2(service: SandboxService, request: SandboxRequest) -> None:
    """Respond with 500 when a v2 booking is retrieved in v3."""
    if service.store.bookings.get(("v2", request.query.get("cp_reference", ""))) is not None:
        raise fault_rejection(service, "other-version-crashes", 500)


def _own_further_requests(service: SandboxService, request: SandboxRequest) -> None:
    """Book a booking request of another organisation together with an own one."""
    pending = service.store.booking_requests
    for each in sent_requests(service, request)[1:]:
        pending.change(each.id, lambda found: replace(found, organisation=request.organisation.name))


def _serves_wrong_token(form: str) -> Rewrite:
    """Return a rewrite: a search with an unknown token, sent in one form, finds nothing instead of being rejected."""

    def rewrite(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
        is_sent = re.match(form, request.headers.get("authorization", ""), re.IGNORECASE)
        if request.operation != "searchFlights" or response.status != HTTPStatus.UNAUTHORIZED or not is_sent:
            return response
        return SandboxResponse(200, {"results": [], "next_page_id": None})

    return rewrite


def _lose_bookings_before_orders(service: SandboxService, request: SandboxRequest, _: Json) -> Json:
    """Find no booking that was made before an order was booked."""
    booked = service.store.bookings.get((request.version, request.query.get("cp_reference")))
    orders = [service.store.orders.get(each.order) for each in service.store.reservations.newest(1)]
    was_before = booked and any(order and order.created > booked[0].created for order in orders)
    return {"bookings": []} if was_before else None


def _has_scheme(request: SandboxRequest) -> bool:
    return " " in request.headers.get("authorization", "")


def _ends_before_it_starts(request: SandboxRequest) -> bool:
    begin, end = request.query.get("start", ""), request.query.get("end", "9")
    return request.operation.startswith("searchFlights") and end < begin


FAULTS: Table = {
    rule("V23-HTTPS-ONLY"): FAILS,
    "plain-http-for-tokens: responds to requests with a token over plain HTTP": row.sets(plain_http_served=True),
    rule("V23-JSON-ANSWERS"): FAILS,
    "bookings-as-html": row.sends("getBookingsV2", body=b"<html></html>", headers={"content-type": "text/html"}),
    rule("V23-JSON-ANSWERS", "The documents require JSON but do not mention the Content-Type header"): WARNS,
    "flights-as-text": row.sends("searchFlights", headers={"content-type": "text/plain"}),
    rule("V23-SUCCESS-STATUS"): FAILS,
    "requests-created: responds to POST requests with 201": row.sends("createRequests", status=201),
    "bookings-accepted: responds to POST bookings with 202": row.sends("createBookings", status=202),
    "bookings-partial: responds to POST bookings of v3 with 206": row.sends("createBookings", status=206),
    rule("V23-NO-SERVER-FAULT"): FAILS,
    "request-bad-json-crashes: a v3 or v2 body that is not JSON": row.crashes("body-not-json"),
    "request-array-crashes: a booking request whose body is an array": row.crashes("createRequests*::type"),
    "other-version-crashes": before("getBookings", _crash_on_v2),
    "unchecked:createBookings:/external_id:empty: empty ids": row.crashes(when("createBookings", external_id="")),
    "window-backwards-crash: a flight search whose end is before its start": row.crashes(_ends_before_it_starts),
    "request-twice-crash: a booking of one booking request twice": row.crashes(
        when("createBookings", lambda body: len(set(body["request_ids"])) < len(body["request_ids"]))
    ),
    "crowd-crash": row.crashes(having("createRequests:/passengers", minItems=10)),
    "accents-crash": row.crashes(having("createRequests:/passengers/*/last_name", pattern="[^ -~]")),
    "apostrophe-crash-in-v2": row.crashes(having("createBookingsV2:/passengers/*/last_name", pattern="'")),
    "impossible-day-crash: a search from 30 February on": row.crashes(
        lambda request: request.query.get("start", "").endswith("-02-30")
    ),
    rule("V23-AUTH-KEY"): FAILS,
    "flights-without-scheme: flight searches whose token follows the word Bearer": row.rejects(
        lambda request: request.operation.startswith("searchFlights") and _has_scheme(request), 401
    ),
    "flights-bare-crashes: flight searches whose token has no scheme": row.rejects(
        lambda request: request.operation.startswith("searchFlights") and not _has_scheme(request), 500
    ),
    rule("V23-AUTH-WRONG-KEY"): FAILS,
    "wrong-token-served: an unknown token": row.accepts("token-wrong@*"),
    "wrong-token-forbidden: an unknown token": row.rejects_with(403, "token-wrong@*"),
    "wrong-token-createBookings: an unknown token for a v3 booking": row.accepts("token-wrong@createBookings"),
    "wrong-token-createBookingsV2: an unknown token for a v2 booking": row.accepts("token-wrong@createBookingsV2"),
    "wrong-token-cancelRequest": row.accepts("token-wrong@cancelRequest"),
    "wrong-token-getBookingsV2": row.accepts("token-wrong@getBookingsV2"),
    rule("V23-AUTH-WRONG-KEY", "The documents do not say whether the letter case of a token counts"): WARNS,
    "token-any-case: ignores the letter case of tokens": row.tolerates("token-other-case@*"),
    rule("V23-AUTH-MISSING-KEY"): FAILS,
    "no-token-served: a request without a token": row.accepts("token-missing@*"),
    "empty-token-served: serves a search with an empty token": row.does(rewrite=_serves_wrong_token(r"(bearer)?\s*$")),
    "no-token-books: a v3 booking without a token": row.accepts("token-missing@createBookings"),
    "no-token-empty: a request without a token": row.serves_empty("token-missing@*"),
    rule("V23-CURRENT-REVISION"): FAILS,
    "reference-renamed": rename("*Bookings:/bookings/*", "cp_reference", "pnr_reference"),
    "luggage-in-v3: responds to a v3 flight search with the luggage_options of v2": (
        rename("searchFlights:/results/*", "bags", "luggage_options"),
        change("searchFlights:/results/*/luggage_options", lambda bags: bags.get("checked")),
    ),
    "segment-number-text": change(
        "searchFlights*:/results/*/segments/*/marketing_carrier_flight_number", lambda number: f"IB{number}"
    ),
    "bags-fee-in-v2": add("createRequestsV2:/requests/*", bags_fee={"checked": 0, "cabin": 0}),
    "bags-in-v2": rename("searchFlightsV2:/results/*", "luggage_options", "bags"),
    "final-flight-of-v3": rename("getBookingsV2:/bookings/*/final_flight", "luggage_options", "bags"),
    rule("V23-UNKNOWN-FIELDS", "OPEN-46: additional response fields are tolerated and reported as drift"): PASSES,
    "booking-points": add("getBookings*:/bookings/*", loyalty_points=12),
    rule("V23-AUTH-WRONG-KEY-FORMS"): FAILS,
    "wrong-bearer-served: accepts an unknown token after Bearer": row.does(rewrite=_serves_wrong_token("Bearer ")),
    "wrong-bare-token-served: accepts an unknown bare token": row.does(rewrite=_serves_wrong_token(r"(?!bearer)\S")),
    rule("V23-FOREIGN", "The documents do not say what another organisation may do"): WARNS,
    "cancelled-by-all": row.tolerates("request-foreign@cancelRequest"),
    "booked-by-all: books booking requests for another organisation": row.tolerates("request-foreign@createBookings*"),
    "booked-by-all-together": before("createBookings*", _own_further_requests),
    "bookings-for-all: returns bookings to another organisation": row.tolerates("reference-foreign@*"),
    rule("V23-BESIDE-V4"): FAILS,
    "bookings-lost-to-orders": after("getBookings*", _lose_bookings_before_orders),
}
