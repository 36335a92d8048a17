"""The addons that log findings, exchanges and failed connections."""

import json
import logging

import pytest
from mitmproxy import connection, tls
from mitmproxy.addons import dumper
from mitmproxy.options import Options
from mitmproxy.proxy.context import Context
from mitmproxy.proxy.server_hooks import ServerConnectionHookData
from mitmproxy.test import tflow

from airworthy.proxy.messages import JudgeResult
from conformance.v4 import samples
from proxy_addons import log
from proxy_addons.judge_control import AirworthyJudgedHook
from proxy_addons.log import LogConnections, LogFindings, LogFlows, is_logged

from ..material import flow, search, search_without_adults
from .bench import context, controlled, judged_event, reported

CARD, KEY = "4242424242424242", "sk_live_secret"
REFUSED = "[Errno 111] Connect call failed ('127.0.0.1', 8443)"


@pytest.fixture(autouse=True)
def _everything(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")


def test_finding_is_logged_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    reported(search_without_adults(), LogFindings())

    (_, level, text), (_, _, item) = caplog.record_tuples
    assert level == logging.WARNING
    assert text.startswith("violation by the client: POST /v4/search 400 at /adults: adults of a search request is 0")
    assert "\n" not in text
    assert item.startswith("go-live list: GOLIVE-REQUESTS violated in v4 by POST /v4/search")


def test_warning_is_logged_at_level_info(caplog: pytest.LogCaptureFixture) -> None:
    reported(samples.with_header(search(), "Accept", "text/html"), LogFindings())

    assert [level for _, level, _ in caplog.record_tuples] == [logging.INFO]


def test_repeated_finding_is_logged_less_often(caplog: pytest.LogCaptureFixture) -> None:
    found = judged_event(search_without_adults())
    event = AirworthyJudgedHook(found.flow, found.result._replace(progress=""))
    with context(LogFindings()) as made:
        for _ in range(1000):
            made.master.addons.trigger(event)

    assert len(caplog.messages) == 6
    assert caplog.messages[2].endswith(" (3 times so far; logged again at 10)")
    assert caplog.messages[-1].endswith(" (1000 times so far; logged again at 10000)")


def test_kinds_beyond_the_limit_are_logged_as_one(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "MOST_KINDS", 5)
    with context(LogFindings()) as made:
        for number in range(100):
            odd = samples.with_request(search(), json.loads(search().request.body or b"") | {f"x{number}": 1})
            made.master.addons.trigger(judged_event(odd))

    # Five kinds once each, and the others as one kind: the first three times and the 10th.
    assert len(caplog.messages) == 5 + 4


def test_progress_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with context(LogFindings()) as made:
        made.master.addons.trigger(AirworthyJudgedHook(flow(search()), JudgeResult(1, progress="go-live list: 1 of 6")))

    assert caplog.messages == ["go-live list: 1 of 6"]


def test_logged_repetitions() -> None:
    assert [count for count in range(1, 20_000) if is_logged(count)] == [1, 2, 3, 10, 100, 1000, 10_000]


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
    addon, _ = controlled()
    with context(addon, dumper.Dumper(), flow_detail=0):
        LogFlows(addon).response(flow(samples.sample("confirmOrder")))

    assert not caplog.messages


def test_lines_of_mitmdump_are_removed() -> None:
    addon, _ = controlled()
    with context(addon, dumper.Dumper()) as made:
        LogFlows(addon).running()

        assert made.master.addons.get("dumper") is None


def unreachable(error: str) -> ServerConnectionHookData:
    server = connection.Server(address=("127.0.0.1", 8443))
    server.error = error
    return ServerConnectionHookData(server, tflow.tclient_conn())


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (REFUSED, "Connection refused"),
        ("[Errno -2] Name or service not known", "[Errno -2] Name or service not known"),
        ("connection cancelled", "connection cancelled"),
    ],
)
def test_reason_is_logged_in_words(error: str, reason: str, caplog: pytest.LogCaptureFixture) -> None:
    LogConnections().server_connect_error(unreachable(error))

    assert caplog.messages == [f"127.0.0.1:8443 cannot be reached ({reason}); start the service, or correct the URL"]


def test_repeated_reason_is_logged_less_and_less_often(caplog: pytest.LogCaptureFixture) -> None:
    addon = LogConnections()
    for _ in range(12):
        addon.server_connect_error(unreachable(REFUSED))

    assert len(caplog.messages) == 4


def test_certificate_that_is_not_trusted_names_the_option(caplog: pytest.LogCaptureFixture) -> None:
    server = unreachable("Certificate verify failed: self-signed certificate").server
    LogConnections().tls_failed_server(tls.TlsData(server, Context(tflow.tclient_conn(), Options())))

    (line,) = caplog.messages
    assert line.startswith("127.0.0.1:8443 cannot be reached by TLS (Certificate verify failed: self-signed")
    assert line.endswith("--ca-bundle")
