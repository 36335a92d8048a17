"""The request rate of a run, bounded over all its threads and, if it has several, over all its processes."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Final

_TURNS_SECONDS: Final = 60.0


class RateLimiter:
    """Bounds the request rate over all threads: ``rate`` requests per second, or no limit if it is None."""

    def __init__(self, rate: float | None, pause: Callable[[float], None] = time.sleep) -> None:
        self._gap = 1 / rate if rate else 0.0
        self._free_at = 0.0
        self._lock = threading.Lock()
        self._pause = pause

    def wait(self) -> None:
        """Block until the next request may be sent."""
        if not self._gap:
            return
        with self._lock:
            now = time.monotonic()
            mine = self._reserve(now)
        if mine > now:
            self._pause(mine - now)

    def _reserve(self, now: float) -> float:
        """Return when the next request may be sent."""
        mine = max(now, self._free_at)
        self._free_at = mine + self._gap
        return mine

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the right to send a request and its retries. A single process always holds it."""
        yield

    def throttled(self) -> None:
        """Note that the target throttles."""


class SharedRateLimiter(RateLimiter):
    """Bounds the request rate over all processes of a run, which share the state in ``folder``.

    Several processes send more requests per second than one, and may exceed a limit of the target that one would not.
    So for a minute after a throttled response, the processes send one request at a time.
    """

    def __init__(self, rate: float | None, folder: Path, pause: Callable[[float], None] = time.sleep) -> None:
        super().__init__(rate, pause)
        self._state = folder / "rate"
        self._turn_file = folder / "turn"
        self._throttled = folder / "throttled"
        self._turn_lock = threading.Lock()
        self._turn: TextIOWrapper | None = None
        self._sending = 0

    def _reserve(self, now: float) -> float:
        with _locked(self._state) as state:
            state.seek(0)
            # All processes of a machine have the same monotonic clock.
            self._free_at = float(state.read() or 0)
            mine = super()._reserve(now)
            state.truncate(0)
            state.write(str(self._free_at))
        return mine

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the right to send a request and its retries. The threads of a process hold it together."""
        if not self._is_throttled():
            yield
            return
        with self._turn_lock:
            self._turn = self._turn or _locked(self._turn_file)
            self._sending += 1
        try:
            yield
        finally:
            with self._turn_lock:
                self._sending -= 1
                if self._turn and not self._sending:
                    self._turn.close()
                    self._turn = None

    def throttled(self) -> None:
        """Let the processes take turns for a minute."""
        self._throttled.touch()

    def _is_throttled(self) -> bool:
        try:
            return time.time() - self._throttled.stat().st_mtime < _TURNS_SECONDS
        except FileNotFoundError:
            return False


def _locked(path: Path) -> TextIOWrapper:
    """Return a file that is locked against other processes until it is closed."""
    import fcntl  # noqa: PLC0415  not available on Windows, where a run has one process

    file = path.open("a+")
    fcntl.flock(file, fcntl.LOCK_EX)
    return file
