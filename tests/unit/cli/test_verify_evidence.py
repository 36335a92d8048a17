"""``verify`` for evidence: files and folders, with one clear line for each problem."""

import json
from pathlib import Path

import pytest

from airworthy.evidence.rotation import RotatedFiles
from command_line import Command
from unit.attestation.signed_run import write_run
from unit.evidence.test_rotation import SMALL, record


@pytest.fixture
def writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of the writer of three files in the folder ``evidence``."""
    monkeypatch.chdir(tmp_path)
    files = RotatedFiles(Path("evidence"), SMALL)
    record(files, "x1", "x2", "x3")
    files.close()
    return files.writer


def test_chain_of_a_folder_is_verified(airworthy: Command, writer: str) -> None:
    (Path("evidence") / f"{writer}-00000004.jsonl.open").touch()

    ran = airworthy("verify", "evidence")
    assert (ran.code, ran.err) == (0, "")
    first, chain, being_written, _ = ran.out.splitlines()
    assert first == "CONSISTENT, NOT SIGNED  evidence"
    assert chain.startswith(f"  evidence      {writer}, files 1 to 3, 3 lines, last hash ")
    assert being_written == f"  not verified  evidence/{writer}-00000004.jsonl.open, which is being written"

    document = json.loads(airworthy("verify", "evidence", "--json").out)
    assert [(each["name"], each["files"], each["lines"]) for each in document["evidence"]] == [(writer, 3, 3)]
    assert document["being_written"] == [f"evidence/{writer}-00000004.jsonl.open"]


def test_missing_file_is_named(airworthy: Command, writer: str) -> None:
    names = [f"evidence/{writer}-{number:08d}.jsonl.zst" for number in (1, 2, 3)]
    Path(names[0]).unlink()

    ran = airworthy("verify", names[2], names[1])
    assert ran.code == 1
    assert ran.out == f"NOT VERIFIED  {names[2]} and 1 more\n  {names[0]}: the file is missing\n"
    assert airworthy("verify", *names[1:], "--later-start").code == 0


@pytest.mark.parametrize("deleted", [(3,), (2, 3), (1, 2, 3)])
def test_missing_end_is_found_by_the_hidden_file(
    airworthy: Command, writer: str, tmp_path: Path, deleted: tuple[int, ...]
) -> None:
    record_to = tmp_path / "evidence" / "other.jsonl"
    write_run(tmp_path / "run")
    (tmp_path / "run" / "evidence.jsonl").rename(record_to)
    for number in deleted:
        Path(f"evidence/{writer}-{number:08d}.jsonl.zst").unlink()

    ran = airworthy("verify", "evidence")

    assert ran.code == 1
    assert f"  evidence/{writer}-{deleted[0]:08d}.jsonl.zst: " in ran.out
    # Where files are archived, the folder of the proxy keeps only the last ones, or none.
    assert airworthy("verify", "evidence", "--later-start").code == int(len(deleted) < 3)
