"""The response of the service with its parsed body."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.body import skim
from airworthy.contract.http.exchange import THROTTLING, Exchange
from airworthy.suite.outcomes import expect

# Every integer below is a number of its own in JSON, however it is read.
_SAFE: Final = 2**53
# 7.0 or 7e1 at the end of a value. What looks like one in a string only costs time.
_PERHAPS_WHOLE: Final = re.compile(rb"[0-9](?:\.0+|[eE][+-]?[0-9]+)\s*(?:[],}]|$)")


# Searches are read again and again; a parsed body takes up to ten times the memory of its bytes.
_MOST_PARSED: Final = 16


@dataclass(frozen=True, slots=True)
class ParsedResponse:
    """An exchange whose response body is parsed when a step reads it; the latest bodies stay parsed."""

    exchange: Exchange

    @property
    def body(self) -> Any:
        """The JSON of the response body, None if the body is not JSON. It is shared: do not change it."""
        return _parsed(self.content)

    @property
    def content(self) -> bytes:
        """The bytes of the response body, empty where there is none."""
        response = self.exchange.response
        return (response.body or b"") if response else b""

    @property
    def status(self) -> int:
        """The status code of the response."""
        assert self.exchange.response is not None
        return self.exchange.response.status

    @property
    def succeeded(self) -> bool:
        """Whether the status is one of success."""
        return 200 <= self.status < 300

    @property
    def rejected(self) -> bool:
        """Whether the status says that the client is at fault. Throttling says nothing about the request."""
        return 400 <= self.status < 500 and self.status not in THROTTLING

    @property
    def fulfilled(self) -> bool:
        """Whether the service did what was requested: an order that is FAILED is an error, too (OPEN-24)."""
        return self.succeeded and self.member("status") != "FAILED"

    @property
    def unfulfilled(self) -> bool:
        """Whether the service rejected the request, perhaps with an order that is FAILED (OPEN-24)."""
        return self.rejected or (self.succeeded and not self.fulfilled)

    def member(self, name: str) -> Any:
        """Return one member of a JSON object, or None if there is none."""
        return self.body.get(name) if isinstance(self.body, Mapping) else None

    def shown(self, name: str) -> str:
        """Return one member as a message shows it, ``none`` where there is none."""
        value = self.member(name)
        return "none" if value is None else wording.shown(value).strip('"')

    def array(self, name: str) -> list[Any]:
        """Return one member that is an array, or an empty one if it is none."""
        value = self.member(name)
        return value if isinstance(value, list) else []

    def expect(self, condition: object, message: str, *, expected: str, actual: str, pointer: str = "status") -> None:
        """Expect something of this response, as `airworthy.suite.outcomes.expect` does."""
        expect(condition, message, expected=expected, actual=actual, pointer=pointer, exchange=self.exchange)


def expect_status(response: ParsedResponse, holds: bool, message: str, expected: str) -> None:
    """Fail with a message and the actual status code if the status of a response is not as expected."""
    response.expect(holds, message, expected=expected, actual=f"status {response.status}")


def shown_statuses(responses: Sequence[ParsedResponse]) -> str:
    """Return how many responses are successful, and how many have each status code, for a message."""
    counts = Counter(response.status for response in responses)
    successes = counted(sum(response.succeeded for response in responses), "success", "successes")
    return f"{successes}: {', '.join(f'{count} x status {status}' for status, count in sorted(counts.items()))}"


def counted(number: int, one: str, several: str) -> str:
    """Return a number with its noun."""
    return f"{number or 'no'} {one if number == 1 else several}"


@lru_cache(maxsize=_MOST_PARSED)
def _parsed(content: bytes) -> Any:
    """Return JSON with 7 where it says 7.0: both are integers to JSON Schema, but not as a key or in a path."""
    parsed = skim(content)
    if parsed is None or not _PERHAPS_WHOLE.search(content):
        return parsed
    return json.loads(content, parse_float=_number)


def _number(text: str) -> float:
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < _SAFE else number
