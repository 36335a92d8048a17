"""What the judge makes of what was on the wire."""

import gzip
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from airworthy.contract import Exchange
from airworthy.evidence import read, verify_chain
from airworthy.proxy.flows import STREAMED
from airworthy.proxy.judge import MOST_HELD, Judge, exchange_of
from airworthy.proxy.wire import Case, Judged, Tally, Unpacker, Verdict, Wire, packed
from airworthy.traffic import TrafficMonitor
from conformance import flight_samples, samples

from .material import SETTINGS, mistaken, search, wire

SERVICE = replace(SETTINGS, base_urls=("https://service.example",))


@pytest.fixture
def judge() -> Judge:
    return Judge(SERVICE)


def test_a_conforming_journey_is_judged_and_nothing_is_said(judge: Judge) -> None:
    for number, each in enumerate(samples.journey()):
        assert judge.hear(Case(number, "see", wire(each))) == Verdict(number)

    counted = judge.taken()
    assert (counted.seen, counted.judged, counted.kinds) == (9, 9, {})


def test_a_mistake_is_told_in_a_line_each(judge: Judge) -> None:
    verdict = judge.hear(Case(7, "see", wire(mistaken())))

    assert [finding.rule for finding in verdict.findings] == ["V4-SEARCH-ADULTS"]
    assert verdict.lines[0].startswith("violation by the client: POST /v4/search 400 at /adults: ")
    assert not verdict.blocked


def test_what_was_counted_is_taken_once(judge: Judge) -> None:
    judge.hear(Case(1, "see", wire(mistaken())))
    judge.hear(Case(2, "see", wire(search())))
    first, second = judge.taken(), judge.taken()

    assert (first.seen, first.kinds["violation"], len(first.rows())) == (2, 1, 1)
    assert (second.seen, second.kinds["violation"], second.rows()) == (0, 0, ())


def test_a_request_is_weighed_without_a_trace(judge: Judge) -> None:
    for each in samples.journey():
        assert judge.hear(Case(1, "weigh", wire(each, answered=False))) == Verdict(1)

    assert judge.taken().seen == 0
    assert judge.hear(Case(2, "see", wire(search()))) == Verdict(2)


def test_a_request_that_must_not_go_on_is_seen_without_an_answer(judge: Judge) -> None:
    verdict = judge.hear(Case(1, "weigh", wire(mistaken(), answered=False)))

    assert verdict.blocked
    assert [finding.rule for finding in verdict.findings] == ["V4-SEARCH-ADULTS"]
    assert judge.taken().seen == 1


@pytest.mark.parametrize(
    "doubtful",
    [
        samples.with_header(search(), "Accept", "text/html"),
        samples.with_header(search(), "Content-Type", "text/plain"),
        samples.with_request(search(), {"an": "unknown field"} | json.loads(search().request.body or b"")),
    ],
    ids=["soft", "soft too", "drift"],
)
def test_a_request_goes_on_where_it_is_not_certainly_wrong(judge: Judge, doubtful: Exchange) -> None:
    assert not judge.hear(Case(1, "weigh", wire(doubtful, answered=False))).blocked
    assert judge.hear(Case(2, "see", wire(doubtful))).findings


def test_other_traffic_is_foreign(judge: Judge) -> None:
    assert judge.hear(Case(1, "tell", wire(search())._replace(url="https://other.example/v4/search"))).foreign
    assert judge.taken().foreign == 1


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"response_body": None, "unread_response": STREAMED}, STREAMED),
        ({"response_headers": ((b"Content-Encoding", b"gzip"),)}, "the body does not decode by its Content-Encoding"),
        ({"response_headers": ((b"Content-Encoding", b"gzip"),), "response_body": gzip.compress(bytes(17 << 20), 1)},
         "the body decodes to more than 16 MiB"),
    ],
    ids=["streamed", "not gzip", "a bomb"],
)  # fmt: skip
def test_a_body_that_is_not_there_is_not_judged(judge: Judge, answer: dict[str, object], reason: str) -> None:
    verdict = judge.hear(Case(1, "see", wire(search())._replace(**answer)))  # type: ignore[arg-type]

    assert [(finding.kind, finding.message) for finding in verdict.findings] == [("unreadable", reason)]
    counted = judge.taken()
    assert (counted.seen, counted.judged, counted.not_judged) == (1, 0, {reason: 1})


def test_an_encoded_body_is_judged_as_if_it_were_not(judge: Judge) -> None:
    encoded = wire(search())._replace(
        response_headers=((b"content-encoding", b"gzip"), (b"content-type", b"application/json")),
        response_body=gzip.compress(search().response.body or b""),  # type: ignore[union-attr]
    )

    assert judge.hear(Case(1, "see", encoded)) == Verdict(1)


def test_a_failure_of_ours_is_a_gap(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: str) -> None:
        raise KeyError("private")

    monkeypatch.setattr(TrafficMonitor, "observe", fail)

    assert judge.hear(Case(1, "see", wire(search()))) == Verdict(1, failed=True)
    assert judge.taken().not_judged == {"the judge failed on it (KeyError)": 1}


def test_a_wire_that_makes_no_sense_is_a_gap(judge: Judge) -> None:
    assert judge.hear(Case(1, "see", wire(search())._replace(started=float("nan")))).failed
    assert judge.taken().not_judged.total() == 1


def test_bytes_that_are_no_text_do_no_harm() -> None:
    odd = Wire("1", 0.0, 0.0, "G\udcff", "https://service.example/v4/\udcfe", ((b"\xff", b"\xfe"),), b"")
    exchange, unread = exchange_of(odd)

    exchange.request.url.encode()
    exchange.request.method.encode()
    assert exchange.request.headers == (("ÿ", "þ"),)
    assert not unread


def test_the_go_live_list_is_told_when_it_advances(judge: Judge) -> None:
    told = [judge.hear(Case(1, "see", wire(each))).progress for each in flight_samples.journey("v3")]

    assert next(line for line in told if line).startswith("go-live list: ")


def test_evidence_is_kept_of_the_service_alone(tmp_path: Path) -> None:
    path = tmp_path / "evidence.jsonl"
    judge = Judge(replace(SERVICE, evidence=path))
    for each in samples.journey():
        judge.hear(Case(1, "see", wire(each)))
    judge.hear(Case(2, "see", wire(search())._replace(url="https://other.example/v4/search")))
    judge.hear(Case(3, "see", wire(search())._replace(response_body=None, unread_response=STREAMED)))

    judge.close()

    records = list(read(path))
    assert len(records) == 10
    assert records[-1].context == {"response_unread": STREAMED}
    assert verify_chain(path).altered is None
    assert b"sample-key" not in path.read_bytes()


def test_it_says_early_that_nobody_has_to_hold_what_is_judged() -> None:
    cases = b"".join(b"".join(packed(Case(number, "see", wire(search())))) for number in range(1, 41))
    said = subprocess.run(
        [sys.executable, "-m", "airworthy.proxy.judge"],
        input=b"".join(packed(SETTINGS)) + cases,
        stdout=subprocess.PIPE,
        check=True,
        timeout=60,
    ).stdout

    told = 0
    for message in Unpacker().feed(said):
        assert isinstance(message, Judged | Tally)
        # A slow machine may count in between, and begins anew then.
        assert told <= message.number <= told + MOST_HELD
        told = message.number
    assert told == 40
