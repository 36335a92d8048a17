"""The target's clock, which the suite can advance if the profile has ``clock.advance_url``.

Several processes may examine one target, and advancing its clock affects all of them. So every scenario holds a file
lock: a shared lock, or an exclusive one if it advances the clock.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from airworthy.errors import TargetError
from airworthy.target.client import Client

_SUCCESS = range(200, 300)


class TargetClock:
    """The target's clock.

    Args:
        advance_by: advances the clock by a number of seconds; None if it cannot be moved.
        shared: a file for the state of the clock, shared by all processes of the run; None for a single process.

    ``generation`` counts how often the clock was advanced.
    """

    def __init__(self, advance_by: Callable[[float], None] | None = None, shared: Path | None = None) -> None:
        self._advance_by = advance_by
        self._shared = shared if advance_by else None
        self._offset = 0.0
        self._may_move = shared is None
        self.generation = 0

    @property
    def movable(self) -> bool:
        """Whether the clock can be advanced; otherwise the suite has to wait."""
        return self._advance_by is not None

    def now(self) -> datetime:
        """Return the target's time (UTC): this machine's time plus what the suite advanced."""
        return datetime.now(UTC) + timedelta(seconds=self._offset)

    def advance(self, seconds: float) -> None:
        """Advance the clock.

        Raises:
            TargetError: the target has no movable clock, or does not advance it.
            RuntimeError: the scenario did not declare that it advances a shared clock.
        """
        if self._advance_by is None:
            raise TargetError("the target's clock cannot be advanced: the profile has no [clock] advance_url")
        if self._shared and not self._may_move:
            raise RuntimeError("a scenario that advances the clock must be tagged @ages")
        self._advance_by(seconds)
        self._offset += seconds
        self.generation += 1
        if self._shared:
            self._shared.write_text(json.dumps({"moved": self._offset, "generation": self.generation}))

    @contextmanager
    def held(self, moving: bool) -> Iterator[None]:
        """Keep other processes from advancing the clock, or from using it if this one is ``moving`` it."""
        if self._shared is None:
            yield
            return
        import fcntl  # noqa: PLC0415  not available on Windows, where a run has one process

        with self._shared.with_suffix(".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX if moving else fcntl.LOCK_SH)
            self._read()
            self._may_move = moving
            try:
                yield
            finally:
                self._may_move = False

    def _read(self) -> None:
        if self._shared and self._shared.exists():
            state = json.loads(self._shared.read_text())
            self._offset, self.generation = state["moved"], state["generation"]


def clock_control(client: Client) -> Callable[[float], None]:
    """Return a function that advances a clock with ``POST`` and ``{"seconds": n}`` to the client's base URL."""

    def advance(seconds: float) -> None:
        response = client.send("POST", "", json={"seconds": seconds}).response
        if response is None or response.status not in _SUCCESS:
            actual = f"status code {response.status}" if response else "no response"
            raise TargetError(f"[clock] advance_url {client.base_url}: expected a 2xx status code, actual {actual}")

    return advance
