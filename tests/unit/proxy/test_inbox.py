"""What waits to be judged, by real pipes."""

import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from airworthy.proxy.inbox import MOST_BYTES, Inbox
from airworthy.proxy.wire import LARGE, Case, Message, Unfit, Wire, packed

LONG = 30.0


@dataclass
class Pipe:
    """A pipe, and who writes into it."""

    reading: int
    writing: int
    inboxes: list[Inbox] = field(default_factory=list)

    def inbox(self, most_bytes: int = MOST_BYTES, *, nap: float = 0.001, long: float = LONG) -> Inbox:
        self.inboxes.append(Inbox(self.reading, most_bytes, nap=nap, long=long))
        return self.inboxes[-1]

    def send(self, *messages: Message) -> None:
        for message in messages:
            self.write(b"".join(packed(message)))

    def write(self, content: bytes) -> None:
        assert os.write(self.writing, content) == len(content)

    def end(self) -> None:
        os.close(self.writing)
        self.writing = -1


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe(*os.pipe())
    yield pipe
    for inbox in pipe.inboxes:
        inbox.close()
    for end in (pipe.reading, pipe.writing):
        if end >= 0:
            os.close(end)


def texts(inbox: Inbox, number: int) -> list[str]:
    return [message.reason for _ in range(number) if isinstance(message := inbox.get(LONG), Unfit)]


def test_messages_come_in_their_order_and_then_an_end(pipe: Pipe) -> None:
    inbox = pipe.inbox()
    pipe.send(*(Unfit(str(number)) for number in range(50)))
    pipe.end()

    assert texts(inbox, 50) == [str(number) for number in range(50)]
    with pytest.raises(EOFError):
        inbox.get(LONG)


def test_nothing_comes_where_nothing_was_sent(pipe: Pipe) -> None:
    assert pipe.inbox().get(0.01) is None


@pytest.mark.parametrize("size", [1, 7, 100, 4096])
def test_messages_come_in_whatever_pieces(pipe: Pipe, size: int) -> None:
    wire = Wire("1", 0.0, 0.0, "GET", "https://x", (), b"", 200, (), b"{}" * LARGE)
    stream = b"".join(b"".join(packed(each)) for each in (Unfit("first"), Case(1, "see", wire), Unfit("last")))
    inbox = pipe.inbox(nap=0.0)

    def write() -> None:
        for begin in range(0, len(stream), size):
            pipe.write(stream[begin : begin + size])

    writer = threading.Thread(target=write)
    writer.start()
    come = [inbox.get(LONG) for _ in range(3)]
    writer.join()

    assert come == [Unfit("first"), Case(1, "see", wire), Unfit("last")]


def test_a_message_that_was_cut_off_is_none(pipe: Pipe) -> None:
    inbox = pipe.inbox()
    pipe.send(Unfit("whole"))
    pipe.write(packed(Unfit("cut off"))[0][:-1].tobytes())
    pipe.end()

    assert texts(inbox, 1) == ["whole"]
    with pytest.raises(EOFError):
        inbox.get(LONG)


def test_no_more_is_taken_in_than_the_bound_allows(pipe: Pipe) -> None:
    inbox = pipe.inbox(most_bytes=10)
    pipe.send(Unfit("x" * 30_000), Unfit("y"))
    assert texts(inbox, 1) == ["x" * 30_000]
    assert len(inbox) == 1

    pipe.send(Unfit("z"))
    assert texts(inbox, 1) == ["y"]
    assert len(inbox) == 0


def test_what_comes_while_one_is_judged_is_taken_in(pipe: Pipe) -> None:
    inbox = pipe.inbox(long=0.0)
    pipe.send(*(Unfit(str(number)) for number in range(3)))
    pipe.end()

    while len(inbox) < 3:
        threading.Event().wait(0.001)
    assert texts(inbox, 3) == ["0", "1", "2"]


def test_an_empty_pipe_is_left_alone_while_it_fills(pipe: Pipe, monkeypatch: pytest.MonkeyPatch) -> None:
    inbox = pipe.inbox(nap=LONG)
    naps = []

    def fill(seconds: float) -> None:
        naps.append(seconds)
        pipe.send(Unfit("one"), Unfit("two"))

    monkeypatch.setattr(time, "sleep", fill)

    assert texts(inbox, 2) == ["one", "two"]
    assert naps == [LONG]


def test_what_stands_in_the_pipe_is_taken_at_once(pipe: Pipe) -> None:
    inbox = pipe.inbox(nap=LONG)
    pipe.send(Unfit("one"))

    assert texts(inbox, 1) == ["one"]


def test_in_a_hurry_the_very_next_byte_is_waited_for(pipe: Pipe) -> None:
    inbox = pipe.inbox(nap=LONG)
    inbox.hurry = True
    threading.Timer(0.01, pipe.send, [Unfit("one")]).start()

    assert texts(inbox, 1) == ["one"]
