"""The addon that rejects requests that violate the contract, and the longest bodies that it reads."""

import json

import pytest
from mitmproxy import exceptions, http
from mitmproxy.addons.proxyserver import Proxyserver
from mitmproxy.test import tflow

from airworthy.contract import Exchange
from airworthy.contract.bodies.body import LARGEST
from conformance.v4 import samples
from exchange_parts import changed_request
from proxy_addons.body_limits import BodyLimits
from proxy_addons.enforce import BLOCKED, Enforce

from ..material import flow, search, search_without_adults
from .bench import InProcessJudge, context, controlled, run

HOST = "https://service.example"


def screened(exchange: Exchange, failing: str = "", **options: str) -> tuple[http.HTTPFlow, InProcessJudge]:
    addon, judge = controlled()
    judge.failing = failing
    enforce = Enforce(addon)
    with context(addon, enforce, **{"airworthy_mode": "enforce", "airworthy_base_urls": [HOST], **options}):
        seen = flow(exchange, with_response=False)
        seen.live = True
        run(enforce.request(seen))
    return seen, judge


def test_violating_request_is_rejected_with_a_problem_document() -> None:
    seen, judge = screened(search_without_adults())

    assert seen.response
    assert seen.response.status_code == 400
    assert seen.response.headers["Content-Type"] == "application/problem+json"
    assert seen.response.headers["Airworthy-Findings"] == 'count=1, violation=1, rules=("V4-SEARCH-ADULTS")'
    problem = json.loads(seen.response.content or b"")
    assert problem["status"] == 400
    assert problem["title"] == "The request violates the contract"
    assert problem["detail"].endswith("[V4-SEARCH-ADULTS]")
    assert problem["instance"] == f"urn:uuid:{seen.id}"
    assert [(each["rule"], each["pointer"]) for each in problem["findings"]] == [("V4-SEARCH-ADULTS", "/adults")]
    assert seen.metadata[BLOCKED]
    assert judge.summary.kinds["violation"] == judge.summary.seen == 1


@pytest.mark.parametrize(
    ("exchange", "failing", "mode"),
    [
        (samples.with_header(search(), "Accept", "text/html"), "", "enforce"),
        (search_without_adults(), "it ended", "enforce"),
        (search_without_adults(), "", "observe"),
    ],
    ids=["a warning", "the judge fails", "another mode"],
)
def test_request_is_forwarded(exchange: Exchange, failing: str, mode: str) -> None:
    seen, judge = screened(exchange, failing=failing, airworthy_mode=mode)

    assert seen.response is None
    assert bool(judge.exchanges) is (mode == "enforce")


def test_request_is_rejected_if_the_judge_fails_and_on_error_is_block() -> None:
    seen, judge = screened(search(), failing="it ended", airworthy_on_error="block")

    assert seen.response
    assert seen.response.status_code == 503
    assert json.loads(seen.response.content or b"")["detail"] == "it ended"
    assert judge.summary.not_judged == {"rejected without being judged: it ended": 1}


# `unit.proxy.test_screening` tries what is not as documented.
UNDOCUMENTED = changed_request(search(), url=f"{HOST}/static/app.js")


@pytest.mark.parametrize(("on_error", "statuses"), [("pass", [400, None, None]), ("block", [400, 400, None])])
def test_undocumented_request_is_rejected_only_if_on_error_is_block(on_error: str, statuses: list[int | None]) -> None:
    requests = (search_without_adults(), UNDOCUMENTED, search())
    responses = [screened(each, airworthy_on_error=on_error)[0].response for each in requests]

    assert [each and each.status_code for each in responses] == statuses
    if blocked := responses[1]:
        problem = json.loads(blocked.content or b"")
        assert problem["title"] == "Only documented requests that conform are forwarded"


def test_connection_without_http_transfers_nothing_if_on_error_is_block() -> None:
    for on_error, kept in (("pass", True), ("block", False)):
        addon, _ = controlled()
        enforce = Enforce(addon)
        with context(addon, enforce, airworthy_mode="enforce", airworthy_base_urls=[HOST], airworthy_on_error=on_error):
            tunnel, datagrams = tflow.ttcpflow(), tflow.tudpflow()
            enforce.tcp_message(tunnel)
            enforce.udp_message(datagrams)

        assert [bool(each.messages[-1].content) for each in (tunnel, datagrams)] == [kept, kept]


def test_request_that_is_streamed_or_answered_is_not_screened() -> None:
    addon, judge = controlled()
    enforce = Enforce(addon)
    with context(addon, enforce, airworthy_mode="enforce"):
        streamed, answered, loaded = (flow(search_without_adults(), with_response=False) for _ in range(3))
        streamed.live = answered.live = True
        streamed.request.stream = True
        answered.response = http.Response.make(200)
        loaded.live = False
        for each in (streamed, answered, loaded):
            run(enforce.request(each))

    assert judge.exchanges == []


@pytest.mark.parametrize(("option", "value"), [("airworthy_mode", "block"), ("airworthy_on_error", "retry")])
def test_unknown_choice_is_an_error(option: str, value: str) -> None:
    addon, _ = controlled()
    with context(addon, Enforce(addon)) as made, pytest.raises(exceptions.OptionsError):
        made.options.update(**{option: value})


@pytest.mark.parametrize(
    ("choice", "message"),
    [("pass", "that cannot be judged are forwarded"), ("block", "forwards only documented requests that conform")],
)
def test_start_logs_the_effect_of_on_error(choice: str, message: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    addon, _ = controlled()
    enforce = Enforce(addon)
    with context(addon, enforce, airworthy_mode="enforce", airworthy_base_urls=[HOST], airworthy_on_error=choice):
        enforce.running()

    assert message in caplog.text


def test_block_needs_the_service() -> None:
    addon, _ = controlled()
    with (
        context(addon, Enforce(addon)) as made,
        pytest.raises(exceptions.OptionsError, match="airworthy_on_error: block needs the service; name it with"),
    ):
        made.options.update(airworthy_mode="enforce", airworthy_on_error="block")


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
