"""What waits to be judged."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import pytest

from airworthy.proxy.inbox import Inbox
from airworthy.proxy.wire import Message, Unfit, packed


@dataclass
class Pipe:
    """A pipe with a writer at the other end."""

    file: BinaryIO
    writer: BinaryIO

    def send(self, *messages: Message) -> None:
        for message in messages:
            for piece in packed(message):
                self.writer.write(piece)
        self.writer.flush()

    def end(self) -> None:
        self.writer.close()


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as file, os.fdopen(writing, "wb") as writer:
        yield Pipe(file, writer)


def texts(inbox: Inbox, number: int) -> list[str]:
    return [message.reason for _ in range(number) if isinstance(message := inbox.get(5), Unfit)]


def test_messages_come_in_their_order_and_then_an_end(pipe: Pipe) -> None:
    inbox = Inbox(pipe.file)
    pipe.send(*(Unfit(str(number)) for number in range(50)))
    pipe.end()

    assert texts(inbox, 50) == [str(number) for number in range(50)]
    with pytest.raises(EOFError):
        inbox.get(5)


def test_nothing_comes_where_nothing_was_sent(pipe: Pipe) -> None:
    assert Inbox(pipe.file).get(0.01) is None


def test_a_message_that_was_cut_off_is_none(pipe: Pipe) -> None:
    inbox = Inbox(pipe.file)
    pipe.send(Unfit("whole"))
    pipe.writer.write(packed(Unfit("cut off"))[0][:-1])
    pipe.end()

    assert texts(inbox, 1) == ["whole"]
    with pytest.raises(EOFError):
        inbox.get(5)


@pytest.mark.parametrize(("messages", "size", "most"), [(3, 1_000_000, 3), (1000, 2500, 2)])
def test_no_more_waits_than_the_bounds_allow(pipe: Pipe, messages: int, size: int, most: int) -> None:
    inbox = Inbox(pipe.file, messages, size)
    pipe.send(*(Unfit(f"{number:1000}") for number in range(20)))
    pipe.end()

    waiting = []
    for number in range(20):
        assert texts(inbox, 1) == [f"{number:1000}"]
        waiting.append(len(inbox))
    assert max(waiting) <= most


def test_one_message_is_taken_in_whatever_its_size(pipe: Pipe) -> None:
    inbox = Inbox(pipe.file, 10, 10)
    pipe.send(Unfit("x" * 30_000))

    assert texts(inbox, 1) == ["x" * 30_000]
