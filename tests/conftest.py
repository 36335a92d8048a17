"""Leave out the tests whose dependencies are not installed, as where only the package is (`make certify`).

The fixtures are for all tests.
"""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from airworthy import cli
from command_line import Command, Outcome

if TYPE_CHECKING:
    from collected_suite import CollectedSuite

_NEEDS: Final = {"integration": "hypothesis", "spark": "pyspark", "unit": "hypothesis"}
_ADVICE: Final = {"hypothesis": "pip install --editable '.[dev]'", "pyspark": "make test-spark"}
_LEFT_OUT: Final = pytest.StashKey[list[str]]()

pytest_plugins = ["pytester"]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out a folder whose tests cannot be imported."""
    needed = _NEEDS.get(collection_path.name) if collection_path.parent == Path(__file__).parent else None
    if needed is None or find_spec(needed) is not None:
        return None
    # Pytest asks for every folder beside the requested ones, too.
    requested = (config.invocation_params.dir / each.partition("::")[0] for each in config.args)
    if any(collection_path.is_relative_to(each.resolve()) for each in requested):
        config.stash.setdefault(_LEFT_OUT, []).append(collection_path.name)
    return True


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the folders that were left out."""
    left_out = config.stash.get(_LEFT_OUT, [])
    for module, advice in _ADVICE.items():
        if names := [name for name in left_out if _NEEDS[name] == module]:
            terminalreporter.write_line(f"left out: tests/{', tests/'.join(names)} ({advice})")


@pytest.fixture
def airworthy(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return a function that runs a command in this process: an interpreter of its own takes longer than most tests."""
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: object) -> Outcome:
        monkeypatch.setattr("sys.argv", ["airworthy", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        captured = capfd.readouterr()
        return Outcome(ended.value.code if isinstance(ended.value.code, int) else 0, captured.out, captured.err)

    return run


@pytest.fixture(scope="session")
def suite() -> "Iterator[CollectedSuite]":
    """The suite, collected once for all tests of this process."""
    from collected_suite import CollectedSuite  # noqa: PLC0415 - the suite itself does not need it

    with CollectedSuite() as collected:
        yield collected
