"""Faults in GET flights, GET roundTrips and POST flights/verify."""

from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from airworthy.sandbox.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.faults.fault import Fault, Objection, Rewrite
from airworthy.sandbox.faults.making import (
    answering,
    change,
    drop,
    objecting,
    of,
    policy,
    put,
    replacing,
    rewording,
    rewriting,
    to_status,
    tolerating,
)
from airworthy.sandbox.v3.flights import cursor

_SEARCHES = ("searchFlights", "searchFlightsV2")
_ANOTHER_DAY = "2031-05-05 10:00:00"


def _asking(operation: str, name: str, *, given: bool = True) -> Objection:
    """Return an objection to searches with a parameter, or without it."""

    def objects(call: SandboxRequest) -> bool:
        return call.operation.startswith(operation) and (name in call.query) is given

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


FAULTS: tuple[Fault, ...] = (
    *of(
        "V23-FLIGHTS-REQUIRED",
        tolerating("flights-from-anywhere", "A search needs no origin", "searchFlights*:query/origin:required"),
        tolerating("flights-to-anywhere", "A search needs no destination", "searchFlights*:query/destination:required"),
        rewording(
            "flights-origin-422", "A search without origin gives 422", "searchFlights*:query/origin:*", to_status(422)
        ),
    ),
    *of(
        "V23-FLIGHTS-PARAMETERS",
        tolerating("flights-any-start", "Any text is taken for a day", "searchFlights*:query/start:pattern"),
        tolerating("flights-any-end", "Any text is taken for a last day", "searchFlights*:query/end:pattern"),
        tolerating("flights-any-seats", "Any text is taken for seats", "searchFlights*:query/seats:type"),
        rewording("flights-start-crash", "A wrong day gives 500", "searchFlights*:query/start:*", to_status(500)),
    ),
    *of(
        "V23-FLIGHTS-ANSWER",
        answering("flights-bare", "A search answers a bare array", _SEARCHES, change("", lambda body: body["results"])),
        answering("flights-without-cursor", "A last page has no cursor at all", _SEARCHES, drop("/next_page_id")),
        answering("flights-cursor-number", "Cursors are numbers", _SEARCHES, put("/next_page_id", 0)),
    ),
    *of(
        "V23-FLIGHTS-PAGE",
        policy("page-of-150", "A page holds 150 results", page_size=150),
        rewriting("cursor-never-ends", "The last page leads to the first", _never_ending(*_SEARCHES)),
    ),
    *of(
        "V23-FLIGHTS-WINDOW",
        policy("window-of-30-days", "A window may have 30 days", longest_window=timedelta(days=30)),
        answering(
            "flights-another-day",
            "Flights leave on another day",
            _SEARCHES,
            put("/results/*/departure_date", _ANOTHER_DAY),
        ),
        answering(
            "flights-another-day-later",
            "Flights of further pages leave on another day",
            _SEARCHES,
            put("/results/*/departure_date", _ANOTHER_DAY),
            to=_asking("searchFlights", "next_page_id"),
        ),
        answering(
            "flights-without-last-day",
            "Without end, flights of any later day are found",
            _SEARCHES,
            put("/results/*/departure_date", _ANOTHER_DAY),
            to=_asking("searchFlights", "end", given=False),
        ),
        objecting("flights-start-demanded", "A search needs its start", _asking("searchFlights", "start", given=False)),
    ),
    *of(
        "V23-FLIGHTS-SEATS",
        answering("flights-one-seat", "Flights have one seat left", _SEARCHES, put("/results/*/available_seats", 1)),
        answering(
            "fares-one-seat",
            "Round-trip fares have one seat left",
            "searchRoundTrips",
            put("/fares/*/available_seats", 1),
        ),
        objecting("flights-no-seats", "seats is refused", _asking("searchFlights", "seats")),
    ),
    *of(
        "V23-FLIGHTS-ROUTE",
        answering(
            "flights-from-elsewhere", "Flights leave elsewhere", _SEARCHES, put("/results/*/origin/iata_code", "HEL")
        ),
    ),
    *of(
        "V3-FLIGHTS-CUSTOMER-CODE",
        objecting("flights-no-customer-code", "customerCode is refused", _asking("searchFlights", "customerCode")),
    ),
    *of(
        "V23-FLIGHT-FIELDS",
        answering("flight-without-tax", "Flights lack their tax", _SEARCHES, drop("/results/*/included_airport_tax")),
        answering("flight-id-text", "Flights have ids of text", _SEARCHES, change("/results/*/id", str)),
        answering("flight-price-text", "Prices are strings", _SEARCHES, change("/results/*/price", str)),
        answering("flight-apis-text", "need_apis is yes or no", _SEARCHES, put("/results/*/need_apis", "no")),
        answering(
            "flight-tax-above-price",
            "The taxes that a price includes are more than the price",
            _SEARCHES,
            put("/results/*/included_airport_tax", 99_999),
        ),
    ),
    *of(
        "V23-FLIGHT-TIMES",
        answering(
            "flight-times-iso",
            "Times are written as in ISO 8601",
            _SEARCHES,
            change("/results/*/departure_date", lambda text: text.replace(" ", "T")),
        ),
        answering("flight-duration-minutes", "Durations are minutes", _SEARCHES, put("/results/*/duration", "75")),
        answering(
            "segment-times-short",
            "Times of segments have no seconds",
            _SEARCHES,
            change("/results/*/segments/*/arrival_date", lambda text: text[:16]),
        ),
    ),
    *of(
        "V23-FLIGHT-PLACES",
        answering("place-without-city", "Places lack their city", _SEARCHES, drop("/results/*/origin/city_name")),
        answering("place-as-code", "A place is its code", _SEARCHES, put("/results/*/destination", "PMI")),
        answering("place-city-code", "Places have four letters", _SEARCHES, put("/results/*/origin/iata_code", "LEMD")),
    ),
    *of(
        "V23-FLIGHT-SEGMENTS",
        answering("flight-without-segments", "Flights have no segments", _SEARCHES, put("/results/*/segments", [])),
        answering(
            "flight-of-four",
            "Flights have four segments and more",
            _SEARCHES,
            change("/results/*/segments", lambda segments: segments * 4),
        ),
        answering(
            "segment-without-duration",
            "Segments of a search lack their duration",
            _SEARCHES,
            drop("/results/*/segments/*/duration"),
        ),
        answering(
            "segment-carrier-code",
            "A carrier is its code",
            _SEARCHES,
            change("/results/*/segments/*/operating_carrier", lambda carrier: carrier["iata_code"]),
        ),
    ),
    *of(
        "V23-FLIGHT-ITINERARY",
        answering(
            "flight-to-elsewhere",
            "Flights arrive elsewhere than their last segment",
            _SEARCHES,
            put("/results/*/destination/iata_code", "HEL"),
        ),
        answering(
            "flight-arrives-otherwise",
            "Flights arrive at another minute than their last segment",
            _SEARCHES,
            change("/results/*/arrival_date", lambda text: text[:17] + "59"),
        ),
        answering(
            "segments-at-once",
            "All segments of a flight leave at once",
            _SEARCHES,
            change("/results/*/segments", _leaving_at_once),
        ),
        answering(
            "flight-of-yesterday",
            "Flights arrive days before they leave",
            _SEARCHES,
            put("/results/*/arrival_date", "2020-02-02 10:00:00"),
            put("/results/*/segments/*/arrival_date", "2020-02-02 10:00:00"),
        ),
    ),
    *of(
        "V23-FLIGHT-INFANT-PRICE",
        answering(
            "infant-price-text",
            "The infant price is a text where infants are not sold",
            _SEARCHES,
            change("/results/*/infant_price", lambda price: "none" if price is None else price),
        ),
    ),
    *of(
        "V3-FLIGHT-BAGS",
        answering("bags-in-array", "bags is an array", "searchFlights", change("/results/*/bags", lambda bags: [bags])),
        answering(
            "bags-without-quantity", "Bags lack their quantity", "searchFlights", drop("/results/*/bags/*/*/quantity")
        ),
        answering(
            "cabin-without-dimensions",
            "Cabin bags lack their dimensions",
            "searchFlights",
            drop("/results/*/bags/cabin/*/dimensions"),
        ),
    ),
    *of(
        "V2-FLIGHT-LUGGAGE",
        answering(
            "luggage-without-weight",
            "Luggage options lack their weight",
            "searchFlightsV2",
            drop("/results/*/luggage_options/*/weight"),
        ),
        answering(
            "luggage-null", "luggage_options is null", "searchFlightsV2", put("/results/*/luggage_options", None)
        ),
    ),
    *of(
        "V3-ROUND-TRIPS-REQUIRED",
        tolerating("fares-from-anywhere", "Fares need no origin", "searchRoundTrips:query/origin:required"),
        rewording(
            "fares-destination-404",
            "Fares without a destination give 404",
            "searchRoundTrips:query/destination:required",
            to_status(404),
        ),
    ),
    *of(
        "V3-ROUND-TRIPS-ANSWER",
        answering("fares-without-flights", "Fares come without flights", "searchRoundTrips", drop("/flights")),
        answering("fares-null", "No fares are null", "searchRoundTrips", change("/fares", lambda fares: fares or None)),
    ),
    *of(
        "V3-ROUND-TRIP-FARE",
        answering("fare-without-return", "Fares lack their way back", "searchRoundTrips", drop("/fares/*/return_id")),
        answering("fare-price-text", "Fares have prices of text", "searchRoundTrips", change("/fares/*/price", str)),
        answering(
            "fare-bags-number",
            "A fare has one price for all bags",
            "searchRoundTrips",
            put("/fares/*/checked_bags_prices", 47.0),
        ),
    ),
    *of(
        "V3-ROUND-TRIPS-WINDOW",
        answering(
            "fares-another-day",
            "The flights of fares leave on another day",
            "searchRoundTrips",
            put("/flights/*/departure_date", _ANOTHER_DAY),
        ),
        objecting("fares-no-return-window", "returnStart is refused", _asking("searchRoundTrips", "returnStart")),
    ),
    *of(
        "V3-ROUND-TRIPS-PAGE",
        policy("page-of-150-fares", "A page holds 150 fares", page_size=150),
        rewriting("fares-never-end", "The last page of fares leads to the first", _never_ending("searchRoundTrips")),
    ),
    *of(
        "V3-VERIFY-ANSWER",
        replacing("verify-crashes", "A verification gives 500", "verifyFlight", status=500),
    ),
)
