"""What is judged, and what is counted as not judged."""

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from airworthy.contract import Exchange, ServiceAddress
from airworthy.errors import UsageError
from airworthy.evidence.recorder import read
from airworthy.evidence.rotation import Rotation
from airworthy.proxy.flows import STREAMED
from airworthy.proxy.messages import JudgeResult, JudgeTask, RawExchange
from airworthy.proxy.traffic_judge import TrafficJudge, to_exchange
from airworthy.traffic import TrafficMonitor
from conformance.v3 import samples as v3_samples
from conformance.v4 import samples

from .material import SETTINGS, raw, search, search_without_adults

SERVICE = replace(SETTINGS, service=ServiceAddress(("https://service.example",)))


@pytest.fixture
def judge() -> TrafficJudge:
    return TrafficJudge(SERVICE)


def test_summary_contains_only_counts_since_the_previous_one(judge: TrafficJudge) -> None:
    judge.judge(JudgeTask(1, "observe", raw(search_without_adults())))
    judge.judge(JudgeTask(2, "observe", raw(search())))
    first, second = judge.take_summary(), judge.take_summary()

    assert (first.seen, first.kinds["violation"], len(first.rows())) == (2, 1, 1)
    assert (second.seen, second.kinds["violation"], second.rows()) == (0, 0, ())


def test_screening_a_conforming_request_counts_nothing(judge: TrafficJudge) -> None:
    for each in samples.conversation():
        assert judge.judge(JudgeTask(1, "screen", raw(each, with_response=False))) == JudgeResult(1)

    assert judge.take_summary().seen == 0
    assert judge.judge(JudgeTask(2, "observe", raw(search()))) == JudgeResult(2)


@pytest.mark.parametrize(
    "exchange",
    [
        samples.with_header(search(), "Accept", "text/html"),
        samples.with_header(search(), "Content-Type", "text/plain"),
        samples.with_request(search(), {"an": "unknown field"} | json.loads(search().request.body or b"")),
    ],
    ids=["accept warning", "content type warning", "drift"],
)
def test_screening_forwards_a_request_with_warnings_or_drift(judge: TrafficJudge, exchange: Exchange) -> None:
    assert not judge.judge(JudgeTask(1, "screen", raw(exchange, with_response=False))).blocked
    assert judge.judge(JudgeTask(2, "observe", raw(exchange))).findings


def test_other_traffic_is_counted_as_foreign(judge: TrafficJudge) -> None:
    assert judge.judge(JudgeTask(1, "judge", raw(search())._replace(url="https://other.example/v4/search"))).foreign
    assert judge.take_summary().foreign == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"response_body": None, "response_unread": STREAMED}, STREAMED),
        ({"response_headers": ((b"Content-Encoding", b"gzip"),)}, "the body does not match its Content-Encoding"),
        ({"response_headers": ((b"Content-Encoding", b"gzip"),), "response_body": gzip.compress(bytes(17 << 20), 1)},
         "the body decodes to more than 16 MiB"),
    ],
    ids=["streamed", "not gzip", "gzip bomb"],
)  # fmt: skip
def test_unavailable_body_is_counted_as_not_judged(
    judge: TrafficJudge, changes: dict[str, object], reason: str
) -> None:
    result = judge.judge(JudgeTask(1, "observe", raw(search())._replace(**changes)))  # type: ignore[arg-type]

    assert [(finding.kind, finding.message) for finding in result.findings] == [("unreadable", reason)]
    counted = judge.take_summary()
    assert (counted.seen, counted.judged, counted.not_judged) == (1, 0, {reason: 1})


def test_exception_in_the_judge_is_counted_as_not_judged(judge: TrafficJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: str) -> None:
        raise KeyError("private")

    monkeypatch.setattr(TrafficMonitor, "observe", fail)

    assert judge.judge(JudgeTask(1, "observe", raw(search()))) == JudgeResult(1, failed=True)
    assert judge.take_summary().not_judged == {"the judge failed (KeyError)": 1}


def test_exchange_with_an_impossible_time_is_counted_as_not_judged(judge: TrafficJudge) -> None:
    assert judge.judge(JudgeTask(1, "observe", raw(search())._replace(started=float("nan")))).failed
    assert judge.take_summary().not_judged.total() == 1


def test_bytes_that_are_not_text_are_replaced() -> None:
    odd = RawExchange("1", 0.0, 0.0, "G\udcff", "https://service.example/v4/\udcfe", ((b"\xff", b"\xfe"),), b"")
    exchange, unread = to_exchange(odd)

    exchange.request.url.encode()
    exchange.request.method.encode()
    assert exchange.request.headers == (("ÿ", "þ"),)
    assert not unread


def test_progress_on_the_go_live_list_is_reported(judge: TrafficJudge) -> None:
    lines = [judge.judge(JudgeTask(1, "observe", raw(each))).progress for each in v3_samples.conversation("v3")]

    assert next(line for line in lines if line).startswith("go-live list: ")
    tasks = [JudgeTask(number, "observe", raw(search_without_adults())) for number in (2, 3)]
    violated, again = (judge.judge(each).progress for each in tasks)
    assert violated.startswith("go-live list: GOLIVE-REQUESTS violated in v4 by POST /v4/search, exchange ")
    assert again == ""
    removed = replace(search(), request=replace(search().request, url="https://service.example/v1.1/flights/x"))
    progress = judge.judge(JudgeTask(4, "observe", raw(removed))).progress
    assert progress.startswith(
        "go-live list: GOLIVE-ONE-VERSION violated in v3, GOLIVE-ONE-VERSION violated in v4 by POST"
    )


def test_judges_with_one_key_write_the_same_pseudonyms(tmp_path: Path) -> None:
    settings = replace(SERVICE, evidence=tmp_path, rotation=Rotation(), key=b"k" * 32)
    judges = [TrafficJudge(settings), TrafficJudge(settings)]
    task = JudgeTask(1, "observe", raw(samples.sample("createOrder")))
    for each in judges:
        each.judge(task)
        each.close()

    one, other = [[record.exchange for record in read(path)] for path in tmp_path.glob("*.zst")]
    assert one == other


def test_folder_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(UsageError, match="file: "):
        TrafficJudge(replace(SERVICE, evidence=tmp_path / "file", rotation=Rotation()))
