"""Segments, places and durations in responses of v3 and v2."""

from datetime import datetime, timedelta

from airworthy.sandbox.dialects.v3_choices import V3Choices
from airworthy.sandbox.http.exchange import Json
from airworthy.sandbox.http.rendering import ABSENT
from airworthy.sandbox.model.geography import AIRPORTS
from airworthy.sandbox.model.inventory import Section
from airworthy.sandbox.resources.v3.schedule_changes import CARRIER_NAMES, SPACE_TIME


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
