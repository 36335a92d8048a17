"""The fixture of the tests of v3 and v2."""

import pytest

from airworthy.contract import Contract
from unit.contract.conftest import judge_with
from unit.contract.examples import Finder


@pytest.fixture
def found(whole_contract: Contract) -> Finder:
    """Judge by the contract of all versions."""
    return judge_with(whole_contract)
