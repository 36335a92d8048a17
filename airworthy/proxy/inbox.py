"""What waits to be judged: taken from the pipe in no hurry, so that it outlives the proxy, and within bounds."""

import os
import select
import threading
import time
from collections import deque
from typing import Final

from airworthy.proxy.wire import HEAD_SIZE, Message, lengths, unpacked

MOST_BYTES: Final = 32 * 1024 * 1024
NAP: Final = 0.004
LONG: Final = 0.05
_PIECE: Final = 256 * 1024


class Inbox:
    """Messages from the pipe of a descriptor, in their order.

    What stands in the pipe is taken in each time that a message is asked for, and by a thread where that has been more
    than ``long`` seconds ago. When ``most_bytes`` wait, nothing more is taken in: the pipe fills, and whoever writes
    waits. One message is taken in whatever its size.

    Whoever writes to a pipe that is waited for wakes the reader, and gives it the processor at once: that takes longer
    than all else that the proxy does for an exchange. An empty pipe is therefore left alone for ``nap`` seconds while
    it fills, unless there is a `hurry`. What stands in it is safe, whatever becomes of its writer.
    """

    def __init__(self, pipe: int, most_bytes: int = MOST_BYTES, *, nap: float = NAP, long: float = LONG) -> None:
        self.hurry = False
        """Whether to wait for the very next byte from here on."""
        self._pipe = pipe
        self._most, self._nap, self._long = most_bytes, nap, long
        self._waiting: deque[list[bytes]] = deque()
        self._size = 0
        # What has come of the message that comes next, and of how many bytes that is at least.
        self._pieces: list[bytes] = []
        self._missing = HEAD_SIZE
        self._ended = threading.Event()
        self._taking = threading.Lock()
        os.set_blocking(pipe, False)
        threading.Thread(target=self._take_in_meanwhile, daemon=True).start()

    def __len__(self) -> int:
        return len(self._waiting)

    def get(self, timeout: float) -> Message | None:
        """Return the next message, or None where none came within ``timeout`` seconds.

        Raises `EOFError` when all were taken out and no more will come.
        """
        self._take_in()
        if not self._waiting and not self._ended.is_set():
            self._wait(timeout)
        if not self._waiting:
            if self._ended.is_set():
                raise EOFError
            return None
        with self._taking:
            content, *large = self._waiting.popleft()
            self._size -= len(content) + sum(map(len, large))
        return unpacked(content, large)

    def close(self) -> None:
        """Take nothing more in."""
        with self._taking:
            self._ended.set()

    def _wait(self, timeout: float) -> None:
        due = time.monotonic() + timeout
        if not self.hurry:
            time.sleep(min(self._nap, timeout))
            self._take_in()
        while not self._waiting and not self._ended.is_set() and (left := due - time.monotonic()) > 0:
            select.select([self._pipe], [], [], left)
            self._take_in()

    def _take_in_meanwhile(self) -> None:
        while not self._ended.wait(self._long):
            self._take_in()

    def _take_in(self) -> None:
        with self._taking:
            while not self._ended.is_set() and (self._size < self._most or not self._waiting):
                try:
                    piece = os.read(self._pipe, max(_PIECE, self._missing))
                except BlockingIOError:
                    return
                if not piece:
                    # Within a message: its writer was killed.
                    self._ended.set()
                self._pieces.append(piece)
                self._missing -= len(piece)
                if self._missing <= 0:
                    self._put_together()

    def _put_together(self) -> None:
        """Let wait what has come whole, and keep the rest."""
        come = b"".join(self._pieces)
        begin = 0
        while True:
            start = begin + HEAD_SIZE
            content, large = lengths(come[begin:start]) if len(come) >= start else (0, [])
            end = start + content + sum(large)
            if len(come) < end:
                break
            message = []
            for length in (content, *large):
                message.append(come[start : start + length])
                start += length
            self._waiting.append(message)
            self._size += end - begin - HEAD_SIZE
            begin = end
        self._pieces = [come[begin:]]
        self._missing = end - len(come)
