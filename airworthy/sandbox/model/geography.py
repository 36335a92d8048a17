"""Real airports, cities and carriers, which ``geography.toml`` lists."""

import tomllib
from dataclasses import dataclass
from math import asin, cos, radians, sin, sqrt
from pathlib import Path
from typing import Any

_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_CANARIES = ("LPA", "TFN", "TFS")


@dataclass(frozen=True, slots=True)
class Airport:
    """An airport; ``utc_offset`` is in hours of standard time, ``terminals`` is empty if there is only one.

    ``city_name``, ``country_name`` and ``timezone`` are what v3 and v2 return next to its code.
    """

    code: str
    city: str
    country: str
    latitude: float
    longitude: float
    utc_offset: int
    terminals: tuple[str, ...]
    name: str
    city_name: str
    country_name: str
    timezone: str


@dataclass(frozen=True, slots=True)
class Carrier:
    """An airline with the airport through which it connects."""

    code: str
    hub: str
    name: str


def _airport(row: list[Any]) -> Airport:
    code, city, country, latitude, longitude, offset, terminals, name = row
    country_name, zone = _TABLES["countries"][country][::-1]
    timezone = "Atlantic/Canary" if code in _CANARIES else zone
    shown = (name, _TABLES["cities"].get(city, name), country_name, timezone)
    return Airport(code, city, country, latitude, longitude, offset, tuple(terminals), *shown)


AIRPORTS = {each[0]: _airport(each) for each in _TABLES["airports"]}
CARRIERS = tuple(Carrier(*each) for each in _TABLES["carriers"])


def airports_of(code: str, kind: str) -> tuple[Airport, ...]:
    """Return the airports of a location: one for AIRPORT, all of the city for CITY, none for an unknown code."""
    if kind == "CITY":
        return tuple(each for each in AIRPORTS.values() if each.city == code)
    return (AIRPORTS[code],) if code in AIRPORTS else ()


def kilometres(origin: Airport, destination: Airport) -> float:
    """Return the great-circle distance."""
    height = sin(radians(destination.latitude - origin.latitude) / 2) ** 2
    width = sin(radians(destination.longitude - origin.longitude) / 2) ** 2
    scale = cos(radians(origin.latitude)) * cos(radians(destination.latitude))
    return 2 * 6371 * asin(sqrt(height + scale * width))
