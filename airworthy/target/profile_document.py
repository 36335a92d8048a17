"""A profile as its user wrote it: what is wrong in it is said in the user's own words: file, line, key, value."""

import difflib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from functools import cache
from typing import Any, NoReturn, Self

import jsonschema_rs

from airworthy.errors import UsageError
from airworthy.resources import resource
from airworthy.target.profile import VERSIONS

Key = Sequence[str | int]


@dataclass(frozen=True)
class ProfileDocument:
    """The values of a profile, from a ``source``, with the line of each key where it has lines."""

    source: str
    values: Mapping[str, Any] = field(repr=False)
    lines: Mapping[tuple[str | int, ...], int]

    @classmethod
    def of(cls, source: str, document: Mapping[str, Any], text: str = "") -> Self:
        """Take a document that was parsed from a text. Raises `UsageError` where it is not as profile.json says."""
        made = cls(source, _plain(document), _key_lines(text))
        made._check()
        return made

    def secrets(self) -> list[tuple[Key, Any]]:
        """Return the key and the value of every secret."""
        return list(_secrets(self.values))

    def _check(self) -> None:
        errors = [self._explain(error) for error in _validator().iter_errors(self.values)]
        if errors:
            # What is missing at the top has no line; a misspelt key beside it says more.
            key, text = min(errors, key=lambda error: self._line(error[0]) or math.inf)
            self.fail(key, text)

    def _explain(self, error: jsonschema_rs.ValidationError) -> tuple[Key, str]:
        key = list(error.instance_path)
        kind = error.kind
        if isinstance(kind, jsonschema_rs.ValidationErrorKind.Required):
            missing = [*key, kind.property]
            return missing, f"is missing: expected {_schema_at(missing).get('description', 'a value')}"
        if isinstance(kind, jsonschema_rs.ValidationErrorKind.AnyOf) and not key:
            return [VERSIONS[-1]], f"is missing: expected credentials for one of {', '.join(VERSIONS)} at least"
        if isinstance(kind, jsonschema_rs.ValidationErrorKind.AdditionalProperties):
            return _unknown(key, kind.unexpected[0])
        schema = _schema_at(key)
        value = _value(self.values, key)
        # A table's or a secret's place may hold anything, a secret included, and so may a URL: its value is not shown.
        is_hidden = "x-sensitive" in schema or schema.get("type") == "object" or "@" in str(value)
        shown = "" if is_hidden else f"= {_toml(value)}"
        wanted = f"expected {schema.get('description', 'another value')}"
        return key, f"{shown}: {wanted}" if shown else wanted

    def fail(self, key: Key, text: str) -> NoReturn:
        """Say in one line what is wrong with a key."""
        line = self._line(key)
        place = f"{self.source}:{line}" if line else self.source
        between = " " if text.startswith(("= ", "is ")) else ": "
        raise UsageError(f"{place}: {dotted(key)}{between}{text}")

    def _line(self, key: Key) -> int:
        """Return the line of a key, or of the nearest table around it; 0 where the document has no lines."""
        path = tuple(key)
        return next((self.lines[path[:n]] for n in range(len(path), 0, -1) if path[:n] in self.lines), 0)


@cache
def _schema() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((resource("schemas") / "profile.json").read_text())
    return document


@cache
def _validator() -> Any:  # noqa: ANN401  jsonschema_rs names its validators only in its stubs
    return jsonschema_rs.validator_for(_schema())


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = _schema()["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def _schema_at(key: Key) -> dict[str, Any]:
    schema = _resolved(_schema())
    for part in key:
        # Whatever stands inside a secret's table belongs to the secret.
        if "x-sensitive" in schema:
            break
        below = schema.get("items", {}) if isinstance(part, int) else schema.get("properties", {}).get(part, {})
        schema = _resolved(below)
    return schema


def _secrets(value: Any, key: tuple[str | int, ...] = ()) -> Iterator[tuple[Key, Any]]:  # noqa: ANN401
    if "x-sensitive" in _schema_at(key):
        yield key, value
        return
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in items:
        yield from _secrets(item, (*key, name))


def _unknown(key: Key, name: str) -> tuple[Key, str]:
    known = sorted(_schema_at(key).get("properties", {}))
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(known)}"
    return [*key, name], f"is not a key of a profile; {hint}"


def _value(document: Any, key: Key) -> Any:  # noqa: ANN401
    for part in key:
        document = document[part]
    return document


def _plain(value: Any) -> Any:  # noqa: ANN401
    """Turn what only TOML knows (dates, nan) into what JSON Schema can judge."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def dotted(key: Key) -> str:
    """Write a key as in a message: ``waivers[0].rule``."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in key)
    return text.lstrip(".") or "the profile"


def _toml(value: Any) -> str:  # noqa: ANN401
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:79]}…"  # noqa: PLR2004  a line must stay readable


def _key_lines(text: str) -> dict[tuple[str | int, ...], int]:
    """Return the line of each key and table (tomllib gives none): a look over the lines, good for what people write."""
    lines: dict[tuple[str | int, ...], int] = {}
    counts: dict[tuple[str | int, ...], int] = {}
    table: tuple[str | int, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if array := re.match(r"\s*\[\[([^\]]+)\]\]", line):
            name = _parts(array[1])
            table = (*name, counts.get(name, 0))
            counts[name] = counts.get(name, 0) + 1
            lines.setdefault(name, number)
            lines.setdefault(table, number)
        elif header := re.match(r"\s*\[([^\]]+)\]", line):
            table = _parts(header[1])
            lines.setdefault(table, number)
        elif assignment := re.match(r"\s*([A-Za-z0-9_.\-\"' ]+?)\s*=", line):
            lines.setdefault((*table, *_parts(assignment[1])), number)
    return lines


def _parts(dotted: str) -> tuple[str | int, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))
