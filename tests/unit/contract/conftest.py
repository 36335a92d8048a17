"""Fixtures of the tests of the contract."""

import pytest

from airworthy.contract import Contract, Exchange
from unit.contract.examples import Finder, Places
from unit.contract.judging import last_findings


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that accepts new findings in mutations."""
    parser.addoption("--update-findings", action="store_true", help="write mutation_findings.txt")


@pytest.fixture(scope="session")
def contract() -> Contract:
    return Contract.load()


@pytest.fixture(scope="session")
def whole_contract() -> Contract:
    return Contract.load(("v2", "v3", "v4"))


@pytest.fixture
def found(whole_contract: Contract) -> Finder:
    """Return a function that judges a conversation and returns the places of the findings in its last exchange."""

    def judge(*exchanges: Exchange) -> Places:
        return [(each.side, each.rule, each.pointer) for each in last_findings(whole_contract, *exchanges)]

    return judge
