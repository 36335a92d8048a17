"""One HTTP request with its response and times, independent of where it was captured.

The suite's ``requests`` session, the proxy's flows and HAR files are all converted to these values.
"""

from dataclasses import dataclass
from datetime import datetime

Headers = tuple[tuple[str, str], ...]


def header(headers: Headers, name: str) -> str | None:
    """Return the first value of a header, or None. The case of the name does not matter."""
    lower = name.lower()
    for key, value in headers:
        if key.lower() == lower:
            return value
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


@dataclass(frozen=True, slots=True)
class Response:
    """A response as it was received; ``body`` as in `Request`."""

    status: int
    headers: Headers = ()
    body: bytes | None = b""


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
