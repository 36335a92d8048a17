"""Read HAR 1.2 files of any size, one entry at a time: https://w3c.github.io/web-performance/specs/HAR/Overview.html.

Python's own JSON decoder reads one entry after the other. A shortcut saves a tenth to a fifth of the time of an audit
with large bodies: most recorders write the keys of each entry in the same order, so the text up to the next object with
the same first key is probably an entry, and `orjson`, which is much faster, confirms or rejects that.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar, Final
from urllib.parse import urlencode

import orjson

from airworthy.audit.recording import CHUNK_SIZE, RecordedEntry, Recording, UnreadableRecordingError
from airworthy.contract import Exchange, Headers, Request, Response, header
from airworthy.contract.bodies.body import Json, read_json
from airworthy.evidence.compression import Data
from airworthy.traffic.content_encoding import UndecodableError, decode

_SMALLEST_WINDOW: Final = 16 * 1024
_LARGEST_WINDOW: Final = 256 * 1024 * 1024
# An error so close to the end of the window may be an escape or a literal that the window cut in two.
_LONGEST_TOKEN: Final = 16
_SEPARATOR_LENGTH: Final = 256
_BOM: Final = b"\xef\xbb\xbf"
_BLANKS: Final = re.compile(rb"[ \t\r\n]*+")
_FIRST_KEY: Final = re.compile(rb'\{\s*+("[^"\\]*+")')
_END_OF_ENTRY: Final = re.compile(rb"\}\s*+,\s*+\{\s*+\Z")
_NEXT_OBJECT: Final = re.compile(rb',\s*+(?=\{\s*+")')
_MILLISECONDS: Final = 1000
_NO_CONTENT: Final = (204, 205, 304)
_BASE64: Final = "base64"
_FORM: Final = "application/x-www-form-urlencoded"
_decode: Final = json.JSONDecoder().raw_decode


class HarRecording(Recording):
    """The entries of a HAR file."""

    format_name: ClassVar[str] = "har"

    def __init__(self, data: Data) -> None:
        super().__init__(data)
        self._window = _SMALLEST_WINDOW
        self._first = self._find_entries()
        first_key = _FIRST_KEY.match(data, self._first)
        self._first_key = first_key[1] if first_key else None

    def chunks(self) -> Iterator[tuple[int, int]]:
        """Yield byte ranges that probably begin at an entry; reading the entries before one shows whether it does."""
        start = self._first
        while start < len(self._data):
            end = self._find_entry(start + CHUNK_SIZE) or len(self._data)
            yield start, end
            start = end

    def entries(self, start: int) -> Iterator[RecordedEntry]:
        """Yield the entries from a byte offset on. A damaged part of the file is one entry with a ``problem``."""
        at = self._skip_blanks(start)
        while self._byte(at) != b"]":
            entry = self._entry(at)
            yield entry
            separator = self._skip_blanks(entry.end)
            if separator == len(self._data):
                return
            at = self._skip_blanks(separator + 1) if self._byte(separator) == b"," else separator
        try:
            orjson.loads(b'{"log":{"entries":[' + self._data[at:])
        except orjson.JSONDecodeError:
            problem = "the file is not valid JSON after its entries, or truncated"
            yield RecordedEntry(at, len(self._data), problem=problem)

    @staticmethod
    def content(raw: bytes) -> Json:
        """Return the content of an entry."""
        try:
            return orjson.loads(raw)
        except orjson.JSONDecodeError:
            # Unlike the standard library, orjson rejects lone surrogates, NaN and large numbers.
            try:
                return json.loads(raw.decode("utf-8", "replace"))
            except RecursionError:
                raise UnreadableRecordingError("the entry is nested too deeply") from None

    @staticmethod
    def exchange(content: Json, key: str) -> tuple[Exchange, dict[str, str]]:
        """Return the exchange in an entry, with ``key`` as its id, and the reason for each body that is missing."""
        if not isinstance(content, dict):
            raise UnreadableRecordingError("the entry is not an object")
        # Chromium marks what it read from its cache. The service did not send that response at that time.
        if content.get("_fromCache"):
            raise UnreadableRecordingError("the response is from the browser's cache")
        sent, received = _object(content, "request"), _object(content, "response")
        unread: dict[str, str] = {}
        headers = _headers(sent)
        body, reason = _request_body(sent, headers)
        if reason:
            unread["request_unread"] = reason
        url = _text(sent, "url").partition("#")[0]
        request = Request(_text(sent, "method"), url, headers, body)
        response = None
        status = received.get("status")
        if type(status) is not int:
            raise UnreadableRecordingError("the entry's response has no status")
        # Browsers write the status 0 if there was no response.
        if status > 0:
            headers = _headers(received)
            body, reason = _response_body(received, status, headers)
            if reason:
                unread["response_unread"] = reason
            response = Response(status, headers, body)
        elapsed = content.get("time")
        seconds = elapsed / _MILLISECONDS if isinstance(elapsed, int | float) and elapsed > 0 else 0.0
        return Exchange(key, _moment(_text(content, "startedDateTime")), seconds, request, response), unread

    def _entry(self, at: int) -> RecordedEntry:
        """Return the entry at a byte offset, or the damaged part that begins there."""
        if entry := self._entry_by_first_key(at):
            return entry
        problem = "the entry is not valid JSON"
        try:
            value, end = self._value(at)
            if self._byte(self._skip_blanks(end)) in (b",", b"]"):
                return RecordedEntry(at, end, value)
        except RecursionError:
            problem = "the entry is nested too deeply"
        except ValueError:
            pass
        following = self._find_entry(at)
        if following is None:
            problem = "the file is truncated or damaged from this entry on"
            return RecordedEntry(min(at, len(self._data) - 1), len(self._data), problem=problem)
        return RecordedEntry(at, following, problem=problem)

    def _entry_by_first_key(self, at: int) -> RecordedEntry | None:
        """Return the text up to the next object with the first key of an entry, if that is valid JSON."""
        if self._first_key is None:
            return None
        key = at + 1
        while (key := self._data.find(self._first_key, key + 1)) >= 0:
            begin = max(at, key - _SEPARATOR_LENGTH)
            if found := _END_OF_ENTRY.search(self._data[begin:key]):
                end = begin + found.start() + 1
                try:
                    return RecordedEntry(at, end, orjson.loads(self._data[at:end]))
                except orjson.JSONDecodeError:
                    return None
        return None

    def _find_entry(self, at: int) -> int | None:
        """Return the offset of the first complete object after a comma that has the members of an entry."""
        while separator := _NEXT_OBJECT.search(self._data, at):
            at = separator.end()
            try:
                value, end = self._value(at)
            except (ValueError, RecursionError):
                continue
            if value.keys() >= {"request", "response"}:
                return at
            at = end
        return None

    def _value(self, at: int) -> tuple[Json, int]:
        """Return the JSON value at a byte offset, and the offset of its end.

        Raises ValueError if it is not valid JSON or too large, RecursionError if it is nested too deeply.
        """
        size = self._window
        while True:
            text = self._data[at : at + size].decode("utf-8", "surrogateescape")
            is_whole = at + size >= len(self._data) or size >= _LARGEST_WINDOW
            try:
                value, end = _decode(text)
            except json.JSONDecodeError as error:
                is_cut = error.msg.startswith("Unterminated string") or error.pos + _LONGEST_TOKEN > len(text)
                if is_whole or not is_cut:
                    raise
            else:
                # A number at the end of the window may go on.
                if is_whole or end < len(text):
                    length = len(text[:end].encode("utf-8", "surrogateescape"))
                    self._window = max(_SMALLEST_WINDOW, 2 * length)
                    return value, at + length
            size *= 4

    def _find_entries(self) -> int:
        log = self._member(len(_BOM) if self._data[: len(_BOM)] == _BOM else 0, "log")
        entries = self._member(log, "entries")
        if self._byte(entries) != b"[":
            raise UnreadableRecordingError("log.entries of the file is not an array")
        first = self._skip_blanks(entries + 1)
        if first == len(self._data):
            raise UnreadableRecordingError("the file is truncated before its first entry")
        return first

    def _member(self, at: int, name: str) -> int:
        """Return the byte offset of the value of a member of the object at an offset."""
        at = self._skip_blanks(at)
        if self._byte(at) != b"{":
            raise UnreadableRecordingError(f"the file has no object with a member {name}")
        separator = b","
        try:
            while separator == b",":
                key, at = self._value(self._skip_blanks(at + 1))
                at = self._skip_blanks(at)
                if self._byte(at) != b":":
                    break
                at = self._skip_blanks(at + 1)
                if key == name:
                    return at
                _, at = self._value(at)
                at = self._skip_blanks(at)
                separator = self._byte(at)
        except (ValueError, RecursionError):
            pass
        raise UnreadableRecordingError(f"the file has no member {name}, or is truncated before it")

    def _byte(self, at: int) -> bytes:
        return self._data[at : at + 1]

    def _skip_blanks(self, at: int) -> int:
        found = _BLANKS.match(self._data, at)
        return found.end() if found else at


def _request_body(request: Mapping[str, Any], headers: Headers) -> tuple[bytes | None, str]:
    posted = request.get("postData", {})
    if posted is None:
        posted = {}
    if not isinstance(posted, dict):
        raise UnreadableRecordingError("the entry's postData is not an object")
    text = posted.get("text")
    if isinstance(text, str) and text:
        return _decoded(text, posted.get("encoding")), ""
    fields = posted.get("params")
    if not fields:
        # A recorder may describe a body without recording its content.
        omitted = bool(posted) and text is None and fields is None
        had_body = omitted or _had_body(request, headers)
        return (None, "the recording does not contain the request body") if had_body else (b"", "")
    media = posted.get("mimeType")
    if not isinstance(fields, list) or not (isinstance(media, str) and media.lower().startswith(_FORM)):
        return None, "the recording does not contain the request body as it was sent"
    pairs = [(_text(each, "name"), _text(each, "value", "")) for each in fields if isinstance(each, dict)]
    return urlencode(pairs).encode(), ""


def _had_body(request: Mapping[str, Any], headers: Headers) -> bool:
    """Whether the request had a body that the recorder omitted: some recorders keep only its size."""
    size, declared = request.get("bodySize"), header(headers, "Content-Length") or ""
    return (isinstance(size, int) and size > 0) or declared.strip("0 ").isdigit()


def _response_body(response: Mapping[str, Any], status: int, headers: Headers) -> tuple[bytes | None, str]:
    content = response.get("content")
    content = content if isinstance(content, dict) else {}
    text, size = content.get("text"), content.get("size")
    expected = size if isinstance(size, int) else 0
    if not isinstance(text, str):
        empty = status in _NO_CONTENT or (size == 0 and response.get("bodySize") in (0, None))
        return (b"", "") if empty else (None, "the recording does not contain the response body")
    body = _decoded(text, content.get("encoding"))
    if content.get("encoding") == _BASE64 and header(headers, "Content-Encoding"):
        body = _without_content_encoding(body, headers)
    # Some recorders truncate long bodies. Judging the rest would report violations that did not occur.
    if len(body) < expected and read_json(body).broken:
        return None, "the recording contains only a part of the response body"
    return body, ""


def _decoded(text: str, encoding: Json) -> bytes:
    if encoding != _BASE64:
        # A lone surrogate makes the body invalid UTF-8, which the contract reports.
        return text.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(text, validate=False)
    except (binascii.Error, ValueError):
        raise UnreadableRecordingError("a body is declared as base64 and is not") from None


def _without_content_encoding(body: bytes, headers: Headers) -> bytes:
    """Return a body as HAR defines it: some recorders store what was transferred instead of what it decodes to."""
    if read_json(body).readable:
        return body
    try:
        return decode(body, headers)
    except UndecodableError:
        return body


def _headers(part: Mapping[str, Any]) -> Headers:
    found = part.get("headers")
    if found is None:
        return ()
    if not isinstance(found, list):
        raise UnreadableRecordingError("the entry's headers are not an array")
    try:
        pairs = [(each["name"], each["value"]) for each in found]
    except (TypeError, LookupError):
        raise UnreadableRecordingError("the entry's headers do not have names and values") from None
    for name, value in pairs:
        if type(name) is not str or type(value) is not str:
            raise UnreadableRecordingError("the entry's header names and values are not strings")
    # The pseudo-headers of HTTP/2 repeat the request line.
    return tuple([pair for pair in pairs if not pair[0].startswith(":")])


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise UnreadableRecordingError("the entry's startedDateTime is not a date-time") from None


def _object(entry: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = entry.get(name)
    if not isinstance(found, dict):
        raise UnreadableRecordingError(f"the entry has no {name}")
    return found


def _text(holder: Mapping[str, Any], name: str, default: str | None = None) -> str:
    found = holder.get(name, default)
    if not isinstance(found, str):
        raise UnreadableRecordingError(f"the entry's {name} is not a string")
    return found
