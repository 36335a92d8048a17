"""Runs of the suite that several tests read."""

import os
from collections.abc import Callable, Iterator

import pytest
from filelock import FileLock

from airworthy.report import load_results
from collected_suite import TERMINAL, CollectedSuite, FinishedRun

FullRun = Callable[[str], FinishedRun]


@pytest.fixture(scope="session")
def suite() -> Iterator[CollectedSuite]:
    """The suite, collected once for all tests of this process."""
    with CollectedSuite() as collected:
        yield collected


@pytest.fixture(scope="session")
def full_run(suite: CollectedSuite, tmp_path_factory: pytest.TempPathFactory) -> FullRun:
    """``full_run(dialect)`` returns a full run on a dialect, which all tests and processes share; do not change it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "full-runs"
    folder.mkdir(exist_ok=True)

    def run(dialect: str) -> FinishedRun:
        path = folder / dialect
        exit_code = folder / f"{dialect}.exit-code"
        with FileLock(folder / f"{dialect}.lock"):
            if not exit_code.exists():
                made = suite.run(path, dialect=dialect, judged=True)
                exit_code.write_text(str(made.exit_code))
        terminal = (path / TERMINAL).read_text(encoding="utf-8")
        return FinishedRun(load_results(path / "results.json"), terminal, int(exit_code.read_text()), path)

    return run
