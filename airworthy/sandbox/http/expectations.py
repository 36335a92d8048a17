"""What a schema expects of a value, in words, for the messages of rejections.

The words come from ``x-expected`` in the schema, or from its keywords. They never contain the value that a client sent.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from airworthy.documents.wording import named, types

Schema = Mapping[str, Any]
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


def expectation(schema: Schema) -> str:
    """Return what a schema expects, such as "one of MALE, FEMALE", or "" if it accepts everything."""
    if part := next(filter(None, map(named, (schema, *schema.get("allOf", ())))), ""):
        return part
    type_words = types(schema.get("type", "number"))
    if "minimum" in schema and "maximum" in schema:
        return f"{type_words} from {schema['minimum']} to {schema['maximum']}"
    limits = [phrase.format(schema[keyword]) for keyword, phrase in _LIMITS.items() if keyword in schema]
    return " and ".join(limits) if limits else type_words if "type" in schema else ""


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


def _type_of(value: object) -> str:
    by_type = {bool: "a boolean", str: "a string", list: "an array", dict: "an object", type(None): "null"}
    return by_type.get(type(value), "a number")
