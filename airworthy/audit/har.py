"""HAR 1.2, as browsers and proxies write it: https://w3c.github.io/web-performance/specs/HAR/Overview.html.

A HAR of gigabytes is never held as a whole. Where one entry ends and the next begins is guessed by how entries open,
which is quick, and proved by parsing what lies between; where the guess does not hold, the text is read exactly.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlencode

import orjson

from airworthy.audit.pieces import Data, Piece, UnreadableError
from airworthy.contract import Exchange, Headers, Request, Response, header
from airworthy.contract.body import Json, read_json

MOST_NESTED: Final = 40
_STRIDE: Final = 4 * 1024 * 1024
_LOOK_BACK: Final = 256
_STRING: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_MILLISECONDS: Final = 1000
_NO_CONTENT: Final = (204, 205, 304)
_FORM: Final = "application/x-www-form-urlencoded"


def _nested(depth: int) -> bytes:
    inner = rb'[^"{}\[\]]++|' + _STRING
    for _ in range(depth):
        inner = rb'[^"{}\[\]]++|' + _STRING + rb"|[{\[](?:" + inner + rb")*+[}\]]"
    return rb"[{\[](?:" + inner + rb")*+[}\]]"


_VALUE: Final = re.compile(_nested(MOST_NESTED) + b"|" + _STRING + rb"|[^\s,\[\]{}]++", re.DOTALL)
_NAME: Final = re.compile(rb"\s*+(" + _STRING + rb")\s*+:\s*+", re.DOTALL)
_OPENING: Final = re.compile(rb"\s*+\{\s*+(" + _STRING + rb")\s*+:", re.DOTALL)
_BEFORE_OPENING: Final = re.compile(rb"\}\s*+,\s*+(?=\{\s*+\Z)", re.DOTALL)
_BLANKS: Final = re.compile(rb"\s*+")
_BOM: Final = b"\xef\xbb\xbf"


class Har:
    """The entries of a HAR file."""

    def __init__(self, data: Data) -> None:
        self._data = data
        self._first = self._find_entries()
        opening = _OPENING.match(data, self._first)
        self._opening = opening[1] if opening else b""

    def spans(self) -> Iterator[tuple[int, int]]:
        """Yield where the file may be cut; a cut that is none shows when the pieces before it are read."""
        start = self._first
        while start < len(self._data):
            found = self._next_opening(start + _STRIDE)
            end = found[1] if found else len(self._data)
            yield start, end
            start = end

    def pieces(self, start: int) -> Iterator[Piece]:
        """Yield the entries from one on, up to the end of their array; what cannot be read in between is one piece."""
        at = _after_blanks(self._data, start)
        if self._data[at : at + 1] == b"]":
            yield from self._tail(at)
            return
        while True:
            piece, following = self._guessed(at) or self._exact(at)
            yield piece
            if following is None:
                return
            if self._data[following : following + 1] == b"]":
                yield from self._tail(following)
                return
            at = _after_blanks(self._data, following + 1)

    def read(self, start: int, end: int) -> Json:
        """Return an entry that was found to lie there."""
        return _parsed(self._data[start:end])

    def exchange(self, content: Json, key: str) -> tuple[Exchange | None, Mapping[str, str]]:
        """Return the exchange that an entry holds, and by side why a body is not there to be read."""
        return exchange(content, key)

    def _guessed(self, at: int) -> tuple[Piece, int] | None:
        """Take what lies before the next opening for an entry, if it is one."""
        found = self._next_opening(at + 1)
        if found is None:
            return None
        end = found[0]
        try:
            value = orjson.loads(self._data[at:end])
        except orjson.JSONDecodeError:
            return None
        return Piece(at, end, value), _after_blanks(self._data, end)

    def _exact(self, at: int) -> tuple[Piece, int | None]:
        """Return the piece here, and where a comma or the end of the array stands after it."""
        found = _VALUE.match(self._data, at)
        if found:
            following = _after_blanks(self._data, found.end())
            if self._data[following : following + 1] in (b",", b"]"):
                try:
                    return Piece(at, found.end(), _parsed(found[0])), following
                except UnreadableError as error:
                    return Piece(at, found.end(), problem=str(error)), following
        following_opening = self._next_opening(at + 1)
        if following_opening is None:
            return Piece(at, len(self._data), problem="the file is cut off, or no JSON from this entry on"), None
        end = following_opening[0]
        return Piece(at, end, problem="the entry is no JSON"), _after_blanks(self._data, end)

    def _next_opening(self, start: int) -> tuple[int, int] | None:
        """Return where an object ends after which the next opens as entries do, and where that begins."""
        at = start
        while self._opening and (at := self._data.find(self._opening, at)) >= 0:
            begin = max(start - 1, at - _LOOK_BACK)
            if found := _BEFORE_OPENING.search(self._data[begin:at]):
                return begin + found.start() + 1, begin + found.end()
            at += len(self._opening)
        return None

    def _tail(self, at: int) -> Iterator[Piece]:
        """Say so where what follows the entries is not the rest of the file."""
        try:
            orjson.loads(b'{"log":{"entries":[' + self._data[at:])
        except orjson.JSONDecodeError:
            yield Piece(at, len(self._data), problem="what follows the entries is no JSON, or cut off")

    def _find_entries(self) -> int:
        at = self._member(len(_BOM) if self._data[: len(_BOM)] == _BOM else 0, "log")
        at = self._member(at, "entries")
        if self._data[at : at + 1] != b"[":
            raise UnreadableError("the entries of its log are no array")
        if at + 1 == len(self._data):
            raise UnreadableError("it is cut off before its entries")
        return at + 1

    def _member(self, at: int, wanted: str) -> int:
        """Return where the value of a member of the object here begins."""
        at = _after_blanks(self._data, at)
        if self._data[at : at + 1] != b"{":
            raise UnreadableError(f"it has no object with a member {wanted}")
        at += 1
        while name := _NAME.match(self._data, at):
            at = name.end()
            if name[1] == f'"{wanted}"'.encode():
                return at
            value = _VALUE.match(self._data, at)
            if not value:
                break
            at = _after_blanks(self._data, value.end())
            if self._data[at : at + 1] != b",":
                break
            at += 1
        raise UnreadableError(f"it has no member {wanted}, or is cut off before it")


def exchange(entry: Json, key: str) -> tuple[Exchange, dict[str, str]]:
    """Return the exchange that an entry holds, and by side why a body is not there to be read.

    Raises `UnreadableError`.
    """
    if not isinstance(entry, dict):
        raise UnreadableError("the entry is no object")
    asked, answered = _object(entry, "request"), _object(entry, "response")
    unread: dict[str, str] = {}
    headers = _headers(asked)
    body, reason = _sent(asked, headers)
    if reason:
        unread["request_unread"] = reason
    url = _text(asked, "url").partition("#")[0]
    request = Request(_text(asked, "method"), url, headers, body)
    response = None
    status = answered.get("status")
    if type(status) is not int:
        raise UnreadableError("the entry's response has no status")
    # Browsers write the status 0 where no answer came.
    if status > 0:
        headers = _headers(answered)
        body, reason = _came(answered, status)
        if reason:
            unread["response_unread"] = reason
        response = Response(status, headers, body)
    elapsed = entry.get("time")
    seconds = elapsed / _MILLISECONDS if isinstance(elapsed, int | float) and elapsed > 0 else 0.0
    return Exchange(key, _moment(_text(entry, "startedDateTime")), seconds, request, response), unread


def _sent(request: Mapping[str, Any], headers: Headers) -> tuple[bytes | None, str]:
    posted = request.get("postData", {})
    if posted is None:
        posted = {}
    if not isinstance(posted, dict):
        raise UnreadableError("the entry's postData is no object")
    text = posted.get("text")
    if isinstance(text, str) and text:
        return _decoded(text, posted.get("encoding")), ""
    fields = posted.get("params")
    if not fields:
        # What was posted is described, and is not there.
        left_out = bool(posted) and text is None and fields is None
        had_body = left_out or _had_body(request, headers)
        return (None, "the recording does not hold the request's body") if had_body else (b"", "")
    media = posted.get("mimeType")
    if not isinstance(fields, list) or not (isinstance(media, str) and media.lower().startswith(_FORM)):
        return None, "the recording does not hold the request's body as it was sent"
    pairs = [(_text(each, "name"), _text(each, "value", "")) for each in fields if isinstance(each, dict)]
    return urlencode(pairs).encode(), ""


def _had_body(request: Mapping[str, Any], headers: Headers) -> bool:
    """Whether a request without one in the recording had a body: some recorders leave it out, and say its size."""
    size, declared = request.get("bodySize"), header(headers, "Content-Length") or ""
    return (isinstance(size, int) and size > 0) or declared.strip("0 ").isdigit()


def _came(response: Mapping[str, Any], status: int) -> tuple[bytes | None, str]:
    content = response.get("content")
    content = content if isinstance(content, dict) else {}
    text, size = content.get("text"), content.get("size")
    expected = size if isinstance(size, int) else 0
    if not isinstance(text, str):
        empty = status in _NO_CONTENT or (size == 0 and response.get("bodySize") in (0, None))
        return (b"", "") if empty else (None, "the recording does not hold the answer's body")
    body = _decoded(text, content.get("encoding"))
    # Some recorders cut long bodies: what is left of one would seem to be wrong.
    if len(body) < expected and read_json(body).broken:
        return None, "the recording holds only a part of the answer's body"
    return body, ""


def _decoded(text: str, encoding: Json) -> bytes:
    if encoding != "base64":
        # Half a surrogate stays one: it is then no UTF-8, and said to be none.
        return text.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(text, validate=False)
    except (binascii.Error, ValueError):
        raise UnreadableError("a body is said to be base64 and is not") from None


def _headers(message: Mapping[str, Any]) -> Headers:
    found = message.get("headers")
    if found is None:
        return ()
    if not isinstance(found, list):
        raise UnreadableError("the entry's headers are no array")
    try:
        pairs = [(each["name"], each["value"]) for each in found]
    except (TypeError, LookupError):
        raise UnreadableError("the entry's headers are not names with values") from None
    for name, value in pairs:
        if type(name) is not str or type(value) is not str:
            raise UnreadableError("the entry's headers are no texts")
    # HTTP/2's pseudo headers are the request line.
    return tuple([pair for pair in pairs if not pair[0].startswith(":")])


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise UnreadableError("the entry's startedDateTime is no time") from None


def _object(entry: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = entry.get(name)
    if not isinstance(found, dict):
        raise UnreadableError(f"the entry has no {name}")
    return found


def _text(holder: Mapping[str, Any], name: str, default: str | None = None) -> str:
    found = holder.get(name, default)
    if not isinstance(found, str):
        raise UnreadableError(f"the entry's {name} is no text")
    return found


def _parsed(content: bytes) -> Json:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        # It is stricter than others with surrogates, special numbers and nesting.
        try:
            return json.loads(content.decode("utf-8", "replace"))
        except RecursionError:
            raise UnreadableError("the entry is nested too deeply") from None
        except ValueError:
            raise UnreadableError("the entry is no JSON") from None


def _after_blanks(data: Data, at: int) -> int:
    found = _BLANKS.match(data, at)
    return found.end() if found else at
