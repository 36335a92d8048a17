"""The response of the service with its parsed body."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from airworthy.contract.body import skim
from airworthy.contract.exchange import Exchange
from airworthy.suite.outcomes import expect

# Every integer below is a number of its own in JSON, however it is read.
_SAFE: Final = 2**53


@dataclass(frozen=True, slots=True)
class ParsedResponse:
    """An exchange and the JSON of its response body, None where the body is not JSON."""

    exchange: Exchange
    body: Any

    @property
    def status(self) -> int:
        """The status code of the response."""
        assert self.exchange.response is not None
        return self.exchange.response.status

    @property
    def received(self) -> int:
        """The size of the response body in bytes."""
        response = self.exchange.response
        return len(response.body or b"") if response else 0

    @property
    def succeeded(self) -> bool:
        """Whether the status is one of success."""
        return 200 <= self.status < 300

    @property
    def rejected(self) -> bool:
        """Whether the status says that the client is at fault. Throttling says nothing about the request."""
        return 400 <= self.status < 500 and self.status != 429

    def member(self, name: str) -> Any:
        """Return one member of a JSON object, None where there is none."""
        return self.body.get(name) if isinstance(self.body, Mapping) else None

    def array(self, name: str) -> list[Any]:
        """Return one member that is an array, an empty one where it is none."""
        value = self.member(name)
        return value if isinstance(value, list) else []


def expect_status(response: ParsedResponse, holds: bool, message: str, expected: str) -> None:
    """Fail with a message and the actual status code if the status of a response is not as expected."""
    expect(
        holds,
        message,
        expected=expected,
        actual=f"status {response.status}",
        pointer="status",
        exchange=response.exchange,
    )


def read(exchange: Exchange) -> ParsedResponse:
    """Parse the response of an exchange; a body that is not JSON becomes None (the contract reports it)."""
    response = exchange.response
    return ParsedResponse(exchange, _with_integers(skim(response.body)) if response else None)


def _with_integers(value: Any) -> Any:
    """Return JSON with 7 where it says 7.0: both are integers to JSON Schema, but not as a key or in a path."""
    if isinstance(value, dict):
        return {name: _with_integers(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_with_integers(member) for member in value]
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < _SAFE
    return int(value) if is_whole else value
