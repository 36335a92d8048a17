"""Entries of one client are judged as a stream in order of time; what is remembered of each is small."""

import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from airworthy.audit import AuditSettings, audit, judging
from airworthy.audit.links import Links
from airworthy.audit.run import EntryTimeline
from airworthy.audit.worker import EntryLocation
from airworthy.evidence.recorder import Recorder, read
from airworthy.traffic.document import to_json
from conformance.v4 import samples

from .recordings import ANYBODY, entry, har

V4 = samples.conversation()


def timeline(entries: Sequence[tuple[float, EntryLocation]]) -> EntryTimeline:
    made = EntryTimeline()
    for each in entries:
        made.add(each, Links())
    return made


def test_entries_are_in_order_of_time_then_of_files() -> None:
    entries = [
        (5.0, EntryLocation(0, 0, 10, 20)),
        (3.0, EntryLocation(0, 1, 20, 50)),
        (0.0, EntryLocation(2, 0, 0, 0, "the file is empty")),
        (3.0, EntryLocation(3, 0, 2**40, 2**40 + 7)),
    ]

    made = timeline(entries)

    assert list(made) == [entries[at][1] for at in (2, 1, 3, 0)]
    assert list(made) == list(made)
    assert len(made) == 4
    assert list(timeline([])) == []


def test_entry_takes_little_memory() -> None:
    tracemalloc.start()
    made = timeline([])
    before, _ = tracemalloc.get_traced_memory()
    for number in range(20_000):
        made.add((float(number), EntryLocation(0, number, number * 2000, number * 2000 + 1999)), Links())
    after, _ = tracemalloc.get_traced_memory()
    for _ in made:
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert (after - before) / 20_000 < 30
    assert (peak - after) / 20_000 < 10


@pytest.mark.parametrize("together", [True, False])
def test_judging_together_finds_the_same(tmp_path: Path, *, together: bool) -> None:
    paths = tuple(tmp_path / name for name in ("a.har", "b.har"))
    for path, part in zip(paths, (V4[5:], V4[:5]), strict=True):
        path.write_bytes(har(map(entry, part)))

    with Recorder(tmp_path / "evidence.jsonl", ANYBODY) as recorder:
        found = audit(AuditSettings(paths, labels=("a", "b"), together=together), jobs=1, recorder=recorder)

    apart = audit(AuditSettings(paths, labels=("a", "b")), jobs=1)
    assert to_json(found.summary) == to_json(apart.summary)
    in_order_of_time = [*(f"b:{at}" for at in range(5)), *(f"a:{at}" for at in range(len(V4) - 5))]
    in_order_of_files = [*in_order_of_time[5:], *in_order_of_time[:5]]
    expected = in_order_of_time if together else in_order_of_files
    assert [record.exchange.id for record in read(tmp_path / "evidence.jsonl")] == expected


def test_only_locations_of_examples_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "traffic.har"
    confirmation = next(each for each in V4 if each.request.url.endswith("/confirm"))
    path.write_bytes(har(map(entry, [*V4, *[replace(confirmation, elapsed=0.0)] * 20])))
    every = audit(AuditSettings((path,), together=True), jobs=1)
    monkeypatch.setattr(judging, "_MOST_LOCATIONS", 2)

    few = audit(AuditSettings((path,), together=True), jobs=1)

    assert few.examples == every.examples
    assert len(few.examples) == 1
