"""Faults where v3 and v2 must agree, and in the limits and optional members that they must accept."""

from collections.abc import Callable
from datetime import date, timedelta
from http import HTTPStatus
from typing import Any

from airworthy.sandbox.faults.changes import change, edit_responses, put, when
from airworthy.sandbox.faults.fault import Fault, Rewrite, Wrapper, fault_rejection
from airworthy.sandbox.faults.kinds import crashes, rejects
from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.service.service import Handler, SandboxService

_SEARCHES = ("searchFlights", "searchFlightsV2")
_REQUESTS = ("createRequests", "createRequestsV2")
_CREATED = ("createBookings", "createBookingsV2")


def _with_query(operations: tuple[str, ...], query: Callable[[dict[str, str]], dict[str, str]]) -> Wrapper:
    """Return a wrapper that handles searches with other parameters than those that were sent."""

    def wrapper(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
        if request.operation in operations:
            request.query.update(query(dict(request.query)))
        return handler(service, request)

    return wrapper


def _later(day: str, days: int) -> str:
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def _ends_on_the_next_day(query: dict[str, str]) -> dict[str, str]:
    return {"end": _later(query["start"], 1)} if "start" in query and "end" not in query else {}


def _starts_in_a_week(query: dict[str, str]) -> dict[str, str]:
    # The sandbox's clock may be ahead of this machine's by what the suite advanced: a week is more than enough.
    return {} if "start" in query else {"start": _later(date.today().isoformat(), 7)}  # noqa: DTZ011 - any zone does


def _returns_with_the_outward(query: dict[str, str]) -> dict[str, str]:
    return {} if "returnEnd" in query else {"returnStart": query["start"], "returnEnd": query["end"]}


def _blocks_cancelled(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Reject a booking request for a flight that a cancelled booking request was for."""
    if request.operation == "createRequests":
        table = service.store.booking_requests
        cancelled = {each.flight.id for key in table if (each := table.get(key)) and each.stored_status == "cancelled"}
        if cancelled & set(request.body["flight_ids"]):
            raise fault_rejection(service, "cancelled-flight-blocked", 403)
    return handler(service, request)


def _serves_wrong_token(scheme: str) -> Rewrite:
    """Return a rewrite: a search with an unknown token, sent in one form, finds nothing instead of being rejected."""

    def rewrite(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
        is_sent = request.headers.get("authorization", "").startswith(scheme)
        if request.operation != "searchFlights" or response.status != HTTPStatus.UNAUTHORIZED or not is_sent:
            return response
        return SandboxResponse(200, {"results": [], "next_page_id": None})

    return rewrite


def _without_bags_in_the_total(booking: dict[str, Any]) -> dict[str, Any]:
    fees = booking["bags_fee"].values() if "bags_fee" in booking else (booking["luggage_fee"],)
    return booking | {"total_price": round(booking["total_price"] - sum(fees), 2)}


FAULTS: tuple[Fault, ...] = (
    Fault(
        "flights-of-two-days",
        "V23-FLIGHTS-DEFAULT-WINDOW",
        "The service searches two days if end is missing",
        wraps=_with_query(_SEARCHES, _ends_on_the_next_day),
    ),
    Fault(
        "flights-of-next-week",
        "V23-FLIGHTS-DEFAULT-WINDOW",
        "The service searches from a week ahead if start is missing",
        wraps=_with_query(_SEARCHES, _starts_in_a_week),
    ),
    Fault(
        "flights-lost-between-pages",
        "V23-FLIGHTS-COMPLETE",
        "The service leaves out ten flights between two pages",
        rewrite=edit_responses(
            _SEARCHES,
            change("/results", lambda flights: flights[10:]),
            to=lambda request: "next_page_id" in request.query,
        ),
        verdict="warning",
        reason="OPEN-37: search data are cached",
    ),
    Fault(
        "request-prices-infants",
        "V23-FLIGHT-INFANTS-UNAVAILABLE",
        "The service responds with an infant_price of 0 in a booking request where infants are not sold",
        rewrite=edit_responses(_REQUESTS, change("/requests/*/infant_price", lambda price: price or 0)),
        verdict="warning",
        reason="OPEN-82: the documents require null of the flight alone",
    ),
    Fault(
        "request-of-another-departure",
        "V23-REQUESTS-FLIGHT",
        "The service responds with booking requests whose flight departs at another time",
        rewrite=edit_responses(_REQUESTS, put("/requests/*/flight/departure_date", "2031-05-05 10:00:00")),
        verdict="warning",
        reason="OPEN-37: search data are cached",
    ),
    Fault(
        "request-of-another-route",
        "V23-REQUESTS-FLIGHT",
        "The service responds with v3 booking requests whose flight arrives at another airport",
        rewrite=edit_responses("createRequests", put("/requests/*/flight/destination/iata_code", "ORK")),
    ),
    Fault(
        "request-of-another-number",
        "V23-REQUESTS-FLIGHT",
        "The service responds with booking requests whose flight has another number",
        rewrite=edit_responses(
            _REQUESTS,
            change("/requests/*/flight/segments/*/marketing_carrier_flight_number", lambda number: number % 9999 + 1),
        ),
        verdict="warning",
        reason="OPEN-37: search data are cached",
    ),
    Fault(
        "booking-dearer",
        "V23-BOOKINGS-AS-REQUESTED",
        "The service books at a higher price than that of the booking request",
        rewrite=edit_responses(_CREATED, change("/bookings/*/price", lambda price: price + 10)),
        verdict="warning",
        reason="Some differences are acceptable (v3, Errors, 409)",
    ),
    Fault(
        "booking-total-without-bags",
        "V23-BOOKINGS-TOTAL-BAGS",
        "The service responds to a booking with a total_price without the fee of the bags",
        rewrite=edit_responses(_CREATED, change("/bookings/*", _without_bags_in_the_total)),
        verdict="warning",
        reason="OPEN-82: what a total price includes is not documented",
    ),
    Fault(
        "booking-canceled-at-once",
        "V23-BOOKING-STATUS",
        "The service responds to a booking with the status CANCELED",
        rewrite=edit_responses(_CREATED, put("/bookings/*/status", "CANCELED")),
        verdict="warning",
        reason="OPEN-11: when a booking is canceled is not documented",
    ),
    Fault(
        "booking-bags-for-nothing",
        "V23-BOOKINGS-AS-REQUESTED",
        "The service books bags at another price than that of the booking request",
        rewrite=edit_responses("createBookings", put("/bookings/*/bags_fee/*", 0)),
        verdict="warning",
        reason="Some differences are acceptable (v3, Errors, 409)",
    ),
    Fault(
        "return-on-the-outward-days",
        "V3-ROUND-TRIPS-DEFAULT-WINDOW",
        "The service searches return flights on the days of the outward flights where their dates are missing",
        wraps=_with_query(("searchRoundTrips",), _returns_with_the_outward),
    ),
    Fault(
        "cancelled-flight-blocked",
        "V3-CANCEL-NEW-FLOW",
        "The service rejects a booking request for the flight of a cancelled one",
        wraps=_blocks_cancelled,
    ),
    Fault(
        "round-trips-any-day",
        "V3-ROUND-TRIPS-PARAMETERS",
        "The service ignores malformed days of a round-trip search",
        tolerates=("searchRoundTrips:query/start:pattern", "searchRoundTrips:query/end:pattern"),
    ),
    Fault(
        "round-trips-any-seats",
        "V3-ROUND-TRIPS-PARAMETERS",
        "The service ignores seats of a round-trip search that are not a number",
        tolerates=("searchRoundTrips:query/seats:type",),
    ),
    rejects(
        "round-trips-without-customer",
        "V3-ROUND-TRIPS-CUSTOMER-CODE",
        "a round-trip search with customerCode",
        lambda request: request.operation == "searchRoundTrips" and "customerCode" in request.query,
    ),
    Fault(
        "round-trips-of-weeks",
        "V3-ROUND-TRIPS-LONG-WINDOW",
        "The service finds round-trip fares in windows of two weeks",
        policy={"longest_window": timedelta(days=14)},
    ),
    Fault(
        "requests-for-one-infant",
        "V23-REQUESTS-INFANTS",
        "The service rejects a v2 booking request for two infants",
        rejects=when("createRequestsV2", lambda body: body["passengers"].get("infants", 0) > 1),
        verdict="warning",
        reason="OPEN-84: the documents name no number of infants that is accepted",
    ),
    Fault(
        "requests-for-three",
        "V23-REQUESTS-INFANTS",
        "The service rejects a booking request for four passengers",
        rejects=when("createRequests", lambda body: len(body["passengers"]) > 3),  # noqa: PLR2004 - any number does
        rejects_with=422,
        verdict="warning",
        reason="OPEN-84: the documents name no number of infants that is accepted",
    ),
    rejects(
        "customer-without-vat",
        "V2-BOOKINGS-CUSTOMER-DATA",
        "vat_number in customer_data",
        when("createBookingsV2", lambda body: "vat_number" in body.get("customer_data", {})),
    ),
    rejects(
        "customer-never-company",
        "V2-BOOKINGS-CUSTOMER-DATA",
        "customer_data with is_company set to true",
        when("createBookingsV2", lambda body: body.get("customer_data", {}).get("is_company") is True),
    ),
    crashes(
        "unknown-method-crash",
        "V23-BOOKINGS-PAYMENT-METHOD-UNKNOWN",
        "a payment method that does not exist",
        "payment-method-unknown",
    ),
    Fault(
        "wrong-bearer-served",
        "V23-AUTH-WRONG-KEY-FORMS",
        "The service accepts an unknown token that follows the word Bearer",
        rewrite=_serves_wrong_token("Bearer "),
    ),
    Fault(
        "wrong-bare-token-served",
        "V23-AUTH-WRONG-KEY-FORMS",
        "The service accepts an unknown token without a scheme",
        rewrite=_serves_wrong_token("airworthy-wrong"),
    ),
)
