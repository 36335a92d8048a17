"""Distribute the work of an audit over processes."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from typing import Final, Self, TypeVar

from airworthy.audit.worker import AuditSettings, AuditWorker, Batch, BatchResult, Chunk, ScannedChunk
from airworthy.errors import AirworthyError

# This process audits as many bytes in the time that another process takes to start.
_BYTES_PER_PROCESS: Final = 8 * 1024 * 1024
_QUEUED_PER_PROCESS: Final = 4

Input = TypeVar("Input")
Output = TypeVar("Output")


class WorkerPool:
    """Processes that scan and judge recordings. For ``size`` bytes of little traffic, this process does it alone."""

    def __init__(self, settings: AuditSettings, worker: AuditWorker, size: int, jobs: int | None) -> None:
        self._worker = worker
        self._jobs = min(jobs or os.cpu_count() or 1, 1 + size // _BYTES_PER_PROCESS)
        self._pool = (
            ProcessPoolExecutor(self._jobs, get_context(_start_method()), _start_worker, (settings,))
            if self._jobs > 1
            else None
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)

    def scan(self, chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, ScannedChunk]]:
        """Yield each chunk with the entries in it, in the order of the chunks."""
        return self._map(AuditWorker.scan, chunks, in_order=True)

    def judge(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, BatchResult]]:
        """Yield each batch with its result, as soon as it is there."""
        return self._map(AuditWorker.judge, batches, in_order=False)

    def _map(
        self, work: Callable[[AuditWorker, Input], Output], inputs: Iterable[Input], *, in_order: bool
    ) -> Iterator[tuple[Input, Output]]:
        if self._pool is None:
            yield from ((each, work(self._worker, each)) for each in inputs)
            return
        pending: dict[Future[Output], Input] = {}
        try:
            for each in inputs:
                pending[self._pool.submit(_work, work, each)] = each
                if len(pending) >= _QUEUED_PER_PROCESS * self._jobs:
                    yield from _ended(pending, in_order=in_order)
            while pending:
                yield from _ended(pending, in_order=in_order)
        except BrokenProcessPool:
            raise AirworthyError(
                "a process of the audit ended unexpectedly, possibly out of memory; --jobs 1 uses the least memory"
            ) from None


def _ended(pending: dict[Future[Output], Input], *, in_order: bool) -> Iterator[tuple[Input, Output]]:
    """Wait for some work, and yield it: the oldest, or whatever ends first, so that nothing waits for a large batch."""
    ended = {next(iter(pending))} if in_order else wait(pending, return_when=FIRST_COMPLETED).done
    for future in ended:
        yield pending.pop(future), future.result()


def _start_method() -> str:
    """Return ``fork`` where it is safe: spawning takes as long as judging tens of megabytes of traffic."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


class _Process:
    """Holds the worker of this process, if the process belongs to a pool."""

    worker: AuditWorker


def _start_worker(settings: AuditSettings) -> None:
    # The main process handles Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The main process may be killed. The pool's queue would then wait forever, because its processes hold both ends.
    threading.Thread(target=_end_with_main_process, daemon=True).start()
    _Process.worker = AuditWorker(settings)


def _end_with_main_process() -> None:
    main = parent_process()
    if main is not None:
        main.join()
        os._exit(1)


def _work(work: Callable[[AuditWorker, Input], Output], each: Input) -> Output:
    return work(_Process.worker, each)
