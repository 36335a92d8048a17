"""Things that must age before they can be checked: aged by moving the clock, or started first and waited for."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from airworthy.errors import AirworthyError
from airworthy.target.clock import Clock

Way = Literal["clock", "waited", "cut"]


class NotDue(AirworthyError):  # noqa: N818  it is no error
    """The thing could not be had at its age: the wait would be too long, or its time has passed."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something with an age, such as "an offer stored more than 30 minutes ago".

    ``start`` makes it. It is looked at ``due`` seconds later, and (where ``latest`` is set) before ``latest`` seconds.
    """

    start: Callable[[], object]
    due: float
    latest: float | None = None


@dataclass(frozen=True, slots=True)
class Aged:
    """How a thing came to its age: by the clock, by so many seconds of waiting, or not (``cut``)."""

    what: str
    seconds: float
    way: Way


@dataclass(slots=True)
class _Started:
    made: object = None
    error: Exception | None = None
    at: float = 0.0
    generation: int = 0
    given: bool = False


@dataclass
class Ageing:
    """Gives things at their age.

    Where the clock can be moved, a thing is started when it is first asked for, and the clock moved. Where not,
    `begin` starts all of them, and `aged` waits for what is left. A thing that takes more than ``max_wait`` seconds
    is not started; ``say`` is told, about once a second, what is waited for.
    """

    clock: Clock
    things: Mapping[str, Thing]
    max_wait: float | None = None
    say: Callable[[str], None] = lambda _: None
    pause: Callable[[float], None] = time.sleep
    monotonic: Callable[[], float] = time.monotonic
    log: list[Aged] = field(default_factory=list)
    _started: dict[str, _Started] = field(default_factory=dict)

    def begin(self) -> None:
        """Start everything that has to be waited for; nothing where the clock can be moved."""
        if self.clock.movable:
            return
        for name, thing in self.things.items():
            if not self._cut(thing):
                self._start(name)

    def aged(self, name: str) -> object:
        """Return a thing at its age, the same one however often it is asked for.

        Raises:
            NotDue: the wait is longer than ``max_wait``, or it ended past the thing's latest second.
        """
        thing = self.things[name]
        if self._cut(thing):
            self._note(name, thing.due, "cut")
            raise NotDue(f"{name}: takes {_seconds(thing.due)}; --max-wait is {_seconds(self.max_wait or 0)}")
        started = self._started.get(name)
        fresh = started is None or self._left_behind(thing, started)
        if started is None or fresh:
            started = self._start(name)
            self._start_again_beside()
        started.given = True
        if started.error:
            raise started.error
        if not self.clock.movable:
            self._wait(name, thing, started)
        elif fresh:
            self.clock.advance(thing.due)
            started.generation = self.clock.generation
            self._note(name, thing.due, "clock")
        return started.made

    def _start_again_beside(self) -> None:
        """Start once more what nobody has looked at in time, so that all of it is waited for at once."""
        if self.clock.movable:
            return
        for name, started in list(self._started.items()):
            if not started.given and self._left_behind(self.things[name], started):
                self._start(name)

    def _left_behind(self, thing: Thing, started: _Started) -> bool:
        """Whether a thing is older by now than it may be: it is then started once more."""
        if thing.latest is None:
            return False
        if self.clock.movable:
            return started.generation != self.clock.generation
        return self.monotonic() > started.at + thing.latest

    def _cut(self, thing: Thing) -> bool:
        return not self.clock.movable and self.max_wait is not None and thing.due > self.max_wait

    def _start(self, name: str) -> _Started:
        started = _Started()
        try:
            started.made = self.things[name].start()
        except Exception as error:  # noqa: BLE001  whatever it was, it is raised to the scenario that asks for the thing
            started.error = error
        started.at = self.monotonic()
        self._started[name] = started
        return started

    def _wait(self, name: str, thing: Thing, started: _Started) -> None:
        due = started.at + thing.due
        waited = 0.0
        while (left := due - self.monotonic()) > 0:
            self.say(f"waiting {_seconds(left)} for {name}")
            step = min(left, 1.0)
            self.pause(step)
            waited += step
        if thing.latest is not None and self.monotonic() > started.at + thing.latest:
            self._note(name, thing.due, "cut")
            raise NotDue(f"{name}: the wait for it ended too late, after {_seconds(thing.latest)}")
        self._note(name, waited, "waited")

    def _note(self, name: str, seconds: float, way: Way) -> None:
        if not any(aged.what == name for aged in self.log):
            self.log.append(Aged(name, seconds, way))


def _seconds(seconds: float) -> str:
    """Return a time for people: 45 s, 30 min 54 s, 2 h 2 min."""
    hours, rest = divmod(math.ceil(seconds), 3600)
    parts = ((hours, "h"), (rest // 60, "min"), (0 if hours else rest % 60, "s"))
    return " ".join(f"{number} {unit}" for number, unit in parts if number) or "0 s"
