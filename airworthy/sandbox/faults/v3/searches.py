"""Faults in GET flights and GET roundTrips (parameters, pages, windows) and in POST flights/verify."""

from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from airworthy.sandbox.faults.changes import change, edit_responses, put, replace_response
from airworthy.sandbox.faults.fault import Condition, Fault, Rewrite
from airworthy.sandbox.faults.kinds import accepts, crashes, rejects, rejects_with
from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.service.service import Handler, SandboxService
from airworthy.sandbox.v3.flights import cursor

_SEARCHES = ("searchFlights", "searchFlightsV2")
_ANOTHER_DAY = "2031-05-05 10:00:00"


def _asking(operation: str, name: str, *, given: bool = True) -> Condition:
    """Return a condition: a search has a parameter, or (not ``given``) does not have it."""

    def objects(request: SandboxRequest) -> bool:
        return request.operation.startswith(operation) and (name in request.query) is given

    return objects


def _interchanged(fare: dict[str, Any]) -> dict[str, Any]:
    return fare | {"outward_id": fare["return_id"], "return_id": fare["outward_id"]}


def _without_seats(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Find flights with any number of seats."""
    query = {name: value for name, value in request.query.items() if name != "seats"}
    is_search = request.operation in _SEARCHES
    return handler(service, replace(request, query=query) if is_search else request)


def _never_ending(*operations: str) -> Rewrite:
    """Return a rewrite of the last page: its cursor leads to the first page."""

    def rewrite(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
        is_last = response.status == HTTPStatus.OK and response.body.get("next_page_id") is None
        if request.operation not in operations or not is_last:
            return response
        return replace(response, body=response.body | {"next_page_id": cursor(request, 0)})

    return rewrite


def _with_empty_cursor(body: dict[str, Any]) -> dict[str, Any]:
    return body | {"next_page_id": body.get("next_page_id") or ""}


FAULTS: tuple[Fault, ...] = (
    accepts(
        "flights-from-anywhere",
        "V23-FLIGHTS-REQUIRED",
        "a flight search without origin",
        "searchFlights*:query/origin:required",
    ),
    accepts(
        "flights-to-anywhere",
        "V23-FLIGHTS-REQUIRED",
        "a flight search without destination",
        "searchFlights*:query/destination:required",
    ),
    rejects_with(
        "flights-origin-422",
        "V23-FLIGHTS-REQUIRED",
        422,
        "a flight search without origin",
        "searchFlights*:query/origin:*",
    ),
    accepts(
        "flights-any-start",
        "V23-FLIGHTS-PARAMETERS",
        "any string as start of a flight search",
        "searchFlights*:query/start:pattern",
    ),
    accepts(
        "flights-any-end",
        "V23-FLIGHTS-PARAMETERS",
        "any string as end of a flight search",
        "searchFlights*:query/end:pattern",
    ),
    accepts(
        "flights-any-seats",
        "V23-FLIGHTS-PARAMETERS",
        "any string as seats of a flight search",
        "searchFlights*:query/seats:type",
    ),
    crashes(
        "flights-start-crash",
        "V23-FLIGHTS-PARAMETERS",
        "an invalid start of a flight search",
        "searchFlights*:query/start:*",
    ),
    Fault(
        "flights-bare",
        "V23-FLIGHTS-ANSWER",
        "The service responds to a flight search with an array instead of an object",
        rewrite=edit_responses(_SEARCHES, change("", lambda body: body["results"])),
    ),
    Fault(
        "flights-empty-cursor",
        "V23-FLIGHTS-PAGE",
        "The service responds with an empty cursor on the last page",
        rewrite=edit_responses(_SEARCHES, change("", _with_empty_cursor)),
    ),
    Fault(
        "page-of-150",
        "V23-FLIGHTS-PAGE",
        "The service responds to a flight search with pages of up to 150 flights",
        policy={"page_size": 150},
    ),
    Fault(
        "cursor-never-ends",
        "V23-FLIGHTS-PAGE",
        "The service links the last page of flights to the first",
        rewrite=_never_ending(*_SEARCHES),
    ),
    Fault(
        "window-of-30-days",
        "V23-FLIGHTS-WINDOW",
        "The service accepts a flight search over 30 days",
        policy={"longest_window": timedelta(days=30)},
    ),
    Fault(
        "flights-another-day",
        "V23-FLIGHTS-WINDOW",
        "The service responds to a flight search with flights that depart on another day",
        rewrite=edit_responses(_SEARCHES, put("/results/*/departure_date", _ANOTHER_DAY)),
    ),
    Fault(
        "flights-another-day-later",
        "V23-FLIGHTS-WINDOW",
        "The service responds with flights on another day from the second page on",
        rewrite=edit_responses(
            _SEARCHES, put("/results/*/departure_date", _ANOTHER_DAY), to=_asking("searchFlights", "next_page_id")
        ),
    ),
    Fault(
        "flights-without-last-day",
        "V23-FLIGHTS-WINDOW",
        "The service responds with flights on later days if end is missing",
        rewrite=edit_responses(
            _SEARCHES, put("/results/*/departure_date", _ANOTHER_DAY), to=_asking("searchFlights", "end", given=False)
        ),
    ),
    Fault(
        "flights-start-required",
        "V23-FLIGHTS-WINDOW",
        "The service requires start in a flight search",
        rejects=_asking("searchFlights", "start", given=False),
    ),
    Fault(
        "flights-one-seat",
        "V23-FLIGHTS-SEATS",
        "The service responds with flights that have fewer available_seats than requested",
        rewrite=edit_responses(_SEARCHES, put("/results/*/available_seats", 1)),
    ),
    Fault(
        "pages-one-seat",
        "V23-FLIGHTS-SEATS",
        "The service responds with flights that have fewer available_seats than requested on further pages",
        rewrite=edit_responses(
            _SEARCHES, put("/results/*/available_seats", 1), to=_asking("searchFlights", "next_page_id")
        ),
    ),
    Fault(
        "fares-one-seat",
        "V23-FLIGHTS-SEATS",
        "The service responds with round-trip fares that have fewer available_seats than requested",
        rewrite=edit_responses("searchRoundTrips", put("/fares/*/available_seats", 1)),
    ),
    Fault(
        "flights-any-number-of-seats",
        "V23-FLIGHTS-SEATS",
        "The service ignores the parameter seats of a flight search",
        wraps=_without_seats,
    ),
    rejects(
        "flights-no-seats",
        "V23-FLIGHTS-SEATS",
        "the parameter seats of a flight search",
        _asking("searchFlights", "seats"),
    ),
    Fault(
        "flights-from-elsewhere",
        "V23-FLIGHTS-ROUTE",
        "The service responds to a flight search with flights from another airport",
        rewrite=edit_responses(_SEARCHES, put("/results/*/origin/iata_code", "HEL")),
        verdict="warning",
        reason="OPEN-78: a service may find the airports of a city for its code",
    ),
    rejects(
        "flights-no-customer-code",
        "V3-FLIGHTS-CUSTOMER-CODE",
        "the parameter customerCode of a flight search",
        _asking("searchFlights", "customerCode"),
    ),
    *(
        Fault(
            f"no-{found}-for-customers",
            rule,
            f"The service finds no {found} where the search has a customer code",
            rewrite=edit_responses(operation, put(place, []), to=lambda request: "customerCode" in request.query),
            verdict="warning",
            reason="The content of a customer may be limited (v3, Content export)",
        )
        for found, rule, operation, place in (
            ("flights", "V3-FLIGHTS-CUSTOMER-CODE", "searchFlights", "/results"),
            ("fares", "V3-ROUND-TRIPS-CUSTOMER-CODE", "searchRoundTrips", "/fares"),
        )
    ),
    accepts(
        "fares-from-anywhere",
        "V3-ROUND-TRIPS-REQUIRED",
        "a round-trip search without origin",
        "searchRoundTrips:query/origin:required",
    ),
    rejects_with(
        "fares-destination-404",
        "V3-ROUND-TRIPS-REQUIRED",
        404,
        "a round-trip search without destination",
        "searchRoundTrips:query/destination:required",
    ),
    Fault(
        "fares-another-day",
        "V3-ROUND-TRIPS-WINDOW",
        "The service responds to a round-trip search with flights that depart on another day",
        rewrite=edit_responses("searchRoundTrips", put("/flights/*/departure_date", _ANOTHER_DAY)),
    ),
    rejects(
        "fares-no-return-window",
        "V3-ROUND-TRIPS-WINDOW",
        "the parameter returnStart of a round-trip search",
        _asking("searchRoundTrips", "returnStart"),
    ),
    Fault(
        "fare-flights-interchanged",
        "V3-ROUND-TRIPS-ROUTE",
        "The service responds with round-trip fares whose outward and return flights are interchanged",
        rewrite=edit_responses("searchRoundTrips", change("/fares/*", _interchanged)),
    ),
    Fault(
        "page-of-150-fares",
        "V3-ROUND-TRIPS-PAGE",
        "The service responds to a round-trip search with pages of up to 150 fares",
        policy={"page_size": 150},
    ),
    Fault(
        "fares-never-end",
        "V3-ROUND-TRIPS-PAGE",
        "The service links the last page of round-trip fares to the first",
        rewrite=_never_ending("searchRoundTrips"),
    ),
    Fault(
        "verify-crashes",
        "V3-VERIFY-ANSWER",
        "The service responds to a flight verification with 500",
        rewrite=replace_response("verifyFlight", status=500),
        verdict="passed",
        reason="OPEN-40: after 25 September 2026 nothing about it is documented",
    ),
)
