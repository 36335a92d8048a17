"""Faults in the flights that v3 and v2 searches return."""

from typing import Any

from airworthy.sandbox.faults.changes import change, edit_responses, put, remove
from airworthy.sandbox.faults.fault import Fault

_SEARCHES = ("searchFlights", "searchFlightsV2")
_ANOTHER_DAY = "2031-05-05 10:00:00"


def _leaving_at_once(segments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each | {"departure_date": segments[0]["departure_date"]} for each in segments]


def _landing_earlier(flight: dict[str, Any]) -> dict[str, Any]:
    times = {"departure_date": f"{flight['departure_date'][:10]} 15:00:00"}
    times["arrival_date"] = times["departure_date"].replace("15:", "12:")
    return flight | times | {"segments": [each | times for each in flight["segments"]]}


FAULTS: tuple[Fault, ...] = (
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
        "flight-backwards",
        "V23-FLIGHT-ITINERARY",
        "The service responds with flights that arrive some hours before they depart",
        rewrite=edit_responses(_SEARCHES, change("/results/*", _landing_earlier)),
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
        "luggage-text",
        "V2-FLIGHT-LUGGAGE",
        "The service responds to a v2 flight search with luggage_options that are a string",
        rewrite=edit_responses("searchFlightsV2", put("/results/*/luggage_options", "23 kg")),
    ),
    Fault(
        "luggage-null",
        "V2-FLIGHT-LUGGAGE",
        "The service responds to a v2 flight search with luggage_options set to null",
        rewrite=edit_responses("searchFlightsV2", put("/results/*/luggage_options", None)),
        verdict="warning",
        reason="OPEN-81: a flight without options may show null",
    ),
)
