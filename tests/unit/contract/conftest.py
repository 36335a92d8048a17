"""Fixtures of the tests of the contract."""

import pytest

from airworthy.contract import Contract


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that accepts new findings in mutations."""
    parser.addoption("--update-findings", action="store_true", help="write mutation_findings.txt")


@pytest.fixture(scope="session")
def contract() -> Contract:
    return Contract.load()


@pytest.fixture(scope="session")
def whole_contract() -> Contract:
    return Contract.load(("v2", "v3", "v4"))
