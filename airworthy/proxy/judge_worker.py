"""The judge process, ``python -m airworthy.proxy.judge_worker``: it judges the tasks on its standard input.

It ends after it has judged and recorded everything in the pipe, even if the proxy has ended before.
"""

import contextlib
import io
import os
import pickle
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Final

from airworthy.errors import AirworthyError
from airworthy.proxy.garbage import relax_garbage_collector
from airworthy.proxy.judge_pipe import REPLY_LENGTH
from airworthy.proxy.messages import JudgeSettings, JudgeTask, Reply, StartFailure, Tally
from airworthy.proxy.traffic_judge import TrafficJudge

TALLY_SECONDS: Final = 0.25
MOST_UNTALLIED: Final = 32
PAUSE: Final = 0.004
GARBAGE_THRESHOLD: Final = 50_000
_STDIN, _STDOUT = 0, 1
_BUFFER: Final = 256 * 1024


class TaskInput(io.RawIOBase):
    """A pipe that is read in batches; ``on_idle`` is called when it has been empty for `TALLY_SECONDS`.

    A write to a pipe wakes a waiting reader, which costs the writer more than everything else that the proxy does for
    an exchange. So after the pipe was empty, the reader pauses for `PAUSE` seconds, unless ``prompt`` is set because a
    caller waits for the result.
    """

    def __init__(self, pipe: int, on_idle: Callable[[], None]) -> None:
        self.prompt = False
        self._pipe = pipe
        self._on_idle = on_idle

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Read at least one byte, or nothing at the end."""
        if not self._ready(0.0):
            if not self.prompt:
                time.sleep(PAUSE)
            if not self._ready(TALLY_SECONDS):
                self._on_idle()
        return os.readv(self._pipe, [buffer])

    def _ready(self, seconds: float) -> bool:
        return bool(select.select([self._pipe], [], [], seconds)[0])


class JudgeWorker:
    """Judges tasks in the order of their arrival until there are no more."""

    def __init__(self, tasks: int, replies: int) -> None:
        self._input = TaskInput(tasks, self._tally)
        self._tasks = io.BufferedReader(self._input, _BUFFER)
        self._replies = replies
        self._judge: TrafficJudge | None = None
        self._last = self._untallied = 0
        self._tallied = time.monotonic()

    def run(self) -> None:
        """Read the settings, then judge."""
        try:
            # A proxy that is killed can leave an incomplete message.
            with contextlib.suppress(EOFError, pickle.UnpicklingError):
                settings: JudgeSettings = pickle.load(self._tasks)  # noqa: S301  see `messages`
                self._judge = TrafficJudge(settings)
                relax_garbage_collector(GARBAGE_THRESHOLD)
                with contextlib.closing(self._judge):
                    while True:
                        self._handle(self._judge, pickle.load(self._tasks))  # noqa: S301  see `messages`
        except AirworthyError as error:
            self._send(StartFailure(str(error)))
        except Exception as error:
            if self._judge:
                raise
            self._send(StartFailure(f"the judge cannot start ({type(error).__name__})"))
        finally:
            self._tally()

    def _handle(self, judge: TrafficJudge, task: JudgeTask) -> None:
        self._input.prompt = self._input.prompt or task.action != "observe"
        result = judge.judge(task)
        self._last = task.number
        self._untallied += 1
        if task.action != "observe" or result.findings or result.failed or result.progress:
            self._send(result)
        if self._untallied >= MOST_UNTALLIED or time.monotonic() >= self._tallied + TALLY_SECONDS:
            self._tally()

    def _tally(self) -> None:
        if self._judge and self._untallied:
            self._send(Tally(self._last, self._judge.take_summary()))
            self._untallied = 0
        self._tallied = time.monotonic()

    def _send(self, reply: Reply) -> None:
        content = pickle.dumps(reply, pickle.HIGHEST_PROTOCOL)
        rest = memoryview(REPLY_LENGTH.pack(len(content)) + content)
        # Evidence is written even if the proxy has gone.
        with contextlib.suppress(BrokenPipeError):
            while rest:
                rest = rest[os.write(self._replies, rest) :]


def main() -> None:
    """Judge until standard input ends."""
    # Ctrl-C stops the proxy. Exchanges that it has sent are still judged.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    JudgeWorker(_STDIN, _STDOUT).run()


if __name__ == "__main__":
    # A traceback on a terminal could show personal data; the proxy reports that the process ended.
    sys.excepthook = lambda *_: None
    main()
