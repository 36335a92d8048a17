"""Find the recordings in a folder."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from airworthy.errors import UsageError
from airworthy.evidence.chain import BEGINNING
from airworthy.evidence.compression import read_head
from airworthy.evidence.rotation import rotated_name


class FoundFiles(NamedTuple):
    """Files, sorted within each folder and none twice, and those that are omitted because they are still written to."""

    files: tuple[Path, ...]
    being_written: tuple[Path, ...] = ()


def find_files(paths: Iterable[Path], is_wanted: Callable[[Path], bool], what: str) -> FoundFiles:
    """Return the named files and, of each folder and its subfolders, those that are wanted.

    Hidden files are omitted, and so are rotated files that are not closed, because they are not complete. Raises
    `UsageError` if a path does not exist, a folder cannot be read, or it contains nothing that is wanted; ``what``
    names that in the message.
    """
    files: dict[Path, Path] = {}
    being_written: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.setdefault(path.resolve(), path)
            continue
        inside = list(_visible_files(path))
        is_open = {each for each in inside if (name := rotated_name(each)) and name.is_open}
        wanted = [each for each in inside if each not in is_open and is_wanted(each)]
        if not wanted:
            rest = "; its files are still being written, so name them to include them" if is_open else ""
            raise UsageError(f"{path}: the folder contains no {what}{rest}")
        being_written += sorted(is_open)
        for each in wanted:
            files.setdefault(each.resolve(), each)
    return FoundFiles(tuple(files.values()), tuple(being_written))


def is_evidence(path: Path) -> bool:
    """Return whether a file is evidence. A rotated file is, even if it is damaged. Raises `UsageError`."""
    return rotated_name(path) is not None or read_head(path, len(BEGINNING)) == BEGINNING


def _visible_files(folder: Path) -> Iterator[Path]:
    def fail(error: OSError) -> None:
        raise UsageError(f"{error.filename}: {error.strerror}")

    found = []
    for parent, folders, names in os.walk(folder, onerror=fail):
        folders[:] = [each for each in folders if not each.startswith(".")]
        found += [Path(parent, name) for name in names if not name.startswith(".")]
    return iter(sorted(path for path in found if path.is_file()))
