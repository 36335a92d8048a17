"""Write evidence into a folder: files that are closed by age or size, in one hash chain for each writer.

A writer has a name of its own, such as ``edge-1-9f3c2a7b``. It appends to ``NAME-00000001.jsonl.open``. A closed file
is compressed and appears, complete, as ``NAME-00000001.jsonl.zst``; the first line of the next one follows its last
line. Its hidden file ``.NAME.chain`` has the number of the next file and the hash that it follows, and is locked as
long as the writer runs. A writer that starts takes over a name that no other one uses, and closes what was left open
under it.
"""

import contextlib
import os
import re
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

from airworthy.errors import UsageError
from airworthy.evidence.chain import START, ChainedFile, LineMaker
from airworthy.evidence.compression import compress
from airworthy.private_files import make_folder, owner_only

if sys.platform != "win32":
    import fcntl

_NAME: Final = re.compile(
    r"(?P<writer>\w[\w.-]*-[0-9a-f]{8})-(?P<number>[0-9]{8})\.jsonl\.(?P<state>open|zst)", re.ASCII
)
_STATE: Final = re.compile(rb"([0-9]{8}) ([0-9a-f]{64})\n")
_LONGEST_STATE: Final = 100
_LONGEST_HOST: Final = 63
_DURATION: Final = re.compile(r"([0-9]{1,6})(s|m|h)")
_SIZE: Final = re.compile(r"([0-9]{1,6})(KB|MB|GB)")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600}
_BYTES: Final = {"KB": 10**3, "MB": 10**6, "GB": 10**9}
LONGEST_AGE: Final = 24 * 3600
LARGEST_SIZE: Final = 10**9
"""So that every reader decompresses the file; see `airworthy.evidence.compression.LARGEST`."""


@dataclass(frozen=True, slots=True)
class Rotation:
    """When a file is closed: ``seconds`` after its first line, or at ``size`` bytes before compression."""

    seconds: int = 300
    size: int = 64 * 10**6


class RotatedName(NamedTuple):
    """The parts of the name of a rotated file. A file that is not closed is ``open``."""

    writer: str
    number: int
    is_open: bool = False

    def __str__(self) -> str:
        return f"{self.writer}-{self.number:08d}.jsonl.{'open' if self.is_open else 'zst'}"


def rotated_name(path: Path) -> RotatedName | None:
    """Return the parts of the name of a rotated file; None if the file is called otherwise."""
    found = _NAME.fullmatch(path.name)
    return RotatedName(found["writer"], int(found["number"]), found["state"] == "open") if found else None


class RecordedEnd(NamedTuple):
    """The end of a chain according to its hidden file: its folder, the number of the next file, and the last hash."""

    folder: Path
    next: int
    last_hash: str


def recorded_ends(folder: Path) -> dict[str, RecordedEnd]:
    """Return the ends of the chains in a folder and its subfolders, by writer."""
    ends: dict[str, RecordedEnd] = {}
    for path in sorted(folder.rglob(".*.chain")):
        writer = path.name.removeprefix(".").removesuffix(".chain")
        with contextlib.suppress(OSError):
            if found := _STATE.fullmatch(path.read_bytes()[:_LONGEST_STATE]):
                ends[writer] = RecordedEnd(path.parent, int(found[1]), found[2].decode())
    return ends


def duration(value: str) -> int | None:
    """Return the seconds of a duration such as ``30s``, ``5m`` or ``1h``; None if the value is something else."""
    found = _DURATION.fullmatch(value)
    return int(found[1]) * _SECONDS[found[2]] if found else None


def parse_rotation(values: Iterable[str]) -> Rotation:
    """Return when files are closed: durations such as ``5m`` and sizes such as ``64MB`` replace the defaults.

    Raises `UsageError` if a value is neither; the message does not name the option.
    """
    rotation = Rotation()
    for value in values:
        if (seconds := duration(value)) is not None:
            rotation = replace(rotation, seconds=seconds)
        elif found := _SIZE.fullmatch(value):
            rotation = replace(rotation, size=int(found[1]) * _BYTES[found[2]])
        else:
            raise UsageError(f"expected a duration such as 30s, 5m or 1h, or a size such as 64MB, got {value!r}")
        if not (1 <= rotation.seconds <= LONGEST_AGE and 1 <= rotation.size <= LARGEST_SIZE):
            raise UsageError(f"expected 1s to 24h, or 1KB to 1GB, got {value!r}")
    return rotation


class RotatedFiles:
    """Writes a chain of evidence into a folder. Thread-safe; several processes may use one folder.

    A thread closes files by age and compresses closed ones. A file that cannot be compressed, such as on a full disk,
    stays open, and is compressed when the next one is closed. ``clock`` returns seconds.

    Raises:
        OSError: the folder cannot be written to, or does not support locks.
        UsageError: a file that was left open contains something else.
    """

    def __init__(
        self, folder: Path, rotation: Rotation | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        make_folder(folder)
        self._folder, self._rotation, self._clock = folder, rotation or Rotation(), clock
        self._name = _reserve(folder)
        self._number, self._previous = self._name.settle(folder)
        self._file: ChainedFile | None = None
        self._begun = 0.0
        # Notified when a file has been begun or ended, and at the end.
        self._changed = threading.Condition()
        self._has_ended_file, self._is_closing = True, False
        self._thread = threading.Thread(target=self._close_files, name="evidence", daemon=True)
        self._thread.start()

    @property
    def writer(self) -> str:
        """The name with which the files begin."""
        return self._name.writer

    def append(self, make_line: LineMaker) -> None:
        """Append a line. Raises OSError if it could not be written completely."""
        with self._changed:
            self._end_old_file()
            if self._file is None:
                path = self._folder / str(RotatedName(self.writer, self._number, is_open=True))
                self._file = ChainedFile(path, self._previous)
                self._begun = self._clock()
                self._changed.notify()
            self._file.append(make_line)
            if self._file.size() >= self._rotation.size:
                self._end_file()

    def close(self) -> None:
        """Close the last file, and wait until everything is compressed."""
        with self._changed:
            if self._is_closing:
                return
            self._end_file()
            self._is_closing = True
            self._changed.notify()
        self._thread.join()
        if self._file:
            self._file.close()
        self._name.release()

    def _end_old_file(self) -> None:
        if self._seconds_left() == 0:
            self._end_file()

    def _end_file(self) -> None:
        """End the current file; on a full disk, it is continued."""
        if self._file is None:
            return
        self._begun = self._clock()
        with contextlib.suppress(OSError):
            previous = self._file.last_hash()
            if not self._file.size():
                return
            self._name.write(self._number + 1, previous)
            self._file.close()
            self._file = None
            self._number, self._previous = self._number + 1, previous
            self._has_ended_file = True
            self._changed.notify()

    def _seconds_left(self) -> float | None:
        """Return the seconds until the current file has to be closed, or None if there is none."""
        return max(0.0, self._begun + self._rotation.seconds - self._clock()) if self._file else None

    def _close_files(self) -> None:
        is_closing = False
        while not is_closing:
            with self._changed:
                if not (self._has_ended_file or self._is_closing):
                    self._changed.wait(self._seconds_left())
                self._end_old_file()
                is_closing, must_compress = self._is_closing, self._has_ended_file
                self._has_ended_file = False
                number = self._number
            if must_compress:
                _compress(self._folder, self.writer, number)


class _Writer:
    """The name of a writer, reserved by the lock on its hidden file."""

    def __init__(self, path: Path) -> None:
        self.writer = path.name.removeprefix(".").removesuffix(".chain")
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def lock(self) -> bool:
        """Reserve the name, and return whether no other process had reserved it."""
        if sys.platform == "win32":
            raise UsageError("a folder for evidence requires Linux or macOS")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def read(self) -> tuple[int, str] | None:
        """Return the number of the next file and the hash that it follows; None if they are unknown."""
        found = _STATE.fullmatch(os.pread(self._file, _LONGEST_STATE, 0))
        return (int(found[1]), found[2].decode()) if found else None

    def write(self, number: int, previous: str) -> None:
        """Set the number of the next file and the hash that it follows. Raises OSError."""
        os.pwrite(self._file, f"{number:08d} {previous}\n".encode(), 0)
        os.fsync(self._file)

    def settle(self, folder: Path) -> tuple[int, str]:
        """Return the number of the next file and the hash that it follows, after the files that were left open."""
        number, previous = self.read() or (1, START)
        for name in _open_files(folder, self.writer):
            with contextlib.closing(ChainedFile(folder / str(name), previous)) as file:
                last, is_empty = file.last_hash(), not file.size()
            if is_empty:
                (folder / str(name)).unlink()
            elif name.number >= number:
                number, previous = name.number + 1, last
        self.write(number, previous)
        return number, previous

    def release(self) -> None:
        """Leave the name to others."""
        os.close(self._file)


def _reserve(folder: Path) -> _Writer:
    """Reserve a name of this host that no writer uses, or a new one. Those left by other processes are settled."""
    host = re.sub(r"\W+", "-", socket.gethostname(), flags=re.ASCII).strip("-")[:_LONGEST_HOST] or "proxy"
    reserved: _Writer | None = None
    for path in sorted(folder.glob(f".{host}-????????.chain")):
        left = _Writer(path)
        if not left.lock() or left.read() is None:
            left.release()
        elif reserved is None:
            reserved = left
        else:
            number, _ = left.settle(folder)
            _compress(folder, left.writer, number)
            left.release()
    while reserved is None:
        new = _Writer(folder / f".{host}-{secrets.token_hex(4)}.chain")
        # Another process that starts at the same time may take over the new name at once.
        if new.lock():
            new.write(1, START)
            reserved = new
        else:
            new.release()
    return reserved


def _open_files(folder: Path, writer: str) -> Iterator[RotatedName]:
    names = map(rotated_name, folder.glob(f"{writer}-*.open"))
    return iter(sorted(name for name in names if name and name.writer == writer))


def _compress(folder: Path, writer: str, end: int) -> None:
    for name in _open_files(folder, writer):
        if name.number < end:
            with contextlib.suppress(OSError):
                _compress_file(folder / str(name), folder / str(name._replace(is_open=False)))


def _compress_file(path: Path, closed: Path) -> None:
    temporary = closed.with_name(f".{closed.name}")
    # A killed process may have left both.
    if not closed.exists():
        with path.open("rb") as source, open(temporary, "wb", opener=owner_only) as target:
            compress(source, target)
            target.flush()
            os.fsync(target.fileno())
        temporary.replace(closed)
    path.unlink()
