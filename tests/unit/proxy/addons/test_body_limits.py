import pytest
from mitmproxy.addons.proxyserver import Proxyserver

from airworthy.contract.body import LARGEST
from proxy_addons.body_limits import BodyLimits, _RequestOptions

from .bench import context, controlled


@pytest.mark.parametrize(("chosen", "used"), [(None, str(LARGEST)), ("1k", "1k"), ("1g", "1g")])
def test_bodies_are_streamed_above_the_limit_unless_the_user_chose_another(chosen: str | None, used: str) -> None:
    addon, _ = controlled()
    with context(addon, Proxyserver()) as made:
        made.options.stream_large_bodies = chosen
        limits = BodyLimits(addon)
        made.master.addons.add(limits)

        assert made.options.stream_large_bodies == used
        made.master.addons.remove(limits)


@pytest.mark.parametrize(("chosen", "used"), [(None, LARGEST), ("1k", 1024), ("1g", LARGEST)])
def test_request_has_at_most_the_size_that_can_be_judged(chosen: str | None, used: int) -> None:
    addon, _ = controlled()
    with context(addon, Proxyserver(), body_size_limit=chosen, stream_large_bodies="1k") as made:
        options = _RequestOptions(made.options)

        assert options.stream_large_bodies is None
        assert int(options.body_size_limit) == used
        assert options.validate_inbound_headers == made.options.validate_inbound_headers
