"""A stream finds what the local audit finds in the same files, whenever they arrive and however often it restarts."""

import json
import os
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from io import BytesIO
from itertools import chain
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from airworthy.audit import AuditSettings, audit
from airworthy.contract import Exchange
from airworthy.errors import UsageError
from airworthy.evidence.compression import compress
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.spark.follow import FollowingAudit, Late, Lines
from airworthy.traffic.document import to_json
from airworthy.traffic.golive.items import GoLiveSettings
from exchange_parts import authorized
from unit.audit.recordings import evidence
from unit.audit.test_run import AGAIN, V4, renamed

PROXIES = ("edge-00000001", "edge-00000002")
WATERMARK = 600
END = AGAIN.started.timestamp()


@dataclass
class Fleet:
    """Proxies that write evidence into a folder, and an audit that follows it."""

    session: SparkSession
    folder: Path
    found: list[bytes] = field(default_factory=list)
    late: list[Late] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)

    def put(self, exchanges: Iterable[Exchange], complete: float = END, content: bytes | None = None) -> None:
        """Let a proxy close a file."""
        number = len(self.files)
        raw = evidence(self.folder / f"{number}.jsonl", exchanges, pseudonyms=Pseudonyms(b"k" * 32))
        path = self.folder / "evidence" / f"{PROXIES[number % 2]}-{number:08d}.jsonl.zst"
        path.parent.mkdir(exist_ok=True)
        with path.open("wb") as file:
            compress(BytesIO(raw), file)
        if content is not None:
            path.write_bytes(content)
        os.utime(path, (complete, complete))
        self.files.append(path)

    def audit(self, write: Lines | None = None, output: str | None = None, now: float = END) -> FollowingAudit:
        """An audit that starts, perhaps again."""
        folder, checkpoint = self.folder / "evidence", self.folder / "checkpoint"
        folder.mkdir(exist_ok=True)
        checkpoint.mkdir(exist_ok=True)
        return FollowingAudit(
            self.session,
            AuditSettings(()),
            folder.as_uri(),
            checkpoint.as_uri(),
            write=write or self.found.extend,
            output=output,
            watermark=WATERMARK,
            report_late=self.late.append,
            clock=lambda: now,
        )

    def catch_up(self, until: float = END) -> FollowingAudit:
        """Judge what is there at a time up to which everything has arrived."""
        started = self.audit(now=until)
        started.run(threading.Event(), until_caught_up=True)
        return started

    def expected(self) -> tuple[list[bytes], bytes]:
        """The sorted findings and the summary of the local audit of all files."""
        result = audit(AuditSettings(tuple(sorted(self.files)), lines=True), jobs=1)
        return sorted(b"".join(result.lines).splitlines(keepends=True)), to_json(result.summary)


@pytest.fixture
def fleet(session: SparkSession, tmp_path: Path) -> Fleet:
    return Fleet(session, tmp_path)


def traffic() -> list[Exchange]:
    """Two partners' bookings; one of them confirms an order twice."""
    partners = [authorized(renamed(each, number), f"key {number}") for number in (1, 2) for each in V4]
    return sorted([*V4, AGAIN, *partners], key=lambda exchange: exchange.started)


def rules(lines: Iterable[bytes]) -> set[str]:
    return {json.loads(line)["rule"] for line in lines}


@pytest.mark.further
def test_stream_that_restarts_finds_what_the_local_audit_finds(fleet: Fleet) -> None:
    exchanges = traffic()
    middle = exchanges[len(exchanges) // 2].started.timestamp()
    first = [each for each in exchanges if each.started.timestamp() < middle]
    fleet.put(first[::2], middle)
    fleet.catch_up(until=middle)
    # The file of the other proxy arrives within the watermark, after a restart.
    fleet.put(first[1::2], middle + 1)
    fleet.put((), middle + 2, content=b"damaged")
    fleet.put([each for each in exchanges if each.started.timestamp() >= middle], END + 1)
    fleet.catch_up()
    last = fleet.catch_up(until=END + WATERMARK + 10)

    lines, summary = fleet.expected()
    assert sorted(fleet.found) == lines
    assert {"V4-CONFIRM-ONCE", ""} <= rules(fleet.found)
    assert to_json(last.summary) == summary
    assert not fleet.late


@pytest.mark.further
def test_late_exchange_is_judged_without_the_others(fleet: Fleet) -> None:
    fleet.put([each for each in (*V4, AGAIN) if each is not V4[-1]], END + 1)
    fleet.catch_up(until=END + WATERMARK + 10)
    found = list(fleet.found)
    fleet.put([V4[-1]], END + 2)
    last = fleet.catch_up()

    assert [(late.number, late.places) for late in fleet.late] == [(1, [f"{fleet.files[-1]}:0"])]
    assert fleet.found == found
    assert last.summary.judged == len(V4) + 1


def test_batch_is_written_once(fleet: Fleet) -> None:
    def fail(lines: Iterable[bytes]) -> None:
        if list(lines):
            raise OSError("no space left on device")

    fleet.put([*V4, AGAIN], END + 1)
    failing = fleet.audit(write=fail, now=END + WATERMARK + 10)
    with pytest.raises(OSError, match="no space"):
        failing.run(threading.Event(), until_caught_up=True)
    fleet.catch_up()
    assert sorted(fleet.found) == fleet.expected()[0]

    # As if the program had ended after the findings were written, before Spark noted the end of the batch.
    commits = fleet.folder / "checkpoint" / "stream" / "commits"
    for path in (
        newest := max(commits.glob("[0-9]*"), key=lambda each: int(each.name)),
        commits / f".{newest.name}.crc",
    ):
        path.unlink(missing_ok=True)
    again = fleet.catch_up()
    assert sorted(fleet.found) == fleet.expected()[0]
    assert to_json(again.summary) == fleet.expected()[1]


@pytest.mark.further
def test_running_stream_writes_folders(fleet: Fleet) -> None:
    output = fleet.folder / "found"
    running = fleet.audit(output=output.as_uri())
    fleet.put([*V4, AGAIN], END + 1)
    query = running.start()
    try:
        query.processAllAvailable()
        running.tick(END + WATERMARK + 10)
        query.processAllAvailable()
    finally:
        query.stop()

    found = chain.from_iterable(each.read_bytes().splitlines(keepends=True) for each in output.rglob("part-*"))
    assert sorted(found) == fleet.expected()[0]


def test_checkpoint_of_another_audit_is_refused(fleet: Fleet) -> None:
    fleet.audit()
    with pytest.raises(UsageError, match="name another checkpoint"):
        FollowingAudit(
            fleet.session,
            AuditSettings((), golive=GoLiveSettings(adults=3)),
            (fleet.folder / "evidence").as_uri(),
            (fleet.folder / "checkpoint").as_uri(),
            write=fleet.found.extend,
        )
