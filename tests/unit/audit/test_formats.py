"""Recordings other than HAR, and files that are not recordings."""

import os
import sys
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from unittest.mock import ANY

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mitmproxy.test import tflow

from airworthy.audit import AuditSettings, audit, flow_file, recording, worker
from airworthy.audit.formats import recording_of
from airworthy.contract import Exchange, Response
from airworthy.errors import UsageError
from airworthy.evidence import compression
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.recorder import Recorder
from airworthy.traffic import TrafficMonitor
from conformance.v3 import samples as v3_samples
from conformance.v4 import samples
from unit.proxy.material import flow

from .recordings import ANYBODY, audited, entry, evidence, flows, har, lines

JOURNEY = [*samples.conversation(), *v3_samples.conversation("v3"), *v3_samples.conversation("v2")]
CONFIRMATION = next(each for each in JOURNEY if each.request.url.endswith("/confirm"))
SEARCH = JOURNEY[0]
TRAFFIC = [*JOURNEY, replace(CONFIRMATION, id="again", started=CONFIRMATION.started + timedelta(hours=1))]


@pytest.mark.parametrize("form", ["har", "flows", "evidence"])
def test_every_format_has_the_same_findings(tmp_path: Path, form: str) -> None:
    content = {
        "har": har(map(entry, TRAFFIC)),
        "flows": flows(TRAFFIC),
        "evidence": evidence(tmp_path / "evidence", TRAFFIC),
    }[form]
    compressed = zstandard.compress(content)

    for each in (content, compressed):
        found = audited(each, folder=tmp_path)
        assert lines(found, "entry", "side", "pointer", "rule") == [
            (17, "request", "path", "V4-CONFIRM-ONCE"),
            (17, "response", "status", "V4-CONFIRM-ONCE"),
        ]
        assert (found.summary.seen, found.summary.judged) == (18, 18)
        assert list(recording_of(each).chunks()) == [(ANY, len(content))]


def test_recorders_that_share_a_key_are_audited_like_one(tmp_path: Path) -> None:
    def recorded(name: str, exchanges: list[Exchange]) -> bytes:
        return evidence(tmp_path / name, exchanges, pseudonyms=Pseudonyms(b"k" * 32))

    one = audited(recorded("one", TRAFFIC), folder=tmp_path)
    fleet = audited(*(recorded(f"part-{part}", TRAFFIC[part::3]) for part in range(3)), folder=tmp_path)

    members = ("side", "pointer", "rule", "message", "path")
    assert sorted(lines(fleet, *members)) == sorted(lines(one, *members)) != []
    assert list(fleet.summary.golive.counts()) == list(one.summary.golive.counts())


def test_members_of_a_jsonl_line(tmp_path: Path) -> None:
    wrong = entry(SEARCH)
    wrong["request"]["postData"]["text"] = wrong["request"]["postData"]["text"].replace('"adults": 1', '"adults": 0')
    wrong["request"]["url"] += "?secret=1"
    [*_, line] = lines(audited(har([wrong]), folder=tmp_path))

    assert line == {
        "file": str(tmp_path / "recording-0"),
        "entry": 0,
        "method": "POST",
        "path": "/v4/search",
        "status": 200,
        "side": "response",
        "pointer": "status",
        "kind": "violation",
        "class": None,
        "rule": "V4-SEARCH-ADULTS",
        "message": "the service accepts the request, although adults of a search request is 0, "
        "not an integer from 1 to 9",
        "expected": "a rejection with a 4xx status",
        "actual": "200",
        "soft": False,
        "earlier": "",
    }


# Evidence


def test_invalid_evidence_lines_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "CHUNK_SIZE", 1)
    whole = evidence(tmp_path / "evidence", JOURNEY).splitlines(keepends=True)
    content = b"".join([*whole[:3], b'{"id":1}\n', b"nonsense\n", *whole[3:], whole[0][:99]])

    found = audited(content, folder=tmp_path)

    assert lines(found, "entry", "kind", "message") == [
        (3, "unreadable", "not a line of evidence"),
        (4, "unreadable", "not a line of evidence"),
        (19, "unreadable", "the line is incomplete"),
    ]
    assert found.summary.judged == 17


def test_shortened_body_is_not_judged(tmp_path: Path) -> None:
    found = audited(evidence(tmp_path / "evidence", [SEARCH], body_limit=100), folder=tmp_path)

    assert lines(found, "side", "message") == [
        ("request", "the evidence contains only the beginning of the body"),
        ("response", "the evidence contains only the beginning of the body"),
    ]


def test_reason_of_a_missing_body_is_the_same_as_live(tmp_path: Path) -> None:
    streamed = replace(SEARCH, response=Response(200, (), None))
    with Recorder(tmp_path / "evidence", ANYBODY) as recorder:
        live = TrafficMonitor(ANYBODY, recorder=recorder).observe(
            streamed, response_unread="the body was streamed past"
        )

    found = audited((tmp_path / "evidence").read_bytes(), folder=tmp_path)

    assert lines(found, "message") == [each.message for each in live] == ["the body was streamed past"]


# FlowRecording


def test_flows_that_are_not_http_are_counted(tmp_path: Path) -> None:
    found = audited(flows([SEARCH, tflow.ttcpflow(), tflow.tdnsflow(), tflow.tudpflow(), JOURNEY[1]]), folder=tmp_path)

    assert (found.summary.seen, found.summary.foreign, found.summary.judged) == (5, 3, 2)


def test_truncated_or_broken_flow_file_is_one_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow_file, "CHUNK_SIZE", 1)
    one, two, rest = flows([SEARCH]), flows(JOURNEY[:2]), flows([JOURNEY[1]])

    assert lines(audited(two[:-9], folder=tmp_path), "entry", "message") == [(1, "the flow is truncated")]
    assert lines(audited(one + b"junk" + one, folder=tmp_path), "entry", "message") == [
        (1, "not a flow; the rest of the file was not read")
    ]
    middle = audited(one + b"3:abc," + b"2:{}}" + rest, folder=tmp_path)
    assert lines(middle, "entry", "message") == [(1, "the flow cannot be read"), (2, "the flow cannot be read")]
    assert middle.summary.judged == 2


def test_streamed_or_undecodable_body_is_not_judged(tmp_path: Path) -> None:
    streamed, undecodable = flow(SEARCH), flow(SEARCH)
    assert streamed.response
    assert undecodable.response
    streamed.response.raw_content = None
    undecodable.response.headers["content-encoding"] = "gzip"

    found = audited(flows([streamed, undecodable]), folder=tmp_path)

    assert lines(found, "entry", "kind") == [(0, "unreadable"), (1, "unreadable")]
    assert all("body" in message for message in lines(found, "message"))


# Files that are not recordings


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there names of files are text")
def test_file_name_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"\xff.har")
    path.write_bytes(har([entry(SEARCH), None]))

    found = audit(AuditSettings((path,), lines=True))

    assert lines(found, "file", "entry") == [(f"{tmp_path}/?.har", 1)]
    assert found.summary.judged == 1


EMPTY, OTHER = "the file is empty", "the file is not a HAR file, a mitmproxy flow file or evidence"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", EMPTY),
        (b"\x1f\x8b\x08\x00", "the file is compressed: decompress it first"),
        (b"PK\x03\x04", OTHER),
        (b"[]", OTHER),
        (b"12", OTHER),
        (zstandard.compress(b""), EMPTY),
        (zstandard.compress(b"text"), OTHER),
        (
            zstandard.compress(b'{"id":\n' + b" " * 2_000_000),
            "the file decompresses to more than 1 GiB; decompress it first",
        ),
    ],
)
def test_file_that_is_not_a_recording_is_one_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, why: str
) -> None:
    monkeypatch.setattr(compression, "LARGEST", 1_000_000)
    found = audited(content, har([entry(SEARCH)]), folder=tmp_path)

    assert lines(found, "file", "entry", "kind", "message") == [(str(tmp_path / "recording-0"), 0, "unreadable", why)]
    assert found.summary.judged == 1


def test_missing_file_or_folder_is_a_usage_error(tmp_path: Path) -> None:
    for path, why in ((tmp_path / "none.har", "No such file or directory"), (tmp_path, "not a file")):
        with pytest.raises(UsageError, match=f"{path.name}: {why}"):
            audit(AuditSettings((path,)))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    beginning=st.sampled_from([b"", b"{", b'{"log":{"entries":[', b'{"id":', b'{"id":"x"}\n', b"4:", b"0:~3:abc"]),
    rest=st.binary(max_size=60),
)
def test_arbitrary_bytes_do_not_stop_the_audit(beginning: bytes, rest: bytes, tmp_path: Path) -> None:
    found = audited(beginning + rest, har([entry(SEARCH)]), folder=tmp_path)

    assert found.summary.judged == 1
    assert len(lines(found)) == found.summary.not_judged.total()


def test_damaged_frame_is_one_unreadable_entry(tmp_path: Path) -> None:
    whole = evidence(tmp_path / "evidence", JOURNEY).splitlines(keepends=True)
    damaged = bytearray(zstandard.ZstdCompressor(write_checksum=True).compress(b"".join(whole[5:8])))
    damaged[len(damaged) // 2] ^= 1
    found = audited(
        zstandard.compress(b"".join(whole[:5])) + damaged + zstandard.compress(b"".join(whole[8:])), folder=tmp_path
    )

    assert lines(found, "entry", "message") == [(5, "the compressed data is damaged")]
    assert (found.summary.seen, found.summary.judged) == (len(whole) - 2, len(whole) - 3)


def test_endless_line_is_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "LONGEST_LINE", 100_000)
    content = evidence(tmp_path / "evidence", [SEARCH])
    found = audited(content + b'{"id":' + b" " * 200_000 + b"\n" + content, folder=tmp_path)

    assert lines(found, "entry", "message") == [(1, "the line is too long")]


def test_more_recordings_than_files_may_be_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_MOST_OPEN", 2)
    contents = [zstandard.compress(evidence(tmp_path / f"one-{number}", [each])) for number, each in enumerate(JOURNEY)]

    assert audited(*contents, folder=tmp_path).summary.judged == len(JOURNEY)
