"""Decode the content encoding of a body in bounded memory: a small body can decode to an endless frame."""

import io
import zlib
from collections.abc import Callable, Mapping
from typing import Final

import brotli
import zstandard

from airworthy.contract.bodies.body import LARGEST
from airworthy.contract.http.exchange import Headers

MOST_ENCODINGS: Final = 3
_TOO_LARGE: Final = f"the body decodes to more than {LARGEST // 1024 // 1024} MiB"
# A brotli command of a few bytes produces up to 16 MiB, so small chunks limit how far a body exceeds the bound.
_CHUNK: Final = 16
_GZIP: Final = 16 + zlib.MAX_WBITS
_UNENCODED: Final = frozenset(("", "identity"))


class UndecodableError(Exception):
    """A body does not match its Content-Encoding, or is too large when decoded; the message is the reason."""


def decode(body: bytes, headers: Headers) -> bytes:
    """Return the decoded body. Encodings are removed in reverse order of the Content-Encoding header.

    Raises `UndecodableError` with a message that contains nothing of the body.
    """
    named = ",".join(value for name, value in headers if name.lower() == "content-encoding")
    encodings = [encoding for each in named.split(",") if (encoding := each.strip().lower()) not in _UNENCODED]
    if len(encodings) > MOST_ENCODINGS:
        raise UndecodableError(f"the body has more than {MOST_ENCODINGS} content encodings")
    for encoding in reversed(encodings):
        if not body:
            return body
        if encoding not in _DECODERS:
            raise UndecodableError("the body has an unknown content encoding")
        try:
            body = _DECODERS[encoding](body)
        except (zlib.error, brotli.error, zstandard.ZstdError, EOFError):
            raise UndecodableError("the body does not match its Content-Encoding") from None
    return body


def _gzip(body: bytes) -> bytes:
    output = bytearray()
    while body:
        decoder = zlib.decompressobj(_GZIP)
        output += _within(decoder.decompress(body, LARGEST + 1 - len(output)), len(output))
        if not decoder.eof:
            raise EOFError
        body = decoder.unused_data
    return bytes(output)


def _deflate(body: bytes) -> bytes:
    try:
        return _inflated(body, zlib.MAX_WBITS)
    except zlib.error:
        # Some servers omit the zlib header.
        return _inflated(body, -zlib.MAX_WBITS)


def _inflated(body: bytes, bits: int) -> bytes:
    decoder = zlib.decompressobj(bits)
    output = _within(decoder.decompress(body, LARGEST + 1))
    if not decoder.eof or decoder.unused_data:
        raise EOFError
    return output


def _brotli(body: bytes) -> bytes:
    decoder, output = brotli.Decompressor(), bytearray()
    for start in range(0, len(body), _CHUNK):
        output += _within(decoder.process(body[start : start + _CHUNK]), len(output))
    if not decoder.is_finished():
        raise EOFError
    return bytes(output)


def _zstd(body: bytes) -> bytes:
    decoder = zstandard.ZstdDecompressor(max_window_size=LARGEST)
    # `stream_reader` accepts a truncated frame; a decompressobj per frame reveals it.
    output = bytearray()
    while body:
        frame = decoder.decompressobj()
        stream = io.BytesIO(body)
        while not frame.eof and (chunk := stream.read(_CHUNK)):
            output += _within(frame.decompress(chunk), len(output))
        if not frame.eof:
            raise EOFError
        body = frame.unused_data + stream.read()
    return bytes(output)


def _within(chunk: bytes, before: int = 0) -> bytes:
    """Return a decoded chunk that follows ``before`` bytes, if both are within the bound."""
    if before + len(chunk) > LARGEST:
        raise UndecodableError(_TOO_LARGE)
    return chunk


_DECODERS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
