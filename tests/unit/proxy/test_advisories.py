"""Unsafe features of mitmproxy, by its version."""

import pytest

from airworthy.proxy.advisories import restrictions


@pytest.mark.parametrize(
    ("version", "is_http2_safe", "is_web_safe"),
    [
        *((version, False, False) for version in ("10.4.2", "11.0.2", "11.1.1", "11.1.1.dev")),
        *((version, False, True) for version in ("11.1.2", "11.1.3", "12.0.0", "12.1.1")),
        *((version, True, True) for version in ("12.1.2", "12.2.3", "12.10.0", "13.0.0.dev")),
    ],
)
def test_restrictions_say_why(version: str, is_http2_safe: bool, is_web_safe: bool) -> None:
    found = restrictions(version)

    assert (not found.http2, not found.web) == (is_http2_safe, is_web_safe)
    for reason in filter(None, (found.http2, found.web)):
        assert version in reason
        assert "Python 3.12" in reason
        assert "\n" not in reason
