"""The files that a folder stands for."""

import os
from pathlib import Path

import pytest
import zstandard

from airworthy.errors import UsageError
from airworthy.evidence.files import find_files, is_evidence

ROTATED = "edge-9f3c2a7b-00000001.jsonl"


def test_folder_means_the_evidence_in_it_and_its_subfolders(tmp_path: Path) -> None:
    wanted = ["a/evidence.jsonl", f"b/c/{ROTATED}.zst", "b/copy.zst", "damaged/" + ROTATED + ".zst"]
    other = ["a/ledger.jsonl", "a/.hidden", ".git/evidence.jsonl", f"b/.{ROTATED}.zst", "notes.txt", "b/other.zst"]
    for name in wanted + other:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = b'{"id":"x1"' if name in wanted else b'{"kind":"order"}'
        path.write_bytes(zstandard.compress(content) if name.endswith(".zst") else content)
    (tmp_path / wanted[3]).write_bytes(b"damaged")
    (tmp_path / "b" / f"{ROTATED}.open").touch()
    os.mkfifo(tmp_path / "pipe")

    found = find_files([tmp_path], is_evidence, "evidence")

    assert found.files == tuple(sorted(tmp_path / name for name in wanted))
    assert found.being_written == (tmp_path / "b" / f"{ROTATED}.open",)


def test_named_file_is_included_once_whatever_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("b.open", "a.jsonl"):
        Path(name).write_bytes(b'{"id":"x1"')

    found = find_files([Path("b.open"), tmp_path, Path("a.jsonl"), Path("none")], is_evidence, "evidence")

    assert found.files == (Path("b.open"), tmp_path / "a.jsonl", Path("none"))


def test_folder_without_evidence_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r": the folder contains no evidence$"):
        find_files([tmp_path], is_evidence, "evidence")
