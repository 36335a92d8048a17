"""Audit recorded traffic in two passes: find the exchanges that belong together, then judge them in order of time.

If all exchanges belong together, they are judged as one stream, in flat memory. Otherwise, several processes
judge them, and the result does not depend on their number.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from airworthy.audit.formats import recording_size
from airworthy.audit.judging import Locations, examples_of
from airworthy.audit.links import Links, Partition
from airworthy.audit.pool import WorkerPool
from airworthy.audit.recording import UnreadableRecordingError
from airworthy.audit.spool import LineSpool
from airworthy.audit.timeline import EntryTimeline
from airworthy.audit.worker import AuditSettings, AuditWorker, Batch, BatchResult, Chunk, EntryLocation
from airworthy.errors import UsageError
from airworthy.evidence import Recorder, verify_chains
from airworthy.evidence.files import is_evidence
from airworthy.traffic import GoLive, Summary

Progress = Callable[[int, int], None]
_Located = Partition[tuple[float, EntryLocation]] | EntryTimeline
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
