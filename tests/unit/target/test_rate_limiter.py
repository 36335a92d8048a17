"""The request rate, of one process and of several."""

import math
import time
from pathlib import Path

import pytest

from airworthy.target.rate_limiter import Pace, RateLimiter


@pytest.mark.parametrize("processes", [1, 2])
def test_request_rate_is_limited_over_all_processes(tmp_path: Path, processes: int) -> None:
    pauses: list[float] = []
    shared = tmp_path if processes > 1 else None
    limiters = [RateLimiter(2, pauses.append, shared) for _ in range(processes)]
    started = time.monotonic()
    for number in range(4):
        limiters[number % processes].wait()
    elapsed = time.monotonic() - started
    assert len(pauses) == 3
    # The clock runs on while the requests are made.
    assert all(due - elapsed <= pause <= due + 1e-6 for due, pause in zip((0.5, 1.0, 1.5), pauses, strict=True))


@pytest.mark.parametrize("limit", [1.0, 5.0, 50.0])
def test_rate_follows_the_limit_of_the_target(limit: float) -> None:
    pace, now, tokens, throttled, requests = Pace(), 100.0, 1.0, 0, 1000
    for _ in range(requests):
        sent = pace.reserve(now, math.inf)
        tokens = min(1.0, tokens + (sent - now + 0.01) * limit)
        now = sent + 0.01
        if tokens < 1:
            pace.cut(now)
            throttled += 1
        else:
            tokens -= 1

    accepted = (requests - throttled) / (now - 100)
    assert 0.5 * limit < accepted <= limit + 0.1


def test_rate_grows_again_until_it_is_unlimited() -> None:
    pace = Pace()
    pace.cut(100.0)
    assert pace.rate == 10.0
    pace.cut(100.5)
    assert pace.rate == 10.0
    pace.reserve(100.5, math.inf)
    assert pace.rate == 15.0
    pace.reserve(120.0, math.inf)
    assert pace.rate == 0.0


@pytest.mark.parametrize("processes", [1, 2])
def test_throttled_response_slows_all_processes_down(tmp_path: Path, processes: int) -> None:
    limiters = [RateLimiter(None, shared=tmp_path) for _ in range(processes)]
    limiters[0].throttled()
    with limiters[-1]._state() as pace:
        assert pace.rate == 10.0
