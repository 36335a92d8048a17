"""The files of the content export, their customers, and when they are rewritten."""

import csv
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from airworthy.errors import UsageError
from airworthy.export import ExpectedFiles, ExportReport, check_folder, open_location
from airworthy.register import rules
from airworthy.resources import resource
from airworthy.sandbox import SandboxSettings, create_app
from airworthy.sandbox.dialects.named import dialects
from airworthy.sandbox.export.files import ExportExtent, ExportFolder, columns, customers, versions
from airworthy.sandbox.faults import chosen
from airworthy.sandbox.faults.fault import FaultHooks
from airworthy.sandbox.model.export_file import ExportFile

Make = Callable[..., ExportFolder]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def make(dialect: str = "documented", *, days: int = 1, every_route: bool = False) -> ExportFolder:
        service = create_app(SandboxSettings(dialect=dialect)).state.service
        return ExportFolder(service, ExportExtent(days, every_route), tmp_path / "export")

    return make


def rows(path: Path, encoding: str = "utf-8") -> list[dict[str, str]]:
    with path.open(encoding=encoding, newline="") as file:
        return list(csv.DictReader(file, delimiter=";"))


def checked(export: ExportFolder) -> ExportReport:
    export.refresh()
    choices = export._service.choices
    expected = ExpectedFiles(customers(choices), versions(choices))
    return check_folder(open_location(str(export.folder)), expected)


@pytest.mark.parametrize("dialect", list(dialects()))
def test_export_of_each_dialect_has_no_findings(make: Make, dialect: str) -> None:
    report = checked(make(dialect))

    assert report.findings == ()
    excluded = {"EXPORT-DELIVERY", "EXPORT-LEGACY-NAMES", "EXPORT-SEARCH", "EXPORT-SEARCH-SEGMENTS"}
    binding = {one.id for one in rules() if one.version == "export"} - excluded
    without_customers = {"EXPORT-CUSTOMER-FILES"} if dialects()[dialect].choices.export.own_files == "none" else set()
    assert report.examined == binding - without_customers


def test_every_observation_of_the_features_is_made(make: Make) -> None:
    text = "\n".join(path.read_text() for path in (resource("features") / "export").glob("*.feature"))
    requested = {line.split("  ")[-1] for line in text.splitlines() if " observed as " in line}
    sentences = {
        f"{each.subject} {verb} observed as {each.question}"
        for each in checked(make()).observations
        for verb in ("is", "are")
    }

    steps = {each.split(maxsplit=1)[1] for each in requested} - {"the price in the search is observed as OPEN-37"}
    assert steps
    assert steps - sentences == set()


def test_customer_files_follow_the_distribution_rules(make: Make) -> None:
    folder = make().refresh()[0].parent
    whole, first, second = (rows(folder / f"cp_flights_{each}_v3.csv") for each in ("all", "firstota", "secondota"))
    keys = [{row["flightKey"] for row in each} for each in (whole, first, second)]

    assert keys[1] < keys[0]
    assert keys[2] < keys[0]
    assert {row["stops"] for row in first} == {"0"} < {row["stops"] for row in whole}
    assert {"LHR", "MAD"} <= {row["departureAirport"] for row in whole}
    assert "LHR" not in {row["departureAirport"] for row in second}


def test_export_is_rewritten_if_the_day_or_the_faults_change(make: Make) -> None:
    export = make()
    before = {path: path.stat().st_mtime_ns for path in export.refresh()}
    assert {path: path.stat().st_mtime_ns for path in export.refresh()} == before

    export._service.clock.advance(86_400)
    tomorrow = rows(export.refresh()[0])[0]["departureDate"]
    today = export._service.clock.now().date()
    assert tomorrow == (today + timedelta(days=1)).strftime("%d.%m.%Y")

    export._service.hooks = FaultHooks(chosen(["export-without-all"]))
    assert [path.name for path in export.refresh() if "_all_" in path.name] == []
    export._service.hooks = FaultHooks()
    assert len(export.refresh()) == 12


def test_legacy_files_exist_if_the_dialect_writes_them(make: Make) -> None:
    names = [path.name for path in make("lenient").refresh()]

    assert {"cp_routes.csv", "cp_flights.csv"} < set(names)


@pytest.mark.parametrize("days", [0, -1, 331])
def test_too_many_export_days_are_a_usage_error(days: int) -> None:
    with pytest.raises(UsageError, match=f"--export-days {days}: expected 1 to 330"):
        ExportExtent(days).checked()


def test_every_route_option_adds_routes() -> None:
    every, marked = set(ExportExtent(every_route=True).routes()), set(ExportExtent().routes())

    assert marked < every
    assert len(every) > 1_500


# How a file is written


def lines(number: int) -> Iterator[list[str]]:
    return (["MAD", "BCN", f"{day % 28 + 1:02}.01.2030"] for day in range(number))


def file(**members: object) -> ExportFile:
    usual: dict[str, object] = {"columns": columns("routes"), "lines": lambda: lines(2)}
    return ExportFile("cp_routes_all_v3.csv", "routes", 3, "all", **usual | members)  # type: ignore[arg-type]


HEADER = b"departureAirport;arrivalAirport;departureDate"


@pytest.mark.parametrize(
    ("members", "written"),
    [
        ({}, HEADER + b"\nMAD;BCN;01.01.2030\nMAD;BCN;02.01.2030\n"),
        ({"line_end": "\r\n", "ends_last_line": False}, HEADER + b"\r\nMAD;BCN;01.01.2030\r\nMAD;BCN;02.01.2030"),
        ({"encoding": "utf-8-sig", "lines": lambda: lines(0)}, b"\xef\xbb\xbf" + HEADER + b"\n"),
        ({"header": False, "separator": ","}, b"MAD,BCN,01.01.2030\nMAD,BCN,02.01.2030\n"),
        ({"quotes_all": True, "columns": ("a",), "lines": lambda: iter([["b;c"]])}, b'"a"\n"b;c"\n'),
        ({"columns": ("a",), "lines": lambda: iter([["b;c"]])}, b'a\n"b;c"\n'),
        ({"begins": b"x", "ends": b"y", "cut": 4}, b"xdep"),
        ({"cut": 1_000, "lines": lambda: lines(0)}, HEADER + b"\n"),
        ({"header": False, "lines": lambda: lines(0)}, b""),
    ],
)
def test_file_format_options(tmp_path: Path, members: dict[str, object], written: bytes) -> None:
    file(**members).write(tmp_path / "routes.csv")

    assert (tmp_path / "routes.csv").read_bytes() == written


def test_long_file_has_one_byte_order_mark(tmp_path: Path) -> None:
    file(encoding="utf-8-sig", lines=lambda: lines(2_000)).write(tmp_path / "routes.csv")

    assert (tmp_path / "routes.csv").read_bytes().count(b"\xef\xbb\xbf") == 1


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    def peak(number: int) -> int:
        tracemalloc.start()
        file(lines=lambda: lines(number)).write(tmp_path / "routes.csv")
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(1_000)
    assert peak(60_000) < 2 * peak(2_000)


def test_file_is_renamed_when_complete(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    export = make()

    def broken(*_: object) -> Iterator[list[str]]:
        yield ["MAD", "BCN", "01.01.2030"]
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(ExportFolder, "_lines", broken)
        with pytest.raises(OSError, match="the disk is full"):
            export.refresh()
    assert [path.name for path in export.folder.iterdir()] == ["cp_routes_firstota_v2.csv.part"]
    assert len(export.refresh()) == 12


def test_rows_of_two_versions_are_generated_once(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    lines_of = ExportFolder._lines

    def counted(export: ExportFolder, kind: str, gets: Callable[..., bool]) -> Iterator[list[str]]:
        made.append(kind)
        return lines_of(export, kind, gets)

    monkeypatch.setattr(ExportFolder, "_lines", counted)
    folder = make().refresh()[0].parent

    assert sorted(made) == ["flights"] * 3 + ["routes"] * 3
    assert (folder / "cp_flights_all_v2.csv").read_bytes() == (folder / "cp_flights_all_v3.csv").read_bytes()
