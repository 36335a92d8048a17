"""Measure how fast the sandbox writes its content export, as a multiple of the time of Python's csv writer.

python benchmarks/export_writing.py [DAYS]    # departure days, for all routes; about 9,400 flights a day
"""

import csv
import resource
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Final

from airworthy.sandbox import create_app
from airworthy.sandbox.export.files import ExportExtent, ExportFolder
from airworthy.sandbox.model.export_file import ExportFile
from machine import seconds, show

_DAYS: Final = (1, 10)


def main(days: tuple[int, ...]) -> None:
    """Write the all-content flights file of some days, then the same lines with csv, which needs them in memory."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {each: Path(folder) / f"{each}.csv" for each in days}
        made = {each: (seconds(partial(all_flights(each).write, path)), peak()) for each, path in paths.items()}
        table = []
        for each, (taken, megabytes) in made.items():
            with paths[each].open(encoding="utf-8", newline="") as written:
                lines = list(csv.reader(written, delimiter=";"))
            alone = seconds(partial(by_csv, paths[each], lines))
            cells = (f"{taken / len(lines) * 1e6:.0f} µs", f"{taken / alone:.1f}", f"{megabytes:.0f} MB")
            table.append((str(each), f"{len(lines):,}", *cells))
    show(("days", "lines", "a line", "of csv.writer", "peak memory"), table)


def all_flights(days: int) -> ExportFile:
    """Return the all-content flights file of a new sandbox, whose caches are empty."""
    export = ExportFolder(create_app().state.service, ExportExtent(days, every_route=True), Path())
    return next(each for each in export.files() if (each.format, each.customer) == ("flights", "all"))


def by_csv(path: Path, lines: list[list[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";", lineterminator="\n").writerows(lines)


def peak() -> float:
    """Return the peak memory of the process in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or _DAYS)
