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
from pathlib import Path

from airworthy.contract.http.exchange import SUCCESSES, Exchange, date_header
from airworthy.errors import AirworthyError, TargetError
from airworthy.private_files import file_lock
from airworthy.target.client import Client

_CLIENT_ERROR = range(400, 500)
_DATE = "the Date header"
_NOW = "its time 'now'"
_A_DAY = timedelta(days=1)
# The clock of a target that is as far from this machine's may have another midnight.
_APART = timedelta(minutes=1)
_REMEDY = 'let GET on [clock] advance_url return {"now": "2030-01-31T12:00:00Z"}, the current time of the target'
# Numbers that are a time between 2001 and 2286: seconds, or milliseconds, since 1970.
_EPOCH_SECONDS = range(10**9, 10**10)
_MILLISECONDS = 1000

Times = Mapping[str, datetime]
"""The times that a target shows, by source, such as the Date header."""


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
        advance_by: advances the clock by a number of seconds, and may return the times in the response; None if the
            clock cannot be moved.
        shared: a file for the state of the clock, shared by all processes of the run; None for a single process.
        read: returns the target's time by source, for each source that can be read. Without it, the clock is trusted.

    ``generation`` counts the attempts to advance the clock. ``is_trusted``: the clock is known to move, so a
    move that no source shows is not an error.
    """

    def __init__(
        self,
        advance_by: Callable[[float], Times | None] | None = None,
        shared: Path | None = None,
        read: Callable[[], Times] | None = None,
    ) -> None:
        self._advance_by = advance_by
        # The times in the latest response to a request that advances the clock, and when that request was sent.
        self._responded: tuple[float, Times] = (0.0, {})
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
        """Return the target's time (UTC): this machine's, unless it was adopted, and what the suite advanced it by."""
        return datetime.now(UTC) + timedelta(seconds=self._offset)

    def until_midnight(self) -> float:
        """Return the seconds until the next midnight (UTC) of the target."""
        now = self.now()
        return (datetime.combine(now.date() + _A_DAY, datetime.min.time(), UTC) - now).total_seconds()

    def adopt(self) -> None:
        """Begin with the time that the target shows, if it is not about that of this machine, as in a simulation."""
        times, here = self._read_time(), datetime.now(UTC)
        apart = times.get(_NOW, times.get(_DATE, here)) - here
        self._offset = apart.total_seconds() if abs(apart) >= _APART else 0.0

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
        failure, (earlier, responded) = "", self._responded
        requested = time.monotonic()
        try:
            self._responded = requested, self._advance_by(seconds) or {}
        except ClockError:
            raise
        except AirworthyError as error:
            # The clock may have moved despite the failure.
            failure = str(error)
            self._responded = requested, {}
        after, now = self._read_time(), time.monotonic()
        moves = [*_moves(before, after, now - began), *_moves(responded, self._responded[1], now - earlier)]
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
        with self._shared.with_suffix(".lock").open("a") as lock, file_lock(lock.fileno(), shared=not moving):
            if self._shared.exists():
                state = json.loads(self._shared.read_text())
                self._offset, self.generation = state["moved"], state["generation"]
            self._may_move = moving
            try:
                yield
            finally:
                self._may_move = False


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


def shows_move(before: Times, after: Times, elapsed: float, seconds: float) -> bool:
    """Return whether a source shows a move by ``seconds``, apart from the ``elapsed`` seconds of real time."""
    return any(move.is_about(seconds) for move in _moves(before, after, elapsed))


def _moves(before: Times, after: Times, elapsed: float) -> list[_Move]:
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
    accepted = f"the clock accepted a move of {seconds:g} s, but"
    if not moves:
        return f"{accepted} the target shows no time that would confirm it; {_REMEDY}"
    # A gateway in front of the target may set the Date header.
    own = [each for each in moves if each.source != _DATE]
    move = max(own or moves, key=lambda each: each.seconds)
    return f"{accepted} {move.source} moved by {move.seconds:.1f} s" + ("" if own else f"; {_REMEDY}")


def clock_control(client: Client) -> Callable[[float], Times]:
    """Return a function that advances a clock with ``POST`` and ``{"seconds": n}`` to the client's base URL.

    It returns the times in the response.
    """

    def advance(seconds: float) -> Times:
        exchange = client.send("POST", "", json={"seconds": seconds})
        response = exchange.response
        if response is None or response.status not in SUCCESSES:
            actual = f"status code {response.status}" if response else "no response"
            problem = f"[clock] advance_url {client.base_url}: expected a 2xx status code, actual {actual}"
            # After a 4xx status code the clock has not moved; after any other failure, it may have.
            raise ClockError(problem) if response and response.status in _CLIENT_ERROR else TargetError(problem)
        return shown_times(exchange)

    return advance


def clock_reader(client: Client) -> Callable[[], Times]:
    """Return a function that reads the target's time with ``GET`` at the client's base URL, as far as it can."""

    def read() -> Times:
        try:
            return shown_times(client.send("GET", ""))
        except AirworthyError:
            return {}

    return read


def shown_times(exchange: Exchange) -> Times:
    """Return the times in a response: the Date header, and the members of a JSON object and of its children."""
    response = exchange.response
    if response is None:
        return {}
    found: dict[str, datetime] = {}
    if dated := date_header(response.headers):
        found[_DATE] = dated
    with suppress(ValueError, RecursionError):
        for name, value in _members(json.loads(response.body or b"")):
            if shown := _moment(value):
                found.setdefault(f"its time '{name[:30]}'", shown)
    return found


def _members(document: object) -> Iterator[tuple[str, object]]:
    """Yield the members of an object, of the objects in it, and of those in its arrays."""
    own = document.items() if isinstance(document, dict) else ()
    yield from own
    for _, value in own:
        for child in value if isinstance(value, list) else (value,):
            yield from child.items() if isinstance(child, dict) else ()


def _moment(value: object) -> datetime | None:
    with suppress(ValueError, OverflowError):
        if isinstance(value, int | float):
            seconds = value / _MILLISECONDS if value > _EPOCH_SECONDS.stop else value
            return datetime.fromtimestamp(seconds, UTC) if int(seconds) in _EPOCH_SECONDS else None
        if isinstance(value, str) and len(value) >= len("YYYY-MM-DDTHH:MM"):
            shown = datetime.fromisoformat(value)
            return shown.replace(tzinfo=shown.tzinfo or UTC).astimezone(UTC)
    return None
