"""Rows of faults of the content export, which change its files before they are written."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from airworthy.sandbox.faults.fault import Row, described
from airworthy.sandbox.model.export_file import ExportFile, Line

Change = Callable[[str], str]


def files_without(fits: Callable[[ExportFile], bool]) -> Row:
    """Leave out files."""
    return described(export=lambda files: tuple(each for each in files if not fits(each)))


def first_file_as(name: str) -> Row:
    """Deliver the first file a second time under another name."""
    return described(export=lambda files: (*files, replace(files[0], name=name, customer="")))


def edit_files(edit: Callable[[ExportFile], ExportFile], kind: str = "") -> Row:
    """Edit the files of one format, or of all; files with legacy names have no format to violate."""

    def edited(file: ExportFile) -> ExportFile:
        return edit(file) if file.customer and kind in ("", file.format) else file

    return described(export=lambda files: tuple(map(edited, files)))


def written_with(**members: object) -> Row:
    """Write all files with other settings, such as another separator."""
    return edit_files(lambda file: replace(file, **members))  # type: ignore[arg-type]


def _with_lines(file: ExportFile, change: Callable[[Line], Line]) -> ExportFile:
    return replace(file, lines=lambda: map(change, file.lines()))


def cells(column: str, change: Change, kind: str = "flights") -> Row:
    """Change the cells of a column that have a value."""

    def edit(file: ExportFile) -> ExportFile:
        at = file.columns.index(column)
        return _with_lines(file, lambda line: [*line[:at], change(line[at]) if line[at] else "", *line[at + 1 :]])

    return edit_files(edit, kind)


def flights(change: Callable[[Mapping[str, str]], dict[str, str]]) -> Row:
    """Replace cells of the flights files with others, which follow from the row."""

    def edit(file: ExportFile) -> ExportFile:
        def changed(line: Line) -> Line:
            cells_of = dict(zip(file.columns, line, strict=True))
            return [*(cells_of | change(cells_of)).values()]

        return _with_lines(file, changed)

    return edit_files(edit, "flights")


def last_columns(kind: str, *order: int, names: tuple[str, ...] = ()) -> Row:
    """Write the last three columns in this order, each as often as it is listed, with other names if given."""

    def edit(file: ExportFile) -> ExportFile:
        shared = len(file.columns) - 3
        columns = names or tuple(file.columns[shared + each] for each in order)
        changed = _with_lines(file, lambda line: [*line[:shared], *(line[shared + each] for each in order)])
        return replace(changed, columns=(*file.columns[:shared], *columns))

    return edit_files(edit, kind)


def renamed(old: str, new: str) -> Row:
    """Rename a column of the flights files."""
    return edit_files(
        lambda file: replace(file, columns=tuple(new if each == old else each for each in file.columns)), "flights"
    )


def first_row(change: Callable[[Line], Line], kind: str = "flights") -> Row:
    """Change the first row after the header."""

    def edit(file: ExportFile) -> ExportFile:
        def lines() -> Iterator[Line]:
            for number, line in enumerate(file.lines()):
                yield line if number else change(line)

        return replace(file, lines=lines)

    return edit_files(edit, kind)


def writes(column: str, text: str, kind: str = "flights") -> Row:
    """Write a text into all cells of a column that have a value."""
    edit = cells(column, lambda _: text, kind)
    return lambda name: edit(f"{name}: writes {text or 'nothing'} as {column} of {kind} files")


def iso_date(date: str) -> str:
    """Return a date such as 31.12.2026 as 2026-12-31."""
    return "-".join(reversed(date.split(".")))


def another_number(number: str) -> str:
    """Return a flight number that differs from this one."""
    return str(int(number) % 9999 + 1)


def years_later(day: str) -> str:
    """Return the first day of the same month three years later."""
    return f"01{day[2:6]}{int(day[6:]) + 3}"
