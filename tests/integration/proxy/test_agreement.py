"""The suite runs through the proxy, and both have the same findings."""

from pathlib import Path

import pytest

from airworthy.register import rules
from airworthy.sandbox import SandboxSettings
from collected_suite import CollectedSuite

from .agreement import through_proxy

pytestmark = pytest.mark.exhaustive

# `make proxy-agreement` runs the whole suite in every dialect.
FAULT, RULE = "total-with-half-baggage", "V4-ORDER-TOTAL-BAGGAGE"
SELECTED = ("V4-SEARCH-", "V2-REQUESTS-", "V3-BOOKINGS-", RULE)


def test_proxy_and_suite_have_the_same_findings(suite: CollectedSuite, tmp_path: Path) -> None:
    chosen = [rule.id for rule in rules() if rule.id.startswith(SELECTED)]
    found = through_proxy(suite, tmp_path, SandboxSettings(faults=(FAULT,)), chosen)

    assert not found.missed
    assert not found.invented
    assert found.seen >= found.exchanges > 250
    # The negative scenarios violate a rule with each request.
    assert found.proxy.total() > found.exchanges / 4
    assert any(RULE in key for key in found.proxy)
