"""The content export under test: the report on its files, and rows of them to search for."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from hashlib import sha256
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, Final

from airworthy.contract.http.transaction import items, member, whole
from airworthy.errors import AirworthyError
from airworthy.export import (
    ExpectedFiles,
    ExportFinding,
    ExportLocation,
    ExportReport,
    FtpAccess,
    check_folder,
    open_location,
)
from airworthy.export.formats import export_specification
from airworthy.export.report import shown
from airworthy.export.rows import RowReader
from airworthy.export.segments import FROM, TO, ExportItinerary, SegmentFact, Values, row_values, segment_facts
from airworthy.suite.outcomes import ExpectationError, NotApplicable, Untested
from airworthy.target.profile import Profile
from conformance.parsed_response import ParsedResponse
from conformance.v3.request_bodies import Interface

_LOOKED_AT: Final = 20_000
_SHOWN: Final = 3
_HALF_A_DAY: Final = 12


@dataclass(frozen=True, slots=True)
class SampledRow:
    """A row of the export: a route and a day; in a flights file also the flight and the fare of an adult."""

    place: str
    origin: str
    destination: str
    day: date
    carrier: str = ""
    number: str = ""
    base: str = ""
    total: str = ""
    values: Values = field(default_factory=dict, compare=False, repr=False)

    @property
    def kind(self) -> tuple[int, bool]:
        """What an export may treat in its own way: how many segments a flight has, and if it departs after midnight."""
        # Values have no leading zeros.
        departure = self.values.get("segmentFirstDepartureTime", "")
        return len(ExportItinerary.of(self.values).segments), departure.startswith(":")

    def __str__(self) -> str:
        flight = f"{self.carrier} {self.number} " if self.number else ""
        return f"{flight}{self.origin}-{self.destination} on {self.day} ({self.place})"


@dataclass(frozen=True, slots=True)
class SearchedRow:
    """A row, and the pages of the search for its route and day."""

    offered: SampledRow
    pages: Sequence[ParsedResponse]

    @property
    def flights(self) -> Sequence[Mapping[str, Any]]:
        """The flights of the day that the search has found."""
        found = (each for page in self.pages for each in page.array("results"))
        return [each for each in found if isinstance(each, Mapping) and self._departs_on_the_day(each)]

    def _departs_on_the_day(self, flight: Mapping[str, Any]) -> bool:
        return str(flight.get("departure_date", "")).startswith(self.offered.day.isoformat())

    @property
    def same(self) -> Mapping[str, Any] | None:
        """The flight of the row among them, by marketing carrier and flight number."""
        sold_as = (self.offered.carrier, self.offered.number)
        return next((each for each in self.flights if sold_as in _sold_as(each)), None)

    def differences(self) -> Sequence["SegmentDifference"] | None:
        """Return how the segments of the row differ from those of the search, or None if it finds no such flight."""
        own = {
            (facts[FROM], facts[TO]): (name, facts) for name, facts in ExportItinerary.of(self.offered.values).segments
        }
        alike = [
            list(_differences(own, sought))
            for each in self.flights
            if (self.offered.carrier, self.offered.number) in _sold_as(each)
            and (sought := _legs(each)).keys() == own.keys()
        ]
        return min(alike, key=len, default=None)


@dataclass(frozen=True, slots=True)
class SegmentDifference:
    """A fact of a segment that the export and the search show differently.

    ``is_exchanged`` says that the row has the values of the search, but at the wrong segments.
    """

    column: str
    fact: str
    actual: str
    expected: str
    is_exchanged: bool

    @property
    def is_half_a_day(self) -> bool:
        """Whether the row has the time of the search on a twelve-hour clock."""
        (hour, _, minute), (other, _, same) = self.actual.partition(":"), self.expected.partition(":")
        is_time = bool(minute) and minute == same
        return is_time and abs(int(hour or 0) - int(other or 0)) == _HALF_A_DAY


@dataclass(frozen=True, slots=True)
class ExportUnderTest:
    """The export of a target, read once."""

    location: ExportLocation
    report: ExportReport
    expected: ExpectedFiles

    def keeps(self, rule: str) -> Sequence[str]:
        """Fail if a rule is violated; return the warnings.

        Raises Untested if the files were not read completely, NotApplicable if the export has no such files.
        """
        found = [each for each in self.report.findings if each.rule == rule]
        broken = [each for each in found if not each.soft and each.kind == "violation"]
        if broken:
            first = broken[0]
            raise ExpectationError(
                _described(broken), expected=first.expected, actual=_actual(first), pointer=_place(first)
            )
        for unread in found:
            if unread.kind == "unreadable":
                raise Untested(f"{_place(unread)}: {unread.message}")
        if rule not in self.report.listing.examined:
            self._has_been_read(rule)
        return [f"{_place(each)}: {each.message}; expected {each.expected}, actual {_actual(each)}" for each in found]

    def examined(self, rule: str) -> int:
        """Return the number of rows of the files that a rule was examined in; a file without rows counts as one."""
        files = (self.report.listing, *self.report.files)
        return sum(max(each.rows, 1) for each in files if rule in each.examined)

    def _has_been_read(self, rule: str) -> None:
        for interruption in self.report.interruptions:
            raise Untested(f"the export was not read to its end: {interruption}")
        if rule in self.report.examined:
            return
        there = {each.format for each in self.report.files if each.format}
        for missing in export_specification().formats.keys() - there if there else ():
            if missing in self.expected.formats:
                raise Untested(f"the export has no {missing} files, but [export] formats of the profile names them")
            raise NotApplicable(f"the export has no {missing} files")
        raise Untested("the export contains no data that the rule applies to")

    def observed(self, subject: str) -> Iterator[str]:
        """Yield what was observed of a subject of the features, each value once."""
        yield from dict.fromkeys(each.value for each in self.report.observations if each.subject == subject)

    def sample(self, kind: str, interface: Interface, today: date, number: int) -> Sequence[SampledRow]:
        """Return rows of future days from a file of a format and interface, a number of any kind and one of each kind.

        All calls on one day return the same rows.
        Raises NotApplicable if there is no such file, Untested if it has no such rows.
        """
        with _reading(self.location.name):
            name = self._file(kind, interface)
            # A flight of today or tomorrow may be sold out already.
            to_come = (each for each in self._rows(name, kind) if each.day > today + timedelta(days=1))
            # A repeated run searches for the same rows. Few of them are left in memory.
            chosen: dict[object, tuple[bytes, SampledRow]] = {}
            for at, each in enumerate(to_come):
                ranked = sha256(f"{today} {each}".encode()).digest(), each
                for group in (at % number, each.kind):
                    chosen[group] = min(chosen.get(group, ranked), ranked, key=itemgetter(0))
        if not chosen:
            raise Untested(f"{shown(name)} has no rows of future days to search for")
        return [*dict.fromkeys(row for _, row in chosen.values())]

    def _file(self, kind: str, interface: Interface) -> str:
        """Return the name of the all-content file of a format, or of another where that is missing."""
        export, version = export_specification(), int(interface[1:])
        parsed = [found for each in sorted(self.location.names()) if (found := export.parse(each))]
        suitable = [each for each in parsed if (each.format, each.version) == (kind, version)]
        if not suitable:
            raise NotApplicable(f"the export has no {kind} files for {interface}")
        return min(suitable, key=lambda each: each.customer != export.all_content).text

    def _rows(self, name: str, kind: str) -> Iterator[SampledRow]:
        """Yield those of the first rows of a file, a bounded number, that can be searched for."""
        with self.location.open(name) as stream:
            rows = RowReader(stream, export_specification().delimiter)
            header = rows.next()
            columns = [cell.decode("ascii", "replace").strip().casefold() for cell in header.cells] if header else []
            documented = {each.name.casefold(): each for each in export_specification().formats[kind].columns}
            known = [documented.get(name) for name in columns]
            for row in islice(iter(rows.next, None), _LOOKED_AT):
                cells = [cell.decode("ascii", "replace").strip() for cell in row.cells]
                offered = _offered(f"{shown(name)}, line {row.line}", dict(zip(columns, cells, strict=False)))
                if offered is not None and (kind == "routes" or (offered.carrier and offered.number.isdecimal())):
                    yield replace(offered, values=row_values(known, row.cells))


def read_export(profile: Profile) -> ExportUnderTest:
    """Read the export of a target.

    Raises NotApplicable if the profile has no [export] location, Untested if the location cannot be read.
    """
    if profile.export is None:
        raise NotApplicable("the profile has no location of the content export: [export] location")
    where = profile.export
    versions = tuple(int(version[1:]) for version in where.versions)
    expected = ExpectedFiles(where.customers, versions, where.formats)
    with _reading(where.location):
        access = FtpAccess(where.user, where.password, profile.ca_bundle, profile.timeout_seconds)
        location = open_location(where.location, access)
        return ExportUnderTest(location, check_folder(location, expected), expected)


@contextmanager
def _reading(place: str) -> Iterator[None]:
    """Turn a read error into Untested: it says nothing about the contents."""
    try:
        yield
    except (AirworthyError, OSError) as error:
        said = error.strerror if isinstance(error, OSError) else ""
        reason = f"{place}: {said}" if said else str(error)
        raise Untested(f"the content export cannot be read, [export] location: {reason}") from None


def _offered(place: str, cells: Mapping[str, str]) -> SampledRow | None:
    """Return the row to search for, or None if its cells are invalid, which another rule reports."""
    origin, destination, day, carrier, number, base, total = (
        cells.get(name.casefold(), "")
        for name in (
            "departureAirport",
            "arrivalAirport",
            "departureDate",
            "marketingAirlineCode",
            "marketingFlightNumber",
            "baseFareAmountAdult",
            "totalFareAmountAdult",
        )
    )
    try:
        departs = datetime.strptime(day, "%d.%m.%Y").date()  # noqa: DTZ007 - a day has no zone
    except ValueError:
        return None
    is_route = len(origin) == len(destination) == 3 and (origin + destination).isalpha()
    upper = (origin.upper(), destination.upper())
    return SampledRow(place, *upper, departs, carrier.upper(), number.lstrip("0"), base, total) if is_route else None


def _sold_as(flight: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Return the carrier and the number that each segment is sold under: which is the first is open (OPEN-80)."""
    found = set()
    for segment in items(flight, "segments"):
        number = whole(segment.get("marketing_carrier_flight_number"))
        found.add((str(member(segment, "marketing_carrier", "iata_code")).upper(), str(number)))
    return found


def _legs(flight: Mapping[str, Any]) -> dict[tuple[str, str], Mapping[str, str]]:
    """Return the facts of the segments by their airports: their order is open (OPEN-80)."""
    legs = [
        {fact.segment: _shown_in_search(each, fact) for fact in segment_facts()} for each in items(flight, "segments")
    ]
    return {(each[FROM], each[TO]): each for each in legs}


def _shown_in_search(segment: Mapping[str, Any], fact: SegmentFact) -> str:
    value = member(segment, *fact.search) if fact.search else None
    text = str(value)[len("YYYY-MM-DD ") :][: len("HH:mm")] if fact.segment.endswith("Time") else str(value)
    return "" if value is None else text.upper().lstrip("0")


def _differences(
    own: Mapping[tuple[str, str], tuple[str, Values]], sought: Mapping[tuple[str, str], Values]
) -> Iterator[SegmentDifference]:
    # A departure may be exchanged with an arrival, too.
    for _, facts in groupby(
        segment_facts(), key=lambda fact: fact.segment.removeprefix("Departure").removeprefix("Arrival")
    ):
        shown = [
            (f"segment{name}{fact.segment}", fact.segment, values[fact.segment], sought[ends][fact.segment])
            for fact in facts
            for ends, (name, values) in own.items()
        ]
        is_exchanged = sorted(actual for _, _, actual, _ in shown) == sorted(expected for *_, expected in shown)
        for column, fact, actual, expected in shown:
            if actual and expected and actual != expected:
                yield SegmentDifference(column, fact, actual, expected, is_exchanged)


def _described(findings: Sequence[ExportFinding]) -> str:
    """Return the first defect, how often it occurs, examples of it, and the number of other defects."""
    first = findings[0]
    alike = [each for each in findings if (each.message, each.column) == (first.message, first.column)]
    count, files = sum(each.count for each in alike), len({each.file for each in alike})
    often = f", {count} times in {files} file{'s' if files > 1 else ''}" if count > 1 else ""
    placed = [each for each in first.examples[:_SHOWN] if each.line]
    examples = "; ".join(f"line {each.line}{f' has {each.value}' if each.value else ''}" for each in placed)
    others = len({(each.message, each.column) for each in findings}) - 1
    more = f"; and {others} more of other kinds" if others else ""
    return f"{first.message}{often}{f' ({examples})' if examples else ''}{more}"


def _place(finding: ExportFinding) -> str:
    line = f", line {finding.line}" if finding.line else ""
    return f"{finding.file}{line}{f', column {finding.column}' if finding.column else ''}"


def _actual(finding: ExportFinding) -> str:
    return finding.value or ("an empty cell" if finding.column else "none")
