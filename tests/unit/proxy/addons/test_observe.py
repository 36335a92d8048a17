"""The addons that have exchanges judged, and that report the findings in a header."""

import pytest
from mitmproxy import http
from mitmproxy.proxy import mode_specs
from mitmproxy.test import tflow

from airworthy.proxy.flows import STREAMED, TOO_LARGE
from conformance.v4 import samples
from proxy_addons.enforce import BLOCKED
from proxy_addons.observe import TCP, UDP, WEBSOCKET, Annotate, ObserveTraffic

from ..material import flow, search, search_without_adults
from .bench import InProcessJudge, context, controlled, run


def observed(seen: http.HTTPFlow, mode: str = "observe") -> InProcessJudge:
    """Return the judge after the addon has seen a flow with a response."""
    addon, judge = controlled()
    with context(addon, airworthy_mode=mode):
        run(ObserveTraffic(addon).response(seen))
    return judge


def test_exchange_is_handed_over_and_not_changed() -> None:
    seen = flow(search_without_adults())
    before = seen.get_state()
    judge = observed(seen)

    assert seen.get_state() == before
    assert judge.summary.kinds["violation"] == 1
    (exchange,) = judge.exchanges
    assert (exchange.method, exchange.url, exchange.status) == ("POST", "https://service.example/v4/search", 400)
    assert exchange.started == search_without_adults().started.timestamp()
    assert round(exchange.elapsed, 3) == search_without_adults().elapsed


def test_interrupted_exchange_is_handed_over_without_a_response() -> None:
    addon, judge = controlled()
    with context(addon):
        run(ObserveTraffic(addon).error(flow(search_without_adults())))

    assert judge.exchanges[0].status is None
    assert judge.summary.kinds["violation"] == 1


@pytest.mark.parametrize("side", ["request", "response"])
def test_streamed_body_is_counted_as_not_judged(side: str) -> None:
    seen = flow(search())
    message = getattr(seen, side)
    message.stream, message.raw_content = True, None

    assert observed(seen).summary.not_judged == {STREAMED: 1}


def test_body_that_is_too_large_is_not_handed_over() -> None:
    seen = flow(search())
    assert seen.response
    seen.response.raw_content = bytes((16 << 20) + 1)
    judge = observed(seen)

    assert judge.exchanges[0].response_body is None
    assert judge.summary.not_judged == {TOO_LARGE: 1}


@pytest.mark.parametrize(
    ("mode", "blocked", "websocket"), [("annotate", False, False), ("enforce", True, False), ("observe", False, True)]
)
def test_exchange_is_not_handed_over_twice(mode: str, blocked: bool, websocket: bool) -> None:
    seen = tflow.twebsocketflow() if websocket else flow(search())
    if blocked:
        seen.metadata[BLOCKED] = True

    assert observed(seen, mode).exchanges == []


def test_traffic_without_http_is_counted() -> None:
    addon, judge = controlled()
    with context(addon):
        observe = ObserveTraffic(addon)
        observe.websocket_start(tflow.twebsocketflow())
        observe.tcp_start(tflow.ttcpflow())
        observe.udp_start(tflow.tudpflow())

    assert judge.summary.not_judged == {WEBSOCKET: 1, TCP: 1, UDP: 1}


def test_host_header_names_the_service_in_modes_that_only_know_addresses() -> None:
    seen = flow(samples.with_header(search(), "Host", "service.example"))
    seen.request.host = "192.0.2.1"
    seen.request.headers["Host"] = "service.example"

    for mode, host in (("regular", "192.0.2.1"), ("local", "service.example")):
        seen.client_conn.proxy_mode = mode_specs.ProxyMode.parse(mode)
        assert [exchange.url for exchange in observed(seen).exchanges] == [f"https://{host}/v4/search"]


HEADER = "Airworthy-Findings"


def annotated(mode: str = "annotate", failing: str = "", wrong: bool = True, path: str = "/v4/search") -> str | None:
    addon, judge = controlled()
    judge.failing = failing
    with context(addon, airworthy_mode=mode):
        seen = flow(search_without_adults() if wrong else search())
        seen.request.path = path
        run(Annotate(addon).response(seen))
    assert seen.response
    return seen.response.headers.get(HEADER)


def test_header_reports_a_violation() -> None:
    assert annotated() == 'count=1, violation=1, rules=("V4-SEARCH-ADULTS")'


def test_header_reports_that_nothing_was_found() -> None:
    assert annotated(wrong=False) == "count=0"


def test_header_reports_that_the_response_was_not_judged() -> None:
    assert annotated(failing="the judge took too long") == "judged=?0"


@pytest.mark.parametrize(("mode", "path"), [("observe", "/v4/search"), ("enforce", "/v4/search"), ("annotate", "/")])
def test_other_modes_and_foreign_traffic_get_no_header(mode: str, path: str) -> None:
    assert annotated(mode=mode, path=path) is None
