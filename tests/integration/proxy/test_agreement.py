"""The suite runs through the proxy, and both have the same findings."""

from pathlib import Path

import pytest

from airworthy.sandbox import SandboxSettings

from .agreement import through_proxy

pytestmark = pytest.mark.exhaustive

# `make proxy-agreement` runs the whole suite in every dialect.
FAULT, RULE = "total-with-half-baggage", "V4-ORDER-TOTAL-BAGGAGE"
SELECTION = f"search and not flights or V2-REQUESTS or V3-BOOKINGS or {RULE}"


def test_proxy_and_suite_have_the_same_findings(tmp_path: Path) -> None:
    found = through_proxy(tmp_path, SandboxSettings(faults=(FAULT,)), "-k", SELECTION)

    assert not found.missed
    assert not found.invented
    assert found.seen >= found.exchanges > 300
    # The negative scenarios violate a rule with each request.
    assert found.proxy.total() > found.exchanges / 4
    assert any(RULE in key for key in found.proxy)
