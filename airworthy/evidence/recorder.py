"""The evidence file: one exchange a line, redacted, written as it happens and chained by hash.

A line is a JSON object whose last member, ``hash``, is the SHA-256 of the line without that member and its comma;
``previous`` is the hash of the line before (64 zeros in the first). So an altered, added or removed line shows.
"""

import hashlib
import re
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from io import FileIO
from pathlib import Path
from typing import Any, Final, Self

import orjson

from airworthy.contract.exchange import Exchange, Headers, Request, Response
from airworthy.errors import UsageError
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.redaction import BODY_LIMIT, Marks, Redacted, Redactor

if sys.platform != "win32":
    import fcntl

_START: Final = "0" * 64
_SEAL: Final = re.compile(rb',"hash":"([0-9a-f]{64})"}\n\Z')
_SEAL_LENGTH: Final = len(',"hash":""}\n') + len(_START)
_BEGINNING: Final = b'{"id":'
_BLOCK: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Record:
    """One line of evidence.

    ``exchange`` is redacted. ``context`` says what it was made for. ``excerpts`` holds, by side, the beginning of
    a body that was too long to keep, with its size; the exchange then has None for it, since it cannot be judged.
    ``sizes`` are those of such bodies, in bytes.
    """

    exchange: Exchange
    context: Mapping[str, str] = field(default_factory=dict)
    excerpts: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    previous: str = _START
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Chain:
    """What `verify_chain` found.

    ``altered`` is the number of the first line (from 1) that is not as it was written, or None; ``reason`` says why.
    ``unfinished`` says that the writer was stopped within the line after ``lines``.
    """

    lines: int
    last_hash: str
    sha256: str
    altered: int | None = None
    reason: str = ""
    unfinished: bool = False


class Recorder:
    """Writes the evidence of a run to ``path``, which is continued where it exists.

    Threads, and processes with the same ``pseudonyms`` key, may write to one file at the same time. Bodies of more
    than ``body_limit`` bytes are cut to an excerpt. ``secrets`` and other limits as in `Redactor`.
    """

    def __init__(
        self,
        path: Path,
        contract: Marks,
        *,
        pseudonyms: Pseudonyms | None = None,
        secrets: Mapping[str, str] | None = None,
        body_limit: int = BODY_LIMIT,
    ) -> None:
        self.redactor = Redactor(contract, pseudonyms, secrets, body_limit)
        self._path = path
        self._lock = threading.Lock()
        # Unbuffered: a line that was appended outlives the process, however it ends.
        self._file = FileIO(path, "a+")
        try:
            with _exclusive(self._file):
                _previous(self._file, path)
        except UsageError:
            self._file.close()
            raise

    def append(self, exchange: Exchange, **context: str) -> Record:
        """Redact an exchange, write it, and return what was written.

        Raises:
            OSError: the line could not be written, or not whole; the next append removes what was begun.
        """
        with self._lock:
            redacted = self.redactor.redacted(exchange)
            told = {name: self.redactor.text(value) for name, value in context.items()}
            with _exclusive(self._file):
                line = _line(redacted, _sizes(exchange), told, _previous(self._file, self._path))
                written = self._file.write(line)
        if written != len(line):
            raise OSError(f"{self._path}: only {written} of {len(line)} bytes could be written")
        return _record(line)

    def scrub(self, text: str) -> str:
        """Return a text without secrets and personal data of the run, for everything that is shown of it."""
        with self._lock:
            return self.redactor.text(text)

    def close(self) -> None:
        """Close the file; everything is already written."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read(path: Path) -> Iterator[Record]:
    """Yield the records of an evidence file; a line that was being written when its writer ended is left out.

    Raises:
        UsageError: the file cannot be read, or a line is no evidence; names the file and the line.
    """
    for number, line in enumerate(_lines(path), start=1):
        if not line.endswith(b"\n"):
            return
        try:
            yield read_line(line)
        except ValueError as error:
            raise UsageError(f"{path}:{number}: {error}") from None


def read_line(line: bytes) -> Record:
    """Return the record that a line of evidence holds. Raises ValueError where it is none."""
    try:
        return _record(line)
    except (orjson.JSONDecodeError, LookupError, TypeError, ValueError, AttributeError):
        raise ValueError("not a line of evidence") from None


def verify_chain(path: Path) -> Chain:
    """Check that an evidence file is as it was written, line by line; `Chain.altered` names the first that is not.

    That lines are missing at the end shows only against the count and the last hash in results.json.

    Raises:
        UsageError: the file cannot be read.
    """
    whole = hashlib.sha256()
    previous, lines = _START, 0
    altered, reason, unfinished = None, "", False
    for line in _lines(path):
        whole.update(line)
        if not line.endswith(b"\n"):
            unfinished = True
            break
        lines += 1
        if altered is None and (reason := _breach(line, previous)):
            altered = lines
        previous = _hash_of(line)
    return Chain(lines, previous, whole.hexdigest(), altered, reason, unfinished)


def _sizes(exchange: Exchange) -> dict[str, int]:
    bodies = {"request": exchange.request.body, "response": exchange.response and exchange.response.body}
    return {side: len(body or b"") for side, body in bodies.items()}


def _line(redacted: Redacted, sizes: Mapping[str, int], context: Mapping[str, str], previous: str) -> bytes:
    exchange = redacted.exchange
    cut = {side: {"size": sizes[side], "excerpt": excerpt} for side, excerpt in redacted.excerpts.items()}
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
                **cut.get("request", {}),
            },
            "response": exchange.response
            and {
                "status": exchange.response.status,
                "headers": exchange.response.headers,
                **_body(exchange.response.body),
                **cut.get("response", {}),
            },
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


def _record(line: bytes) -> Record:
    fields = orjson.loads(line)
    asked, answered = fields["request"], fields["response"]
    request = Request(asked["method"], asked["url"], _pairs(asked["headers"]), _bytes(asked))
    response = answered and Response(answered["status"], _pairs(answered["headers"]), _bytes(answered))
    exchange = Exchange(fields["id"], datetime.fromisoformat(fields["started"]), fields["elapsed"], request, response)
    cut = {side: fields[side] for side in ("request", "response") if fields[side] and "excerpt" in fields[side]}
    sizes = {side: message["size"] for side, message in cut.items()}
    excerpts = {side: f"{message['excerpt']}… ({message['size']} bytes)" for side, message in cut.items()}
    return Record(exchange, fields["context"], excerpts, sizes, fields["previous"], fields["hash"])


def _pairs(headers: list[list[str]]) -> Headers:
    return tuple((name, value) for name, value in headers)


def _bytes(fields: Mapping[str, Any]) -> bytes | None:
    body = fields["body"]
    return None if body is None else body.encode(fields.get("encoding", "utf-8"))


def _previous(file: FileIO, path: Path) -> str:
    """Return the hash of the last line; the beginning of a line whose writer was stopped within it is removed."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _SEAL_LENGTH))
    tail = file.read(_SEAL_LENGTH)
    if not tail:
        return _START
    if seal := _SEAL.search(tail):
        return seal[1].decode()
    if tail.endswith(b"\n") or not _begins_as_evidence(file):
        raise UsageError(f"{path}: not an evidence file, so nothing is written to it")
    file.truncate(_end_of_last_whole_line(file, size))
    return _previous(file, path)


def _begins_as_evidence(file: FileIO) -> bool:
    file.seek(0)
    return file.read(len(_BEGINNING)) == _BEGINNING


def _end_of_last_whole_line(file: FileIO, size: int) -> int:
    start = size
    while start > 0:
        start = max(0, start - _BLOCK)
        file.seek(start)
        if (found := file.read(_BLOCK).rfind(b"\n")) >= 0:
            return start + found + 1
    return 0


def _hash_of(line: bytes) -> str:
    seal = _SEAL.search(line[-_SEAL_LENGTH:])
    return seal[1].decode() if seal else ""


def _breach(line: bytes, previous: str) -> str:
    seal = _SEAL.search(line)
    if seal is None:
        return "it carries no hash"
    content = line[: seal.start()] + b"}"
    if hashlib.sha256(content).hexdigest().encode() != seal[1]:
        return "its hash is not that of its content"
    if not content.endswith(f'"previous":"{previous}"}}'.encode()):
        return "it does not follow the line before it"
    return ""


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            yield from file
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None


@contextmanager
def _exclusive(file: FileIO) -> Iterator[None]:
    """Keep other processes from writing meanwhile (on Windows one process has to do)."""
    if sys.platform == "win32":
        yield
    else:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)
