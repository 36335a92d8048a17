"""Fixtures of the tests of the contract."""

import pytest

from airworthy.contract import Contract, Conversation, Exchange, Finding
from unit.contract.examples import Finder, Places


def judge_with(contract: Contract) -> Finder:
    """Return a function that judges a conversation and returns the places of the findings on its last exchange."""

    def judge(*exchanges: Exchange, conversation: bool = True) -> Places:
        memory = Conversation() if conversation else None
        findings: list[Finding] = []
        for exchange in exchanges:
            findings = contract.judge(exchange, memory)
        return [(finding.side, finding.rule, finding.pointer) for finding in findings]

    return judge


@pytest.fixture(scope="session")
def contract() -> Contract:
    return Contract.load()


@pytest.fixture(scope="session")
def whole_contract() -> Contract:
    return Contract.load(("v2", "v3", "v4"))


@pytest.fixture
def found(contract: Contract) -> Finder:
    return judge_with(contract)
