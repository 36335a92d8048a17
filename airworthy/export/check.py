"""Checks the content export: one file as a stream, or a folder of them."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import product
from typing import Final, Protocol

from airworthy.errors import TargetError
from airworthy.export.cells import Judge
from airworthy.export.formats import FileName, content_export
from airworthy.export.header import read_header
from airworthy.export.report import ExportReport, FileReport, Observation, Tally, shown
from airworthy.export.rows import Rows, Stream

LISTING: Final = "(listing)"
"""What stands for a file where a finding is about the folder."""

_PREFIX, _SUFFIX = "cp_", ".csv"
_FEW: Final = 100


class Location(Protocol):
    """Where the files lie."""

    @property
    def name(self) -> str:
        """What to call it; holds no secret."""

    @property
    def is_folder(self) -> bool:
        """Whether all files are there that belong together."""

    def names(self) -> Sequence[str]:
        """Return the names of the files. Raises UsageError where the place is not there, TargetError on its failure."""

    def size(self, name: str) -> int | None:
        """Return the size of a file in bytes, None where it is not known."""

    def open(self, name: str) -> AbstractContextManager[Stream]:
        """Open a file. Raises OSError where it cannot be read, TargetError where nothing can be read any more."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What is known of an export: customers that have specific distribution rules, and API versions in use."""

    customers: tuple[str, ...] = ()
    versions: tuple[int, ...] = ()


def check_file(name: str, stream: Stream) -> FileReport:
    """Check one file, in memory that does not grow with it.

    ``name`` tells its format, else its header does. Raises what reading the stream raises.
    """
    check = _FileCheck(name)
    check.read(stream)
    return check.report()


def check_folder(location: Location, expected: Expected | None = None) -> ExportReport:
    """Check all files of a location, and how they are called.

    Files that are none of the export's are left alone. What cannot be read is told in the report. Raises UsageError
    where the place is not there, TargetError where it cannot be listed.
    """
    names = sorted(name for name in location.names() if _is_ours(name) or not location.is_folder)
    listing = _listing(names, expected or Expected(), is_folder=location.is_folder)
    files = [name for name in names if _is_csv(name) or not location.is_folder]
    return ExportReport(location.name, listing, tuple(_checked(location, files)))


def _checked(location: Location, names: Sequence[str]) -> Iterator[FileReport]:
    gone = ""
    for name in names:
        check = _FileCheck(name)
        try:
            if not gone:
                with location.open(name) as stream:
                    check.read(stream)
        except TargetError as error:
            gone = str(error)
        except OSError as error:
            check.interrupted = error.strerror or str(error)
        check.interrupted = check.interrupted or gone
        yield check.report()


class _FileCheck:
    """The check of one file, as far as it got."""

    def __init__(self, name: str) -> None:
        self.interrupted = ""
        self._export = content_export()
        self._called = self._export.parse(name)
        self._format = self._called.format if self._called else None
        self._tally = Tally(shown(name), all_soft=bool(self._called and self._called.is_legacy))
        self._judge: Judge | None = None
        self._examined: set[str] = set()
        self._observed: list[Observation] = []
        self._rows = 0

    def read(self, stream: Stream) -> None:
        """Read the whole stream."""
        rows = Rows(stream, self._export.delimiter)
        row = rows.next()
        heading = read_header(row, self._export, self._format, self._tally)
        self._format = heading.format.name if heading.format else None
        self._examined |= heading.examined
        if row is None:
            return
        self._observe("the byte order mark", "there" if rows.bom else "none")
        if rows.encoding:
            self._observe("the encoding", rows.encoding)
        judge = self._judge = Judge(
            heading.columns or (), self._tally, self._export.delimiter, is_wide=bool(rows.encoding)
        )
        judge.see_header(row)
        if heading.columns is None:
            return
        if not heading.is_missing:
            row = rows.next()
        while row:
            judge.judge(row)
            self._rows += bool(row.raw)
            self._rows += self._along(rows, judge)
            row = rows.next()

    @staticmethod
    def _along(rows: Rows, judge: Judge) -> int:
        """Go over what needs no closer look, and return how many rows it was."""
        known, rough = judge.patterns
        passed = rows.skip(known) if known else 0
        if passed < _FEW and rough:
            passed += judge.judge_suspects(*rows.take(rough))
        return passed

    def report(self) -> FileReport:
        """Return what was found so far."""
        judged = self._judge
        return FileReport(
            file=self._tally.file,
            format=self._format,
            rows=self._rows,
            findings=tuple(self._tally.findings()),
            observations=(*self._observed, *(judged.observations() if judged else ())),
            examined=frozenset(self._examined | (judged.examined if judged else set())),
            interrupted=self.interrupted,
        )

    def _observe(self, subject: str, value: str) -> None:
        self._observed.append(Observation("OPEN-101", subject, value, self._tally.file, 1))


# The listing


def _listing(names: Sequence[str], expected: Expected, *, is_folder: bool) -> FileReport:
    """Hold the names of files against the documents and, where they are those of a folder, against each other."""
    export, tally = content_export(), Tally(LISTING)
    called = [found for name in names if (found := export.parse(name))]
    for name in names:
        if export.parse(name) is None:
            like = export.name("FORMAT", "CUSTOMER", max(export.versions))
            # A single file may have been given another name since; what is no CSV may be on its way.
            soft = not is_folder or not _is_csv(name)
            tally.add("EXPORT-FILE-NAMES", "a file is called otherwise", value=name, expected=like, soft=soft)
    examined = {"EXPORT-FILE-NAMES"} if names else set()
    if is_folder:
        current = [each for each in called if not each.is_legacy]
        _hold_together(current, expected, tally)
        examined |= {"EXPORT-ALL-CONTENT", *({"EXPORT-CUSTOMER-FILES"} if expected.customers else ())}
    return FileReport(
        file=LISTING,
        format=None,
        rows=0,
        findings=tuple(tally.findings()),
        observations=tuple(_observed(called)),
        examined=frozenset(examined),
    )


def _hold_together(called: Sequence[FileName], expected: Expected, tally: Tally) -> None:
    """Tell which files are missing beside those that are there."""
    export = content_export()
    there = {(each.format, each.version, each.customer) for each in called}
    formats = {each.format for each in called}
    groups = {(each.format, each.version) for each in called} | set(product(formats, expected.versions))
    if not groups:
        like = " or ".join(export.name(each, export.all_content, max(export.versions)) for each in export.formats)
        tally.add("EXPORT-ALL-CONTENT", "there is no all-content file", expected=like)
    for format_name, version in sorted(groups):
        if (format_name, version, export.all_content) not in there:
            like = export.name(format_name, export.all_content, version)
            tally.add("EXPORT-ALL-CONTENT", "there is no all-content file", expected=like)
        others = {each.customer for each in called if each.version == version} - {export.all_content}
        for customer in sorted(others | set(expected.customers)):
            if (format_name, version, customer) not in there:
                # Only who is named is known to have rules of distribution in this format.
                tally.add(
                    "EXPORT-CUSTOMER-FILES",
                    "a customer has no file of its own",
                    value=customer,
                    expected=export.name(format_name, customer, version),
                    soft=customer not in expected.customers,
                )


def _observed(called: Sequence[FileName]) -> Iterator[Observation]:
    legacy = [each.text for each in called if each.is_legacy]
    yield Observation("OPEN-45", "legacy names", "there" if legacy else "none", LISTING, 0)
    customers = {each.customer for each in called if each.customer} - {content_export().all_content}
    kinds = {"letters and digits" if each.isascii() and each.isalnum() else "others too" for each in customers}
    for kind in sorted(kinds):
        yield Observation("OPEN-101", "the characters of customers", kind, LISTING, 0)


def _is_ours(name: str) -> bool:
    return name.lower().startswith(_PREFIX)


def _is_csv(name: str) -> bool:
    return name.lower().endswith(_SUFFIX)
