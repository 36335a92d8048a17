"""Create files and folders that only their owner can read: those of a run show the traffic of a service."""

import contextlib
import errno
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from airworthy.errors import UsageError

if sys.platform != "win32":
    import fcntl


def owner_only(path: str, flags: int) -> int:
    """Open a file for `open`, as its ``opener``; a new file is readable by its owner only."""
    return os.open(path, flags, 0o600)


@contextlib.contextmanager
def written_completely(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes its place at the end of the block, and not if the block fails. Raises OSError."""
    temporary = path.with_name(f".{path.name}")
    try:
        with open(temporary, "wb", opener=owner_only) as file:
            yield file
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_completely(path: Path, content: bytes) -> None:
    """Write a file completely or not at all. Raises OSError."""
    with written_completely(path) as file:
        file.write(content)


def opened_output(path: Path) -> contextlib.AbstractContextManager[BinaryIO]:
    """Open a file that a user names, which is written completely or not at all. Raises OSError."""
    # A pipe or a device, such as /dev/stdout, cannot be replaced.
    if path.is_symlink() or (path.exists() and not path.is_file()):
        return open(path, "wb", opener=owner_only)
    return written_completely(path)


def make_folder(path: Path) -> None:
    """Make a folder that only its owner can read, with its parents.

    An existing folder keeps its mode, and parents have the usual mode.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def require_writable_file(path: Path) -> None:
    """Create a file, if it does not exist, to find out early whether it can be written. Raises OSError."""
    with open(path, "ab", opener=owner_only):
        pass


def require_writable_folder(path: Path) -> None:
    """Make a folder, if it does not exist, to find out early whether files can be written to it. Raises OSError."""
    if path.exists() and not path.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    make_folder(path)
    with tempfile.TemporaryFile(dir=path):
        pass


@contextlib.contextmanager
def file_lock(descriptor: int, *, shared: bool = False) -> Iterator[None]:
    """Lock an open file against other processes, except on Windows, where a run has one process."""
    if sys.platform == "win32":
        yield
    else:
        fcntl.flock(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(descriptor, fcntl.LOCK_UN)


def temporary_folder() -> Path:
    """Return the folder for temporary files.

    Raises:
        UsageError: there is none, as in a container whose file system is read-only.
    """
    try:
        return Path(tempfile.gettempdir())
    except FileNotFoundError as error:
        raise UsageError(f"{error.strerror}; mount a folder or set TMPDIR") from None
