"""The content export in the steps: the outcome of each rule, and the sample of rows for searches."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from airworthy.contract import Contract
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.redaction import Redactor
from airworthy.export import ExpectedFiles, check_folder, open_location
from airworthy.sandbox.dashboard.profile import profile as published
from airworthy.suite.outcomes import ExpectationError, NotApplicable, Untested
from airworthy.target.profile import Profile, ProfileExport
from airworthy.target.profile_file import profile_from
from conformance.export.content_export import ExportUnderTest, read_export

TODAY = date(2030, 1, 1)
ROUTES = "departureAirport;arrivalAirport;departureDate"
GOOD = "MAD;BCN;03.02.2030"


def export(folder: Path, **files: str | bytes) -> ExportUnderTest:
    """Read an export of v3 with these files, by the part of their names between ``cp_`` and ``_v3``."""
    for name, text in files.items():
        path = folder / f"cp_{name}_v3.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    location, expected = open_location(str(folder)), ExpectedFiles(versions=(3,))
    return ExportUnderTest(location, check_folder(location, expected), expected)


def profile(location: str) -> Profile:
    return replace(profile_from(published("https://127.0.0.1"), "wire"), export=ProfileExport(location))


def test_export_violation_has_a_location_and_a_count(tmp_path: Path) -> None:
    rows = "MAD;BCN;2030-02-03\n" * 4_000
    read = export(tmp_path, routes_all=f"{ROUTES}\n{rows}", routes_acme=f"{ROUTES}\n{rows}")

    with pytest.raises(ExpectationError) as raised:
        read.keeps("EXPORT-DATES")

    violation = raised.value
    assert violation.pointer == "cp_routes_acme_v3.csv, line 2, column departureDate"
    examples = "line 2 has 2030-02-03; line 3 has 2030-02-03; line 4 has 2030-02-03"
    assert f"8000 times in 2 files ({examples})" in violation.message
    assert Redactor(Contract.load(("v3",)), Pseudonyms(b"k" * 32)).text(violation.message) == violation.message
    assert (violation.expected, violation.actual) == ("a valid date in the form DD.MM.YYYY", "2030-02-03")


@pytest.mark.parametrize(
    ("rows", "rule", "outcome", "reason"),
    [
        (";;", "EXPORT-ROUTE-AND-DAY", ExpectationError, "; and 2 more of other kinds"),
        (GOOD, "EXPORT-TIMES", NotApplicable, "the export has no flights files"),
        (None, "EXPORT-ALL-CONTENT", ExpectationError, "the all-content file is missing"),
        (None, "EXPORT-DATES", Untested, "the export contains no data that the rule applies to"),
        (f"MAD;BCN;{'x' * 2_000_000}", "EXPORT-CSV", Untested, r"cp_routes_all_v3\.csv, line 2"),
    ],
    ids=["other kinds of defects", "missing format", "missing file", "empty export", "unreadable row"],
)
def test_export_has_an_outcome_for_a_rule(
    tmp_path: Path, rows: str | None, rule: str, outcome: type[Exception], reason: str
) -> None:
    read = export(tmp_path, **({} if rows is None else {"routes_all": f"{ROUTES}\n{rows}\n"}))

    with pytest.raises(outcome, match=reason):
        read.keeps(rule)


def test_soft_export_finding_is_a_warning(tmp_path: Path) -> None:
    read = export(tmp_path, routes_all=f"{ROUTES}\n\nMAD;BCN;03.02.2030\n")

    (message,) = read.keeps("EXPORT-ROWS")
    assert message.startswith("cp_routes_all_v3.csv, line 2: a line is blank")


def test_incomplete_file_leaves_rules_untested(tmp_path: Path) -> None:
    read = export(tmp_path, routes_all=f"{ROUTES}\n{GOOD}\n")
    assert read.keeps("EXPORT-DATES") == []
    file = replace(read.report.files[0], interrupted="the server has closed the connection")
    cut = replace(read, report=replace(read.report, files=(file,)))

    with pytest.raises(Untested, match=r"cp_routes_all_v3\.csv: the server has closed the connection"):
        cut.keeps("EXPORT-DATES")
    # The listing has been read.
    assert cut.keeps("EXPORT-FILE-NAMES") == []


def test_sample_has_future_rows_and_is_reproducible(tmp_path: Path) -> None:
    rows = "".join(f"mad;{other};{day:02}.01.2030\n" for other in ("BCN", "PMI") for day in range(1, 29))
    read = export(tmp_path, routes_all=f"{ROUTES}\n{rows}", routes_acme=f"{ROUTES}\n")

    sample = read.sample("routes", "v3", TODAY, 4)

    assert sample == read.sample("routes", "v3", TODAY, 4)
    assert len(set(sample)) == 4
    assert {each.origin for each in sample} == {"MAD"}
    assert min(each.day for each in sample) > date(2030, 1, 2)
    assert all(each.place.startswith("cp_routes_all_v3.csv, line ") for each in sample)


def test_sample_excludes_unreadable_rows_and_flights_without_a_flight_number(tmp_path: Path) -> None:
    rows = "MAD;BCN;2030-02-03\nMadrid;BCN;03.02.2030\n\xff\nMAD;BCN;03.02.2030"
    numbers = "".join(f"{GOOD};{flight}\n" for flight in (";12", "IB;", "IB;IB12", "ib;0012"))
    flights = f"{ROUTES};marketingAirlineCode;marketingFlightNumber\n{numbers}"
    read = export(tmp_path, routes_all=f"{ROUTES}\n{rows}".encode("latin-1"), flights_all=flights)

    assert [str(each) for each in read.sample("routes", "v3", TODAY, 4)] == [
        "MAD-BCN on 2030-02-03 (cp_routes_all_v3.csv, line 5)"
    ]
    (only,) = read.sample("flights", "v3", TODAY, 4)
    assert (only.carrier, only.number) == ("IB", "12")


def test_sample_without_a_file_or_a_future_row_has_an_outcome(tmp_path: Path) -> None:
    read = export(tmp_path, routes_all=f"{ROUTES}\nMAD;BCN;02.01.2030\n")

    with pytest.raises(NotApplicable, match="no routes files for v2"):
        read.sample("routes", "v2", TODAY, 4)
    with pytest.raises(Untested, match=r"cp_routes_all_v3\.csv has no rows of future days"):
        read.sample("routes", "v3", TODAY, 4)


def test_sample_from_an_unreadable_file_is_untested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = export(tmp_path, routes_all=f"{ROUTES}\nMAD;BCN;03.02.2030\n")
    names = read.location.names()
    (tmp_path / names[0]).unlink()
    monkeypatch.setattr(type(read.location), "names", lambda _: names)

    with pytest.raises(Untested, match=r"cannot be read, .* No such file or directory"):
        read.sample("routes", "v3", TODAY, 4)


def test_export_rules_are_not_applicable_without_a_location() -> None:
    with pytest.raises(NotApplicable, match=r"\[export\] location"):
        read_export(replace(profile(""), export=None))


@pytest.mark.parametrize("location", ["ftp://127.0.0.1:1/", "/no/such/folder"])
def test_unreadable_location_leaves_export_rules_untested(location: str) -> None:
    with pytest.raises(Untested) as raised:
        read_export(profile(location))

    assert str(raised.value).startswith(f"the content export cannot be read, [export] location: {location}: ")
    assert "\n" not in str(raised.value)
