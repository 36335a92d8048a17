"""What the proxy and its judge tell each other: values, pickled, each after its lengths; large bodies stand beside.

Both ends are this package in the same interpreter, and the pipe is theirs alone.
"""

import pickle
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, NamedTuple

from airworthy.contract import Finding
from airworthy.traffic import Summary

RawHeaders = tuple[tuple[bytes, bytes], ...]
RawBody = bytes | pickle.PickleBuffer | None
Wish = Literal["see", "tell", "weigh"]

LARGE: Final = 16 * 1024
_HEAD: Final = struct.Struct("!QQQ")
HEAD_SIZE: Final = _HEAD.size


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

    A body of None was not there to be read: ``unread_request`` and ``unread_response`` say why. One of more than
    `LARGE` bytes is given as a buffer, which is never copied, and comes out as bytes. ``started`` is in seconds since
    the epoch, ``elapsed`` in seconds; ``status`` is None where no answer came.
    """

    id: str
    started: float
    elapsed: float
    method: str
    url: str
    request_headers: RawHeaders
    request_body: RawBody
    status: int | None = None
    response_headers: RawHeaders = ()
    response_body: RawBody = b""
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


class Judged(NamedTuple):
    """The judge has no more to say of the cases up to a number: nobody has to hold them any longer."""

    number: int


class Tally(NamedTuple):
    """What the judge has counted since its last tally, up to the case of a number."""

    number: int
    summary: Summary


class Unfit(NamedTuple):
    """The judge cannot do its work at all, and why."""

    reason: str


Message = Settings | Case | Verdict | Judged | Tally | Unfit


def packed(message: Message) -> list[memoryview]:
    """Return a message as it goes through the pipe, in pieces."""
    buffers: list[pickle.PickleBuffer] = []
    # A plain tuple: to name two classes takes longer than all the rest, and this is done for every exchange.
    told = (message.number, message.wish, tuple(message.wire)) if isinstance(message, Case) else message
    content = pickle.dumps(told, protocol=pickle.HIGHEST_PROTOCOL, buffer_callback=buffers.append)
    large = [buffer.raw() for buffer in buffers]
    lengths = [each.nbytes for each in large] + [0, 0]
    return [memoryview(_HEAD.pack(len(content), *lengths[:2]) + content), *large]


def unpacked(content: bytes, large: Sequence[bytes] = ()) -> Message:
    """Return the message of what stands after the lengths."""
    told = pickle.loads(content, buffers=large)  # noqa: S301  see above
    if type(told) is tuple:
        number, wish, wire = told
        return Case(number, wish, Wire(*wire))
    message: Message = told
    return message


def lengths(head: bytes | bytearray) -> tuple[int, list[int]]:
    """Return how many bytes follow a head of `HEAD_SIZE` bytes: the content's, then those of each large body."""
    content, *large = _HEAD.unpack(head)
    return content, [each for each in large if each]


class Unpacker:
    """Puts together messages without large bodies, from a pipe whose bytes come in pieces."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, piece: bytes) -> Iterator[Message]:
        """Yield the messages that are whole now."""
        self._bytes += piece
        while len(self._bytes) >= HEAD_SIZE:
            length, _ = lengths(self._bytes[:HEAD_SIZE])
            end = HEAD_SIZE + length
            if len(self._bytes) < end:
                return
            content = bytes(self._bytes[HEAD_SIZE:end])
            del self._bytes[:end]
            yield unpacked(content)
