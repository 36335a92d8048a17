"""Compare what a row says of its flight with what it says of the segments of that flight.

``schemas/export/segments.json`` has the facts that are compared. Cells of an invalid form are left to the other rules.
The times of a row and its journey duration together tell the time zones of its airports apart. The difference of two
zones is the same for every flight of a route, and the opposite for the way back. The documents do not define
``journeyDuration`` (OPEN-101), so that a contradiction only warns.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from airworthy.export.formats import Column, export_specification, read_document

Values = Mapping[str, str]
"""The cells of a row that have a valid form, by column, in capital letters and without leading zeros."""

FROM: Final = "DepartureAirport"
TO: Final = "ArrivalAirport"
DURATION: Final = "journeyDuration"
_DURATIONS: Final = (re.compile(r"(\d{0,3}):(\d{2})"), re.compile(r"PT(?:(\d{1,2})H)?(?:(\d{1,2})M)?"))
# `row_values` leaves out leading zeros.
_TIME: Final = re.compile(r"(\d{0,2}):(\d{2})")
_HOUR: Final = 60
_DAY: Final = 24 * _HOUR
# Clocks change on other days in other zones, in the south the other way round, and a duration may be rounded.
_TOLERANCE: Final = 150
_MOST_REMEMBERED: Final = 10_000


@dataclass(frozen=True, slots=True)
class SegmentFact:
    """A fact of a segment. ``flight`` is the column of the flight with the same fact, "" if there is none.

    ``of`` and ``soft`` say which segment has it, and when a difference only warns. ``search`` is the path of the fact
    in a segment of a search result.
    """

    segment: str
    flight: str = ""
    of: str = ""
    soft: str = ""
    search: tuple[str, ...] = ()


class SegmentDefect(NamedTuple):
    """A cell that contradicts another cell of its row; a soft one only warns."""

    column: str
    message: str
    expected: str
    soft: bool


@dataclass(frozen=True, slots=True)
class ExportItinerary:
    """The segments of a row: each is its name (First, Second or Third) and its facts by `SegmentFact.segment`.

    ``is_open`` says that the airports of the next segment are empty: it may be left out. ``is_sound`` says that the
    segments lead to the arrival airport of the flight.
    """

    segments: Sequence[tuple[str, Values]]
    is_open: bool
    is_sound: bool
    rest: Sequence[tuple[str, Values]] = field(default=())

    @classmethod
    def of(cls, row: Values) -> "ExportItinerary":
        """Return the segments of a row without those that it does not use.

        The cells of an unused segment may contain anything (OPEN-101), such as the values of the first segment.
        """
        listed: list[tuple[str, Values]] = []
        known: set[tuple[str, str]] = set()
        is_open = False
        for name in ordinals():
            facts = {fact: row.get(column, "") for fact, column in segment_columns(name).items()}
            ends = facts[FROM], facts[TO]
            is_open = "" in ends
            if is_open or ends in known or (listed and ends[0] == ends[1]):
                break
            known.add(ends)
            listed.append((name, facts))
        arrival = row.get("arrivalAirport", "")
        after = [facts[FROM] for _, facts in listed[1:]] + [""]
        reached = [
            number
            for number, ((_, facts), departure) in enumerate(zip(listed, after, strict=False), start=1)
            if arrival in (facts[TO], "") and departure != facts[TO]
        ]
        used = reached[-1] if reached else len(listed)
        return cls(listed[:used], is_open, bool(reached), listed[used:])


def row_values(columns: Sequence[Column | None], cells: Sequence[bytes]) -> Values:
    """Return the cells of a row that can be compared."""
    return {
        column.name: value
        for column, cell in zip(columns, cells, strict=False)
        if column and cell and (value := _value(column.type.name, cell))
    }


@lru_cache(maxsize=_MOST_REMEMBERED)
def _value(type_name: str, cell: bytes) -> str:
    """Return the value of a cell, "" if it has an invalid form."""
    forms = export_specification().types[type_name].forms
    is_valid = not forms or any(form.matches(cell) for form in forms)
    text = cell.decode("ascii", "replace").strip().upper()
    return text.lstrip("0") or text[:1] if is_valid else ""


def segment_defects(row: Values, itinerary: ExportItinerary) -> Iterator[SegmentDefect]:
    """Yield what contradicts itself in a row that has segments."""
    segments = itinerary.segments
    for fact in segment_facts():
        shown = row.get(fact.flight, "")
        name, segment = segments[-1 if fact.of == "last" else 0]
        is_compared = fact.of != "only" or (len(segments) == 1 and itinerary.is_sound)
        if shown and segment[fact.segment] not in ("", shown) and is_compared:
            visited = {facts[end] for _, facts in segments for end in (FROM, TO)}
            soft = {
                "never": False,
                # A segment that is left out does not lead back to an airport of the others.
                "a segment may be left out": itinerary.is_open and shown not in visited,
                "several segments": len(segments) > 1 or not itinerary.is_sound,
                "always": True,
            }[fact.soft]
            expected = f"the value of segment{name}{fact.segment}"
            yield SegmentDefect(fact.flight, "a flight differs from its segment", expected, soft)
    for (before, arrives), (name, departs) in pairwise(segments):
        if arrives[TO] != departs[FROM]:
            # Passengers may change airports within a city.
            message = "a segment does not depart where the previous one arrives"
            yield SegmentDefect(f"segment{name}{FROM}", message, f"the value of segment{before}{TO}", soft=True)
    for name, _ in itinerary.rest:
        message = "a segment follows the one that arrives at arrivalAirport"
        yield SegmentDefect(f"segment{name}{FROM}", message, "no other segment", soft=True)
    if row.get("stops", "").isdecimal() and int(row["stops"]) < len(segments) - 1:
        expected = f"{len(segments) - 1} or more"
        yield SegmentDefect("stops", "a flight has more segments than its stops allow", expected, soft=True)


@cache
def segment_facts() -> tuple[SegmentFact, ...]:
    """Return the facts that segments show."""
    facts = read_document("segments")["facts"]
    return tuple(
        SegmentFact(**each | {"search": tuple(filter(None, each.get("search", "").split("/")))}) for each in facts
    )


@cache
def segment_columns(name: str) -> Mapping[str, str]:
    """Return the columns of a segment by `SegmentFact.segment`."""
    return {fact.segment: f"segment{name}{fact.segment}" for fact in segment_facts()}


@cache
def compared_columns() -> frozenset[str]:
    """Return the columns of a flight and of its segments that are compared."""
    of_segments = {column for name in ordinals() for column in segment_columns(name).values()}
    return frozenset({*of_segments, *(fact.flight for fact in segment_facts()), "stops", DURATION})


@cache
def ordinals() -> tuple[str, ...]:
    """Return the names of the segments in order."""
    return tuple(read_document("segments")["ordinals"])


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
    lasts = next(filter(None, (each.fullmatch(row.get(DURATION, "")) for each in _DURATIONS)), None)
    if not departs or not arrives or not lasts:
        return None
    return _minutes(arrives) - _minutes(departs) - _minutes(lasts)


def _minutes(time: re.Match[str]) -> int:
    hours, minutes = (int(each or 0) for each in time.groups())
    return hours * _HOUR + minutes
