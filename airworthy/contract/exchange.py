"""What went over the wire: one request with its response, and when.

Adapters (the suite's ``requests`` session, the proxy's flows, HAR files) all make these values; nothing that
reads them knows where they came from.
"""

from dataclasses import dataclass
from datetime import datetime

Headers = tuple[tuple[str, str], ...]


def header(headers: Headers, name: str) -> str | None:
    """Return the first value of a header, whatever the case of its name, or None."""
    wanted = name.lower()
    for key, value in headers:
        if key.lower() == wanted:
            return value
    return None


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it was sent.

    ``url`` is absolute. ``body`` is decoded of its content encoding; None says that it was not there to be read.
    """

    method: str
    url: str
    headers: Headers = ()
    body: bytes | None = b""


@dataclass(frozen=True, slots=True)
class Response:
    """A response as it came; ``body`` as in `Request`."""

    status: int
    headers: Headers = ()
    body: bytes | None = b""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request with its response (None where no answer came).

    ``started`` is aware (UTC); ``elapsed`` is in seconds. Rules on time use ``started``, never today's clock.
    """

    id: str
    started: datetime
    elapsed: float
    request: Request
    response: Response | None
