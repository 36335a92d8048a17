from dataclasses import dataclass, field
from functools import partial

import pytest

from airworthy.target.ageing import AgedItem, Ageing, NotAgedError
from airworthy.target.clock import TargetClock


@dataclass
class Time:
    """A time that passes only in `pause`."""

    now: float = 1000.0
    pauses: list[float] = field(default_factory=list)

    def pause(self, seconds: float) -> None:
        self.now += seconds
        self.pauses.append(seconds)

    def monotonic(self) -> float:
        return self.now


def _ageing(
    time: Time, items: dict[str, AgedItem], clock: TargetClock | None = None, max_wait: float | None = None
) -> Ageing:
    return Ageing(clock or TargetClock(), items, max_wait, pause=time.pause, monotonic=time.monotonic)


def test_without_a_clock_every_item_is_created_first_and_awaited_once() -> None:
    time = Time()
    said: list[str] = []
    started: list[str] = []

    def start(name: str) -> str:
        started.append(name)
        return name

    items = {"late": AgedItem(lambda: start("late"), 60), "early": AgedItem(lambda: start("early"), 20)}
    ageing = _ageing(time, items)
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


def test_an_item_beyond_max_wait_is_not_created() -> None:
    time = Time()
    started: list[int] = []
    ageing = _ageing(time, {"old": AgedItem(lambda: started.append(1), 1830)}, max_wait=60)
    ageing.begin()
    with pytest.raises(NotAgedError, match="old: takes 30 min 30 s; --max-wait is 1 min"):
        ageing.aged("old")
    assert not started
    assert not time.pauses
    assert ageing.log[0].way == "cut"


def test_an_item_that_is_too_old_is_created_again() -> None:
    time = Time()
    made = iter(["first", "second"])
    ageing = _ageing(time, {"almost": AgedItem(lambda: next(made), 10, latest=12)})
    ageing.begin()
    time.now += 13
    assert ageing.aged("almost") == "second"
    assert sum(time.pauses) == 10


def test_items_that_are_too_old_are_awaited_together() -> None:
    time = Time()
    started: list[str] = []
    items = {name: AgedItem(partial(started.append, name), 10, latest=12) for name in ("one", "two", "three")}
    ageing = _ageing(time, items)
    ageing.begin()
    time.now += 11
    ageing.aged("one")
    time.now += 20
    ageing.aged("two")
    ageing.aged("three")
    assert started == ["one", "two", "three", "two", "three"]
    assert sum(time.pauses) == 10


def test_a_wait_that_ends_too_late_is_an_error() -> None:
    time = Time()
    ageing = _ageing(time, {"almost": AgedItem(lambda: "x", 10, latest=11)})
    ageing.pause = lambda seconds: time.pause(seconds + 5)
    with pytest.raises(NotAgedError, match="too late"):
        ageing.aged("almost")


def test_an_item_that_cannot_be_created_raises_its_error_on_use() -> None:
    def broken() -> object:
        raise ValueError("no offer")

    ageing = _ageing(Time(), {"x": AgedItem(broken, 1)})
    ageing.begin()
    with pytest.raises(ValueError, match="no offer"):
        ageing.aged("x")


def test_a_movable_clock_is_advanced_instead_of_waiting() -> None:
    time = Time()
    moves: list[float] = []
    clock = TargetClock(moves.append)
    made = iter(range(9))
    ageing = _ageing(
        time, {"old": AgedItem(lambda: next(made), 1830), "almost": AgedItem(lambda: next(made), 1700, 1750)}, clock
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


def test_an_item_that_need_not_have_its_age_is_used_without_a_wait_beyond_max_wait() -> None:
    time = Time()
    ageing = _ageing(time, {"changed": AgedItem(lambda: "booking", 7344, required=False)}, max_wait=60)
    ageing.begin()

    assert ageing.aged("changed") == "booking"
    assert not time.pauses
    assert [(aged.what, aged.way) for aged in ageing.log] == [("changed", "cut")]
