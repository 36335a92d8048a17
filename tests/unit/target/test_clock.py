"""The target's clock, alone and shared by processes."""

import fcntl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from airworthy.errors import TargetError
from airworthy.target.client import Client
from airworthy.target.clock import TargetClock, clock_control

from .servers import Serve, response


def test_advanced_clock_returns_the_time_of_the_target() -> None:
    clock = TargetClock(lambda _: None)
    clock.advance(1800)
    before = datetime.now(UTC)
    assert before <= clock.now() - timedelta(seconds=1800) <= datetime.now(UTC)
    assert clock.generation == 1


@pytest.mark.parametrize("latency", [0.0, 0.02, 0.7, 5.0])
def test_move_is_confirmed_however_long_requests_take(monkeypatch: pytest.MonkeyPatch, latency: float) -> None:
    real, moved = 0.0, 0.0

    def read() -> dict[str, datetime]:
        nonlocal real
        # The worst case: the target reads its clock early in the first request, and late in the second one.
        real += latency if moved else 0.0
        shown = datetime(2026, 11, 22, 8, 0, 0, 123_456, UTC) + timedelta(seconds=real + moved)
        real += 0.0 if moved else latency
        return {"its time 'now'": shown}

    def advance(seconds: float) -> None:
        nonlocal real, moved
        real += latency
        moved += seconds

    monkeypatch.setattr("airworthy.target.clock.time.monotonic", lambda: real)
    clock = TargetClock(advance, read=read)
    clock.advance(1854.0)
    assert moved == 1854.0
    assert clock.generation == 1


@pytest.mark.parametrize(
    ("days_apart", "is_adopted"),
    [
        ({"its time 'now'": 400, "the Date header": 0}, True),
        ({"the Date header": -3}, True),
        ({"the Date header": 0.5}, True),
        ({"the Date header": 0.0005}, False),
        ({"its time 'created'": 400}, False),
        ({}, False),
    ],
)
def test_another_time_is_adopted(days_apart: dict[str, float], is_adopted: bool) -> None:
    shown = {source: datetime.now(UTC) + timedelta(days=days) for source, days in days_apart.items()}
    clock = TargetClock(lambda _: None, read=lambda: shown)
    clock.adopt()
    expected = next(iter(shown.values())) if is_adopted else datetime.now(UTC)
    assert abs(clock.now() - expected) < timedelta(minutes=1)


def test_fixed_clock_cannot_be_advanced() -> None:
    assert not TargetClock().movable
    with pytest.raises(TargetError, match="advance_url"):
        TargetClock().advance(1)


def test_clock_is_advanced_over_http(serve: Serve) -> None:
    replies = iter([response(b"{}"), response(b"", "404 Not Found")])
    server = serve(lambda connection, _: connection.sendall(next(replies)))
    clock = TargetClock(clock_control(Client(f"{server.base_url}/clock", ca_bundle=server.ca_bundle)))
    clock.advance(60)
    assert server.requests[0].startswith(b"POST /clock HTTP/1.1")
    assert server.requests[0].endswith(b'{"seconds": 60}')

    rejected = r"\[clock\] advance_url .*/clock: expected a 2xx status code, actual status code 404"
    with pytest.raises(TargetError, match=rejected):
        clock.advance(60)
    assert clock.generation == 1


def test_shared_clock_is_advanced_for_all_processes(tmp_path: Path) -> None:
    first, second = (TargetClock(lambda _: None, tmp_path / "run.clock") for _ in range(2))
    with first.locked(moving=True):
        first.advance(1800)

    with second.locked(moving=False):
        assert second.generation == 1
        assert second.now() - datetime.now(UTC) > timedelta(seconds=1700)


def test_shared_clock_is_locked_exclusively_only_to_advance_it(tmp_path: Path) -> None:
    clock = TargetClock(lambda _: None, tmp_path / "run.clock")
    with (tmp_path / "run.lock").open("a") as lock:
        with clock.locked(moving=True), pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        with clock.locked(moving=False):
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            with pytest.raises(RuntimeError, match="@ages"):
                clock.advance(1)
