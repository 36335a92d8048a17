"""Make the fixtures of the step functions known to pytest."""

import pytest

from conformance import fixtures


def pytest_configure(config: pytest.Config) -> None:
    """Register the fixtures."""
    config.pluginmanager.register(fixtures, "airworthy-conformance-fixtures")
