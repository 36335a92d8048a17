"""Audit recorded traffic in two passes: find the exchanges that belong together, then judge them in order of time.

If all exchanges belong together, they are judged as one stream, in flat memory. Otherwise, several processes
judge them, and the result does not depend on their number.
"""

import hashlib
import tempfile
import weakref
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from airworthy.audit.formats import open_recording, recording_size
from airworthy.audit.judging import Locations, examples_of
from airworthy.audit.partition import Partition
from airworthy.audit.pool import WorkerPool
from airworthy.audit.recording import EvidenceRecording, UnreadableRecordingError
from airworthy.audit.worker import AuditSettings, AuditWorker, Batch, BatchResult, Chunk, EntryLines, EntryLocation
from airworthy.contract import Exchange
from airworthy.contract.links import Links
from airworthy.errors import UsageError
from airworthy.evidence.files import is_evidence
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.recorder import EvidenceRecord, Recorder, read_line
from airworthy.evidence.redaction import RedactedExchange, Redactor
from airworthy.evidence.verification import verify_chains
from airworthy.private_files import temporary_folder
from airworthy.traffic import GoLive, Summary
from airworthy.traffic.summary import Example

Progress = Callable[[int, int], None]
_BATCH_BYTES: Final = 2 * 1024 * 1024
_BATCH_ENTRIES: Final = 500


@dataclass(slots=True)
class AuditResult:
    """The result of an audit.

    ``examples`` are the locations of the summary's example exchanges.
    ``lines`` are all findings as lines of JSON, in the order of files and entries, if the settings request them.
    ``changed`` says where evidence was changed after it was recorded, as far as the command has verified it.
    """

    files: tuple[str, ...]
    summary: Summary
    examples: Locations = field(default_factory=dict)
    lines: Iterable[bytes] = ()
    changed: str = ""


def changed_evidence(files: Iterable[Path]) -> str:
    """Return where evidence was first changed after it was recorded, with the reason; empty if nowhere.

    Files that are missing in a chain of rotated ones do not count: nobody has to audit all of them.
    """
    chains = verify_chains(filter(is_evidence, files), later_start=True)
    problems = (problem for chain in chains for problem in chain.problems)
    return next((each.explained for each in problems if each.line and not each.is_unfinished), "")


def audit(
    settings: AuditSettings,
    *,
    jobs: int | None = None,
    recorder: Recorder | None = None,
    progress: Progress | None = None,
) -> AuditResult:
    """Judge recorded traffic.

    ``jobs`` is the number of processes (default: one per processor). ``recorder`` records the service's exchanges, in
    the order of the files, or of time if all belong together. ``progress`` is called with the number of bytes processed
    and the total.

    Raises:
        UsageError: a file cannot be opened, or none is a recording; of those that belong together, each has to be one.
        AirworthyError: a process of the audit ended unexpectedly.
        OSError: the evidence cannot be written.
    """
    for path in settings.files:
        if path.exists() and not path.is_file():
            raise UsageError(f"{path}: not a file")
    worker = AuditWorker(settings)
    size = sum(map(recording_size, settings.files))
    # Each pass reads every byte once.
    meter = _ProgressMeter(2 * size, progress)
    spool = LineSpool()
    result = AuditResult(settings.names, Summary(golive=GoLive(settings.golive)), lines=spool)
    with WorkerPool(settings, worker, size, jobs) as pool:
        judge = _judge_together if settings.together else _judge_groups
        for size, judged in judge(worker, pool, meter, recorder):
            result.summary.merge(judged.summary)
            result.examples = examples_of(result.summary, result.examples, judged.examples)
            spool.add(judged.lines)
            meter.add(size)
    return result


def _judge_together(
    worker: AuditWorker, pool: WorkerPool, meter: "_ProgressMeter", recorder: Recorder | None
) -> Iterator[tuple[int, BatchResult]]:
    """Judge all entries as one stream in order of time; of each, only the time and the place are kept in memory."""
    times, places, problems = array("d"), array("Q"), dict[int, str]()
    for started, (*place, problem), _ in _located(worker, pool, meter):
        if problem:
            problems[len(times)] = problem
        times.append(started)
        places.extend(place)

    def in_order() -> Iterator[EntryLocation]:
        for at in sorted(range(len(times)), key=times.__getitem__):
            file, number, start, end = places[4 * at : 4 * at + 4]
            yield EntryLocation(file, number, start, end, problems.get(at, ""))

    yield sum(places[3::4]) - sum(places[2::4]), worker.judge(Batch([in_order()]), recorder)


def _judge_groups(
    worker: AuditWorker, pool: WorkerPool, meter: "_ProgressMeter", recorder: Recorder | None
) -> Iterator[tuple[int, BatchResult]]:
    """Judge groups of linked entries, each sorted by time, in several processes."""
    partition: Partition[tuple[float, EntryLocation]] = Partition()
    services: set[str] = set()
    for started, location, found in _located(worker, pool, meter):
        partition.add((started, location), found)
        services.add(found.service)
    groups = [[location for _, location in sorted(group)] for group in partition]
    if recorder is not None:
        worker.record(sorted(entry for group in groups for entry in group), recorder)
    for batch, judged in pool.judge(_batches(groups, frozenset(services - {""}))):
        yield batch.size, judged


def _located(
    worker: AuditWorker, pool: WorkerPool, meter: "_ProgressMeter"
) -> Iterator[tuple[float, EntryLocation, Links]]:
    """Yield the time, the location and the links of every entry, in the order of the files."""
    file, number, expected = -1, 0, None
    unreadable: list[EntryLocation] = []
    for chunk, scanned in pool.scan(_chunks(worker, unreadable)):
        if chunk.file != file:
            file, number, expected = chunk.file, 0, chunk.start
        meter.add(chunk.end - chunk.start)
        if expected is None or expected >= chunk.end:
            continue
        # A chunk of a HAR may begin at a nested object that looks like an entry; only the chunk before it shows that.
        found = scanned if chunk.start == expected else worker.scan(Chunk(file, expected, chunk.end))
        for entry in found.entries:
            location = EntryLocation(file, number, entry.start, entry.end, entry.problem)
            yield entry.started, location, entry.links
            number += 1
        expected = found.end
    yield from ((0.0, each, Links()) for each in unreadable)


def _chunks(worker: AuditWorker, unreadable: list[EntryLocation]) -> Iterator[Chunk]:
    """Yield the chunks of all files, and add those that are not recordings to the unreadable ones."""
    files = worker.settings.files
    for file in range(len(files)):
        try:
            yield from worker.chunks(file)
        except UnreadableRecordingError as error:
            unreadable.append(EntryLocation(file, 0, 0, 0, str(error)))
            if worker.settings.together or len(unreadable) == len(files):
                raise UsageError(f"{files[unreadable[0].file]}: {unreadable[0].problem}") from None


def _batches(groups: Sequence[Sequence[EntryLocation]], services: frozenset[str]) -> list[Batch]:
    """Return the batches to judge, much larger ones first, so that no process ends with a large one.

    Others keep their order, so that neighbouring batches read the same files.
    """
    batches = [Batch([], services)]
    size = entries = 0
    for group in groups:
        if size >= _BATCH_BYTES or entries >= _BATCH_ENTRIES:
            batches.append(Batch([], services))
            size = entries = 0
        batches[-1].groups.append(list(group))
        size += sum(location.end - location.start for location in group)
        entries += len(group)
    return sorted(batches, key=lambda batch: batch.size // (2 * _BATCH_BYTES), reverse=True)


class _ProgressMeter:
    def __init__(self, total: int, progress: Progress | None) -> None:
        self._total, self._done, self._progress = total, 0, progress

    def add(self, size: int) -> None:
        # The size of a compressed recording is an estimate.
        self._done = min(self._done + size, self._total)
        if self._progress:
            self._progress(self._done, self._total)


class LineSpool:
    """A temporary file of the lines of findings, sorted by file and entry; they contain nothing private."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(dir=temporary_folder())  # noqa: SIM115 - the file is open as long as the spool exists
        weakref.finalize(self, self._file.close)
        self._index: list[tuple[int, int, int, int]] = []

    def add(self, entries: Iterable[EntryLines]) -> None:
        """Store the lines of some entries."""
        offset = self._file.seek(0, 2)
        for file, entry, lines in entries:
            self._index.append((file, entry, offset, len(lines)))
            offset += self._file.write(lines)

    def __iter__(self) -> Iterator[bytes]:
        for _, _, offset, length in sorted(self._index):
            self._file.seek(offset)
            yield self._file.read(length)


NewRedactor = Callable[[Pseudonyms], Redactor]


def example_exchanges(
    result: AuditResult, wanted: Iterable[Example], new_redactor: NewRedactor
) -> Mapping[Example, RedactedExchange]:
    """Return the wanted ones of the summary's examples, as far as their recordings are on this machine, unchanged.

    The pseudonyms depend on these exchanges alone, so that the same recordings give the same page.
    """
    places: dict[Path, dict[int, Example]] = {}
    for example in wanted:
        if place := result.examples.get(example):
            places.setdefault(Path(result.files[place[0]]), {})[place[1]] = example
    found = dict(_read(places))
    key = hashlib.sha256("\n".join(map(repr, found.values())).encode("utf-8", "replace")).digest()
    redactor = new_redactor(Pseudonyms(key))
    return {example: redactor.redacted(each) if isinstance(each, Exchange) else each for example, each in found.items()}


def _read(places: Mapping[Path, Mapping[int, Example]]) -> Iterator[tuple[Example, EvidenceRecord | Exchange]]:
    for path, entries in places.items():
        with suppress(UsageError, UnreadableRecordingError, OSError, ValueError):
            recording = open_recording(path)
            first, _ = next(iter(recording.chunks()))
            for number, entry in enumerate(islice(recording.entries(first), max(entries) + 1)):
                if number not in entries:
                    continue
                if isinstance(recording, EvidenceRecording):
                    yield entries[number], read_line(entry.content)
                elif exchange := recording.exchange(entry.content, entries[number][0])[0]:
                    yield entries[number], exchange
