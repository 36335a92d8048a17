"""Itineraries in responses of v3 and v2, and schedule changes: the changed flight, and the keys that describe it."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from airworthy.sandbox.dialects.v3_choices import V3Choices
from airworthy.sandbox.http.exchange import Json
from airworthy.sandbox.http.rendering import ABSENT
from airworthy.sandbox.model.geography import AIRPORTS, CARRIERS
from airworthy.sandbox.model.inventory import Section
from airworthy.sandbox.resources.v3.timetable import Flight

CARRIER_NAMES: Final = {each.code: each.name for each in CARRIERS}
SPACE_TIME: Final = "%Y-%m-%d %H:%M:%S"
_DELAY = timedelta(minutes=45)
_OUTDATED = timedelta(minutes=5)
_ANOTHER = 1 << 40
# The time zones that a flight change contains for an airport that changed.
_ENDS: Final = {"origin_airport": ("origin", "destination"), "destination_airport": ("destination",)}


def place(code: str, choices: V3Choices) -> Json:
    """Return the location of an airport."""
    where = AIRPORTS[code]
    offset = f"{'-' if where.utc_offset < 0 else '+'}{abs(where.utc_offset):02}:00"
    return {
        "iata_code": code,
        "city_name": where.city_name,
        "country_name": where.country_name,
        "timezone": where.timezone if choices.zone_form == "name" else offset,
    }


def segment(section: Section, choices: V3Choices, *, found: bool) -> Json:
    """Return a segment, with its duration in search results."""
    lasts = duration(section.departure, section.arrival, section.origin, section.destination)
    return {
        "via_airport": next(iter(section.stops), None),
        "origin": place(section.origin, choices),
        "destination": place(section.destination, choices),
        "operating_carrier_flight_number": section.number,
        "operating_carrier": _carrier(section.operating),
        "marketing_carrier_flight_number": section.number,
        "marketing_carrier": _carrier(section.marketing),
        "departure_date": section.departure.strftime(SPACE_TIME),
        "arrival_date": section.arrival.strftime(SPACE_TIME),
        "duration": lasts if found else ABSENT,
    }


def duration(departure: datetime, arrival: datetime, origin: str, destination: str) -> str:
    """Return the time between two local times, as HH:mm."""
    zones = timedelta(hours=AIRPORTS[destination].utc_offset - AIRPORTS[origin].utc_offset)
    hours, minutes = divmod(round((arrival - departure - zones).total_seconds() / 60), 60)
    return f"{hours:02}:{minutes:02}"


def _carrier(code: str) -> Json:
    return {"name": CARRIER_NAMES[code], "iata_code": code}


def moved(flight: Flight, choices: V3Choices) -> Flight:
    """Return the flight after a schedule change: later, with another number, at other airports of its cities."""
    sections = [
        replace(each, departure=each.departure + _DELAY, arrival=each.arrival + _DELAY, number=each.number % 9999 + 1)
        for each in flight.itinerary.sections
    ]
    if choices.changed_airline != "none":
        # Of two airlines, one is another.
        sections = [replace(each, marketing="UX" if each.marketing == "IB" else "IB") for each in sections]
    if choices.destination_timezone != "with the destination":
        sections[0] = replace(sections[0], origin=sibling(sections[0].origin))
    if choices.destination_timezone != "with the origin":
        sections[-1] = replace(sections[-1], destination=sibling(sections[-1].destination))
    number = flight.id + _ANOTHER if choices.final_flight_id == "another" else flight.id
    return Flight(number, replace(flight.itinerary, sections=tuple(sections)))


def earlier(flight: Flight) -> Flight:
    """Return the flight as an outdated search shows it: some minutes earlier, on the same day."""
    sections = tuple(
        replace(each, departure=each.departure - _OUTDATED, arrival=each.arrival - _OUTDATED)
        for each in flight.itinerary.sections
    )
    if sections[0].departure.date() != flight.itinerary.departure.date():
        return flight
    return Flight(flight.id, replace(flight.itinerary, sections=sections))


def sibling(code: str) -> str:
    """Return another airport of the same city, or the same airport if the city has only one."""
    city = AIRPORTS[code].city
    return next((each.code for each in AIRPORTS.values() if each.city == city and each.code != code), code)


def changed_keys(before: Flight, after: Flight, choices: V3Choices) -> tuple[Json, Json]:
    """Return the keys of a flight whose values changed, before and after.

    A changed airport includes time zones, even those that did not change.
    """
    described = [
        {
            f"segment_{index}_{name}": value
            for index, each in enumerate(flight.itinerary.sections, start=1)
            for name, value in _keys(each).items()
        }
        for flight in (before, after)
    ]
    changed = {name for name in described[0] if described[0][name] != described[1][name]}
    changed |= {
        f"{name[:9]}_{end}_timezone" for name in changed if name.endswith("_airport") for end in _ENDS[name[10:]]
    }
    old, new = ({name: value for name, value in each.items() if name in changed} for each in described)
    if choices.changed_airline == "name in oldFlight":
        # The name accompanies the code, which only the new flight lists.
        old = {name: value for name, value in old.items() if not name.endswith("_airline_iata_code")}
        new = {name: value for name, value in new.items() if not name.endswith("_airline_name")}
    return old, new


def _keys(section: Section) -> Json:
    return {
        "origin_airport": section.origin,
        "origin_timezone": AIRPORTS[section.origin].timezone,
        "destination_airport": section.destination,
        "destination_timezone": AIRPORTS[section.destination].timezone,
        "departure_date": section.departure.strftime(SPACE_TIME),
        "arrival_date": section.arrival.strftime(SPACE_TIME),
        "flight_number": f"{section.marketing}{section.number}",
        "airline_iata_code": section.marketing,
        "airline_name": CARRIER_NAMES[section.marketing],
    }
