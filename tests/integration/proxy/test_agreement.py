"""The suite runs through the proxy, and both have the same findings."""

from pathlib import Path

import pytest

from airworthy.sandbox import SandboxSettings

from .agreement import through_proxy

pytestmark = pytest.mark.exhaustive

# `make proxy-agreement` runs the whole suite in every dialect.
SELECTION = "search or bookings"


def test_proxy_and_suite_have_the_same_findings(tmp_path: Path) -> None:
    found = through_proxy(tmp_path, SandboxSettings("documented"), "-k", SELECTION)

    assert not found.missed
    assert not found.invented
    assert found.seen >= found.exchanges > 300
    # The negative scenarios violate a rule with each request.
    assert found.proxy.total() > found.exchanges / 4


def test_proxy_finds_a_fault_that_the_suite_finds(tmp_path: Path) -> None:
    found = through_proxy(
        tmp_path, SandboxSettings(faults=("total-with-half-baggage",)), "-m", "V4-ORDER-TOTAL-BAGGAGE"
    )

    assert not found.missed
    assert not found.invented
    assert any("V4-ORDER-TOTAL-BAGGAGE" in key for key in found.proxy)
