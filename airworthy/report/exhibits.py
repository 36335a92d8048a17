"""What a failure shows of its exchange: what was sent, what came, which place is at fault, and how to repeat it."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, Literal

import orjson

from airworthy.contract.exchange import Headers
from airworthy.evidence import EvidenceRecord, curl, read

Records = Mapping[str, EvidenceRecord]
Side = Literal["request", "response", ""]

_AROUND: Final = 25
_HEAD: Final = 12
_WIDEST: Final = 400
_LARGEST: Final = 512 * 1024
_LONGEST_COMMAND: Final = 8000


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a message. ``marked`` says that it is at fault, ``left_out`` that it stands for lines not shown."""

    text: str
    marked: bool = False
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One side of an exchange as it is shown: its first line, its headers, its body."""

    first: Line
    headers: tuple[Line, ...]
    body: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Exhibit:
    """An exchange as a failure shows it. ``elapsed`` is in seconds; ``response`` is None where no answer came.

    ``command`` repeats the exchange; it is empty where it would be too long to be pasted.
    """

    exchange: str
    elapsed: float
    request: Message
    response: Message | None
    command: str


def load_records(evidence: Path, exchanges: Collection[str]) -> Records:
    """Return the records of some exchanges; none where the file is not there. Raises `UsageError` as `read` does."""
    if not exchanges or not evidence.is_file():
        return {}
    return {record.exchange.id: record for record in read(evidence) if record.exchange.id in exchanges}


def exhibit(record: EvidenceRecord, side: Side = "", pointer: str = "") -> Exhibit:
    """Show an exchange with the place at fault marked: ``side`` and ``pointer`` are those of a `Finding`."""
    exchange = record.exchange
    asked, answer = exchange.request, exchange.response
    sent, came = (pointer if side == each else "" for each in ("request", "response"))
    request = Message(
        Line(f"{asked.method} {asked.url}", marked=sent == "path" or sent.startswith("query:")),
        _headers(asked.headers, sent),
        _body(asked.body, record.excerpts.get("request"), sent),
    )
    response = None
    if answer is not None:
        response = Message(
            Line(f"{answer.status} {_phrase(answer.status)}", marked=came == "status"),
            _headers(answer.headers, came),
            _body(answer.body, record.excerpts.get("response"), came),
        )
    command = curl(exchange)
    return Exhibit(exchange.id, exchange.elapsed, request, response, command if len(command) < _LONGEST_COMMAND else "")


def _phrase(status: int) -> str:
    return next((each.phrase for each in HTTPStatus if each == status), "")


def _headers(headers: Headers, pointer: str) -> tuple[Line, ...]:
    return tuple(Line(f"{name}: {value}", f"header:{name}".lower() == pointer.lower()) for name, value in headers)


def _body(body: bytes | None, excerpt: str | None, pointer: str) -> tuple[Line, ...]:
    if body is None:
        return tuple(Line(line) for line in (excerpt or "(the body was not there to be read)").splitlines())
    if not body:
        return ()
    try:
        document = orjson.loads(body) if len(body) <= _LARGEST else None
        lines = _indented(document).splitlines() if document is not None else None
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        lines = None
    if lines is None:
        return tuple(_bounded(body.decode("utf-8", "replace").splitlines(), 0, 0))
    first, count = _place(document, pointer)
    return tuple(_bounded(lines, first, count))


def _indented(value: Any) -> str:  # noqa: ANN401 - any JSON value
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


def _height(value: Any) -> int:  # noqa: ANN401 - any JSON value
    return _indented(value).count("\n") + 1


def _place(document: Any, pointer: str) -> tuple[int, int]:  # noqa: ANN401 - any JSON value
    """Return where the value at a pointer stands in the indented document: its first line and the number of lines.

    Of a value that is missing it is the first line of what should hold it; without a pointer there is no place.
    """
    if not pointer.startswith("/"):
        return 0, 0
    value, line = document, 0
    for step in pointer[1:].split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        siblings = list(value.items()) if isinstance(value, dict) else list(enumerate(_items(value)))
        position = next((index for index, (key, _) in enumerate(siblings) if str(key) == name), None)
        if position is None:
            return line, 1
        line += 1 + sum(_height(sibling) for _, sibling in siblings[:position])
        value = siblings[position][1]
    return line, _height(value)


def _items(value: Any) -> list[Any]:  # noqa: ANN401 - any JSON value
    return value if isinstance(value, list) else []


def _bounded(lines: list[str], first: int, count: int) -> Iterator[Line]:
    """Yield the head of a body and what is around the marked lines; what is left out between them is counted."""
    shown = set(range(min(len(lines), _HEAD if count else 2 * _AROUND)))
    shown |= (
        set(range(max(0, first - _AROUND), min(len(lines), first + min(count, _AROUND) + _AROUND))) if count else set()
    )
    gap = 0
    for number, line in enumerate(lines):
        if number not in shown:
            gap += 1
            continue
        if gap:
            yield Line(_left_out(gap), left_out=True)
            gap = 0
        text = line if len(line) <= _WIDEST else f"{line[:_WIDEST]}… ({len(line)} characters)"
        yield Line(text, marked=first <= number < first + count)
    if gap:
        yield Line(_left_out(gap), left_out=True)


def _left_out(gap: int) -> str:
    return f"… {gap} more line{'s' if gap > 1 else ''} …"
