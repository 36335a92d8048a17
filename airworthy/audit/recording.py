"""The interface that every format of recorded traffic implements, and evidence, which has one exchange per line."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import ClassVar, Final, NamedTuple

from airworthy.contract import Exchange
from airworthy.contract.bodies.body import Json
from airworthy.evidence.chain import LONGEST_LINE
from airworthy.evidence.compression import DAMAGE, DAMAGED, Data
from airworthy.evidence.recorder import EXCERPT, read_line

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


class EvidenceRecording(Recording):
    """The exchanges of an evidence file."""

    format_name: ClassVar[str] = "evidence"

    def chunks(self) -> Iterator[tuple[int, int]]:
        """Yield ranges of whole lines."""
        start = 0
        while start < len(self._data):
            end = self._end_of_line(min(start + CHUNK_SIZE, len(self._data) - 1))
            yield start, end
            start = end

    def entries(self, start: int) -> Iterator[RecordedEntry]:
        """Yield the lines from a byte offset to the end of the file."""
        while start < len(self._data):
            end = self._end_of_line(start)
            # A small compressed file can contain an endless line.
            line = self._data[start:end] if end - start <= LONGEST_LINE else b""
            yield RecordedEntry(start, end, line, _problem(line))
            start = end

    @staticmethod
    def exchange(content: Json, key: str) -> tuple[Exchange, Mapping[str, str]]:  # noqa: ARG004 - a line has an id
        """Return the exchange of a line, with its own id, and the reason for each body that is missing."""
        try:
            record = read_line(content)
        except ValueError as error:
            raise UnreadableRecordingError(str(error)) from None
        reasons = {name: reason for name, reason in record.context.items() if name.endswith("_unread")}
        return record.exchange, reasons | {f"{side}_unread": EXCERPT for side in record.excerpts}

    def _end_of_line(self, start: int) -> int:
        return self._data.find(b"\n", start) + 1 or len(self._data)


def _problem(line: bytes) -> str:
    if not line:
        return "the line is too long"
    if line.endswith(DAMAGE):
        return DAMAGED
    return "" if line.endswith(b"\n") else "the line is incomplete"
