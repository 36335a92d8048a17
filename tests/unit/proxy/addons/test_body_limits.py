"""The addon that keeps large bodies out of memory."""

import pytest
from mitmproxy.addons.proxyserver import Proxyserver

from airworthy.contract.bodies.body import LARGEST
from proxy_addons.body_limits import BodyLimits
from proxy_addons.enforce import Enforce

from .bench import context, controlled


@pytest.mark.parametrize(("chosen", "used"), [(None, str(LARGEST)), ("1k", "1k"), ("1g", "1g")])
def test_bodies_are_streamed_above_the_limit_unless_the_user_chose_another(chosen: str | None, used: str) -> None:
    addon, _ = controlled()
    limits = BodyLimits(addon)
    with context(addon, Proxyserver(), limits, stream_large_bodies=chosen) as made:
        limits.running()

        assert made.options.stream_large_bodies == used
        assert made.options.body_size_limit is None


@pytest.mark.parametrize(("chosen", "used"), [(None, LARGEST), ("1k", 1024), ("1g", LARGEST)])
def test_nothing_is_streamed_where_what_cannot_be_judged_is_blocked(chosen: str | None, used: int) -> None:
    addon, _ = controlled()
    limits = BodyLimits(addon)
    addons = (addon, Enforce(addon), Proxyserver(), limits)
    with context(*addons, body_size_limit=chosen, stream_large_bodies="1k") as made:
        limits.running()
        blocking = {"airworthy_mode": "enforce", "airworthy_on_error": "block"}
        made.options.update(**blocking, airworthy_base_urls=["https://service.example"])

        assert made.options.stream_large_bodies is None
        assert made.options.body_size_limit == str(used)
