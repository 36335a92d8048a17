"""Check the rows of a file against its columns.

Most rows resemble rows that were checked before. The first pattern of `CellValidator.patterns` matches those, so they
are skipped without being split into cells. When a column is wrong in row after row, the second pattern ignores that
column, and only its cells are checked.
"""

from collections.abc import Sequence
from typing import Final

from airworthy.export.formats import Column
from airworthy.export.observed import EMPTY, TEXT, ObservedForms
from airworthy.export.report import LONGEST_SHOWN, ExportFindingKind, FindingTally
from airworthy.export.rows import LONGEST, ExportRow, RowPattern
from airworthy.export.segments import (
    DURATION,
    FROM,
    ExportItinerary,
    SegmentDefect,
    ZoneDifferences,
    compared_columns,
    row_values,
    segment_defects,
)

_SPLIT_FIRST: Final = 1_000
"""This many rows are split into cells before a pattern is built. The totals are compared in these rows only, the
segments also in a row of each block after them."""

_WRONG: Final = "wrong"
_MOST_REMEMBERED: Final = 10_000
_LONGEST_REMEMBERED: Final = 64
_PASSENGER_TYPES: Final = ("Adult", "Child", "Infant")
_HALF_A_CENT: Final = 0.005
_DEFECTS: Final = {
    "NUL": ("a row contains NUL bytes", "text"),
    "unclosed quote": ("a quoted cell is not closed", f"a closing quote within {LONGEST} bytes"),
    "too long": ("a row is too long to be checked", f"at most {LONGEST} bytes"),
}


class CellValidator:
    """Checks the rows of one file.

    ``columns`` are those of the file in the file's order, None for an unknown column. ``is_wide`` says that the file's
    encoding uses two or more bytes per character; its rows are then given in UTF-8. ``observed`` is what the file does
    where the documents leave the choice.
    """

    def __init__(self, columns: Sequence[Column | None], tally: FindingTally, delimiter: str, *, is_wide: bool) -> None:
        self.examined: set[str] = set()
        self._columns = columns
        self._tally = tally
        self._delimiter = delimiter.encode()
        self.observed = ObservedForms(columns, delimiter, is_wide=is_wide)
        # Values known to be right: for each column a set of unquoted and a set of quoted cells.
        self._known: list[tuple[set[bytes], set[bytes]]] = [(set(), set()) for _ in columns]
        self._wrong_columns: set[int] = set()
        self._names = [column.name if column else "" for column in columns]
        self._has_segments = f"segmentFirst{FROM}" in self._names
        self._compared = [column if column and column.name in compared_columns() else None for column in columns]
        self._totals = [found for passenger in _PASSENGER_TYPES if (found := self._total_columns(passenger))]
        self._zones = ZoneDifferences()
        self._rows = 0
        self._is_stale = True
        self._patterns: tuple[RowPattern | None, RowPattern | None] = (None, None)

    @property
    def patterns(self) -> tuple[RowPattern | None, RowPattern | None]:
        """The pattern of rows to skip, and the pattern of rows for `check_wrong_columns`.

        Either is None until enough rows have been checked.
        """
        if self._is_stale and self._rows >= _SPLIT_FIRST:
            self._is_stale = False
            others = self.observed.known_rows_except(self._wrong_columns) if self._wrong_columns else None
            self._patterns = self.observed.known_rows(), others
        return self._patterns

    def check_row(self, row: ExportRow) -> None:
        """Check every cell of a row."""
        self._rows += 1
        self.examined.update(("EXPORT-CSV", "EXPORT-ROWS"))
        self._is_stale |= self.observed.add_row(row)
        if row.defect:
            add_row_defect(row, self._tally)
        elif len(row.cells) != len(self._columns):
            self._add_wrong_number_of_cells(row)
        else:
            for index, (known, cell, quoted) in enumerate(zip(self._known, row.cells, row.quoted, strict=True)):
                if cell not in known[quoted]:
                    self._check_cell(row.line, index, cell, quoted=quoted)
            if self._rows <= _SPLIT_FIRST:
                self._observe_totals(row)
            if self._has_segments:
                self._compare_segments(row)

    def check_wrong_columns(self, line: int, rows: bytes) -> int:
        """Check only the columns that were wrong before, and return the number of rows.

        ``rows`` are rows that the second pattern matches; ``line`` is the line of the first.
        """
        lines = rows.split(b"\n")[:-1]
        for number, raw in enumerate(lines, start=line):
            cells = raw.rstrip(b"\r").split(self._delimiter)
            for index in self._wrong_columns:
                if cells[index] not in self._known[index][False]:
                    self._check_cell(number, index, cells[index], quoted=False)
        return len(lines)

    def _check_cell(self, line: int, index: int, cell: bytes, *, quoted: bool) -> None:
        column = self._columns[index]
        form = _form(column, cell)
        if form == _WRONG:
            self._add_wrong_cell(line, column, cell)
            if index not in self._wrong_columns:
                self._wrong_columns.add(index)
                self._is_stale = True
            return
        if self.observed.add_cell(line, index, form, quoted=quoted):
            self._is_stale = True
            if column and form != EMPTY:
                self.examined.update(rule for rule in (column.type.rule, column.empty_rule) if rule)
        known = self._known[index][quoted]
        if len(known) < _MOST_REMEMBERED and len(cell) <= _LONGEST_REMEMBERED:
            known.add(cell)

    def _add_wrong_cell(self, line: int, column: Column | None, cell: bytes) -> None:
        assert column
        cell_type = column.type
        if cell:
            # No sentence of the documents excludes spaces around a value.
            padded = _form(column, cell.strip(b" ")) not in (_WRONG, EMPTY)
            unusual = padded or any(form.matches(cell) for form in cell_type.soft_forms)
            rule, soft, message = cell_type.rule, column.soft or unusual, "a cell contains an invalid value"
        else:
            rule, soft, message = column.empty_rule, column.empty_soft, "a cell is empty"
        assert rule
        self.examined.add(rule)
        expected = cell_type.expected or "a value"
        self._tally.add(rule, message, line=line, column=column.name, value=cell, expected=expected, soft=soft)

    def _add_wrong_number_of_cells(self, row: ExportRow) -> None:
        expected = f"{len(self._columns)} cells"
        if not row.raw:
            self._tally.add(
                "EXPORT-ROWS", "a line is blank", line=row.line, value=b"0 cells", expected=expected, soft=True
            )
            return
        number = len(row.cells)
        message = "the file ends in the middle of a row" if row.end == "none" else "a row has too few cells"
        if number > len(self._columns):
            message = "a row has too many cells"
        value = b"%d cell%s: %s" % (number, b"s" * (number != 1), row.raw[:LONGEST_SHOWN])
        self._tally.add("EXPORT-ROWS", message, line=row.line, value=value, expected=expected)

    def _compare_segments(self, row: ExportRow) -> None:
        values = row_values(self._compared, row.cells)
        itinerary = ExportItinerary.of(values)
        if itinerary.segments:
            self.examined.add("EXPORT-SEGMENTS")
            defects = [*segment_defects(values, itinerary)]
            if self._zones.contradicts(values, itinerary):
                expected = "a duration that fits the times as on the other flights of the route"
                defects.append(SegmentDefect(DURATION, "times and duration of a flight disagree", expected, soft=True))
            for column, message, expected, soft in defects:
                value = row.cells[self._names.index(column)]
                self._tally.add(
                    "EXPORT-SEGMENTS", message, line=row.line, column=column, value=value, expected=expected, soft=soft
                )

    def _observe_totals(self, row: ExportRow) -> None:
        for columns in self._totals:
            base, supplement, total = (_number(row.cells[column]) for column in columns)
            if base is not None and supplement is not None and total is not None:
                is_sum = abs(base + supplement - total) < _HALF_A_CENT
                value = "base fare plus supplement" if is_sum else "a different amount"
                self.observed.add(row.line, "total fares", value)

    def _total_columns(self, passenger: str) -> tuple[int, ...] | None:
        total_columns = [f"{amount}Amount{passenger}" for amount in ("baseFare", "supplementSum", "totalFare")]
        return tuple(map(self._names.index, total_columns)) if set(total_columns) <= set(self._names) else None


def add_row_defect(row: ExportRow, tally: FindingTally) -> None:
    """Add the finding on a row that cannot be split into cells."""
    message, expected = _DEFECTS[row.defect]
    kind: ExportFindingKind = "unreadable" if row.defect == "too long" else "violation"
    tally.add("EXPORT-CSV", message, line=row.line, value=row.raw, expected=expected, kind=kind)


def _form(column: Column | None, cell: bytes) -> str:
    """Return the name of a cell's form, or `_WRONG`."""
    if not cell:
        return _WRONG if column and column.empty_rule else EMPTY
    if column is None:
        return TEXT
    matching = next((form.name for form in column.type.forms if form.matches(cell)), None)
    return matching or (_WRONG if column.type.rule else TEXT)


def _number(cell: bytes) -> float | None:
    try:
        return float(cell.replace(b",", b"."))
    except ValueError:
        return None
