"""Signals that end a run."""

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from airworthy.suite.interrupts import IGNORED, Interrupts, signals_blocked


@pytest.fixture
def interrupts(ctrl_c: None) -> Iterator[Interrupts]:  # noqa: ARG001  its effect is wanted
    handled = Interrupts()
    handled.begin()
    yield handled
    handled.end()


def send(number: int) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("SIGINT", "the run was interrupted"),
        ("SIGTERM", "the run was ended by SIGTERM"),
        ("SIGHUP", "the run was ended by SIGHUP"),
    ],
)
@pytest.mark.usefixtures("ctrl_c")
def test_first_signal_interrupts_and_later_ones_are_answered_with_one_line(
    name: str, reason: str, capfd: pytest.CaptureFixture[str]
) -> None:
    interrupts = Interrupts(tells=True)
    interrupts.begin()
    with pytest.raises(KeyboardInterrupt) as caught:
        send(getattr(signal, name))
    assert (str(caught.value), capfd.readouterr().err) == (reason, "")

    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        send(each)
    interrupts.end()

    assert capfd.readouterr().err.split("\n") == ["", IGNORED, ""]


@pytest.mark.usefixtures("interrupts")
def test_signal_waits_for_the_end_of_the_block() -> None:
    done = []

    def work() -> None:
        with Interrupts.held():
            with Interrupts.held():
                send(signal.SIGTERM)
                done.append("inner")
            done.append("outer")

    with pytest.raises(KeyboardInterrupt, match="SIGTERM"):
        work()
    assert done == ["inner", "outer"]


@pytest.mark.usefixtures("interrupts")
def test_block_in_another_thread_holds_nothing() -> None:
    entered, left = threading.Event(), threading.Event()

    def work() -> None:
        with Interrupts.held():
            entered.set()
            left.wait()

    thread = threading.Thread(target=work)
    thread.start()
    entered.wait()
    try:
        with pytest.raises(KeyboardInterrupt):
            send(signal.SIGINT)
    finally:
        left.set()
        thread.join()


@pytest.mark.usefixtures("interrupts")
def test_interrupt_that_was_caught_is_raised_again() -> None:
    Interrupts.check()
    with pytest.raises(KeyboardInterrupt):
        send(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt, match="ended by SIGTERM"):
        Interrupts.check()


def test_signal_after_the_end_of_the_run_is_ignored(interrupts: Interrupts) -> None:
    interrupts.ignore()
    send(signal.SIGINT)
    with Interrupts.held():
        send(signal.SIGTERM)


@pytest.mark.usefixtures("interrupts")
def test_blocked_signal_arrives_after_the_block() -> None:
    done = []

    def work() -> None:
        with signals_blocked():
            # A signal to the process would reach any thread that other tests have left.
            signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
            done.append("block")

    with pytest.raises(KeyboardInterrupt, match="SIGTERM"):
        work()
    assert done == ["block"]


def test_handling_before_is_restored_and_an_ignored_signal_stays_ignored() -> None:
    before = signal.getsignal(signal.SIGTERM), signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        interrupts = Interrupts()
        interrupts.begin()
        send(signal.SIGHUP)
        interrupts.end()
        assert signal.getsignal(signal.SIGTERM) == before[0]
    finally:
        signal.signal(signal.SIGHUP, before[1])
