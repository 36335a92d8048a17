"""The content export as the steps see it: what the check found in its files, and rows of them to be looked for."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import islice
from random import Random
from typing import Any, Final

from airworthy.contract.transaction import items, member, whole
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
from airworthy.export.report import printable
from airworthy.export.rows import RowReader
from airworthy.suite.outcomes import Broken, NotApplicable, Untested
from airworthy.target.profile import Profile
from conformance.parsed_response import ParsedResponse
from conformance.v3.request_bodies import Interface

_LOOKED_AT: Final = 20_000
_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class ExportRow:
    """A row of the export: a route and a day, of a flights file with the flight and what an adult pays."""

    place: str
    origin: str
    destination: str
    day: date
    carrier: str = ""
    number: str = ""
    base: str = ""
    total: str = ""

    def __str__(self) -> str:
        flight = f"{self.carrier} {self.number} " if self.number else ""
        return f"{flight}{self.origin}-{self.destination} on {self.day} ({self.place})"


@dataclass(frozen=True, slots=True)
class SearchedRow:
    """A row that was looked for, and the pages of the search on its route and day."""

    offered: ExportRow
    pages: Sequence[ParsedResponse]

    @property
    def flights(self) -> Sequence[Mapping[str, Any]]:
        """The flights that the search has found on the day of the row."""
        found = (each for page in self.pages for each in page.array("results"))
        day = self.offered.day.isoformat()
        return [each for each in found if isinstance(each, Mapping) and str(each.get("departure_date")).startswith(day)]

    @property
    def same(self) -> Mapping[str, Any] | None:
        """The flight of the row among them: by the carrier and the number that it is sold under."""
        wanted = (self.offered.carrier, self.offered.number)
        return next((each for each in self.flights if wanted in _sold_as(each)), None)


@dataclass(frozen=True, slots=True)
class ExportUnderTest:
    """The export of a target, read once."""

    location: ExportLocation
    report: ExportReport
    expected: ExpectedFiles

    def keeps(self, rule: str) -> Sequence[str]:
        """Fail where a rule is broken; return what can only warn.

        Raises Untested where it could not be examined (to the end), NotApplicable where its files were not asked for.
        """
        found = [each for each in self.report.findings if each.rule == rule]
        broken = [each for each in found if not each.soft and each.kind == "violation"]
        if broken:
            first = broken[0]
            raise Broken(_told(broken), expected=first.expected, actual=first.value, pointer=_place(first))
        for unread in found:
            if unread.kind == "unreadable":
                raise Untested(f"{_place(unread)}: {unread.message}")
        if rule not in self.report.listing.examined:
            self._has_been_read(rule)
        return [f"{_place(each)}: {each.message}; expected {each.expected}, actual {each.value}" for each in found]

    def _has_been_read(self, rule: str) -> None:
        for interruption in self.report.interruptions:
            raise Untested(f"the export was not read to its end: {interruption}")
        if rule in self.report.examined:
            return
        there = {each.format for each in self.report.files if each.format}
        for missing in export_specification().formats.keys() - there if there else ():
            raise NotApplicable(f"the export has no {missing} files: nobody has asked for them")
        raise Untested("the export holds nothing that this is about")

    def observed(self, subject: str) -> Iterator[str]:
        """Yield what was observed of a subject of the features, each value once."""
        yield from dict.fromkeys(each.value for each in self.report.observations if each.subject == subject)

    def sample(self, kind: str, interface: Interface, today: date, number: int) -> Sequence[ExportRow]:
        """Return rows of a format, dropped for an interface: of days to come, always the same on one day.

        Raises NotApplicable where there is no such file, Untested where it has no such rows.
        """
        with _reading(self.location.name):
            name = self._file(kind, interface)
            # What leaves soon may be gone already.
            to_come = [each for each in self._rows(name, kind) if each.day > today + timedelta(days=1)]
        if not to_come:
            raise Untested(f"{printable(name)} has no rows of days to come that could be looked for")
        # Not a source of secrets: who looks again shall look for the same.
        return Random(f"{name} {today}").sample(to_come, min(number, len(to_come)))  # noqa: S311

    def _file(self, kind: str, interface: Interface) -> str:
        """Return the name of the all-content file of a format, or of another where that is missing."""
        export, version = export_specification(), int(interface[1:])
        called = [found for each in sorted(self.location.names()) if (found := export.parse(each))]
        suitable = [each for each in called if (each.format, each.version) == (kind, version)]
        if not suitable:
            raise NotApplicable(f"the export has no {kind} files for {interface}")
        return min(suitable, key=lambda each: each.customer != export.all_content).text

    def _rows(self, name: str, kind: str) -> Iterator[ExportRow]:
        """Yield the first rows of a file, a bounded number of them, as far as they say what to look for."""
        with self.location.open(name) as stream:
            rows = RowReader(stream, export_specification().delimiter)
            header = rows.next()
            columns = [cell.decode("ascii", "replace").strip().casefold() for cell in header.cells] if header else []
            for row in islice(iter(rows.next, None), _LOOKED_AT):
                cells = [cell.decode("ascii", "replace").strip() for cell in row.cells]
                offered = _offered(f"{printable(name)}, line {row.line}", dict(zip(columns, cells, strict=False)))
                if offered is not None and (kind == "routes" or (offered.carrier and offered.number.isdecimal())):
                    yield offered


def read_export(profile: Profile) -> ExportUnderTest:
    """Read the export of a target.

    Raises NotApplicable where the profile names no place of it, Untested where the place cannot be read.
    """
    if profile.export is None:
        raise NotApplicable("the profile names no place where the content export is dropped: [export] location")
    where = profile.export
    expected = ExpectedFiles(where.customers, tuple(int(version[1:]) for version in where.versions))
    with _reading(where.location):
        access = FtpAccess(where.user, where.password, profile.ca_bundle, profile.timeout_seconds)
        location = open_location(where.location, access)
        return ExportUnderTest(location, check_folder(location, expected), expected)


@contextmanager
def _reading(place: str) -> Iterator[None]:
    """Leave untested what cannot be read: that says nothing about what lies there."""
    try:
        yield
    except (AirworthyError, OSError) as error:
        said = error.strerror if isinstance(error, OSError) else ""
        reason = f"{place}: {said}" if said else str(error)
        raise Untested(f"the content export cannot be read, [export] location: {reason}") from None


def _offered(place: str, cells: Mapping[str, str]) -> ExportRow | None:
    """Return a row as what can be looked for, None where it cannot be read: that is another rule's."""
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
    return ExportRow(place, *upper, departs, carrier.upper(), number.lstrip("0"), base, total) if is_route else None


def _sold_as(flight: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Return the carrier and the number that each segment is sold under: which is the first is open (OPEN-80)."""
    found = set()
    for segment in items(flight, "segments"):
        number = whole(segment.get("marketing_carrier_flight_number"))
        found.add((str(member(segment, "marketing_carrier", "iata_code")).upper(), str(number)))
    return found


def _told(findings: Sequence[ExportFinding]) -> str:
    """Say what is wrong, how often, where first, and what else is."""
    first = findings[0]
    alike = [each for each in findings if (each.message, each.column) == (first.message, first.column)]
    count, files = sum(each.count for each in alike), len({each.file for each in alike})
    often = f", {count} times in {files} file{'s' if files > 1 else ''}" if count > 1 else ""
    placed = [each for each in first.examples[:_SHOWN] if each.line]
    examples = "; ".join(f"line {each.line}{f': {each.value}' if each.value else ''}" for each in placed)
    others = len({(each.message, each.column) for each in findings}) - 1
    more = f"; and {others} more of other kinds" if others else ""
    return f"{first.message}{often}{f' ({examples})' if examples else ''}{more}"


def _place(finding: ExportFinding) -> str:
    line = f", line {finding.line}" if finding.line else ""
    return f"{finding.file}{line}{f', column {finding.column}' if finding.column else ''}"
