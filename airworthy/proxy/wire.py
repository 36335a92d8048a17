"""What the proxy and its judge tell each other: small values, pickled, each after its length.

Both ends are this package in the same interpreter, and the pipe is theirs alone.
"""

import pickle
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple

from airworthy.contract import Finding
from airworthy.traffic import Summary

RawHeaders = tuple[tuple[bytes, bytes], ...]
Wish = Literal["see", "tell", "weigh"]

_HEAD: Final = struct.Struct("!Q")


@dataclass(frozen=True, slots=True)
class Settings:
    """Whose traffic is judged, and what is kept of it.

    ``key`` makes the pseudonyms in the evidence the same when the judge has to be replaced.
    """

    base_urls: tuple[str, ...] = ()
    payment_providers: tuple[str, ...] = ()
    allow_plain_http: bool = False
    profile: Path | None = None
    evidence: Path | None = None
    key: bytes = field(default=b"", repr=False)


class Wire(NamedTuple):
    """An exchange as it was on the wire: bodies still have their content encoding.

    A body of None was not there to be read: ``unread_request`` and ``unread_response`` say why. ``started`` is in
    seconds since the epoch, ``elapsed`` in seconds; ``status`` is None where no answer came.
    """

    id: str
    started: float
    elapsed: float
    method: str
    url: str
    request_headers: RawHeaders
    request_body: bytes | None
    status: int | None = None
    response_headers: RawHeaders = ()
    response_body: bytes | None = b""
    unread_request: str = ""
    unread_response: str = ""


class Case(NamedTuple):
    """An exchange that is put to the judge.

    It is to ``see`` it; to ``tell`` in any case what it has found; or to ``weigh`` a request that has not gone on yet.
    """

    number: int
    wish: Wish
    wire: Wire


class Verdict(NamedTuple):
    """What the judge says of a case, where there is something to say or it was asked.

    ``lines`` tell each finding in one line. ``foreign`` says that it is not the service's traffic, ``blocked`` that
    the request must not go on, ``failed`` that the judge itself failed on it. ``progress`` is a line on the go-live
    list, where that has advanced.
    """

    number: int
    findings: tuple[Finding, ...] = ()
    lines: tuple[str, ...] = ()
    foreign: bool = False
    blocked: bool = False
    failed: bool = False
    progress: str = ""


class Tally(NamedTuple):
    """What the judge has counted since its last tally, up to the case of a number."""

    number: int
    summary: Summary


class Unfit(NamedTuple):
    """The judge cannot do its work at all, and why."""

    reason: str


Message = Settings | Case | Verdict | Tally | Unfit


def packed(message: Message) -> bytes:
    """Return a message as it goes through the pipe."""
    content = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    return _HEAD.pack(len(content)) + content


class Unpacker:
    """Puts together the messages of a pipe whose bytes come in pieces."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, piece: bytes) -> Iterator[Message]:
        """Yield the messages that are whole now."""
        self._bytes += piece
        while len(self._bytes) >= _HEAD.size:
            (length,) = _HEAD.unpack_from(self._bytes)
            end = _HEAD.size + length
            if len(self._bytes) < end:
                return
            content = bytes(self._bytes[_HEAD.size : end])
            del self._bytes[:end]
            yield unpacked(content)


def unpacked(content: bytes) -> Message:
    """Return the message that stands after its length."""
    message: Message = pickle.loads(content)  # noqa: S301  see above
    return message


def length_of(head: bytes) -> int:
    """Return how many bytes follow a head of `HEAD_SIZE` bytes."""
    (length,) = _HEAD.unpack(head)
    return int(length)


HEAD_SIZE: Final = _HEAD.size
