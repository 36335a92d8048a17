"""Make the fixtures of the step functions known to pytest."""

import pytest

from conformance import fixtures

# These scenarios judge recorded traffic, not a service; `airworthy certify partner` runs them.
collect_ignore = ["golive"]


def pytest_configure(config: pytest.Config) -> None:
    """Register the fixtures."""
    config.pluginmanager.register(fixtures, "airworthy-conformance-fixtures")
