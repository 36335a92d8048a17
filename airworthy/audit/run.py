"""The audit of recorded traffic: look through all of it for what belongs together, then judge that in its order.

What comes out does not depend on how many processes share the work.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from airworthy.audit.crew import Crew
from airworthy.audit.pieces import UnreadableError
from airworthy.audit.shelf import Shelf
from airworthy.audit.ties import Groups, Ties
from airworthy.audit.work import Place, Settings, Span, Worker
from airworthy.errors import UsageError
from airworthy.evidence import Recorder
from airworthy.traffic import GoLive, Summary

Progress = Callable[[int, int], None]
_BATCH_BYTES: Final = 2 * 1024 * 1024
_BATCH_ENTRIES: Final = 500


@dataclass(slots=True)
class Audit:
    """What an audit came to.

    ``examples`` are the places (file, entry) of the summary's example exchanges, by their id; ``lines`` are all
    findings as lines of JSON, in the order of the files and their entries, where they were asked for.
    """

    files: tuple[str, ...]
    summary: Summary
    examples: dict[str, tuple[int, int]] = field(default_factory=dict)
    lines: Shelf = field(default_factory=Shelf)


def audit(
    settings: Settings, *, jobs: int | None = None, recorder: Recorder | None = None, progress: Progress | None = None
) -> Audit:
    """Judge recorded traffic.

    ``jobs`` is the number of processes (default: one for each processor). ``recorder`` takes the evidence of the
    service's exchanges, in the order of the files. ``progress`` is told how many bytes of how many are done.

    Raises:
        UsageError: a file cannot be opened.
        AirworthyError: a process of the audit has ended early.
        OSError: the evidence cannot be written.
    """
    for path in settings.files:
        if not path.is_file():
            raise UsageError(f"{path}: {'not a file' if path.exists() else 'there is no such file'}")
    worker = Worker(settings)
    size = sum(path.stat().st_size for path in settings.files)
    # Everything is read twice: once to find what belongs together, once to judge it.
    meter = _Meter(2 * size, progress)
    result = Audit(settings.names, Summary(golive=GoLive(adults=settings.adults, infants=settings.infants)))
    with Crew(settings, worker, size, jobs) as crew:
        groups = _groups(worker, crew, meter)
        if recorder is not None:
            worker.record(sorted(place for group in groups for place in group), recorder)
        for batch, judged in crew.judge(_batches(groups)):
            result.summary.merge(judged.summary)
            result.examples |= judged.examples
            result.lines.put(judged.lines)
            meter.add(_size(batch))
    return result


def _groups(worker: Worker, crew: Crew, meter: "_Meter") -> list[list[Place]]:
    """Find every entry, and return those that belong together in the order in which they began."""
    groups: Groups[tuple[float, Place]] = Groups()
    file, number, due = -1, 0, None
    for span, surveyed in crew.survey(_spans(worker, groups)):
        if span.file != file:
            file, number, due = span.file, 0, span.start
        meter.add(span.end - span.start)
        if due is None or due >= span.end:
            continue
        # Where the file was cut was a guess: the entries before it say whether one begins there.
        found = surveyed if span.start == due else worker.survey(Span(file, due, span.end))
        for entry in found.entries:
            place = Place(file, number, entry.start, entry.end, entry.problem)
            groups.add((entry.began, place), entry.ties)
            number += 1
        due = found.end
    return [[place for _, place in sorted(group)] for group in groups]


def _spans(worker: Worker, groups: Groups[tuple[float, Place]]) -> Iterator[Span]:
    for file in range(worker.files):
        try:
            yield from worker.spans(file)
        except UnreadableError as error:
            groups.add((0.0, Place(file, 0, 0, 0, str(error))), Ties())


def _batches(groups: Sequence[Sequence[Place]]) -> list[list[Place]]:
    """Return what is judged in one go, the largest first, so that no process is left with it at the end.

    The same whatever the number of processes: what a journey remembers is bounded, and so it counts what is in one.
    """
    batches: list[list[Place]] = [[]]
    size = 0
    for group in groups:
        if size >= _BATCH_BYTES or len(batches[-1]) >= _BATCH_ENTRIES:
            batches.append([])
            size = 0
        batches[-1].extend(group)
        size += _size(group)
    return sorted(batches, key=_size, reverse=True)


def _size(places: Sequence[Place]) -> int:
    return sum(place.end - place.start for place in places)


class _Meter:
    """Tells how far it has come."""

    def __init__(self, whole: int, progress: Progress | None) -> None:
        self._whole, self._done, self._progress = whole, 0, progress

    def add(self, size: int) -> None:
        self._done += size
        if self._progress:
            self._progress(self._done, self._whole)
