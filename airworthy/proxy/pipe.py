"""The judge's end of the pipe, which is read in no hurry."""

import fcntl
import io
import struct
import termios
import time
from typing import Any, Final

NAP: Final = 0.002


class LeisurelyPipe(io.FileIO):
    """A pipe whose reader does not wait in it for the very next byte, unless somebody waits for an answer.

    Whoever writes to a pipe that is waited for wakes the reader, and gives it the processor at once: that takes longer
    than all else that the proxy does for an exchange. An empty pipe is therefore left alone for ``nap`` seconds while
    it fills. What stands in it is safe, whatever becomes of its writer.
    """

    def __init__(self, descriptor: int, *, nap: float = NAP) -> None:
        super().__init__(descriptor, closefd=False)
        self.nap = nap
        self.hurry = False
        """Whether to wait for the very next byte from here on."""

    def readinto(self, buffer: Any, /) -> int | None:  # noqa: ANN401  whatever can be written to
        """Read what there is, after a nap where that is nothing yet."""
        if not self.hurry and not self._holds_something():
            time.sleep(self.nap)
        return super().readinto(buffer)

    def _holds_something(self) -> bool:
        held: tuple[int] = struct.unpack("i", fcntl.ioctl(self.fileno(), termios.FIONREAD, bytes(4)))
        return held[0] > 0
