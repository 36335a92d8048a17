"""Errors that end a command with one line and no traceback.

::

    AirworthyError          base class; exit code 4
     +-- UsageError         exit code 2: the user has to change an option, a profile or a file
     +-- TargetError        exit code 3: the target could not be examined (down, not TLS, key rejected)
     +-- StorageError       exit code 3: a file or the output could not be written (disk full), so it is incomplete
     +-- InterruptionError  exit code 3: Ctrl-C ended the command before it had a result
"""

import difflib
import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

_NO_SPACE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class AirworthyError(Exception):
    """Ends a command with one line and no traceback.

    The message says what is wrong, where (file, key, value) and what was expected. It never contains a secret.
    """

    exit_code = 4


class UsageError(AirworthyError):
    """An option, a profile or a file is wrong; the user has to change it."""

    exit_code = 2


class TargetError(AirworthyError):
    """The target could not be examined, so nothing is known about its conformance."""

    exit_code = 3


class StorageError(AirworthyError):
    """A file or the output could not be written, for example because the disk is full."""

    exit_code = 3


class InterruptionError(AirworthyError):
    """The user ended the command before it had a result."""

    exit_code = 3


def did_you_mean(name: str, known: Iterable[str], otherwise: str) -> str:
    """Return the advice for an unknown name: the known names that resemble it, or ``otherwise`` if none does."""
    *others, last = difflib.get_close_matches(name, list(known)) or [""]
    if not last:
        return otherwise
    return f"did you mean {', '.join(others)} or {last}?" if others else f"did you mean {last}?"


def unwritable(what: str, error: OSError) -> AirworthyError:
    """Return the error for a file that cannot be written: `StorageError` without space, else `UsageError`."""
    kind = StorageError if error.errno in _NO_SPACE else UsageError
    return kind(f"{what}: {error.strerror or error}")


@contextmanager
def reading(what: object) -> Iterator[None]:
    """Raise `UsageError` if something, such as the file at a path, cannot be read in the ``with`` block."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{what}: {error.strerror}") from None


@contextmanager
def writing(what: object) -> Iterator[None]:
    """Raise `StorageError` or `UsageError` if something cannot be written in the ``with`` block: see `unwritable`."""
    try:
        yield
    except OSError as error:
        raise unwritable(str(what), error) from None
