"""What a monitor remembers can be stored between two exchanges: the findings are those of one go."""

import pickle
from itertools import chain

import pytest

from airworthy.contract import Contract, Exchange
from airworthy.contract.http.operations import SERVED
from airworthy.traffic import TrafficMonitor
from airworthy.traffic.document import to_json
from unit.audit.test_run import AGAIN, CONVERSATIONS, day

CONTRACT = Contract.load(SERVED)


def traffic() -> list[Exchange]:
    """Conversations of all versions, and a second confirmation."""
    return sorted([*chain(*CONVERSATIONS), AGAIN, *day(5)], key=lambda exchange: exchange.started)


@pytest.mark.parametrize("step", [1, 7])
def test_stored_memory_changes_no_finding(step: int) -> None:
    exchanges = traffic()
    whole, stored = TrafficMonitor(CONTRACT), TrafficMonitor(CONTRACT)
    expected = [whole.observe(each) for each in exchanges]

    found = []
    for start in range(0, len(exchanges), step):
        stored.recall(pickle.loads(pickle.dumps(stored.memory)))  # noqa: S301 - our own
        found += [stored.observe(each) for each in exchanges[start : start + step]]

    assert found == expected
    assert any(finding.rule == "V4-CONFIRM-ONCE" for findings in found for finding in findings)
    assert to_json(stored.summary) == to_json(whole.summary)


def test_forgotten_memory_has_no_context() -> None:
    monitor = TrafficMonitor(CONTRACT)
    found = []
    for each in traffic():
        monitor.recall()
        found += monitor.observe(each)

    assert not any(finding.rule == "V4-CONFIRM-ONCE" for finding in found)
