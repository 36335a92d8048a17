"""Compress and decompress recordings with Zstandard (RFC 8878).

Compressed evidence consists of many small frames, each of which begins at a line, so that a damaged part of a file
costs no more than its own frame. Files that other programs compressed, in whatever frames, can be read as well.
"""

import contextlib
import mmap
import re
import tempfile
from pathlib import Path
from typing import BinaryIO, Final

import zstandard

from airworthy.errors import reading
from airworthy.private_files import temporary_folder

Data = mmap.mmap | bytes

LARGEST: Final = 1024 * 1024 * 1024
"""The largest number of bytes to which a file may decompress: a small file can decompress to an endless one."""
DAMAGED: Final = "the compressed data is damaged"
DAMAGE: Final = f"\0{DAMAGED}\n".encode()
"""What stands in place of damaged data. A recording cannot contain it by itself: JSON has no character NUL."""
TOO_LARGE: Final = f"the file decompresses to more than {LARGEST // 1024**3} GiB; decompress it first"

_FRAME: Final = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")
_SKIPPABLE_HEADER: Final = 8
_LONGEST_HEADER: Final = 18
_BLOCK_HEADER: Final = 3
_RLE: Final = 1
_CHECKSUM: Final = 4
_LARGEST_WINDOW: Final = 128 * 1024 * 1024
_CHUNK: Final = 64 * 1024
_FRAME_SIZE: Final = 4 * 1024 * 1024
_LEVEL: Final = 3
# Each damaged frame may cost a pass over the rest of the file, to find the next one.
_MOST_DAMAGED: Final = 16


class TooLargeError(Exception):
    """A file decompresses to more than `LARGEST` bytes."""


def is_compressed(head: bytes | memoryview) -> bool:
    """Return whether a file with this beginning is compressed with Zstandard."""
    return _FRAME.match(head) is not None


def compress(source: BinaryIO, target: BinaryIO) -> None:
    """Compress the lines of a file. Raises OSError."""
    compressor = zstandard.ZstdCompressor(_LEVEL, write_checksum=True)
    while lines := source.read(_FRAME_SIZE):
        target.write(compressor.compress(lines + source.readline()))


def decompressed(data: Data) -> BinaryIO:
    """Return a temporary file, without a name, with the decompressed data; `DAMAGE` replaces damaged frames.

    Raises:
        TooLargeError: see `LARGEST`.
        OSError: the temporary file cannot be written.
    """
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(tempfile.TemporaryFile(dir=temporary_folder()))
        with memoryview(data) as view:
            _decompress(view, file)
        file.seek(0)
        stack.pop_all()
        return file


def open_decompressed(path: Path) -> BinaryIO:
    """Open a file for reading; if it is compressed, what it decompresses to.

    Raises:
        TooLargeError: see `LARGEST`.
        OSError: the file cannot be read, or the temporary file cannot be written.
    """
    file = path.open("rb")
    if not is_compressed(file.peek(_SKIPPABLE_HEADER)):
        return file
    with file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return decompressed(data)


def read_head(path: Path, size: int) -> bytes:
    """Return the first bytes of a file, decompressed if it is compressed; nothing if they are damaged.

    Raises `UsageError` if the file cannot be read.
    """
    with reading(path), path.open("rb") as file:
        if not is_compressed(file.peek(_SKIPPABLE_HEADER)):
            return file.read(size)
        decompressor = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
        with contextlib.suppress(zstandard.ZstdError), decompressor.stream_reader(file) as reader:
            return reader.read(size)
        return b""


def decompressed_size(data: Data) -> int:
    """Return the approximate size to which data decompresses, at most `LARGEST`: the sum of what its frames declare."""
    size = start = 0
    with memoryview(data) as view:
        while end := _end_of_frame(view, start):
            declared = zstandard.frame_content_size(view[start : start + _LONGEST_HEADER])
            size, start = size + max(declared, 0), end
    return min(max(size, len(data)), LARGEST)


def _decompress(view: memoryview, file: BinaryIO) -> None:
    decompressor = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
    start: int | None = 0
    damaged, after_damage = 0, False
    while start is not None and start < len(view):
        before, end = file.tell(), _end_of_frame(view, start)
        try:
            with view[start:end] as frame, decompressor.stream_reader(frame) as reader:
                _copy(reader, file)
            # The reader does not notice that a frame is truncated.
            is_damaged = end is None
        except zstandard.ZstdError:
            # Some of what was decompressed may be wrong.
            file.seek(before)
            file.truncate()
            is_damaged = True
        if is_damaged:
            damaged += 1
            if not after_damage:
                file.write(DAMAGE)
        after_damage = is_damaged
        following = _FRAME.search(view, start + 1) if end is None and damaged < _MOST_DAMAGED else None
        start = following.start() if following else end


def _copy(reader: zstandard.ZstdDecompressionReader, file: BinaryIO) -> None:
    while chunk := reader.read(_CHUNK):
        if file.tell() + len(chunk) > LARGEST:
            raise TooLargeError
        file.write(chunk)


def _end_of_frame(view: memoryview, start: int) -> int | None:
    """Return the offset after a frame, or None if it is incomplete or its structure is damaged."""
    head = bytes(view[start : start + _LONGEST_HEADER])
    if not is_compressed(head):
        return None
    if not head.startswith(zstandard.FRAME_HEADER):
        end = start + _SKIPPABLE_HEADER + int.from_bytes(head[4:_SKIPPABLE_HEADER], "little")
        return end if end <= len(view) else None
    try:
        end = start + zstandard.frame_header_size(head)
        has_checksum = zstandard.get_frame_parameters(head).has_checksum
    except zstandard.ZstdError:
        return None
    is_last = False
    while not is_last:
        if end + _BLOCK_HEADER > len(view):
            return None
        block = int.from_bytes(view[end : end + _BLOCK_HEADER], "little")
        is_last, kind, size = bool(block & 1), block >> 1 & 3, block >> 3
        end += _BLOCK_HEADER + (1 if kind == _RLE else size)
    end += _CHECKSUM * has_checksum
    return end if end <= len(view) else None
