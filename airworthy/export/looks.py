"""What the rows of a file look like: the forms that its cells have, by column, and what all of it has in common.

From that two things are made: the observations of what the documents leave open, and the pattern of rows that show
nothing new. Where a wide form was seen, such as any text, a narrower one is no news.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from airworthy.export.formats import Column
from airworthy.export.patterns import Pattern, compiled, either
from airworthy.export.report import Observation
from airworthy.export.rows import Row

EMPTY: Final = "empty"
TEXT: Final = "any text"

_ENDS: Final = {"LF": b"\n", "CRLF": b"\r\n"}
# The characters of text, by the encodings that were seen in the file; %b stands for what ends a cell without quotes.
_CHARACTERS: Final = {
    "ASCII": rb'[^\x00\n\r"%b\x80-\xff]',
    "UTF-8": rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}",
    "one byte a character": rb"[\x80-\xff]",
}


class Looks:
    """What has been seen in a file, and in which line first.

    ``columns`` are those of the file in its own order, None where one is unknown. ``is_wide``: its characters take two
    bytes or more, and are given in UTF-8.
    """

    def __init__(self, columns: Sequence[Column | None], delimiter: str, *, is_wide: bool) -> None:
        self._columns = columns
        self._delimiter = delimiter.encode()
        self._is_wide = is_wide
        self._cells: list[dict[tuple[str, bool], int]] = [{} for _ in columns]
        self._file: dict[tuple[str, str], int] = {}

    def see_cell(self, line: int, index: int, form: str, *, quoted: bool) -> bool:
        """Keep the form of a cell, in quotes or not; return whether it is new in its column."""
        is_new = (form, quoted) not in self._cells[index]
        if is_new:
            self._cells[index][form, quoted] = line
        return is_new

    def see_row(self, row: Row) -> bool:
        """Keep the encoding and the line end of a row; return whether one of them is new."""
        is_new = self.see(row.line, "the line end", row.end)
        # Where the first bytes tell the encoding, the row's own is that of what reads it.
        return (not self._is_wide and self.see(row.line, "the encoding", _encoding(row.raw))) or is_new

    def see(self, line: int, subject: str, value: str) -> bool:
        """Keep what a line shows of the whole file; return whether it is new."""
        is_new = (subject, value) not in self._file
        if is_new:
            self._file[subject, value] = line
        return is_new

    def observations(self, file: str) -> list[Observation]:
        """Return what the documents leave open and the file shows, in the order of its lines."""
        found: dict[tuple[str, str, str], int] = {}
        for key, line in self._observed():
            found[key] = min(line, found.get(key, line))
        return [Observation(*key, file, line) for key, line in sorted(found.items(), key=lambda each: each[1])]

    def rows(self) -> Pattern | None:
        """Return the pattern of any number of rows that show nothing new, None where no row can be that."""
        return self._rows([[self._pattern(index, *look) for look in seen] for index, seen in enumerate(self._cells)])

    def rows_apart_from(self, free: Collection[int]) -> Pattern | None:
        """Return the same for rows without quotes in which some columns hold any text."""
        anything = [b"", self._text(self._delimiter)]
        plain = (
            [self._pattern(index, form, quoted) for form, quoted in seen if not quoted]
            for index, seen in enumerate(self._cells)
        )
        return self._rows([anything if index in free else cells for index, cells in enumerate(plain)])

    def _observed(self) -> Iterator[tuple[tuple[str, str, str], int]]:
        for (subject, value), line in self._file.items():
            yield ("OPEN-101", subject, value), line
        for column, seen in zip(self._columns, self._cells, strict=True):
            for (form, quoted), line in seen.items():
                yield ("OPEN-101", "the quoting", "in quotes" if quoted else "no quotes"), line
                if column and form == EMPTY:
                    yield ("OPEN-101", "empty cells", column.name), line
                elif column and column.type.question:
                    yield (column.type.question, column.type.observed, form), line

    def _rows(self, cells: Sequence[Sequence[bytes]]) -> Pattern | None:
        ends = [_ENDS[end] for end in _ENDS if ("the line end", end) in self._file]
        if not ends or not all(cells):
            return None
        return compiled(b"(?:" + self._delimiter.join(map(either, cells)) + either(ends) + b")*")

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
        return either(each % end if b"%b" in each else each for each in characters) + b"+"


def _encoding(raw: bytes) -> str:
    if raw.isascii():
        return "ASCII"
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return "one byte a character"
    return "UTF-8"
