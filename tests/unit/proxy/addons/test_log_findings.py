"""The addon that logs findings as they occur."""

import json
import logging

import pytest

from airworthy.proxy.messages import JudgeResult
from conformance.v4 import samples
from proxy_addons import log_findings
from proxy_addons.hooks import AirworthyJudgedHook
from proxy_addons.log_findings import LogFindings, is_logged

from ..material import flow, raw, search, search_without_adults
from .bench import context, judged_event


@pytest.fixture(autouse=True)
def _everything(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")


def test_finding_is_logged_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    with context(LogFindings()) as made:
        made.master.addons.trigger(judged_event(flow(search_without_adults()), raw(search_without_adults())))

    (_, level, text), (_, _, item) = caplog.record_tuples
    assert level == logging.WARNING
    assert text.startswith("violation by the client: POST /v4/search 400 at /adults: adults of a search request is 0")
    assert "\n" not in text
    assert item.startswith("go-live list: GOLIVE-REQUESTS violated in v4 by POST /v4/search")


def test_warning_is_logged_at_level_info(caplog: pytest.LogCaptureFixture) -> None:
    warned = samples.with_header(search(), "Accept", "text/html")
    with context(LogFindings()) as made:
        made.master.addons.trigger(judged_event(flow(warned), raw(warned)))

    assert [level for _, level, _ in caplog.record_tuples] == [logging.INFO]


def test_repeated_finding_is_logged_less_often(caplog: pytest.LogCaptureFixture) -> None:
    found = judged_event(flow(search_without_adults()), raw(search_without_adults()))
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
    monkeypatch.setattr(log_findings, "MOST_KINDS", 5)
    with context(LogFindings()) as made:
        for number in range(100):
            odd = samples.with_request(search(), json.loads(search().request.body or b"") | {f"x{number}": 1})
            made.master.addons.trigger(judged_event(flow(odd), raw(odd)))

    # Five kinds once each, and the others as one kind: the first three times and the 10th.
    assert len(caplog.messages) == 5 + 4


def test_progress_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with context(LogFindings()) as made:
        made.master.addons.trigger(AirworthyJudgedHook(flow(search()), JudgeResult(1, progress="go-live list: 1 of 6")))

    assert caplog.messages == ["go-live list: 1 of 6"]


def test_logged_repetitions() -> None:
    assert [count for count in range(1, 20_000) if is_logged(count)] == [1, 2, 3, 10, 100, 1000, 10_000]
