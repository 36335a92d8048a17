"""Evidence, as `airworthy.evidence` writes it: a line for each exchange."""

from collections.abc import Iterator, Mapping
from typing import Final

from airworthy.audit.pieces import Data, Piece, UnreadableError
from airworthy.contract import Exchange
from airworthy.contract.body import Json
from airworthy.evidence.recorder import read_line

_STRIDE: Final = 4 * 1024 * 1024
_EXCERPT: Final = "the evidence holds only the beginning of the body"


class EvidenceLines:
    """The exchanges of an evidence file."""

    def __init__(self, data: Data) -> None:
        self._data = data

    def spans(self) -> Iterator[tuple[int, int]]:
        """Yield parts of whole lines."""
        start = 0
        while start < len(self._data):
            end = self._end_of_line(min(start + _STRIDE, len(self._data) - 1))
            yield start, end
            start = end

    def pieces(self, start: int) -> Iterator[Piece]:
        """Yield the lines from one on."""
        while start < len(self._data):
            end = self._end_of_line(start)
            line = self._data[start:end]
            unfinished = "" if line.endswith(b"\n") else "the line was not written to its end"
            yield Piece(start, end, line, unfinished)
            start = end

    def read(self, start: int, end: int) -> Json:
        """Return a line."""
        return self._data[start:end]

    def exchange(self, content: Json, key: str) -> tuple[Exchange, Mapping[str, str]]:  # noqa: ARG002 - others have no id
        """Return the exchange of a line, under its own id, and which bodies are cut to an excerpt."""
        try:
            record = read_line(content)
        except ValueError as error:
            raise UnreadableError(str(error)) from None
        said = {name: reason for name, reason in record.context.items() if name.endswith("_unread")}
        return record.exchange, said | {f"{side}_unread": _EXCERPT for side in record.excerpts}

    def _end_of_line(self, start: int) -> int:
        return self._data.find(b"\n", start) + 1 or len(self._data)
