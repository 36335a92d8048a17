"""Measure the export check, as a multiple of the time that Python's csv reader takes for the same file.

python benchmarks/export.py [ROWS]
"""

import csv
import random
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from datetime import time
from itertools import pairwise
from pathlib import Path
from typing import Final

from airworthy.export import FileReport, check_file
from airworthy.export.formats import export_specification
from airworthy.export.segments import DURATION, FROM, TO, ordinals, segment_facts
from machine import median, seconds, show

_ROWS: Final = 300_000
_REPEATS: Final = 5
_DIFFERENT: Final = 20_000
_COLUMNS: Final = export_specification().formats["flights"].columns
_CHOSEN: Final = random.Random(1)  # noqa: S311  the same file each time
_SAMPLES: Final[Mapping[str, tuple[str, ...]]] = {
    "airport": ("MAD", "BCN", "PMI", "LHR", "CDG", "FRA"),
    "date": tuple(f"{day:02}.{month:02}.2027" for month in range(1, 13) for day in range(1, 29)),
    "time": tuple(f"{hour:02}:{minute:02}" for hour in range(24) for minute in range(0, 60, 5)),
    "carrier": ("IB", "UX", "VY", "TP", "U2", "W6"),
    "flightNumber": tuple(map(str, range(1, 9999, 7))),
    "seats": ("*", *map(str, range(10))),
    "fareType": ("OW",),
    "amount": tuple(f"{cents / 100:.2f}" for cents in range(0, 50_000, 37)),
    "weight": ("20", "23", ""),
    "currency": ("EUR",),
    "duration": ("01:10", "02:25", "12:05"),
    "overNight": ("0", "1"),
    "stops": ("0", "1", "2"),
    "text": ("Y", "economy", "4f1d02b7a9"),
}
# What each kind of file has in place of the valid cells of a row, and of the row with a number.
KINDS: Final[Mapping[str, Callable[[list[str], int], list[str]]]] = {
    "valid": lambda cells, _: cells,
    "valid, all cells quoted": lambda cells, _: [f'"{cell}"' for cell in cells],
    "an invalid cell in every thousandth row": lambda cells, row: (
        cells if row % 1_000 else [*cells[:2], "31.02.2027", *cells[3:]]
    ),
    "an invalid cell in every row": lambda cells, _: [*cells[:2], "-".join(reversed(cells[2].split("."))), *cells[3:]],
    "a cell too few in every row": lambda cells, _: cells[:-1],
}


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else _ROWS
    table = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cp_flights_all_v3.csv"
        for name, change in KINDS.items():
            write(path, rows, change)
            read, checked = alternately(lambda: read_by_csv(path), lambda: check(path))
            found = f"{sum(each.count for each in check(path).findings):,}"
            size, rate = f"{path.stat().st_size / 1e6:.0f} MB", f"{rows / min(checked):,.0f}"
            table.append((name, size, median(read), median(checked), rate, f"{min(checked) / min(read):.2f}", found))
    show(("file", "size", "csv.reader", "check", "rows per second", "multiple", "findings"), table)
    print(f"\n{rows:,} rows; at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB of memory")


def write(path: Path, rows: int, change: Callable[[list[str], int], list[str]]) -> None:
    """Write a flights file with rows drawn from a pool."""
    pool = [list(_cells()) for _ in range(_DIFFERENT)]
    with path.open("w", encoding="ascii") as file:
        file.write(";".join(column.name for column in _COLUMNS) + "\n")
        for row in range(rows):
            file.write(";".join(change(_CHOSEN.choice(pool), row)) + "\n")


def _cells() -> Iterator[str]:
    used = ordinals()[: _CHOSEN.choices((1, 2, 3), (7, 2, 1))[0]]
    unused = tuple(f"segment{name}" for name in ordinals()[len(used) :])
    row = {
        each.name: "" if each.name.startswith(unused) else _CHOSEN.choice(_SAMPLES[each.type.name]) for each in _COLUMNS
    }
    airports = _CHOSEN.sample(_SAMPLES["airport"], len(used) + 1)
    row |= {"departureAirport": airports[0], "arrivalAirport": airports[-1], "stops": str(len(used) - 1)}
    for fact in segment_facts():
        if fact.flight:
            row[f"segment{used[0]}{fact.segment}"] = row[fact.flight]
    for name, (departs, arrives) in zip(used, pairwise(airports), strict=True):
        row |= {f"segment{name}{FROM}": departs, f"segment{name}{TO}": arrives}
    departure = time.fromisoformat(row[f"segment{used[0]}DepartureTime"])
    lasts = time.fromisoformat(row[DURATION])
    hours, minutes = divmod(departure.minute + lasts.minute, 60)
    row[f"segment{used[-1]}ArrivalTime"] = f"{(departure.hour + lasts.hour + hours) % 24:02}:{minutes:02}"
    yield from row.values()


def check(path: Path) -> FileReport:
    with path.open("rb") as stream:
        return check_file(path.name, stream)


def read_by_csv(path: Path) -> None:
    with path.open(encoding="ascii", newline="") as file:
        for _ in csv.reader(file, delimiter=";"):
            pass


def alternately(one: Callable[[], object], other: Callable[[], object]) -> tuple[list[float], list[float]]:
    """Return the CPU times of two functions, called alternately so that load affects both."""
    found: tuple[list[float], list[float]] = ([], [])
    for _ in range(_REPEATS):
        for call, times in zip((one, other), found, strict=True):
            times.append(seconds(call))
    return found


if __name__ == "__main__":
    main()
