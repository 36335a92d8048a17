"""Reads the first line of a file: which columns it has, and what is wrong with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from airworthy.export.cells import tell_trouble
from airworthy.export.formats import Column, ContentExport, Format
from airworthy.export.report import Tally, shown
from airworthy.export.rows import Row

_MOST_COLUMNS: Final = 1_000
_OTHER_SEPARATORS: Final = (b",", b"\t", b"|", b":")


@dataclass(frozen=True, slots=True)
class Heading:
    """What the first line says.

    ``format`` is None where nothing tells it. ``columns`` are those of the file in its own order, each None that is
    unknown; all of it is None where rows cannot be judged. Where the header ``is_missing`` the columns are those of the
    format, and the first row is like any other.
    """

    format: Format | None
    columns: tuple[Column | None, ...] | None
    is_missing: bool
    examined: frozenset[str]


def read_header(row: Row | None, export: ContentExport, named: str | None, tally: Tally) -> Heading:
    """Hold the first row (None: there is none) against the columns of a format.

    ``named`` is the format that the file's name tells, None where it tells none: then the header does.
    """
    cells = [cell.decode("utf-8", "backslashreplace") for cell in row.cells] if row else []
    told = export.formats[named] if named else _told(cells, export)
    if row is None:
        tally.add("EXPORT-HEADER", "the file is empty", line=1, expected="a header line")
        return Heading(told, None, True, frozenset({"EXPORT-HEADER"}))
    if row.trouble:
        tell_trouble(row, tally)
        return Heading(told, None, True, frozenset({"EXPORT-CSV"}))
    known = told or max(export.formats.values(), key=lambda each: len(each.columns))
    if _shared(cells, known):
        examined = frozenset({"EXPORT-CSV", "EXPORT-HEADER", "EXPORT-SEPARATOR", known.rule})
        return Heading(known, _columns(cells, known, tally), False, examined)
    if separator := _separator(row.raw, known):
        expected = f"cells separated by {export.delimiter}"
        tally.add("EXPORT-SEPARATOR", "cells are separated otherwise", line=1, value=separator, expected=expected)
        return Heading(told, None, False, frozenset({"EXPORT-SEPARATOR"}))
    tally.add("EXPORT-HEADER", "there is no header line", line=1, value=row.raw, expected="the names of the columns")
    columns = told.columns if told and len(cells) == len(told.columns) else None
    return Heading(told, columns, True, frozenset({"EXPORT-HEADER"}))


def _told(cells: Sequence[str], export: ContentExport) -> Format | None:
    """Return the shortest format of those that share most with a header, None where none shares anything."""
    formats = sorted(export.formats.values(), key=lambda each: len(each.columns))
    best = max(formats, key=lambda each: _shared(cells, each))
    return best if _shared(cells, best) else None


def _shared(cells: Sequence[str], found: Format) -> int:
    known = {_plain(column.name) for column in found.columns}
    return len(known & set(map(_plain, cells)))


def _plain(name: str) -> str:
    return name.strip().casefold()


def _separator(raw: bytes, found: Format) -> bytes | None:
    """Return what separates the names in a line of them."""
    text = raw.replace(b'"', b"")
    shared = {each: _shared([*map(shown, text.split(each))], found) for each in _OTHER_SEPARATORS}
    best = max(_OTHER_SEPARATORS, key=lambda each: shared[each])
    return best if shared[best] > 1 else None


def _columns(cells: Sequence[str], found: Format, tally: Tally) -> tuple[Column | None, ...] | None:
    """Return the columns of the file; what is missing, unknown, misspelt or in another place is told.

    They are None where they are so many that no row will be judged.
    """
    by_name = {column.name: column for column in found.columns}
    by_plain = {_plain(name): name for name in by_name}
    left = dict(by_name)
    columns: list[Column | None] = []
    for cell in cells:
        name = cell if cell in left else by_plain.get(_plain(cell), "")
        column = left.pop(name, None)
        columns.append(column)
        if column is None:
            expected = f"the {len(by_name)} columns of {found.name}, and none else"
            message = "a column stands twice" if cell in by_name else "a column is unknown"
            tally.add(found.rule, message, line=1, value=cell, expected=expected)
        elif cell != name:
            tally.add(found.rule, "a column is spelt otherwise", line=1, column=name, value=cell, expected=name)
    for name in left:
        tally.add(found.rule, "a column is missing", line=1, column=name, expected=name)
    there = [column.name for column in columns if column]
    in_order = [name for name in by_name if name not in left]
    if there != in_order:
        value, expected = next((a, b) for a, b in zip(there, in_order, strict=True) if a != b)
        tally.add(found.rule, "columns are in another order", line=1, column=value, value=value, expected=expected)
    return tuple(columns) if len(columns) <= _MOST_COLUMNS else None
