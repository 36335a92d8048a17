"""Which file, and which part of it, each task reads."""

from pathlib import Path

import pytest

from airworthy.audit import recording
from airworthy.spark.sources import FilePart, Source, is_remote, local_path, misread, planned_tasks, task_size
from conformance.v4 import samples
from unit.audit.recordings import evidence

MEGABYTE = 1024 * 1024


@pytest.mark.parametrize(
    ("argument", "remote"),
    [
        ("s3a://bucket/folder", True),
        ("hdfs:///archive", True),
        ("viewfs:/archive", True),
        ("archive/2026", False),
        ("file:///archive", False),
        ("C:/archive", False),
        ("/archive/10:30/day.har", False),
        ("day:1.har", False),
    ],
)
def test_only_uris_are_remote(argument: str, remote: bool) -> None:
    assert is_remote(argument) is remote


def test_file_uri_is_a_path() -> None:
    assert local_path("file:///archive/day%201.har") == Path("/archive/day 1.har")
    assert local_path("day%201.har") == Path("day%201.har")


def test_tasks_are_neither_too_small_nor_too_large() -> None:
    assert task_size(1, 2) == 4 * MEGABYTE
    assert task_size(400 * MEGABYTE, 2) == 50 * MEGABYTE
    assert task_size(2**40, 2) == 64 * MEGABYTE


def test_small_files_share_tasks(tmp_path: Path) -> None:
    sources = [Source(str(number), 10, str(tmp_path)) for number in range(5)] + [Source("s3a://b/c", 10)]

    assert planned_tasks(sources, 25) == [[FilePart(0), FilePart(1)], [FilePart(2), FilePart(3)], [FilePart(4)]]


def test_large_file_is_split_at_its_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "CHUNK_SIZE", 1000)
    path = tmp_path / "evidence.jsonl"
    content = evidence(path, samples.conversation())
    source = Source("name", len(content), str(path))

    tasks = planned_tasks([source], 5000)
    parts = [part for task in tasks for part in task]

    assert len(parts) > 2
    assert [part.end for part in parts[:-1]] == [part.start for part in parts[1:]]
    assert (parts[0].start, parts[-1].end) == (0, len(content))
    assert all(content[part.end - 1 : part.end] == b"\n" for part in parts)
    assert planned_tasks([source], 5000, frozenset([0])) == [[FilePart(0)]]


@pytest.mark.parametrize("content", [b"junk", b"\x28\xb5\x2f\xfd", None])
def test_unreadable_or_compressed_file_is_not_split(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "file"
    if content:
        path.write_bytes(content)

    assert planned_tasks([Source("name", 10**9, str(path))], 5000) == [[FilePart(0)]]


def test_part_that_does_not_end_where_the_next_begins_was_split_wrongly() -> None:
    parts = [FilePart(0, 0, 10), FilePart(0, 10, 20), FilePart(1, 0, 5), FilePart(1, 5, 9), FilePart(2)]
    ends = {parts[0]: 10, parts[1]: -1, parts[2]: 7, parts[3]: -1, parts[4]: -1}

    assert misread(parts, ends) == {1}
    assert misread(parts, ends | {parts[2]: 5}) == frozenset()
