"""The work of one audit process: scan a part of a recording, and judge exchanges that belong together."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from airworthy.audit.formats import open_recording
from airworthy.audit.judging import Entry, EntryJudge, Locations, distinct, lines
from airworthy.audit.recording import EntryFormat, RecordedEntry, UnreadableRecordingError
from airworthy.contract import Contract, ServiceAddress
from airworthy.contract.http.operations import SERVED
from airworthy.contract.links import Links, links
from airworthy.evidence.recorder import Recorder
from airworthy.traffic import Summary
from airworthy.traffic.golive.items import GoLiveSettings

# Each open recording takes a file descriptor and, if it is compressed, a temporary file.
_MOST_OPEN: Final = 32
_MOST_ORIGINS: Final = 3


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
    """An entry that a scan found: its byte range, its time, and its links to other exchanges."""

    start: int
    end: int
    started: float = 0.0
    links: Links = Links()
    problem: str = ""


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


class Batch(NamedTuple):
    """Groups of linked entries to judge, each in order of time, and the origins that are known to be the service."""

    groups: list[Iterable[EntryLocation]]
    services: frozenset[str] = frozenset()

    @property
    def size(self) -> int:
        """The number of bytes of the entries."""
        return sum(location.end - location.start for group in self.groups for location in group)


EntryLines = tuple[int, int, bytes]
"""The file's index, the entry's index, and the entry's findings as lines of JSON."""


@dataclass(slots=True)
class BatchResult:
    """The result of judging a batch of entries.

    ``lines`` are its findings as JSON; ``examples`` are the places of the summary's examples.
    """

    summary: Summary
    lines: list[EntryLines] = field(default_factory=list)
    examples: Locations = field(default_factory=dict)


class AuditWorker:
    """Scans and judges entries; each process has its own."""

    def __init__(self, settings: AuditSettings) -> None:
        self.settings = settings
        self._names = settings.names
        self._contract = Contract.load(SERVED, settings.service)
        self._recording = lru_cache(_MOST_OPEN)(lambda file: open_recording(settings.files[file]))

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
            found.append(scan_entry(None if self.settings.together else self._contract, recording, entry))
        return ScannedChunk(found, None)

    def judge(self, batch: Batch, recorder: Recorder | None = None) -> BatchResult:
        """Judge the groups of a batch, the entries of each in order, and record them."""
        judge = EntryJudge(self._contract, self.settings.golive, batch.services)
        found = (each for group in batch.groups for each in judge.judge(self._entries(group, recorder)))
        is_spooled = self.settings.lines
        spooled = [(entry.file, entry.number, lines(entry, findings)) for entry, findings in found if is_spooled]
        return BatchResult(judge.summary, spooled, judge.examples)

    def record(self, locations: Sequence[EntryLocation], recorder: Recorder) -> None:
        """Write the service's exchanges among some entries to the evidence."""
        deque(self._entries(locations, recorder), maxlen=0)

    def _entries(self, locations: Iterable[EntryLocation], recorder: Recorder | None) -> Iterator[Entry]:
        for entry in distinct(map(self._entry, locations)):
            exchange = entry.exchange
            if recorder and exchange and self._contract.resolve(exchange.request.method, exchange.request.url):
                recorder.append(exchange, **entry.unread)
            yield entry

    def _entry(self, location: EntryLocation) -> Entry:
        where = (self._names[location.file], location.file, location.number)
        if location.problem:
            return Entry.broken(location.problem, *where)
        recording = self._recording(location.file)
        return Entry.read(recording, recording.read(location.start, location.end), *where)


def not_called(files: Sequence[Path], base_urls: Sequence[str]) -> str:
    """Return the text that no exchange calls the service, and which origins the recordings call instead."""
    found: set[str] = set()
    for path in files if base_urls else ():
        worker = AuditWorker(AuditSettings((path,)))
        with suppress(UnreadableRecordingError):
            found.update(entry.links.service for chunk in worker.chunks(0) for entry in worker.scan(chunk).entries)
    at = f" at {' or '.join(base_urls)}" if base_urls else ""
    instead = ", ".join(sorted(found - {""})[:_MOST_ORIGINS])
    return f"no exchange with an operation of the service{at}{f'; the traffic is with {instead}' if instead else ''}"


def scan_entry(contract: Contract | None, form: EntryFormat, entry: RecordedEntry) -> ScannedEntry:
    """Return the time and the links of an entry, or the problem with it; no links without a contract."""
    if entry.problem:
        return ScannedEntry(entry.start, entry.end, problem=entry.problem)
    try:
        exchange, _ = form.exchange(entry.content, "")
    except UnreadableRecordingError as error:
        return ScannedEntry(entry.start, entry.end, problem=str(error))
    if exchange is None:
        return ScannedEntry(entry.start, entry.end)
    found = links(contract, exchange) if contract else Links()
    return ScannedEntry(entry.start, entry.end, exchange.started.timestamp(), found)
