"""Bodies out of their content encoding, in bounded memory."""

import gzip
import tracemalloc
import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from airworthy.contract.body import LARGEST
from airworthy.proxy.decoding import UndecodableError, decoded

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


@pytest.mark.parametrize("coding", ENCODERS)
@given(body=st.binary(max_size=2000))
def test_what_was_encoded_is_decoded(coding: str, body: bytes) -> None:
    assert decoded(ENCODERS[coding](body), (("Content-Encoding", coding.upper()),)) == body


def test_a_body_without_an_encoding_is_itself() -> None:
    assert decoded(b"plain", ()) == b"plain"
    assert decoded(b"plain", (("content-encoding", "identity"), ("Content-Encoding", ""))) == b"plain"


def test_an_empty_body_needs_no_encoding() -> None:
    assert decoded(b"", (("Content-Encoding", "gzip"),)) == b""


def test_encodings_are_taken_off_in_turn() -> None:
    body = brotli.compress(gzip.compress(b"twice"))
    assert decoded(body, (("Content-Encoding", "gzip"), ("Content-Encoding", "br"))) == b"twice"


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        ("deflate", raw_deflate(b"without a header")),
        ("gzip", gzip.compress(b"without ", mtime=0) + gzip.compress(b"a header", mtime=0)),
        ("zstd", zstandard.compress(b"without ") + zstandard.compress(b"a header")),
    ],
)
def test_other_forms_of_an_encoding_are_read(coding: str, body: bytes) -> None:
    assert decoded(body, (("Content-Encoding", coding),)) == b"without a header"


@pytest.mark.parametrize("coding", ENCODERS)
@pytest.mark.parametrize("spoil", [lambda body: body[:-5], lambda body: b"{" + body], ids=["cut off", "not encoded"])
def test_a_spoilt_body_is_not_decoded_in_part(coding: str, spoil: Encoder) -> None:
    body = spoil(ENCODERS[coding](b"many words that are worth it, many words that are worth it" * 9))

    with pytest.raises(UndecodableError, match="does not decode"):
        decoded(body, (("Content-Encoding", coding),))


@pytest.mark.parametrize("coding", ENCODERS)
def test_a_bomb_takes_bounded_memory(coding: str) -> None:
    bomb = BOMBS[coding]
    tracemalloc.start()
    try:
        with pytest.raises(UndecodableError, match="more than 16 MiB"):
            decoded(bomb, (("Content-Encoding", coding),))
        assert tracemalloc.get_traced_memory()[1] < 5 * LARGEST
    finally:
        tracemalloc.stop()


def test_what_is_exactly_as_large_as_may_be_is_decoded() -> None:
    assert len(decoded(gzip.compress(bytes(LARGEST), 1), (("Content-Encoding", "gzip"),))) == LARGEST


@pytest.mark.parametrize(
    ("codings", "reason"), [("compress", "unknown"), ("gzip, gzip, gzip, gzip", "more than 3"), ("utf-8", "unknown")]
)
def test_what_else_is_named_is_not_decoded(codings: str, reason: str) -> None:
    with pytest.raises(UndecodableError, match=reason):
        decoded(b"something", (("Content-Encoding", codings),))
