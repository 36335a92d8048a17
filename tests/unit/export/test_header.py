"""What is said of the first line."""

import pytest

from airworthy.export.rows import LONGEST

from .sample import FLIGHTS, ROUTES, checked, flight, flights, only, route, routes

SWAPPED = ["arrivalAirport", "departureAirport", *FLIGHTS[2:]]


def test_a_missing_column_is_named_and_the_others_are_judged() -> None:
    header = [name for name in FLIGHTS if name != "currency"]
    row = ";".join(cell for name, cell in zip(FLIGHTS, flight(stops="0").split(";"), strict=True) if name != "currency")
    wrong = row.replace("01.03.2027", "2027-03-01")
    first, second = checked(flights(row, wrong, header=header)).findings

    assert (first.rule, first.column, first.line) == ("EXPORT-FLIGHTS-COLUMNS", "currency", 1)
    assert (second.rule, second.line) == ("EXPORT-DATES", 3)


def test_an_unknown_column_is_named_and_what_stands_in_it_is_free() -> None:
    finding = only(checked(routes(route() + ";49.90", header=[*ROUTES, "price"]), "cp_routes_all_v3.csv"))

    assert (finding.rule, finding.value) == ("EXPORT-ROUTES-COLUMNS", "price")
    assert finding.message == "a column is unknown"


def test_a_separator_at_the_end_of_each_line_is_one_unknown_column() -> None:
    finding = only(checked(routes(route() + ";", header=[*ROUTES, ""]), "cp_routes_all_v3.csv"))

    assert (finding.rule, finding.value, finding.count) == ("EXPORT-ROUTES-COLUMNS", "", 1)


def test_another_order_is_one_finding_and_cells_are_judged_by_their_names() -> None:
    finding = only(checked(flights(flight(), header=SWAPPED)))

    assert (finding.rule, finding.value) == ("EXPORT-FLIGHTS-COLUMNS", "arrivalAirport")
    assert finding.expected == "departureAirport"


def test_a_column_that_stands_twice() -> None:
    report = checked(routes(route() + ";MAD", header=[*ROUTES, "departureAirport"]), "cp_routes_all_v3.csv")

    assert only(report).message == "a column stands twice"


@pytest.mark.parametrize(
    "spelt", ["segmentFirstClassOfService", " segmentFirstClassofService", "SEGMENTFIRSTCLASSOFSERVICE"]
)
def test_a_column_that_is_spelt_otherwise(spelt: str) -> None:
    header = [spelt if name == "segmentFirstClassofService" else name for name in FLIGHTS]
    finding = only(checked(flights(flight(), header=header)))

    assert (finding.value, finding.expected) == (spelt, "segmentFirstClassofService")


@pytest.mark.parametrize("separator", [",", "\t", "|"])
def test_another_separator_is_one_finding(separator: str) -> None:
    report = checked(flights(flight(), flight()).replace(b";", separator.encode()))

    assert (only(report).rule, *report.examined) == ("EXPORT-SEPARATOR", "EXPORT-SEPARATOR")


def test_a_header_that_is_missing_is_one_finding_and_the_rows_are_judged() -> None:
    first, second = checked(f"{flight()}\n{flight(currency='USD')}\n".encode()).findings

    assert (first.rule, first.line) == ("EXPORT-HEADER", 1)
    assert (second.rule, second.line) == ("EXPORT-CURRENCY", 2)


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf"])
def test_an_empty_file(content: bytes) -> None:
    report = checked(content)

    assert (only(report).rule, only(report).message) == ("EXPORT-HEADER", "the file is empty")
    assert (report.rows, *report.examined) == (0, "EXPORT-HEADER")


def test_only_a_header_is_no_fault() -> None:
    report = checked(flights())

    assert (report.findings, report.rows) == ((), 0)


@pytest.mark.parametrize("content", [b"nothing;of;it\n1;2;3\n", b"\n\n\n", b";" * 300])
def test_a_file_of_something_else_is_one_finding(content: bytes) -> None:
    assert only(checked(content)).rule == "EXPORT-HEADER"


@pytest.mark.parametrize("content", [b"\x00\x01\x02\n", b'"open', b"x" * LONGEST + b"yz\n\n"])
def test_a_first_line_that_is_no_text_of_cells_is_one_finding(content: bytes) -> None:
    assert only(checked(content)).rule == "EXPORT-CSV"


def test_rows_of_too_many_columns_are_not_judged() -> None:
    finding = only(checked(routes(route(), header=[*ROUTES, *["x"] * 2_000]), "cp_routes_all_v3.csv"))

    assert (finding.rule, finding.count) == ("EXPORT-ROUTES-COLUMNS", 2_000)


@pytest.mark.parametrize(
    ("content", "told"), [(flights(flight()), "flights"), (routes(route()), "routes"), (b"a;b\n", None)]
)
def test_a_file_whose_name_does_not_tell_is_read_by_its_header(content: bytes, told: str | None) -> None:
    assert checked(content, "export.csv").format == told


def test_a_flights_file_that_is_called_routes_lacks_nothing_and_has_too_much() -> None:
    finding = only(checked(flights(flight()), "cp_routes_all_v3.csv"))

    assert (finding.rule, finding.count) == ("EXPORT-ROUTES-COLUMNS", 63)
