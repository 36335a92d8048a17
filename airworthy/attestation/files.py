"""The files that a statement covers: their digests, and a mark for each line that shows which line was changed."""

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from airworthy.report.write import CERTIFICATE

# A mark locates a change; the digest of the file is what detects it.
_MARK_BYTES: Final = 2


@dataclass(frozen=True, slots=True)
class FileDigest:
    """A file: its path below the folder, its SHA-256, and the marks of its lines (Base64, empty if not needed)."""

    name: str
    sha256: str
    marks: str = ""


def files_of(folder: Path) -> list[str]:
    """Return the paths of the files of a run, sorted; hidden files and the certificate are not among them."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    names = (path.as_posix() for path in paths if not any(part.startswith(".") for part in path.parts))
    return sorted(name for name in names if name != CERTIFICATE)


def irregular_entries(folder: Path) -> list[str]:
    """Return the paths of visible entries of a run that are not files of it, sorted: links elsewhere, and pipes."""
    found = (each for each in folder.rglob("*") if not each.is_file() and (each.is_symlink() or not each.is_dir()))
    paths = (each.relative_to(folder) for each in found)
    return sorted(each.as_posix() for each in paths if not any(part.startswith(".") for part in each.parts))


def digest_of(folder: Path, name: str, *, marked: bool = True) -> FileDigest:
    """Return the digest of a file. Raises OSError."""
    total, marks = hashlib.sha256(), bytearray()
    for line in _lines(folder / name):
        total.update(line)
        if marked:
            marks += _mark(line)
    return FileDigest(name, total.hexdigest(), base64.b64encode(marks).decode())


def first_changed_line(folder: Path, original: FileDigest) -> int | None:
    """Return the number of the first line that differs from the original, or None if the marks do not show it.

    If lines are missing at the end, it is the number of the first missing line. Raises OSError.
    """
    try:
        marks = base64.b64decode(original.marks, validate=True)
    except ValueError:
        return None
    known = [marks[start : start + _MARK_BYTES] for start in range(0, len(marks), _MARK_BYTES)]
    count = 0
    for line in _lines(folder / original.name):
        if count >= len(known) or _mark(line) != known[count]:
            return count + 1 if known else None
        count += 1
    return count + 1 if count < len(known) else None


def _mark(line: bytes) -> bytes:
    return hashlib.sha256(line).digest()[:_MARK_BYTES]


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from file
