"""The judge's end of the pipe, by real pipes."""

import io
import os
import threading
import time
from collections.abc import Iterator

import pytest

from airworthy.proxy.pipe import LeisurelyPipe

LONG = 30.0


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    for end in (reading, writing):
        os.close(end)


def first(pipe: LeisurelyPipe) -> bytes:
    """What is read first, as the inbox reads."""
    return io.BufferedReader(pipe).read1(100)


def test_an_empty_pipe_is_left_alone_while_it_fills(ends: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = ends
    naps = []

    def fill(seconds: float) -> None:
        naps.append(seconds)
        os.write(writing, b"one")
        os.write(writing, b"two")

    monkeypatch.setattr(time, "sleep", fill)

    assert first(LeisurelyPipe(reading, nap=LONG)) == b"onetwo"
    assert naps == [LONG]


def test_what_stands_in_the_pipe_is_read_at_once(ends: tuple[int, int]) -> None:
    reading, writing = ends
    os.write(writing, b"one")

    assert first(LeisurelyPipe(reading, nap=LONG)) == b"one"


def test_in_a_hurry_the_very_next_byte_is_waited_for(ends: tuple[int, int]) -> None:
    reading, writing = ends
    pipe = LeisurelyPipe(reading, nap=LONG)
    pipe.hurry = True
    threading.Timer(0.01, os.write, (writing, b"one")).start()

    assert first(pipe) == b"one"


def test_the_end_is_seen() -> None:
    reading, writing = os.pipe()
    os.close(writing)

    assert first(LeisurelyPipe(reading, nap=0.0)) == b""
    os.close(reading)
