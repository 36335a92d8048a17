"""A judge in a process of its own, by real processes."""

import asyncio
import os
import signal
import sys
import weakref
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from pickle import PickleBuffer

import pytest

from airworthy.evidence import read
from airworthy.proxy import connection
from airworthy.proxy.process import JudgeProcess, NoVerdictError
from airworthy.proxy.wire import Verdict

from .material import SETTINGS, mistaken, search, wire

# A judge that has nothing more to say of the first two cases, and counts none.
SAYS_JUDGED = """
import os, sys
from airworthy.proxy.wire import Judged, packed
while os.read(0, 1 << 20):
    os.write(1, packed(Judged(2))[0])
"""

Told = list[tuple[str, Verdict]]
SEARCH, MISTAKEN = wire(search()), wire(mistaken())


async def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)


def stop(pid: int) -> None:
    """Stop a process, and wait until it stands still."""
    os.kill(pid, signal.SIGSTOP)
    os.waitpid(pid, os.WUNTRACED)


def judged(
    test: Callable[[JudgeProcess[str]], Coroutine[None, None, None]], heard: Told | None = None
) -> JudgeProcess[str]:
    """Run a test with a judge that has started, and close it; ``heard`` takes what it says."""
    told: Told = heard if heard is not None else []
    judge: JudgeProcess[str] = JudgeProcess(lambda name, verdict: told.append((name, verdict)))

    async def run() -> None:
        judge.start(SETTINGS)
        try:
            await test(judge)
        finally:
            judge.close()

    asyncio.run(run())
    return judge


def test_what_is_judged_is_let_go_of_before_it_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Subject:
        pass

    program = tmp_path / "judge"
    program.write_text(f"#!{sys.executable}\n{SAYS_JUDGED}", encoding="utf-8")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))

    async def test() -> None:
        judge: JudgeProcess[Subject] = JudgeProcess(lambda _subject, _verdict: None)
        judge.start(SETTINGS)
        subjects = [Subject() for _ in range(3)]
        held = [weakref.ref(subject) for subject in subjects]
        while subjects:
            await judge.see(SEARCH, subjects.pop(0))
        await until(lambda: held[1]() is None)
        assert [each() is None for each in held] == [True, True, False]
        assert judge.summary.seen == 0
        judge.close()

    asyncio.run(test())


def test_everything_is_judged_in_its_order_before_the_end() -> None:
    heard: Told = []

    async def test(judge: JudgeProcess[str]) -> None:
        for number in range(200):
            await judge.see(MISTAKEN if number % 10 == 0 else SEARCH, str(number))

    judge = judged(test, heard)

    assert (judge.summary.seen, judge.summary.judged, judge.summary.not_judged) == (200, 200, {})
    assert judge.summary.kinds["violation"] == 20
    assert [name for name, _ in heard] == [str(number) for number in range(0, 200, 10)]


def test_a_question_is_answered() -> None:
    heard: Told = []

    async def test(judge: JudgeProcess[str]) -> None:
        assert not (await judge.tell(SEARCH, "right")).findings
        assert (await judge.weigh(wire(mistaken(), answered=False), "wrong")).blocked
        assert not (await judge.weigh(wire(search(), answered=False), "right")).blocked
        assert [name for name, _ in heard] == ["wrong"]

    assert judged(test, heard).summary.seen == 2


def test_a_judge_that_is_killed_is_replaced_and_the_gap_is_counted(caplog: pytest.LogCaptureFixture) -> None:
    async def test(judge: JudgeProcess[str]) -> None:
        await judge.tell(SEARCH, "before")
        await until(lambda: judge.summary.judged == 1)
        first = judge.pid
        assert first
        stop(first)
        for _ in range(3):
            await judge.see(SEARCH, "in hand")
        os.kill(first, signal.SIGKILL)
        await until(lambda: judge.pid != first)
        assert not (await judge.tell(SEARCH, "after")).findings

    judge = judged(test)

    assert (judge.summary.seen, judge.summary.judged) == (5, 2)
    assert judge.summary.not_judged == {"the judge's process ended": 3}
    assert judge.restarts == 1
    assert "3 exchanges were not judged" in caplog.text


def test_a_judge_that_takes_too_long_is_replaced() -> None:
    async def test(judge: JudgeProcess[str]) -> None:
        await judge.tell(SEARCH, "before")
        assert judge.pid
        stop(judge.pid)
        judge.patience = 0.1
        with pytest.raises(NoVerdictError, match="took too long"):
            await judge.tell(SEARCH, "asked")
        judge.patience = 10.0
        assert not (await judge.tell(SEARCH, "after")).findings

    judge = judged(test)

    assert judge.summary.seen == 3
    assert judge.summary.not_judged["the judge took too long"] >= 1


def test_a_judge_that_takes_nothing_holds_the_traffic_for_a_moment_only() -> None:
    large = SEARCH._replace(response_body=PickleBuffer(bytes(4 * connection.PIPE_SIZE)))

    async def test(judge: JudgeProcess[str]) -> None:
        await judge.tell(SEARCH, "before")
        assert judge.pid
        stop(judge.pid)
        judge.patience = 0.1
        await judge.see(large, "too large for the pipe")
        assert judge.restarts == 1

    assert judged(test).summary.not_judged["the judge took nothing more"] >= 1


def test_whoever_waits_goes_on_when_the_judge_dies() -> None:
    large = SEARCH._replace(response_body=PickleBuffer(bytes(4 * connection.PIPE_SIZE)))

    async def test(judge: JudgeProcess[str]) -> None:
        await judge.tell(SEARCH, "before")
        assert judge.pid
        stop(judge.pid)
        waiting = [asyncio.create_task(judge.see(large, "waits")), asyncio.create_task(judge.tell(SEARCH, "asks"))]
        await asyncio.sleep(0)
        os.kill(judge.pid, signal.SIGKILL)
        async with asyncio.timeout(5):
            results = await asyncio.gather(*waiting, return_exceptions=True)
        assert isinstance(results[1], NoVerdictError)

    assert judged(test).summary.seen == 3


def test_large_bodies_are_judged() -> None:
    # 10 MB of JSON that is no search answer, and the same as a body that is too large.
    large = SEARCH._replace(response_body=PickleBuffer(b'{"offers": [' + b" " * 10_000_000 + b"]}"))

    async def test(judge: JudgeProcess[str]) -> None:
        for _ in range(4):
            await judge.see(large, "large")

    assert judged(test).summary.judged == 4


def test_a_judge_that_cannot_work_is_not_tried_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    settings = replace(SETTINGS, evidence=tmp_path / "notes.txt")
    (tmp_path / "notes.txt").write_text("not evidence\n")
    judge: JudgeProcess[str] = JudgeProcess(lambda *_: None)

    async def run() -> None:
        judge.start(settings)
        await until(lambda: judge.pid is None)
        await judge.see(SEARCH, "after")
        with pytest.raises(NoVerdictError, match="not an evidence file"):
            await judge.weigh(SEARCH, "after")
        judge.close()

    asyncio.run(run())

    assert judge.summary.seen == judge.summary.not_judged.total() == 1
    assert "nothing is judged from here on" in caplog.text
    assert (tmp_path / "notes.txt").read_text() == "not evidence\n"


def test_a_judge_that_dies_at_once_is_not_tried_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    judge: JudgeProcess[str] = JudgeProcess(lambda *_: None)

    async def run() -> None:
        judge.start(SETTINGS)
        await judge.see(SEARCH, "first")
        await until(lambda: "in a row" in judge.idle)
        await judge.see(SEARCH, "last")
        judge.close()

    asyncio.run(run())

    assert judge.summary.seen == judge.summary.not_judged.total() == 2


def test_no_interpreter_no_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    judge: JudgeProcess[str] = JudgeProcess(lambda *_: None)

    async def run() -> None:
        judge.start(SETTINGS)
        await judge.see(SEARCH, "first")
        judge.close()

    asyncio.run(run())

    assert judge.summary.not_judged == {"the judge's process cannot be started (No such file or directory)": 1}


# It goes on after the proxy has, and Python minds.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_judge_that_has_no_time_left_leaves_a_gap(tmp_path: Path) -> None:
    judge: JudgeProcess[str] = JudgeProcess(lambda *_: None)

    async def run() -> None:
        judge.start(replace(SETTINGS, evidence=tmp_path / "evidence.jsonl"))
        await judge.tell(SEARCH, "before")
        pid = judge.pid
        assert pid
        stop(pid)
        for _ in range(5):
            await judge.see(SEARCH, "at the end")
        judge.close(0.05)
        os.kill(pid, signal.SIGCONT)
        # It finishes for itself: what it had in hand is in the evidence all the same.
        await until(lambda: len(list(read(tmp_path / "evidence.jsonl"))) == 6)

    asyncio.run(run())

    assert judge.summary.seen == 6
    assert judge.summary.not_judged["the judge had no time left for it"] >= 5
