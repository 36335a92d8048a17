"""Make the fixtures of the step functions known to pytest."""

from pathlib import Path

import pytest

from airworthy.suite import options
from conformance import fixtures


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Collect explorations only for a run that explores: Hypothesis takes a moment to import."""
    return True if collection_path.name == "explore" and options.budget(config.option) is None else None


def pytest_configure(config: pytest.Config) -> None:
    """Register the fixtures."""
    config.pluginmanager.register(fixtures, "airworthy-conformance-fixtures")
