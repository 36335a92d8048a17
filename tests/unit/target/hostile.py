"""Malformed and hostile responses, by name."""

import gzip
import json
import socket
import struct
import zlib
from collections.abc import Callable, Mapping
from typing import Final

from .servers import response

Send = Callable[[socket.socket], None]
"""Sends a response."""
HostileResponse = Callable[[int, bytes], bytes | Send]
"""Turns the status and the JSON body of a correct response into a hostile response, or a function that sends it."""


def reply(status: int | str, body: bytes, *headers: str, media: str = "application/json") -> bytes:
    """Return a response; a number as the status gets a reason."""
    return response(body, f"{status} X" if isinstance(status, int) else status, f"Content-Type: {media}", *headers)


def _member(body: bytes, text: bytes) -> bytes:
    """Add a member to a JSON object."""
    return body.rstrip()[:-1] + (b"," if len(body) > 2 else b"") + text + b"}" if body.startswith(b"{") else body


def _with_strings(body: bytes, *, deep: bool) -> bytes:
    """Replace the members of a JSON object, or only what they contain, by strings."""

    def replaced(value: object, *, deep: bool) -> object:
        if deep and isinstance(value, dict):
            return {name: replaced(member, deep=True) for name, member in value.items()}
        return [replaced(member, deep=True) for member in value] if deep and isinstance(value, list) else "x"

    content = json.loads(body)
    return json.dumps({name: replaced(member, deep=deep) for name, member in content.items()}).encode()


def _reset(status: int, body: bytes) -> Send:
    def send(connection: socket.socket) -> None:
        connection.sendall(reply(status, body)[: -max(1, len(body) // 2)])
        # With this option, closing the socket resets the connection.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    return send


def _chunked(body: bytes, end: bytes = b"0\r\n\r\n") -> bytes:
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:7], body[7:]) if part)
    return chunks + end


def _head(status: int, *lines: bytes) -> bytes:
    return b"\r\n".join([b"HTTP/1.1 %d X" % status, *lines]) + b"\r\n\r\n"


def _then_close(content: bytes) -> Send:
    def send(connection: socket.socket) -> None:
        connection.sendall(content)
        connection.close()

    return send


_CHUNKED: Final = b"Transfer-Encoding: chunked"

HOSTILE: Final[Mapping[str, HostileResponse]] = {
    "unknown encoding": lambda status, body: reply(status, body, "Content-Encoding: snappy"),
    "gzip that is none": lambda status, body: reply(status, body, "Content-Encoding: gzip"),
    "br that is none": lambda status, body: reply(status, body, "Content-Encoding: br"),
    "zstd that is none": lambda status, body: reply(status, body, "Content-Encoding: zstd"),
    "stacked encodings": lambda status, body: reply(
        status, zlib.compress(gzip.compress(body)), "Content-Encoding: gzip, deflate, gzip"
    ),
    "cut gzip": lambda status, body: reply(status, gzip.compress(body)[:-9], "Content-Encoding: gzip"),
    "gzip bomb": lambda status, _: reply(status, gzip.compress(bytes(64 << 20)), "Content-Encoding: gzip"),
    "duplicate names": lambda status, body: reply(status, _member(body, b'"zz":1,"zz":2')),
    "NaN": lambda status, body: reply(status, _member(body, b'"zz":NaN')),
    "infinite number": lambda status, body: reply(status, _member(body, b'"zz":1e999')),
    "long integer": lambda status, body: reply(status, _member(body, b'"zz":' + b"9" * 5000)),
    "lone surrogate": lambda status, body: reply(status, _member(body, b'"zz":"\\ud800"')),
    "deep nesting": lambda status, body: reply(status, _member(body, b'"zz":' + b"[" * 900 + b"]" * 900)),
    "too deep nesting": lambda status, body: reply(status, _member(body, b'"zz":' + b"[" * 90_000 + b"]" * 90_000)),
    "strings everywhere": lambda status, body: reply(status, json.dumps(json.loads(body), default=str).encode()[:-1]),
    "UTF-16": lambda status, body: reply(
        status, body.decode().encode("utf-16"), media="application/json;charset=utf-16"
    ),
    "Latin-1": lambda status, body: reply(status, _member(body, b'"zz":"\xe9"')),
    "wrong charset": lambda status, body: reply(status, body, media="application/json; charset=x-none; x"),
    "byte order mark": lambda status, body: reply(status, b"\xef\xbb\xbf" + body),
    "cut JSON": lambda status, body: reply(status, body[: len(body) // 2]),
    "strings for all values": lambda status, body: reply(status, _with_strings(body, deep=True)),
    "strings for all members": lambda status, body: reply(status, _with_strings(body, deep=False)),
    "null": lambda status, _: reply(status, b"null"),
    "array": lambda status, _: reply(status, b"[[]]"),
    "string": lambda status, _: reply(status, b'"\\u0000"'),
    "number": lambda status, _: reply(status, b"-0.0"),
    "nothing": lambda status, _: reply(status, b""),
    "no content": lambda _status, _body: reply(204, b""),
    "HTML": lambda status, _: reply(status, b"<html>\x00</html>", media="text/html"),
    "too large": lambda status, _: reply(status, b" " * (6 << 20)),
    "redirect loop": lambda _status, body: reply(302, body, "Location: /v4/search"),
    "redirect to nowhere": lambda _status, body: reply(307, body, "Location: http://[::1:x/\xff"),
    "informational flood": lambda status, body: _head(100) * 50 + _head(103, b"Link: </x>") * 50 + reply(status, body),
    "switching protocols": lambda _status, _body: reply(101, b""),
    "unknown status": lambda _status, body: reply(799, body),
    "no reason": lambda status, body: reply(str(status), body),
    "status of letters": lambda _status, body: reply("2xx OK", body),
    "status of four digits": lambda _status, body: reply("2000 OK", body),
    "reset in the body": _reset,
    "chunks": lambda status, body: _head(status, _CHUNKED) + _chunked(body),
    "garbage as chunks": lambda status, body: _then_close(
        _head(status, b"Transfer-Encoding: chunked") + b"zz\r\n" + body
    ),
    "negative chunk": lambda status, body: _then_close(_head(status, b"Transfer-Encoding: chunked") + b"-5\r\n" + body),
    "chunks without an end": lambda status, body: _then_close(
        _head(status, b"Transfer-Encoding: chunked") + _chunked(body, b"")
    ),
    "two lengths": lambda status, body: _then_close(
        _head(status, b"Content-Length: 1", b"Content-Length: %d" % len(body)) + body
    ),
    "length of letters": lambda status, body: _then_close(_head(status, b"Content-Length: all") + body),
    "negative length": lambda status, body: _then_close(_head(status, b"Content-Length: -1") + body),
    "header without a colon": lambda status, body: _then_close(_head(status, b"no colon", b"X: y") + body),
    "header with control characters": lambda status, body: reply(status, body, "X-Odd: \x01\x7f\x80\xff\t"),
    "header name with a space": lambda status, body: _then_close(_head(status, b"X Odd : y", b" folded") + body),
    "large header": lambda status, body: _then_close(_head(status, b"X-Large: " + b"x" * 100_000) + body),
    "many headers": lambda status, body: _then_close(_head(status, *(b"X-%d: y" % n for n in range(500))) + body),
    "odd cookies": lambda status, body: reply(status, body, "Set-Cookie: \x80=;=;;expires=never;max-age=x;domain=.."),
    "odd dates": lambda status, body: reply(status, body, "Date: 0", "Retry-After: \xb2", "Age: -1"),
    "HTTP/0.9": lambda _status, body: _then_close(body),
    "HTTP/3.7": lambda status, body: reply(status, body).replace(b"HTTP/1.1", b"HTTP/3.7"),
    "a mail server": lambda _status, _body: _then_close(b"220 mail.example ESMTP\r\n"),
    "closed at once": lambda _status, _body: _then_close(b""),
}
