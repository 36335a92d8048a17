"""Read the packaged JSON documents of the service, and resolve the references between them.

Documents are given by their path below ``schemas/``: ``{"v4/openapi.json": {...}, "v4/order.json": {...}}``.
A reference names a file in the same folder, a location in it, or both: ``values.json#/$defs/money``. The examples of an
OpenAPI document are in ``examples.json`` beside it.
"""

import json
import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from airworthy.resources import resource

Json = Any
Documents = Mapping[str, Any]
SchemaLocation = tuple[str, str]
"""The path of a document and the location in it."""

_FOLDERS = ("v4", "v3", "v2", "payment", "revisions")
_ANNOTATIONS = {"title", "description"}
LEFT_OUT = {"$schema", "$defs"}
_EXAMPLES = {"example", "examples"}


class DocumentError(ValueError):
    """A reference in a document leads nowhere or back to itself, or contradicts what is next to it."""


@cache
def packaged_documents() -> Documents:
    """Return the JSON documents of the service by their path below ``schemas/``."""
    root = resource("schemas")
    return {
        path.relative_to(root).as_posix(): json.loads(path.read_text(encoding="utf-8"))
        for folder in _FOLDERS
        for path in sorted((root / folder).glob("*.json"))
    }


def inlined(documents: Documents, reference: str) -> dict[str, Any]:
    """Return a document, or what is at a location in it, with every reference replaced by its target.

    Keywords next to a ``$ref`` are merged with the target: annotations (``title``, ``description``, ``x-…``) override
    those of the target; any other keyword may be on one side only; else raises `DocumentError`.
    """
    (path, _), found = target(documents, reference, "")
    return cast("dict[str, Any]", _inline(documents, path, found, ()))


@dataclass(frozen=True, slots=True)
class SchemaPart:
    """A schema that applies to a value, alone or beside others.

    ``rule`` is the nearest enclosing ``x-rule``. A part that is not ``certain`` need not apply to every value.
    """

    schema: Mapping[str, Any]
    rule: str
    certain: bool


def parts(schema: Json, rule: str = "", *, alternatives: bool = False, certain: bool = True) -> Iterator[SchemaPart]:
    """Yield a schema without references and those that apply beside it, also under conditions or as alternatives."""
    if isinstance(schema, Mapping):
        rule = schema.get("x-rule", rule)
        yield SchemaPart(schema, rule, certain)
        for each in schema.get("allOf", ()):
            yield from parts(each, rule, alternatives=alternatives, certain=certain)
        uncertain = [schema[name] for name in ("then", "else") if name in schema]
        uncertain += [*schema.get("anyOf", ()), *schema.get("oneOf", ())] if alternatives else []
        for each in uncertain:
            yield from parts(each, rule, alternatives=alternatives, certain=False)


def without_examples(documents: Documents) -> dict[str, Any]:
    """Return the documents without examples, whose names and ids do not belong to the contract's vocabulary."""
    kept = {path: each for path, each in documents.items() if posixpath.basename(path) != "examples.json"}
    return {path: each_object(each, _without_examples) for path, each in kept.items()}


def _without_examples(node: dict[str, Json]) -> Json:
    return {key: value for key, value in node.items() if key not in _EXAMPLES}


def each_object(node: Json, change: Callable[[dict[str, Json]], Json]) -> Json:
    """Return a part of a document with ``change`` applied to every object in it, to inner objects first."""
    if isinstance(node, list):
        return [each_object(item, change) for item in node]
    if not isinstance(node, dict):
        return node
    return change({key: each_object(value, change) for key, value in node.items()})


def target(documents: Documents, reference: str, base: str) -> tuple[SchemaLocation, Json]:
    """Return what a reference in the document ``base`` leads to, and where that is."""
    file, _, fragment = reference.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(base), file)) if file else base
    if path not in documents:
        raise DocumentError(f"the document {path} does not exist")
    node = documents[path]
    for part in fragment.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(node, dict) or key not in node:
            raise DocumentError(f"{base} refers to {reference}, which does not exist")
        node = node[key]
    return (path, fragment), node


def _inline(documents: Documents, base: str, node: Json, trail: tuple[SchemaLocation, ...]) -> Json:
    if isinstance(node, list):
        return [_inline(documents, base, item, trail) for item in node]
    if not isinstance(node, dict):
        return node
    beside = {
        key: _inline(documents, base, value, trail)
        for key, value in node.items()
        if key != "$ref" and key not in LEFT_OUT
    }
    if not isinstance(node.get("$ref"), str):
        return beside
    place, found = target(documents, node["$ref"], base)
    if place in trail:
        raise DocumentError(f"{base} refers to itself through {node['$ref']}")
    followed = _inline(documents, place[0], found, (*trail, place))
    for key in beside.keys() & followed.keys():
        if key not in _ANNOTATIONS and not key.startswith("x-"):
            raise DocumentError(f"{base} has {key} next to a reference to {node['$ref']}, which has it too")
    return {**followed, **beside}
