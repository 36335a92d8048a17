"""The proxy's side of the judge process: send it exchanges, receive its results, and count what it did not judge.

If the judge lags behind, up to 32 MiB wait in memory; beyond that, responses wait too and nothing is dropped. A judge
process that ends or stops responding is replaced for as long as the proxy runs: at once or, after repeated failures,
after ever longer pauses. The exchanges that no judge process has judged are counted as such.
"""

import asyncio
import itertools
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from airworthy.proxy.judge_pipe import JudgePipe
from airworthy.proxy.messages import Action, JudgeResult, JudgeSettings, JudgeTask, RawExchange, Reply, Tally
from airworthy.traffic import Summary

PATIENCE: Final = 10.0
LONGEST_SHUTDOWN: Final = 30.0
BACKOFF: Final = (0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 60.0)
REPLACING: Final = "the judge was being replaced"

logger = logging.getLogger(__name__)

T = TypeVar("T")


class NotJudgedError(Exception):
    """The judge process failed, ended or did not respond in time; the message says which."""


@dataclass(slots=True)
class _Pending(Generic[T]):
    """The unfinished work of one judge process: subjects and awaited results by task number, and exchanges to count."""

    subjects: dict[int, T] = field(default_factory=dict)
    results: dict[int, asyncio.Future[JudgeResult | None]] = field(default_factory=dict)
    uncounted: int = 0
    start_failure: str = ""

    def release(self, last: int) -> None:
        """Release the subjects of all tasks up to a number."""
        for number in list(itertools.takewhile(lambda each: each <= last, self.subjects)):
            del self.subjects[number]


class JudgeProcess(Generic[T]):
    """A judge process that is replaced when it fails; it belongs to one event loop.

    ``on_result`` is called, in the order of the traffic, with the subject and the result of each exchange that has
    findings or advances the go-live list. ``summary`` counts every exchange, judged or not. ``patience`` is the number
    of seconds that the judge process may take to accept an exchange or to send an awaited result. ``backoff`` has the
    seconds before each consecutive attempt to replace it; the last number is repeated.
    """

    def __init__(self, on_result: Callable[[T, JudgeResult], None], backoff: Sequence[float] = BACKOFF) -> None:
        self.summary = Summary()
        self.patience = PATIENCE
        self.unavailable = "the judge has not been started"
        """Why nothing is judged; empty while the judge works."""
        self._on_result = on_result
        self._settings = JudgeSettings()
        self._numbers = itertools.count(1)
        self._pending: _Pending[T] = _Pending()
        self._pipe: JudgePipe | None = None
        self._listening: asyncio.Task[None] | None = None
        # Held while one process replaces another: exchanges wait for the new one, and only one writes the evidence.
        self._replacing = asyncio.Lock()
        self._backoff = backoff
        self._retry: asyncio.Task[None] | None = None
        # Consecutive failures, and the number of exchanges that were not judged because of them.
        self._failures = self._lost = 0

    @property
    def pid(self) -> int | None:
        """The id of the judge process, or None if there is none."""
        return self._pipe.pid if self._pipe else None

    async def start(self, settings: JudgeSettings) -> None:
        """Start a judge process, after the running one, if any, has finished its work."""
        async with self._replacing:
            await self._finish(LONGEST_SHUTDOWN)
            self._settings = settings
            self._failures = self._lost = 0
            await self._open()

    async def observe(self, exchange: RawExchange, subject: T) -> None:
        """Hand over an exchange to be judged later."""
        await self._hand_over("observe", exchange, subject, next(self._numbers))

    async def judge(self, exchange: RawExchange, subject: T) -> JudgeResult:
        """Return the result for an exchange. Raises `NotJudgedError`."""
        return await self._ask("judge", exchange, subject)

    async def screen(self, exchange: RawExchange, subject: T) -> JudgeResult:
        """Return whether a request may be forwarded; a blocked one is counted, others are not. Raises `NotJudgedError`.

        A request that is forwarded is counted when its response is handed over.
        """
        return await self._ask("screen", exchange, subject)

    async def close(self, patience: float = LONGEST_SHUTDOWN) -> None:
        """Let the judge process finish. Exchanges that it has not counted after ``patience`` seconds are not judged."""
        async with self._replacing:
            await self._finish(patience)
            self.unavailable = "the proxy has shut down"

    async def _ask(self, action: Action, exchange: RawExchange, subject: T) -> JudgeResult:
        number = next(self._numbers)
        awaited: asyncio.Future[JudgeResult | None] = asyncio.get_running_loop().create_future()
        pending = await self._hand_over(action, exchange, subject, number, awaited)
        if pending is None:
            raise NotJudgedError(self.unavailable or REPLACING)
        try:
            async with asyncio.timeout(self.patience):
                result = await awaited
        except TimeoutError:
            await self._replace(pending, "the judge took too long")
            raise NotJudgedError("the judge took too long") from None
        finally:
            pending.results.pop(number, None)
        if result is None or result.failed:
            raise NotJudgedError("the judge failed" if result else "the judge process ended")
        return result

    async def _hand_over(
        self,
        action: Action,
        exchange: RawExchange,
        subject: T,
        number: int,
        awaited: asyncio.Future[JudgeResult | None] | None = None,
    ) -> _Pending[T] | None:
        """Send a task, and return the pending tasks of its judge process; None if there is no judge process."""
        pending = None
        try:
            async with asyncio.timeout(self.patience), self._replacing:
                pipe, pending = self._pipe, self._pending
                if pipe:
                    await pipe.room()
                if pipe is None or pipe is not self._pipe:
                    self._count_gap(action, self.unavailable or REPLACING)
                    return None
                pending.subjects[number] = subject
                pending.uncounted += action != "screen"
                if awaited:
                    pending.results[number] = awaited
                pipe.send(JudgeTask(number, action, exchange))
        except TimeoutError:
            self._count_gap(action, "the judge accepted nothing more" if pending else REPLACING)
            if pending:
                await self._replace(pending, "the judge accepted nothing more")
            return None
        return pending

    def _count_gap(self, action: Action, reason: str) -> None:
        # A request that was not screened is counted with its response.
        if action != "screen":
            self._lost += 1
            self.summary.count_unreadable(reason)

    async def _open(self) -> None:
        self.unavailable = ""
        self._pending = _Pending()
        try:
            self._pipe = await JudgePipe.open()
        except OSError as error:
            await self._restart(f"the judge process cannot be started ({error.strerror})", later=True)
            return
        self._pipe.send(self._settings)
        self._listening = asyncio.create_task(self._listen(self._pipe, self._pending))

    async def _listen(self, pipe: JudgePipe, pending: _Pending[T]) -> None:
        try:
            async for reply in pipe.replies():
                self._receive(pending, reply)
        finally:
            await self._replace(pending, pending.start_failure or "the judge process ended")

    def _receive(self, pending: _Pending[T], reply: Reply) -> None:
        if isinstance(reply, JudgeResult):
            # A blocked request is counted now, a forwarded one with its response.
            pending.uncounted += reply.blocked
            awaited = pending.results.get(reply.number)
            if awaited and not awaited.done():
                awaited.set_result(reply)
            if reply.findings or reply.progress:
                self._on_result(pending.subjects[reply.number], reply)
        elif isinstance(reply, Tally):
            if self._failures:
                logger.info("the judge works again; %d exchanges were not judged", self._lost)
                self._failures = self._lost = 0
            pending.uncounted -= reply.summary.seen
            if reply.summary.unrecorded and not self.summary.unrecorded:
                logger.warning(
                    "evidence is being lost: an exchange could not be written to the file, is the disk full?"
                )
            self.summary.merge(reply.summary)
            pending.release(reply.number)
        else:
            pending.start_failure = reply.reason

    async def _replace(self, pending: _Pending[T], reason: str) -> None:
        if pending is not self._pending or not self._pipe:
            return
        pipe = self._pipe
        self._lost += self._leave(reason)
        await pipe.kill()
        async with self._replacing:
            if not self._pipe and not self.unavailable:
                await self._restart(reason, later=bool(pending.start_failure))

    async def _restart(self, reason: str, *, later: bool) -> None:
        """Start another judge process, ``later`` or, after the first failure in a row, at once."""
        attempt = self._failures + later
        delay = self._backoff[min(attempt, len(self._backoff) - 1)]
        self.summary.gaps += not self._failures
        self._failures += 1
        if not attempt:
            logger.warning(
                "%s; %d exchanges were not judged. A new judge process continues without what the old one knew of "
                "earlier exchanges",
                reason,
                self._lost,
            )
            await self._open()
            return
        if attempt == 1:
            logger.warning("no exchange is judged until the judge can be started again: %s", reason)
        self.unavailable = reason
        self._retry = asyncio.create_task(self._open_later(delay))

    async def _open_later(self, delay: float) -> None:
        await asyncio.sleep(delay)
        async with self._replacing:
            if not self._pipe:
                await self._open()

    async def _finish(self, patience: float) -> None:
        """Let the running judge process, if any, finish its work and end."""
        if self._retry:
            self._retry.cancel()
        pipe, pending = self._pipe, self._pending
        if not pipe or not self._listening:
            return
        # With no current pipe, `_listen` does not replace the process when it ends.
        self._pipe = None
        pipe.finish()
        await asyncio.wait([self._listening], timeout=patience)
        await pipe.abandon()
        self._leave(self.unavailable or "the judge had no time left", pending)

    def _leave(self, reason: str, pending: "_Pending[T] | None" = None) -> int:
        """Count the remaining exchanges of a judge process as not judged, and return their number."""
        self._pipe = None
        left = pending or self._pending
        for awaited in left.results.values():
            if not awaited.done():
                awaited.set_result(None)
        lost = max(0, left.uncounted)
        for _ in range(lost):
            self.summary.count_unreadable(reason)
        self._pending = _Pending()
        return lost
