"""Remember which cell forms, encodings and line ends a file has used, and build patterns for rows that repeat them.

The observations are what the documents leave open. The patterns let the check skip the rows that bring nothing new:
one regular expression over all columns is nine times as fast as a pattern per cell (benchmarks/README.md). They are
compiled with RE2, whose matching time is linear in the text, so that no file can make the check slow.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, cast

import re2

from airworthy.export.formats import Column
from airworthy.export.report import ExportObservation
from airworthy.export.rows import ExportRow, RowPattern

EMPTY: Final = "empty"
TEXT: Final = "any text"

_PATTERN_MEMORY: Final = 64 << 20
_LINE_ENDS: Final = {"LF": b"\n", "CRLF": b"\r\n"}
# The characters of text by encoding. %b is replaced with the delimiter, which only a quoted cell may contain.
_CHARACTERS: Final = {
    "ASCII": rb'[^\x00\n\r"%b\x80-\xff]',
    "UTF-8": rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}",
    "single-byte": rb"[\x80-\xff]",
}


class ObservedForms:
    """The forms seen so far in one file, each with the line where it appeared first.

    ``columns`` are those of the file in the file's order, None for an unknown column. ``is_wide`` says that the file's
    encoding uses two or more bytes per character; its rows are then given in UTF-8.
    """

    def __init__(self, columns: Sequence[Column | None], delimiter: str, *, is_wide: bool) -> None:
        self._columns = columns
        self._delimiter = delimiter.encode()
        self._is_wide = is_wide
        self._cells: list[dict[tuple[str, bool], int]] = [{} for _ in columns]
        self._file: dict[tuple[str, str], int] = {}

    def add_cell(self, line: int, index: int, form: str, *, quoted: bool) -> bool:
        """Record the form of a cell; return whether it is new in its column."""
        is_new = (form, quoted) not in self._cells[index]
        if is_new:
            self._cells[index][form, quoted] = line
        return is_new

    def add_row(self, row: ExportRow) -> bool:
        """Record the encoding and the line end of a row; return whether one of them is new."""
        is_new = self.add(row.line, "the line end", row.end)
        # The rows of a wide encoding arrive in UTF-8, so they say nothing about the file's encoding.
        return (not self._is_wide and self.add(row.line, "the encoding", _encoding(row.raw))) or is_new

    def add(self, line: int, subject: str, value: str) -> bool:
        """Record something that is true of the file as a whole; return whether it is new."""
        is_new = (subject, value) not in self._file
        if is_new:
            self._file[subject, value] = line
        return is_new

    def observations(self, file: str) -> list[ExportObservation]:
        """Return what the file does where the documents leave the choice, in the order of its lines."""
        found: dict[tuple[str, str, str], int] = {}
        for key, line in self._observed():
            found[key] = min(line, found.get(key, line))
        return [ExportObservation(*key, file, line) for key, line in sorted(found.items(), key=lambda each: each[1])]

    def known_rows(self) -> RowPattern | None:
        """Return a pattern for any number of rows that show only known forms, or None if no row can be one."""
        return self._rows([[self._pattern(index, *form) for form in seen] for index, seen in enumerate(self._cells)])

    def known_rows_except(self, free: Collection[int]) -> RowPattern | None:
        """Return the same for rows without quotes in which the columns ``free`` contain any text."""
        anything = [b"", self._text(self._delimiter)]
        unquoted = (
            [self._pattern(index, form, quoted) for form, quoted in seen if not quoted]
            for index, seen in enumerate(self._cells)
        )
        return self._rows([anything if index in free else cells for index, cells in enumerate(unquoted)])

    def _observed(self) -> Iterator[tuple[tuple[str, str, str], int]]:
        for (subject, value), line in self._file.items():
            yield ("OPEN-101", subject, value), line
        for column, seen in zip(self._columns, self._cells, strict=True):
            for (form, quoted), line in seen.items():
                yield ("OPEN-101", "the quoting", "quoted" if quoted else "unquoted"), line
                if column and form == EMPTY:
                    yield ("OPEN-101", "empty cells", column.name), line
                elif column and column.type.question:
                    yield (column.type.question, column.type.observed, form), line

    def _rows(self, cells: Sequence[Sequence[bytes]]) -> RowPattern | None:
        ends = [_LINE_ENDS[end] for end in _LINE_ENDS if ("the line end", end) in self._file]
        if not ends or not all(cells):
            return None
        return compile_pattern(b"(?:" + self._delimiter.join(map(_either, cells)) + _either(ends) + b")*")

    def _pattern(self, index: int, form: str, quoted: bool) -> bytes:
        column = self._columns[index]
        if form == EMPTY:
            pattern = b""
        elif form == TEXT or column is None:
            pattern = self._text(b"" if quoted else self._delimiter)
        else:
            pattern = next(each.pattern for each in column.type.forms if each.name == form)
        return b'"' + pattern + b'"' if quoted else pattern

    def _text(self, end: bytes) -> bytes:
        names = {"UTF-8"} if self._is_wide else {name for name in _CHARACTERS if ("the encoding", name) in self._file}
        characters = (pattern for name, pattern in _CHARACTERS.items() if name in names or name == "ASCII")
        return _either(each % end if b"%b" in each else each for each in characters) + b"+"


def compile_pattern(pattern: bytes) -> RowPattern:
    """Compile a pattern that matches as much as possible. Raises re2.error if it is not a regular expression."""
    options = re2.Options()
    # One byte is one character: the documented forms are ASCII, and the encoding is unknown until the file is read.
    options.encoding = re2.Options.Encoding.LATIN1
    options.longest_match = True
    options.never_capture = True
    options.max_mem = _PATTERN_MEMORY
    return cast("RowPattern", re2.compile(pattern, options))


def _either(patterns: Iterable[bytes]) -> bytes:
    return b"(?:" + b"|".join(patterns) + b")"


def _encoding(raw: bytes) -> str:
    if raw.isascii():
        return "ASCII"
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return "single-byte"
    return "UTF-8"
