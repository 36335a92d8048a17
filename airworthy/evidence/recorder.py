"""Write and read evidence files: one redacted exchange per line, written as it happens, in a hash chain."""

import hashlib
import threading
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Self, TypeVar, cast

import orjson

from airworthy.contract import Contract, Exchange, Headers, Request, Response
from airworthy.errors import UsageError
from airworthy.evidence.chain import START, ChainedFile, lines_of
from airworthy.evidence.credentials import Secrets
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.redaction import BODY_LIMIT, FAILED, RedactedExchange, Redactor
from airworthy.evidence.rotation import RotatedFiles

T = TypeVar("T")

EXCERPT: Final = "the evidence contains only the beginning of the body"
"""Why a body of a record is not judged if its beginning is among the excerpts."""


@dataclass(frozen=True, slots=True)
class EvidenceRecord(RedactedExchange):
    """One line of evidence.

    ``context`` describes the purpose of the exchange, such as the scenario. ``sizes`` are the sizes in bytes of the
    bodies that were too long, by side. Older evidence has no ``marks``.
    """

    context: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    previous: str = START
    hash: str = ""


class Recorder:
    """Appends the evidence of a run to a file.

    ``target`` is its path, or what distributes the lines over several files. Threads, and processes with the
    same ``pseudonyms`` key, may write to one file at the same time. Bodies of more than ``body_limit`` bytes are
    reduced to an excerpt. See `Redactor` for ``secrets``, ``public`` and other limits.
    """

    def __init__(
        self,
        target: Path | RotatedFiles,
        contract: Contract,
        *,
        pseudonyms: Pseudonyms | None = None,
        secrets: Secrets | None = None,
        body_limit: int = BODY_LIMIT,
        public: Collection[str] = (),
    ) -> None:
        self.redactor = Redactor(contract, pseudonyms, secrets, body_limit, public)
        self._lock = threading.Lock()
        self._chain = ChainedFile(target) if isinstance(target, Path) else target

    def append(self, exchange: Exchange, **context: str) -> None:
        """Redact an exchange and write it.

        Raises `OSError` if the line could not be written completely; the next append removes the incomplete line.
        """
        with self._lock:
            redacted = self.redactor.redacted(exchange)
            context = {name: self.redactor.text(value) for name, value in context.items()}

            def line_after(previous: str) -> bytes:
                try:
                    return _line(redacted, _sizes(exchange), context, previous)
                except TypeError:
                    self.redactor.failures += 1
                    return _line(_omitted(exchange), _sizes(exchange), {}, previous)

            self._chain.append(line_after)

    def scrub(self, value: T) -> T:
        """Return a value of ours, such as a finding, without the secrets of the run (see `Redactor.text`)."""
        if isinstance(value, str):
            return cast("T", self.redactor.text(value))
        if isinstance(value, tuple):
            return cast("T", tuple(map(self.scrub, value)))
        if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{each.name: self.scrub(getattr(value, each.name)) for each in fields(value)})
        return value

    def close(self) -> None:
        """Close the file."""
        self._chain.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read(path: Path) -> Iterator[EvidenceRecord]:
    """Yield the records of an evidence file; an incomplete last line is omitted.

    Raises `UsageError` if the file cannot be read, or a line is not evidence; the message names the file and the line.
    """
    for number, line in enumerate(lines_of(path), start=1):
        if not line.endswith(b"\n"):
            return
        try:
            yield read_line(line)
        except ValueError as error:
            raise UsageError(f"{path}:{number}: {error}") from None


def read_line(line: bytes) -> EvidenceRecord:
    """Return the record in a line of evidence. Raises ValueError if it is not one."""
    try:
        return _record(line)
    except (orjson.JSONDecodeError, LookupError, TypeError, ValueError, AttributeError):
        raise ValueError("not a line of evidence") from None


def _omitted(exchange: Exchange) -> RedactedExchange:
    response = exchange.response and Response(exchange.response.status, (), None)
    request = Request("?", FAILED, (), None)
    return RedactedExchange(
        Exchange("?", exchange.started, exchange.elapsed, request, response), {"request": FAILED}, {}
    )


def _sizes(exchange: Exchange) -> dict[str, int]:
    bodies = {"request": exchange.request.body, "response": exchange.response and exchange.response.body}
    return {side: len(body or b"") for side, body in bodies.items()}


def _line(redacted: RedactedExchange, sizes: Mapping[str, int], context: Mapping[str, str], previous: str) -> bytes:
    exchange = redacted.exchange
    excerpts = {side: {"size": sizes[side], "excerpt": excerpt} for side, excerpt in redacted.excerpts.items()}
    content = orjson.dumps(
        {
            "id": exchange.id,
            "started": exchange.started,
            "elapsed": round(exchange.elapsed, 6),
            "request": {
                "method": exchange.request.method,
                "url": exchange.request.url,
                "headers": exchange.request.headers,
                **_body(exchange.request.body),
                **excerpts.get("request", {}),
            },
            "response": exchange.response
            and {
                "status": exchange.response.status,
                "headers": exchange.response.headers,
                **_body(exchange.response.body),
                **excerpts.get("response", {}),
            },
            **({"redacted": redacted.marks} if redacted.marks else {}),
            "context": context,
            "previous": previous,
        },
        option=orjson.OPT_UTC_Z,
    )
    return content[:-1] + b',"hash":"' + hashlib.sha256(content).hexdigest().encode() + b'"}\n'


def _body(body: bytes | None) -> dict[str, str | None]:
    if body is None:
        return {"body": None}
    try:
        return {"body": body.decode()}
    except UnicodeDecodeError:
        return {"body": body.decode("latin-1"), "encoding": "latin-1"}


def _record(line: bytes) -> EvidenceRecord:
    record = orjson.loads(line)
    sent, received = record["request"], record["response"]
    request = Request(sent["method"], sent["url"], _pairs(sent["headers"]), _bytes(sent))
    response = received and Response(received["status"], _pairs(received["headers"]), _bytes(received))
    exchange = Exchange(record["id"], datetime.fromisoformat(record["started"]), record["elapsed"], request, response)
    shortened = {side: record[side] for side in ("request", "response") if record[side] and "excerpt" in record[side]}
    sizes = {side: part["size"] for side, part in shortened.items()}
    excerpts = {side: f"{part['excerpt']}… ({part['size']} bytes)" for side, part in shortened.items()}
    marks = record.get("redacted", {})
    return EvidenceRecord(exchange, excerpts, marks, record["context"], sizes, record["previous"], record["hash"])


def _pairs(headers: list[list[str]]) -> Headers:
    return tuple((name, value) for name, value in headers)


def _bytes(fields: Mapping[str, Any]) -> bytes | None:
    body = fields["body"]
    return None if body is None else body.encode(fields.get("encoding", "utf-8"))
