"""The hash chain of evidence: append lines to it, and verify it.

A line is a JSON object whose last member, ``hash``, is the SHA-256 of the line without that member and its comma;
``previous`` is the hash of the line before (64 zeros in the first). An altered, added or removed line breaks the chain.
The first line of a rotated file names the last hash of the file before it.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Final

from airworthy.errors import UsageError, reading
from airworthy.evidence.compression import DAMAGE, DAMAGED, TOO_LARGE, TooLargeError, open_decompressed
from airworthy.evidence.redaction import FAILED
from airworthy.private_files import file_lock, owner_only

BEGINNING: Final = b'{"id":'
"""The beginning of each line, by which evidence is recognised."""
START: Final = "0" * 64
"""The previous hash of the first line."""
NOT_FOLLOWING: Final = "the line does not follow the line before it"
LONGEST_LINE: Final = 64 * 1024 * 1024
"""More bytes than the recorder writes into a line: of long bodies, it keeps an excerpt."""
_SEAL: Final = re.compile(rb',"hash":"([0-9a-f]{64})"}\n\Z')
_SEAL_LENGTH: Final = len(',"hash":""}\n') + len(START)
_BLOCK: Final = 64 * 1024

LineMaker = Callable[[str], bytes]
"""Returns a line, given the hash of the line before."""


@dataclass(frozen=True, slots=True)
class ChainCheck:
    """The result of `verify_chain`.

    ``altered`` is the number of the first altered line, counted from 1, or None; ``reason`` is the problem with it.
    ``unredacted`` is the number of exchanges of which a part was omitted because it could not be redacted.
    ``unfinished`` is true if the file ends with an incomplete line, which ``lines`` does not count. ``sha256`` is that
    of the lines, before compression.
    """

    lines: int
    last_hash: str
    sha256: str
    altered: int | None = None
    reason: str = ""
    unfinished: bool = False
    unredacted: int = 0


class ChainedFile:
    """A file of evidence, whose first line follows the hash ``previous``.

    Processes may write to one file at the same time. Raises `UsageError` if the file contains something else.
    """

    def __init__(self, path: Path, previous: str = START) -> None:
        self._path, self._previous = path, previous
        # Unbuffered, so that no line is lost when the process is killed.
        self._file = FileIO(path, "a+", opener=owner_only)
        try:
            self.last_hash()
        except UsageError:
            self._file.close()
            raise

    def append(self, make_line: LineMaker) -> None:
        """Append a line.

        Raises `OSError` if the line could not be written completely; the next append removes the incomplete line.
        """
        with file_lock(self._file.fileno()):
            rest = memoryview(make_line(self._last_hash()))
            # On a full disk, the first write may be incomplete and only the second one fails.
            while rest:
                rest = rest[self._file.write(rest) :]

    def last_hash(self) -> str:
        """Return the hash of the last line, after removing an incomplete line at the end of the file."""
        with file_lock(self._file.fileno()):
            return self._last_hash()

    def size(self) -> int:
        """Return the size in bytes."""
        return self._file.seek(0, 2)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _last_hash(self) -> str:
        file = self._file
        size = self.size()
        file.seek(max(0, size - _SEAL_LENGTH))
        tail = file.read(_SEAL_LENGTH)
        if not tail:
            return self._previous
        if seal := _SEAL.search(tail):
            return seal[1].decode()
        file.seek(0)
        if tail.endswith(b"\n") or file.read(len(BEGINNING)) != BEGINNING:
            raise UsageError(f"{self._path}: not an evidence file; choose another path for the evidence")
        file.truncate(_end_of_last_complete_line(file, size))
        return self._last_hash()


def verify_chain(path: Path, previous: str | None = START) -> ChainCheck:
    """Check that no line of an evidence file was altered, added or removed.

    ``previous`` is the hash that the first line has to follow, None if it is unknown. Lines that were removed from the
    end can only be detected by the number of lines and the last hash in results.json, or by the next rotated file.
    Raises `UsageError` if the file cannot be read.
    """
    file_hash = hashlib.sha256()
    lines, unredacted = 0, 0
    altered, reason, unfinished = None, "", False
    for line in lines_of(path):
        file_hash.update(line)
        if not line.endswith(b"\n"):
            unfinished = True
            break
        lines += 1
        unredacted += FAILED.encode() in line
        if altered is None and (reason := _defect(line, previous)):
            altered = lines
        seal = _SEAL.search(line[-_SEAL_LENGTH:])
        previous = seal[1].decode() if seal else ""
    return ChainCheck(lines, previous or START, file_hash.hexdigest(), altered, reason, unfinished, unredacted)


def lines_of(path: Path) -> Iterator[bytes]:
    """Yield the lines of an evidence file, decompressed if it is compressed. Raises `UsageError`."""
    try:
        with reading(path), open_decompressed(path) as file:
            while line := file.readline(LONGEST_LINE):
                # One that is too long for evidence is yielded in parts.
                yield line if line.endswith(b"\n") or len(line) < LONGEST_LINE else line[:-1] + b"\n"
    except TooLargeError:
        raise UsageError(f"{path}: {TOO_LARGE}") from None


def _end_of_last_complete_line(file: FileIO, size: int) -> int:
    start = size
    while start > 0:
        start = max(0, start - _BLOCK)
        file.seek(start)
        if (found := file.read(_BLOCK).rfind(b"\n")) >= 0:
            return start + found + 1
    return 0


def _defect(line: bytes, previous: str | None) -> str:
    if line.endswith(DAMAGE):
        return DAMAGED
    seal = _SEAL.search(line)
    if seal is None:
        return "the line has no hash"
    content = line[: seal.start()] + b"}"
    if hashlib.sha256(content).hexdigest().encode() != seal[1]:
        return "the hash does not match the content of the line"
    if previous is not None and not content.endswith(f'"previous":"{previous}"}}'.encode()):
        return NOT_FOLLOWING
    return ""
