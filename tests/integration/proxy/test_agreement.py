"""No false alarm and nothing missed: the suite passes through the proxy, and both find the same."""

from pathlib import Path

from airworthy.sandbox import SandboxSettings

from .agreement import through_proxy

# The whole of it, in every dialect: make proxy-agreement.
CHOSEN = "search or bookings"


def test_the_proxy_finds_what_the_suite_finds_and_nothing_else(tmp_path: Path) -> None:
    found = through_proxy(tmp_path, SandboxSettings("documented"), "-k", CHOSEN)

    assert not found.missed
    assert not found.invented
    assert found.seen >= found.exchanges > 300
    # The scenarios of the client's rules send something wrong for each.
    assert found.proxy.total() > found.exchanges / 4


def test_a_fault_that_the_suite_finds_the_proxy_finds(tmp_path: Path) -> None:
    found = through_proxy(
        tmp_path, SandboxSettings(faults=("total-with-half-baggage",)), "-m", "V4-ORDER-TOTAL-BAGGAGE"
    )

    assert not found.missed
    assert not found.invented
    assert any("V4-ORDER-TOTAL-BAGGAGE" in key for key in found.proxy)
