"""The request rate, of one process and of several."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from airworthy.target.rate_limiter import RateLimiter, SharedRateLimiter

Limiter = Callable[[float | None, Callable[[float], None]], RateLimiter]


@pytest.mark.parametrize("processes", [1, 2])
def test_request_rate_is_limited_over_all_processes(tmp_path: Path, processes: int) -> None:
    pauses: list[float] = []
    limiters = (
        [SharedRateLimiter(2, tmp_path, pauses.append) for _ in range(processes)]
        if processes > 1
        else [RateLimiter(2, pauses.append)]
    )
    for number in range(4):
        limiters[number % processes].wait()
    assert [round(pause, 1) for pause in pauses] == [0.5, 1.0, 1.5]


def test_processes_take_turns_for_a_while_after_the_target_throttled_one_of_them(tmp_path: Path) -> None:
    first, second = (SharedRateLimiter(None, tmp_path) for _ in range(2))

    def is_free() -> bool:
        with (tmp_path / "turn").open("a") as turn:
            try:
                fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

    with first.turn():
        assert is_free()
    first.throttled()
    with second.turn():
        assert not is_free()
        # Threads of one process send at the same moment.
        with second.turn():
            assert not is_free()
        assert not is_free()
    assert is_free()

    os.utime(tmp_path / "throttled", (0, 0))
    with second.turn():
        assert is_free()
