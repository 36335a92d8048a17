"""What the sandbox shares with the contract: the schemas of what goes over the wire, and a walk over their fields."""

import json
import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import jsonschema_rs

from airworthy.resources import resource

Schema = Mapping[str, Any]
VERSIONS = ("v4", "v3", "v2")


@dataclass(frozen=True, slots=True)
class SchemaViolation:
    """One place where a body does not fit its schema: JSON Pointer and the keyword that failed."""

    pointer: str
    keyword: str
    message: str


@dataclass(frozen=True, slots=True)
class SchemaField:
    """One field that a schema names.

    ``pointer`` has ``*`` for each list index and each key of a map; ``rule`` is broken by a wrong value,
    ``holder_rule`` by its absence.
    """

    pointer: str
    schema: Schema
    required: bool
    rule: str
    holder_rule: str


@cache
def _documents() -> Mapping[str, Any]:
    folder = resource("schemas")
    return {
        f"{version}/{path.name}": json.loads(path.read_bytes())
        for version in VERSIONS
        for path in sorted((folder / version).glob("*.json"))
    }


@cache
def openapi(version: str = "v4") -> dict[str, Any]:
    """Return the OpenAPI document of an interface in one piece."""
    # Only this page needs more of the contract than its schemas.
    from airworthy.contract.documents import bundled  # noqa: PLC0415

    return bundled(_documents(), f"{version}/openapi.json")


@cache
def schema(name: str) -> dict[str, Any]:
    """Return the schema of a file below ``schemas`` (v4's by its bare name) in one piece, as a service holds it.

    A place in the file may follow its name: ``v3/bookings-answer.json#/$defs/retrieved``.
    """
    file, _, fragment = name.partition("#")
    path = file if "/" in file else f"v4/{file}"
    whole: dict[str, Any] = _inlined(_at(path, fragment), path)
    return whole


def _at(path: str, fragment: str) -> Any:  # noqa: ANN401 - any part of a schema
    node = _documents()[path]
    for part in fragment.split("/")[1:]:
        node = node[part]
    return node


def _inlined(node: Any, path: str) -> Any:  # noqa: ANN401 - any part of a schema
    """Return a schema with what it refers to in place; what stands beside a reference wins.

    What binds clients only is left out: no service has to refuse it.
    """
    if isinstance(node, list):
        return [_held(each, path) for each in node]
    if not isinstance(node, dict):
        return node
    own = {name: _held(each, path) for name, each in node.items() if name not in ("$ref", "$defs")}
    if "$ref" not in node:
        return own
    file, _, fragment = node["$ref"].partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
    return _inlined(_at(target, fragment), target) | own


def _held(node: Any, path: str) -> Any:  # noqa: ANN401 - any part of a schema
    return {} if isinstance(node, dict) and node.get("x-binds") == "client" else _inlined(node, path)


@cache
def _validator(name: str) -> jsonschema_rs.Draft202012Validator:
    # Messages go to logs and reports: what was sent is not repeated in them.
    return jsonschema_rs.Draft202012Validator(schema(name), mask="the value")


def schema_violations(name: str, body: object) -> list[SchemaViolation]:
    """Return where a body does not fit the schema of that file name, outermost first."""
    found = []
    for error in _validator(name).iter_errors(body):
        kind = error.kind
        missing = [kind.property] if isinstance(kind, jsonschema_rs.ValidationErrorKind.Required) else []
        pointer = "".join(f"/{part}" for part in (*error.instance_path, *missing))
        # A regular expression tells nobody what is wrong.
        message = "the value has another form" if kind.name == "pattern" else error.message
        found.append(SchemaViolation(pointer, kind.name, message))
    return sorted(found, key=lambda breach: breach.pointer.count("/"))


def schema_fields(name: str) -> Iterator[SchemaField]:
    """Yield every field that a schema names, parents first."""
    yield from _fields(schema(name), "", "")


def _fields(node: Schema, pointer: str, rule: str) -> Iterator[SchemaField]:
    parts = list(_parts(node, rule))
    required = {field: part.rule for part in parts if part.certain for field in part.schema.get("required", ())}
    for part in parts:
        for field, found in part.schema.get("properties", {}).items():
            if isinstance(found, Mapping):
                holder_rule = required.get(field, part.rule)
                place = SchemaField(
                    f"{pointer}/{field}", found, field in required, found.get("x-rule", part.rule), holder_rule
                )
                yield place
                yield from _fields(found, place.pointer, part.rule)
        for each in ("items", "additionalProperties"):
            if isinstance(part.schema.get(each), Mapping):
                yield from _fields(part.schema[each], f"{pointer}/*", part.rule)


@dataclass(frozen=True, slots=True)
class _Part:
    """A schema that stands for all of a value, or (not certain) for it in some case; with the rule it is under."""

    schema: Schema
    rule: str
    certain: bool


def _parts(node: Schema, rule: str, *, certain: bool = True) -> Iterator[_Part]:
    rule = node.get("x-rule", rule)
    yield _Part(node, rule, certain)
    for part in node.get("allOf", ()):
        yield from _parts(part, rule, certain=certain)
    if "then" in node:
        yield from _parts(node["then"], rule, certain=False)
