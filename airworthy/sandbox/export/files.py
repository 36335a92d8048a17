"""The content export: its files, their contents, and the folder to which they are written."""

import json
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, partial
from itertools import groupby, product
from pathlib import Path
from typing import Any, Final

from airworthy.errors import UsageError
from airworthy.resources import resource
from airworthy.sandbox.dialects.choices import Choices
from airworthy.sandbox.export.cells import ExportCells
from airworthy.sandbox.model.export_file import ExportFile, Line, Lines
from airworthy.sandbox.model.geography import AIRPORTS
from airworthy.sandbox.model.inventory import SOLD_AHEAD
from airworthy.sandbox.model.situations import SITUATIONS
from airworthy.sandbox.resources.v3.timetable import Flight
from airworthy.sandbox.service.service import SandboxService

Rule = Callable[[Flight], bool]
"""Return whether a customer may sell a flight."""

_ENCODINGS: Final = {"UTF-8": "utf-8", "UTF-8 with BOM": "utf-8-sig", "Latin-1": "latin-1"}
# The distribution rules of customers; every other customer may sell every flight.
_DISTRIBUTION: Final[Mapping[str, Rule]] = {
    "first": lambda flight: len(flight.itinerary.sections) == 1,
    "second": lambda flight: AIRPORTS[flight.itinerary.route[0]].country == "ES",
}
_CUSTOMERS: Final[Mapping[str, Mapping[str, str]]] = {
    "letters": {"first": "firstota", "second": "secondota"},
    "words": {"first": "First OTA_(Spain)", "second": "second-ota.v2"},
    "number": {"first": "4711", "second": "4712"},
}


@dataclass(frozen=True, slots=True)
class ExportExtent:
    """How much the export contains: ``days`` from tomorrow on, of the situations' routes (both ways) or every route."""

    days: int = 2
    every_route: bool = False

    def checked(self) -> "ExportExtent":
        """Return the extent; raises UsageError for more days than are sold."""
        if not 0 < self.days <= SOLD_AHEAD.days:
            raise UsageError(f"--export-days {self.days}: expected 1 to {SOLD_AHEAD.days}")
        return self

    def routes(self) -> Iterator[tuple[str, str]]:
        """Yield origin and destination of each exported route."""
        if self.every_route:
            yield from ((start, end) for start in AIRPORTS for end in AIRPORTS)
            return
        situations = [each for each in SITUATIONS.values() if each.type == "AIRPORT"]
        outward = [(each.origin, each.destination) for each in situations]
        yield from dict.fromkeys([*outward, *(route[::-1] for route in outward)])


class ExportFolder:
    """The export of a service in a folder of its own, which is created if needed and contains nothing else.

    The export is written on request and rewritten when it is out of date. Several threads may use it.
    """

    def __init__(self, service: SandboxService, extent: ExportExtent, folder: Path) -> None:
        self.folder = folder
        self._service = service
        self._extent = extent
        self._written: object = None
        self._lock = threading.Lock()

    def follow(self, service: SandboxService) -> None:
        """Export another service from now on."""
        with self._lock:
            self._service, self._written = service, None

    def refresh(self) -> list[Path]:
        """Write today's export unless it is current, and return its files."""
        with self._lock:
            state = (self._today(), self._service.hooks)
            if self._written != state:
                self._written = None
                self.folder.mkdir(parents=True, exist_ok=True)
                for outdated in self.folder.iterdir():
                    outdated.unlink()
                self._write(self._service.hooks.export(tuple(self.files())))
                self._written = state
            return sorted(self.folder.iterdir())

    def _write(self, files: Sequence[ExportFile]) -> None:
        made: dict[ExportFile, Path] = {}
        for file in files:
            unfinished = self.folder / f"{file.name}.part"
            content = replace(file, name="", version=0)
            if content in made:
                shutil.copyfile(made[content], unfinished)
            else:
                file.write(unfinished)
            made[content] = unfinished.replace(self.folder / file.name)

    def files(self) -> Iterator[ExportFile]:
        """Yield every documented file, as the dialect writes it."""
        choices = self._service.choices
        names = _CUSTOMERS[choices.export.customer]
        rules = _DISTRIBUTION if choices.export.own_files == "of customers" else {}
        allows = {names[customer]: rule for customer, rule in rules.items()} | {
            _document("files")["allContent"]: lambda _: True
        }
        for kind, (customer, rule) in product(_document("files")["formats"], allows.items()):
            lines = partial(self._lines, kind, rule)
            for version in versions(choices):
                name = _document("files")["path"].format(format=kind, customer=customer, version=version)
                yield self._file(name, kind, lines, version, customer)
        if choices.export.legacy == "there":
            for kind in _document("files")["formats"]:
                lines = partial(self._lines, kind, lambda _: True)
                yield self._file(_document("files")["legacyPath"].format(format=kind), kind, lines)

    def _file(self, name: str, kind: str, lines: Lines, version: int = 0, customer: str = "") -> ExportFile:
        choices = self._service.choices
        return ExportFile(
            name,
            kind,
            version,
            customer,
            columns=columns(kind),
            lines=lines,
            encoding=_ENCODINGS[choices.export.encoding],
            quotes_all=choices.export.quoting == "all cells",
            line_end="\n" if choices.export.line_end == "LF" else "\r\n",
            ends_last_line=choices.export.line_end != "CRLF, none at the end",
        )

    def _today(self) -> date:
        return self._service.clock.now().date()

    def _sold(self, allows: Rule) -> Iterator[tuple[Flight, int]]:
        """Yield the flights that a customer may sell, with their free seats, as a search would return them now."""
        first = self._today() + timedelta(days=1)
        last = self._today() + timedelta(days=self._extent.days)
        for origin, destination in self._extent.routes():
            for flight in self._service.timetable.between(origin, destination, first, last):
                left = self._service.store.seats.left(flight.itinerary, self._service.clock.now())
                if left > 0 and not flight.situation.supplier_fails and allows(flight):
                    yield flight, left

    def _lines(self, kind: str, allows: Rule) -> Iterator[Line]:
        """Yield the lines of a file; those of routes have each route and day once, as their flights are adjacent."""
        cells, names = ExportCells(self._service.choices), columns(kind)
        if kind == "routes":
            several = (each for each, _ in groupby(cells.route(flight) for flight, _ in self._sold(allows)))
        else:
            several = (cells.flight(flight, left) for flight, left in self._sold(allows))
        return ([each[name] for name in names] for each in several)


def customers(choices: Choices) -> tuple[str, ...]:
    """Return the names of customers with distribution rules, as in the names of their files."""
    return tuple(_CUSTOMERS[choices.export.customer].values()) if choices.export.own_files == "of customers" else ()


def versions(choices: Choices) -> tuple[int, ...]:
    """Return the API versions that have files."""
    every = tuple(_document("files")["versions"])
    return every if choices.export.versions == "2 and 3" else every[-1:]


def columns(kind: str) -> tuple[str, ...]:
    """Return the columns of a format, in order."""
    return tuple(each["name"] for each in _document(kind)["fields"])


@cache
def _document(name: str) -> Mapping[str, Any]:
    document: Mapping[str, Any] = json.loads((resource("schemas") / "export" / f"{name}.json").read_bytes())
    return document
