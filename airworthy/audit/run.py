"""Audit recorded traffic in two passes: find the exchanges that belong together, then judge them in order of time.

If all exchanges belong together, they are judged as one stream, in flat memory. Otherwise, several processes
judge them, and the result does not depend on their number.
"""

import tempfile
import weakref
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Final, TypeAlias

from airworthy.audit.formats import recording_size
from airworthy.audit.judging import Locations, examples_of
from airworthy.audit.links import Links, Partition
from airworthy.audit.pool import WorkerPool
from airworthy.audit.recording import UnreadableRecordingError
from airworthy.audit.worker import AuditSettings, AuditWorker, Batch, BatchResult, Chunk, EntryLines, EntryLocation
from airworthy.errors import UsageError
from airworthy.evidence.files import is_evidence
from airworthy.evidence.recorder import Recorder
from airworthy.evidence.verification import verify_chains
from airworthy.private_files import temporary_folder
from airworthy.traffic import GoLive, Summary

Progress = Callable[[int, int], None]
_Located: TypeAlias = "Partition[tuple[float, EntryLocation]] | EntryTimeline"
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
        UsageError: a file cannot be opened.
        AirworthyError: a process of the audit ended unexpectedly.
        OSError: the evidence cannot be written.
    """
    for path in settings.files:
        if not path.is_file():
            raise UsageError(f"{path}: {'not a file' if path.exists() else 'no such file'}")
    worker = AuditWorker(settings)
    size = sum(map(recording_size, settings.files))
    # Each pass reads every byte once.
    meter = _ProgressMeter(2 * size, progress)
    spool = LineSpool()
    result = AuditResult(settings.names, Summary(golive=GoLive(settings.golive)), lines=spool)
    with WorkerPool(settings, worker, size, jobs) as pool:
        judge = _judge_together if settings.together else _judge_groups
        for batch, judged in judge(worker, pool, meter, recorder):
            result.summary.merge(judged.summary)
            result.examples = examples_of(result.summary, result.examples, judged.examples)
            spool.add(judged.lines)
            meter.add(batch.size)
    return result


def _judge_together(
    worker: AuditWorker, pool: WorkerPool, meter: "_ProgressMeter", recorder: Recorder | None
) -> Iterator[tuple[Batch, BatchResult]]:
    """Judge all entries as one stream: neither the entries nor what links them are kept in memory."""
    timeline = EntryTimeline()
    batch = Batch([timeline], _locate(worker, pool, meter, timeline))
    yield batch, worker.judge(batch, recorder)


def _judge_groups(
    worker: AuditWorker, pool: WorkerPool, meter: "_ProgressMeter", recorder: Recorder | None
) -> Iterator[tuple[Batch, BatchResult]]:
    """Judge groups of linked entries, each sorted by time, in several processes."""
    partition: Partition[tuple[float, EntryLocation]] = Partition()
    services = _locate(worker, pool, meter, partition)
    groups = [[location for _, location in sorted(group)] for group in partition]
    if recorder is not None:
        worker.record(sorted(entry for group in groups for entry in group), recorder)
    yield from pool.judge(_batches(groups, services))


def _locate(worker: AuditWorker, pool: WorkerPool, meter: "_ProgressMeter", located: _Located) -> frozenset[str]:
    """Find every entry with its time and its links, and return the hosts on which a documented operation is called."""
    file, number, expected = -1, 0, None
    services: set[str] = set()
    for chunk, scanned in pool.scan(_chunks(worker, located)):
        if chunk.file != file:
            file, number, expected = chunk.file, 0, chunk.start
        meter.add(chunk.end - chunk.start)
        if expected is None or expected >= chunk.end:
            continue
        # A chunk of a HAR may begin at a nested object that looks like an entry; only the chunk before it shows that.
        found = scanned if chunk.start == expected else worker.scan(Chunk(file, expected, chunk.end))
        for entry in found.entries:
            location = EntryLocation(file, number, entry.start, entry.end, entry.problem)
            located.add((entry.started, location), entry.links)
            services.add(entry.links.service)
            number += 1
        expected = found.end
    return frozenset(filter(None, services))


def _chunks(worker: AuditWorker, located: _Located) -> Iterator[Chunk]:
    for file in range(worker.files):
        try:
            yield from worker.chunks(file)
        except UnreadableRecordingError as error:
            located.add((0.0, EntryLocation(file, 0, 0, 0, str(error))), Links())


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
    """Counts the processed bytes and reports them."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self._total, self._done, self._progress = total, 0, progress

    def add(self, size: int) -> None:
        # The size of a compressed recording is an estimate.
        self._done = min(self._done + size, self._total)
        if self._progress:
            self._progress(self._done, self._total)


class EntryTimeline:
    """The locations of entries, which are added in the order of files and iterated over in order of time.

    It remembers time, start and end of each entry, 24 bytes, and the problem of an entry that cannot be read.
    Recordings are almost always in order of time; if they are not, iterating also needs the order, 70 bytes an entry.
    """

    def __init__(self) -> None:
        self._times = array("d")
        self._starts, self._ends = array("Q"), array("Q")
        self._problems: dict[int, str] = {}
        self._files: list[int] = []
        # The position of the first entry of each of these files.
        self._first: list[int] = []

    def add(self, entry: tuple[float, EntryLocation], links: Links) -> None:  # noqa: ARG002 - all belong together
        """Add an entry with its time. The index of the entry in its file follows from the order."""
        started, location = entry
        if not self._files or self._files[-1] != location.file:
            self._files.append(location.file)
            self._first.append(len(self))
        if location.problem:
            self._problems[len(self)] = location.problem
        self._times.append(started)
        self._starts.append(location.start)
        self._ends.append(location.end)

    def __len__(self) -> int:
        return len(self._times)

    def __iter__(self) -> Iterator[EntryLocation]:
        """Yield the locations in order of time; entries with the same time stay in their order."""
        is_sorted = all(earlier <= later for earlier, later in pairwise(self._times))
        positions = range(len(self)) if is_sorted else sorted(range(len(self)), key=self._times.__getitem__)
        return map(self._location, positions)

    def _location(self, position: int) -> EntryLocation:
        index = bisect_right(self._first, position) - 1
        return EntryLocation(
            self._files[index],
            position - self._first[index],
            self._starts[position],
            self._ends[position],
            self._problems.get(position, ""),
        )


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
