"""Real judge processes that work, fail, hang and are replaced."""

import asyncio
import contextlib
import os
import signal
import sys
import weakref
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path

import pytest

from airworthy.evidence.recorder import read
from airworthy.proxy.judge_pipe import MOST_WAITING, PIPE_SIZE
from airworthy.proxy.judge_process import REPLACING, JudgeProcess, NotJudgedError
from airworthy.proxy.messages import JudgeResult

from .material import SETTINGS, raw, search, search_without_adults

Results = list[tuple[str, JudgeResult]]
SEARCH, MISTAKEN = raw(search()), raw(search_without_adults())
# More than the pipe and the memory of the proxy take.
TOO_MUCH = SEARCH._replace(response_body=bytes(MOST_WAITING + 2 * PIPE_SIZE))


async def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.005)


def stop(judge: JudgeProcess[str]) -> int:
    """Suspend the judge process, wait until it is suspended, and return its id."""
    pid = judge.pid
    assert pid
    os.kill(pid, signal.SIGSTOP)
    os.waitpid(pid, os.WUNTRACED)
    return pid


def judged(
    test: Callable[[JudgeProcess[str]], Coroutine[None, None, None]], results: Results | None = None
) -> JudgeProcess[str]:
    """Run a test with a judge process and close it; its results are appended to ``results``."""
    received: Results = results if results is not None else []
    judge: JudgeProcess[str] = JudgeProcess(lambda name, result: received.append((name, result)))

    async def run() -> None:
        await judge.start(SETTINGS)
        try:
            await test(judge)
        finally:
            await judge.close()

    asyncio.run(run())
    return judge


def test_subjects_are_released_when_they_are_counted() -> None:
    class Subject:
        pass

    async def test() -> None:
        judge: JudgeProcess[Subject] = JudgeProcess(lambda _subject, _result: None)
        await judge.start(SETTINGS)
        subject = Subject()
        held = weakref.ref(subject)
        await judge.observe(SEARCH, subject)
        del subject
        await until(lambda: held() is None)
        await judge.close()

    asyncio.run(test())


def test_traffic_does_not_wait_for_a_process_that_ends_slowly() -> None:
    async def test(judge: JudgeProcess[str]) -> None:
        await judge.judge(SEARCH, "before")
        pid = stop(judge)
        changing = asyncio.create_task(judge.start(SETTINGS))
        await asyncio.sleep(0)
        judge.patience = 0.1
        await judge.observe(SEARCH, "during")
        with pytest.raises(NotJudgedError, match="being replaced"):
            await judge.screen(SEARCH, "during")
        os.kill(pid, signal.SIGCONT)
        await changing

    assert judged(test).summary.not_judged == {REPLACING: 1}


def test_every_exchange_is_judged_in_order_before_the_end() -> None:
    results: Results = []

    async def test(judge: JudgeProcess[str]) -> None:
        for number in range(200):
            await judge.observe(MISTAKEN if number % 10 == 0 else SEARCH, str(number))

    judge = judged(test, results)

    assert (judge.summary.seen, judge.summary.judged, judge.summary.not_judged) == (200, 200, {})
    assert judge.summary.kinds["violation"] == 20
    assert [name for name, _ in results] == [str(number) for number in range(0, 200, 10)]


def test_results_are_returned_to_whoever_waits() -> None:
    results: Results = []

    async def test(judge: JudgeProcess[str]) -> None:
        assert not (await judge.judge(SEARCH, "right")).findings
        assert (await judge.screen(raw(search_without_adults(), with_response=False), "wrong")).blocked
        assert not (await judge.screen(raw(search(), with_response=False), "right")).blocked
        assert [name for name, _ in results] == ["wrong"]

    assert judged(test, results).summary.seen == 2


def test_killed_process_is_replaced_and_its_exchanges_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    async def test(judge: JudgeProcess[str]) -> None:
        await judge.judge(SEARCH, "before")
        await until(lambda: judge.summary.judged == 1)
        first = stop(judge)
        for _ in range(3):
            await judge.observe(SEARCH, "in hand")
        os.kill(first, signal.SIGKILL)
        await until(lambda: judge.pid not in (first, None))
        assert not (await judge.judge(SEARCH, "after")).findings

    judge = judged(test)

    assert (judge.summary.seen, judge.summary.judged) == (5, 2)
    assert judge.summary.not_judged == {"the judge process ended": 3}
    assert judge.summary.gaps == 1
    assert "3 exchanges were not judged" in caplog.text


def test_process_that_does_not_respond_is_replaced() -> None:
    async def test(judge: JudgeProcess[str]) -> None:
        await judge.judge(SEARCH, "before")
        stop(judge)
        judge.patience = 0.1
        with pytest.raises(NotJudgedError, match="took too long"):
            await judge.judge(SEARCH, "asked")
        judge.patience = 10.0
        assert not (await judge.judge(SEARCH, "after")).findings

    judge = judged(test)

    assert judge.summary.seen == 3
    assert judge.summary.not_judged["the judge took too long"] >= 1


def test_process_that_accepts_nothing_is_replaced() -> None:
    async def test(judge: JudgeProcess[str]) -> None:
        await judge.judge(SEARCH, "before")
        await until(lambda: judge.summary.judged == 1)
        stop(judge)
        judge.patience = 0.1
        await judge.observe(TOO_MUCH, "fills the pipe")
        await judge.observe(SEARCH, "finds no room")

    summary = judged(test).summary

    assert summary.not_judged == {"the judge accepted nothing more": 2}
    assert summary.gaps == 1


def test_waiting_traffic_continues_when_the_process_ends() -> None:
    async def test(judge: JudgeProcess[str]) -> None:
        await judge.judge(SEARCH, "before")
        pid = stop(judge)
        await judge.observe(TOO_MUCH, "fills the pipe")
        waiting = [
            asyncio.create_task(judge.observe(SEARCH, "waits")),
            asyncio.create_task(judge.judge(SEARCH, "asks")),
        ]
        await asyncio.sleep(0)
        os.kill(pid, signal.SIGKILL)
        async with asyncio.timeout(60):
            outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        assert isinstance(outcomes[1], NotJudgedError)

    assert judged(test).summary.seen == 4


def test_bytes_waiting_for_the_process_are_bounded() -> None:
    large = SEARCH._replace(response_body=b'{"offers": [' + b" " * 5_000_000 + b"]}")

    async def test(judge: JudgeProcess[str]) -> None:
        await judge.judge(SEARCH, "before")
        pid = stop(judge)
        waiting = [asyncio.create_task(judge.observe(large, "large")) for _ in range(20)]
        await until(lambda: sum(task.done() for task in waiting) > MOST_WAITING // 5_000_000)
        assert judge._pipe
        assert MOST_WAITING < judge._pipe._tasks.transport.get_write_buffer_size() < MOST_WAITING + 5_100_000
        assert not all(task.done() for task in waiting)
        os.kill(pid, signal.SIGCONT)
        await asyncio.gather(*waiting)

    assert judged(test).summary.judged == 21


def test_process_that_cannot_start_is_started_again_later(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    settings = replace(SETTINGS, evidence=tmp_path / "notes.txt")
    (tmp_path / "notes.txt").write_text("not evidence\n")
    judge: JudgeProcess[str] = JudgeProcess(lambda *_: None, backoff=(0.0, 0.001, 60.0))

    async def run() -> None:
        await judge.start(settings)
        # It has failed twice, and is started for the third time.
        await until(lambda: judge._failures == 2)
        await judge.observe(SEARCH, "in the gap")
        with pytest.raises(NotJudgedError, match="not an evidence file"):
            await judge.screen(SEARCH, "in the gap")
        assert (tmp_path / "notes.txt").read_text() == "not evidence\n"
        (tmp_path / "notes.txt").unlink()
        judge._backoff = (0.0, 0.0)
        assert judge._retry
        judge._retry.cancel()
        await judge._open_later(0.0)
        await judge.judge(SEARCH, "after")
        await judge.close()

    asyncio.run(run())

    assert (judge.summary.seen, judge.summary.judged, judge.summary.not_judged.total()) == (2, 1, 1)
    assert judge.summary.gaps == 1
    assert caplog.text.count("no exchange is judged until the judge can be started again") == 1
    assert "the judge works again; 1 exchanges were not judged" in caplog.text


@pytest.mark.parametrize("program", ["/bin/false", "/nowhere/python"])
def test_process_is_started_again_for_as_long_as_the_proxy_runs(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    judge: JudgeProcess[str] = JudgeProcess(lambda *_: None, backoff=(0.0, 0.001))

    async def run() -> None:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "executable", program)
            await judge.start(SETTINGS)
            await until(lambda: judge._failures > 12)
            await judge.observe(SEARCH, "in the gap")
        judge.patience = 60.0
        await until(lambda: judge._failures == 0 or not judge.unavailable)
        while judge._failures:
            with contextlib.suppress(NotJudgedError):
                await judge.judge(SEARCH, "after")
            await asyncio.sleep(0.005)
        await judge.close()

    asyncio.run(run())

    assert judge.summary.judged >= 1
    assert judge.summary.gaps == 1
    assert judge.summary.seen == judge.summary.judged + judge.summary.not_judged.total()


# The process goes on after the proxy has ended, and Python warns of that.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_process_without_time_left_leaves_exchanges_not_judged(tmp_path: Path) -> None:
    judge: JudgeProcess[str] = JudgeProcess(lambda *_: None)

    async def run() -> None:
        await judge.start(replace(SETTINGS, evidence=tmp_path / "evidence.jsonl"))
        await judge.judge(SEARCH, "before")
        pid = stop(judge)
        for _ in range(5):
            await judge.observe(SEARCH, "at the end")
        await judge.close(0.05)
        os.kill(pid, signal.SIGCONT)
        # It continues alone, and the evidence is complete.
        await until(lambda: len(list(read(tmp_path / "evidence.jsonl"))) == 6)

    asyncio.run(run())

    assert judge.summary.seen == 6
    assert judge.summary.not_judged["the judge had no time left"] >= 5
