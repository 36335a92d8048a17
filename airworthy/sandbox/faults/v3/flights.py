"""Faults in the flights that v3 and v2 searches return."""

from typing import Any

from airworthy.sandbox.faults.changes import change, edit_responses, put
from airworthy.sandbox.faults.fault import Fault

_SEARCHES = ("searchFlights", "searchFlightsV2")


def _leaving_at_once(segments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each | {"departure_date": segments[0]["departure_date"]} for each in segments]


def _last_from_the_first(segments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [*segments[:-1], segments[-1] | {"origin": segments[0]["origin"]}]


def _landing_earlier(flight: dict[str, Any]) -> dict[str, Any]:
    times = {"departure_date": f"{flight['departure_date'][:10]} 15:00:00"}
    times["arrival_date"] = times["departure_date"].replace("15:", "12:")
    return flight | times | {"segments": [each | times for each in flight["segments"]]}


FAULTS: tuple[Fault, ...] = (
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
        "segments-from-one-airport",
        "V23-FLIGHT-ITINERARY",
        "The service responds with flights whose last segment departs from their origin",
        rewrite=edit_responses(_SEARCHES, change("/results/*/segments", _last_from_the_first)),
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
        "luggage-null",
        "V2-FLIGHT-LUGGAGE",
        "The service responds to a v2 flight search with luggage_options set to null",
        rewrite=edit_responses("searchFlightsV2", put("/results/*/luggage_options", None)),
        verdict="warning",
        reason="OPEN-81: a flight without options may show null",
    ),
)
