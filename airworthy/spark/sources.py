"""The recordings to audit: which files, and which part of which file each task reads."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

from airworthy.audit.formats import open_recording
from airworthy.audit.recording import UnreadableRecordingError
from airworthy.errors import UsageError
from airworthy.evidence.compression import is_compressed

LARGEST_OBJECT: Final = 2**31 - 1
"""The largest file in an object store, in bytes: Spark hands over a whole file as one value."""
LARGEST_TASK: Final = 64 * 1024 * 1024
"""The most bytes that one task should read."""
_SMALLEST_TASK: Final = 4 * 1024 * 1024
_TASKS_PER_CORE: Final = 4
_FILE: Final = "file:"
_HEAD: Final = 4
_WHOLE: Final = -1


class Source(NamedTuple):
    """A recording: its name in messages, its size in bytes, and its path if every worker can open that."""

    name: str
    size: int
    path: str = ""


class FilePart(NamedTuple):
    """The bytes of a file that one task reads: from ``start`` to ``end``, or all of it if ``end`` is negative."""

    file: int
    start: int = 0
    end: int = _WHOLE

    @property
    def is_whole(self) -> bool:
        """Whether the part is the whole file."""
        return self.end == _WHOLE


def is_remote(argument: str) -> bool:
    """Return whether an argument is a URI that only Spark can read."""
    scheme = urlsplit(argument).scheme
    # A single letter is a drive of Windows.
    return len(scheme) > 1 and not argument.startswith(_FILE) and ":/" in argument


def local_path(argument: str) -> Path:
    """Return the path that an argument, possibly a ``file:`` URI, names on every worker."""
    return Path(url2pathname(urlsplit(argument).path) if argument.startswith(_FILE) else argument)


def task_size(total: int, cores: int) -> int:
    """Return the bytes that a task should read, for recordings of ``total`` bytes on a number of ``cores``."""
    return min(max(total // (_TASKS_PER_CORE * cores), _SMALLEST_TASK), LARGEST_TASK)


def planned_tasks(sources: Sequence[Source], size: int, unsplit: frozenset[int] = frozenset()) -> list[list[FilePart]]:
    """Return what each task reads, about ``size`` bytes: parts of large files, or several small files.

    The files of ``unsplit`` are not split, whatever their size.
    """
    tasks: list[list[FilePart]] = []
    room = 0
    for file, source in enumerate(sources):
        if not source.path:
            continue
        is_small = file in unsplit or source.size <= size
        for part in [FilePart(file)] if is_small else _parts(file, Path(source.path), size):
            weight = source.size if part.is_whole else part.end - part.start
            if room < weight or not tasks:
                tasks.append([])
                room = size
            tasks[-1].append(part)
            room -= weight
    return tasks


def misread(parts: Iterable[FilePart], ends: dict[FilePart, int]) -> frozenset[int]:
    """Return the files that were split at a wrong place: where one part ends, the next one must begin.

    ``ends`` has the offset of the entry after each part, negative at the end of the file.
    """
    wrong = set()
    before: FilePart | None = None
    for part in parts:
        if before and before.file == part.file and ends.get(before) != part.start:
            wrong.add(part.file)
        before = part
    return frozenset(wrong)


def _parts(file: int, path: Path, size: int) -> Iterator[FilePart]:
    try:
        with path.open("rb") as opened:
            # What a file decompresses to cannot be read from the middle.
            is_whole = is_compressed(opened.read(_HEAD))
        ranges = [] if is_whole else list(open_recording(path).chunks())
    except (OSError, UsageError, UnreadableRecordingError):
        ranges = []
    if len(ranges) < 2:  # noqa: PLR2004 - nothing to split
        yield FilePart(file)
        return
    start = ranges[0][0]
    for _, end in ranges:
        if end - start >= size or end == ranges[-1][1]:
            yield FilePart(file, start, end)
            start = end
