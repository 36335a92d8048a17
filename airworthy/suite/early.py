"""Finds the project's settings again where pytest has lost them; installed as a plugin of its own.

Before pytest knows any plugin's options it takes their values for tests: `pytest --profile /etc/acme.toml` then looks
for its settings beside that file, finds none, and does not know the option at all. Here the run starts over with the
settings of the folder that it was started in.
"""

import os
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest

_PLUGIN: Final = "airworthy.suite.plugin"
_WITH_PATHS: Final = ("--profile", "--ca-bundle", "--reports")


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Start over with the right settings; nothing where they were found, or where nobody asks for the suite."""
    given = [str(each) for each in early_config.invocation_params.args]
    if early_config.pluginmanager.hasplugin(_PLUGIN) or not set(given) & set(_WITH_PATHS):
        return
    folder = early_config.invocation_params.dir
    settings = next((each for each in _candidates(folder) if _loads_the_suite(each)), None)
    if settings:
        # Already pytest holds the terminal; the new run has to have it back.
        if capturing := early_config.pluginmanager.getplugin("capturemanager"):
            capturing.stop_global_capturing()
        os.execv(sys.executable, [sys.executable, "-m", "pytest", "-c", str(settings), *given])  # noqa: S606


def _candidates(folder: Path) -> list[Path]:
    return [parent / "pyproject.toml" for parent in (folder, *folder.parents)]


def _loads_the_suite(settings: Path) -> bool:
    try:
        options = tomllib.loads(settings.read_text())["tool"]["pytest"]["ini_options"]["addopts"]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return _PLUGIN in options
