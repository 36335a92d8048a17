"""Audit recorded traffic in two passes: find the exchanges that belong together, then judge them in order of time.

The result does not depend on the number of processes.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from airworthy.audit.links import Links, Partition
from airworthy.audit.pool import WorkerPool
from airworthy.audit.recording import UnreadableRecordingError
from airworthy.audit.spool import LineSpool
from airworthy.audit.worker import AuditSettings, AuditWorker, Chunk, EntryLocation
from airworthy.errors import UsageError
from airworthy.evidence import Recorder
from airworthy.traffic import GoLive, Summary

Progress = Callable[[int, int], None]
_BATCH_BYTES: Final = 2 * 1024 * 1024
_BATCH_ENTRIES: Final = 500


@dataclass(slots=True)
class AuditResult:
    """The result of an audit.

    ``examples`` maps the ids of the summary's example exchanges to their location (file index, entry index).
    ``lines`` are all findings as lines of JSON, in the order of files and entries, if the settings request them.
    """

    files: tuple[str, ...]
    summary: Summary
    examples: dict[str, tuple[int, int]] = field(default_factory=dict)
    lines: LineSpool = field(default_factory=LineSpool)


def audit(
    settings: AuditSettings,
    *,
    jobs: int | None = None,
    recorder: Recorder | None = None,
    progress: Progress | None = None,
) -> AuditResult:
    """Judge recorded traffic.

    ``jobs`` is the number of processes (default: one per processor). ``recorder`` records the service's exchanges, in
    the order of the files. ``progress`` is called with the number of bytes processed and the total.

    Raises:
        UsageError: a file cannot be opened.
        AirworthyError: a process of the audit ended unexpectedly.
        OSError: the evidence cannot be written.
    """
    for path in settings.files:
        if not path.is_file():
            raise UsageError(f"{path}: {'not a file' if path.exists() else 'no such file'}")
    worker = AuditWorker(settings)
    size = sum(path.stat().st_size for path in settings.files)
    # Each pass reads every byte once.
    meter = _ProgressMeter(2 * size, progress)
    result = AuditResult(settings.names, Summary(golive=GoLive(settings.golive)))
    with WorkerPool(settings, worker, size, jobs) as pool:
        groups = _groups(worker, pool, meter, is_one=settings.together)
        if recorder is not None:
            worker.record(sorted(entry for group in groups for entry in group), recorder)
        for batch, judged in pool.judge(_batches(groups)):
            result.summary.merge(judged.summary)
            result.examples |= judged.examples
            result.lines.add(judged.lines)
            meter.add(_size(batch))
    return result


def _groups(
    worker: AuditWorker, pool: WorkerPool, meter: "_ProgressMeter", *, is_one: bool
) -> list[list[EntryLocation]]:
    """Locate every entry, and return groups of linked entries, or one group of all, each sorted by time.

    Recordings may overlap, as browsers save everything that a panel shows: an exchange in several files is kept once.
    """
    partition: Partition[tuple[float, EntryLocation]] = Partition()
    recorded: dict[bytes, int] = {}
    file, number, expected = -1, 0, None
    for chunk, scanned in pool.scan(_chunks(worker, partition)):
        if chunk.file != file:
            file, number, expected = chunk.file, 0, chunk.start
        meter.add(chunk.end - chunk.start)
        if expected is None or expected >= chunk.end:
            continue
        # A chunk of a HAR may begin at a nested object that looks like an entry; only the chunk before it shows that.
        found = scanned if chunk.start == expected else worker.scan(Chunk(file, expected, chunk.end))
        for entry in found.entries:
            location = EntryLocation(file, number, entry.start, entry.end, entry.problem)
            number += 1
            if entry.digest and recorded.setdefault(entry.digest, file) != file:
                meter.add(entry.end - entry.start)
                continue
            partition.add((entry.started, location), entry.links)
        expected = found.end
    groups = [[entry for group in partition for entry in group]] if is_one else list(partition)
    return [[location for _, location in sorted(group)] for group in groups]


def _chunks(worker: AuditWorker, partition: Partition[tuple[float, EntryLocation]]) -> Iterator[Chunk]:
    for file in range(worker.files):
        try:
            yield from worker.chunks(file)
        except UnreadableRecordingError as error:
            partition.add((0.0, EntryLocation(file, 0, 0, 0, str(error))), Links())


def _batches(groups: Sequence[Sequence[EntryLocation]]) -> list[list[EntryLocation]]:
    """Return the batches to judge, the largest first, so that no process ends with a large one.

    The batches do not depend on the number of processes, because a conversation remembers a limited number of facts:
    the content of a batch can affect its findings.
    """
    batches: list[list[EntryLocation]] = [[]]
    size = 0
    for group in groups:
        if size >= _BATCH_BYTES or len(batches[-1]) >= _BATCH_ENTRIES:
            batches.append([])
            size = 0
        batches[-1].extend(group)
        size += _size(group)
    return sorted(batches, key=_size, reverse=True)


def _size(locations: Sequence[EntryLocation]) -> int:
    return sum(location.end - location.start for location in locations)


class _ProgressMeter:
    """Counts the processed bytes and reports them."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self._total, self._done, self._progress = total, 0, progress

    def add(self, size: int) -> None:
        self._done += size
        if self._progress:
            self._progress(self._done, self._total)
