"""Keeps any number of lines until all are there, on disk, and gives them back in the order of their places."""

import tempfile
import weakref
from collections.abc import Iterable, Iterator

Told = tuple[int, int, bytes]


class Shelf:
    """Lines by file and entry. What is put here holds nothing private: it is what is shown."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the shelf
        weakref.finalize(self, self._file.close)
        self._places: list[tuple[int, int, int, int]] = []

    def put(self, told: Iterable[Told]) -> None:
        """Keep the lines of some entries."""
        at = self._file.seek(0, 2)
        for file, entry, lines in told:
            self._places.append((file, entry, at, len(lines)))
            at += self._file.write(lines)

    def __iter__(self) -> Iterator[bytes]:
        """Yield the lines of one entry after the other."""
        for _, _, at, length in sorted(self._places):
            self._file.seek(at)
            yield self._file.read(length)
