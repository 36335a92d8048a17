"""The target's time: moved where the profile gives a clock, else the time of day.

Where several processes examine one target, a clock that one of them moves is moved for all: each scenario holds a
lock meanwhile, shared by those that need the clock to stand still, exclusive for one that moves it.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from airworthy.errors import TargetError
from airworthy.target.client import Client

_SUCCESS = range(200, 300)


class Clock:
    """The target's clock.

    ``advance_by`` moves it by seconds (None: it cannot be moved). ``shared`` is a file that all processes of the run
    know (None: this process has the target for itself).
    """

    def __init__(self, advance_by: Callable[[float], None] | None = None, shared: Path | None = None) -> None:
        self._advance_by = advance_by
        self._shared = shared if advance_by else None
        self._moved = 0.0
        self._may_move = shared is None
        self.generation = 0

    @property
    def movable(self) -> bool:
        """Whether time can be made to pass; without that, it has to be waited for."""
        return self._advance_by is not None

    def now(self) -> datetime:
        """Return the target's time (UTC), as far as it is known here."""
        return datetime.now(UTC) + timedelta(seconds=self._moved)

    def advance(self, seconds: float) -> None:
        """Move the clock; what was made before is older now: ``generation`` counts the moves.

        Raises:
            TargetError: the target does not move its clock.
        """
        if self._advance_by is None:
            raise TargetError("the profile gives no clock that can be moved (clock.advance_url)")
        if self._shared and not self._may_move:
            raise RuntimeError("a scenario that moves the clock is tagged @ages")
        self._advance_by(seconds)
        self._moved += seconds
        self.generation += 1
        if self._shared:
            self._shared.write_text(json.dumps({"moved": self._moved, "generation": self.generation}))

    @contextmanager
    def held(self, moving: bool) -> Iterator[None]:
        """Keep the other processes from moving the clock or, where this one is ``moving`` it, from using it."""
        if self._shared is None:
            yield
            return
        import fcntl  # noqa: PLC0415  a system without it has one process only

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
            self._moved, self.generation = state["moved"], state["generation"]


def advance_by(client: Client) -> Callable[[float], None]:
    """Return what moves a clock by ``POST advance_url`` with ``{"seconds": n}``; the client's base is that URL."""

    def move(seconds: float) -> None:
        response = client.send("POST", "", json={"seconds": seconds}).response
        if response is None or response.status not in _SUCCESS:
            status = response.status if response else "nothing"
            raise TargetError(f"clock.advance_url {client.base_url}: expected a success, came {status}")

    return move
