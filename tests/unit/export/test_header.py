"""Findings on the header line."""

import pytest

from airworthy.export.rows import LONGEST

from .sample import FLIGHTS, ROUTES, checked, flight, flights, only, route, routes


def test_missing_column_is_reported_and_the_others_are_checked() -> None:
    header = [name for name in FLIGHTS if name != "currency"]
    row = ";".join(cell for name, cell in zip(FLIGHTS, flight(stops="0").split(";"), strict=True) if name != "currency")
    wrong = row.replace("01.03.2027", "2027-03-01")
    first, second = checked(flights(row, wrong, header=header)).findings

    assert (first.rule, first.column, first.line) == ("EXPORT-FLIGHTS-COLUMNS", "currency", 1)
    assert (second.rule, second.line) == ("EXPORT-DATES", 3)


@pytest.mark.parametrize(
    ("content", "rule", "message", "count"),
    [
        (routes(route() + ";", header=[*ROUTES, ""]), "EXPORT-ROUTES-COLUMNS", "a column is unknown", 1),
        (routes(route(), header=[*ROUTES, *["x"] * 2_000]), "EXPORT-ROUTES-COLUMNS", "a column is unknown", 2_000),
        # No column is missing.
        (flights(flight()), "EXPORT-ROUTES-COLUMNS", "a column is unknown", 63),
        (routes(route() + ";MAD", header=[*ROUTES, ROUTES[0]]), "EXPORT-ROUTES-COLUMNS", "a column appears twice", 1),
        (b"nothing;of\n1;2\n", "EXPORT-HEADER", "the header line is missing", 1),
        (b"\n\n\n", "EXPORT-HEADER", "the header line is missing", 1),
        (b";" * 300, "EXPORT-HEADER", "the header line is missing", 1),
        (b"\x00\x01\x02\n", "EXPORT-CSV", "a row contains NUL bytes", 1),
        (b'"open', "EXPORT-CSV", "a quoted cell is not closed", 1),
        (b"x" * LONGEST + b"yz\n\n", "EXPORT-CSV", "a row is too long to be checked", 1),
    ],
    ids=range(10),
)
def test_wrong_header_is_one_finding(content: bytes, rule: str, message: str, count: int) -> None:
    finding = only(checked(content, "cp_routes_all_v3.csv"))

    assert (finding.rule, finding.message, finding.count) == (rule, message, count)


CLASS = "segmentFirstClassofService"


@pytest.mark.parametrize(
    ("header", "value", "expected"),
    [
        (["arrivalAirport", "departureAirport", *FLIGHTS[2:]], "arrivalAirport", "departureAirport"),
        ([*FLIGHTS, "price"], "price", "only the 66 columns of the flights format"),
        *(
            ([each if name == CLASS else name for name in FLIGHTS], each, CLASS)
            for each in ("segmentFirstClassOfService", f" {CLASS}", CLASS.upper(), "segmentFirstClassofServce")
        ),
    ],
)
def test_wrong_column_name_or_order_is_one_finding_and_cells_are_checked_by_column_name(
    header: list[str], value: str, expected: str
) -> None:
    cells = dict(zip(FLIGHTS, flight().split(";"), strict=True)) | {"price": "any ¤"}
    row = ";".join(cells.get(name, cells[CLASS]) for name in header)
    finding = only(checked(flights(row, header=header)))

    assert (finding.rule, finding.value, finding.expected) == ("EXPORT-FLIGHTS-COLUMNS", value, expected)


@pytest.mark.parametrize(
    "header", ["departure_airport;arrival_airport;departure_date", "Departure Airport;arrival-airport"]
)
def test_header_in_another_spelling_is_a_header(header: str) -> None:
    findings = checked(f"{header}\n{route()}\n".encode(), "cp_routes_all_v3.csv").findings

    assert {finding.rule for finding in findings if finding.line == 1} == {"EXPORT-ROUTES-COLUMNS"}
    assert [finding.message for finding in findings][:2] == ["a column name is misspelled"] * 2


@pytest.mark.parametrize("separator", [",", "\t", "|"])
def test_wrong_separator_is_one_finding(separator: str) -> None:
    report = checked(flights(flight(), flight()).replace(b";", separator.encode()))

    assert (only(report).rule, *report.examined) == ("EXPORT-SEPARATOR", "EXPORT-SEPARATOR")


def test_missing_header_is_one_finding_and_the_rows_are_checked() -> None:
    first, second = checked(f"{flight()}\n{flight(currency='USD')}\n".encode()).findings

    assert (first.rule, first.line) == ("EXPORT-HEADER", 1)
    assert (second.rule, second.line) == ("EXPORT-CURRENCY", 2)


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf"])
def test_empty_file(content: bytes) -> None:
    report = checked(content)

    assert (only(report).rule, only(report).message) == ("EXPORT-HEADER", "the file is empty")
    assert (report.rows, *report.examined) == (0, "EXPORT-HEADER")


@pytest.mark.parametrize(
    ("content", "identified"), [(flights(flight()), "flights"), (routes(route()), "routes"), (b"a;b\n", None)]
)
def test_header_identifies_the_format_of_a_file_with_another_name(content: bytes, identified: str | None) -> None:
    assert checked(content, "export.csv").format == identified
