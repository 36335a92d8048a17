"""Check the header line of a file and find out which columns the file has."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from airworthy.export.cells import add_row_defect
from airworthy.export.formats import Column, ExportFormat, ExportSpecification
from airworthy.export.report import FindingTally, shown_cell
from airworthy.export.rows import ExportRow

_MOST_COLUMNS: Final = 1_000
_LONGEST_NAME: Final = 100
_OTHER_SEPARATORS: Final = (b",", b"\t", b"|", b":")
_JOINTS: Final = str.maketrans("", "", "_-")


@dataclass(frozen=True, slots=True)
class ExportHeader:
    """The header of a file.

    ``format`` is None if neither the name nor the header identifies it. ``columns`` are those of the file in the file's
    order, None for an unknown column; the whole is None if the rows cannot be checked. If the header ``is_missing``,
    the columns are those of the format, and the first row is a data row.
    """

    format: ExportFormat | None
    columns: tuple[Column | None, ...] | None
    is_missing: bool
    examined: frozenset[str]


def read_header(
    row: ExportRow | None, export: ExportSpecification, named: str | None, tally: FindingTally
) -> ExportHeader:
    """Check the first row (None if the file is empty) against the columns of a format.

    ``named`` is the format in the file's name. If it is None, the header identifies the format.
    """
    cells = [cell.decode("utf-8", "backslashreplace") for cell in row.cells] if row else []
    identified = export.formats[named] if named else _closest_format(cells, export)
    if row is None:
        tally.add("EXPORT-HEADER", "the file is empty", line=1, expected="a header line")
        return ExportHeader(identified, None, True, frozenset({"EXPORT-HEADER"}))
    if row.defect:
        add_row_defect(row, tally)
        return ExportHeader(identified, None, True, frozenset({"EXPORT-CSV"}))
    known = identified or max(export.formats.values(), key=lambda each: len(each.columns))
    if _shared(cells, known):
        examined = frozenset({"EXPORT-CSV", "EXPORT-HEADER", "EXPORT-SEPARATOR", known.rule})
        return ExportHeader(known, _columns(cells, known, tally), False, examined)
    if separator := _separator(row.raw, known):
        expected = f'cells separated by "{export.delimiter}"'
        tally.add("EXPORT-SEPARATOR", "wrong cell separator", line=1, value=separator, expected=expected)
        return ExportHeader(identified, None, False, frozenset({"EXPORT-SEPARATOR"}))
    if tally.all_soft:
        # The contents of a legacy file are open (OPEN-101).
        return ExportHeader(identified, None, False, frozenset())
    names = f'the column names, as in "{export.delimiter.join(column.name for column in known.columns[:3])}"'
    tally.add("EXPORT-HEADER", "the header line is missing", line=1, value=row.raw, expected=names)
    columns = identified.columns if identified and len(cells) == len(identified.columns) else None
    return ExportHeader(identified, columns, True, frozenset({"EXPORT-HEADER"}))


def _closest_format(cells: Sequence[str], export: ExportSpecification) -> ExportFormat | None:
    """Return the shortest of the formats that share most columns with a header, or None if none shares any."""
    formats = sorted(export.formats.values(), key=lambda each: len(each.columns))
    best = max(formats, key=lambda each: _shared(cells, each))
    return best if _shared(cells, best) else None


def _shared(cells: Sequence[str], found: ExportFormat) -> int:
    known = {_normalized(column.name) for column in found.columns}
    return len(known & set(map(_normalized, cells)))


def _normalized(name: str) -> str:
    """Return a column name in lower case, without underscores, hyphens and spaces, to recognise misspelled names."""
    return "".join(name.translate(_JOINTS).casefold().split())


def _separator(raw: bytes, found: ExportFormat) -> bytes | None:
    """Return the separator of a header that does not use the documented one, or None if it has no other."""
    text = raw.replace(b'"', b"")
    shared = {each: _shared([*map(shown_cell, text.split(each))], found) for each in _OTHER_SEPARATORS}
    best = max(_OTHER_SEPARATORS, key=lambda each: shared[each])
    return best if shared[best] > 1 else None


def _columns(cells: Sequence[str], found: ExportFormat, tally: FindingTally) -> tuple[Column | None, ...] | None:
    """Return the columns of the file, and add a finding for each that is missing, unknown, misspelled or misplaced.

    Return None if there are too many columns to check the rows.
    """
    by_name = {column.name: column for column in found.columns}
    by_normalized = {_normalized(name): name for name in by_name}
    left = dict(by_name)
    columns: list[Column | None] = []
    for cell in cells:
        resembled = difflib.get_close_matches(cell[:_LONGEST_NAME], left.keys() - {*cells}, 1, cutoff=0.85)
        name = cell if cell in left else by_normalized.get(_normalized(cell)) or "".join(resembled)
        column = left.pop(name, None)
        columns.append(column)
        if column is None:
            expected = f"only the {len(by_name)} columns of the {found.name} format"
            message = "a column appears twice" if cell in by_name else "a column is unknown"
            tally.add(found.rule, message, line=1, value=cell, expected=expected)
        elif cell != name:
            tally.add(found.rule, "a column name is misspelled", line=1, column=name, value=cell, expected=name)
    for name in left:
        tally.add(found.rule, "a column is missing", line=1, column=name, expected=name)
    present = [column.name for column in columns if column]
    in_order = [name for name in by_name if name not in left]
    if present != in_order:
        value, expected = next((a, b) for a, b in zip(present, in_order, strict=True) if a != b)
        tally.add(
            found.rule, "the columns are in the wrong order", line=1, column=value, value=value, expected=expected
        )
    return tuple(columns) if len(columns) <= _MOST_COLUMNS else None
