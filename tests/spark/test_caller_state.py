"""What is kept of a caller between two batches, without Spark."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from airworthy.audit import AuditSettings
from airworthy.contract import Contract, Exchange
from airworthy.contract.http.operations import SERVED
from airworthy.contract.links import links
from airworthy.spark.arrivals import Arrival, caller, shown
from airworthy.spark.caller_state import CallerJudge, CallerMemory, Judged, read_memory, written_memory
from exchange_parts import authorized, changed_request
from unit.audit.recordings import evidence
from unit.audit.test_run import AGAIN, V4

CONTRACT = Contract.load(SERVED)
JUDGE = CallerJudge(AuditSettings(()))


def arrivals(folder: Path, exchanges: Sequence[Exchange]) -> list[Arrival]:
    """The entries of a file with these exchanges, which is complete with the last of them."""
    raw = evidence(folder / "evidence.jsonl", exchanges).splitlines(keepends=True)
    complete = max(each.started for each in exchanges).timestamp()
    times = (each.started.timestamp() for each in exchanges)
    return [
        Arrival(started, "a.jsonl", number, complete, "evidence", line)
        for number, (started, line) in enumerate(zip(times, raw, strict=True))
    ]


def found(*judged: Judged) -> list[bytes]:
    return [line for each in judged for _, line in each.lines]


def test_stored_memory_changes_no_finding(tmp_path: Path) -> None:
    entries = arrivals(tmp_path, [*V4, AGAIN])
    whole = JUDGE.judge(CallerMemory(), entries)
    memory, parts = CallerMemory(), []
    for each in entries:
        parts.append(JUDGE.judge(memory, [each]))
        memory = read_memory(written_memory(parts[-1].memory))

    assert found(*parts) == found(whole) != []
    assert not any(each.late for each in parts)


def test_entries_are_judged_in_the_order_of_time(tmp_path: Path) -> None:
    entries = arrivals(tmp_path, [*V4, AGAIN])

    assert found(JUDGE.judge(CallerMemory(), reversed(entries))) == found(JUDGE.judge(CallerMemory(), entries))


def test_entry_before_a_judged_one_is_judged_on_its_own(tmp_path: Path) -> None:
    entries = arrivals(tmp_path, [*V4, AGAIN])
    before = JUDGE.judge(CallerMemory(), entries[1:])

    late = JUDGE.judge(before.memory, entries[:1])

    assert late.late == [entries[0]]
    assert late.memory.judged == before.memory.judged
    assert late.result.summary.judged == 1


def test_entry_after_its_file_is_judged_on_its_own(tmp_path: Path) -> None:
    ahead = [each._replace(received=each.received - 86400) for each in arrivals(tmp_path, [*V4, AGAIN])]

    judged = JUDGE.judge(CallerMemory(), ahead)

    assert (len(judged.late), judged.memory.judged, found(judged)) == (len(ahead), 0.0, [])


def test_memory_of_another_version_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = written_memory(JUDGE.judge(CallerMemory(), arrivals(tmp_path, V4)).memory)
    monkeypatch.setattr("airworthy.__version__", "0.0.0")

    assert read_memory(stored) == CallerMemory()


def test_credential_is_the_caller_and_without_one_the_service() -> None:
    search = V4[0]
    keys = [caller(links(CONTRACT, authorized(search, *keys))) for keys in (["one"], ["another"], [])]
    elsewhere = changed_request(search, url="https://example.com/unrelated")

    assert len(set(keys)) == 3
    assert keys[2] in search.request.url
    assert caller(links(CONTRACT, elsewhere)) == ""


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("file:/evidence/a b.jsonl.zst", "/evidence/a b.jsonl.zst"),
        ("file:///evidence/%20.zst", "/evidence/%20.zst"),
        ("s3a://bucket/a.zst", "s3a://bucket/a.zst"),
    ],
)
def test_local_files_are_shown_by_their_path(path: str, name: str) -> None:
    assert shown(path) == name
