"""Print the table of a benchmark, and the machine that it was measured on."""

import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

_PARTS = ("pytest", "pytest-bdd", "jsonschema-rs", "requests", "uvicorn")


def show(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table in Markdown, and the machine's facts below it."""
    whole = [list(heads), *(list(row) for row in rows)]
    widths = [max(len(row[column]) for row in whole) for column in range(len(heads))]
    whole.insert(1, ["-" * width for width in widths])
    for row in whole:
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |")
    print(f"\n{facts()}")


def facts() -> str:
    """Return what the results depend on: processor, system, versions and load."""
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    parts = ", ".join(f"{name} {version(name)}" for name in _PARTS)
    return (
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()}; Python {platform.python_version()}; {parts}; "
        f"load {load}"
    )


def seconds(call: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Return the seconds of one call; processor time depends less on the load of the machine."""
    began = clock()
    call()
    return clock() - began


def median(measured: Sequence[float]) -> str:
    """Return the median with the range, in a suitable unit."""
    scale, unit = next(each for each in ((1, "s"), (1e3, "ms"), (1e6, "µs")) if max(measured) * each[0] >= 1)
    low, middle, high = (scale * each for each in (min(measured), statistics.median(measured), max(measured)))
    return f"{middle:.3g} {unit} ({low:.3g} to {high:.3g})"


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    lines = information.read_text(encoding="utf-8").splitlines() if information.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())
