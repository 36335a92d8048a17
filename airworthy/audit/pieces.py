"""What every format of recorded traffic is read as: pieces of a file, each with an exchange or with a problem."""

import mmap
from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol

from airworthy.contract import Exchange
from airworthy.contract.body import Json

Data = mmap.mmap


class UnreadableError(Exception):
    """A recording, or a piece of one, cannot be read; the message says why and holds nothing of it."""


class Piece(NamedTuple):
    """An entry of a recording, between two offsets: what was read there, or the ``problem`` with it."""

    start: int
    end: int
    content: Json = None
    problem: str = ""


class Source(Protocol):
    """A recording in one of the formats."""

    def spans(self) -> Iterator[tuple[int, int]]:
        """Yield where the file may be cut, so that its parts can be read side by side."""

    def pieces(self, start: int) -> Iterator[Piece]:
        """Yield the entries from one on, to the end of the file."""

    def read(self, start: int, end: int) -> Json:
        """Return the content of a piece. Raises `UnreadableError`."""

    def exchange(self, content: Json, key: str) -> tuple[Exchange | None, Mapping[str, str]]:
        """Return the exchange, under an id, and by side why a body is not there to be read.

        None stands for what is no exchange over HTTP. Raises `UnreadableError`.
        """
