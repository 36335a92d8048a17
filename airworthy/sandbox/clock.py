"""The sandbox's time: the real clock, plus what was added to it by hand."""

import threading
from datetime import UTC, datetime, timedelta

LONGEST_MOVE = timedelta(days=366)


class SandboxClock:
    """A clock that runs like the real one and can be moved forward, so that nobody waits 30 minutes for an offer."""

    def __init__(self) -> None:
        self._moved = timedelta()
        self._lock = threading.Lock()

    def now(self) -> datetime:
        """Return the sandbox's time (aware, UTC)."""
        return datetime.now(UTC) + self._moved

    def advance(self, seconds: float) -> datetime:
        """Move the clock forward and return the new time.

        Raises ValueError unless ``seconds`` is between 0 and what a year has: time that runs back would bring
        expired offers to life again.
        """
        move = timedelta(seconds=seconds) if 0 <= seconds <= LONGEST_MOVE.total_seconds() else None
        if move is None:
            raise ValueError("seconds has to be a number from 0 to 31622400")
        with self._lock:
            self._moved = min(self._moved + move, 10 * LONGEST_MOVE)
        return self.now()

    @property
    def moved(self) -> float:
        """By how many seconds the clock was moved in all."""
        return self._moved.total_seconds()
