"""What the contract's tests share."""

import pytest

from airworthy.contract import Contract, Conversation, Exchange, Finding
from unit.contract.examples import Judge, Places


def judge_with(contract: Contract) -> Judge:
    """Return what judges exchanges of one conversation and says what the last one breaks: side, rule, pointer."""

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
def found(contract: Contract) -> Judge:
    return judge_with(contract)


@pytest.fixture
def seen(whole_contract: Contract) -> Judge:
    """Judge by the contract of all versions."""
    return judge_with(whole_contract)
