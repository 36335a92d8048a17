"""The schemas of requests and responses, which the sandbox shares with the contract, and the fields in them.

The messages of violations never contain a value that a client sent.
"""

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import jsonschema_rs

from airworthy.documents.references import each_object, inlined, packaged_documents, parts
from airworthy.documents.wording import LIMITS, named, types

Schema = Mapping[str, Any]
VERSIONS = ("v4", "v3", "v2")
_TYPES = {bool: "a boolean", str: "a string", list: "an array", dict: "an object", type(None): "null"}


@dataclass(frozen=True, slots=True)
class SchemaViolation:
    """A value that does not fit its schema: its JSON Pointer and the keyword that it violates.

    The keyword is ``x-unlisted`` instead of ``enum`` for the value of that annotation.
    """

    pointer: str
    keyword: str
    message: str


@dataclass(frozen=True, slots=True)
class SchemaField:
    """A field in a schema.

    ``pointer`` has ``*`` for each list index and each key of a map. A wrong value violates ``rule``, a missing field
    ``holder_rule``.
    """

    pointer: str
    schema: Schema
    required: bool
    rule: str
    holder_rule: str


@dataclass(frozen=True, slots=True)
class DocumentedOperation:
    """An operation of an OpenAPI document; its schemas are file names, or empty if it has none."""

    id: str
    version: str
    method: str
    path: str
    request: str
    response: str


@cache
def operations() -> Mapping[str, DocumentedOperation]:
    """Return the documented operations of all interfaces by id."""
    found = [
        DocumentedOperation(
            each["operationId"],
            version,
            method.upper(),
            path,
            _file(version, each.get("requestBody", {})),
            _file(version, each["responses"].get("200") or each["responses"]["2XX"]),
        )
        for version in VERSIONS
        for path, methods in packaged_documents()[f"{version}/openapi.json"]["paths"].items()
        for method, each in methods.items()
        if method in ("get", "post")
    ]
    return {each.id: each for each in found}


def _file(version: str, holder: Schema) -> str:
    content = holder.get("content", {}).get("application/json")
    return f"{version}/{content['schema']['$ref']}" if content else ""


@cache
def schema(name: str) -> dict[str, Any]:
    """Return the schema in a file below ``schemas``, such as ``v4/order.json``, without references.

    The name may end in a fragment: ``v3/bookings-response.json#/$defs/retrieved``. Rules that bind clients only are
    left out, because a service need not enforce them.
    """
    document = inlined(packaged_documents(), name)
    return {
        key: each_object(each, lambda node: {} if node.get("x-binds") == "client" else node)
        for key, each in document.items()
    }


def example(operation: str, side: Literal["Request", "Response"] = "Request") -> Any:  # noqa: ANN401 - any JSON
    """Return a copy of the documented example of a request or response of an operation."""
    version = operations()[operation].version
    examples = packaged_documents()[f"{version}/examples.json"]["examples"]
    return copy.deepcopy(examples[f"{operation}{side}"]["value"])


@cache
def _validator(name: str) -> jsonschema_rs.Draft202012Validator:
    # Messages appear in logs and reports, and must not contain values that a client sent.
    return jsonschema_rs.Draft202012Validator(schema(name), mask="the value")


def schema_violations(name: str, body: object) -> list[SchemaViolation]:
    """Return the violations of a schema (see `schema`) in a body, outermost first."""
    found = []
    for error in _validator(name).iter_errors(body):
        kind = error.kind
        missing = [kind.property] if isinstance(kind, jsonschema_rs.ValidationErrorKind.Required) else []
        pointer = "".join(f"/{part}" for part in (*error.instance_path, *missing))
        if missing:
            expected = _expectation(_fields_by_pointer(name).get(pattern_of(pointer), {}))
            message = f"missing; expected {expected}" if expected else "missing"
        else:
            message = mismatch(_holder(name, error.schema_path), kind.name, error.instance) or error.message
        unlisted = _holder(name, error.schema_path).get("x-unlisted") if kind.name == "enum" else None
        keyword = "x-unlisted" if unlisted is not None and unlisted == error.instance else kind.name
        found.append(SchemaViolation(pointer, keyword, message))
    return sorted(found, key=lambda breach: breach.pointer.count("/"))


def pattern_of(pointer: str) -> str:
    """Return a pointer with ``*`` for each list index."""
    return re.sub(r"/[0-9]+(?=/|$)", "/*", pointer)


@cache
def _fields_by_pointer(name: str) -> Mapping[str, Schema]:
    return {each.pointer: each.schema for each in schema_fields(name)}


def _holder(name: str, path: Sequence[str | int]) -> Schema:
    node: Any = schema(name)
    for part in path[:-1]:
        node = node[part]
    return node if isinstance(node, Mapping) else {}


def _expectation(schema: Schema) -> str:
    """Return what a schema expects, such as "one of MALE, FEMALE", or "" if it accepts everything."""
    if part := next(filter(None, map(named, (schema, *schema.get("allOf", ())))), ""):
        return part
    type_words = types(schema.get("type", "number"))
    if "minimum" in schema and "maximum" in schema:
        return f"{type_words} from {schema['minimum']} to {schema['maximum']}"
    limits = [phrase.format(schema[keyword]) for keyword, phrase in LIMITS.items() if keyword in schema]
    return " and ".join(limits) if limits else type_words if "type" in schema else ""


def mismatch(schema: Schema, keyword: str, value: object) -> str:
    """Return the message for a value that violates a keyword of a schema, or "" if the keyword says too little.

    Of the value, only the type is named, and only if it is wrong.
    """
    if keyword == "type":
        return f"expected {_expectation(schema)}, got {_TYPES.get(type(value), 'a number')}"
    if keyword in LIMITS or keyword in {"enum", "const", "pattern"}:
        expected = _expectation(schema)
        return f"expected {expected}" if expected else ""
    return ""


def schema_fields(name: str) -> Iterator[SchemaField]:
    """Yield the fields in a schema, parents first."""
    yield from _fields(schema(name), "", "")


def _fields(node: Schema, pointer: str, rule: str) -> Iterator[SchemaField]:
    found_parts = list(parts(node, rule))
    required = {field: part.rule for part in found_parts if part.certain for field in part.schema.get("required", ())}
    for part in found_parts:
        for field, found in part.schema.get("properties", {}).items():
            if isinstance(found, Mapping):
                holder_rule = required.get(field, part.rule)
                place, own_rule = f"{pointer}/{field}", found.get("x-rule", part.rule)
                yield SchemaField(place, found, field in required, own_rule, holder_rule)
                yield from _fields(found, place, part.rule)
        for each in ("items", "additionalProperties"):
            if isinstance(part.schema.get(each), Mapping):
                yield from _fields(part.schema[each], f"{pointer}/*", part.rule)
