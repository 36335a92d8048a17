"""What a schema expects of a value, in words, for the messages of rejections.

The words come from ``x-expected`` in the schema, or from its keywords. They never contain the value that a client sent.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import orjson

Schema = Mapping[str, Any]
_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "string": "a string",
        "integer": "an integer",
        "number": "a number",
        "boolean": "true or false",
        "array": "an array",
        "object": "an object",
        "null": "null",
    }
)
_LIMITS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "minimum": "at least {}",
        "maximum": "at most {}",
        "minItems": "at least {} items",
        "maxItems": "at most {} items",
        "minProperties": "at least {} members",
        "maxProperties": "at most {} members",
        "minLength": "at least {} characters",
        "maxLength": "at most {} characters",
    }
)
# Keywords that say all about a value.
_NAMED: Final = frozenset({"x-expected", "const", "enum"})


def expectation(schema: Schema) -> str:
    """Return what a schema expects, such as "one of MALE, FEMALE", or "" if it accepts everything."""
    if "x-expected" in schema:
        return str(schema["x-expected"])
    if "const" in schema:
        return _written(schema["const"])
    if "enum" in schema:
        return f"one of {', '.join(map(_written, schema['enum']))}"
    parts = (expectation(each) for each in schema.get("allOf", ()) if _NAMED & each.keys())
    if part := next(parts, ""):
        return part
    if "minimum" in schema and "maximum" in schema:
        return f"{_type(schema)} from {schema['minimum']} to {schema['maximum']}"
    limits = [phrase.format(schema[keyword]) for keyword, phrase in _LIMITS.items() if keyword in schema]
    return " and ".join(limits) if limits else _type(schema) if "type" in schema else ""


def missing(schema: Schema) -> str:
    """Return the message for a field that is missing."""
    expected = expectation(schema)
    return f"missing; expected {expected}" if expected else "missing"


def wrong(schema: Schema, keyword: str, value: object) -> str:
    """Return the message for a value that violates a keyword of a schema, or "" if the keyword says too little.

    Of the value, only the type is named, and only if it is wrong.
    """
    if keyword == "type":
        return f"expected {expectation(schema)}, got {_type_of(value)}"
    if keyword in _LIMITS or keyword in {"enum", "const", "pattern"}:
        expected = expectation(schema)
        return f"expected {expected}" if expected else ""
    return ""


def _written(value: object) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _type(schema: Schema) -> str:
    names = schema.get("type", "number")
    return " or ".join(_TYPES[each] for each in ([names] if isinstance(names, str) else names))


def _type_of(value: object) -> str:
    by_type = {bool: "a boolean", str: "a string", list: "an array", dict: "an object", type(None): "null"}
    return by_type.get(type(value), "a number")
