"""Measure a full run against the embedded sandbox, by phase.

python benchmarks/run_suite.py [runs]
"""

import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from airworthy.report.document import load_results
from airworthy.report.results import Results
from machine import median, show

Phases = dict[str, float]


def main(runs: int = 5) -> None:
    measured = [run() for _ in range(runs)]
    phases = [phase for phase, _ in measured]
    results = measured[0][1]
    rows = [(name, median([each[name] for each in phases])) for name in phases[0]]
    inside = [each["inside HTTP exchanges"] / each["scenarios"] for each in phases]
    busy = [each["whole run, as the report says"] for each in phases]
    rows += [
        ("share of the scenarios' time inside HTTP", f"{min(inside):.0%} to {max(inside):.0%}"),
        ("scenarios", str(sum(1 for _ in _scenarios(results)))),
        ("exchanges", str(results.timing.exchanges)),
        ("exchanges a second of the run", f"{results.timing.exchanges / sorted(busy)[runs // 2]:.0f}"),
    ]
    show((f"phase of {runs} runs", "median (range)"), rows)


def run() -> tuple[Phases, Results]:
    """Certify the sandbox in a separate process; return the seconds of each phase, and the results."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "airworthy.cli", "certify", "service", "--run-id", "run"]
        before, began = _processor_seconds(), datetime.now(UTC)
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        ended, processor = datetime.now(UTC), _processor_seconds() - before
        results = load_results(Path(folder) / "reports" / "run" / "results.json")
    scenarios = sum(_scenarios(results))
    whole = results.timing.seconds
    return {
        "process, from start to end": (ended - began).total_seconds(),
        "start of the process, imports": (results.started - began).total_seconds(),
        "whole run, as the report says": whole,
        "collecting, and between scenarios": whole - scenarios,
        "scenarios": scenarios,
        "inside HTTP exchanges": results.timing.http_seconds,
        "writing the report, end": (ended - results.finished).total_seconds(),
        "processor time": processor,
    }, results


def _processor_seconds() -> float:
    """Return the processor time of the ended child processes, which a busy machine changes less than elapsed time."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _scenarios(results: Results) -> Iterator[float]:
    return (scenario.duration for rule in results.rules for scenario in rule.scenarios)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
