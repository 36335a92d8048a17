"""The log of requests: a line for each on the terminal, and the last ones in memory for the dashboard.

Only a sandbox that a person watches has a log. Nothing is recorded before it is masked and shortened.
"""

import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import uuid4

import orjson
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from airworthy.sandbox.http.masking import LONGEST_BODY, masked, shown_body, shown_header, shown_query

MAX_REQUESTS: Final = 100
_OWN: Final = "/sandbox/"
_SAFE: Final = ("GET", "HEAD")
_GZIP: Final = 31
_LONGEST_METHOD: Final = 20
_LONGEST_PATH: Final = 200
_LONGEST_REASON: Final = 300
_FIRST_ERROR: Final = 400
_HEADERS: Final = frozenset(
    {"accept", "allow", "authorization", "content-encoding", "content-type", "host", "idempotency-key", "location"}
    | {"request-id", "retry-after", "transfer-encoding", "user-agent"}
)


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """A request with its response; ``rejection`` is the name under which it was rejected, ``reason`` says why.

    ``status`` is 0 if the client left before the response. ``sent`` and ``received`` are the headers and the bodies, as
    a person sees them.
    """

    number: int
    time: datetime
    method: str
    path: str
    query: str
    status: int
    milliseconds: float
    rejection: str
    reason: str
    sent: Mapping[str, Any]
    received: Mapping[str, Any]

    @property
    def line(self) -> str:
        """The request as a line on the terminal."""
        parts = (self.method, self.path, str(self.status or "no response"), self.reason)
        return " ".join(each for each in parts if each)


class RequestLog:
    """The last requests; ``write`` receives the line of each. All methods belong to the thread of the server."""

    def __init__(self, write: Callable[[str], None] | None = None) -> None:
        self.id = uuid4().hex
        self._write = write
        self._requests: deque[RecordedRequest] = deque(maxlen=MAX_REQUESTS)
        self._count = 0

    def add(self, recording: "_Recording") -> None:
        """Record a request that was handled."""
        self._count += 1
        recorded = recording.recorded(self._count)
        self._requests.append(recorded)
        if self._write is not None:
            self._write(recorded.line)

    def after(self, number: int) -> Iterator[RecordedRequest]:
        """Yield the recorded requests that followed the one with this number, oldest first."""
        return (each for each in tuple(self._requests) if each.number > number)

    def find(self, number: int) -> RecordedRequest | None:
        """Return a request by its number, or None if it is not recorded any more."""
        return next((each for each in tuple(self._requests) if each.number == number), None)


class RequestRecorder:
    """An ASGI application that records the requests to another one, except reads of the sandbox's own pages."""

    def __init__(self, app: ASGIApp, log: RequestLog, now: Callable[[], datetime]) -> None:
        self._app = app
        self._log = log
        self._now = now

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the other application respond, and record the request."""
        if scope["type"] != "http" or _is_own_page(scope):
            await self._app(scope, receive, send)
            return
        recording = _Recording(scope, receive, send, self._log, self._now())
        try:
            await self._app(scope, recording.receive, recording.send)
        finally:
            recording.end()


class _Recording:
    """One request while it is handled; the application calls `receive` and `send`."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, log: RequestLog, moment: datetime) -> None:
        self._log: RequestLog | None = log
        self._scope = scope
        self._receive = receive
        self._send = send
        self._moment = moment
        self._began = time.perf_counter()
        self._sent, self._received = bytearray(), bytearray()
        self._status = 0
        self._headers = Headers()

    async def receive(self) -> Message:
        message = await self._receive()
        _add(self._sent, message)
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status, self._headers = message["status"], Headers(raw=list(message["headers"]))
        _add(self._received, message)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            # Before the client has the whole response, so that the log is complete when the client goes on.
            self.end()
        await self._send(message)

    def end(self) -> None:
        """Add the request to the log, once."""
        if self._log is not None:
            log, self._log = self._log, None
            log.add(self)

    def recorded(self, number: int) -> RecordedRequest:
        """Return the request with its response, masked and shortened."""
        scope, received = self._scope, bytes(self._received)
        if self._headers.get("content-encoding") == "gzip":
            received = _decompressed(received)
        rejected = scope.get("state", {}).get("rejected")
        reason = rejected.reason if rejected else _reason(received) if self._status >= _FIRST_ERROR else ""
        return RecordedRequest(
            number=number,
            time=self._moment,
            method=masked(scope["method"], _LONGEST_METHOD),
            path=masked(scope["raw_path"].decode("ascii", "backslashreplace"), _LONGEST_PATH),
            query=shown_query(scope["query_string"].decode("ascii", "backslashreplace")),
            status=self._status,
            milliseconds=round((time.perf_counter() - self._began) * 1000, 1),
            rejection=rejected.name if rejected else "",
            reason=masked(reason, _LONGEST_REASON),
            sent=_shown(Headers(scope=scope), bytes(self._sent)),
            received=_shown(self._headers, received),
        )


def _add(body: bytearray, message: Message) -> None:
    """Append the body of an ASGI message, up to one byte more than can be shown."""
    body += message.get("body", b"")[: LONGEST_BODY + 1 - len(body)]


def _is_own_page(scope: Scope) -> bool:
    """Return whether a request reads a page of the sandbox itself: the dashboard asks for its state every second."""
    return scope["method"] in _SAFE and (scope["path"] == "/" or scope["path"].startswith(_OWN))


def _shown(headers: Headers, body: bytes) -> dict[str, Any]:
    shown = [(name, shown_header(name, value)) for name, value in headers.items() if name in _HEADERS]
    return {"headers": shown, "body": shown_body(body, headers.get("content-type", ""))}


def _decompressed(raw: bytes) -> bytes:
    try:
        return zlib.decompressobj(_GZIP).decompress(raw, LONGEST_BODY + 1)
    except zlib.error:
        return raw


def _reason(raw: bytes) -> str:
    try:
        document = orjson.loads(raw)
    except ValueError:
        return ""
    error = document.get("error") if isinstance(document, Mapping) else None
    holder = error if isinstance(error, Mapping) else document if isinstance(document, Mapping) else {}
    parts = (holder.get("param"), holder.get("message"))
    return ": ".join(each for each in parts if isinstance(each, str))
