"""Convert an entry of a HAR 1.2 file to an exchange.

The format: https://w3c.github.io/web-performance/specs/HAR/Overview.html.
"""

import base64
import binascii
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlencode

from airworthy.audit.recording import UnreadableRecordingError
from airworthy.contract import Exchange, Headers, Request, Response, header
from airworthy.contract.bodies.body import Json, read_json
from airworthy.traffic.content_encoding import UndecodableError, decode

_MILLISECONDS: Final = 1000
_NO_CONTENT: Final = (204, 205, 304)
_BASE64: Final = "base64"
_FORM: Final = "application/x-www-form-urlencoded"


def exchange(entry: Json, key: str) -> tuple[Exchange, dict[str, str]]:
    """Return the exchange in an entry, with ``key`` as its id, and the reason for each body that is missing.

    The reasons are ``request_unread`` and ``response_unread``. Raises `UnreadableRecordingError`.
    """
    if not isinstance(entry, dict):
        raise UnreadableRecordingError("the entry is not an object")
    # Chromium marks what it read from its cache. The service did not send that response at that time.
    if entry.get("_fromCache"):
        raise UnreadableRecordingError("the response is from the browser's cache")
    sent, received = _object(entry, "request"), _object(entry, "response")
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
    elapsed = entry.get("time")
    seconds = elapsed / _MILLISECONDS if isinstance(elapsed, int | float) and elapsed > 0 else 0.0
    return Exchange(key, _moment(_text(entry, "startedDateTime")), seconds, request, response), unread


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
