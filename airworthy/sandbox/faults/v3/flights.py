"""Faults in searches for flights and round trips of v3 and v2, in what they find, and in POST flights/verify."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from fnmatch import fnmatchcase
from functools import partial
from http import HTTPStatus

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import Json, add, asking, before, change, in_two_digits, put, unwrap
from airworthy.sandbox.faults.fault import Rewrite, Row
from airworthy.sandbox.faults.table import FAILS, PASSES, WARNS, Table, rule
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


def _landing_earlier(flight: Json) -> Json:
    times = {"departure_date": f"{flight['departure_date'][:10]} 15:00:00"}
    times["arrival_date"] = times["departure_date"].replace("15:", "12:")
    return flight | times | {"segments": [each | times for each in flight["segments"]]}


def _asks(operations: str, query: Callable[[Mapping[str, str]], Mapping[str, str]]) -> Row:
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


def _fly_elsewhere(found: list[Json]) -> list[Json]:
    """Let the second flight that a search finds fly to Helsinki."""
    helsinki = {"iata_code": "HEL", "city_name": "Helsinki", "country_name": "Finland", "timezone": "Europe/Helsinki"}
    return [*found[:1], *({**each, "destination": helsinki} for each in found[1:2]), *found[2:]]


FAULTS: Table = {
    rule("V23-FLIGHTS-REQUIRED"): FAILS,
    "flights-from-anywhere: a flight search without origin": row.accepts("searchFlights*:query/origin:required"),
    "flights-to-anywhere": row.accepts("searchFlights*:query/destination:required"),
    "flights-origin-422: a flight search without origin": row.rejects_with(422, "searchFlights*:query/origin:*"),
    rule("V23-FLIGHTS-PARAMETERS"): FAILS,
    "flights-any-start: any string as start of a flight search": row.accepts("searchFlights*:query/start:pattern"),
    "flights-one-digit-days: accepts months and days of one digit": _asks(
        "searchFlights*", lambda query: {name: in_two_digits(value) for name, value in query.items()}
    ),
    "flights-any-end: any string as end of a flight search": row.accepts("searchFlights*:query/end:pattern"),
    "flights-any-seats: any string as seats of a flight search": row.accepts("searchFlights*:query/seats:type"),
    "flights-start-crash: an invalid start of a flight search": row.crashes("searchFlights*:query/start:*"),
    "unchecked:searchRoundTrips:query/returnStart:pattern": row.accepts("searchRoundTrips:query/returnStart:pattern"),
    rule("V23-FLIGHTS-ANSWER"): FAILS,
    "flights-bare": unwrap("searchFlights*:", "results"),
    rule("V23-FLIGHTS-ANSWER", "OPEN-80: the form of a cursor is not documented"): WARNS,
    "flights-empty-cursor": change("searchFlights*:/next_page_id", lambda cursor: cursor or ""),
    rule("V23-FLIGHTS-PAGE"): FAILS,
    "page-of-150: responds to a flight search with pages of up to 150 flights": row.sets(page_size=150),
    "cursor-never-ends: links the last page of flights to the first": row.does(rewrite=_never_ending("searchFlights*")),
    rule("V23-FLIGHTS-WINDOW"): FAILS,
    "window-of-30-days: accepts a flight search over 30 days": row.sets(longest_window=timedelta(days=30)),
    "flights-another-day": put("searchFlights*:/results/*/departure_date", _ANOTHER_DAY),
    "flights-another-day-later: responds with flights on another day from the second page on": row.responds(
        put("searchFlights*:/results/*/departure_date", _ANOTHER_DAY), to=asking("searchFlights*", "next_page_id")
    ),
    "flights-without-last-day: responds with flights on later days if end is missing": row.responds(
        put("searchFlights*:/results/*/departure_date", _ANOTHER_DAY), to=asking("searchFlights*", "end", given=False)
    ),
    "flights-without-end: ignores the parameter end of a flight search without start": _asks(
        "searchFlights*", lambda query: query if "start" in query else _without("end", query)
    ),
    "flights-before-end: searches the three days before end if start is missing": _asks(
        "searchFlights*", lambda sent: {"start": _later(sent["end"], -3), **sent} if "end" in sent else sent
    ),
    "flights-start-required: requires start": row.does(rejects=asking("searchFlights*", "start", given=False)),
    rule("V23-FLIGHTS-SEATS"): FAILS,
    "flights-one-seat": put("searchFlights*:/results/*/available_seats", 1),
    "pages-one-seat": row.responds(
        put("searchFlights*:/results/*/available_seats", 1), to=asking("searchFlights*", "next_page_id")
    ),
    "fares-one-seat": put("searchRoundTrips:/fares/*/available_seats", 1),
    "flights-any-number-of-seats: ignores the parameter seats": _asks("searchFlights*", partial(_without, "seats")),
    "seats-of-no-customer: ignores the parameter seats of a flight search with a customerCode": _asks(
        "searchFlights", lambda query: _without("seats", query) if "customerCode" in query else query
    ),
    "flights-no-seats: the parameter seats of a flight search": row.rejects(asking("searchFlights*", "seats")),
    "seats-find-nothing: finds no flights in a search for several seats": row.responds(
        put("searchFlights*:/results", []),
        put("searchFlights*:/next_page_id", None),
        to=asking("searchFlights*", "seats"),
    ),
    "seats-find-no-fares: finds no round-trip fares in a search for several seats": row.responds(
        put("searchRoundTrips:/fares", []),
        put("searchRoundTrips:/next_page_id", None),
        to=asking("searchRoundTrips", "seats"),
    ),
    rule("V23-FLIGHTS-ROUTE", "OPEN-78: a service may find the airports of a city for its code"): WARNS,
    "flights-from-elsewhere": put("searchFlights*:/results/*/origin/iata_code", "HEL"),
    rule("V23-FLIGHTS-ROUTE"): FAILS,
    "search-of-another-city: the second flight of a search flies to another city": change(
        "searchFlights*:/results", _fly_elsewhere
    ),
    rule("V3-FLIGHTS-CUSTOMER-CODE"): FAILS,
    "flights-no-customer-code: the parameter customerCode": row.rejects(asking("searchFlights*", "customerCode")),
    rule("V3-FLIGHTS-CUSTOMER-CODE", _LIMITED): WARNS,
    "no-flights-for-customers: finds no flights in a search with customerCode": row.responds(
        put("searchFlights:/results", []), to=asking("searchFlights", "customerCode")
    ),
    rule("V3-ROUND-TRIPS-CUSTOMER-CODE", _LIMITED): WARNS,
    "no-fares-for-customers: finds no fares in a round-trip search with customerCode": row.responds(
        put("searchRoundTrips:/fares", []), to=asking("searchRoundTrips", "customerCode")
    ),
    rule("V3-ROUND-TRIPS-REQUIRED"): FAILS,
    "fares-from-anywhere: a round-trip search without origin": row.accepts("searchRoundTrips:query/origin:required"),
    "fares-destination-404": row.rejects_with(404, "searchRoundTrips:query/destination:required"),
    rule("V3-ROUND-TRIPS-WINDOW"): FAILS,
    "fares-another-day": put("searchRoundTrips:/flights/*/departure_date", _ANOTHER_DAY),
    "fares-no-return-window: the parameter returnStart": row.rejects(asking("searchRoundTrips", "returnStart")),
    rule("V3-ROUND-TRIPS-ROUTE"): FAILS,
    "fare-flights-interchanged": change(
        "searchRoundTrips:/fares/*",
        lambda fare: fare | {"outward_id": fare["return_id"], "return_id": fare["outward_id"]},
    ),
    rule("V3-ROUND-TRIPS-ANSWER"): FAILS,
    "round-trips-with-bags": add("searchRoundTrips:/flights/*", bags={"checked": [_BAG], "cabin": []}),
    rule("V3-ROUND-TRIPS-PAGE"): FAILS,
    "page-of-150-fares: responds to a round-trip search with pages of up to 150 fares": row.sets(page_size=150),
    "fares-never-end: links the last page of fares to the first": row.does(rewrite=_never_ending("searchRoundTrips")),
    rule("V3-VERIFY-ANSWER", "OPEN-40: after 25 September 2026 nothing about it is documented"): PASSES,
    "verify-crashes: responds to a flight verification with 500": row.sends("verifyFlight", status=500),
    rule("V23-FLIGHT-PLACES", "No sentence excludes two places of one airport"): WARNS,
    "segments-from-another-zone": put("searchFlights*:/results/*/segments/*/origin/timezone", "Asia/Tokyo"),
    rule("V23-FLIGHT-ITINERARY"): FAILS,
    "flight-to-elsewhere": put("searchFlights*:/results/*/destination/iata_code", "HEL"),
    "flight-arrives-later: responds with flights whose arrival differs from that of their last segment": change(
        "searchFlights*:/results/*/arrival_date", lambda text: text[:17] + "59"
    ),
    "segments-at-once: responds with flights whose segments all depart at the same time": change(
        "searchFlights*:/results/*/segments",
        lambda segments: [each | {"departure_date": segments[0]["departure_date"]} for each in segments],
    ),
    "segments-from-one-airport: responds with flights whose last segment departs from their origin": change(
        "searchFlights*:/results/*/segments", lambda each: [*each[:-1], each[-1] | {"origin": each[0]["origin"]}]
    ),
    "flight-backwards": change("searchFlights*:/results/*", _landing_earlier),
    "flight-of-yesterday": (
        put("searchFlights*:/results/*/arrival_date", "2020-02-02 10:00:00"),
        put("searchFlights*:/results/*/segments/*/arrival_date", "2020-02-02 10:00:00"),
    ),
    rule("V2-FLIGHT-LUGGAGE", "OPEN-81: a flight without options may show null"): WARNS,
    "luggage-null": put("searchFlightsV2:/results/*/luggage_options", None),
    rule("V23-FLIGHTS-DEFAULT-WINDOW"): FAILS,
    "flights-of-two-days: searches two days if end is missing": _asks(
        "searchFlights*", lambda sent: {"end": _later(sent["start"], 1), **sent} if "start" in sent else sent
    ),
    "flights-of-next-week: searches a week ahead by default": _asks(
        "searchFlights*", lambda sent: {"start": _in_a_week(), **sent}
    ),
    "fares-of-one-day: searches round-trip fares on one day if end is missing": _asks(
        "searchRoundTrips", lambda sent: {"end": sent["start"], **sent} if "start" in sent else sent
    ),
    rule("V23-FLIGHTS-COMPLETE", "OPEN-37: search data are cached"): WARNS,
    "flights-lost-between-pages: leaves out ten flights between two pages": row.responds(
        change("searchFlights*:/results", lambda flights: flights[10:]), to=asking("searchFlights*", "next_page_id")
    ),
    rule("V23-FLIGHT-INFANTS-UNAVAILABLE"): FAILS,
    "infants-for-nothing": change("searchFlights*:/results/*/infant_price", lambda price: price or 0),
    rule("V23-FLIGHT-INFANTS-UNAVAILABLE", "OPEN-82: the documents require null of the flight alone"): WARNS,
    "request-prices-infants": change("createRequests*:/requests/*/infant_price", lambda price: price or 0),
    rule("V3-ROUND-TRIPS-DEFAULT-WINDOW"): FAILS,
    "return-on-the-outward-days: searches return flights on the days of the outward flights if dates are missing": (
        _asks(
            "searchRoundTrips",
            lambda sent: (
                {**sent, "returnStart": sent["start"], "returnEnd": sent["end"]} if "returnEnd" not in sent else sent
            ),
        )
    ),
    "return-of-two-days: searches return flights on two days if returnEnd is missing": _asks(
        "searchRoundTrips", lambda sent: {"returnEnd": _later(sent["start"], 2), **sent} if "start" in sent else sent
    ),
    rule("V3-ROUND-TRIPS-PARAMETERS"): FAILS,
    "round-trips-any-day": row.tolerates("searchRoundTrips:query/start:pattern", "searchRoundTrips:query/end:pattern"),
    "round-trips-any-seats": row.tolerates("searchRoundTrips:query/seats:type"),
    rule("V3-ROUND-TRIPS-CUSTOMER-CODE"): FAILS,
    "round-trips-without-customer: the parameter customerCode": row.rejects(asking("searchRoundTrips", "customerCode")),
    rule("V3-ROUND-TRIPS-LONG-WINDOW"): FAILS,
    "round-trips-of-weeks: finds round-trip fares in windows of two weeks": row.sets(longest_window=timedelta(days=14)),
    "last-days-of-return: searches the last days of the return window": _asks("searchRoundTrips", _last_days_of_return),
    rule("V3-ROUND-TRIPS-BESIDE", "OPEN-37: search data are cached"): WARNS,
    "fares-replace-flights: finds no flights back on a route with round-trip fares": row.responds(
        put("searchFlights:/results", []), to=lambda request: request.query["origin"].upper() == "FCO"
    ),
}
