"""What one process does of an audit: look through a part of a recording, and judge exchanges that belong together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from airworthy.audit.pieces import Source, UnreadableError
from airworthy.audit.sources import source
from airworthy.audit.ties import Ties, ties
from airworthy.contract import Contract, Exchange, Finding, ServiceAddress
from airworthy.contract.contract import SERVED
from airworthy.evidence import Recorder
from airworthy.traffic import GoLive, Summary, Watch
from airworthy.traffic.golive import ADULTS, INFANTS
from airworthy.traffic.lines import method, path

_NOWHERE: Final[dict[str, Any]] = {"method": None, "path": None, "status": None}


@dataclass(frozen=True, slots=True)
class Settings:
    """Which recordings are judged, and whose traffic in them.

    ``adults`` and ``infants`` are how many in one booking the go-live list asks for. ``tell`` says that every single
    finding is wanted, and not their summary alone.
    """

    files: tuple[Path, ...]
    service: ServiceAddress = field(default_factory=ServiceAddress)
    adults: int = ADULTS
    infants: int = INFANTS
    tell: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """What the files are called, in texts that can be written."""
        return tuple(str(path).encode("utf-8", "replace").decode() for path in self.files)


class Span(NamedTuple):
    """A part of a file, between two offsets."""

    file: int
    start: int
    end: int


class Entry(NamedTuple):
    """An entry that was found: where it lies, when it began, and what ties it to others."""

    start: int
    end: int
    began: float = 0.0
    ties: Ties = Ties()
    problem: str = ""


class Surveyed(NamedTuple):
    """The entries of a span. ``end`` is where the next one begins, None at the end of the file's entries."""

    entries: list[Entry]
    end: int | None


class Place(NamedTuple):
    """Where an entry stands: in which file, the how-manyth from 0, between which offsets; or the problem with it."""

    file: int
    number: int
    start: int
    end: int
    problem: str = ""


@dataclass(slots=True)
class Judged:
    """What exchanges that belong together came to.

    ``lines`` are their findings, as JSON, by place; ``examples`` are the places of the summary's examples, by exchange.
    """

    summary: Summary
    lines: list[tuple[int, int, bytes]] = field(default_factory=list)
    examples: dict[str, tuple[int, int]] = field(default_factory=dict)


class Worker:
    """Reads and judges; each process has its own."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._names = settings.names
        self._contract = Contract.load(SERVED, settings.service)
        self._sources: dict[int, Source] = {}

    @property
    def files(self) -> int:
        """The number of files."""
        return len(self._settings.files)

    def spans(self, file: int) -> Iterator[Span]:
        """Yield the parts of a file. Raises `UnreadableError` where it is no recording."""
        return (Span(file, start, end) for start, end in self._source(file).spans())

    def survey(self, span: Span) -> Surveyed:
        """Find the entries that begin within a span."""
        found: list[Entry] = []
        opened = self._source(span.file)
        for piece in opened.pieces(span.start):
            if piece.start >= span.end:
                return Surveyed(found, piece.start)
            found.append(self._entry(opened, piece.start, piece.end, piece.content, piece.problem))
        return Surveyed(found, None)

    def judge(self, places: Sequence[Place]) -> Judged:
        """Judge the entries at some places one after the other, each against those before."""
        settings = self._settings
        golive = GoLive(adults=settings.adults, infants=settings.infants)
        watch = Watch(self._contract, golive=golive)
        judged = Judged(watch.summary)
        known: dict[str, tuple[int, int]] = {}
        for place in places:
            exchange, unread = self._exchange(place)
            if exchange is None:
                problem = unread.get("problem")
                watch.summary.gap(problem) if problem else watch.summary.pass_by()
                findings = [Finding("", "unreadable", "request", "", problem, "", "", "")] if problem else []
            else:
                findings = watch.see(exchange, **unread)
                if findings:
                    known[exchange.id] = (place.file, place.number)
            if findings and settings.tell:
                told = b"".join(self._line(place, exchange, finding) for finding in findings)
                judged.lines.append((place.file, place.number, told))
        examples = {row.finding.exchange for row in watch.summary.rows()}
        judged.examples = {key: known[key] for key in examples if key in known}
        return judged

    def record(self, places: Sequence[Place], recorder: Recorder) -> None:
        """Write the evidence of the service's exchanges at some places."""
        for place in places:
            exchange, unread = self._exchange(place)
            if exchange is not None and self._contract.resolve(exchange.request.method, exchange.request.url):
                recorder.append(exchange, **unread)

    def _entry(self, opened: Source, start: int, end: int, content: Any, problem: str) -> Entry:  # noqa: ANN401
        if problem:
            return Entry(start, end, problem=problem)
        try:
            exchange, _ = opened.exchange(content, "")
        except UnreadableError as error:
            return Entry(start, end, problem=str(error))
        if exchange is None:
            return Entry(start, end)
        return Entry(start, end, exchange.started.timestamp(), ties(self._contract, exchange))

    def _exchange(self, place: Place) -> tuple[Exchange | None, Mapping[str, str]]:
        if place.problem:
            return None, {"problem": place.problem}
        opened = self._source(place.file)
        key = f"{self._names[place.file]}:{place.number}"
        try:
            return opened.exchange(opened.read(place.start, place.end), key)
        except UnreadableError as error:
            return None, {"problem": str(error)}

    def _line(self, place: Place, exchange: Exchange | None, finding: Finding) -> bytes:
        where = (
            _NOWHERE
            if exchange is None
            else {
                "method": method(exchange),
                "path": path(exchange),
                "status": exchange.response.status if exchange.response else None,
            }
        )
        told = {
            "file": self._names[place.file],
            "entry": place.number,
            **where,
            "side": finding.side,
            "pointer": finding.pointer,
            "kind": finding.kind,
            "class": finding.drift,
            "rule": finding.rule,
            "message": finding.message,
            "expected": finding.expected,
            "actual": finding.actual,
            "soft": finding.soft,
        }
        return orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE)

    def _source(self, file: int) -> Source:
        if file not in self._sources:
            self._sources[file] = source(self._settings.files[file])
        return self._sources[file]
