"""Decode content encodings in bounded memory."""

import gzip
import tracemalloc
import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from airworthy.contract.bodies.body import LARGEST
from airworthy.traffic.content_encoding import UndecodableError, decode

Encoder = Callable[[bytes], bytes]
ENCODERS: dict[str, Encoder] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.compress,
}


BOMBS: dict[str, Callable[[], bytes]] = {
    "gzip": lambda: gzip.compress(bytes(LARGEST), 1) * 4,
    "deflate": lambda: zlib.compress(bytes(4 * LARGEST), 1),
    "br": lambda: brotli.compress(bytes(4 * LARGEST), quality=1),
    "zstd": lambda: zstandard.compress(bytes(4 * LARGEST)),
}


def raw_deflate(body: bytes) -> bytes:
    encoder = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return encoder.compress(body) + encoder.flush()


@pytest.mark.parametrize("encoding", ENCODERS)
@given(body=st.binary(max_size=2000))
def test_encoded_body_is_decoded(encoding: str, body: bytes) -> None:
    assert decode(ENCODERS[encoding](body), (("Content-Encoding", encoding.upper()),)) == body


@pytest.mark.parametrize(
    ("encodings", "body", "decoded"),
    [
        ((), b"plain", b"plain"),
        (("identity", ""), b"plain", b"plain"),
        (("gzip",), b"", b""),
        (("gzip", "br"), brotli.compress(gzip.compress(b"twice")), b"twice"),
        (("deflate",), raw_deflate(b"without a header"), b"without a header"),
        (("gzip",), gzip.compress(b"in two ", mtime=0) + gzip.compress(b"frames", mtime=0), b"in two frames"),
        (("zstd",), zstandard.compress(b"in two ") + zstandard.compress(b"frames"), b"in two frames"),
        (("gzip",), gzip.compress(bytes(LARGEST), 1), bytes(LARGEST)),
    ],
    ids=["no encoding", "identity", "empty", "in reverse order", "raw", "gzip frames", "zstd frames", "largest"],
)
def test_unusual_forms_are_decoded(encodings: tuple[str, ...], body: bytes, decoded: bytes) -> None:
    # A comparison of 16 MiB is not shown.
    assert (decode(body, tuple(("Content-Encoding", each) for each in encodings)) == decoded) is True


@pytest.mark.parametrize("encoding", ENCODERS)
@pytest.mark.parametrize("corrupt", [lambda body: body[:-5], lambda body: b"{" + body], ids=["cut off", "not encoded"])
def test_corrupt_body_is_rejected(encoding: str, corrupt: Encoder) -> None:
    body = corrupt(ENCODERS[encoding](b"many words that are worth it, many words that are worth it" * 9))

    with pytest.raises(UndecodableError, match="does not match"):
        decode(body, (("Content-Encoding", encoding),))


@pytest.mark.parametrize("encoding", BOMBS)
def test_decompression_bomb_takes_bounded_memory(encoding: str) -> None:
    bomb = BOMBS[encoding]()
    tracemalloc.start()
    try:
        with pytest.raises(UndecodableError, match="more than 16 MiB"):
            decode(bomb, (("Content-Encoding", encoding),))
        assert tracemalloc.get_traced_memory()[1] < 5 * LARGEST
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("encodings", "reason"), [("compress", "unknown"), ("gzip, gzip, gzip, gzip", "more than 3"), ("utf-8", "unknown")]
)
def test_unsupported_content_encoding_is_rejected(encodings: str, reason: str) -> None:
    with pytest.raises(UndecodableError, match=reason):
        decode(b"something", (("Content-Encoding", encodings),))
