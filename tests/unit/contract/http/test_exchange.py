"""Exchanges, independent of the machine that judges them."""

import time
from datetime import UTC, datetime

import pytest

from airworthy.contract.http.exchange import date_header


@pytest.mark.parametrize("zone", ["GMT", "-0000", ""])
def test_date_without_a_zone_is_in_utc_on_every_machine(monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", "America/New_York")
        time.tzset()
        dated = date_header((("Date", f"Wed, 21 Oct 2026 07:28:00 {zone}"),))
    time.tzset()

    assert dated == datetime(2026, 10, 21, 7, 28, tzinfo=UTC)
