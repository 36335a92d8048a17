"""Rotated evidence: when files are closed, and what a writer does with the files that an earlier one left."""

import os
import shutil
import stat
import sys
import threading
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest

from airworthy.errors import UsageError
from airworthy.evidence import rotation
from airworthy.evidence.chain import START, verify_chain
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.recorder import Recorder, read
from airworthy.evidence.rotation import RotatedFiles, Rotation, parse_rotation, rotated_name
from command_line import run

from .stub import CONTRACT, exchange

HOUR = 3600
SMALL = Rotation(HOUR, 1)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


# Without the hidden file that is being compressed.
CLOSED = "[!.]*.zst"


def record(files: RotatedFiles, *identifiers: str) -> None:
    recorder = Recorder(files, CONTRACT, pseudonyms=Pseudonyms(b"k" * 32))
    for identifier in identifiers:
        recorder.append(exchange({"n": 1}, {"status": "OPEN"}, identifier=identifier))


def written(folder: Path, *identifiers: str, rotation: Rotation = SMALL) -> RotatedFiles:
    """Write records, and return the files, closed."""
    files = RotatedFiles(folder, rotation)
    record(files, *identifiers)
    files.close()
    return files


def ids(folder: Path, pattern: str = CLOSED) -> list[list[str]]:
    return [[record.exchange.id for record in read(path)] for path in sorted(folder.glob(pattern))]


def chained(folder: Path) -> bool:
    """Whether all closed files are one chain."""
    previous = START
    for path in sorted(folder.glob(CLOSED)):
        check = verify_chain(path, previous)
        if check.altered or check.unfinished:
            return False
        previous = check.last_hash
    return True


def until(condition: Callable[[], object]) -> None:
    while not condition():
        threading.Event().wait(0.005)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((), Rotation(300, 64_000_000)),
        (("30s",), Rotation(30, 64_000_000)),
        (("1GB", "24h"), Rotation(24 * HOUR, 10**9)),
        (("5m", "1KB"), Rotation(300, 1000)),
    ],
)
def test_duration_and_size_replace_the_defaults(values: tuple[str, ...], expected: Rotation) -> None:
    assert parse_rotation(values) == expected


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("5", "expected a duration such as 30s, 5m or 1h, or a size such as 64MB, got '5'"),
        ("5 m", "expected a duration"),
        ("-5m", "expected a duration"),
        ("64mb", "expected a duration"),
        ("0s", "expected 1s to 24h, or 1KB to 1GB, got '0s'"),
        ("25h", "expected 1s to 24h"),
        ("2GB", "expected 1s to 24h"),
    ],
)
def test_other_value_is_a_usage_error(value: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_rotation([value])


def test_file_is_closed_at_its_size(tmp_path: Path) -> None:
    files = written(tmp_path, *(f"x{number}" for number in range(7)), rotation=Rotation(HOUR, 1000))

    assert list(chain(*ids(tmp_path))) == [f"x{number}" for number in range(7)]
    assert [path.name for path in sorted(tmp_path.glob("[!.]*"))] == [
        f"{files.writer}-{number:08d}.jsonl.zst" for number in range(1, len(ids(tmp_path)) + 1)
    ]
    assert len(ids(tmp_path)) > 2
    assert chained(tmp_path)


def test_file_is_closed_at_its_age(tmp_path: Path) -> None:
    clock = Clock()
    files = RotatedFiles(tmp_path, Rotation(300), clock)
    record(files, "x1")
    clock.now = 299.0
    record(files, "x2")
    clock.now = 300.0
    record(files, "x3")
    files.close()

    assert ids(tmp_path) == [["x1", "x2"], ["x3"]]
    assert chained(tmp_path)


def test_file_is_closed_without_another_line(tmp_path: Path) -> None:
    files = RotatedFiles(tmp_path, Rotation(0))
    record(files, "x1")
    until(lambda: ids(tmp_path) and not list(tmp_path.glob("*.open")))

    assert ids(tmp_path) == [["x1"]]
    files.close()


def test_files_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "evidence"
    written(folder, "x1")

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


@pytest.mark.parametrize("moved", [False, True])
def test_next_writer_continues_the_chain_although_the_files_were_moved_away(tmp_path: Path, moved: bool) -> None:
    archive = tmp_path / "archive" if moved else tmp_path / "evidence"
    archive.mkdir()
    for number in range(3):
        written(tmp_path / "evidence", f"x{number}")
        for path in (tmp_path / "evidence").glob("*.zst"):
            path.rename(archive / path.name)

    assert ids(archive) == [["x0"], ["x1"], ["x2"]]
    assert chained(archive)


def test_writers_at_the_same_time_have_different_names(tmp_path: Path) -> None:
    one, other = RotatedFiles(tmp_path), RotatedFiles(tmp_path)
    record(one, "x1")
    record(other, "y1")
    one.close()
    other.close()
    assert one.writer != other.writer
    assert sorted(ids(tmp_path)) == [["x1"], ["y1"]]

    assert written(tmp_path).writer == min(one.writer, other.writer)


@pytest.mark.parametrize(
    ("left", "read_back"), [(None, ["x1", "x2"]), (-20, ["x1"]), (0, [])], ids=["line", "incomplete line", "nothing"]
)
def test_file_of_a_killed_writer_is_closed_by_the_next(
    killed: Path, tmp_path: Path, left: int | None, read_back: list[str]
) -> None:
    folder = shutil.copytree(killed, tmp_path / "evidence")
    (path,) = folder.glob("*.open")
    path.write_bytes(path.read_bytes()[:left])
    written(folder, "x3")

    assert list(chain(*ids(folder))) == [*read_back, "x3"]
    assert not list(folder.glob("*.open"))
    assert chained(folder)


def test_files_of_all_killed_writers_are_closed(killed: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(killed, tmp_path / "evidence")
    writer = killed_writer(folder, "x3")
    assert all(path.name.startswith(writer) for path in folder.glob("[!.]*"))
    one = RotatedFiles(folder)
    killed_writer(folder, "y1")
    one.close()

    RotatedFiles(folder).close()

    assert sorted(ids(folder)) == [["x1", "x2"], ["x3"], ["y1"]]
    assert not list(folder.glob("*.open"))


def test_writer_that_was_killed_while_closing(killed: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(killed, tmp_path / "evidence")
    (opened,) = folder.glob("*.open")
    content = opened.read_bytes()
    RotatedFiles(folder).close()
    # Killed between the last two steps, and before them.
    opened.write_bytes(content)
    (folder / f".{opened.name.replace('1.jsonl.open', '2.jsonl.zst')}").write_bytes(b"unfinished")
    written(folder, "x3")

    assert ids(folder) == [["x1", "x2"], ["x3"]]
    assert chained(folder)
    assert not list(folder.glob("*.open"))


def test_file_that_cannot_be_compressed_is_compressed_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = threading.Event()

    def no_space(*_: object) -> None:
        tried.set()
        raise OSError(28, "No space left on device")

    files = RotatedFiles(tmp_path, SMALL)
    with monkeypatch.context() as patched:
        patched.setattr(rotation, "compress", no_space)
        record(files, "x1")
        assert tried.wait(60)
    assert ids(tmp_path, "*.open") == [["x1"]]
    record(files, "x2")
    files.close()

    assert ids(tmp_path) == [["x1"], ["x2"]]
    assert chained(tmp_path)


def test_file_that_cannot_be_ended_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = RotatedFiles(tmp_path, SMALL)
    with monkeypatch.context() as patched:
        patched.setattr(
            "airworthy.evidence.rotation.os.pwrite", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left"))
        )
        record(files, "x1")
    record(files, "x2")
    files.close()

    assert ids(tmp_path) == [["x1", "x2"]]


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    names = [".edge-1-9f3c2a7b.chain", "edge-1-9f3c2a7b-00000001.jsonl.open", "notes.open"]
    for name in names:
        (tmp_path / name).write_bytes(b"of another host")
    written(tmp_path, "x1")

    assert {(tmp_path / name).read_bytes() for name in names} == {b"of another host"}


def test_parts_of_a_name() -> None:
    name = rotated_name(Path("a/edge-1-example-9f3c2a7b-00000012.jsonl.zst"))

    assert name == ("edge-1-example-9f3c2a7b", 12, False)
    assert str(name) == "edge-1-example-9f3c2a7b-00000012.jsonl.zst"
    assert rotated_name(Path("evidence.jsonl")) is None
    assert rotated_name(Path(".edge-9f3c2a7b-00000012.jsonl.zst")) is None


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a writer that was killed after two records."""
    folder = tmp_path_factory.mktemp("killed")
    killed_writer(folder, "x1", "x2")
    return folder


def killed_writer(folder: Path, *identifiers: str) -> str:
    """Record with a process that is killed, and return its name."""
    script = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from unit.evidence.test_rotation import RotatedFiles, record\n"
        "files = RotatedFiles(Path(sys.argv[1]))\n"
        "record(files, *sys.argv[2:])\n"
        "print(files.writer, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ran = run(sys.executable, "-c", script, folder, *identifiers, environment=environment)
    assert ran.returncode == -9
    return ran.stdout.strip()
