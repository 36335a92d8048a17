"""Shares the work of an audit among processes; the results come back in the order in which the work was given."""

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Final, Self, TypeVar

from airworthy.audit.work import Judged, Place, Settings, Span, Surveyed, Worker
from airworthy.errors import AirworthyError

# Until another process has started, this one has done as much.
_WORTH_A_PROCESS: Final = 8 * 1024 * 1024
_AHEAD: Final = 4

Given = TypeVar("Given")
Made = TypeVar("Made")


class Crew:
    """Processes that survey and judge; none but this one where there is little to do (``size`` in bytes)."""

    def __init__(self, settings: Settings, worker: Worker, size: int, jobs: int | None) -> None:
        self._worker = worker
        self._jobs = min(jobs or os.cpu_count() or 1, 1 + size // _WORTH_A_PROCESS)
        self._pool = (
            ProcessPoolExecutor(self._jobs, get_context(_start_method()), _begin, (settings,))
            if self._jobs > 1
            else None
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def survey(self, spans: Iterable[Span]) -> Iterator[tuple[Span, Surveyed]]:
        """Yield the spans with the entries in them."""
        return self._each(_survey, self._worker.survey, spans)

    def judge(self, batches: Iterable[list[Place]]) -> Iterator[tuple[list[Place], Judged]]:
        """Yield the batches with what their exchanges came to."""
        return self._each(_judge, self._worker.judge, batches)

    def _each(
        self, there: Callable[[Given], Made], here: Callable[[Given], Made], given: Iterable[Given]
    ) -> Iterator[tuple[Given, Made]]:
        if self._pool is None:
            yield from ((each, here(each)) for each in given)
            return
        waiting: deque[tuple[Given, Future[Made]]] = deque()
        try:
            for each in given:
                waiting.append((each, self._pool.submit(there, each)))
                if len(waiting) >= _AHEAD * self._jobs:
                    first, made = waiting.popleft()
                    yield first, made.result()
            for first, made in waiting:
                yield first, made.result()
        except BrokenProcessPool:
            raise AirworthyError(
                "a process of the audit has ended early (out of memory?); --jobs 1 needs least"
            ) from None


def _start_method() -> str:
    """Fork where that is safe: a process that starts anew takes as long as tens of megabytes of traffic."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


class _Own:
    """The worker of this process, where it is one of the crew."""

    worker: Worker


def _begin(settings: Settings) -> None:
    # Ctrl-C is for the process that leads.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Own.worker = Worker(settings)


def _survey(span: Span) -> Surveyed:
    return _Own.worker.survey(span)


def _judge(batch: list[Place]) -> Judged:
    return _Own.worker.judge(batch)
