"""A profile as parsed from TOML or JSON: validated against its schema, with the line of each key for error messages."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from functools import cache
from typing import Any, Final, NoReturn, Self, cast

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

from airworthy.contract.bodies.body import Json
from airworthy.errors import UsageError, did_you_mean
from airworthy.resources import resource
from airworthy.target.profile import VERSIONS
from airworthy.text import printable

Key = Sequence[str | int]

_LONGEST_VALUE: Final = 80
_MISSING: Final = ("required", "dependentRequired", "anyOf")


@dataclass(frozen=True)
class ProfileDocument:
    """The valid contents of a profile.

    ``source`` is the file name or URL. ``lines`` has the line number of each key, and is empty for a document that is
    not a file.
    """

    source: str
    values: Mapping[str, Any] = field(repr=False)
    lines: Mapping[tuple[str | int, ...], int]

    @classmethod
    def of(cls, source: str, document: Mapping[str, Any], text: str = "") -> Self:
        """Return a parsed document. Raises `UsageError` if it does not conform to ``schemas/profile.json``."""
        made = cls(source, _as_json(document), _line_numbers(text))
        errors = list(_validator().iter_errors(made.values))
        if errors:
            # A misspelt key explains a missing one, so missing keys come last; otherwise the first line comes first.
            first = min(
                errors, key=lambda each: (each.validator in _MISSING, made._line(_explain(each)[0]) or math.inf)
            )
            made.fail(*_explain(first))
        return made

    def secrets(self) -> list[tuple[Key, Any]]:
        """Return the key and the value of every secret."""
        return list(_secrets(self.values, _schema(), ()))

    def fail(self, key: Key, problem: str) -> NoReturn:
        """Raise `UsageError` with one line that names the source, the line, the key and the problem."""
        line = self._line(key)
        place = f"{self.source}:{line}" if line else self.source
        raise UsageError(f"{place}: {key_name(key)} {problem}")

    def _line(self, key: Key) -> int:
        """Return the line of a key, or of the nearest table around it; 0 if neither is known."""
        path = tuple(key)
        return next((self.lines[path[:n]] for n in range(len(path), 0, -1) if path[:n] in self.lines), 0)


def key_name(key: Key) -> str:
    """Return a key as in an error message: ``[routes.regular] origin``."""
    if not key:
        return "the profile"
    names = [part for part in key if isinstance(part, str)]
    if isinstance(key[-1], int):
        return f"{'.'.join(names)}[{key[-1]}]"
    *tables, name = names
    if not tables:
        return name
    in_array = any(isinstance(part, int) for part in key)
    return f"[[{'.'.join(tables)}]] {name}" if in_array else f"[{'.'.join(tables)}] {name}"


def shown_line(line: str) -> str:
    """Return a line of a file that is not valid TOML, for a message: bounded, and without what may be a secret.

    Only keys of a profile are shown, and only the values of keys that no table uses for a secret.
    """
    if header := re.fullmatch(r"\s*\[([\w.\s-]*)\]*\s*", line):
        return line.strip() if all(part in _keys() for part in _parts(header[1])) else ""
    before, equals, value = line.partition("=")
    key = _parts(before)[-1]
    if key not in _keys():
        return ""
    is_shown = equals and _keys()[key] and not set(value) & set("=@")
    text = line.strip() if is_shown else f"{before.strip()} {equals}".strip() + " …"
    return _bounded(printable(text))


@cache
def _keys() -> Mapping[str | int, bool]:
    """Return every key of a profile, and whether its value may be shown wherever it occurs."""
    found: dict[str | int, bool] = {}

    def visit(schema: Mapping[str, Any]) -> None:
        if "x-sensitive" in schema:
            return
        for name, member in schema.get("properties", {}).items():
            resolved = _resolved(member)
            is_shown = "x-sensitive" not in resolved and resolved.get("type") != "object"
            found[name] = found.get(name, True) and is_shown
            visit(resolved)
        if "items" in schema:
            visit(_resolved(schema["items"]))

    visit(_schema())
    return found


def _explain(error: ValidationError) -> tuple[Key, str]:
    key = list(error.absolute_path)
    rule, schema, value = str(error.validator), cast("dict[str, Any]", error.schema), cast("Any", error.instance)
    if rule in ("required", "dependentRequired"):
        names = cast("Any", error.validator_value)
        if rule == "dependentRequired":
            names = [each for holder, required in names.items() if holder in value for each in required]
        name = next(str(each) for each in names if each not in value)
        wanted = _resolved(schema.get("properties", {}).get(name, {})).get("description", "a value")
        return [*key, name], f"is missing; it must be {wanted}"
    if rule == "anyOf" and not key:
        problem = f"is missing; the profile must have credentials for at least one of {', '.join(VERSIONS)}"
        return [VERSIONS[-1]], problem
    if rule == "additionalProperties":
        name = next(name for name in value if name not in schema["properties"])
        known = schema["properties"]
        advice = did_you_mean(name, known, f"expected one of {', '.join(sorted(known))}")
        return [*key, name], f"is not a key of a profile; {advice}"
    problem = f"must be {schema.get('description', 'another value')}"
    # A value in the place of a secret, of a table with secrets or of a URL with credentials is not shown.
    is_hidden = "x-sensitive" in schema or schema.get("type") == "object" or "@" in str(value)
    text = repr(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return key, problem if is_hidden else f"{problem}, got {_bounded(text)}"


def _bounded(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"


@cache
def _schema() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((resource("schemas") / "profile.json").read_text(encoding="utf-8"))
    return document


@cache
def _validator() -> Draft202012Validator:
    validator_class = extend(Draft202012Validator, {"pattern": _matches})  # type: ignore[no-untyped-call]
    return cast("Draft202012Validator", validator_class(_schema()))


def _matches(_: object, pattern: str, instance: object, __: object) -> Iterator[ValidationError]:
    """Check ``pattern`` as JSON Schema defines it: unlike in Python, ``$`` does not match before a final newline."""
    if isinstance(instance, str) and (instance.endswith("\n") or not re.search(pattern, instance)):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    return _schema()["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def _secrets(value: Json, schema: Mapping[str, Any], key: tuple[str | int, ...]) -> Iterator[tuple[Key, Json]]:
    schema = _resolved(schema)
    if "x-sensitive" in schema:
        yield key, value
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from _secrets(member, schema["properties"].get(name, {}), (*key, name))


def _as_json(value: Any) -> Json:  # noqa: ANN401 - any TOML value
    """Return a TOML value as JSON Schema knows it: dates and numbers that are not finite become strings."""
    if isinstance(value, Mapping):
        return {str(key): _as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def _line_numbers(text: str) -> dict[tuple[str | int, ...], int]:
    """Return the line of each key and table header. `tomllib` does not report positions, so this scans the lines."""
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
