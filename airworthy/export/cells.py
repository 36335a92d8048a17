"""Holds rows against their columns.

Most rows look like one that was seen before. One pattern over all columns matches those: they are right and show
nothing new, and are not taken apart. All others are. Where cells of a column are wrong in row after row, a second
pattern leaves that column free, and only its cells are looked at.
"""

from collections.abc import Sequence
from itertools import compress, count
from operator import contains, not_
from typing import Final

from airworthy.export.formats import Column
from airworthy.export.looks import EMPTY, TEXT, Looks
from airworthy.export.patterns import Pattern
from airworthy.export.report import LONGEST_SHOWN, Kind, Observation, Tally
from airworthy.export.rows import LONGEST, Row

_CLOSELY: Final = 1_000
"""So many rows are taken apart first: what is observed of sums is observed of these."""

_WRONG: Final = "wrong"
_REMEMBERED: Final = 10_000
_SHORT: Final = 64
_PEOPLE: Final = ("Adult", "Child", "Infant")
_TROUBLES: Final = {
    "NUL": ("a row holds NUL bytes", "text"),
    "unclosed quote": ("a quote is opened and not closed", f"a closing quote within {LONGEST} bytes"),
    "too long": ("a row is too long to be read", f"at most {LONGEST} bytes"),
}


class Judge:
    """Judges the rows of one file.

    ``columns`` are those of the file in its own order, None where one is unknown. ``is_wide``: its characters take two
    bytes or more, and are given in UTF-8.
    """

    def __init__(self, columns: Sequence[Column | None], tally: Tally, delimiter: str, *, is_wide: bool) -> None:
        self.examined: set[str] = set()
        self._columns = columns
        self._tally = tally
        self._delimiter = delimiter.encode()
        self._looks = Looks(columns, delimiter, is_wide=is_wide)
        # The cells that need no other look, by whether they stand in quotes; and the columns where one was wrong.
        self._settled: list[tuple[set[bytes], set[bytes]]] = [(set(), set()) for _ in columns]
        self._suspects: set[int] = set()
        self._sums = [found for who in _PEOPLE if (found := self._places(who))]
        self._read = 0
        self._is_stale = True
        self._patterns: tuple[Pattern | None, Pattern | None] = (None, None)

    @property
    def patterns(self) -> tuple[Pattern | None, Pattern | None]:
        """What matches any number of rows that need no closer look, and rows that `judge_suspects` has to look at.

        Either is None while too little is known.
        """
        if self._is_stale and self._read >= _CLOSELY:
            self._is_stale = False
            rough = self._looks.rows_apart_from(self._suspects) if self._suspects else None
            self._patterns = self._looks.rows(), rough
        return self._patterns

    def judge(self, row: Row) -> None:
        """Hold a row against its columns."""
        self._read += 1
        self.examined.update(("EXPORT-CSV", "EXPORT-ROWS"))
        self._is_stale |= self._looks.see_row(row)
        if row.trouble:
            tell_trouble(row, self._tally)
        elif len(row.cells) != len(self._columns):
            self._wrong_number(row)
        else:
            settled = [sets[quoted] for sets, quoted in zip(self._settled, row.quoted, strict=True)]
            for index in compress(count(), map(not_, map(contains, settled, row.cells))):
                self._cell(row.line, index, row.cells[index], quoted=row.quoted[index])
            if self._read <= _CLOSELY:
                self._look_at_sums(row)

    def judge_suspects(self, line: int, rows: bytes) -> int:
        """Hold rows against the columns that were wrong before, and return how many they are.

        ``line`` is that of the first; all of them are what the second pattern matches.
        """
        number = 0
        for number, raw in enumerate(rows.split(b"\n")[:-1], start=1):
            cells = raw.rstrip(b"\r").split(self._delimiter)
            for index in self._suspects:
                if cells[index] not in self._settled[index][False]:
                    self._cell(line + number - 1, index, cells[index], quoted=False)
        return number

    def see_header(self, row: Row) -> None:
        """Keep the encoding of a row that is not judged."""
        self._looks.see_row(row)

    def observations(self) -> list[Observation]:
        """Return what the documents leave open and this file shows."""
        return self._looks.observations(self._tally.file)

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
        if self._looks.see_cell(line, index, form, quoted=quoted):
            self._is_stale = True
            if column and form != EMPTY:
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

    def _look_at_sums(self, row: Row) -> None:
        for places in self._sums:
            base, supplement, total = (_number(row.cells[place]) for place in places)
            if base is not None and supplement is not None and total is not None:
                is_sum = abs(base + supplement - total) < 0.005  # noqa: PLR2004  half a cent
                value = "base fare and supplement together" if is_sum else "another amount than both together"
                self._looks.see(row.line, "total fares", value)

    def _places(self, who: str) -> tuple[int, ...] | None:
        names = [column.name if column else "" for column in self._columns]
        wanted = [f"{what}Amount{who}" for what in ("baseFare", "supplementSum", "totalFare")]
        return tuple(map(names.index, wanted)) if set(wanted) <= set(names) else None


def tell_trouble(row: Row, tally: Tally) -> None:
    """Tell why a row cannot be judged."""
    message, expected = _TROUBLES[row.trouble]
    kind: Kind = "unreadable" if row.trouble == "too long" else "violation"
    tally.add("EXPORT-CSV", message, line=row.line, value=row.raw, expected=expected, kind=kind)


def _form(column: Column | None, cell: bytes) -> str:
    """Return the name of a cell's form, or that it is wrong."""
    if not cell:
        return _WRONG if column and column.empty_rule else EMPTY
    if column is None:
        return TEXT
    named = next((form.name for form in column.type.forms if form.matches(cell)), None)
    return named or (_WRONG if column.type.rule else TEXT)


def _number(cell: bytes) -> float | None:
    try:
        return float(cell.replace(b",", b"."))
    except ValueError:
        return None
