"""The folder of a run."""

import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from airworthy.errors import UsageError
from airworthy.suite import folders
from airworthy.suite.folders import RunFolder
from airworthy.target.client import run_concurrently


class StoppedTime(datetime):
    @classmethod
    def now(cls, _: object = None) -> datetime:  # type: ignore[override]
        return datetime(2026, 11, 22, 12, 0, 0, tzinfo=UTC)


def test_runs_of_the_same_second_have_different_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "datetime", StoppedTime)
    reserved = run_concurrently([lambda: RunFolder(tmp_path / "reports").path.name] * 8)
    assert sorted(reserved) == ["20261122-120000", *(f"20261122-120000-{number}" for number in range(2, 9))]


def test_named_folder_is_reserved_for_one_run(tmp_path: Path) -> None:
    def reserve() -> str:
        try:
            return RunFolder(tmp_path, "ci").path.name
        except UsageError as error:
            return str(error)

    reserved = run_concurrently([reserve] * 8)
    refusal = f"--run-id ci: {tmp_path / 'ci'} already contains a run; choose another name"
    assert sorted(reserved) == [refusal] * 7 + ["ci"]


@pytest.mark.parametrize("name", ["..", "../other", "/tmp/run", "a/b"])  # noqa: S108 - nothing is written
def test_path_is_not_a_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="expected the name of a folder, not a path"):
        RunFolder(tmp_path / "reports", name)
    assert list(tmp_path.iterdir()) == []


def test_run_leaves_its_files_only_which_only_their_owner_can_read(tmp_path: Path) -> None:
    RunFolder(tmp_path / "reports" / "all").release()
    assert list(tmp_path.iterdir()) == []

    (tmp_path / "ci").mkdir()
    empty, used = RunFolder(tmp_path, "ci"), RunFolder(tmp_path / "reports")
    (used.path / "results.json").touch()
    assert stat.S_IMODE(used.path.stat().st_mode) == 0o700
    for folder in (empty, used):
        folder.release()
    assert [path.name for each in (empty, used) for path in each.path.iterdir()] == ["results.json"]


def test_folder_that_cannot_be_created_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"^--reports .*/file: Not a directory$"):
        RunFolder(tmp_path / "file")
