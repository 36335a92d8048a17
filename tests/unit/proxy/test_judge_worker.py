"""Tasks through real pipes, to a worker in this process and in one of its own."""

import os
import pickle
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from airworthy.proxy import judge_worker
from airworthy.proxy.judge_pipe import REPLY_LENGTH
from airworthy.proxy.judge_worker import MOST_UNTALLIED, JudgeWorker, TaskInput
from airworthy.proxy.messages import JudgeResult, JudgeTask, StartFailure, Tally

from .material import SETTINGS, raw, search, search_without_adults


@dataclass
class Pipe:
    """A pipe whose ends are closed with the test."""

    reading: int
    writing: int
    idle: list[bool] = field(default_factory=list)

    def input(self) -> TaskInput:
        return TaskInput(self.reading, lambda: self.idle.append(True))

    def write(self, content: bytes) -> None:
        assert os.write(self.writing, content) == len(content)

    def end(self) -> None:
        os.close(self.writing)
        self.writing = -1


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    yield from opened()


@pytest.fixture
def replies() -> Iterator[Pipe]:
    yield from opened()


def opened() -> Iterator[Pipe]:
    pipe = Pipe(*os.pipe())
    yield pipe
    for end in (pipe.reading, pipe.writing):
        if end >= 0:
            os.close(end)


def read(tasks: TaskInput, size: int = 100) -> bytes:
    buffer = bytearray(size)
    return bytes(buffer[: tasks.readinto(buffer)])


def judged(pipe: Pipe, replies: Pipe, *messages: object, cut: int = 0) -> list[object]:
    """Return what a worker replies to messages, of which the last may be cut off."""
    content = b"".join(map(pickle.dumps, messages))
    pipe.write(content[: len(content) - cut])
    pipe.end()
    JudgeWorker(pipe.reading, replies.writing).run()
    return sent(replies) if replies.reading >= 0 else []


def sent(replies: Pipe) -> list[object]:
    """Return the replies that a worker has sent."""
    replies.end()
    content = b""
    while piece := os.read(replies.reading, 1 << 16):
        content += piece
    found = []
    while content:
        (length,) = REPLY_LENGTH.unpack_from(content)
        found.append(pickle.loads(content[REPLY_LENGTH.size : REPLY_LENGTH.size + length]))  # noqa: S301
        content = content[REPLY_LENGTH.size + length :]
    return found


def test_input_returns_at_once_what_is_in_the_pipe(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", pytest.fail)
    pipe.write(b"one")

    assert read(pipe.input()) == b"one"


def test_input_leaves_an_empty_pipe_alone_while_it_fills(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: pipe.write(b"onetwo"))

    assert read(pipe.input()) == b"onetwo"
    assert pipe.idle == []


def test_input_does_not_pause_when_prompt(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", pytest.fail)
    tasks = pipe.input()
    tasks.prompt = True
    writer = threading.Timer(0.01, pipe.write, [b"one"])
    writer.start()

    assert read(tasks) == b"one"
    writer.join()


def test_input_reports_that_it_is_idle_and_then_waits(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_worker, "TALLY_SECONDS", 0.0)
    tasks = TaskInput(pipe.reading, lambda: pipe.write(b"one"))

    assert read(tasks) == b"one"


def test_input_ends_with_the_pipe(pipe: Pipe) -> None:
    pipe.end()

    assert read(pipe.input()) == b""


@pytest.mark.parametrize("size", [1, 7, 100, 4096])
def test_worker_reads_tasks_in_pieces_of_any_size(pipe: Pipe, replies: Pipe, size: int) -> None:
    large = raw(search())._replace(response_body=b'{"offers": []}' + b" " * 100_000)
    messages = [SETTINGS, JudgeTask(1, "judge", large), JudgeTask(2, "observe", raw(search_without_adults()))]
    stream = b"".join(pickle.dumps(each, pickle.HIGHEST_PROTOCOL) for each in messages)

    def write() -> None:
        for begin in range(0, len(stream), size):
            pipe.write(stream[begin : begin + size])
        pipe.end()

    writer = threading.Thread(target=write)
    writer.start()
    JudgeWorker(pipe.reading, replies.writing).run()
    writer.join()

    results = [reply for reply in sent(replies) if isinstance(reply, JudgeResult)]
    assert [(result.number, result.failed) for result in results] == [(1, False), (2, False)]
    assert results[1].findings[0].rule == "V4-SEARCH-ADULTS"


def test_worker_judges_the_tasks_before_an_incomplete_one(pipe: Pipe, replies: Pipe) -> None:
    tasks = [JudgeTask(number, "observe", raw(search())) for number in (1, 2)]
    replied = judged(pipe, replies, SETTINGS, *tasks, cut=9)

    assert [reply.summary.judged for reply in replied if isinstance(reply, Tally)] == [1]


def test_worker_tallies_often_enough_to_release_flows_early(pipe: Pipe, replies: Pipe) -> None:
    exchange = raw(search())._replace(response_body=b"{}")
    tasks = (JudgeTask(number, "observe", exchange) for number in range(1, MOST_UNTALLIED + 2))

    numbers = [reply.number for reply in judged(pipe, replies, SETTINGS, *tasks) if isinstance(reply, Tally)]
    assert len(numbers) >= 2
    assert numbers[-1] == MOST_UNTALLIED + 1


def test_worker_records_even_if_nobody_reads_its_replies(pipe: Pipe, replies: Pipe) -> None:
    os.close(replies.reading)
    replies.reading = -1

    judged(pipe, replies, SETTINGS, JudgeTask(1, "judge", raw(search())))


@pytest.mark.parametrize(
    ("messages", "replied"), [([], []), (["no settings"], [StartFailure("the judge cannot start (AttributeError)")])]
)
def test_worker_that_receives_no_settings_ends(
    pipe: Pipe, replies: Pipe, messages: list[object], replied: list[object]
) -> None:
    assert judged(pipe, replies, *messages) == replied
