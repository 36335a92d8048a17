"""Messages through a pipe."""

from pickle import PickleBuffer

import pytest

from airworthy.proxy.wire import LARGE, Case, Message, Unfit, Unpacker, Verdict, lengths, packed, unpacked

from .material import search, wire

SEARCH = wire(search())


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_messages_are_put_together_from_pieces_of_any_size(size: int) -> None:
    messages: list[Message] = [Case(1, "see", SEARCH), Verdict(1, lines=("a line",)), Unfit("why")]
    content = b"".join(piece for message in messages for piece in packed(message))
    unpacker = Unpacker()

    found = [
        message for start in range(0, len(content), size) for message in unpacker.feed(content[start : start + size])
    ]

    assert found == messages


def test_large_bodies_stand_beside_and_are_not_copied() -> None:
    body = bytes(LARGE + 1)
    head, large = packed(Case(1, "see", SEARCH._replace(response_body=PickleBuffer(body))))

    assert large.obj is body
    assert len(head) < LARGE
    content, sizes = lengths(bytes(head[:24]))
    assert (content, sizes) == (len(head) - 24, [len(body)])
    case = unpacked(bytes(head[24:]), [body])
    assert isinstance(case, Case)
    assert case.wire.response_body is body
