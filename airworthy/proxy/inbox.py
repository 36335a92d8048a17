"""What waits to be judged: read eagerly, so that it outlives the proxy, and within bounds."""

import threading
from collections import deque
from typing import BinaryIO, Final

from airworthy.proxy.wire import HEAD_SIZE, Message, lengths, unpacked

MOST_BYTES: Final = 64 * 1024 * 1024
MOST_MESSAGES: Final = 1000


class Inbox:
    """Messages from a pipe, in their order; a thread takes them in while others are being judged.

    When ``most_messages`` or ``most_bytes`` wait, nothing more is read: the pipe fills, and whoever writes waits.
    One message is taken in whatever its size.
    """

    def __init__(self, pipe: BinaryIO, most_messages: int = MOST_MESSAGES, most_bytes: int = MOST_BYTES) -> None:
        self._pipe = pipe
        self._most_messages, self._most_bytes = most_messages, most_bytes
        self._waiting: deque[list[bytes]] = deque()
        self._size = 0
        self._ended = False
        self._changed = threading.Condition()
        threading.Thread(target=self._take_in, daemon=True).start()

    def __len__(self) -> int:
        return len(self._waiting)

    def get(self, timeout: float) -> Message | None:
        """Return the next message, or None where none came within ``timeout`` seconds.

        Raises `EOFError` when all were taken out and no more will come.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ended, timeout)
            if not self._waiting:
                if self._ended:
                    raise EOFError
                return None
            content, *large = self._waiting.popleft()
            self._size -= len(content) + sum(map(len, large))
            self._changed.notify_all()
        return unpacked(content, large)

    def _take_in(self) -> None:
        while pieces := self._read():
            size = sum(map(len, pieces))
            with self._changed:
                self._changed.wait_for(lambda: self._has_room(size))  # noqa: B023  it is not kept
                self._waiting.append(pieces)
                self._size += size
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _has_room(self, more: int) -> bool:
        return not self._waiting or (len(self._waiting) < self._most_messages and self._size + more <= self._most_bytes)

    def _read(self) -> list[bytes]:
        """Return the next message in pieces, nothing where the pipe ended (within it: its writer was killed)."""
        head = self._pipe.read(HEAD_SIZE)
        if len(head) < HEAD_SIZE:
            return []
        length, large = lengths(head)
        pieces = [self._pipe.read(each) for each in (length, *large)]
        return pieces if list(map(len, pieces)) == [length, *large] else []
