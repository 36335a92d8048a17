"""Items that must age, by the clock or by waiting."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from airworthy.errors import TargetError
from airworthy.target.ageing import AgedItem, Ageing, ClockProbe, NotAgedError
from airworthy.target.clock import TargetClock, Times


@dataclass
class Time:
    """A clock whose time passes only in `pause`."""

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
    lines: list[str] = []
    started: list[str] = []

    def start(name: str) -> str:
        started.append(name)
        return name

    items = {"late": AgedItem(lambda: start("late"), 60), "early": AgedItem(lambda: start("early"), 20)}
    ageing = _ageing(time, items)
    ageing.show_progress = lines.append
    ageing.begin()
    assert started == ["late", "early"]
    time.now += 15

    assert ageing.aged("early") == "early"
    assert sum(time.pauses) == 5
    assert ageing.aged("late") == "late"
    assert ageing.aged("late") == "late"

    assert sum(time.pauses) == 45
    assert lines[0] == "waiting 5 s for early (45 s in total)"
    assert lines[5] == "waiting 40 s for late"
    assert [(aged.what, aged.how) for aged in ageing.log] == [("early", "waited"), ("late", "waited")]


def test_item_beyond_max_wait_is_not_created_or_if_its_age_is_optional_used_at_once() -> None:
    time = Time()
    started: list[int] = []
    items = {
        "old": AgedItem(lambda: started.append(1), 1830),
        "changed": AgedItem(lambda: "booking", 7344, required=False),
        "almost": AgedItem(lambda: "offer", 50),
    }
    ageing = _ageing(time, items, max_wait=60)
    ageing.begin()
    with pytest.raises(NotAgedError, match="old: takes 30 min 30 s; --max-wait is 1 min"):
        ageing.aged("old")
    assert ageing.aged("changed") == "booking"
    assert not started
    assert not time.pauses
    assert [(aged.what, aged.how) for aged in ageing.log] == [("old", "cut"), ("changed", "cut")]

    ageing.aged("almost")
    with pytest.raises(NotAgedError, match="almost: takes 1 min 10 s; --max-wait is 1 min"):
        ageing.age_further("almost", 70)


def test_items_that_are_too_old_are_created_again_and_awaited_together() -> None:
    time = Time()
    started: list[str] = []

    def start(name: str) -> int:
        started.append(name)
        return len(started)

    items = {name: AgedItem(partial(start, name), 10, latest=12) for name in ("one", "two", "three")}
    ageing = _ageing(time, items)
    ageing.begin()
    time.now += 11
    assert ageing.aged("one") == 1
    time.now += 20
    assert [ageing.aged("two"), ageing.aged("three")] == [4, 5]
    assert started == ["one", "two", "three", "two", "three"]
    assert sum(time.pauses) == 10


def test_wait_that_ends_too_late_is_an_error() -> None:
    time = Time()
    ageing = _ageing(time, {"almost": AgedItem(lambda: "x", 10, latest=11)})
    ageing.pause = lambda seconds: time.pause(seconds + 5)
    with pytest.raises(NotAgedError, match="too late"):
        ageing.aged("almost")


def test_item_that_cannot_be_created_raises_its_error_on_use() -> None:
    def broken() -> object:
        raise ValueError("no offer")

    ageing = _ageing(Time(), {"x": AgedItem(broken, 1)})
    ageing.begin()
    with pytest.raises(ValueError, match="no offer"):
        ageing.aged("x")


@pytest.mark.parametrize("may_pass_days", [True, False])
def test_item_over_midnight_is_created_on_the_day_before_once_the_clock_is_proven(may_pass_days: bool) -> None:
    clock = TargetClock(lambda _: None)
    items = {
        "first": AgedItem(clock.now, 60),
        "over midnight": AgedItem(clock.now, 300, over_midnight=True),
        "new": AgedItem(clock.now, 300, over_midnight=True),
    }
    ageing = _ageing(Time(), items, clock)
    ageing.may_pass_days = lambda: may_pass_days
    ageing.aged("first")
    for name in ("over midnight", "new"):
        created = ageing.aged(name)
        assert isinstance(created, datetime)
        assert (clock.now() - created).total_seconds() == pytest.approx(300, abs=1)
        if may_pass_days:
            assert clock.now().date() == created.date() + timedelta(days=1)
    aged = [each.what for each in ageing.log]
    assert aged == ["first", *["a time before midnight"] * may_pass_days, "over midnight", "new"]


def test_movable_clock_is_advanced_instead_of_waiting() -> None:
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


def test_item_grows_older_after_its_use() -> None:
    time = Time()
    moves: list[float] = []
    for clock in (TargetClock(), TargetClock(moves.append)):
        ageing = _ageing(time, {"almost": AgedItem(lambda: "offer", 1700, 1750)}, clock)
        ageing.begin()
        assert ageing.aged("almost") == "offer"
        ageing.age_further("almost", 1830)

    assert sum(time.pauses) == 1830
    assert moves == [1700, 130]


class FaultyClock:
    """A clock that moves by a multiple of the requested time, or raises.

    ``shows``: what shows the target's time: the response to "GET" or "POST", or to the creation of a "resource".
    """

    def __init__(self, *moves: float | str, shows: str = "GET") -> None:
        self.moves, self.shows = list(moves), shows
        self.now = 0.0
        self.requested: list[float] = []

    def advance(self, seconds: float) -> Times:
        self.requested.append(seconds)
        factor = self.moves.pop(0) if len(self.moves) > 1 else self.moves[0]
        if isinstance(factor, str):
            raise TargetError(factor)
        self.now += factor * seconds
        return self.times("POST")

    def times(self, shown_by: str) -> Times:
        """Return the real time as of a gateway, and the target's time if it is shown there."""
        now = datetime.now(UTC)
        own = {"its time": now + timedelta(seconds=self.now)} if shown_by == self.shows else {}
        return {"the Date header": now} | own

    def read(self) -> Times:
        return self.times("GET")


def _ageing_by(clock: FaultyClock, max_wait: float | None = None, *, can_expire: bool = True) -> tuple[Time, Ageing]:
    """Return the ageing of items whose value is a function that returns their age at the target."""

    def start() -> Callable[[], float]:
        created = clock.now
        return lambda: clock.now - created

    def create() -> tuple[Callable[[], float], Times]:
        return start(), clock.times("resource")

    def is_alive(created: tuple[Callable[[], float], Times]) -> bool:
        return created[0]() < 1800

    items = {"old": AgedItem(start, 1854), "almost": AgedItem(start, 1710, 1782)}
    probe = ClockProbe(create, lambda created: created[1], is_alive if can_expire else None, 1800, 1800)
    time = Time()
    target_clock = TargetClock(clock.advance, read=clock.read)
    return time, Ageing(target_clock, items, max_wait, [probe], pause=time.pause, monotonic=time.monotonic)


@pytest.mark.parametrize(
    ("faulty", "why"),
    [
        (FaultyClock("the clock failed"), "the clock failed"),
        (FaultyClock(0.0), r"accepted a move of 1854 s, but its time moved by 0\.0 s"),
        (FaultyClock(0.9), r"accepted a move of 1854 s, but its time moved by 1668\.6 s"),
        (FaultyClock(2.0), r"accepted a move of 1854 s, but its time moved by 3708\.0 s"),
        *(
            (FaultyClock(factor, shows=shows), r"the Date header moved by 0\.0 s; let GET on .* return {\"now\": ")
            for factor in (0.0, 0.9, 2.0)
            for shows in ("POST", "resource", "")
        ),
    ],
)
def test_clock_that_does_not_move_correctly_is_not_used(faulty: FaultyClock, why: str) -> None:
    time, ageing = _ageing_by(faulty)
    for name in ("old", "almost", "old"):
        expected = rf"^{name}: the target's clock cannot be used \(.*{why}.*\); or set --max-wait to wait instead$"
        with pytest.raises(NotAgedError, match=expected):
            ageing.aged(name)
    assert not time.pauses
    assert {(each.what, each.how) for each in ageing.log} == {("old", "cut"), ("almost", "cut")}
    assert all(each.why in str(ageing.clock_problem) for each in ageing.log)


def test_items_are_waited_for_if_the_clock_fails_and_the_user_allows_it() -> None:
    time, ageing = _ageing_by(FaultyClock(0.0), 1800)
    assert ageing.aged("almost")
    assert 1700 < sum(time.pauses) < 1720
    assert [(each.what, each.how, bool(each.why)) for each in ageing.log] == [("almost", "waited", True)]
    with pytest.raises(NotAgedError, match="cannot be used"):
        ageing.aged("old")


@pytest.mark.parametrize(("shows", "can_expire"), [("GET", False), ("POST", False), ("resource", False), ("", True)])
@pytest.mark.parametrize("failures", [[], ["no"]])
def test_clock_is_used_if_anything_shows_that_it_moves(shows: str, can_expire: bool, failures: list[str]) -> None:
    faulty = FaultyClock(*failures, 1.0, shows=shows)
    _, ageing = _ageing_by(faulty, can_expire=can_expire)
    for name, item in ageing.items.items():
        age = ageing.aged(name)
        assert callable(age)
        assert age() == item.due
    moved = ageing.clock.now() - datetime.now(UTC)
    assert moved == pytest.approx(timedelta(seconds=faulty.now), abs=timedelta(seconds=1))
    assert {each.how for each in ageing.log} == {"clock"}


def test_clock_is_not_used_if_no_resource_can_expire() -> None:
    _, ageing = _ageing_by(FaultyClock(1.0, shows=""), can_expire=False)
    with pytest.raises(NotAgedError, match="cannot be used"):
        ageing.aged("old")
