"""Compressed files: what is read of damaged and hostile ones, and how much."""

import io
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from airworthy.errors import UsageError
from airworthy.evidence import compression
from airworthy.evidence.chain import lines_of
from airworthy.evidence.compression import DAMAGE, TooLargeError, compress, decompressed, decompressed_size

LINES = b"".join(b'{"id":"x%06d","text":"%s"}\n' % (number, b"abc" * 40) for number in range(2000))
SKIPPABLE = b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd"


def frames(content: bytes, count: int = 4) -> list[bytes]:
    """Compress content in frames that begin at lines."""
    lines = content.splitlines(keepends=True)
    size = -(-len(lines) // count)
    compressor = zstandard.ZstdCompressor(write_checksum=True)
    return [compressor.compress(b"".join(lines[start : start + size])) for start in range(0, len(lines), size)]


def read(data: bytes) -> bytes:
    with decompressed(data) as file:
        return file.read()


def test_compressed_lines_are_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "_FRAME_SIZE", 10_000)
    target = io.BytesIO()
    compress(io.BytesIO(LINES), target)

    assert read(target.getvalue()) == LINES
    assert decompressed_size(target.getvalue()) == len(LINES)
    assert len(target.getvalue()) < len(LINES) / 4


@pytest.mark.parametrize(
    "data",
    [
        zstandard.ZstdCompressor(write_content_size=False).compress(LINES),
        zstandard.ZstdCompressor(level=9, threads=2).compress(LINES),
        SKIPPABLE + b"".join([frame + SKIPPABLE for frame in frames(LINES)]),
    ],
    ids=["size unknown", "threads", "skippable frames"],
)
def test_frames_of_other_programs_are_read(data: bytes) -> None:
    assert compression.is_compressed(data)
    assert read(data) == LINES
    assert len(data) <= decompressed_size(data) <= len(LINES)


@pytest.mark.parametrize("at", ["head", "structure", "content", "checksum"])
def test_damaged_frame_costs_no_other_frame(at: str) -> None:
    first, second, third, fourth = map(bytearray, frames(LINES))
    second[{"head": 0, "structure": 12, "content": len(second) // 2, "checksum": -1}[at]] ^= 0x41
    content = read(bytes(first + second + third + fourth))

    parts = LINES.splitlines(keepends=True)
    assert content == b"".join(parts[:500]) + DAMAGE + b"".join(parts[1000:])


@pytest.mark.parametrize("missing", [1, 4, 5, 100])
def test_truncated_file_is_damaged_at_its_end(missing: int) -> None:
    content = read(b"".join(frames(LINES))[:-missing])

    assert content.endswith(DAMAGE)
    assert content.startswith(b"".join(LINES.splitlines(keepends=True)[:1500]))


@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_damage(rest: bytes) -> None:
    assert read(zstandard.FRAME_HEADER + b"\xff" + rest).endswith(DAMAGE)


def test_endless_content_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "LARGEST", 1_000_000)
    bomb = zstandard.ZstdCompressor().compress(bytes(50_000_000))

    with pytest.raises(TooLargeError):
        decompressed(bomb)
    assert decompressed_size(bomb) == 1_000_000
    (tmp_path / "bomb.zst").write_bytes(bomb)
    with pytest.raises(UsageError, match=r"bomb\.zst: the file decompresses to more than 1 GiB; decompress it first"):
        list(lines_of(tmp_path / "bomb.zst"))
