from dataclasses import dataclass, field
from functools import partial

import pytest

from airworthy.target.ageing import Ageing, NotDue, Thing
from airworthy.target.clock import Clock


@dataclass
class Time:
    """A time that passes only by being waited for."""

    now: float = 1000.0
    pauses: list[float] = field(default_factory=list)

    def pause(self, seconds: float) -> None:
        self.now += seconds
        self.pauses.append(seconds)

    def monotonic(self) -> float:
        return self.now


def _ageing(time: Time, things: dict[str, Thing], clock: Clock | None = None, max_wait: float | None = None) -> Ageing:
    return Ageing(clock or Clock(), things, max_wait, pause=time.pause, monotonic=time.monotonic)


def test_without_a_clock_everything_starts_first_and_is_waited_for_once() -> None:
    time = Time()
    said: list[str] = []
    started: list[str] = []

    def start(name: str) -> str:
        started.append(name)
        return name

    things = {"late": Thing(lambda: start("late"), 60), "early": Thing(lambda: start("early"), 20)}
    ageing = _ageing(time, things)
    ageing.say = said.append
    ageing.begin()
    assert started == ["late", "early"]
    time.now += 15

    assert ageing.aged("early") == "early"
    assert sum(time.pauses) == 5
    assert ageing.aged("late") == "late"
    assert ageing.aged("late") == "late"

    assert sum(time.pauses) == 45
    assert said[0] == "waiting 5 s for early"
    assert said[5] == "waiting 40 s for late"
    assert [(aged.what, aged.way) for aged in ageing.log] == [("early", "waited"), ("late", "waited")]


def test_a_wait_that_is_too_long_is_cut_and_never_started() -> None:
    time = Time()
    started: list[int] = []
    ageing = _ageing(time, {"old": Thing(lambda: started.append(1), 1830)}, max_wait=60)
    ageing.begin()
    with pytest.raises(NotDue, match="old: takes 30 min 30 s; --max-wait is 1 min"):
        ageing.aged("old")
    assert not started
    assert not time.pauses
    assert ageing.log[0].way == "cut"


def test_what_is_past_its_latest_second_is_started_once_more() -> None:
    time = Time()
    made = iter(["first", "second"])
    ageing = _ageing(time, {"almost": Thing(lambda: next(made), 10, latest=12)})
    ageing.begin()
    time.now += 13
    assert ageing.aged("almost") == "second"
    assert sum(time.pauses) == 10


def test_what_was_missed_together_is_waited_for_together() -> None:
    time = Time()
    started: list[str] = []
    things = {name: Thing(partial(started.append, name), 10, latest=12) for name in ("one", "two", "three")}
    ageing = _ageing(time, things)
    ageing.begin()
    time.now += 11
    ageing.aged("one")
    time.now += 20
    ageing.aged("two")
    ageing.aged("three")
    assert started == ["one", "two", "three", "two", "three"]
    assert sum(time.pauses) == 10


def test_a_wait_that_ends_too_late_is_no_wait() -> None:
    time = Time()
    ageing = _ageing(time, {"almost": Thing(lambda: "x", 10, latest=11)})
    ageing.pause = lambda seconds: time.pause(seconds + 5)
    with pytest.raises(NotDue, match="too late"):
        ageing.aged("almost")


def test_what_could_not_be_started_fails_who_asks_for_it() -> None:
    def broken() -> object:
        raise ValueError("no offer")

    ageing = _ageing(Time(), {"x": Thing(broken, 1)})
    ageing.begin()
    with pytest.raises(ValueError, match="no offer"):
        ageing.aged("x")


def test_a_clock_is_moved_instead_of_waiting() -> None:
    time = Time()
    moves: list[float] = []
    clock = Clock(moves.append)
    made = iter(range(9))
    ageing = _ageing(
        time, {"old": Thing(lambda: next(made), 1830), "almost": Thing(lambda: next(made), 1700, 1750)}, clock
    )
    ageing.begin()

    assert ageing.aged("old") == 0
    assert ageing.aged("old") == 0
    assert ageing.aged("almost") == 1
    assert moves == [1830, 1700]
    assert not time.pauses
    assert clock.generation == 2
    clock.advance(100)
    assert ageing.aged("old") == 0
    assert ageing.aged("almost") == 2
