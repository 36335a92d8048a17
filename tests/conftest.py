"""Leave out the tests that need the development dependencies where only the package is installed (`make certify`)."""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

_NEED_DEVELOPMENT_DEPENDENCIES: Final = [Path(__file__).parent / name for name in ("integration", "unit")]
_ARE_INSTALLED: Final = find_spec("hypothesis") is not None
_LEFT_OUT: Final = pytest.StashKey[list[str]]()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out a folder whose tests cannot be imported."""
    if _ARE_INSTALLED or collection_path not in _NEED_DEVELOPMENT_DEPENDENCIES:
        return None
    # Pytest asks for every folder beside the requested ones, too.
    requested = (config.invocation_params.dir / each.partition("::")[0] for each in config.args)
    if any(collection_path.is_relative_to(each.resolve()) for each in requested):
        config.stash.setdefault(_LEFT_OUT, []).append(collection_path.name)
    return True


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the folders that were left out."""
    if names := config.stash.get(_LEFT_OUT, []):
        terminalreporter.write_line(f"left out: tests/{', tests/'.join(names)} (pip install --editable '.[dev]')")
