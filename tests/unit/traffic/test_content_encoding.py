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


BOMBS: dict[str, bytes] = {
    "gzip": gzip.compress(bytes(LARGEST), 1) * 4,
    "x-gzip": gzip.compress(bytes(LARGEST), 1) * 4,
    "deflate": zlib.compress(bytes(4 * LARGEST), 1),
    "br": brotli.compress(bytes(4 * LARGEST), quality=1),
    "zstd": zstandard.compress(bytes(4 * LARGEST)),
}


def raw_deflate(body: bytes) -> bytes:
    encoder = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return encoder.compress(body) + encoder.flush()


@pytest.mark.parametrize("encoding", ENCODERS)
@given(body=st.binary(max_size=2000))
def test_encoded_body_is_decoded(encoding: str, body: bytes) -> None:
    assert decode(ENCODERS[encoding](body), (("Content-Encoding", encoding.upper()),)) == body


def test_body_without_encoding_is_unchanged() -> None:
    assert decode(b"plain", ()) == b"plain"
    assert decode(b"plain", (("content-encoding", "identity"), ("Content-Encoding", ""))) == b"plain"


def test_empty_body_is_unchanged() -> None:
    assert decode(b"", (("Content-Encoding", "gzip"),)) == b""


def test_several_encodings_are_decoded_in_reverse_order() -> None:
    body = brotli.compress(gzip.compress(b"twice"))
    assert decode(body, (("Content-Encoding", "gzip"), ("Content-Encoding", "br"))) == b"twice"


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("deflate", raw_deflate(b"without a header")),
        ("gzip", gzip.compress(b"without ", mtime=0) + gzip.compress(b"a header", mtime=0)),
        ("zstd", zstandard.compress(b"without ") + zstandard.compress(b"a header")),
    ],
)
def test_unusual_forms_of_an_encoding_are_decoded(encoding: str, body: bytes) -> None:
    assert decode(body, (("Content-Encoding", encoding),)) == b"without a header"


@pytest.mark.parametrize("encoding", ENCODERS)
@pytest.mark.parametrize("corrupt", [lambda body: body[:-5], lambda body: b"{" + body], ids=["cut off", "not encoded"])
def test_corrupt_body_is_rejected(encoding: str, corrupt: Encoder) -> None:
    body = corrupt(ENCODERS[encoding](b"many words that are worth it, many words that are worth it" * 9))

    with pytest.raises(UndecodableError, match="does not match"):
        decode(body, (("Content-Encoding", encoding),))


@pytest.mark.parametrize("encoding", ENCODERS)
def test_decompression_bomb_takes_bounded_memory(encoding: str) -> None:
    bomb = BOMBS[encoding]
    tracemalloc.start()
    try:
        with pytest.raises(UndecodableError, match="more than 16 MiB"):
            decode(bomb, (("Content-Encoding", encoding),))
        assert tracemalloc.get_traced_memory()[1] < 5 * LARGEST
    finally:
        tracemalloc.stop()


def test_body_of_the_maximum_size_is_decoded() -> None:
    assert len(decode(gzip.compress(bytes(LARGEST), 1), (("Content-Encoding", "gzip"),))) == LARGEST


@pytest.mark.parametrize(
    ("encodings", "reason"), [("compress", "unknown"), ("gzip, gzip, gzip, gzip", "more than 3"), ("utf-8", "unknown")]
)
def test_unsupported_content_encoding_is_rejected(encodings: str, reason: str) -> None:
    with pytest.raises(UndecodableError, match=reason):
        decode(b"something", (("Content-Encoding", encodings),))
