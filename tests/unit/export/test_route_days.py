"""The routes and days of the files of a customer are compared, in samples of bounded size."""

from itertools import islice, product
from pathlib import Path
from string import ascii_uppercase

import pytest

from airworthy.export import check_folder, open_location

MANY = ["MAD;" + "".join(code) for code in islice(product(ascii_uppercase, repeat=3), 9_000)]
ROWS = [f"{route};{day:02}.03.2027" for route in MANY for day in (1, 2)]
HEADER = "departureAirport;arrivalAirport;departureDate"


def missing(folder: Path, one: tuple[str, str], other: tuple[str, str]) -> list[tuple[str, int]]:
    """Return the messages about two files, each a name and a text, and how often they apply."""
    for name, text in (one, other):
        (folder / name).write_text(text, encoding="ascii", newline="")
    findings = check_folder(open_location(str(folder))).findings
    return [(each.message, each.count) for each in findings if each.rule == "EXPORT-SAME-CONTENT"]


def routes(rows: list[str], end: str = "\n") -> str:
    return end.join([HEADER, *rows, ""])


@pytest.mark.parametrize(
    "name", ["cp_flights_all_v3.csv", "cp_flights_all_v2.csv", "cp_flights_zeta_v3.csv", "cp_flights.csv"]
)
def test_only_files_of_one_customer_are_compared(tmp_path: Path, name: str) -> None:
    found = missing(tmp_path, ("cp_routes_all_v3.csv", routes(ROWS[:4])), (name, routes(ROWS[2:])))

    assert bool(found) == (name == "cp_flights_all_v3.csv")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_notation_does_not_matter(tmp_path: Path, end: str) -> None:
    quoted = [";".join(f'"{cell.lower()}"' for cell in row.split(";")) for row in reversed(ROWS)]

    assert (
        missing(tmp_path, ("cp_routes_all_v3.csv", routes(ROWS)), ("cp_flights_all_v3.csv", routes(quoted, end))) == []
    )


def test_each_file_is_compared_with_the_other(tmp_path: Path) -> None:
    few = ROWS[:3_000]
    one, other = "cp_flights_all_v3.csv", "cp_routes_all_v3.csv"

    assert missing(tmp_path, (one, routes(few[:-2])), (other, routes(few[1:]))) == [
        (f"a route and day of {one} is missing from {other}", 1),
        (f"a route and day of {other} is missing from {one}", 2),
    ]


def test_rows_with_a_wrong_cell_have_a_route_and_a_day(tmp_path: Path) -> None:
    header, rows = (
        f"{HEADER};currency",
        [f"{row};{'USD' if at > 1_500 else 'EUR'}" for at, row in enumerate(ROWS[:3_000])],
    )
    flights = "\n".join([header, *rows, ""])

    assert missing(tmp_path, ("cp_flights_all_v3.csv", flights), ("cp_routes_all_v3.csv", routes(ROWS[:3_000]))) == []


def test_many_missing_days_are_noticed_in_samples(tmp_path: Path) -> None:
    ((_, count),) = missing(
        tmp_path, ("cp_routes_all_v3.csv", routes(ROWS)), ("cp_flights_all_v3.csv", routes(ROWS[: len(ROWS) // 2]))
    )

    assert 0 < count < len(ROWS) // 4
