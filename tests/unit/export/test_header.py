"""Findings on the header line."""

import pytest

from airworthy.export.rows import LONGEST

from .sample import FLIGHTS, ROUTES, checked, flight, flights, only, route, routes

SWAPPED = ["arrivalAirport", "departureAirport", *FLIGHTS[2:]]


def test_missing_column_is_reported_and_the_others_are_checked() -> None:
    header = [name for name in FLIGHTS if name != "currency"]
    row = ";".join(cell for name, cell in zip(FLIGHTS, flight(stops="0").split(";"), strict=True) if name != "currency")
    wrong = row.replace("01.03.2027", "2027-03-01")
    first, second = checked(flights(row, wrong, header=header)).findings

    assert (first.rule, first.column, first.line) == ("EXPORT-FLIGHTS-COLUMNS", "currency", 1)
    assert (second.rule, second.line) == ("EXPORT-DATES", 3)


def test_unknown_column_is_reported_and_its_cells_may_contain_anything() -> None:
    finding = only(checked(routes(route() + ";49.90", header=[*ROUTES, "price"]), "cp_routes_all_v3.csv"))

    assert (finding.rule, finding.value) == ("EXPORT-ROUTES-COLUMNS", "price")
    assert finding.message == "a column is unknown"


def test_separator_at_the_end_of_each_line_is_one_unknown_column() -> None:
    finding = only(checked(routes(route() + ";", header=[*ROUTES, ""]), "cp_routes_all_v3.csv"))

    assert (finding.rule, finding.value, finding.count) == ("EXPORT-ROUTES-COLUMNS", "", 1)


def test_wrong_column_order_is_one_finding_and_cells_are_checked_by_column_name() -> None:
    finding = only(checked(flights(flight(departureAirport="BCN", arrivalAirport="MAD"), header=SWAPPED)))

    assert (finding.rule, finding.value) == ("EXPORT-FLIGHTS-COLUMNS", "arrivalAirport")
    assert finding.expected == "departureAirport"


def test_column_that_appears_twice() -> None:
    report = checked(routes(route() + ";MAD", header=[*ROUTES, "departureAirport"]), "cp_routes_all_v3.csv")

    assert only(report).message == "a column appears twice"


@pytest.mark.parametrize(
    "misspelled",
    [
        "segmentFirstClassOfService",
        " segmentFirstClassofService",
        "SEGMENTFIRSTCLASSOFSERVICE",
        "segmentFirstClassofServce",
    ],
)
def test_misspelled_column_name(misspelled: str) -> None:
    header = [misspelled if name == "segmentFirstClassofService" else name for name in FLIGHTS]
    finding = only(checked(flights(flight(), header=header)))

    assert (finding.value, finding.expected) == (misspelled, "segmentFirstClassofService")


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


def test_file_with_only_a_header_is_valid() -> None:
    report = checked(flights())

    assert (report.findings, report.rows) == ((), 0)


@pytest.mark.parametrize("content", [b"nothing;of;it\n1;2;3\n", b"\n\n\n", b";" * 300])
def test_unrelated_file_is_one_finding(content: bytes) -> None:
    assert only(checked(content)).rule == "EXPORT-HEADER"


@pytest.mark.parametrize("content", [b"\x00\x01\x02\n", b'"open', b"x" * LONGEST + b"yz\n\n"])
def test_unreadable_first_line_is_one_finding(content: bytes) -> None:
    assert only(checked(content)).rule == "EXPORT-CSV"


def test_rows_with_too_many_columns_are_not_checked() -> None:
    finding = only(checked(routes(route(), header=[*ROUTES, *["x"] * 2_000]), "cp_routes_all_v3.csv"))

    assert (finding.rule, finding.count) == ("EXPORT-ROUTES-COLUMNS", 2_000)


@pytest.mark.parametrize(
    ("content", "identified"), [(flights(flight()), "flights"), (routes(route()), "routes"), (b"a;b\n", None)]
)
def test_header_identifies_the_format_of_a_file_with_another_name(content: bytes, identified: str | None) -> None:
    assert checked(content, "export.csv").format == identified


def test_flights_file_named_routes_has_unknown_columns_but_no_missing_ones() -> None:
    finding = only(checked(flights(flight()), "cp_routes_all_v3.csv"))

    assert (finding.rule, finding.count) == ("EXPORT-ROUTES-COLUMNS", 63)
