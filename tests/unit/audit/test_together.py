"""Entries of one client are judged as a stream in order of time."""

from dataclasses import replace
from pathlib import Path

import pytest

from airworthy.audit import AuditSettings, audit, judging
from airworthy.evidence.recorder import Recorder, read
from airworthy.traffic.document import to_json
from conformance.v4 import samples

from .recordings import ANYBODY, entry, har

V4 = samples.conversation()


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
