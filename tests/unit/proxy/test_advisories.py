"""Unsafe features of mitmproxy, by its version."""

import pytest

from airworthy.proxy.advisories import Restrictions, restrictions


@pytest.mark.parametrize("version", ["10.4.2", "11.0.2", "11.1.1", "11.1.1.dev"])
def test_neither_http2_nor_the_web_page_is_safe(version: str) -> None:
    assert restrictions(version).http2
    assert restrictions(version).web
    for reason in (restrictions(version).http2, restrictions(version).web):
        assert version in reason
        assert "Python 3.12" in reason
        assert "\n" not in reason


@pytest.mark.parametrize("version", ["11.1.2", "11.1.3", "12.0.0", "12.1.1"])
def test_only_http2_is_not_safe(version: str) -> None:
    assert restrictions(version).http2
    assert not restrictions(version).web


@pytest.mark.parametrize("version", ["12.1.2", "12.2.3", "12.10.0", "13.0.0.dev"])
def test_everything_is_safe(version: str) -> None:
    assert restrictions(version) == Restrictions()
