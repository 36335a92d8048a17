"""The clock of the sandbox, which clients can move forward."""

import threading
from datetime import UTC, datetime, timedelta

MAX_MOVE = timedelta(days=366)


class SandboxClock:
    """A clock that can be moved forward, so that a test need not wait until an offer expires."""

    def __init__(self) -> None:
        self._moved = timedelta()
        self._lock = threading.Lock()

    def now(self) -> datetime:
        """Return the current time of the sandbox (aware, UTC)."""
        return datetime.now(UTC) + self._moved

    def advance(self, seconds: float) -> None:
        """Move the clock forward.

        Raises ValueError unless ``seconds`` is between 0 and a year; moving back would revive expired offers.
        """
        if not 0 <= seconds <= MAX_MOVE.total_seconds():
            raise ValueError("seconds must be a number from 0 to 31622400")
        with self._lock:
            self._moved = min(self._moved + timedelta(seconds=seconds), 10 * MAX_MOVE)

    @property
    def moved(self) -> float:
        """The total number of seconds by which the clock was moved."""
        return self._moved.total_seconds()
