"""The clock, the bounded table of records, the settings, the cards, the profile and the page."""

from datetime import date
from typing import Any

import pytest

from airworthy.errors import UsageError
from airworthy.sandbox import SandboxServer, SandboxSettings
from airworthy.sandbox.dashboard.page import page
from airworthy.sandbox.dashboard.profile import profile, summary
from airworthy.sandbox.dialects.named import dialects
from airworthy.sandbox.model.clock import SandboxClock
from airworthy.sandbox.model.tables import BoundedTable
from airworthy.sandbox.payment_provider.provider import CARDS, PaymentProvider


def test_clock_only_moves_forward() -> None:
    clock = SandboxClock()
    before = clock.now()
    clock.advance(1800)

    assert (clock.now() - before).total_seconds() == pytest.approx(1800, abs=5)
    assert clock.moved == 1800
    for wrong in (-1, float("nan"), float("inf"), 1e12):
        with pytest.raises(ValueError, match="seconds"):
            clock.advance(wrong)


def test_full_table_drops_the_oldest_record() -> None:
    table: BoundedTable[int] = BoundedTable(max_records=2)
    for number in range(3):
        table.put(number, number)

    assert list(table) == [1, 2]
    assert table.get(0) is None


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"settings": SandboxSettings(faults=("x",))}, "unknown fault 'x'"),
        ({"settings": SandboxSettings(lifetimes={"booking": 5})}, "lifetime booking=5"),
        ({"settings": SandboxSettings(lifetimes={"offer": 0})}, "lifetime offer=0"),
        ({"host": "example.com"}, "expected an IP address"),
        ({"host": ""}, "expected an IP address"),
        ({"host": "192.0.2.1"}, "port 0 on 192.0.2.1"),
        *(
            ({"names": [name]}, "expected a host name or an IP address")
            for name in ("", "*.example.com", "a b", "https://sandbox", "sandbox:8443", "-a", "a" * 254)
        ),
    ],
)
def test_invalid_option_is_a_usage_error(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        SandboxServer(**options)


def test_second_use_of_a_payment_method_is_detected() -> None:
    provider = PaymentProvider(SandboxClock(), "pi_", lambda: "pm_")

    assert [provider.use_once("pm_1"), provider.use_once("pm_1")] == [True, False]
    assert [provider.use_once("pm_card_visa")] * 2 == [True, True]


def test_page_contains_what_a_first_request_needs() -> None:
    values = profile("https://127.0.0.1:8443", {"offer": 5})
    html = page(values, "strict", dialects().values(), {"<b>": "<i>"}, date(2027, 3, 14))
    text = summary(values, "/ca.pem", "strict")

    for value in (values["v4"]["key"], values["second_organisation"]["v4"]["customer_code"], CARDS[0].number):
        assert value in html
        assert value in text
    assert "2027-04-13" in html
    assert "&lt;b&gt;" in html
    assert values["lifetimes"] == {"offer_seconds": 5, "schedule_change_seconds": 3600}
    assert "/ca.pem" in text
