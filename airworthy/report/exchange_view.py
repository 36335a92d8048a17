"""Show the exchange of a failure: request, response, the lines at fault, and a command that repeats it."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from http.client import responses
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal

import orjson

from airworthy.contract.http.exchange import Headers
from airworthy.evidence.curl_command import curl
from airworthy.evidence.marks import Spans, shown, shown_json
from airworthy.evidence.recorder import EvidenceRecord, read
from airworthy.evidence.redaction import RedactedExchange

Records = Mapping[str, EvidenceRecord]
Side = Literal["request", "response", ""]

_AROUND: Final = 25
_HEAD: Final = 12
_WIDEST: Final = 400
_LARGEST: Final = 512 * 1024
_LONGEST_COMMAND: Final = 8000


@dataclass(frozen=True, slots=True)
class LineView:
    """A line of a request or response. ``marked``: at fault. ``omitted``: a placeholder for lines not shown."""

    text: str
    marked: bool = False
    omitted: bool = False


@dataclass(frozen=True, slots=True)
class MessageView:
    """A request or a response: its first line, headers and body."""

    first: LineView
    headers: tuple[LineView, ...]
    body: tuple[LineView, ...]


@dataclass(frozen=True, slots=True)
class ExchangeView:
    """An exchange as the report shows it. ``elapsed`` is in seconds; ``response`` is None if there was no response.

    ``command`` is a curl command that repeats the request; it is empty if it would be too long to paste.
    """

    exchange: str
    elapsed: float
    request: MessageView
    response: MessageView | None
    command: str


def load_records(evidence: Path, exchanges: Collection[str]) -> Records:
    """Return the records of some exchanges, none if the file does not exist. Raises `UsageError` as `read` does."""
    if not exchanges or not evidence.is_file():
        return {}
    return {record.exchange.id: record for record in read(evidence) if record.exchange.id in exchanges}


def view_exchange(record: RedactedExchange, side: Side = "", pointer: str = "") -> ExchangeView:
    """Return the view of an exchange. ``side`` and ``pointer`` (as in a `Finding`) say which lines to mark."""
    exchange, marks = record.exchange, record.marks
    request, response = exchange.request, exchange.response
    in_request, in_response = (pointer if side == each else "" for each in ("request", "response"))
    is_in_url = in_request == "path" or in_request.startswith("query:")
    request_view = MessageView(
        LineView(request_line(record), marked=is_in_url),
        _headers(record, "request", request.headers, in_request),
        _body(request.body, record.excerpts.get("request"), marks.get("request.body", ()), in_request),
    )
    response_view = None
    if response is not None:
        response_view = MessageView(
            LineView(f"{response.status} {responses.get(response.status, '')}", marked=in_response == "status"),
            _headers(record, "response", response.headers, in_response),
            _body(response.body, record.excerpts.get("response"), marks.get("response.body", ()), in_response),
        )
    command = curl(record)
    if len(command) >= _LONGEST_COMMAND:
        command = ""
    return ExchangeView(exchange.id, exchange.elapsed, request_view, response_view, command)


def request_line(redacted: RedactedExchange) -> str:
    """Return the method and the URL of a request, with marks on what was redacted."""
    request, marks = redacted.exchange.request, redacted.marks
    return (
        f"{shown(request.method, marks.get('request.method', ()))} {shown(request.url, marks.get('request.url', ()))}"
    )


def _headers(record: RedactedExchange, side: Side, headers: Headers, pointer: str) -> tuple[LineView, ...]:
    return tuple(
        LineView(
            shown(f"{name}: {value}", record.marks.get(f"{side}.{number}", ())),
            f"header:{name}".lower() == pointer.lower(),
        )
        for number, (name, value) in enumerate(headers)
    )


def _body(body: bytes | None, excerpt: str | None, spans: Spans, pointer: str) -> tuple[LineView, ...]:
    if body is None:
        return tuple(LineView(line) for line in shown(excerpt or "(the body was not recorded)", spans).splitlines())
    if not body:
        return ()
    text = body.decode("utf-8", "replace")
    try:
        document = orjson.loads(shown_json(text, spans)) if len(body) <= _LARGEST else None
        lines = _indented(document).splitlines() if document is not None else None
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        lines = None
    if lines is None:
        return tuple(_bounded(shown(text, spans).splitlines(), 0, 0))
    first, count = _place(document, pointer)
    return tuple(_bounded(lines, first, count))


def _indented(value: Any) -> str:  # noqa: ANN401 - any JSON value
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


def _height(value: Any) -> int:  # noqa: ANN401 - any JSON value
    return _indented(value).count("\n") + 1


def _place(document: Any, pointer: str) -> tuple[int, int]:  # noqa: ANN401 - any JSON value
    """Return the position of the value at a pointer in the indented document: its first line and number of lines.

    For a missing value this is the first line of its parent. Without a pointer the number of lines is 0.
    """
    if not pointer.startswith("/"):
        return 0, 0
    value, line = document, 0
    for step in pointer[1:].split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        pairs = value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
        siblings = list(pairs)
        position = next((index for index, (key, _) in enumerate(siblings) if str(key) == name), None)
        if position is None:
            return line, 1
        line += 1 + sum(_height(sibling) for _, sibling in siblings[:position])
        value = siblings[position][1]
    return line, _height(value)


def _bounded(lines: list[str], first: int, count: int) -> Iterator[LineView]:
    """Yield the beginning of a body and the lines around the marked ones, with the number of lines left out between."""
    shown = set(range(min(len(lines), _HEAD if count else 2 * _AROUND)))
    if count:
        shown |= set(range(max(0, first - _AROUND), min(len(lines), first + min(count, _AROUND) + _AROUND)))
    for is_shown, group in groupby(range(len(lines)), shown.__contains__):
        numbers = list(group)
        if not is_shown:
            yield LineView(f"… {len(numbers)} more line{'s' if len(numbers) > 1 else ''} …", omitted=True)
            continue
        for number in numbers:
            line = lines[number]
            text = line if len(line) <= _WIDEST else f"{line[:_WIDEST]}… ({len(line)} characters)"
            yield LineView(text, marked=first <= number < first + count)
