import json

import pytest
from mitmproxy import exceptions, http

from airworthy.contract import Exchange
from conformance.v4 import samples
from proxy_addons.enforcing import BLOCKED, Enforcing

from ..material import flow, mistaken, search
from .bench import JudgeAtHand, context, judging, run


def put(exchange: Exchange, failing: str = "", **options: str) -> tuple[http.HTTPFlow, JudgeAtHand]:
    addon, judge = judging()
    judge.failing = failing
    enforcing = Enforcing(addon)
    with context(addon, enforcing, **{"airworthy_mode": "enforce", **options}):
        asked = flow(exchange, answered=False)
        asked.live = True
        run(enforcing.request(asked))
    return asked, judge


def test_a_request_that_breaks_the_contract_is_answered_with_a_problem_document() -> None:
    asked, judge = put(mistaken())

    assert asked.response
    assert asked.response.status_code == 400
    assert asked.response.headers["Content-Type"] == "application/problem+json"
    assert asked.response.headers["Airworthy-Findings"] == 'count=1, violation=1, rules=("V4-SEARCH-ADULTS")'
    problem = json.loads(asked.response.content or b"")
    assert problem["status"] == 400
    assert problem["title"] == "The request breaks the contract"
    assert problem["detail"].endswith("[V4-SEARCH-ADULTS]")
    assert problem["instance"] == f"urn:uuid:{asked.id}"
    assert [(each["rule"], each["pointer"]) for each in problem["findings"]] == [("V4-SEARCH-ADULTS", "/adults")]
    assert asked.metadata[BLOCKED]
    assert judge.summary.kinds["violation"] == judge.summary.seen == 1


@pytest.mark.parametrize("each", samples.journey(), ids=lambda each: each.id)
def test_a_request_as_documented_goes_on(each: Exchange) -> None:
    asked, judge = put(each)

    assert asked.response is None
    assert judge.summary.seen == 0


def test_a_request_that_is_only_doubtful_goes_on() -> None:
    assert put(samples.with_header(search(), "Accept", "text/html"))[0].response is None


def test_other_modes_let_everything_pass() -> None:
    asked, judge = put(mistaken(), airworthy_mode="observe")
    assert asked.response is None
    assert judge.wires == []


def test_a_request_goes_on_where_the_judge_fails() -> None:
    assert put(mistaken(), failing="it died")[0].response is None


def test_a_request_stays_where_the_judge_fails_if_so_wanted() -> None:
    asked, judge = put(search(), failing="it died", airworthy_on_error="block")

    assert asked.response
    assert asked.response.status_code == 503
    assert json.loads(asked.response.content or b"")["detail"] == "it died"
    assert judge.summary.not_judged == {"blocked unjudged: it died": 1}


def test_what_has_gone_on_already_is_not_weighed() -> None:
    addon, judge = judging()
    enforcing = Enforcing(addon)
    with context(addon, enforcing, airworthy_mode="enforce"):
        streamed, answered, loaded = (flow(mistaken(), answered=False) for _ in range(3))
        streamed.live = answered.live = True
        streamed.request.stream = True
        answered.response = http.Response.make(200)
        loaded.live = False
        for each in (streamed, answered, loaded):
            run(enforcing.request(each))

    assert judge.wires == []


@pytest.mark.parametrize(("option", "value"), [("airworthy_mode", "block"), ("airworthy_on_error", "retry")])
def test_only_known_choices_are_taken(option: str, value: str) -> None:
    addon, _ = judging()
    with context(addon, Enforcing(addon)) as made, pytest.raises(exceptions.OptionsError):
        made.options.update(**{option: value})


@pytest.mark.parametrize(("choice", "said"), [("pass", "go on unjudged"), ("block", "are answered 503 here")])
def test_it_says_at_the_start_what_it_does(choice: str, said: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    addon, _ = judging()
    enforcing = Enforcing(addon)
    with context(addon, enforcing, airworthy_mode="enforce", airworthy_on_error=choice):
        enforcing.running()

    assert said in caplog.text
