"""The interface that every format of recorded traffic implements."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar, Final, NamedTuple

from airworthy.contract import Exchange
from airworthy.contract.bodies.body import Json
from airworthy.evidence.compression import Data

CHUNK_SIZE: Final = 4 * 1024 * 1024


class UnreadableRecordingError(Exception):
    """A recording, or one of its entries, cannot be read; the message quotes nothing from the file."""


class RecordedEntry(NamedTuple):
    """One entry of a recording, between two byte offsets: its parsed ``content``, or the ``problem`` with it."""

    start: int
    end: int
    content: Json = None
    problem: str = ""


class Recording(ABC):
    """A file of recorded traffic; ``format_name`` is the name of its format."""

    format_name: ClassVar[str]

    def __init__(self, data: Data) -> None:
        self._data = data

    @abstractmethod
    def chunks(self) -> Iterator[tuple[int, int]]:
        """Yield the byte ranges into which the file can be split, so that several processes can read it."""

    @abstractmethod
    def entries(self, start: int) -> Iterator[RecordedEntry]:
        """Yield the entries from a byte offset to the end of the file."""

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes of one entry."""
        return self._data[start:end]

    @staticmethod
    def content(raw: bytes) -> Json:
        """Return the content of the bytes of an entry, here the bytes. Raises `UnreadableRecordingError`."""
        return raw

    @staticmethod
    @abstractmethod
    def exchange(content: Json, key: str) -> tuple[Exchange | None, Mapping[str, str]]:
        """Return the exchange in an entry, with ``key`` as its id, and the reason for each body that is missing.

        The exchange is None if the entry is not HTTP. The reasons are ``request_unread`` and ``response_unread``.
        Raises `UnreadableRecordingError`.
        """


EntryFormat = Recording | type[Recording]
"""Reads single entries of one format, wherever they come from."""
