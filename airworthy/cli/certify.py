"""``airworthy certify service``: runs the whole suite in this process, against one target."""

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from airworthy.errors import UsageError
from airworthy.report import Decision, Results, decide, load_results
from airworthy.resources import resource
from airworthy.suite import options

_PROCESSES = re.compile(r"-n($|auto|logical|\d|=)|--(numprocesses|dist)\b")
_SETTINGS = Path(options.__file__).parent / "certify.ini"


@dataclass(frozen=True, slots=True)
class Certification:
    """What a run came to, and the folder with its report."""

    results: Results
    decision: Decision
    folder: Path


def certify(arguments: Sequence[str], reports: Path, run: str | None = None) -> Certification:
    """Run the suite with pytest's and its own ``arguments``; the report goes to a folder below ``reports``.

    Raises:
        UsageError: nothing was selected, or several processes were asked for where pytest-xdist is missing.
        SystemExit: pytest refused the arguments, with a line of its own (exit code 2).
    """
    run = run or _free_name(reports)
    written = reports / run / "results.json"
    earlier = _time_of(written)
    parallel = ["-p", "xdist"] if any(each.name == "xdist" for each in entry_points(group="pytest11")) else []
    asked = next((each for each in arguments if _PROCESSES.match(each)), None)
    if asked and not parallel:
        raise UsageError(f"{asked}: needs pytest-xdist, which is not installed (pip install pytest-xdist)")
    with _alone():
        exit_code = pytest.main(
            [
                "-q",
                *("-c", str(_SETTINGS)),
                f"--rootdir={resource('conformance')}",
                *parallel,
                *("-o", f"cache_dir={(reports / '.cache').resolve()}"),
                *("--reports", str(reports), "--run-id", run),
                *arguments,
                str(resource("conformance")),
            ]
        )
    if _time_of(written) == earlier:
        # pytest's code for wrong use is also the decision's for a fault of the suite, which leaves results.
        if exit_code == pytest.ExitCode.USAGE_ERROR:
            raise SystemExit(UsageError.exit_code)
        raise UsageError(f"nothing was examined (pytest: {_named(exit_code)})")
    results = load_results(written)
    return Certification(results, decide(results), written.parent)


def _time_of(path: Path) -> int | None:
    return path.stat().st_mtime_ns if path.exists() else None


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Keep what the caller set for pytest at large out of the run."""
    kept = {name: os.environ.pop(name) for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS") if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(kept)


def _free_name(reports: Path) -> str:
    name = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    names = (name, *(f"{name}-{number}" for number in range(2, 1000)))
    return next(each for each in names if not (reports / each).exists())


def _named(exit_code: int | pytest.ExitCode) -> str:
    try:
        return pytest.ExitCode(exit_code).name.replace("_", " ").lower()
    except ValueError:
        return f"exit code {exit_code}"
