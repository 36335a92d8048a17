"""Store the findings of an audit on disk until all of them are there, then return them in the order of the files."""

import tempfile
import weakref
from collections.abc import Iterable, Iterator

from airworthy.private_files import temporary_folder

EntryLines = tuple[int, int, bytes]
"""The file's index, the entry's index, and the entry's findings as lines of JSON."""


class LineSpool:
    """A temporary file of lines, sorted by file and entry. The lines are output, so they contain nothing private."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(dir=temporary_folder())  # noqa: SIM115 - the file is open as long as the spool exists
        weakref.finalize(self, self._file.close)
        self._index: list[tuple[int, int, int, int]] = []

    def add(self, entries: Iterable[EntryLines]) -> None:
        """Store the lines of some entries."""
        offset = self._file.seek(0, 2)
        for file, entry, lines in entries:
            self._index.append((file, entry, offset, len(lines)))
            offset += self._file.write(lines)

    def __iter__(self) -> Iterator[bytes]:
        """Yield the lines of each entry."""
        for _, _, offset, length in sorted(self._index):
            self._file.seek(offset)
            yield self._file.read(length)
