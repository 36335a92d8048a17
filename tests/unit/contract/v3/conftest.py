"""The fixture of the tests of v3 and v2."""

import pytest

from airworthy.contract import Contract
from unit.contract.conftest import finder
from unit.contract.examples import Finder


@pytest.fixture
def found(whole_contract: Contract) -> Finder:
    """Judge by the contract of all versions."""
    return finder(whole_contract)
