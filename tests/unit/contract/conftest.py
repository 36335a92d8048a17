"""What the contract's tests share."""

import pytest

from airworthy.contract import Contract, Exchange, Finding, Journey

from .examples import Judge, Places


@pytest.fixture(scope="session")
def contract() -> Contract:
    return Contract.load()


@pytest.fixture
def found(contract: Contract) -> Judge:
    """Judge exchanges of one journey and return what the last one breaks: side, rule, pointer."""

    def judge(*exchanges: Exchange, journey: bool = True) -> Places:
        memory = Journey() if journey else None
        findings: list[Finding] = []
        for exchange in exchanges:
            findings = contract.judge(exchange, memory)
        return [(finding.side, finding.rule, finding.pointer) for finding in findings]

    return judge
