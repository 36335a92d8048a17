"""Faults in searches for flights and round trips of v3 and v2, in what they find, and in POST flights/verify."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from fnmatch import fnmatchcase
from functools import partial
from http import HTTPStatus

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import Json, add, asking, before, change, put, unwrap
from airworthy.sandbox.faults.fault import Rewrite, Wrapper
from airworthy.sandbox.faults.table import rule, table
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.service.service import SandboxService
from airworthy.sandbox.v3.flights import cursor

_LIMITED = "The content of a customer may be limited (v3, Content export)"
_BAG = {"weight": 20, "quantity": 1, "price": 30}
_ANOTHER_DAY = "2031-05-05 10:00:00"


def _never_ending(operations: str) -> Rewrite:
    """Return a rewrite of the last page: its cursor leads to the first page."""

    def rewrite(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
        is_last = response.status == HTTPStatus.OK and response.body.get("next_page_id") is None
        if not fnmatchcase(request.operation, operations) or not is_last:
            return response
        return replace(response, body=response.body | {"next_page_id": cursor(request, 0)})

    return rewrite


def _leaving_at_once(segments: Json) -> Json:
    return [each | {"departure_date": segments[0]["departure_date"]} for each in segments]


def _landing_earlier(flight: Json) -> Json:
    times = {"departure_date": f"{flight['departure_date'][:10]} 15:00:00"}
    times["arrival_date"] = times["departure_date"].replace("15:", "12:")
    return flight | times | {"segments": [each | times for each in flight["segments"]]}


def _asks(operations: str, query: Callable[[Mapping[str, str]], Mapping[str, str]]) -> Wrapper:
    """Return a handler of searches with the parameters that ``query`` returns for those that were sent."""

    def prepare(_: SandboxService, request: SandboxRequest) -> None:
        request.query = dict(query(request.query))

    return before(operations, prepare)


def _without(name: str, query: Mapping[str, str]) -> Mapping[str, str]:
    return {each: value for each, value in query.items() if each != name}


def _last_days_of_return(query: Mapping[str, str]) -> Mapping[str, str]:
    begin = _later(query["returnEnd"], -3) if "returnEnd" in query else ""
    return {**query, "returnStart": max(query["returnStart"], begin)} if "returnStart" in query else query


def _later(day: str, days: int) -> str:
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def _in_a_week() -> str:
    # The sandbox's clock may be ahead of this machine's by what the suite advanced: a week is more than enough.
    return _later(date.today().isoformat(), 7)  # noqa: DTZ011 - any zone does


FAULTS = table(
    rule("V23-FLIGHTS-REQUIRED"),
    row.accepts("flights-from-anywhere: a flight search without origin", "searchFlights*:query/origin:required"),
    row.accepts(
        "flights-to-anywhere: a flight search without destination", "searchFlights*:query/destination:required"
    ),
    row.rejects_with("flights-origin-422: a flight search without origin", 422, "searchFlights*:query/origin:*"),
    rule("V23-FLIGHTS-PARAMETERS"),
    row.accepts("flights-any-start: any string as start of a flight search", "searchFlights*:query/start:pattern"),
    row.accepts("flights-any-end: any string as end of a flight search", "searchFlights*:query/end:pattern"),
    row.accepts("flights-any-seats: any string as seats of a flight search", "searchFlights*:query/seats:type"),
    row.crashes("flights-start-crash: an invalid start of a flight search", "searchFlights*:query/start:*"),
    row.unchecked("searchRoundTrips:query/returnStart:pattern"),
    rule("V23-FLIGHTS-ANSWER"),
    row.responds("flights-bare", unwrap("searchFlights*:", "results")),
    rule("V23-FLIGHTS-ANSWER", warns="OPEN-80: the form of a cursor is not documented"),
    row.does(
        "flights-empty-cursor: responds with an empty cursor on the last page",
        change("searchFlights*:/next_page_id", lambda cursor: cursor or ""),
    ),
    rule("V23-FLIGHTS-PAGE"),
    row.sets("page-of-150: responds to a flight search with pages of up to 150 flights", page_size=150),
    row.does("cursor-never-ends: links the last page of flights to the first", rewrite=_never_ending("searchFlights*")),
    rule("V23-FLIGHTS-WINDOW"),
    row.sets("window-of-30-days: accepts a flight search over 30 days", longest_window=timedelta(days=30)),
    row.responds("flights-another-day", put("searchFlights*:/results/*/departure_date", _ANOTHER_DAY)),
    row.does(
        "flights-another-day-later: responds with flights on another day from the second page on",
        put("searchFlights*:/results/*/departure_date", _ANOTHER_DAY),
        to=asking("searchFlights*", "next_page_id"),
    ),
    row.does(
        "flights-without-last-day: responds with flights on later days if end is missing",
        put("searchFlights*:/results/*/departure_date", _ANOTHER_DAY),
        to=asking("searchFlights*", "end", given=False),
    ),
    row.behaves(
        "flights-without-end: ignores the parameter end of a flight search without start",
        _asks("searchFlights*", lambda query: query if "start" in query else _without("end", query)),
    ),
    row.does(
        "flights-start-required: requires start in a flight search",
        rejects=asking("searchFlights*", "start", given=False),
    ),
    rule("V23-FLIGHTS-SEATS"),
    row.responds("flights-one-seat", put("searchFlights*:/results/*/available_seats", 1)),
    row.does(
        "pages-one-seat: responds with flights that have fewer available_seats than requested on further pages",
        put("searchFlights*:/results/*/available_seats", 1),
        to=asking("searchFlights*", "next_page_id"),
    ),
    row.responds("fares-one-seat", put("searchRoundTrips:/fares/*/available_seats", 1)),
    row.behaves(
        "flights-any-number-of-seats: ignores the parameter seats of a flight search",
        _asks("searchFlights*", partial(_without, "seats")),
    ),
    row.behaves(
        "seats-of-no-customer: ignores the parameter seats of a flight search with a customerCode",
        _asks("searchFlights", lambda query: _without("seats", query) if "customerCode" in query else query),
    ),
    row.rejects("flights-no-seats: the parameter seats of a flight search", asking("searchFlights*", "seats")),
    row.does(
        "seats-find-nothing: finds no flights in a search for several seats",
        put("searchFlights*:/results", []),
        put("searchFlights*:/next_page_id", None),
        to=asking("searchFlights*", "seats"),
    ),
    row.does(
        "seats-find-no-fares: finds no round-trip fares in a search for several seats",
        put("searchRoundTrips:/fares", []),
        put("searchRoundTrips:/next_page_id", None),
        to=asking("searchRoundTrips", "seats"),
    ),
    rule("V23-FLIGHTS-ROUTE", warns="OPEN-78: a service may find the airports of a city for its code"),
    row.responds("flights-from-elsewhere", put("searchFlights*:/results/*/origin/iata_code", "HEL")),
    rule("V3-FLIGHTS-CUSTOMER-CODE"),
    row.rejects(
        "flights-no-customer-code: the parameter customerCode of a flight search",
        asking("searchFlights*", "customerCode"),
    ),
    rule("V3-FLIGHTS-CUSTOMER-CODE", warns=_LIMITED),
    row.does(
        "no-flights-for-customers: finds no flights in a search with customerCode",
        put("searchFlights:/results", []),
        to=asking("searchFlights", "customerCode"),
    ),
    rule("V3-ROUND-TRIPS-CUSTOMER-CODE", warns=_LIMITED),
    row.does(
        "no-fares-for-customers: finds no fares in a round-trip search with customerCode",
        put("searchRoundTrips:/fares", []),
        to=asking("searchRoundTrips", "customerCode"),
    ),
    rule("V3-ROUND-TRIPS-REQUIRED"),
    row.accepts("fares-from-anywhere: a round-trip search without origin", "searchRoundTrips:query/origin:required"),
    row.rejects_with(
        "fares-destination-404: a round-trip search without destination",
        404,
        "searchRoundTrips:query/destination:required",
    ),
    rule("V3-ROUND-TRIPS-WINDOW"),
    row.responds("fares-another-day", put("searchRoundTrips:/flights/*/departure_date", _ANOTHER_DAY)),
    row.rejects(
        "fares-no-return-window: the parameter returnStart of a round-trip search",
        asking("searchRoundTrips", "returnStart"),
    ),
    rule("V3-ROUND-TRIPS-ROUTE"),
    row.does(
        "fare-flights-interchanged: responds with round-trip fares whose outward and return flights are interchanged",
        change(
            "searchRoundTrips:/fares/*",
            lambda fare: fare | {"outward_id": fare["return_id"], "return_id": fare["outward_id"]},
        ),
    ),
    rule("V3-ROUND-TRIPS-ANSWER"),
    row.responds("round-trips-with-bags", add("searchRoundTrips:/flights/*", bags={"checked": [_BAG], "cabin": []})),
    rule("V3-ROUND-TRIPS-PAGE"),
    row.sets("page-of-150-fares: responds to a round-trip search with pages of up to 150 fares", page_size=150),
    row.does(
        "fares-never-end: links the last page of round-trip fares to the first",
        rewrite=_never_ending("searchRoundTrips"),
    ),
    rule("V3-VERIFY-ANSWER", passes="OPEN-40: after 25 September 2026 nothing about it is documented"),
    row.sends("verify-crashes: responds to a flight verification with 500", "verifyFlight", status=500),
    rule("V23-FLIGHT-ITINERARY"),
    row.responds("flight-to-elsewhere", put("searchFlights*:/results/*/destination/iata_code", "HEL")),
    row.does(
        "flight-arrives-later: responds with flights whose arrival differs from that of their last segment",
        change("searchFlights*:/results/*/arrival_date", lambda text: text[:17] + "59"),
    ),
    row.does(
        "segments-at-once: responds with flights whose segments all depart at the same time",
        change("searchFlights*:/results/*/segments", _leaving_at_once),
    ),
    row.does(
        "segments-from-one-airport: responds with flights whose last segment departs from their origin",
        change(
            "searchFlights*:/results/*/segments", lambda each: [*each[:-1], each[-1] | {"origin": each[0]["origin"]}]
        ),
    ),
    row.does(
        "flight-backwards: responds with flights that arrive some hours before they depart",
        change("searchFlights*:/results/*", _landing_earlier),
    ),
    row.responds(
        "flight-of-yesterday",
        put("searchFlights*:/results/*/arrival_date", "2020-02-02 10:00:00"),
        put("searchFlights*:/results/*/segments/*/arrival_date", "2020-02-02 10:00:00"),
    ),
    rule("V2-FLIGHT-LUGGAGE", warns="OPEN-81: a flight without options may show null"),
    row.responds("luggage-null", put("searchFlightsV2:/results/*/luggage_options", None)),
    rule("V23-FLIGHTS-DEFAULT-WINDOW"),
    row.behaves(
        "flights-of-two-days: searches two days if end is missing",
        _asks("searchFlights*", lambda sent: {"end": _later(sent["start"], 1), **sent} if "start" in sent else sent),
    ),
    row.behaves(
        "flights-of-next-week: searches from a week ahead if start is missing",
        _asks("searchFlights*", lambda sent: {"start": _in_a_week(), **sent}),
    ),
    row.behaves(
        "fares-of-one-day: searches round-trip fares on one day if end is missing",
        _asks("searchRoundTrips", lambda sent: {"end": sent["start"], **sent} if "start" in sent else sent),
    ),
    rule("V23-FLIGHTS-COMPLETE", warns="OPEN-37: search data are cached"),
    row.does(
        "flights-lost-between-pages: leaves out ten flights between two pages",
        change("searchFlights*:/results", lambda flights: flights[10:]),
        to=asking("searchFlights*", "next_page_id"),
    ),
    rule("V23-FLIGHT-INFANTS-UNAVAILABLE", warns="OPEN-82: the documents require null of the flight alone"),
    row.does(
        "request-prices-infants: responds with an infant_price of 0 in a booking request where infants are not sold",
        change("createRequests*:/requests/*/infant_price", lambda price: price or 0),
    ),
    rule("V3-ROUND-TRIPS-DEFAULT-WINDOW"),
    row.behaves(
        "return-on-the-outward-days: searches return flights on the days of the outward flights if dates are missing",
        _asks(
            "searchRoundTrips",
            lambda sent: (
                {**sent, "returnStart": sent["start"], "returnEnd": sent["end"]} if "returnEnd" not in sent else sent
            ),
        ),
    ),
    rule("V3-ROUND-TRIPS-PARAMETERS"),
    row.tolerates(
        "round-trips-any-day: ignores malformed days of a round-trip search",
        "searchRoundTrips:query/start:pattern",
        "searchRoundTrips:query/end:pattern",
    ),
    row.tolerates(
        "round-trips-any-seats: ignores seats of a round-trip search that are not a number",
        "searchRoundTrips:query/seats:type",
    ),
    rule("V3-ROUND-TRIPS-CUSTOMER-CODE"),
    row.rejects(
        "round-trips-without-customer: a round-trip search with customerCode",
        asking("searchRoundTrips", "customerCode"),
    ),
    rule("V3-ROUND-TRIPS-LONG-WINDOW"),
    row.sets("round-trips-of-weeks: finds round-trip fares in windows of two weeks", longest_window=timedelta(days=14)),
    row.behaves(
        "last-days-of-return: finds the fares of the last three days in a longer return window",
        _asks("searchRoundTrips", _last_days_of_return),
    ),
    rule("V3-ROUND-TRIPS-BESIDE", warns="OPEN-37: search data are cached"),
    row.does(
        "fares-replace-flights: finds no flights back on a route with round-trip fares",
        put("searchFlights:/results", []),
        to=lambda request: request.query["origin"].upper() == "FCO",
    ),
)
