"""Standard output that may become unwritable: a full disk, or a terminal that was closed."""

import contextlib
import io
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from airworthy.errors import StorageError


class _TolerantFile(io.FileIO):
    """A file that discards what can no longer be written, so that a run still writes its report."""

    error: OSError | None = None

    def write(self, data: Any, /) -> int:  # noqa: ANN401  any buffer
        """Write or discard bytes, and remember why they were discarded."""
        try:
            return super().write(data)
        except BrokenPipeError:
            # The reader has seen enough, as with `| head`.
            raise
        except OSError as error:
            self.error = error
            return memoryview(data).nbytes


@contextlib.contextmanager
def tolerant_output() -> Iterator[None]:
    """Let the block go on if standard output or standard error cannot be written.

    Raises `StorageError` if standard output could not be written completely.
    """
    standard = sys.stdout, sys.stderr
    out, sys.stdout = _tolerant(sys.stdout)
    _, sys.stderr = _tolerant(sys.stderr)
    ended: SystemExit | None = None
    try:
        yield
    except SystemExit as error:
        ended = error
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BrokenPipeError, ValueError):
                stream.flush()
        sys.stdout, sys.stderr = standard
    if out and out.error:
        raise StorageError(f"standard output: {out.error.strerror}")
    if ended:
        raise ended


def _tolerant(stream: TextIO) -> tuple[_TolerantFile | None, TextIO]:
    try:
        stream.flush()
        raw = _TolerantFile(stream.fileno(), "w", closefd=False)
    except (OSError, ValueError, AttributeError):
        # Not a file, as in tests, or closed.
        return None, stream
    # As Python opens standard output and standard error: with PYTHONUNBUFFERED, without any buffer.
    is_unbuffered = getattr(stream, "write_through", False)
    buffer: Any = raw if is_unbuffered else io.BufferedWriter(raw)
    line_buffering = getattr(stream, "line_buffering", False)
    text = io.TextIOWrapper(
        buffer, stream.encoding, stream.errors, line_buffering=line_buffering, write_through=is_unbuffered
    )
    return raw, text
