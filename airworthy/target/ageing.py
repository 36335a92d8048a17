"""Items that must have an age, such as an expired offer: created first, then aged by the clock or by waiting.

A clock is not used if it fails or if nothing shows that it moves. Otherwise a service could fail because of its clock.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from airworthy.errors import AirworthyError
from airworthy.target.clock import ClockError, TargetClock, Times, shows_move
from airworthy.target.records import How, Wait

Resource = TypeVar("Resource")


class NotAgedError(AirworthyError):
    """An item is not available at the required age: the wait is too long, or the item is already too old."""


@dataclass(frozen=True, slots=True)
class AgedItem:
    """An item with an age, such as "an offer stored more than 30 minutes ago".

    ``start`` creates it. It is used ``due`` seconds later and, if ``latest`` is set, before ``latest`` seconds. An item
    that is not ``required`` to have its age is used early if the wait would be too long. With a clock, midnight (UTC)
    is in the middle of its age if it is ``over_midnight``. ``description`` names it in messages and reports.
    """

    start: Callable[[], object]
    due: float
    latest: float | None = None
    required: bool = True
    over_midnight: bool = False
    description: str = ""


@dataclass(frozen=True, slots=True)
class ClockProbe(Generic[Resource]):
    """A kind of resource that shows whether the target's clock moves, even if the clock itself shows no time.

    ``start`` creates a resource, and ``times`` returns the times in the response to its creation. A resource exists for
    at least ``least`` seconds and has expired after ``most``; ``is_alive`` returns whether it exists, and may delete
    it. It is None if that cannot be told.
    """

    start: Callable[[], Resource]
    times: Callable[[Resource], Times]
    is_alive: Callable[[Resource], bool] | None
    least: float
    most: float


# The parts of its lifetime at which a resource must still exist, and must have expired.
_ALIVE, _EXPIRED = 0.95, 1.03
MINUTE, DAY = 60.0, 86_400.0
"""The seconds of a minute and of a day."""


@dataclass(slots=True)
class _Started:
    value: object = None
    error: Exception | None = None
    at: float = 0.0
    generation: int = 0
    is_used: bool = False


@dataclass
class Ageing:
    """Creates items and returns them at their age.

    With a movable clock, an item is created on first use, and the clock is advanced. Otherwise `begin` creates all
    items, and `aged` waits for the remaining time. An item that needs more than ``max_wait`` seconds is not created,
    unless it is not required to have its age.

    A clock is used as long as the target's own time or one of ``probes`` shows that it moves correctly. If none does,
    the items are created again and waited for, but only if ``max_wait`` is set and long enough, because a user with a
    clock does not expect to wait. ``show_progress`` receives a message about once a second. ``may_pass_days``: whether
    the clock may be advanced by a day, although no item needs it.
    """

    clock: TargetClock
    items: Mapping[str, AgedItem]
    max_wait: float | None = None
    probes: Sequence[ClockProbe[Any]] = ()
    show_progress: Callable[[str], None] = lambda _: None
    pause: Callable[[float], None] = time.sleep
    monotonic: Callable[[], float] = time.monotonic
    may_pass_days: Callable[[], bool] = lambda: True
    log: list[Wait] = field(default_factory=list)
    clock_problem: str = ""
    _started: dict[str, _Started] = field(default_factory=dict)
    _has_repeated: bool = False

    @property
    def advances(self) -> bool:
        """Whether items age by the target's clock."""
        return self.clock.movable and not self.clock_problem

    @property
    def is_clock_proven(self) -> bool:
        """Whether the target's clock has been advanced, and has shown that it moves."""
        return self.advances and any(record.how == "clock" for record in self.log)

    def begin(self) -> None:
        """Create every item that has to be waited for. Do nothing if the clock can be advanced."""
        if self.advances:
            return
        for name, item in self.items.items():
            if not item.required or not self._exceeds_max_wait(item):
                self._start(name)

    def aged(self, name: str) -> object:
        """Return an item at its age; the same one every time, unless it has become too old.

        Raises:
            NotAgedError: the wait is longer than ``max_wait``, or ended after the item's latest second.
        """
        item = self.items[name]
        is_cut = self._exceeds_max_wait(item)
        if is_cut and item.required:
            self._note(self._description(name), item.due, "cut")
            raise NotAgedError(self._too_long(name, item))
        started = self._started.get(name)
        is_new = started is None or self._is_too_old(item, started)
        if started is None or is_new:
            if item.over_midnight:
                self.pass_time("a time before midnight", (self.clock.until_midnight() - item.due / 2) % DAY)
            started = self._start(name)
            self._restart_unused()
        started.is_used = True
        if started.error:
            raise started.error
        if is_cut:
            self._note(self._description(name), item.due, "cut")
        elif not self.advances:
            self._wait(name, item, started)
        elif is_new:
            try:
                self.clock.advance(item.due)
            except ClockError as error:
                return self._aged_after_clock_error(name, error)
            started.generation = self.clock.generation
            self._note(self._description(name), item.due, "clock")
        return started.value

    def age_further(self, name: str, due: float) -> None:
        """Let an item that `aged` returned grow older, until ``due`` seconds after it was created.

        Raises:
            NotAgedError: the wait is longer than ``max_wait``, or the clock failed.
        """
        item = replace(self.items[name], due=due, latest=None)
        if self._exceeds_max_wait(item):
            raise NotAgedError(self._too_long(name, item))
        if not self.advances:
            self._wait(name, item, self._started[name])
            return
        try:
            self.clock.advance(due - self.items[name].due)
        except ClockError as error:
            raise NotAgedError(f"{self._description(name)}: {error}") from error

    def pass_time(self, what: str, seconds: float) -> None:
        """Let ``what`` grow older by up to a day, if the clock has been advanced before: nobody waits for that."""
        if self.is_clock_proven and self.may_pass_days():
            with suppress(ClockError):
                self.clock.advance(seconds)
                self._note(what, seconds, "clock")

    def _aged_after_clock_error(self, name: str, error: ClockError) -> object:
        """Return an item at its age after the clock failed: by the clock if a probe confirms it, else by waiting."""
        # The age of the items created so far is unknown.
        self._started.clear()
        is_repeated = not error.accepted and not self._has_repeated
        self._has_repeated = True
        if not is_repeated and not (error.accepted and self._is_confirmed(error.accepted)):
            self.clock_problem = str(error)
            self.begin()
        return self.aged(name)

    def _is_confirmed(self, accepted: float) -> bool:
        """Return whether a probe confirms that the clock moves. If one does, trust the clock from now on.

        ``accepted`` is the number of seconds that the clock accepted without showing that it moved.
        """

        def advance(seconds: float) -> bool:
            nonlocal accepted
            try:
                self.clock.advance(seconds)
            except ClockError as error:
                accepted += error.accepted
                return False
            return True

        for probe in self.probes:
            # A probe that fails confirms nothing.
            with suppress(Exception):
                if self._confirms(probe, advance):
                    self.clock.trust(accepted)
                    return True
        return False

    def _confirms(self, probe: ClockProbe[Any], advance: Callable[[float], bool]) -> bool:
        """Return whether resources show that ``advance`` works: by their times, or by expiring when they should.

        ``advance`` returns whether the clock itself shows it, as it does from the second response with a time.
        """
        began = self.monotonic()
        lasting, expiring = probe.start(), probe.start()
        moved = _ALIVE * probe.least
        if advance(moved):
            return True
        before, after = probe.times(lasting), probe.times(probe.start())
        if shows_move(before, after, self.monotonic() - began, moved):
            return True
        if probe.is_alive is None or not probe.is_alive(lasting):
            return False
        advance(_EXPIRED * probe.most - moved)
        return not probe.is_alive(expiring)

    def _description(self, name: str) -> str:
        return self.items[name].description or name

    def _too_long(self, name: str, item: AgedItem) -> str:
        what = self._description(name)
        if self.clock_problem:
            limit = "" if self.max_wait else "; or set --max-wait to wait instead"
            return f"{what}: the target's clock cannot be used ({self.clock_problem}){limit}"
        return f"{what}: takes {duration(item.due)}; --max-wait is {duration(self.max_wait or 0)}"

    def _restart_unused(self) -> None:
        """Create again every unused item that became too old, so that one wait serves all of them."""
        if self.advances:
            return
        for name, started in list(self._started.items()):
            if not started.is_used and self._is_too_old(self.items[name], started):
                self._start(name)

    def _is_too_old(self, item: AgedItem, started: _Started) -> bool:
        if item.latest is None:
            return False
        if self.advances:
            return started.generation != self.clock.generation
        return self.monotonic() > started.at + item.latest

    def _exceeds_max_wait(self, item: AgedItem) -> bool:
        if self.clock_problem:
            return item.due > (self.max_wait or 0.0)
        return not self.advances and self.max_wait is not None and item.due > self.max_wait

    def _start(self, name: str) -> _Started:
        started = _Started()
        try:
            started.value = self.items[name].start()
        except Exception as error:  # noqa: BLE001  raised again in the scenario that uses the item
            started.error = error
        started.at = self.monotonic()
        self._started[name] = started
        return started

    def _wait(self, name: str, item: AgedItem, started: _Started) -> None:
        due = started.at + item.due
        waited = 0.0
        while (left := due - self.monotonic()) > 0:
            total = max(left, self._longest_wait())
            in_total = f" ({duration(total)} in total)" if total > left + 1 else ""
            self.show_progress(f"waiting {duration(left)} for {self._description(name)}{in_total}")
            step = min(left, 1.0)
            self.pause(step)
            waited += step
        if item.latest is not None and self.monotonic() > started.at + item.latest:
            self._note(self._description(name), item.due, "cut")
            raise NotAgedError(
                f"{self._description(name)}: the wait ended too late, after more than {duration(item.latest)}"
            )
        self._note(self._description(name), waited, "waited")

    def _longest_wait(self) -> float:
        """Return the seconds until every item that was created and not used yet has its age."""
        started = ((self.items[name], started) for name, started in self._started.items())
        unused = ((item, each.at) for item, each in started if not (each.is_used or each.error))
        dues = (at + item.due for item, at in unused if not self._exceeds_max_wait(item))
        return max(dues, default=0.0) - self.monotonic()

    def _note(self, what: str, seconds: float, how: How) -> None:
        if not any(record.what == what for record in self.log):
            self.log.append(Wait(what, seconds, how, self.clock_problem))


def duration(seconds: float) -> str:
    """Return a duration for people: 45 s, 30 min 54 s, 2 h 2 min."""
    hours, rest = divmod(math.ceil(seconds), 3600)
    parts = ((hours, "h"), (rest // 60, "min"), (0 if hours else rest % 60, "s"))
    return " ".join(f"{number} {unit}" for number, unit in parts if number) or "0 s"


def about(seconds: float) -> str:
    """Return an estimated duration for people, rounded up to minutes if it is longer than one: about 31 min."""
    return f"about {duration(seconds if seconds < MINUTE else math.ceil(seconds / MINUTE) * MINUTE)}"
