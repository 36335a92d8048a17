import pytest
from mitmproxy.proxy import mode_specs
from mitmproxy.test import tflow

from airworthy.proxy.flows import STREAMED, TOO_LARGE
from conformance.v4 import samples
from proxy_addons.enforcing import BLOCKED
from proxy_addons.observing import TCP, UDP, WEBSOCKET, Observing

from ..material import flow, mistaken, search
from .bench import context, judging, run


def test_an_exchange_is_seen_as_it_was_on_the_wire_and_stays_as_it_is() -> None:
    addon, judge = judging()
    with context(addon):
        seen = flow(mistaken())
        before = seen.get_state()

        run(Observing(addon).response(seen))

        assert seen.get_state() == before
    assert judge.summary.kinds["violation"] == 1
    (wire,) = judge.wires
    assert (wire.method, wire.url, wire.status) == ("POST", "https://service.example/v4/search", 400)
    assert wire.started == mistaken().started.timestamp()
    assert round(wire.elapsed, 3) == mistaken().elapsed


def test_an_exchange_that_broke_off_is_seen_without_an_answer() -> None:
    addon, judge = judging()
    with context(addon):
        run(Observing(addon).error(flow(mistaken())))

    assert judge.wires[0].status is None
    assert judge.summary.kinds["violation"] == 1


@pytest.mark.parametrize("side", ["request", "response"])
def test_a_body_that_was_streamed_is_not_judged(side: str) -> None:
    addon, judge = judging()
    with context(addon):
        seen = flow(search())
        message = getattr(seen, side)
        message.stream, message.raw_content = True, None
        run(Observing(addon).response(seen))

    assert judge.summary.not_judged == {STREAMED: 1}


def test_a_body_that_is_too_large_is_not_handed_over() -> None:
    addon, judge = judging()
    with context(addon):
        seen = flow(search())
        assert seen.response
        seen.response.raw_content = bytes((16 << 20) + 1)
        run(Observing(addon).response(seen))

    assert judge.wires[0].response_body is None
    assert judge.summary.not_judged == {TOO_LARGE: 1}


@pytest.mark.parametrize(
    ("mode", "blocked", "websocket"), [("annotate", False, False), ("enforce", True, False), ("observe", False, True)]
)
def test_what_others_see_to_is_not_seen_twice(mode: str, blocked: bool, websocket: bool) -> None:
    addon, judge = judging()
    with context(addon, airworthy_mode=mode):
        seen = tflow.twebsocketflow() if websocket else flow(search())
        if blocked:
            seen.metadata[BLOCKED] = True
        run(Observing(addon).response(seen))

    assert judge.wires == []


def test_what_is_no_exchange_is_counted() -> None:
    addon, judge = judging()
    with context(addon):
        observing = Observing(addon)
        observing.websocket_start(tflow.twebsocketflow())
        observing.tcp_start(tflow.ttcpflow())
        observing.udp_start(tflow.tudpflow())

    assert judge.summary.not_judged == {WEBSOCKET: 1, TCP: 1, UDP: 1}


def test_in_modes_that_know_addresses_only_the_host_is_that_of_the_header() -> None:
    addon, judge = judging()
    with context(addon):
        seen = flow(samples.with_header(search(), "Host", "service.example"))
        seen.request.host = "192.0.2.1"
        seen.request.headers["Host"] = "service.example"
        run(Observing(addon).response(seen))
        seen.client_conn.proxy_mode = mode_specs.ProxyMode.parse("local")
        run(Observing(addon).response(seen))

    assert [wire.url for wire in judge.wires] == ["https://192.0.2.1/v4/search", "https://service.example/v4/search"]
