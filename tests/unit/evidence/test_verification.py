"""The verification of rotated evidence, and the files that a folder stands for."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from airworthy.errors import UsageError
from airworthy.evidence.files import find_files, is_evidence
from airworthy.evidence.rotation import Rotation
from airworthy.evidence.verification import verify_chains

from .test_rotation import HOUR, written

LINES, FILES = 12, 4


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[bytes]]:
    """The name of a writer, and the content of its files."""
    folder = tmp_path_factory.mktemp("evidence")
    for number in range(FILES):
        files = written(folder, *(f"x{number}{line}" for line in range(LINES // FILES)), rotation=Rotation(HOUR))
    return files.writer, [zstandard.decompress(path.read_bytes()) for path in sorted(folder.glob("*.zst"))]


class Fleet:
    """A copy of the files, by their numbers."""

    def __init__(self, folder: Path, writer: str, contents: list[bytes]) -> None:
        self.folder, self.writer = folder, writer
        for number, content in enumerate(contents, start=1):
            self.path(number).write_bytes(zstandard.ZstdCompressor(write_checksum=True).compress(content))

    def path(self, number: int) -> Path:
        return self.folder / f"{self.writer}-{number:08d}.jsonl.zst"

    def lines(self, number: int) -> list[bytes]:
        return zstandard.decompress(self.path(number).read_bytes()).splitlines(keepends=True)

    def write(self, number: int, lines: list[bytes]) -> None:
        self.path(number).write_bytes(zstandard.compress(b"".join(lines)))

    def problems(self, *, later_start: bool = False) -> list[str]:
        return [
            f"{Path(each.file).name.removeprefix(self.writer)}:{each.line}: {each.message.replace(self.writer, 'W')}"
            for chain in verify_chains(sorted(self.folder.glob("*.zst")), later_start=later_start)
            for each in chain.problems
        ]


@pytest.fixture
def fleet(tmp_path: Path, original: tuple[str, list[bytes]]) -> Fleet:
    return Fleet(tmp_path, *original)


def test_chain_spans_the_files(fleet: Fleet) -> None:
    paths = sorted(fleet.folder.glob("*.zst"))
    (chain,) = verify_chains(reversed(paths))

    assert (chain.name, chain.files, chain.lines, chain.problems) == (fleet.writer, FILES, LINES, ())
    assert (chain.first, chain.last) == (1, FILES)
    assert fleet.lines(FILES)[-1].endswith(f'"hash":"{chain.last_hash}"}}\n'.encode())


def test_file_that_is_still_open_is_the_last_of_its_chain(fleet: Fleet) -> None:
    fleet.path(FILES).with_suffix(".open").write_bytes(b"".join(fleet.lines(FILES)))
    fleet.path(FILES).unlink()

    (chain,) = verify_chains(fleet.folder.iterdir())
    assert (chain.files, chain.problems) == (FILES, ())


def swap(fleet: Fleet) -> None:
    second, third = fleet.path(2).read_bytes(), fleet.path(3).read_bytes()
    fleet.path(2).write_bytes(third)
    fleet.path(3).write_bytes(second)


def flip(fleet: Fleet) -> None:
    content = bytearray(fleet.path(2).read_bytes())
    content[len(content) // 2] ^= 1
    fleet.path(2).write_bytes(content)


def unfollowed(number: int) -> str:
    return f"-{number:08d}.jsonl.zst:1: the line does not follow the last line of W-{number - 1:08d}.jsonl.zst"


UP_TO = "this file and those after it up to W-00000003.jsonl.zst are missing"
CHANGES: dict[str, tuple[Callable[[Fleet], object], list[str]]] = {
    "missing file": (lambda fleet: fleet.path(2).unlink(), ["-00000002.jsonl.zst:0: the file is missing"]),
    "missing files": (
        lambda fleet: list(map(Path.unlink, map(fleet.path, (2, 3)))),
        [f"-00000002.jsonl.zst:0: {UP_TO}"],
    ),
    "missing first": (lambda fleet: fleet.path(1).unlink(), ["-00000001.jsonl.zst:0: the file is missing"]),
    "reordered files": (swap, [unfollowed(2), unfollowed(4)]),
    "repeated file": (lambda fleet: fleet.path(5).write_bytes(fleet.path(4).read_bytes()), [unfollowed(5)]),
    "missing last line": (lambda fleet: fleet.write(2, fleet.lines(2)[:-1]), [unfollowed(3)]),
    "missing first line": (lambda fleet: fleet.write(2, fleet.lines(2)[1:]), [unfollowed(2)]),
    "changed line": (
        lambda fleet: fleet.write(2, [line.replace(b"OPEN", b"DONE") for line in fleet.lines(2)]),
        ["-00000002.jsonl.zst:1: the hash does not match the content of the line"],
    ),
    "flipped bit": (flip, ["-00000002.jsonl.zst:1: the compressed data is damaged"]),
    "truncated file": (
        lambda fleet: fleet.path(2).write_bytes(fleet.path(2).read_bytes()[:-1]),
        ["-00000002.jsonl.zst:4: the compressed data is damaged"],
    ),
    "empty file": (lambda fleet: fleet.path(2).write_bytes(b""), ["-00000002.jsonl.zst:0: the file is empty"]),
}


@pytest.mark.parametrize(("change", "problems"), CHANGES.values(), ids=CHANGES)
def test_change_is_named(fleet: Fleet, change: Callable[[Fleet], object], problems: list[str]) -> None:
    assert fleet.problems() == []
    change(fleet)

    assert fleet.problems() == problems


def test_later_start_accepts_missing_first_files_only(fleet: Fleet) -> None:
    fleet.path(1).unlink()
    assert fleet.problems(later_start=True) == []

    fleet.path(3).unlink()
    assert fleet.problems(later_start=True) == ["-00000003.jsonl.zst:0: the file is missing"]


def test_copy_in_another_folder_is_named(fleet: Fleet) -> None:
    copy = fleet.folder / "copy" / fleet.path(2).name
    copy.parent.mkdir()
    copy.write_bytes(fleet.path(2).read_bytes())

    (chain,) = verify_chains(fleet.folder.rglob("*.zst"))
    (problem,) = chain.problems
    assert problem.message.startswith(f"the file is a copy of number 2 of {fleet.writer}: {fleet.folder}/")


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
    (tmp_path / f"{ROTATED}.open").touch()
    with pytest.raises(UsageError, match=r"contains no evidence; its files are still being written, so name them to"):
        find_files([tmp_path], is_evidence, "evidence")
