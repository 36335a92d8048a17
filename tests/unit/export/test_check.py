"""Whole files in any encoding, truncated, broken or large, and folders of files."""

import io
import itertools
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airworthy.errors import TargetError
from airworthy.export import ExpectedFiles, FileReport, check_file, check_folder, open_location
from airworthy.export import cells as judging
from airworthy.export.rows import LONGEST, ByteStream

from .sample import FLIGHTS, RIGHT_FLIGHT, checked, flight, flights, observed, only, route, routes

RIGHT = flights(flight(), flight(tariffClass="Básica"), flight())


# One file


@pytest.mark.parametrize(
    ("content", "subject", "shown"),
    [
        (flights(flight(), flight(), flight()), "the encoding", {"ASCII": 1}),
        (RIGHT, "the encoding", {"ASCII": 1, "UTF-8": 3}),
        (RIGHT.decode().encode("cp1252"), "the encoding", {"ASCII": 1, "single-byte": 3}),
        (RIGHT.decode().encode("utf-16"), "the encoding", {"UTF-16": 1}),
        (RIGHT.decode().encode("utf-8-sig"), "the encoding", {"ASCII": 1, "UTF-8": 3}),
        (RIGHT, "the line end", {"LF": 1}),
        (RIGHT.replace(b"\n", b"\r\n"), "the line end", {"CRLF": 1}),
        (RIGHT.replace(b"\n", b"\r"), "the line end", {"CR": 1}),
        (RIGHT[:-1], "the line end", {"LF": 1, "none": 4}),
    ],
)
def test_encoding_and_line_end_are_observed(content: bytes, subject: str, shown: dict[str, int]) -> None:
    report = checked(content)

    assert (report.findings, report.rows) == ((), 3)
    assert observed(report, subject) == shown


def test_quoting_is_observed() -> None:
    cells = [*flight().split(";")[:-1], 'a;""b\nc']
    quoted = ";".join(f'"{cell}"' for cell in cells)
    report = checked(flights(flight(), quoted, flight(currency="USD")))

    assert (only(report).rule, only(report).line) == ("EXPORT-CURRENCY", 5)
    assert observed(report, "the quoting") == {"unquoted": 2, "quoted": 3}


@pytest.mark.parametrize(
    ("content", "message", "line", "soft"),
    [
        (RIGHT[:-40], "the file ends in the middle of a row", 4, False),
        (flights(flight(), flight() + ";", flight()), "a row has too many cells", 3, False),
        (flights(flight(), "MAD", flight()), "a row has too few cells", 3, False),
        (flights(flight(), "", flight()), "a line is blank", 3, True),
    ],
    ids=["truncated", "too many", "too few", "blank"],
)
def test_row_with_another_number_of_cells(content: bytes, message: str, line: int, *, soft: bool) -> None:
    finding = only(checked(content))

    assert (finding.rule, finding.message, finding.line) == ("EXPORT-ROWS", message, line)
    assert (finding.expected, finding.soft) == ("66 cells", soft)


def test_blank_lines_are_no_rows() -> None:
    report = checked(flights(flight(), "", flight()) + b"\n")

    assert (only(report).value, only(report).count, report.rows) == ("0 cells", 2, 2)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (flight(flightKey="a\0b"), "a row contains NUL bytes"),
        (flight(flightKey='"open'), "a quoted cell is not closed"),
        (flight(flightKey="x" * LONGEST), "a row is too long to be checked"),
    ],
)
def test_unreadable_row_is_one_finding_and_the_next_row_is_checked(row: str, message: str) -> None:
    first, second = checked(flights(flight(), row, flight(currency="USD"))).findings

    assert (first.rule, first.message, first.line) == ("EXPORT-CSV", message, 3)
    assert (second.rule, second.line) == ("EXPORT-CURRENCY", 4)
    assert len(first.value) < 100


def test_unreadable_row_is_not_a_violation(tmp_path: Path) -> None:
    (tmp_path / "cp_flights_all_v3.csv").write_bytes(flights(flight(flightKey="x" * LONGEST)))
    report = check_folder(open_location(str(tmp_path)))

    assert ([each.kind for each in report.findings], report.exit_code) == (["unreadable"], 3)


def test_file_with_a_legacy_name_has_only_warnings() -> None:
    report = checked(b"departureAirport;arrivalAirport;departureDate\nMAD;BCN;2027-03-14\n", "cp_routes.csv")

    assert [(each.rule, each.soft) for each in report.findings] == [("EXPORT-DATES", True)]


def test_file_with_a_legacy_name_may_have_other_columns() -> None:
    assert not checked(b"origin,destination\nMAD,BCN\n", "cp_routes.csv").findings


class Repeated:
    """A stream of any length that is generated while it is read."""

    def __init__(self, *parts: tuple[bytes, int]) -> None:
        self._blocks = itertools.chain.from_iterable(itertools.repeat(part, times) for part, times in parts)

    def read(self, _: int, /) -> bytes:
        return next(self._blocks, b"")


def measured(*parts: tuple[bytes, int]) -> tuple[FileReport, int]:
    """Check a file of repeated parts, and return the report and the most memory that it took."""
    tracemalloc.start()
    report = check_file("cp_flights_all_v3.csv", Repeated(*parts))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return report, peak


def test_line_of_any_length_is_one_finding_in_bounded_memory() -> None:
    end = b"\n" + flight(currency="USD").encode() + b"\n"
    report, peak = measured((flights(flight()), 1), (b"x" * (1 << 18), 1 << 8), (end, 1))
    first, second = report.findings

    assert (first.message, first.kind, first.line) == ("a row is too long to be checked", "unreadable", 3)
    assert (second.rule, second.line) == ("EXPORT-CURRENCY", 4)
    assert peak < 16 * LONGEST


def test_memory_does_not_grow_with_the_file() -> None:
    rows = "".join(f"{flight(flightKey=f'{key:06}')}\n" for key in range(1_000)).encode()
    (short, little), (long, much) = (measured((flights(), 1), (rows, times)) for times in (5, 20))

    assert (short.rows, long.rows) == (5_000, 20_000)
    assert much < little + (1 << 20)


# Any file

CELLS = st.sampled_from(
    ["", "MAD", "mad", "01.03.2027", "29.02.2028", "31.02.2027", "7:35", "07:35", "42,5", "é", '"x"', "*"]
)
CHANGES = st.lists(st.tuples(st.integers(0, 39), st.sampled_from(FLIGHTS), CELLS), max_size=12)


@given(st.binary(max_size=300), st.sampled_from(["cp_flights_all_v3.csv", "cp_routes.csv", "x"]))
def test_no_bytes_break_the_check(content: bytes, name: str) -> None:
    checked(content, name)
    checked(flights(flight()) + content + b"\n" + flight().encode(), name)


@settings(max_examples=60)
@given(CHANGES, st.sampled_from(["\n", "\r\n", "\r"]), st.sets(st.sampled_from(FLIGHTS), max_size=2))
def test_checking_by_pattern_finds_the_same_as_checking_every_cell(
    changes: list[tuple[int, str, str]], end: str, always_wrong: set[str]
) -> None:
    table = [RIGHT_FLIGHT | dict.fromkeys(always_wrong, f"?{row}") for row in range(40)]
    for row, column, value in changes:
        table[row][column] = value
    content = flights(*(";".join(row.values()) for row in table)).replace(b"\n", end.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "_SPLIT_FIRST", 3)
        short = checked(content)
        patch.setattr(judging, "_SPLIT_FIRST", 1_000)
        long = checked(content)

    # Segments are compared in some rows only.
    of_cells = [[each for each in report.findings if each.rule != "EXPORT-SEGMENTS"] for report in (short, long)]
    assert of_cells[0] == of_cells[1]
    assert (short.rows, short.examined) == (long.rows, long.examined)
    # A narrower form is not observed after a wider one that includes it, and an encoding not in cells of such a form.
    few, many = (
        {replace(each, line=0) if each.subject == "the encoding" else each for each in report.observations}
        for report in (short, long)
    )
    assert few <= many
    assert {each.subject for each in short.observations} == {each.subject for each in long.observations}


@given(st.dictionaries(st.integers(0, 30), st.sampled_from(["31.02.2027", "x", '"a\nb"']), max_size=6))
def test_line_numbers_are_those_of_an_editor(wrong: dict[int, str]) -> None:
    content = routes(*(route("MAD", "BCN", wrong.get(row, "01.03.2027")) for row in range(31)))
    lines = {
        example.line for finding in checked(content, "cp_routes_all_v3.csv").findings for example in finding.examples
    }
    starts = itertools.accumulate(wrong.get(row, "").count("\n") + 1 for row in range(31))
    expected = {2 + start - (wrong[row].count("\n") + 1) for row, start in enumerate(starts) if row in wrong}

    assert lines <= expected
    assert min(lines, default=0) == min(expected, default=0)


# A folder


def drop(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).write_bytes(flights(flight()) if "flights" in name else routes(route()))
    return folder


def found(folder: Path, expected: ExpectedFiles | None = None) -> list[tuple[str, str, bool]]:
    report = check_folder(open_location(str(folder)), expected)
    return [(each.rule, each.value or each.expected, each.soft) for each in report.findings]


def test_complete_folder_has_no_findings(tmp_path: Path) -> None:
    drop(tmp_path, "cp_routes_all_v3.csv", "cp_routes_acme_v3.csv", "cp_flights_all_v3.csv", "cp_flights_acme_v3.csv")
    drop(tmp_path, "cp_routes.csv", "notes.txt", "prices.csv")
    report = check_folder(open_location(str(tmp_path)), ExpectedFiles(("acme",), (3,)))

    assert (report.findings, report.exit_code, report.rows) == ((), 0, 5)
    assert {each.file for each in report.files} == {each.name for each in tmp_path.glob("cp_*")}
    assert {"EXPORT-FILE-NAMES", "EXPORT-ALL-CONTENT", "EXPORT-CUSTOMER-FILES"} <= report.examined
    assert {each.value for each in report.observations if each.subject == "legacy names"} == {"present"}


def all_content(name: str, *, soft: bool = False) -> tuple[str, str, bool]:
    return "EXPORT-ALL-CONTENT", f"cp_{name}.csv", soft


def customer(name: str, *, soft: bool = False) -> tuple[str, str, bool]:
    return "EXPORT-CUSTOMER-FILES", name, soft


ANY_CONTENT = all_content("routes_all_v3.csv or cp_flights_all_v3")


@pytest.mark.parametrize(
    ("names", "expected", "findings"),
    [
        ("routes_all_v3 routes_all_v4", ExpectedFiles(), [("EXPORT-FILE-NAMES", "cp_routes_all_v4.csv", False)]),
        ("routes_all_v3", ExpectedFiles(), []),
        ("routes", ExpectedFiles(), [ANY_CONTENT]),
        ("", ExpectedFiles(), [ANY_CONTENT]),
        ("routes_acme_v3", ExpectedFiles(), [all_content("routes_all_v3")]),
        ("routes_all_v2 routes_acme_v3", ExpectedFiles(), [all_content("routes_all_v3")]),
        ("routes_all_v3", ExpectedFiles(versions=(2, 3)), [all_content("routes_all_v2")]),
        # The other format may have been requested for other versions.
        (
            "routes_all_v2 flights_all_v3",
            ExpectedFiles(),
            [all_content("flights_all_v2", soft=True), all_content("routes_all_v3", soft=True)],
        ),
        ("routes_all_v2", ExpectedFiles(), []),
        ("routes_all_v2", ExpectedFiles(formats=("routes",)), []),
        ("routes_all_v2", ExpectedFiles(formats=("flights", "routes")), [all_content("flights_all_v2")]),
        # The other file shows how the service spells the customer.
        ("routes_all_v3 flights_all_v3 routes_acme_v3", ExpectedFiles(), [customer("acme")]),
        ("routes_all_v3 flights_all_v3 routes_acme_v3", ExpectedFiles(("acme",)), [customer("acme")]),
        # The routes of zeta may be those that are called acme; its flights are nowhere.
        (
            "routes_all_v3 flights_all_v3 routes_acme_v3",
            ExpectedFiles(("zeta",)),
            [customer("acme"), customer("zeta"), customer("zeta", soft=True)],
        ),
        ("routes_all_v2 routes_all_v3 routes_acme_v3", ExpectedFiles(("acme",)), [customer("acme", soft=True)]),
        ("routes_all_v2 routes_all_v3 routes_acme_v3", ExpectedFiles(("acme",), (2, 3)), [customer("acme")]),
    ],
)
def test_files_of_a_folder(
    tmp_path: Path, names: str, expected: ExpectedFiles, findings: list[tuple[str, str, bool]]
) -> None:
    assert found(drop(tmp_path, *(f"cp_{each}.csv" for each in names.split())), expected) == findings


def test_upload_in_progress_is_a_warning(tmp_path: Path) -> None:
    assert found(drop(tmp_path, "cp_routes_all_v3.csv", "cp_flights_all_v3.csv.tmp")) == [
        ("EXPORT-FILE-NAMES", "cp_flights_all_v3.csv.tmp", True)
    ]


def test_single_file_does_not_require_other_files(tmp_path: Path) -> None:
    drop(tmp_path, "cp_routes_acme_v3.csv", "download.csv")

    assert found(tmp_path / "cp_routes_acme_v3.csv") == []
    assert found(tmp_path / "download.csv") == [("EXPORT-FILE-NAMES", "download.csv", True)]


class FailingLocation:
    """A location whose second file cannot be opened, or cannot be read to its end."""

    name, is_folder = "a place", True

    def __init__(self, error: Exception, *, midway: bool) -> None:
        self._error = error
        self._midway = midway

    def names(self) -> Sequence[str]:
        return [f"cp_routes_{each}_v3.csv" for each in ("all", "b", "c")]

    def size(self, _: str) -> int | None:
        return None

    @contextmanager
    def open(self, name: str) -> Iterator[ByteStream]:
        if name == "cp_routes_b_v3.csv":
            if not self._midway:
                raise self._error
            yield FailingStream(self._error)
        else:
            yield io.BytesIO(routes(route()))


class FailingStream:
    def __init__(self, error: Exception) -> None:
        self._error = error
        self._given = False

    def read(self, _: int, /) -> bytes:
        if self._given:
            raise self._error
        self._given = True
        return routes("MAD;BCN;x") + b"MAD"


@pytest.mark.parametrize("midway", [True, False])
def test_unreadable_file_does_not_stop_the_others(midway: bool) -> None:
    report = check_folder(FailingLocation(PermissionError(13, "Permission denied"), midway=midway))

    assert [each.interrupted for each in report.files] == ["", "Permission denied", ""]
    assert report.rows == (3 if midway else 2)
    assert report.exit_code == (1 if midway else 3)


@pytest.mark.parametrize("midway", [True, False])
def test_no_more_files_are_read_after_the_connection_failed(midway: bool) -> None:
    report = check_folder(FailingLocation(TargetError("connection lost"), midway=midway))

    assert [each.interrupted for each in report.files] == ["", "connection lost", "connection lost"]
    # The row that the network truncated is not a finding.
    assert [each.rule for each in report.findings] == (["EXPORT-DATES"] if midway else [])
