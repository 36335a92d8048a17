"""Valid and unusual requests and responses that a proxy must not change."""

import gzip
import json
import zlib

import brotli
import zstandard

from airworthy.contract import Exchange
from conformance.v4 import samples

JSON = b"Content-Type: application/json"


def request(exchange: Exchange, *headers: bytes, path: str = "", body: bytes | None = None) -> bytes:
    """Return a request of the suite's samples as bytes."""
    sample = exchange.request
    path = path or "/" + sample.url.partition("://")[2].partition("/")[2]
    body = sample.body or b"" if body is None else body
    sent = [f"{name}: {value}".encode() for name, value in sample.headers]
    lines = [f"{sample.method} {path} HTTP/1.1".encode(), b"Host: 127.0.0.1", *sent, *headers]
    if not any(header.lower().startswith(b"transfer-encoding") for header in headers):
        lines.append(f"Content-Length: {len(body)}".encode())
    return b"\r\n".join([*lines, b"", body])


def response(body: bytes, *headers: bytes, status: bytes = b"200 OK", length: bool = True) -> bytes:
    sized = [f"Content-Length: {len(body)}".encode()] if length else []
    return b"\r\n".join([b"HTTP/1.1 " + status, *headers, *sized, b"", body])


def chunked(body: bytes, size: int = 100) -> bytes:
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(f"{len(piece):x}\r\n".encode() + piece + b"\r\n" for piece in pieces) + b"0\r\n\r\n"


SEARCH = samples.sample("searchOffers")
FOUND = (SEARCH.response and SEARCH.response.body) or b""
OFFERS = json.loads(FOUND)["offers"]
LARGE = json.dumps(json.loads(FOUND) | {"offers": OFFERS * (10_000_000 // len(json.dumps(OFFERS)))}).encode()
ENCODED = {
    "identity": FOUND,
    "gzip": gzip.compress(FOUND),
    "br": brotli.compress(FOUND),
    "zstd": zstandard.compress(FOUND),
    "deflate": zlib.compress(FOUND),
}
RESPONSES: dict[str, bytes] = {
    "as documented": response(FOUND, JSON),
    **{name: response(body, JSON, f"Content-Encoding: {name}".encode()) for name, body in ENCODED.items()},
    "in chunks": response(chunked(FOUND), JSON, b"Transfer-Encoding: chunked", length=False),
    "until the end": response(FOUND, JSON, b"Connection: close", length=False),
    "not gzip": response(FOUND, JSON, b"Content-Encoding: gzip"),
    "unknown encoding": response(FOUND, JSON, b"Content-Encoding: rot13"),
    "headers twice": response(
        FOUND, JSON, b"Set-Cookie: a=1", b"set-cookie: b=2", b"X-Odd: \xe9\xff", b"X-ODD:   blank  "
    ),
    "a page": response(b"<p>\xff\xfe</p>", b"Content-Type: text/html; charset=utf-16", status=b"502 Bad Gateway"),
    "nothing": b"HTTP/1.1 204 No Content\r\nX-Empty:\r\n\r\n",
    "no JSON": response(b'{"offers": [NaN, {"a": 1, "a": 2}', JSON),
    "deep": response(b"[" * 100_000, JSON),
    "10 MB": response(LARGE, JSON),
}
REQUESTS: dict[str, bytes] = {
    "as documented": request(SEARCH),
    "in chunks": request(SEARCH, b"Transfer-Encoding: chunked", body=chunked(SEARCH.request.body or b"")),
    "encoded": request(SEARCH, b"Content-Encoding: gzip", body=gzip.compress(SEARCH.request.body or b"")),
    "odd path": request(SEARCH, path="/v4//search?b=%zz&a&a=%E9#x"),
    "headers twice": request(SEARCH, b"X-Odd: \xe9", b"x-odd: 2", b"X-EMPTY:"),
    "wrong": request(SEARCH, body=b'{"adults": 0, "\xff'),
}
