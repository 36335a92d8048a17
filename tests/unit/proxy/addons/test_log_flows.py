"""The addon that logs exchanges without their URLs and bodies."""

import pytest
from mitmproxy.addons import dumper

from conformance.v4 import samples
from proxy_addons.log_flows import LogFlows

from ..material import flow
from .bench import context, controlled

CARD, KEY = "4242424242424242", "sk_live_secret"


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("/v4/order/9f1c/confirm", "POST /v4/order/{orderId}/confirm 200, 2b"),
        (f"/v4/order/{CARD}/confirm?key={KEY}", "POST /v4/order/{orderId}/confirm 200, 2b"),
        (f"/v4/{KEY}", "an undocumented operation of v4 200, 2b"),
        (f"/static/{KEY}?card={CARD}", "another service: service.example 200, 2b"),
    ],
)
def test_line_of_an_exchange_shows_nothing_of_its_url(path: str, line: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    addon, _ = controlled()
    seen = flow(samples.sample("confirmOrder"))
    seen.request.path = path
    assert seen.response
    seen.response.raw_content = b"{}"
    # The dumper defines the option flow_detail.
    with context(addon, dumper.Dumper()):
        LogFlows(addon).response(seen)
        LogFlows(addon).error(seen)

    assert caplog.messages == [line, line.replace(" 200, 2b", " without a response")]


def test_nothing_is_logged_if_flow_detail_is_0(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    addon, _ = controlled()
    with context(addon, dumper.Dumper(), flow_detail=0):
        LogFlows(addon).response(flow(samples.sample("confirmOrder")))

    assert not caplog.messages


def test_lines_of_mitmdump_are_removed() -> None:
    addon, _ = controlled()
    with context(addon, dumper.Dumper()) as made:
        LogFlows(addon).running()

        assert made.master.addons.get("dumper") is None
