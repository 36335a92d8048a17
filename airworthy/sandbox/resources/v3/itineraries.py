"""Segments, places and durations in responses of v3 and v2."""

from datetime import datetime, timedelta

from airworthy.sandbox.http.exchange import Json
from airworthy.sandbox.http.rendering import ABSENT
from airworthy.sandbox.model.geography import AIRPORTS, CARRIERS
from airworthy.sandbox.model.inventory import Section
from airworthy.sandbox.resources.v3.schedule_changes import SPACE_TIME

_CARRIER_NAMES = {each.code: each.name for each in CARRIERS}


def place(code: str) -> Json:
    """Return the location of an airport."""
    where = AIRPORTS[code]
    return {
        "iata_code": code,
        "city_name": where.city_name,
        "country_name": where.country_name,
        "timezone": where.timezone,
    }


def segment(section: Section, *, found: bool) -> Json:
    """Return a segment, with its duration in search results."""
    return {
        "via_airport": next(iter(section.stops), None),
        "origin": place(section.origin),
        "destination": place(section.destination),
        "operating_carrier_flight_number": section.number,
        "operating_carrier": _carrier(section.operating),
        "marketing_carrier_flight_number": section.number,
        "marketing_carrier": _carrier(section.marketing),
        "departure_date": section.departure.strftime(SPACE_TIME),
        "arrival_date": section.arrival.strftime(SPACE_TIME),
        "duration": duration(section.departure, section.arrival, section.origin, section.destination)
        if found
        else ABSENT,
    }


def duration(departure: datetime, arrival: datetime, origin: str, destination: str) -> str:
    """Return the time between two local times, as HH:mm."""
    zones = timedelta(hours=AIRPORTS[destination].utc_offset - AIRPORTS[origin].utc_offset)
    hours, minutes = divmod(round((arrival - departure - zones).total_seconds() / 60), 60)
    return f"{hours:02}:{minutes:02}"


def _carrier(code: str) -> Json:
    return {"name": _CARRIER_NAMES[code], "iata_code": code}
