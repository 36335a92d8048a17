"""The work of one audit process: scan a part of a recording, and judge exchanges that belong together."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from airworthy.audit.formats import open_recording
from airworthy.audit.links import Links, links
from airworthy.audit.recording import RecordedEntry, Recording, UnreadableRecordingError
from airworthy.audit.spool import EntryLines
from airworthy.contract import Contract, Exchange, Finding, ServiceAddress
from airworthy.contract.contract import SERVED
from airworthy.evidence import Recorder
from airworthy.traffic import GoLive, Summary, TrafficMonitor
from airworthy.traffic.golive import GoLiveSettings
from airworthy.traffic.lines import method, path

_NO_EXCHANGE: Final[dict[str, Any]] = {"method": None, "path": None, "status": None}
_DIGEST_SIZE: Final = 16


@dataclass(frozen=True, slots=True)
class AuditSettings:
    """The recordings to judge, and the service whose traffic is judged.

    ``golive`` is what the go-live list requires. ``lines`` requests every single finding in addition to the summary.
    ``labels`` replace the paths of the files in the ids of exchanges. ``together`` says that all exchanges belong
    together, as those of one client: then nothing needs to be remembered to find out which do.
    """

    files: tuple[Path, ...]
    service: ServiceAddress = field(default_factory=ServiceAddress)
    golive: GoLiveSettings = field(default_factory=GoLiveSettings)
    lines: bool = False
    labels: tuple[str, ...] = ()
    together: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The labels of the files, or their paths, as text that can be encoded."""
        return self.labels or tuple(str(path).encode("utf-8", "replace").decode() for path in self.files)


class Chunk(NamedTuple):
    """A byte range of a file."""

    file: int
    start: int
    end: int


class ScannedEntry(NamedTuple):
    """An entry that a scan found: its byte range, its time, and its links to other exchanges.

    Entries with the same ``digest`` record the same exchange; it is empty if the times are too coarse to tell.
    """

    start: int
    end: int
    started: float = 0.0
    links: Links = Links()
    problem: str = ""
    digest: bytes = b""


class ScannedChunk(NamedTuple):
    """The entries of a chunk. ``end`` is the offset of the entry after them, None after the last entry of the file."""

    entries: list[ScannedEntry]
    end: int | None


class EntryLocation(NamedTuple):
    """The file, the zero-based index and the byte range of an entry, and the ``problem`` if it cannot be read."""

    file: int
    number: int
    start: int
    end: int
    problem: str = ""


@dataclass(slots=True)
class BatchResult:
    """The result of judging a batch of entries.

    ``lines`` are its findings as JSON; ``examples`` maps the ids of the summary's examples to (file, entry).
    """

    summary: Summary
    lines: list[EntryLines] = field(default_factory=list)
    examples: dict[str, tuple[int, int]] = field(default_factory=dict)


class AuditWorker:
    """Scans and judges entries; each process has its own."""

    def __init__(self, settings: AuditSettings) -> None:
        self._settings = settings
        self._names = settings.names
        self._contract = Contract.load(SERVED, settings.service)
        self._recordings: dict[int, Recording] = {}

    @property
    def files(self) -> int:
        """The number of files."""
        return len(self._settings.files)

    def chunks(self, file: int) -> Iterator[Chunk]:
        """Yield the chunks of a file. Raises `UnreadableRecordingError` if it is not a recording."""
        return (Chunk(file, start, end) for start, end in self._recording(file).chunks())

    def scan(self, chunk: Chunk) -> ScannedChunk:
        """Find the entries that begin within a chunk."""
        found: list[ScannedEntry] = []
        recording = self._recording(chunk.file)
        for entry in recording.entries(chunk.start):
            if entry.start >= chunk.end:
                return ScannedChunk(found, entry.start)
            found.append(self._scanned(recording, entry))
        return ScannedChunk(found, None)

    def judge(self, batch: Sequence[EntryLocation]) -> BatchResult:
        """Judge the entries of a batch in order, each in the context of those before it."""
        settings = self._settings
        monitor = TrafficMonitor(self._contract, golive=GoLive(settings.golive))
        summary = monitor.summary
        result = BatchResult(summary)
        locations: dict[str, tuple[int, int]] = {}
        for location in batch:
            exchange, unread = self._exchange(location)
            if exchange is not None:
                findings = monitor.observe(exchange, **unread)
                if findings:
                    locations[exchange.id] = (location.file, location.number)
            elif problem := unread.get("problem"):
                summary.count_unreadable(problem)
                summary.golive.skip(f"{self._names[location.file]}:{location.number}", problem)
                findings = [Finding("", "unreadable", "request", "", problem, "", "", "")]
            else:
                summary.count_foreign()
                findings = []
            if findings and settings.lines:
                lines = b"".join(self._line(location, exchange, finding) for finding in findings)
                result.lines.append((location.file, location.number, lines))
        examples = {row.finding.exchange for row in summary.rows()}
        result.examples = {key: locations[key] for key in examples if key in locations}
        return result

    def record(self, locations: Sequence[EntryLocation], recorder: Recorder) -> None:
        """Write the service's exchanges among some entries to the evidence."""
        for location in locations:
            exchange, unread = self._exchange(location)
            if exchange is not None and self._contract.resolve(exchange.request.method, exchange.request.url):
                recorder.append(exchange, **unread)

    def _scanned(self, recording: Recording, entry: RecordedEntry) -> ScannedEntry:
        if entry.problem:
            return ScannedEntry(entry.start, entry.end, problem=entry.problem)
        try:
            exchange, _ = recording.exchange(entry.content, "")
        except UnreadableRecordingError as error:
            return ScannedEntry(entry.start, entry.end, problem=str(error))
        if exchange is None:
            return ScannedEntry(entry.start, entry.end)
        scanned = ScannedEntry(entry.start, entry.end, exchange.started.timestamp(), digest=_digest(exchange))
        return scanned if self._settings.together else scanned._replace(links=links(self._contract, exchange))

    def _exchange(self, location: EntryLocation) -> tuple[Exchange | None, Mapping[str, str]]:
        if location.problem:
            return None, {"problem": location.problem}
        recording = self._recording(location.file)
        key = f"{self._names[location.file]}:{location.number}"
        try:
            return recording.exchange(recording.read(location.start, location.end), key)
        except UnreadableRecordingError as error:
            return None, {"problem": str(error)}

    def _line(self, location: EntryLocation, exchange: Exchange | None, finding: Finding) -> bytes:
        request = (
            _NO_EXCHANGE
            if exchange is None
            else {
                "method": method(exchange),
                "path": path(exchange),
                "status": exchange.response.status if exchange.response else None,
            }
        )
        line = {
            "file": self._names[location.file],
            "entry": location.number,
            **request,
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
        return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)

    def _recording(self, file: int) -> Recording:
        if file not in self._recordings:
            self._recordings[file] = open_recording(self._settings.files[file])
        return self._recordings[file]


def _digest(exchange: Exchange) -> bytes:
    """Return what identifies an exchange in any recording of it: its times and its content.

    Without its duration, an exchange cannot be told apart from an equal one that began at the same time.
    """
    request, response = exchange.request, exchange.response
    if response is None or not exchange.elapsed:
        return b""
    bodies = request.body or b"", response.body or b""
    identity = exchange.started, exchange.elapsed, request.method, request.url, response.status, *map(len, bodies)
    return hashlib.blake2b(b"".join([repr(identity).encode(), *bodies]), digest_size=_DIGEST_SIZE).digest()
