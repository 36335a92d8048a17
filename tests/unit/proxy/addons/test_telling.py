import json
import logging

import pytest

from airworthy.proxy.wire import Verdict
from conformance.v4 import samples
from proxy_addons import telling
from proxy_addons.hooks import AirworthyVerdictHook
from proxy_addons.telling import Telling, is_told

from ..material import flow, mistaken, search, wire
from .bench import context, verdict_on


@pytest.fixture(autouse=True)
def _everything(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")


def test_a_finding_is_told_in_a_line(caplog: pytest.LogCaptureFixture) -> None:
    with context(Telling()) as made:
        made.master.addons.trigger(verdict_on(flow(mistaken()), wire(mistaken())))

    ((_, level, text),) = caplog.record_tuples
    assert level == logging.WARNING
    assert text.startswith("violation by the client: POST /v4/search 400 at /adults: adults of a search request is 0")
    assert "\n" not in text


def test_what_only_warns_is_told_less_loudly(caplog: pytest.LogCaptureFixture) -> None:
    doubtful = samples.with_header(search(), "Accept", "text/html")
    with context(Telling()) as made:
        made.master.addons.trigger(verdict_on(flow(doubtful), wire(doubtful)))

    assert [level for _, level, _ in caplog.record_tuples] == [logging.INFO]


def test_the_same_again_and_again_is_no_flood(caplog: pytest.LogCaptureFixture) -> None:
    event = verdict_on(flow(mistaken()), wire(mistaken()))
    with context(Telling()) as made:
        for _ in range(1000):
            made.master.addons.trigger(event)

    assert len(caplog.messages) == 6
    assert caplog.messages[2].endswith(" (3 times so far; told again at 10)")
    assert caplog.messages[-1].endswith(" (1000 times so far; told again at 10000)")


def test_many_kinds_are_no_flood(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling, "MOST_KINDS", 5)
    with context(Telling()) as made:
        for number in range(100):
            odd = samples.with_request(search(), json.loads(search().request.body or b"") | {f"x{number}": 1})
            made.master.addons.trigger(verdict_on(flow(odd), wire(odd)))

    # Five kinds, and the others as one: three times, at 10.
    assert len(caplog.messages) == 5 + 4


def test_progress_is_told(caplog: pytest.LogCaptureFixture) -> None:
    with context(Telling()) as made:
        made.master.addons.trigger(AirworthyVerdictHook(flow(search()), Verdict(1, progress="go-live list: 1 of 6")))

    assert caplog.messages == ["go-live list: 1 of 6"]


def test_what_is_told() -> None:
    assert [count for count in range(1, 20_000) if is_told(count)] == [1, 2, 3, 10, 100, 1000, 10_000]
