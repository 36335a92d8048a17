"""The messages between the proxy and its judge process.

They are pickled: both processes run this package in the same interpreter, and no other process can write to the pipes.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from airworthy.contract import Finding, ServiceAddress
from airworthy.evidence.rotation import Rotation
from airworthy.traffic import Summary

RawHeaders = tuple[tuple[bytes, bytes], ...]
Action = Literal["observe", "judge", "screen"]


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """The service whose traffic is judged, and where its evidence goes.

    ``evidence`` is a file or, with a ``rotation``, a folder. ``key`` derives the pseudonyms in the evidence. A new
    judge process gets the same key as the one that it replaces.
    """

    service: ServiceAddress = field(default_factory=ServiceAddress)
    profile: Path | None = None
    evidence: Path | None = None
    rotation: Rotation | None = None
    key: bytes = field(default=b"", repr=False)


class RawExchange(NamedTuple):
    """An exchange as transferred: bodies still have their content encoding.

    A body is None if it is not available; ``request_unread`` and ``response_unread`` give the reason. ``started`` is in
    seconds since the epoch, ``elapsed`` in seconds. ``status`` is None if there is no response.
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
    request_unread: str = ""
    response_unread: str = ""


class JudgeTask(NamedTuple):
    """An exchange for the judge process.

    ``observe`` judges it and replies only if there is something to report, ``judge`` always replies, and ``screen``
    judges a request before it is forwarded.
    """

    number: int
    action: Action
    exchange: RawExchange


class JudgeResult(NamedTuple):
    """The result of a task.

    ``lines`` has one line of text per finding. ``foreign`` is true if the exchange is not with the service, ``blocked``
    if the request must not be forwarded, ``failed`` if the judge raised an exception. ``progress`` is a line about the
    go-live list if the exchange advanced it. ``refusal`` is why a screened request is not exactly as documented, or
    empty.
    """

    number: int
    findings: tuple[Finding, ...] = ()
    lines: tuple[str, ...] = ()
    foreign: bool = False
    blocked: bool = False
    failed: bool = False
    progress: str = ""
    refusal: str = ""


class Tally(NamedTuple):
    """The counts since the previous tally. There will be no more results for tasks up to ``number``."""

    number: int
    summary: Summary


class StartFailure(NamedTuple):
    """The judge process cannot start, and why."""

    reason: str


Reply = JudgeResult | Tally | StartFailure
