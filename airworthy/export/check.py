"""Check the content export: one file as a stream, or a folder of files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import product
from typing import Final, Protocol

from airworthy.errors import TargetError
from airworthy.export.cells import CellValidator
from airworthy.export.formats import ExportFileName, export_specification
from airworthy.export.header import read_header
from airworthy.export.report import ExportObservation, ExportReport, FileReport, FindingTally, shown
from airworthy.export.route_days import COLUMNS, RouteDays, compare
from airworthy.export.rows import ByteStream, RowReader

LISTING: Final = "(listing)"
"""The file name of findings about the folder itself."""

Progress = Callable[[str, ByteStream], ByteStream]
"""Returns the stream of a file with a name; whoever reads it is shown how far it has been read."""

_PREFIX, _SUFFIX = "cp_", ".csv"
_FEW: Final = 100


class ExportLocation(Protocol):
    """A place that contains files of the export."""

    @property
    def name(self) -> str:
        """The name to show; contains no secret."""

    @property
    def is_folder(self) -> bool:
        """Whether this is a whole folder, so that a missing file is a finding."""

    def names(self) -> Sequence[str]:
        """Return the file names. Raises UsageError if the place does not exist, TargetError if it cannot be read."""

    def size(self, name: str) -> int | None:
        """Return the size of a file in bytes, or None if it is unknown."""

    def open(self, name: str) -> AbstractContextManager[ByteStream]:
        """Open a file. Raises OSError if this file cannot be read, TargetError if no file can be read any more."""


@dataclass(frozen=True, slots=True)
class ExpectedFiles:
    """The files that an export must contain: for these customers with own distribution rules, versions and formats.

    Without ``versions`` or ``formats`` the ones that the folder has are expected: the documents do not say which
    versions are in use, and which formats were requested.
    """

    customers: tuple[str, ...] = ()
    versions: tuple[int, ...] = ()
    formats: tuple[str, ...] = ()


def check_file(name: str, stream: ByteStream) -> FileReport:
    """Check one file, in memory that does not grow with the file.

    The format follows from ``name``, or else from the header. Raises what reading the stream raises.
    """
    check = _FileCheck(name)
    check.read(stream)
    return check.report()


def check_folder(
    location: ExportLocation, expected: ExpectedFiles | None = None, progress: Progress = lambda _, stream: stream
) -> ExportReport:
    """Check the names and the contents of all files of a location.

    Files that do not belong to the export are ignored. The report says which files could not be read. Raises UsageError
    if the place does not exist, TargetError if it cannot be listed.
    """
    names = sorted(name for name in location.names() if name.lower().startswith(_PREFIX) or not location.is_folder)
    files = [name for name in names if _is_csv(name) or not location.is_folder]
    route_days: dict[ExportFileName, RouteDays] = {}
    reports = tuple(_check_files(location, files, route_days, progress))
    listing = _check_listing(names, expected or ExpectedFiles(), route_days, is_folder=location.is_folder)
    return ExportReport(location.name, listing, reports)


def _check_files(
    location: ExportLocation, names: Sequence[str], route_days: dict[ExportFileName, RouteDays], progress: Progress
) -> Iterator[FileReport]:
    """Yield the report of each file, and keep the routes and days of those that can be compared."""
    failure = ""
    for name in names:
        check = _FileCheck(name, RouteDays())
        try:
            if not failure:
                with location.open(name) as stream:
                    check.read(progress(name, stream))
        except TargetError as error:
            failure = str(error)
        except OSError as error:
            check.interrupted = error.strerror or str(error)
        check.interrupted = check.interrupted or failure
        file_name = export_specification().parse(name)
        if file_name and not file_name.is_legacy and check.route_days and not check.interrupted:
            route_days[file_name] = check.route_days
        yield check.report()


class _FileCheck:
    """The check of one file, up to where the file could be read."""

    def __init__(self, name: str, route_days: RouteDays | None = None) -> None:
        self.interrupted = ""
        self.route_days = route_days
        self._export = export_specification()
        file_name = self._export.parse(name)
        self._format = file_name.format if file_name else None
        self._tally = FindingTally(shown(name), all_soft=bool(file_name and file_name.is_legacy))
        self._validator: CellValidator | None = None
        self._examined: set[str] = set()
        self._rows = 0

    def read(self, stream: ByteStream) -> None:
        """Read the whole stream."""
        reader = RowReader(stream, self._export.delimiter)
        row = reader.next()
        header = read_header(row, self._export, self._format, self._tally)
        self._format = header.format.name if header.format else None
        self._examined |= header.examined
        if row is None:
            return
        columns, is_wide = header.columns or (), bool(reader.encoding)
        validator = CellValidator(columns, self._tally, self._export.delimiter, is_wide=is_wide)
        self._validator = validator
        validator.observed.add(1, "the byte order mark", "present" if reader.bom else "none")
        if reader.encoding:
            validator.observed.add(1, "the encoding", reader.encoding)
        validator.observed.add_row(row)
        if header.columns is None:
            return
        if not header.is_missing:
            row = reader.next()
        if [each.name for each in columns[: len(COLUMNS)] if each] != list(COLUMNS):
            self.route_days = None
        while row:
            self._add_route_days(row.raw)
            validator.check_row(row)
            self._rows += bool(row.raw)
            self._rows += self._check_by_pattern(reader, validator)
            row = reader.next()

    def _check_by_pattern(self, reader: RowReader, validator: CellValidator) -> int:
        """Check the next rows without splitting them all into cells, and return their number."""
        known, except_wrong_columns = validator.patterns
        begin = reader.line
        if known:
            self._add_route_days(reader.take(known))
        number = reader.line - begin
        if number < _FEW and except_wrong_columns:
            line, rows = reader.line, bytes(reader.take(except_wrong_columns))
            self._add_route_days(rows)
            number += validator.check_wrong_columns(line, rows)
        return number

    def _add_route_days(self, rows: bytes | memoryview) -> None:
        if self.route_days:
            self.route_days.add(rows)

    def report(self) -> FileReport:
        """Return what was found so far."""
        validator = self._validator
        return FileReport(
            file=self._tally.file,
            format=self._format,
            rows=self._rows,
            findings=tuple(self._tally.findings()),
            observations=tuple(validator.observed.observations(self._tally.file)) if validator else (),
            examined=frozenset(self._examined | (validator.examined if validator else set())),
            interrupted=self.interrupted,
        )


# The listing


def _check_listing(
    names: Sequence[str], expected: ExpectedFiles, route_days: Mapping[ExportFileName, RouteDays], *, is_folder: bool
) -> FileReport:
    """Check the file names and, if they are those of a whole folder, that no file or part of a file is missing."""
    export, tally = export_specification(), FindingTally(LISTING)
    files = [found for name in names if (found := export.parse(name))]
    for name in names:
        if export.parse(name) is None:
            example = export.name("FORMAT", "CUSTOMER", max(export.versions))
            # A single file may have been renamed after the download; a file that is not a CSV may be an upload in
            # progress.
            soft = not is_folder or not _is_csv(name)
            tally.add("EXPORT-FILE-NAMES", "unexpected file name", value=name, expected=example, soft=soft)
    examined = {"EXPORT-FILE-NAMES"} if names else set()
    if is_folder:
        _add_missing_files([each for each in files if not each.is_legacy], expected, tally)
        examined |= {"EXPORT-ALL-CONTENT", *({"EXPORT-CUSTOMER-FILES"} if expected.customers else ())}
    examined.update(compare(route_days, tally))
    return FileReport(
        file=LISTING,
        format=None,
        rows=0,
        findings=tuple(tally.findings()),
        observations=tuple(_observe_names(files)),
        examined=frozenset(examined),
    )


def _add_missing_files(files: Sequence[ExportFileName], expected: ExpectedFiles, tally: FindingTally) -> None:
    export = export_specification()
    present = {(each.format, each.version, each.customer) for each in files}
    formats = {*expected.formats, *(each.format for each in files)}
    versions = {each.version for each in files} or {max(export.versions)}
    required = {(each.format, each.version) for each in files}
    required |= set(product(formats, expected.versions)) if expected.versions else set()
    for missing in expected.formats:
        if all(each.format != missing for each in files):
            required |= set(product((missing,), expected.versions or versions))
    # A version of one format only: the other format may have been requested for other versions.
    groups = required | set(product(formats, versions if formats else ()))
    if not groups:
        names = " or ".join(export.name(each, export.all_content, max(export.versions)) for each in export.formats)
        tally.add("EXPORT-ALL-CONTENT", "the all-content file is missing", expected=names)
    for format_name, version in sorted(groups):
        if (format_name, version, export.all_content) not in present:
            name = export.name(format_name, export.all_content, version)
            soft = (format_name, version) not in required
            tally.add("EXPORT-ALL-CONTENT", "the all-content file is missing", expected=name, soft=soft)
        others = {each.customer for each in files if each.version == version} - {export.all_content}
        own = {each for each in others if (format_name, version, each) in present}
        is_in_use = version in expected.versions or versions == {version}
        # OPEN-101: a customer may be called like the all-content file, which is then the customer's own file.
        for customer in sorted((others | set(expected.customers)) - own - {export.all_content}):
            # OPEN-101: how the service spells a customer in a file name is open. Another file of the version shows it;
            # and however it spells them, each customer has a file.
            is_short = customer in expected.customers and is_in_use and len(own) < len(expected.customers)
            tally.add(
                "EXPORT-CUSTOMER-FILES",
                "a customer's own file is missing",
                value=customer,
                expected=export.name(format_name, customer, version),
                soft=(format_name, version) not in required or not (customer in others or is_short),
            )


def _observe_names(files: Sequence[ExportFileName]) -> Iterator[ExportObservation]:
    has_legacy = any(each.is_legacy for each in files)
    yield ExportObservation("OPEN-45", "legacy names", "present" if has_legacy else "none", LISTING, 0)
    customers = {each.customer for each in files if each.customer} - {export_specification().all_content}
    for is_plain in sorted({each.isascii() and each.isalnum() for each in customers}, reverse=True):
        kind = "letters and digits" if is_plain else "other characters too"
        yield ExportObservation("OPEN-101", "the characters of customers", kind, LISTING, 0)


def _is_csv(name: str) -> bool:
    return name.lower().endswith(_SUFFIX)
