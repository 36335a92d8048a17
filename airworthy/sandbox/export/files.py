"""The content export: which files there are, for whom, and how they are written to a folder.

A file is a value until it is written: that is where faults get at it. Its lines are made one by one, so that an export
of any size takes no memory.
"""

import json
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, partial
from itertools import groupby, product
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from airworthy.errors import UsageError
from airworthy.resources import resource
from airworthy.sandbox.dialects.choices import Choices
from airworthy.sandbox.export.cells import Cells, ExportCells
from airworthy.sandbox.export.export_file import ExportFile, Line
from airworthy.sandbox.geography import AIRPORTS
from airworthy.sandbox.inventory import SOLD_AHEAD
from airworthy.sandbox.service import SandboxService
from airworthy.sandbox.situations import SITUATIONS
from airworthy.sandbox.v3.timetable import Flight

Rule = Callable[[Flight], bool]
"""Which flights a customer gets."""

_ENCODINGS: Final = {"UTF-8": "utf-8", "UTF-8 with BOM": "utf-8-sig", "Latin-1": "latin-1"}
# Distribution rules: what a customer gets to sell. Everybody else gets everything.
_DISTRIBUTION: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "first": lambda flight: len(flight.itinerary.sections) == 1,
        "second": lambda flight: AIRPORTS[flight.itinerary.route[0]].country == "ES",
    }
)
_CUSTOMERS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "letters": {"first": "firstota", "second": "secondota"},
        "words": {"first": "First OTA_(Spain)", "second": "second-ota.v2"},
        "number": {"first": "4711", "second": "4712"},
    }
)


def _everything(_: Flight) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class ExportExtent:
    """How much is exported: ``days`` from tomorrow on, of the routes with a purpose (both ways) or of every route."""

    days: int = 2
    every_route: bool = False

    def checked(self) -> "ExportExtent":
        """Return it; raises UsageError for days that nobody sells."""
        if not 0 < self.days <= SOLD_AHEAD.days:
            raise UsageError(f"an export of {self.days} days (--export-days): expected 1 to {SOLD_AHEAD.days}")
        return self

    def routes(self) -> Iterator[tuple[str, str]]:
        """Yield the airports between which the exported flights go."""
        if self.every_route:
            yield from ((start, end) for start in AIRPORTS for end in AIRPORTS)
            return
        purposes = [each for each in SITUATIONS.values() if each.type == "AIRPORT"]
        outward = [(each.origin, each.destination) for each in purposes]
        yield from dict.fromkeys([*outward, *(route[::-1] for route in outward)])


class ExportFolder:
    """The export of a service in a folder of its own: written when it is asked for, and anew when it is out of date.

    The folder is made where it is missing, and holds nothing else. Several threads may ask.
    """

    def __init__(self, service: SandboxService, extent: ExportExtent, folder: Path) -> None:
        self.folder = folder
        self._service = service
        self._extent = extent
        self._cells = ExportCells(service.choices)
        self._written: object = None
        self._lock = threading.Lock()

    def refresh(self) -> list[Path]:
        """Have the folder hold the export of today, as the faults that are switched on have it; return its files."""
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
        """Write files, each whole or not at all; what two versions have in common is made once."""
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
        """Yield every file as the documents have it, in the words of the dialect."""
        names = _CUSTOMERS[self._service.choices.export_customer]
        gets = {names[customer]: rule for customer, rule in _DISTRIBUTION.items()} | {
            _names()["allContent"]: _everything
        }
        for kind, (customer, rule) in product(_names()["formats"], gets.items()):
            lines = partial(self._lines, kind, rule)
            for version in _names()["versions"]:
                name = _names()["path"].format(format=kind, customer=customer, version=version)
                yield self._file(name, kind, lines, version, customer)
        if self._service.choices.export_legacy == "there":
            for kind in _names()["formats"]:
                lines = partial(self._lines, kind, _everything)
                yield self._file(_names()["legacyPath"].format(format=kind), kind, lines)

    def _file(
        self, name: str, kind: str, lines: Callable[[], Iterator[Line]], version: int = 0, customer: str = ""
    ) -> ExportFile:
        choices = self._service.choices
        return ExportFile(
            name,
            kind,
            version,
            customer,
            columns=columns(kind),
            lines=lines,
            encoding=_ENCODINGS[choices.export_encoding],
            quotes_all=choices.export_quoting == "all cells",
            line_end="\n" if choices.export_line_end == "LF" else "\r\n",
            ends_last_line=choices.export_line_end != "CRLF, none at the end",
        )

    # What is in them

    def _today(self) -> date:
        return self._service.clock.now().date()

    def _sold(self, gets: Rule) -> Iterator[tuple[Flight, int]]:
        """Yield the flights that a customer gets, with their free seats: what a search finds now."""
        first = self._today() + timedelta(days=1)
        last = self._today() + timedelta(days=self._extent.days)
        for origin, destination in self._extent.routes():
            for flight in self._service.timetable.between(origin, destination, first, last):
                left = self._service.store.seats.left(flight, self._service.clock.now())
                if left > 0 and not flight.situation.supplier_fails and gets(flight):
                    yield flight, left

    def _lines(self, kind: str, gets: Rule) -> Iterator[Line]:
        several = self._routes(gets) if kind == "routes" else self._flights(gets)
        names = columns(kind)
        return ([cells[name] for name in names] for cells in several)

    def _flights(self, gets: Rule) -> Iterator[Cells]:
        return (self._cells.flight(flight, left) for flight, left in self._sold(gets))

    def _routes(self, gets: Rule) -> Iterator[Cells]:
        """Yield each route and day once: the flights of one follow each other."""
        return (cells for cells, _ in groupby(self._cells.route(flight) for flight, _ in self._sold(gets)))


def customers(choices: Choices) -> tuple[str, ...]:
    """Return the customers with distribution rules of their own, as their files name them."""
    return tuple(_CUSTOMERS[choices.export_customer].values())


def columns(kind: str) -> tuple[str, ...]:
    """Return the columns of a format in their order."""
    return tuple(each["name"] for each in _document(kind)["fields"])


def _names() -> Mapping[str, Any]:
    return _document("files")


@cache
def _document(name: str) -> Mapping[str, Any]:
    document: Mapping[str, Any] = json.loads((resource("schemas") / "export" / f"{name}.json").read_bytes())
    return document
