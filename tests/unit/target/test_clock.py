import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from airworthy.errors import TargetError
from airworthy.target.client import Client
from airworthy.target.clock import Clock, advance_by

from .servers import Serve, answer


def test_a_moved_clock_shows_the_targets_time() -> None:
    clock = Clock(lambda _: None)
    clock.advance(1800)
    assert abs(clock.now() - datetime.now(UTC) - timedelta(seconds=1800)) < timedelta(seconds=1)
    assert clock.generation == 1


def test_a_clock_that_cannot_be_moved_says_so() -> None:
    assert not Clock().movable
    with pytest.raises(TargetError, match="advance_url"):
        Clock().advance(1)


def test_the_clock_is_moved_over_http(serve: Serve) -> None:
    server = serve(lambda connection, _: connection.sendall(answer(b"{}")))
    Clock(advance_by(Client(f"{server.base_url}/clock", ca_bundle=server.ca_bundle))).advance(60)
    assert server.requests[0].startswith(b"POST /clock HTTP/1.1")
    assert server.requests[0].endswith(b'{"seconds": 60}')


def test_a_target_that_does_not_move_its_clock_is_an_error(serve: Serve) -> None:
    server = serve(lambda connection, _: connection.sendall(answer(b"", "404 Not Found")))
    clock = Clock(advance_by(Client(f"{server.base_url}/clock", ca_bundle=server.ca_bundle)))
    with pytest.raises(TargetError, match=r"clock.advance_url .*/clock: expected a success, came 404"):
        clock.advance(60)
    assert clock.generation == 0


def test_a_shared_clock_is_moved_for_all_and_by_one_at_a_time(tmp_path: Path) -> None:
    mine, other = (Clock(lambda _: None, tmp_path / "run.clock") for _ in range(2))
    entered = threading.Event()

    def use() -> None:
        with other.held(moving=False):
            entered.set()

    with mine.held(moving=True):
        user = threading.Thread(target=use)
        user.start()
        mine.advance(1800)
        assert not entered.wait(0.1)
    user.join(5)

    assert entered.is_set()
    assert other.generation == 1
    assert abs(other.now() - mine.now()) < timedelta(seconds=1)


def test_a_scenario_that_moves_a_shared_clock_has_to_say_so(tmp_path: Path) -> None:
    clock = Clock(lambda _: None, tmp_path / "run.clock")
    with clock.held(moving=False), pytest.raises(RuntimeError, match="@ages"):
        clock.advance(1)
