"""Faults derived from the schemas: one for each operation, member and keyword, and one for each kind of body.

A name consists of the interface, the operation, the side, the members on the way, and the word of the keyword in
`CHANGES`: ``v4-search-offers-response-offers-fare-price-missing`` responds to searchOffers
without ``/offers/*/fare/price``; ``v4-search-offers-request-adults-too-large`` accepts ten adults.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from airworthy.sandbox.faults.changes import Edit, change, edited, put, remove
from airworthy.sandbox.faults.fault import Fault, with_status
from airworthy.sandbox.http import schemas
from airworthy.sandbox.http.schemas import SchemaField
from airworthy.sandbox.service import request_bodies

# Of the others, the documents do not show the structure.
RESPONSES: Final[Mapping[str, str]] = {
    each.id: each.response for each in schemas.operations().values() if each.id not in ("getFares", "verifyFlight")
}
CHANGES: Final[Mapping[str, tuple[str, str]]] = {
    "required": ("missing", "is missing"),
    "type": ("wrong-type", "has another type"),
    "enum": ("unknown-value", "has an undocumented value"),
    "x-unlisted": ("unlisted-value", "has an unlisted value of the right form"),
    "pattern": ("wrong-format", "has another format"),
    "minimum": ("too-small", "is too small"),
    "maximum": ("too-large", "is too large"),
    "minItems": ("too-few", "has too few items"),
    "maxItems": ("too-many", "has too many items"),
    "minProperties": ("empty", "is empty"),
    "minLength": ("empty", "is empty"),
}
"""The end of a fault's name, and that of its description, by the keyword that it violates."""
_RETYPED: Final = {"string": 7, "integer": "7", "number": "7", "object": "text", "array": {"0": 1}, "boolean": "true"}
_ANOTHER_STATUS: Final = 422
_WRONG: Final[Mapping[str, Callable[[Any], Any]]] = {
    "enum": lambda _: "?",
    "pattern": lambda _: "?",
    "minimum": lambda limit: limit - 1,
    "maximum": lambda limit: limit + 1,
    "minItems": lambda _: [],
    "minProperties": lambda _: {},
    "minLength": lambda _: "",
}
_LEFT_OUT: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def faults() -> Iterator[Fault]:
    """Yield the derived faults, those of requests first."""
    found: dict[str, Fault] = {}
    for operation, name in request_bodies.OPERATIONS.items():
        if schemas.schema(name).get("x-binds") != "client":
            for field, keyword in _places(operation, name, _LEFT_OUT["open_requests"]):
                # A value of another type is not in the enum either, so one fault tolerates both.
                if keyword == "type" and "enum" in field.schema:
                    continue
                fault = _accepting(operation, field, keyword)
                found.setdefault(fault.name, fault)
            yield _rejecting(operation)
    for operation, name in RESPONSES.items():
        for field, keyword in _places(operation, name, [*_LEFT_OUT["absent"], *_LEFT_OUT["elsewhere"]]):
            edit = _edit(f"{operation}:{field.pointer}", field, keyword)
            if edit is not None:
                verb = f"responds to {operation} with a body"
                fault = _fault(operation, "response", field, keyword, verb, rewrite=edited((edit,)))
                found.setdefault(fault.name, fault)
    yield from found.values()


def fault_name(operation: str, side: str, pointer: str, keyword: str) -> str:
    """Return the name of the fault at a pointer of requests or responses (``side``) of an operation."""
    members = [_kebab(each) for each in pointer.split("/") if each not in ("", "*")]
    version = schemas.operations()[operation].version
    return "-".join((version, _kebab(operation.removesuffix("V2")), side, *members, CHANGES[keyword][0]))


def _kebab(text: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", text).lower()


def _places(operation: str, schema: str, left_out: list[str]) -> Iterator[tuple[SchemaField, str]]:
    """Yield each member of a schema with each keyword that it can violate."""
    for field in schemas.schema_fields(schema):
        for keyword in CHANGES:
            is_there = field.required if keyword == "required" else keyword in field.schema
            place = f"{operation}:{field.pointer}:{keyword}"
            if is_there and not any(fnmatchcase(place, each) for each in left_out):
                yield field, keyword


def _accepting(operation: str, field: SchemaField, keyword: str) -> Fault:
    keywords = ("enum", "x-unlisted", "type") if keyword == "enum" else (keyword,)
    tolerated = tuple(f"{operation}:{field.pointer}:{each}" for each in keywords)
    return _fault(operation, "request", field, keyword, f"accepts a request of {operation}", tolerates=tolerated)


def _fault(operation: str, side: str, field: SchemaField, keyword: str, verb: str, **change: Any) -> Fault:  # noqa: ANN401 - see Fault
    name = fault_name(operation, side, field.pointer, keyword)
    rule = field.holder_rule if keyword == "required" else field.rule
    return Fault(name, rule, f"The service {verb} in which {field.pointer} {CHANGES[keyword][1]}", **change)


def _rejecting(operation: str) -> Fault:
    version = schemas.operations()[operation].version
    return Fault(
        f"{version}-{_kebab(operation.removesuffix('V2'))}-request-status",
        f"{version.upper()}-BAD-REQUEST",
        f"The service rejects every invalid body of {operation} with {_ANOTHER_STATUS}",
        rewords={f"{operation}:*": with_status(_ANOTHER_STATUS)},
    )


def _edit(place: str, field: SchemaField, keyword: str) -> Edit | None:
    """Return what makes a member violate a keyword, or None if no value does."""
    if keyword == "required":
        return remove(place)
    limit = field.schema[keyword]
    if keyword == "maxItems":
        return change(place, lambda items: items * (limit + 1))
    wrong = _another_type(limit) if keyword == "type" else _WRONG[keyword](limit)
    return None if wrong is None else put(place, wrong)


def _another_type(types: str | Sequence[str]) -> Any:  # noqa: ANN401 - any JSON
    """Return a value of none of these types, or None if every value has one of them."""
    known = {types} if isinstance(types, str) else set(types)
    if {"string", "number"} <= known:
        return {"0": 1}
    return next((wrong for each, wrong in _RETYPED.items() if each in known), None)
