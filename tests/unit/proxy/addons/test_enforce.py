import json

import pytest
from mitmproxy import exceptions, http

from airworthy.contract import Exchange
from conformance.v4 import samples
from proxy_addons.enforce import BLOCKED, Enforce

from ..material import flow, search, search_without_adults
from .bench import InProcessJudge, context, controlled, run


def screened(exchange: Exchange, failing: str = "", **options: str) -> tuple[http.HTTPFlow, InProcessJudge]:
    addon, judge = controlled()
    judge.failing = failing
    enforce = Enforce(addon)
    with context(addon, enforce, **{"airworthy_mode": "enforce", **options}):
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


@pytest.mark.parametrize("each", samples.conversation(), ids=lambda each: each.id)
def test_conforming_request_is_forwarded(each: Exchange) -> None:
    seen, judge = screened(each)

    assert seen.response is None
    assert judge.summary.seen == 0


def test_request_with_a_warning_is_forwarded() -> None:
    assert screened(samples.with_header(search(), "Accept", "text/html"))[0].response is None


def test_other_modes_forward_every_request() -> None:
    seen, judge = screened(search_without_adults(), airworthy_mode="observe")
    assert seen.response is None
    assert judge.exchanges == []


def test_request_is_forwarded_if_the_judge_fails() -> None:
    assert screened(search_without_adults(), failing="it ended")[0].response is None


def test_request_is_rejected_if_the_judge_fails_and_on_error_is_block() -> None:
    seen, judge = screened(search(), failing="it ended", airworthy_on_error="block")

    assert seen.response
    assert seen.response.status_code == 503
    assert json.loads(seen.response.content or b"")["detail"] == "it ended"
    assert judge.summary.not_judged == {"rejected without being judged: it ended": 1}


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
    [("pass", "are forwarded without being judged"), ("block", "rejects requests with status 503")],
)
def test_start_logs_the_effect_of_on_error(choice: str, message: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    addon, _ = controlled()
    enforce = Enforce(addon)
    with context(addon, enforce, airworthy_mode="enforce", airworthy_on_error=choice):
        enforce.running()

    assert message in caplog.text
