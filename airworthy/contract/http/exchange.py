"""One HTTP request with its response and times, independent of where it was captured.

The suite's ``requests`` session, the proxy's flows and HAR files are all converted to these values.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

Headers = tuple[tuple[str, str], ...]
INVALID_STATUS = 999
SUCCESSES = range(200, 300)
THROTTLING = (429, 420, 509, 529)
"""Too Many Requests, and the unregistered statuses that others use for it (OPEN-09)."""


def header(headers: Headers, name: str) -> str | None:
    """Return the first value of a header, or None. The case of the name does not matter."""
    lower = name.lower()
    for key, value in headers:
        if key.lower() == lower:
            return value
    return None


def date_header(headers: Headers, name: str = "Date") -> datetime | None:
    """Return the time in a header (UTC), or None."""
    try:
        found = parsedate_to_datetime(header(headers, name) or "")
        # The time zone of this machine is that of no header.
        return found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        return None


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it was sent.

    ``url`` is absolute. ``body`` has its content encoding removed; None means that it was not captured.
    """

    method: str
    url: str
    headers: Headers = ()
    body: bytes | None = b""


def three_digits(status: int) -> int:
    """Return a status code, or `INVALID_STATUS` for a number that none can be, which may be anything private."""
    return status if 0 <= status <= INVALID_STATUS else INVALID_STATUS


@dataclass(frozen=True, slots=True)
class Response:
    """A response as it was received; ``body`` as in `Request`. ``status`` has at most three digits."""

    status: int
    headers: Headers = ()
    body: bytes | None = b""

    def __post_init__(self) -> None:
        object.__setattr__(self, "status", three_digits(self.status))


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request with its response, or None if there was no response.

    ``started`` is timezone-aware (UTC); ``elapsed`` is in seconds. Rules on time use these, never the current time.
    """

    id: str
    started: datetime
    elapsed: float
    request: Request
    response: Response | None
