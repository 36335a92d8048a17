"""Faults in GET flights, GET roundTrips and POST flights/verify."""

from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from airworthy.sandbox.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.faults.changes import change, edit_responses, put, remove, replace_response, with_status
from airworthy.sandbox.faults.fault import Fault, Objection, Rewrite
from airworthy.sandbox.v3.flights import cursor

_SEARCHES = ("searchFlights", "searchFlightsV2")
_ANOTHER_DAY = "2031-05-05 10:00:00"


def _asking(operation: str, name: str, *, given: bool = True) -> Objection:
    """Return a condition: a search has a parameter, or (not ``given``) does not have it."""

    def objects(request: SandboxRequest) -> bool:
        return request.operation.startswith(operation) and (name in request.query) is given

    return objects


def _never_ending(*operations: str) -> Rewrite:
    """Return a rewrite of the last page: its cursor leads to the first page."""

    def rewrite(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
        is_last = response.status == HTTPStatus.OK and response.body.get("next_page_id") is None
        if request.operation not in operations or not is_last:
            return response
        return replace(response, body=response.body | {"next_page_id": cursor(request, 0)})

    return rewrite


def _leaving_at_once(segments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each | {"departure_date": segments[0]["departure_date"]} for each in segments]


def _with_empty_cursor(body: dict[str, Any]) -> dict[str, Any]:
    return body | {"next_page_id": body.get("next_page_id") or ""}


FAULTS: tuple[Fault, ...] = (
    Fault(
        "flights-from-anywhere",
        "V23-FLIGHTS-REQUIRED",
        "The service accepts a flight search without origin",
        tolerates=("searchFlights*:query/origin:required",),
    ),
    Fault(
        "flights-to-anywhere",
        "V23-FLIGHTS-REQUIRED",
        "The service accepts a flight search without destination",
        tolerates=("searchFlights*:query/destination:required",),
    ),
    Fault(
        "flights-origin-422",
        "V23-FLIGHTS-REQUIRED",
        "The service rejects a flight search without origin with 422",
        rewords={"searchFlights*:query/origin:*": with_status(422)},
    ),
    Fault(
        "flights-any-start",
        "V23-FLIGHTS-PARAMETERS",
        "The service accepts any string as start of a flight search",
        tolerates=("searchFlights*:query/start:pattern",),
    ),
    Fault(
        "flights-any-end",
        "V23-FLIGHTS-PARAMETERS",
        "The service accepts any string as end of a flight search",
        tolerates=("searchFlights*:query/end:pattern",),
    ),
    Fault(
        "flights-any-seats",
        "V23-FLIGHTS-PARAMETERS",
        "The service accepts any string as seats of a flight search",
        tolerates=("searchFlights*:query/seats:type",),
    ),
    Fault(
        "flights-start-crash",
        "V23-FLIGHTS-PARAMETERS",
        "The service responds to an invalid start of a flight search with 500",
        rewords={"searchFlights*:query/start:*": with_status(500)},
    ),
    Fault(
        "flights-bare",
        "V23-FLIGHTS-ANSWER",
        "The service responds to a flight search with an array instead of an object",
        rewrite=edit_responses(_SEARCHES, change("", lambda body: body["results"])),
    ),
    Fault(
        "flights-without-cursor",
        "V23-FLIGHTS-ANSWER",
        "The service responds to a flight search without next_page_id",
        rewrite=edit_responses(_SEARCHES, remove("/next_page_id")),
    ),
    Fault(
        "flights-cursor-number",
        "V23-FLIGHTS-ANSWER",
        "The service responds to a flight search with next_page_id as a number",
        rewrite=edit_responses(_SEARCHES, put("/next_page_id", 0)),
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
        "The service responds with flights on later days where end is missing",
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
        "fares-one-seat",
        "V23-FLIGHTS-SEATS",
        "The service responds with round-trip fares that have fewer available_seats than requested",
        rewrite=edit_responses("searchRoundTrips", put("/fares/*/available_seats", 1)),
    ),
    Fault(
        "flights-no-seats",
        "V23-FLIGHTS-SEATS",
        "The service rejects the parameter seats of a flight search",
        rejects=_asking("searchFlights", "seats"),
    ),
    Fault(
        "flights-from-elsewhere",
        "V23-FLIGHTS-ROUTE",
        "The service responds to a flight search with flights from another airport",
        rewrite=edit_responses(_SEARCHES, put("/results/*/origin/iata_code", "HEL")),
        verdict="warning",
        reason="OPEN-78: a service may find the airports of a city for its code",
    ),
    Fault(
        "flights-no-customer-code",
        "V3-FLIGHTS-CUSTOMER-CODE",
        "The service rejects the parameter customerCode of a flight search",
        rejects=_asking("searchFlights", "customerCode"),
    ),
    Fault(
        "flight-without-tax",
        "V23-FLIGHT-FIELDS",
        "The service responds with flights that have no included_airport_tax",
        rewrite=edit_responses(_SEARCHES, remove("/results/*/included_airport_tax")),
    ),
    Fault(
        "flight-id-text",
        "V23-FLIGHT-FIELDS",
        "The service responds with flights whose ids are strings",
        rewrite=edit_responses(_SEARCHES, change("/results/*/id", str)),
    ),
    Fault(
        "flight-price-text",
        "V23-FLIGHT-FIELDS",
        "The service responds with flights whose prices are strings",
        rewrite=edit_responses(_SEARCHES, change("/results/*/price", str)),
    ),
    Fault(
        "flight-apis-text",
        "V23-FLIGHT-FIELDS",
        "The service responds with flights whose need_apis is a string",
        rewrite=edit_responses(_SEARCHES, put("/results/*/need_apis", "no")),
    ),
    Fault(
        "flight-tax-above-price",
        "V23-FLIGHT-FIELDS",
        "The service responds with flights whose included_airport_tax exceeds the price",
        rewrite=edit_responses(_SEARCHES, put("/results/*/included_airport_tax", 99_999)),
    ),
    Fault(
        "flight-times-iso",
        "V23-FLIGHT-TIMES",
        "The service responds with departure times in ISO 8601 format",
        rewrite=edit_responses(_SEARCHES, change("/results/*/departure_date", lambda text: text.replace(" ", "T"))),
    ),
    Fault(
        "flight-duration-minutes",
        "V23-FLIGHT-TIMES",
        "The service responds with durations as a number of minutes",
        rewrite=edit_responses(_SEARCHES, put("/results/*/duration", "75")),
    ),
    Fault(
        "segment-times-short",
        "V23-FLIGHT-TIMES",
        "The service responds with arrival times of segments without seconds",
        rewrite=edit_responses(_SEARCHES, change("/results/*/segments/*/arrival_date", lambda text: text[:16])),
    ),
    Fault(
        "place-without-city",
        "V23-FLIGHT-PLACES",
        "The service responds with places that have no city_name",
        rewrite=edit_responses(_SEARCHES, remove("/results/*/origin/city_name")),
    ),
    Fault(
        "place-as-code",
        "V23-FLIGHT-PLACES",
        "The service responds with a place as a string",
        rewrite=edit_responses(_SEARCHES, put("/results/*/destination", "PMI")),
    ),
    Fault(
        "place-city-code",
        "V23-FLIGHT-PLACES",
        "The service responds with places whose iata_code has four letters",
        rewrite=edit_responses(_SEARCHES, put("/results/*/origin/iata_code", "LEMD")),
    ),
    Fault(
        "flight-without-segments",
        "V23-FLIGHT-SEGMENTS",
        "The service responds with flights that have no segments",
        rewrite=edit_responses(_SEARCHES, put("/results/*/segments", [])),
    ),
    Fault(
        "flight-of-four",
        "V23-FLIGHT-SEGMENTS",
        "The service responds with flights of four or more segments",
        rewrite=edit_responses(_SEARCHES, change("/results/*/segments", lambda segments: segments * 4)),
    ),
    Fault(
        "segment-without-duration",
        "V23-FLIGHT-SEGMENTS",
        "The service responds to a flight search with segments that have no duration",
        rewrite=edit_responses(_SEARCHES, remove("/results/*/segments/*/duration")),
    ),
    Fault(
        "segment-carrier-code",
        "V23-FLIGHT-SEGMENTS",
        "The service responds with the operating carrier of segments as a string",
        rewrite=edit_responses(
            _SEARCHES, change("/results/*/segments/*/operating_carrier", lambda carrier: carrier["iata_code"])
        ),
    ),
    Fault(
        "flight-to-elsewhere",
        "V23-FLIGHT-ITINERARY",
        "The service responds with flights whose destination differs from that of their last segment",
        rewrite=edit_responses(_SEARCHES, put("/results/*/destination/iata_code", "HEL")),
    ),
    Fault(
        "flight-arrives-later",
        "V23-FLIGHT-ITINERARY",
        "The service responds with flights whose arrival differs from that of their last segment",
        rewrite=edit_responses(_SEARCHES, change("/results/*/arrival_date", lambda text: text[:17] + "59")),
    ),
    Fault(
        "segments-at-once",
        "V23-FLIGHT-ITINERARY",
        "The service responds with flights whose segments all depart at the same time",
        rewrite=edit_responses(_SEARCHES, change("/results/*/segments", _leaving_at_once)),
    ),
    Fault(
        "flight-of-yesterday",
        "V23-FLIGHT-ITINERARY",
        "The service responds with flights that arrive before they depart",
        rewrite=edit_responses(
            _SEARCHES,
            put("/results/*/arrival_date", "2020-02-02 10:00:00"),
            put("/results/*/segments/*/arrival_date", "2020-02-02 10:00:00"),
        ),
    ),
    Fault(
        "infant-price-text",
        "V23-FLIGHT-INFANT-PRICE",
        "The service responds with a string as infant_price of flights that do not take infants",
        rewrite=edit_responses(
            _SEARCHES, change("/results/*/infant_price", lambda price: "none" if price is None else price)
        ),
    ),
    Fault(
        "bags-in-array",
        "V3-FLIGHT-BAGS",
        "The service responds to a flight search with bags as an array",
        rewrite=edit_responses("searchFlights", change("/results/*/bags", lambda bags: [bags])),
    ),
    Fault(
        "bags-without-quantity",
        "V3-FLIGHT-BAGS",
        "The service responds to a flight search with bags that have no quantity",
        rewrite=edit_responses("searchFlights", remove("/results/*/bags/*/*/quantity")),
    ),
    Fault(
        "cabin-without-dimensions",
        "V3-FLIGHT-BAGS",
        "The service responds to a flight search with cabin bags that have no dimensions",
        rewrite=edit_responses("searchFlights", remove("/results/*/bags/cabin/*/dimensions")),
    ),
    Fault(
        "luggage-without-weight",
        "V2-FLIGHT-LUGGAGE",
        "The service responds to a v2 flight search with luggage options that have no weight",
        rewrite=edit_responses("searchFlightsV2", remove("/results/*/luggage_options/*/weight")),
    ),
    Fault(
        "luggage-null",
        "V2-FLIGHT-LUGGAGE",
        "The service responds to a v2 flight search with luggage_options set to null",
        rewrite=edit_responses("searchFlightsV2", put("/results/*/luggage_options", None)),
    ),
    Fault(
        "fares-from-anywhere",
        "V3-ROUND-TRIPS-REQUIRED",
        "The service accepts a round-trip search without origin",
        tolerates=("searchRoundTrips:query/origin:required",),
    ),
    Fault(
        "fares-destination-404",
        "V3-ROUND-TRIPS-REQUIRED",
        "The service rejects a round-trip search without destination with 404",
        rewords={"searchRoundTrips:query/destination:required": with_status(404)},
    ),
    Fault(
        "fares-without-flights",
        "V3-ROUND-TRIPS-ANSWER",
        "The service responds to a round-trip search without flights",
        rewrite=edit_responses("searchRoundTrips", remove("/flights")),
    ),
    Fault(
        "fares-null",
        "V3-ROUND-TRIPS-ANSWER",
        "The service responds with null instead of an empty list of round-trip fares",
        rewrite=edit_responses("searchRoundTrips", change("/fares", lambda fares: fares or None)),
    ),
    Fault(
        "fare-without-return",
        "V3-ROUND-TRIP-FARE",
        "The service responds with round-trip fares that have no return_id",
        rewrite=edit_responses("searchRoundTrips", remove("/fares/*/return_id")),
    ),
    Fault(
        "fare-price-text",
        "V3-ROUND-TRIP-FARE",
        "The service responds with round-trip fares whose prices are strings",
        rewrite=edit_responses("searchRoundTrips", change("/fares/*/price", str)),
    ),
    Fault(
        "fare-bags-number",
        "V3-ROUND-TRIP-FARE",
        "The service responds with round-trip fares whose checked_bags_prices is a number",
        rewrite=edit_responses("searchRoundTrips", put("/fares/*/checked_bags_prices", 47.0)),
    ),
    Fault(
        "fares-another-day",
        "V3-ROUND-TRIPS-WINDOW",
        "The service responds to a round-trip search with flights that depart on another day",
        rewrite=edit_responses("searchRoundTrips", put("/flights/*/departure_date", _ANOTHER_DAY)),
    ),
    Fault(
        "fares-no-return-window",
        "V3-ROUND-TRIPS-WINDOW",
        "The service rejects the parameter returnStart of a round-trip search",
        rejects=_asking("searchRoundTrips", "returnStart"),
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
    ),
)
