"""mitmproxy's flow files: one flow after the other, each with its length before it (tnetstrings)."""

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import Final

from mitmproxy.exceptions import FlowReadException
from mitmproxy.http import HTTPFlow
from mitmproxy.io import FlowReader

from airworthy.audit.pieces import Data, Piece, UnreadableError
from airworthy.contract import Exchange
from airworthy.contract.body import Json
from airworthy.proxy.flows import raw_exchange
from airworthy.proxy.traffic_judge import to_exchange

_STRIDE: Final = 4 * 1024 * 1024
_LENGTH: Final = re.compile(rb"([0-9]{1,12}):")
# What reading a flow raises that is well-formed and yet none.
_NO_FLOW: Final = (FlowReadException, ValueError, TypeError, LookupError, AttributeError, AssertionError)


class Flows:
    """The HTTP flows of a file; others are none of the service's."""

    def __init__(self, data: Data) -> None:
        self._data = data

    def spans(self) -> Iterator[tuple[int, int]]:
        """Yield parts of whole flows."""
        start = end = 0
        for piece in self.pieces(0):
            end = piece.end
            if end - start >= _STRIDE:
                yield start, end
                start = end
        if start < end:
            yield start, end

    def pieces(self, start: int) -> Iterator[Piece]:
        """Yield the flows from one on; after one without its length nothing can be found."""
        while start < len(self._data):
            found = _LENGTH.match(self._data, start)
            end = found.end() + int(found[1]) + 1 if found else 0
            if not found or end > len(self._data):
                problem = "the flow is cut off" if found else "no flow begins here: the rest of the file is not read"
                yield Piece(start, len(self._data), problem=problem)
                return
            yield Piece(start, end, (start, end))
            start = end

    def read(self, start: int, end: int) -> Json:
        """Return where a flow lies."""
        return (start, end)

    def exchange(self, content: Json, key: str) -> tuple[Exchange | None, Mapping[str, str]]:
        """Return the exchange of a flow, None for one that is not HTTP, and why a body is not there to be read."""
        start, end = content
        try:
            flow = next(iter(FlowReader(BytesIO(self._data[start:end])).stream()))
            if not isinstance(flow, HTTPFlow):
                return None, {}
            return to_exchange(raw_exchange(flow)._replace(id=key))
        except (*_NO_FLOW, StopIteration):
            raise UnreadableError("the flow cannot be read") from None
