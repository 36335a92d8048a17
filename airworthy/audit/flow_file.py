"""Read mitmproxy's flow files: a sequence of tnetstrings, each of which begins with its length."""

import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import ClassVar, Final

from mitmproxy.exceptions import FlowReadException
from mitmproxy.http import HTTPFlow
from mitmproxy.io import FlowReader

from airworthy.audit.recording import CHUNK_SIZE, RecordedEntry, Recording, UnreadableRecordingError
from airworthy.contract import Exchange
from airworthy.contract.bodies.body import Json
from airworthy.proxy.flows import raw_exchange
from airworthy.proxy.traffic_judge import to_exchange

_LENGTH: Final = re.compile(rb"([0-9]{1,12}):")
# What FlowReader raises for a well-formed tnetstring that is not a flow.
_NOT_A_FLOW: Final = (FlowReadException, ValueError, TypeError, LookupError, AttributeError, AssertionError)


class FlowRecording(Recording):
    """The HTTP flows of a file; flows of other protocols are counted as foreign traffic."""

    format_name: ClassVar[str] = "flows"

    def chunks(self) -> Iterator[tuple[int, int]]:
        """Yield ranges of whole flows."""
        start = end = 0
        for _, end, _ in self._flows(0):
            if end - start >= CHUNK_SIZE:
                yield start, end
                start = end
        if start < end:
            yield start, end

    def entries(self, start: int) -> Iterator[RecordedEntry]:
        """Yield the flows from a byte offset on; nothing can be found after a flow without a valid length."""
        for begin, end, problem in self._flows(start):
            yield RecordedEntry(begin, end, None if problem else self._data[begin:end], problem)

    def _flows(self, start: int) -> Iterator[tuple[int, int, str]]:
        """Yield the byte range of each flow, and the problem with it."""
        while start < len(self._data):
            found = _LENGTH.match(self._data, start)
            end = found.end() + int(found[1]) + 1 if found else 0
            if not found or end > len(self._data):
                problem = "the flow is truncated" if found else "not a flow; the rest of the file was not read"
                yield start, len(self._data), problem
                return
            yield start, end, ""
            start = end

    @staticmethod
    def exchange(content: Json, key: str) -> tuple[Exchange | None, Mapping[str, str]]:
        """Return the exchange of a flow, or None if it is not HTTP, and the reason for each body that is missing."""
        try:
            flow = next(iter(FlowReader(BytesIO(content)).stream()))
            if not isinstance(flow, HTTPFlow):
                return None, {}
            return to_exchange(raw_exchange(flow)._replace(id=key))
        except (*_NOT_A_FLOW, StopIteration):
            raise UnreadableRecordingError("the flow cannot be read") from None
