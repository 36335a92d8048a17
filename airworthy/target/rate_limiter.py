"""The request rate of a run, bounded over all its threads and, if it has several, over all its processes."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Final

from airworthy.private_files import file_lock

SLOWEST: Final = 1.0
_SECONDS_BETWEEN_CUTS: Final = 1.0
# Requests per second that the rate grows in a second: slowly enough for a limit, quickly enough for a burst.
_GROWTH: Final = 10.0
_UNLIMITED: Final = 200.0
_WEIGHT_OF_LAST: Final = 0.1


@dataclass
class Pace:
    """The state of a rate limiter; times are those of the monotonic clock, which all processes of a machine share.

    ``rate`` is the current limit in requests per second, 0 if the target has not throttled lately. ``interval`` is the
    usual time between two requests, ``cut_at`` when the rate was last halved.
    """

    free_at: float = 0.0
    rate: float = 0.0
    interval: float = 0.05
    cut_at: float = 0.0
    grown_at: float = 0.0

    def reserve(self, now: float, fastest: float) -> float:
        """Return when the next request may be sent, at most ``fastest`` per second."""
        if self.rate:
            self.rate += _GROWTH * (now - self.grown_at)
            self.grown_at = now
            if self.rate >= min(fastest, _UNLIMITED):
                self.rate = 0.0
        before = self.free_at
        mine = max(now, self.free_at)
        self.free_at = mine + 1 / min(fastest, self.rate or math.inf)
        self.interval += _WEIGHT_OF_LAST * (min(1.0, max(0.0, mine - before)) - self.interval)
        return mine

    def cut(self, now: float) -> None:
        """Halve the rate, at most once a second: requests that were sent together are throttled together."""
        if now - self.cut_at >= _SECONDS_BETWEEN_CUTS:
            self.rate = max(SLOWEST, (self.rate or 1 / max(self.interval, 1 / _UNLIMITED)) / 2)
            self.cut_at = self.grown_at = now


class RateLimiter:
    """Bounds the request rate over all threads, and over all processes that have the same folder ``shared``.

    It starts with ``rate`` requests per second, or no limit if it is None. Whenever the target throttles, the rate is
    halved, and then grows again.
    """

    def __init__(
        self, rate: float | None, pause: Callable[[float], None] = time.sleep, shared: Path | None = None
    ) -> None:
        self._fastest = rate or math.inf
        self._pause = pause
        self._lock = threading.Lock()
        self._pace = Pace()
        self._file = shared / "rate" if shared else None

    def wait(self) -> None:
        """Block until the next request may be sent."""
        with self._state() as pace:
            now = time.monotonic()
            mine = pace.reserve(now, self._fastest)
        if mine > now:
            self._pause(mine - now)

    def throttled(self) -> None:
        """Halve the rate because the target throttles."""
        with self._state() as pace:
            pace.cut(time.monotonic())

    @contextmanager
    def _state(self) -> Iterator[Pace]:
        with self._lock:
            if self._file is None:
                yield self._pace
                return
            with self._file.open("a+") as file, file_lock(file.fileno()):
                file.seek(0)
                pace = Pace(*map(float, file.read().split()))
                yield pace
                file.truncate(0)
                file.write(" ".join(map(repr, astuple(pace))))
                # Before the lock is released.
                file.flush()
