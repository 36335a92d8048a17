"""One judge's process and the two pipes to it, without ever blocking the event loop."""

import asyncio
import contextlib
import fcntl
import itertools
import os
import select
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from airworthy.proxy.wire import Message, Unpacker, packed

PIPE_SIZE: Final = 1024 * 1024
_PIECE: Final = 256 * 1024
_MOST_PIECES: Final = 64


class Connection:
    """A judge that runs; belongs to the running event loop.

    ``heard`` is called with each message that it sends, and ``ended`` when it is gone. Raises OSError where no process
    can be started.
    """

    def __init__(self, heard: Callable[[Message], None], ended: Callable[[], None]) -> None:
        self._heard = heard
        self._ended = ended
        self._unpacker = Unpacker()
        self._outgoing: deque[memoryview] = deque()
        # How many bytes were posted, how many the pipe has taken, and who waits until it has so many.
        self._posted = self._taken = 0
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()
        self._loop = asyncio.get_running_loop()
        # The same modules as here, wherever they are; and never those of the folder that one happens to be in (-P).
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "airworthy.proxy.judge"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            # What ends the proxy, Ctrl-C or a closed terminal, must not end what it has handed over.
            start_new_session=True,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._pipes = (self._process.stdin, self._process.stdout)
        self._to_judge, self._from_judge = (pipe.fileno() for pipe in self._pipes)
        for each in (self._to_judge, self._from_judge):
            os.set_blocking(each, False)
        if hasattr(fcntl, "F_SETPIPE_SZ"):
            with contextlib.suppress(OSError):
                fcntl.fcntl(self._to_judge, fcntl.F_SETPIPE_SZ, PIPE_SIZE)
        self._loop.add_reader(self._from_judge, self._readable)

    @property
    def pid(self) -> int:
        """The judge's process."""
        return self._process.pid

    def post(self, message: Message) -> asyncio.Future[None] | None:
        """Write a message into the pipe; where that has no room for all of it, return what is done when it had."""
        idle = not self._outgoing
        pieces = packed(message)
        self._outgoing.extend(pieces)
        self._posted += sum(map(len, pieces))
        if idle and (not self._write() or not self._outgoing):
            return None
        taken = self._loop.create_future()
        self._waiting.append((self._posted, taken))
        if idle:
            self._loop.add_writer(self._to_judge, self._writable)
        return taken

    def drain(self, patience: float) -> None:
        """Send what is left and hear the judge out, for at most ``patience`` seconds; blocks, for nothing else runs."""
        self._forget()
        deadline = time.monotonic() + patience
        while (left := deadline - time.monotonic()) > 0:
            if not self._outgoing:
                self._pipes[0].close()
            writing = [self._to_judge] if self._outgoing else []
            readable, writable, _ = select.select([self._from_judge], writing, [], left)
            if (writable and not self._write()) or (readable and not self._read()):
                break
        self._close()

    def kill(self) -> None:
        """End the judge, whatever it does."""
        self._forget()
        self._process.kill()
        self._close()

    def _writable(self) -> None:
        if not self._write() or not self._outgoing:
            self._loop.remove_writer(self._to_judge)

    def _write(self) -> bool:
        """Write what the pipe takes; return whether somebody is still there. That nobody is, reading shows as well."""
        with contextlib.suppress(BlockingIOError):
            while self._outgoing:
                try:
                    written = os.writev(self._to_judge, list(itertools.islice(self._outgoing, _MOST_PIECES)))
                except BrokenPipeError:
                    return False
                self._advance(written)
        return True

    def _advance(self, written: int) -> None:
        self._taken += written
        while self._outgoing and written >= len(self._outgoing[0]):
            written -= len(self._outgoing.popleft())
        if written:
            self._outgoing[0] = self._outgoing[0][written:]
        while self._waiting and self._waiting[0][0] <= self._taken:
            _finish(self._waiting.popleft()[1])

    def _readable(self) -> None:
        if not self._read():
            self._ended()

    def _read(self) -> bool:
        """Take in what the judge says; return whether there may be more."""
        try:
            piece = os.read(self._from_judge, _PIECE)
        except BlockingIOError:
            return True
        for message in self._unpacker.feed(piece):
            self._heard(message)
        return bool(piece)

    def _forget(self) -> None:
        self._loop.remove_reader(self._from_judge)
        if not self._pipes[0].closed:
            self._loop.remove_writer(self._to_judge)

    def _close(self) -> None:
        for pipe in self._pipes:
            pipe.close()
        for _, taken in self._waiting:
            _finish(taken)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=1.0)


def _finish(taken: asyncio.Future[None]) -> None:
    # Whoever waited may have gone.
    if not taken.done():
        taken.set_result(None)
