"""Read the bytes of a body as a JSON value, or report why that is not possible."""

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal
from urllib.parse import parse_qsl

import orjson

Json = Any
Pointer = tuple[str | int, ...]
"""A path into a value: member names and array indices."""
LARGEST = 16 * 1024 * 1024
LARGEST_REMEMBERED = 1024 * 1024
# The documented bodies have more than 17 bytes per value, and judging costs time for each value.
BYTES_PER_VALUE = 16
MOST_FIELDS = 1000
EMPTY = "the body is empty"
_TWICE = "the body repeats a name in an object, which parsers resolve differently"
_TOO_DEEP = "the body is nested too deeply"
_BOM = b"\xef\xbb\xbf"
_COLON = re.compile(rb"\\u003[aA]")
_MEMBER = re.compile(rb'"(?:[^"\\]|\\.)*+"[ \t\n\r]*:')


@dataclass(frozen=True, slots=True)
class Body:
    """A body after parsing.

    ``problem`` is empty if ``value`` is what was sent. Otherwise ``broken`` is True if the bytes are not JSON at all,
    and False if they could not be judged (too large, not captured, ambiguous). ``clean`` contains the schemas that the
    value is known to be clean for (see `CompiledSchema.is_clean`).
    """

    value: Json = None
    problem: str = ""
    broken: bool = False
    clean: set[object] = field(default_factory=set, compare=False, repr=False)

    @property
    def readable(self) -> bool:
        """Whether there is a value to judge."""
        return not self.problem


def read_json(content: bytes | None) -> Body:
    """Read a body as JSON; never raises, whatever the bytes. The value is shared: do not change it."""
    if content is None or len(content) > LARGEST:
        return _not_held(content)
    if has_many_values(content, LARGEST):
        return Body(problem=f"the body {too_many_values(LARGEST)}")
    return _read(content) if len(content) <= LARGEST_REMEMBERED else _read.__wrapped__(content)


def has_many_values(content: bytes, largest: int) -> bool:
    """Return whether a body has more values than documented bodies of up to ``largest`` bytes; never parses it."""
    most = largest // BYTES_PER_VALUE
    return len(content) > most and sum(map(content.count, b",[{")) > most


def too_many_values(largest: int) -> str:
    """Return what is wrong with a body that has too many values."""
    return f"has more than {largest // BYTES_PER_VALUE:,} values"


# An exchange is recorded and judged, one after the other.
@lru_cache(maxsize=2)
def _read(content: bytes) -> Body:
    content = content.removeprefix(_BOM)
    if not content.strip():
        return Body(problem=EMPTY, broken=True)
    try:
        value = orjson.loads(content)
        repeats = _repeats_a_name(content, value)
    except (orjson.JSONDecodeError, RecursionError):
        return _why_not(content)
    except TypeError:
        return Body(problem=_TOO_DEEP)
    return Body(problem=_TWICE) if repeats else Body(value)


def skim(content: bytes | None) -> Json:
    """Return the JSON value of a body, or None if it cannot be parsed, without checking whether it is ambiguous."""
    if content is None or len(content) > LARGEST:
        return None
    try:
        return orjson.loads(content.removeprefix(_BOM))
    except orjson.JSONDecodeError:
        return None


def read_form(content: bytes | None) -> Body:
    """Read a form-encoded body as an object of strings; never raises."""
    if content is None or len(content) > LARGEST:
        return _not_held(content)
    if content.lstrip()[:1] == b"{":
        return Body(problem="the body is JSON, not form-encoded", broken=True)
    try:
        return Body(dict(parse_qsl(content.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)))
    except ValueError:
        return Body(problem="the body is not form-encoded UTF-8")


def _not_held(content: bytes | None) -> Body:
    if content is None:
        return Body(problem="the body was not captured")
    return Body(problem=f"the body is larger than {LARGEST // 1024 // 1024} MiB")


def _why_not(content: bytes) -> Body:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return Body(problem="the body is not UTF-8")
    try:
        json.loads(text, parse_constant=_refuse)
    except RecursionError:
        return Body(problem=_TOO_DEEP)
    except ValueError:
        return Body(problem="the body is not JSON", broken=True)
    return Body(
        problem="the body has a number or a character that JSON parsers treat differently, or is nested too deeply"
    )


def _refuse(constant: str) -> Literal[0]:
    raise ValueError(constant)


def _repeats_a_name(content: bytes, value: Json) -> bool:
    """Return whether an object repeats a name, which the parsed value no longer shows.

    The names in the text are compared with those in the value by number. If no colon is escaped, counting colons is
    enough: there is one for each name, and strings have as many as before. That is faster than parsing twice.
    """
    if b"\\" in content and _COLON.search(content):
        return _names(content) != _members(value)
    written = orjson.dumps(value)
    return written != content and written.count(b":") != content.count(b":")


def _names(content: bytes) -> int:
    return sum(1 for _ in _MEMBER.finditer(content))


def _members(value: Json) -> int:
    count = 0
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            count += len(node)
            waiting.extend(child for child in node.values() if isinstance(child, dict | list))
        elif isinstance(node, list):
            waiting.extend(child for child in node if isinstance(child, dict | list))
    return count
