"""Runs the conformance suite in this process and takes the decision."""

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from configparser import ConfigParser
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from airworthy.errors import AirworthyError, StorageError, UsageError
from airworthy.private_files import temporary_folder
from airworthy.report.decision import decide
from airworthy.report.results import Results
from airworthy.resources import resource
from airworthy.suite import options

if TYPE_CHECKING:
    from airworthy.suite.results_collector import ResultsCollector

# Of the plugins that certify.ini turns off. Pytest still knows their options, and ignores them.
_UNUSED_OPTION: Final = re.compile(r"--(doctest-[a-z-]+|basetemp|no-subtests-[a-z-]+)\b")
_PYTEST_SETTINGS: Final = Path(options.__file__).parent / "certify.ini"
# What a user sets for pytest in general must not change a run that certifies.
_PYTEST_VARIABLES: Final = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")


@dataclass(frozen=True, slots=True)
class Certification:
    """The results of a run, the folder of the report, and how many tests outside of the suite failed."""

    results: Results
    folder: Path
    exit_code: int
    other_failures: int = 0

    def summary(self) -> dict[str, object]:
        """Return what ``airworthy certify --json`` prints."""
        decision = decide(self.results)
        return {
            "decision": decision.outcome,
            "exit_code": self.exit_code,
            "other_failures": self.other_failures,
            "run": self.results.run,
            "target": self.results.target,
            "counts": self.results.counts,
            "blocks": [asdict(block) for block in decision.blocks],
            "warnings": {rule.id: rule.reason for rule in self.results.rules if rule.verdict == "warning"},
            "seconds": self.results.timing.seconds,
            "throttled": self.results.timing.throttled,
            "folder": str(self.folder),
        }


def certify(arguments: Sequence[str], reports: Path, run: str | None = None, *, part: str = "") -> Certification:
    """Run the suite, or the ``part`` of it in a folder, and return the decision.

    ``arguments`` are options of pytest and of the suite's plugin. The report is written to the folder ``run`` in
    ``reports`` (default: date and time).

    Raises:
        AirworthyError: the suite failed before it could collect any scenario.
        UsageError: no scenario was selected, there is no folder for temporary files, or ``arguments`` have an option
            without effect.
        SystemExit: pytest rejected the arguments (exit code 2), or the run was interrupted before it began or its
            report could not be written (3), and the reason was printed.
    """
    unused = next((each for each in arguments if _UNUSED_OPTION.match(each)), None)
    if unused:
        raise UsageError(f"{unused.partition('=')[0]} has no effect on airworthy certify; remove it")
    # Without one, pytest would end with a traceback.
    temporary_folder()
    session = _Session()
    with _without_pytest_variables():
        exit_code = pytest.main(
            [
                "-q",
                *("-c", str(_PYTEST_SETTINGS), *_plugins_for_other_tests(arguments)),
                f"--rootdir={resource('conformance')}",
                *("-o", f"cache_dir={(reports / '.cache').resolve()}"),
                *("--reports", str(reports)),
                *(("--run-id", run) if run else ()),
                *arguments,
                str(resource("conformance") / part),
            ],
            plugins=[session],
        )
    collector = session.collector
    if collector and collector.storage_error:
        raise SystemExit(StorageError.exit_code)
    if collector is None or collector.results is None:
        if session.has_failed:
            # Pytest has shown the error.
            raise AirworthyError("the suite failed with an internal error before it tested anything")
        # pytest's code for wrong usage (4) is also the code of an internal error; only the latter writes results.
        if exit_code == pytest.ExitCode.USAGE_ERROR:
            raise SystemExit(UsageError.exit_code)
        # The plugin has shown what is wrong with an option, the profile or the folder for reports.
        if collector is None and exit_code in (UsageError.exit_code, StorageError.exit_code):
            raise SystemExit(exit_code)
        name = exit_code.name.replace("_", " ").lower() if isinstance(exit_code, pytest.ExitCode) else exit_code
        raise UsageError(f"nothing was tested (pytest: {name})")
    folder = reports / collector.folder.name
    return Certification(collector.results, folder, collector.exit_code, collector.other_failures)


def _plugins_for_other_tests(arguments: Sequence[str]) -> list[str]:
    """Return the option that keeps the plugins of pytest if a path leads to tests that are not the suite's."""
    paths = [each.partition("::")[0] for each in arguments if not each.startswith("-")]
    if all(Path(each).resolve().is_relative_to(resource("conformance")) for each in paths if Path(each).exists()):
        return []
    settings = ConfigParser(interpolation=None)
    settings.read(_PYTEST_SETTINGS)
    return ["-o", "addopts=" + re.sub(r"-p no:\w+", "", settings["pytest"]["addopts"]).replace("\n", " ")]


class _Session:
    """A plugin that keeps the results of pytest's session."""

    collector: "ResultsCollector | None" = None
    has_failed = False

    def pytest_internalerror(self) -> None:
        self.has_failed = True

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        # pytest has to import the plugin itself, so that assertions are rewritten.
        from airworthy.suite.plugin import COLLECTOR

        self.collector = session.config.stash.get(COLLECTOR, None)


@contextlib.contextmanager
def _without_pytest_variables() -> Iterator[None]:
    removed = {name: os.environ.pop(name) for name in _PYTEST_VARIABLES if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(removed)
