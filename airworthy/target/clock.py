"""The target's clock, which the suite can advance if the profile has ``clock.advance_url``.

Several processes may examine one target, and advancing its clock affects all of them. So every scenario holds a file
lock: a shared lock, or an exclusive one if it advances the clock.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

from airworthy.contract.exchange import header
from airworthy.errors import AirworthyError, TargetError
from airworthy.target.client import Client

_SUCCESS = range(200, 300)
_CLIENT_ERROR = range(400, 500)
_DATE = "the Date header"


class ClockError(TargetError):
    """The clock was not advanced by the requested time, or nothing shows that it was.

    ``accepted`` is the number of seconds that the target accepted without showing that its time moved by them; 0 if it
    rejected the request.
    """

    def __init__(self, message: str, accepted: float = 0.0) -> None:
        super().__init__(message)
        self.accepted = accepted


class TargetClock:
    """The target's clock.

    Args:
        advance_by: advances the clock by a number of seconds; None if it cannot be moved.
        shared: a file for the state of the clock, shared by all processes of the run; None for a single process.
        read: returns the target's time by source, for each source that can be read. Without it, the clock is trusted.

    ``generation`` counts the attempts to advance the clock. ``is_trusted``: the clock is known to move, so a
    move that no source shows is not an error.
    """

    def __init__(
        self,
        advance_by: Callable[[float], None] | None = None,
        shared: Path | None = None,
        read: Callable[[], Mapping[str, datetime]] | None = None,
    ) -> None:
        self._advance_by = advance_by
        self._read_time = read or dict
        self.is_trusted = read is None
        self._shared = shared if advance_by else None
        self._offset = 0.0
        self._may_move = shared is None
        self.generation = 0

    @property
    def movable(self) -> bool:
        """Whether the clock can be advanced. If not, the suite has to wait."""
        return self._advance_by is not None

    def now(self) -> datetime:
        """Return the target's time (UTC): this machine's time plus the seconds by which the suite advanced it."""
        return datetime.now(UTC) + timedelta(seconds=self._offset)

    def advance(self, seconds: float) -> None:
        """Advance the clock, and verify by the target's own time that it moved.

        Raises:
            TargetError: the target has no movable clock.
            ClockError: the target does not advance it, advances it by another time, or nothing shows that it did.
            RuntimeError: the scenario did not declare that it advances a shared clock.
        """
        if self._advance_by is None:
            raise TargetError("the target's clock cannot be advanced: the profile has no [clock] advance_url")
        if self._shared and not self._may_move:
            raise RuntimeError("a scenario that advances the clock must be tagged @ages")
        # The time between the two readings is at most the time from before the first until after the second.
        began = time.monotonic()
        before = self._read_time()
        failure = ""
        try:
            self._advance_by(seconds)
        except ClockError:
            raise
        except AirworthyError as error:
            # The clock may have moved despite the failure.
            failure = str(error)
        moves = _moves(before, self._read_time(), time.monotonic() - began)
        confirmed = any(move.is_about(seconds) for move in moves)
        known = max((move.seconds for move in moves), default=0.0)
        is_right = confirmed or (self.is_trusted and not failure)
        self._moved_by(seconds if is_right else known)
        if failure and not is_right:
            raise ClockError(failure)
        if not is_right:
            raise ClockError(_unconfirmed(seconds, moves), seconds - known)

    def trust(self, seconds: float) -> None:
        """Trust the clock from now on. It advanced by ``seconds``, which no source showed."""
        self.is_trusted = True
        self._moved_by(seconds)

    def _moved_by(self, seconds: float) -> None:
        self._offset += seconds
        self.generation += 1
        if self._shared:
            self._shared.write_text(json.dumps({"moved": self._offset, "generation": self.generation}))

    @contextmanager
    def locked(self, moving: bool) -> Iterator[None]:
        """Lock the clock: exclusively if this process is ``moving`` it, otherwise shared with processes that use it."""
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


@dataclass(frozen=True, slots=True)
class _Move:
    """How far the time of a source moved: between ``least`` and ``most`` seconds."""

    source: str
    least: float
    most: float

    @property
    def seconds(self) -> float:
        return max(0.0, (self.least + self.most) / 2)

    def is_about(self, seconds: float) -> bool:
        # A source that is less exact than the time that it should show proves nothing.
        return self.least <= seconds <= self.most and self.most - self.least < seconds


def _moves(before: Mapping[str, datetime], after: Mapping[str, datetime], elapsed: float) -> list[_Move]:
    """Return how far the time of each source was moved, apart from the ``elapsed`` seconds of real time."""
    moves = []
    for source, later in after.items():
        if source in before:
            passed = (later - before[source]).total_seconds()
            # A Date header has whole seconds, and a server may compute it once per second.
            resolution = 2.0 if source == _DATE else 0.01 if later.microsecond else 1.0
            moves.append(_Move(source, passed - elapsed - resolution, passed + resolution))
    return moves


def _unconfirmed(seconds: float, moves: Sequence[_Move]) -> str:
    if not moves:
        return f"the clock accepted a move of {seconds:g} s, but the target shows no time that would confirm it"
    move = max(moves, key=lambda each: each.seconds)
    return f"the clock accepted a move of {seconds:g} s, but {move.source} moved by {move.seconds:.1f} s"


def clock_control(client: Client) -> Callable[[float], None]:
    """Return a function that advances a clock with ``POST`` and ``{"seconds": n}`` to the client's base URL."""

    def advance(seconds: float) -> None:
        response = client.send("POST", "", json={"seconds": seconds}).response
        if response is None or response.status not in _SUCCESS:
            actual = f"status code {response.status}" if response else "no response"
            problem = f"[clock] advance_url {client.base_url}: expected a 2xx status code, actual {actual}"
            # After a 4xx status code the clock has not moved; after any other failure, it may have.
            raise ClockError(problem) if response and response.status in _CLIENT_ERROR else TargetError(problem)

    return advance


def clock_reader(client: Client) -> Callable[[], Mapping[str, datetime]]:
    """Return a function that reads the target's time with ``GET`` at the client's base URL.

    Its sources are the Date header and the members of a JSON object with a date and time. It returns what it can read.
    """

    def read() -> Mapping[str, datetime]:
        try:
            response = client.send("GET", "").response
        except AirworthyError:
            return {}
        if response is None:
            return {}
        found: dict[str, datetime] = {}
        with suppress(TypeError, ValueError):
            found[_DATE] = parsedate_to_datetime(header(response.headers, "Date") or "").astimezone(UTC)
        with suppress(ValueError, RecursionError):
            document = json.loads(response.body or b"")
            for name, value in document.items() if isinstance(document, dict) else ():
                if moment := _moment(value):
                    found[f"its time '{name[:30]}'"] = moment
        return found

    return read


def _moment(value: object) -> datetime | None:
    if not isinstance(value, str) or len(value) < len("YYYY-MM-DDTHH:MM"):
        return None
    try:
        moment = datetime.fromisoformat(value)
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
