"""Holds rows against their columns.

Most rows look like one that was seen before. The judge keeps what it has seen in each column that is right, and makes
one pattern of it: a row that it matches is right and shows nothing new, and is not taken apart. All others are.
(Nothing new: where a wide form was seen, such as any text, a narrower one is no news.) Where cells of a column are
wrong in row after row, a second pattern leaves that column free, and only its cells are looked at.
"""

from collections.abc import Sequence
from itertools import compress, count
from operator import contains, not_
from typing import Final

from airworthy.export.formats import Column
from airworthy.export.patterns import Pattern, compiled, either
from airworthy.export.report import LONGEST_SHOWN, Kind, Observation, Tally
from airworthy.export.rows import LONGEST, Row

_CLOSELY: Final = 1_000
"""So many rows are taken apart first: what is observed of sums is observed of these."""

_EMPTY: Final = "empty"
_WRONG: Final = "wrong"
_TEXT: Final = "any text"
_REMEMBERED: Final = 10_000
_SHORT: Final = 64
_PEOPLE: Final = ("Adult", "Child", "Infant")
# Text in a cell without quotes, by the encodings that were seen in the file.
_CHARACTERS: Final = {
    "ASCII": rb'[^\x00\n\r"%b\x80-\xff]',
    "UTF-8": rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}",
    "one byte a character": rb"[\x80-\xff]",
}
_ENDS: Final = {"LF": b"\n", "CRLF": b"\r\n"}
_TROUBLES: Final = {
    "NUL": ("a row holds NUL bytes", "text"),
    "unclosed quote": ("a quote is opened and not closed", "a closing quote"),
    "too long": ("a row is too long to be read", f"at most {LONGEST} bytes"),
}
Look = tuple[str, bool]
"""How a cell is filled: the name of its form, and whether it stands in quotes."""


class Judge:
    """Judges the rows of one file, and remembers what they look like.

    ``columns`` are those of the file in its own order, None where one is unknown. ``is_wide``: its characters take two
    bytes or more, and are given in UTF-8.
    """

    def __init__(self, columns: Sequence[Column | None], tally: Tally, delimiter: str, *, is_wide: bool) -> None:
        self.examined: set[str] = set()
        self._columns = columns
        self._tally = tally
        self._delimiter = delimiter.encode()
        self._is_wide = is_wide
        # The cells that need no other look, by whether they stand in quotes.
        self._settled: list[tuple[set[bytes], set[bytes]]] = [(set(), set()) for _ in columns]
        self._looks: list[dict[Look, int]] = [{} for _ in columns]
        self._file_looks: dict[tuple[str, str], int] = {}
        self._sums = [found for who in _PEOPLE if (found := self._places(who))]
        self._read = 0
        self._suspects: set[int] = set()
        self._is_stale = True
        self._pattern: Pattern | None = None
        self._rough: Pattern | None = None

    @property
    def pattern(self) -> Pattern | None:
        """What matches any number of rows that need no closer look, None while nothing is known of them."""
        self._refresh()
        return self._pattern

    @property
    def rough(self) -> Pattern | None:
        """What matches any number of rows of which `judge_suspects` has to look at, None where none is worth it."""
        self._refresh()
        return self._rough

    def judge(self, row: Row) -> None:
        """Hold a row against its columns."""
        self._read += 1
        self.examined.update(("EXPORT-CSV", "EXPORT-ROWS"))
        self._look_at_file(row)
        if row.trouble:
            message, expected = _TROUBLES[row.trouble]
            kind: Kind = "unreadable" if row.trouble == "too long" else "violation"
            self._tally.add("EXPORT-CSV", message, line=row.line, value=row.raw, expected=expected, kind=kind)
        elif len(row.cells) != len(self._columns):
            self._wrong_number(row)
        else:
            settled = [sets[quoted] for sets, quoted in zip(self._settled, row.quoted, strict=True)]
            for index in compress(count(), map(not_, map(contains, settled, row.cells))):
                self._cell(row.line, index, row.cells[index], quoted=row.quoted[index])
            self._look_at_sums(row)

    def judge_suspects(self, line: int, rows: bytes) -> int:
        """Hold rows that `rough` matches against the columns that were wrong before, and return how many they are."""
        number = 0
        for number, raw in enumerate(rows.split(b"\n")[:-1], start=1):
            cells = raw.rstrip(b"\r").split(self._delimiter)
            for index in self._suspects:
                if cells[index] not in self._settled[index][False]:
                    self._cell(line + number - 1, index, cells[index], quoted=False)
        return number

    # Cells

    def _cell(self, line: int, index: int, cell: bytes, *, quoted: bool) -> None:
        column = self._columns[index]
        form = _form(column, cell)
        if form == _WRONG:
            self._wrong(line, column, cell)
            if index not in self._suspects:
                self._suspects.add(index)
                self._is_stale = True
            return
        if (form, quoted) not in self._looks[index]:
            self._looks[index][form, quoted] = line
            self._is_stale = True
            if column and form != _EMPTY:
                self.examined.update(rule for rule in (column.type.rule, column.empty_rule) if rule)
        settled = self._settled[index][quoted]
        if len(settled) < _REMEMBERED and len(cell) <= _SHORT:
            settled.add(cell)

    def _wrong(self, line: int, column: Column | None, cell: bytes) -> None:
        assert column
        kind = column.type
        if not cell:
            assert column.empty_rule
            rule, soft, message = column.empty_rule, column.empty_soft, "a cell is empty"
        else:
            assert kind.rule
            rule, soft, message = kind.rule, column.soft, f"a cell does not hold {kind.expected}"
        self.examined.add(rule)
        self._tally.add(
            rule, message, line=line, column=column.name, value=cell, expected=kind.expected or "a value", soft=soft
        )

    def _wrong_number(self, row: Row) -> None:
        expected = f"{len(self._columns)} cells"
        if not row.raw:
            self._tally.add("EXPORT-ROWS", "a line is blank", line=row.line, expected=expected, soft=True)
            return
        number = len(row.cells)
        way = "few" if number < len(self._columns) else "many"
        message = f"a row has too {way} cells"
        if way == "few" and row.end == "none":
            message = "the file ends within a row"
        value = b"%d cell%s: %s" % (number, b"s" * (number != 1), row.raw[:LONGEST_SHOWN])
        self._tally.add("EXPORT-ROWS", message, line=row.line, value=value, expected=expected)

    # What is observed

    def observations(self) -> list[Observation]:
        """Return what the documents leave open and this file shows."""
        found: dict[tuple[str, str, str], int] = {}
        for (subject, value), line in self._file_looks.items():
            found.setdefault(("OPEN-101", subject, value), line)
        for column, looks in zip(self._columns, self._looks, strict=True):
            for (form, quoted), line in looks.items():
                key = ("OPEN-101", "the quoting", "in quotes" if quoted else "no quotes")
                found[key] = min(line, found.get(key, line))
                if column and (observed := _observed(column, form)):
                    found[observed] = min(line, found.get(observed, line))
        file = self._tally.file
        return [Observation(*key, file, line) for key, line in sorted(found.items(), key=lambda each: each[1])]

    def look_at_encoding(self, row: Row) -> None:
        """Observe the encoding of a row, where the file's first bytes did not tell it."""
        if not self._is_wide:
            self._file_look("the encoding", _encoding(row.raw), row.line)

    def _look_at_file(self, row: Row) -> None:
        self._file_look("the line end", row.end, row.line)
        self.look_at_encoding(row)

    def _file_look(self, subject: str, value: str, line: int) -> None:
        if (subject, value) not in self._file_looks:
            self._file_looks[subject, value] = line
            self._is_stale = True

    def _look_at_sums(self, row: Row) -> None:
        if self._read > _CLOSELY:
            return
        for places in self._sums:
            base, supplement, total = (_number(row.cells[place]) for place in places)
            if base is not None and supplement is not None and total is not None:
                is_sum = abs(base + supplement - total) < 0.005  # noqa: PLR2004  half a cent
                value = "base fare and supplement together" if is_sum else "another amount than both together"
                self._file_look("total fares", value, row.line)

    def _places(self, who: str) -> tuple[int, ...] | None:
        names = [column.name if column else "" for column in self._columns]
        wanted = [f"{what}Amount{who}" for what in ("baseFare", "supplementSum", "totalFare")]
        return tuple(map(names.index, wanted)) if set(wanted) <= set(names) else None

    # What is known

    def _refresh(self) -> None:
        """Make the patterns anew where something has been seen since; none is made before enough was."""
        if not self._is_stale or self._read < _CLOSELY:
            return
        self._is_stale = False
        ends = [end for end in _ENDS if ("the line end", end) in self._file_looks]
        looks = [[self._look(index, look) for look in seen] for index, seen in enumerate(self._looks)]
        self._pattern = self._rows(looks, ends)
        plain = [
            [b"", self._text(self._delimiter)]
            if index in self._suspects
            else [self._look(index, look) for look in seen if not look[1]]
            for index, seen in enumerate(self._looks)
        ]
        self._rough = self._rows(plain, ends) if self._suspects else None

    def _rows(self, looks: Sequence[Sequence[bytes]], ends: Sequence[str]) -> Pattern | None:
        """Return the pattern of rows with these cells and ends, None where a column has none."""
        if not ends or not all(looks):
            return None
        row = self._delimiter.join(map(either, looks)) + either(_ENDS[end] for end in ends)
        return compiled(b"(?:" + row + b")*")

    def _look(self, index: int, look: Look) -> bytes:
        form, quoted = look
        column = self._columns[index]
        if form == _EMPTY:
            pattern = b""
        elif form == _TEXT or column is None:
            pattern = self._text(b"" if quoted else self._delimiter)
        else:
            pattern = next(each.pattern for each in column.type.forms if each.name == form)
        return b'"' + pattern + b'"' if quoted else pattern

    def _text(self, without: bytes) -> bytes:
        """Return the pattern of text in the encodings that were seen."""
        seen = {name for name in _CHARACTERS if ("the encoding", name) in self._file_looks}
        names = {"ASCII", "UTF-8"} if self._is_wide else {"ASCII"} | seen
        characters = (pattern for name, pattern in _CHARACTERS.items() if name in names)
        return either(each % without if b"%b" in each else each for each in characters) + b"+"


def _form(column: Column | None, cell: bytes) -> str:
    """Return the name of a cell's form, or that it is wrong."""
    if not cell:
        return _WRONG if column and column.empty_rule else _EMPTY
    if column is None:
        return _TEXT
    named = next((form.name for form in column.type.forms if form.matches(cell)), None)
    return named or (_WRONG if column.type.rule else _TEXT)


def _observed(column: Column, form: str) -> tuple[str, str, str] | None:
    if form == _EMPTY:
        return ("OPEN-101", "empty cells", column.name)
    kind = column.type
    return (kind.question, kind.observed, form) if kind.question else None


def _encoding(raw: bytes) -> str:
    if raw.isascii():
        return "ASCII"
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return "one byte a character"
    return "UTF-8"


def _number(cell: bytes) -> float | None:
    try:
        return float(cell.replace(b",", b"."))
    except ValueError:
        return None
