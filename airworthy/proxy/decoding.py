"""Takes the content encoding off a body, in bounded memory: a small body can stand for an endless one."""

import io
import zlib
from collections.abc import Callable, Mapping
from typing import Final

import brotli
import zstandard

from airworthy.contract.body import LARGEST
from airworthy.contract.exchange import Headers

MOST_CODINGS: Final = 3
_TOO_LARGE: Final = f"the body decodes to more than {LARGEST // 1024 // 1024} MiB"
# A command of brotli's takes some bytes and makes at most 16 MiB: so few at a time keep the excess small.
_BROTLI_PIECE: Final = 16
_GZIP: Final = 16 + zlib.MAX_WBITS
_PLAIN: Final = frozenset(("", "identity"))


class UndecodableError(Exception):
    """A body cannot be decoded by its own Content-Encoding, or only beyond the bound; the message says which."""


def decoded(body: bytes, headers: Headers) -> bytes:
    """Return a body without its content encodings, the last applied first.

    Raises `UndecodableError`, with a reason that holds nothing of the body.
    """
    named = ",".join(value for name, value in headers if name.lower() == "content-encoding")
    codings = [coding for each in named.split(",") if (coding := each.strip().lower()) not in _PLAIN]
    if len(codings) > MOST_CODINGS:
        raise UndecodableError(f"the body has more than {MOST_CODINGS} content encodings")
    for coding in reversed(codings):
        if not body:
            return body
        if coding not in _DECODERS:
            raise UndecodableError("the body has an unknown content encoding")
        try:
            body = _DECODERS[coding](body)
        except (zlib.error, brotli.error, zstandard.ZstdError, EOFError):
            raise UndecodableError("the body does not decode by its Content-Encoding") from None
    return body


def _gzip(body: bytes) -> bytes:
    found = bytearray()
    while body:
        decoder = zlib.decompressobj(_GZIP)
        found += _within(decoder.decompress(body, LARGEST + 1 - len(found)), len(found))
        if not decoder.eof:
            raise EOFError
        body = decoder.unused_data
    return bytes(found)


def _deflate(body: bytes) -> bytes:
    try:
        return _inflated(body, zlib.MAX_WBITS)
    except zlib.error:
        # Some servers leave the header out.
        return _inflated(body, -zlib.MAX_WBITS)


def _inflated(body: bytes, bits: int) -> bytes:
    decoder = zlib.decompressobj(bits)
    found = _within(decoder.decompress(body, LARGEST + 1))
    if not decoder.eof or decoder.unused_data:
        raise EOFError
    return found


def _brotli(body: bytes) -> bytes:
    decoder, found = brotli.Decompressor(), bytearray()
    for start in range(0, len(body), _BROTLI_PIECE):
        found += _within(decoder.process(body[start : start + _BROTLI_PIECE]), len(found))
    if not decoder.is_finished():
        raise EOFError
    return bytes(found)


def _zstd(body: bytes) -> bytes:
    decoder = zstandard.ZstdDecompressor(max_window_size=LARGEST)
    # A frame that is cut off reads as if it ended there; only one at a time says that it did not.
    found = bytearray()
    while body:
        one = decoder.decompressobj()
        stream = io.BytesIO(body)
        while not one.eof and (piece := stream.read(_BROTLI_PIECE)):
            found += _within(one.decompress(piece), len(found))
        if not one.eof:
            raise EOFError
        body = one.unused_data + stream.read()
    return bytes(found)


def _within(piece: bytes, before: int = 0) -> bytes:
    if before + len(piece) > LARGEST:
        raise UndecodableError(_TOO_LARGE)
    return piece


_DECODERS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
