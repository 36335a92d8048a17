"""Compare the times of a row with its journey duration, which together tell the time zones of its airports apart.

The difference of two zones is the same for every flight of a route, and the opposite for the way back. The documents do
not define ``journeyDuration`` (OPEN-101), so that a contradiction only warns.
"""

import re
from typing import Final

from airworthy.export.segments import ExportItinerary, Values

COLUMN: Final = "journeyDuration"
_DURATIONS: Final = (re.compile(r"(\d{0,3}):(\d{2})"), re.compile(r"PT(?:(\d{1,2})H)?(?:(\d{1,2})M)?"))
# `row_values` leaves out leading zeros.
_TIME: Final = re.compile(r"(\d{0,2}):(\d{2})")
_HOUR: Final = 60
_DAY: Final = 24 * _HOUR
# Clocks change on other days in other zones, in the south the other way round, and a duration may be rounded.
_TOLERANCE: Final = 150
_MOST_REMEMBERED: Final = 10_000


class ZoneDifferences:
    """The differences between the zones of the airports that the rows of a file have shown."""

    def __init__(self) -> None:
        self._minutes: dict[tuple[str, str], int] = {}

    def contradicts(self, row: Values, itinerary: ExportItinerary) -> bool:
        """Return whether a row implies another difference of zones than the first row of its route or the way back."""
        minutes = _difference(row, itinerary)
        ends = row.get("departureAirport", ""), row.get("arrivalAirport", "")
        if minutes is None or not itinerary.is_sound or "" in ends:
            return False
        route = min(ends), max(ends)
        minutes = minutes if route == ends else -minutes
        if route not in self._minutes and len(self._minutes) < _MOST_REMEMBERED:
            self._minutes[route] = minutes
        apart = (minutes - self._minutes.get(route, minutes)) % _DAY
        return min(apart, _DAY - apart) > _TOLERANCE


def _difference(row: Values, itinerary: ExportItinerary) -> int | None:
    """Return how many minutes later it is at the arrival airport, or None if a cell does not tell."""
    departs = _TIME.fullmatch(itinerary.segments[0][1]["DepartureTime"])
    arrives = _TIME.fullmatch(itinerary.segments[-1][1]["ArrivalTime"])
    lasts = next(filter(None, (each.fullmatch(row.get(COLUMN, "")) for each in _DURATIONS)), None)
    if not departs or not arrives or not lasts:
        return None
    return _minutes(arrives) - _minutes(departs) - _minutes(lasts)


def _minutes(time: re.Match[str]) -> int:
    hours, minutes = (int(each or 0) for each in time.groups())
    return hours * _HOUR + minutes
