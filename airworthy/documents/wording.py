"""The words for what a schema expects of a value, in findings and in rejections."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

_TYPES = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "array": "an array",
    "object": "an object",
    "null": "null",
}
LIMITS: Final[Mapping[str, str]] = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minProperties": "at least {} members",
    "maxProperties": "at most {} members",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
}
"""The words for a limit, by its keyword."""


def types(names: str | Sequence[str]) -> str:
    """Return the types that a schema allows: ``a string or null``."""
    return " or ".join(_TYPES[name] for name in ([names] if isinstance(names, str) else names))


def one_of(values: Sequence[Any]) -> str:
    """Return the values of an enumeration in words."""
    texts = [value if isinstance(value, str) else json.dumps(value) for value in values]
    return texts[0] if len(texts) == 1 else f"one of {', '.join(texts)}"


def named(schema: Mapping[str, Any]) -> str:
    """Return what a schema says in ``x-expected``, or its only values, or "" if it has neither."""
    if "x-expected" in schema:
        return str(schema["x-expected"])
    return one_of(schema.get("enum") or [schema["const"]]) if schema.keys() & {"enum", "const"} else ""
