"""Write and read evidence files: one redacted exchange per line, written as it happens, in a hash chain.

A line is a JSON object whose last member, ``hash``, is the SHA-256 of the line without that member and its comma;
``previous`` is the hash of the line before (64 zeros in the first). An altered, added or removed line breaks the chain.
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
from airworthy.evidence.redaction import BODY_LIMIT, FAILED, RedactedExchange, RedactionContract, Redactor
from airworthy.private_files import owner_only

if sys.platform != "win32":
    import fcntl

_START: Final = "0" * 64
_SEAL: Final = re.compile(rb',"hash":"([0-9a-f]{64})"}\n\Z')
_SEAL_LENGTH: Final = len(',"hash":""}\n') + len(_START)
_BEGINNING: Final = b'{"id":'
_BLOCK: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class EvidenceRecord:
    """One line of evidence.

    ``exchange`` is redacted. ``context`` describes its purpose, such as the scenario. If a body was too long, it is
    None in the exchange, and ``excerpts`` contains its beginning and ``sizes`` its size in bytes, by side.
    """

    exchange: Exchange
    context: Mapping[str, str] = field(default_factory=dict)
    excerpts: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    previous: str = _START
    hash: str = ""


@dataclass(frozen=True, slots=True)
class ChainCheck:
    """The result of `verify_chain`.

    ``altered`` is the number of the first altered line, counted from 1, or None; ``reason`` is the problem with it.
    ``unredacted`` is the number of exchanges of which a part was omitted because it could not be redacted.
    ``unfinished`` is true if the file ends with an incomplete line, which ``lines`` does not count.
    """

    lines: int
    last_hash: str
    sha256: str
    altered: int | None = None
    reason: str = ""
    unfinished: bool = False
    unredacted: int = 0


class Recorder:
    """Appends the evidence of a run to the file at ``path``.

    Threads, and processes with the same ``pseudonyms`` key, may write to one file at the same time. Bodies of more
    than ``body_limit`` bytes are reduced to an excerpt. See `Redactor` for ``secrets`` and other limits.
    """

    def __init__(
        self,
        path: Path,
        contract: RedactionContract,
        *,
        pseudonyms: Pseudonyms | None = None,
        secrets: Mapping[str, str] | None = None,
        body_limit: int = BODY_LIMIT,
    ) -> None:
        self.redactor = Redactor(contract, pseudonyms, secrets, body_limit)
        self._path = path
        self._lock = threading.Lock()
        # Unbuffered, so that no line is lost when the process is killed.
        self._file = FileIO(path, "a+", opener=owner_only)
        try:
            with _exclusive(self._file):
                _last_hash(self._file, path)
        except UsageError:
            self._file.close()
            raise

    def append(self, exchange: Exchange, **context: str) -> None:
        """Redact an exchange and write it.

        Raises:
            OSError: the line could not be written completely; the next append removes the incomplete line.
        """
        with self._lock:
            redacted = self.redactor.redacted(exchange)
            context = {name: self.redactor.text(value) for name, value in context.items()}
            with _exclusive(self._file):
                previous = _last_hash(self._file, self._path)
                try:
                    line = _line(redacted, _sizes(exchange), context, previous)
                except TypeError:
                    self.redactor.failures += 1
                    line = _line(_omitted(exchange), _sizes(exchange), {}, previous)
                rest = memoryview(line)
                # On a full disk, the first write may be incomplete and only the second one fails.
                while rest:
                    rest = rest[self._file.write(rest) :]

    def scrub(self, text: str) -> str:
        """Return a text with the secrets and personal data of the run replaced, for terminals and reports."""
        with self._lock:
            return self.redactor.text(text)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read(path: Path) -> Iterator[EvidenceRecord]:
    """Yield the records of an evidence file; an incomplete last line is omitted.

    Raises:
        UsageError: the file cannot be read, or a line is not evidence; the message names the file and the line.
    """
    for number, line in enumerate(_lines(path), start=1):
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


def verify_chain(path: Path) -> ChainCheck:
    """Check that no line of an evidence file was altered, added or removed.

    Lines that were removed from the end can only be detected by the number of lines and the last hash in results.json.

    Raises:
        UsageError: the file cannot be read.
    """
    file_hash = hashlib.sha256()
    previous, lines, unredacted = _START, 0, 0
    altered, reason, unfinished = None, "", False
    for line in _lines(path):
        file_hash.update(line)
        if not line.endswith(b"\n"):
            unfinished = True
            break
        lines += 1
        unredacted += FAILED.encode() in line
        if altered is None and (reason := _defect(line, previous)):
            altered = lines
        previous = _hash_of(line)
    return ChainCheck(lines, previous, file_hash.hexdigest(), altered, reason, unfinished, unredacted)


def _omitted(exchange: Exchange) -> RedactedExchange:
    """Return an exchange without its content, which could not be written."""
    response = exchange.response and Response(exchange.response.status, (), None)
    request = Request("?", FAILED, (), None)
    return RedactedExchange(Exchange("?", exchange.started, exchange.elapsed, request, response), {"request": FAILED})


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
    fields = orjson.loads(line)
    sent, received = fields["request"], fields["response"]
    request = Request(sent["method"], sent["url"], _pairs(sent["headers"]), _bytes(sent))
    response = received and Response(received["status"], _pairs(received["headers"]), _bytes(received))
    exchange = Exchange(fields["id"], datetime.fromisoformat(fields["started"]), fields["elapsed"], request, response)
    shortened = {side: fields[side] for side in ("request", "response") if fields[side] and "excerpt" in fields[side]}
    sizes = {side: part["size"] for side, part in shortened.items()}
    excerpts = {side: f"{part['excerpt']}… ({part['size']} bytes)" for side, part in shortened.items()}
    return EvidenceRecord(exchange, fields["context"], excerpts, sizes, fields["previous"], fields["hash"])


def _pairs(headers: list[list[str]]) -> Headers:
    return tuple((name, value) for name, value in headers)


def _bytes(fields: Mapping[str, Any]) -> bytes | None:
    body = fields["body"]
    return None if body is None else body.encode(fields.get("encoding", "utf-8"))


def _last_hash(file: FileIO, path: Path) -> str:
    """Return the hash of the last line, after removing an incomplete line at the end of the file."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _SEAL_LENGTH))
    tail = file.read(_SEAL_LENGTH)
    if not tail:
        return _START
    if seal := _SEAL.search(tail):
        return seal[1].decode()
    if tail.endswith(b"\n") or not _begins_with_evidence(file):
        raise UsageError(f"{path}: not an evidence file; choose another path for the evidence")
    file.truncate(_end_of_last_complete_line(file, size))
    return _last_hash(file, path)


def _begins_with_evidence(file: FileIO) -> bool:
    file.seek(0)
    return file.read(len(_BEGINNING)) == _BEGINNING


def _end_of_last_complete_line(file: FileIO, size: int) -> int:
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


def _defect(line: bytes, previous: str) -> str:
    seal = _SEAL.search(line)
    if seal is None:
        return "the line has no hash"
    content = line[: seal.start()] + b"}"
    if hashlib.sha256(content).hexdigest().encode() != seal[1]:
        return "the hash does not match the content of the line"
    if not content.endswith(f'"previous":"{previous}"}}'.encode()):
        return "the line does not follow the line before it"
    return ""


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            yield from file
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None


@contextmanager
def _exclusive(file: FileIO) -> Iterator[None]:
    """Lock the file against other processes, except on Windows, where only one process may write."""
    if sys.platform == "win32":
        yield
    else:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)
