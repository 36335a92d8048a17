"""Resolve the references between the JSON documents of the contract, by inlining or by bundling.

Documents are given by their path below ``schemas/``: ``{"v4/openapi.json": {...}, "v4/order.json": {...}}``.
A reference names a file in the same folder, a location in it, or both: ``values.json#/$defs/money``. The examples of an
OpenAPI document are in ``examples.json`` beside it.
"""

import posixpath
import re
from collections.abc import Callable, Mapping
from functools import cache
from operator import add
from typing import Any, cast

from airworthy.contract.bodies.body import Json

Documents = Mapping[str, Any]
SchemaLocation = tuple[str, str]

_ANNOTATIONS = {"title", "description"}
_LEFT_OUT = {"$schema", "$defs"}
_EXAMPLES = {"example", "examples"}


class DocumentError(ValueError):
    """A reference in a document leads nowhere or back to itself, or contradicts what is next to it."""


def inlined(documents: Documents, path: str) -> dict[str, Any]:
    """Return a document with every reference replaced by its target.

    Keywords next to a ``$ref`` are merged with the target: annotations (``title``, ``description``, ``x-…``) override
    those of the target; any other keyword may be on one side only; else raises `DocumentError`.
    """
    return cast("dict[str, Any]", _inline(documents, path, _document(documents, path), ()))


def bundled(documents: Documents, path: str) -> dict[str, Any]:
    """Return an OpenAPI document that needs no other file: the schemas and examples it refers to are its components.

    Code generators read it, too. They ignore keywords next to a reference, need the type of each component, name
    components by their titles, and merge an ``allOf`` of simple schemas only. So references with such keywords and
    references to schemas without a type are replaced by their targets, and components are merged as far as possible.
    The annotations of this project are left out.

    Raises `DocumentError` if a reference leads nowhere, or if two components would have the same name.
    """
    targets: dict[SchemaLocation, Any] = {}
    root = _rebased(documents, path, _document(documents, path), targets, root=path)
    named: dict[str, dict[str, Any]] = {"examples": {}, "schemas": {}}
    for place, target in sorted(targets.items()):
        section, name = _component(*place)
        if name in named[section]:
            raise DocumentError(f"{path} refers to two {section} that would both be named {name}")
        named[section][name] = target

    @cache
    def component(name: str) -> dict[str, Any]:
        made: dict[str, Any] = _merged(_untitled(named["schemas"][name]), component)
        return component(made.pop("$ref").rpartition("/")[2]) | made if "$ref" in made else made

    root, merged = _merged(root, component), {name: component(name) for name in named["schemas"]}
    used = _referenced([root, *merged.values()])
    named["schemas"] = {name: each for name, each in merged.items() if name in used}
    components = root.get("components", {}) | {section: dict(sorted(each.items())) for section, each in named.items()}
    return {**root, "components": {section: each for section, each in components.items() if each}}


def without_examples(documents: Documents) -> dict[str, Any]:
    """Return the documents without examples, whose names and ids do not belong to the contract's vocabulary."""
    kept = {path: each for path, each in documents.items() if posixpath.basename(path) != "examples.json"}
    return {path: _without_examples(each) for path, each in kept.items()}


def _without_examples(node: Json) -> Json:
    if isinstance(node, list):
        return [_without_examples(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {key: _without_examples(value) for key, value in node.items() if key not in _EXAMPLES}


def _document(documents: Documents, path: str) -> Json:
    if path not in documents:
        raise DocumentError(f"the document {path} does not exist")
    return documents[path]


def _target(documents: Documents, reference: str, base: str) -> tuple[SchemaLocation, Any]:
    file, _, fragment = reference.partition("#")
    path = posixpath.normpath(posixpath.join(posixpath.dirname(base), file)) if file else base
    node = _document(documents, path)
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
        if key != "$ref" and key not in _LEFT_OUT
    }
    if not isinstance(node.get("$ref"), str):
        return beside
    place, target = _target(documents, node["$ref"], base)
    if place in trail:
        raise DocumentError(f"{base} refers to itself through {node['$ref']}")
    followed = _inline(documents, place[0], target, (*trail, place))
    for key in beside.keys() & followed.keys():
        if key not in _ANNOTATIONS and not key.startswith("x-"):
            raise DocumentError(f"{base} has {key} next to a reference to {node['$ref']}, which has it too")
    return {**followed, **beside}


def _rebased(documents: Documents, base: str, node: Json, targets: dict[SchemaLocation, Any], root: str) -> Json:
    if isinstance(node, list):
        return [_rebased(documents, base, item, targets, root) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {key: value for key, value in node.items() if key not in _LEFT_OUT and not key.startswith("x-")}
    copy = {key: _rebased(documents, base, value, targets, root) for key, value in kept.items()}
    reference = node.get("$ref")
    if not isinstance(reference, str):
        return copy
    place, target = _target(documents, reference, base)
    if place[0] != root:
        if place not in targets:
            targets[place] = {}
            targets[place] = _rebased(documents, place[0], target, targets, root)
        copy["$ref"] = "/".join(("#", "components", *_component(*place)))
    return copy


def _untitled(node: Json) -> Json:
    if isinstance(node, list):
        return [_untitled(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {key: _untitled(value) for key, value in node.items() if key != "title" or not isinstance(value, str)}


def _merged(node: Json, component: Callable[[str], dict[str, Any]]) -> Any:  # noqa: ANN401 - any part of a document
    """Return a part of a document with its references and each ``allOf`` in the form that code generators understand.

    ``component`` returns a schema among the components in this form.
    """
    if isinstance(node, list):
        return [_merged(item, component) for item in node]
    if not isinstance(node, dict):
        return node
    whole = {key: _merged(value, component) for key, value in node.items() if key not in ("$ref", "allOf")}
    parts = list(node.get("allOf", ()))
    if isinstance(node.get("$ref"), str):
        _, _, section, name = node["$ref"].split("/")
        if section != "schemas" or ("type" in component(name) and node.keys() <= {"$ref", "description"}):
            return whole | {"$ref": node["$ref"]}
        parts.insert(0, node)
    for part in parts:
        merged = component(part["$ref"].rpartition("/")[2]) if "$ref" in part else _merged(part, component)
        whole = _both(whole, {key: each for key, each in merged.items() if key != "description"})
    # Members that several parts describe are references with keywords next to them now.
    left = whole.pop("allOf", [])
    # A part with a pattern only is nothing to them, and an object without members is an empty one.
    kind = {"type": whole["type"]} if whole.get("type") in ("string", ["string", "null"]) else {}
    beside = {"allOf": [each | kind for each in left]} if left else {}
    return {key: _merged(each, component) for key, each in whole.items()} | beside


def _both(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Merge two schemas, one keyword at a time; what cannot be merged stays in an ``allOf``."""
    whole, beside = dict(one), dict[str, Any]()
    for key, each in other.items():
        if key in one and key in _MERGES:
            whole[key] = _MERGES[key](one[key], each)
        elif whole.setdefault(key, each) != each:
            beside[key] = each
    return whole | {"allOf": [*whole.get("allOf", ()), beside]} if beside else whole


def _members(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    return {name: _values(one.get(name, True), other.get(name, True)) for name in (one | other)}


def _values(one: Json, other: Json) -> Json:
    """Return a schema for the values that both schemas allow."""
    if False in (one, other):
        return False
    return _both(one, other) if isinstance(one, dict) and isinstance(other, dict) else other if one is True else one


def _required(one: list[str], other: list[str]) -> list[str]:
    return sorted({*one, *other})


def _types(one: Json, other: Json) -> Json:
    shared = [name for name in _listed(one) if name in _listed(other)]
    return shared[0] if len(shared) == 1 else shared


def _listed(types: Json) -> list[str]:
    return [types] if isinstance(types, str) else types


_MERGES: Mapping[str, Callable[[Any, Any], Any]] = {
    "allOf": add,
    "properties": _members,
    "items": _values,
    "required": _required,
    "type": _types,
}


def _referenced(node: Json) -> set[str]:
    """Return the names of the components that are referred to."""
    if isinstance(node, list):
        return set().union(*map(_referenced, node))
    if not isinstance(node, dict):
        return set()
    own = {node["$ref"].rpartition("/")[2]} if isinstance(node.get("$ref"), str) else set()
    return own.union(*map(_referenced, node.values()))


def _component(path: str, fragment: str) -> tuple[str, str]:
    """Return the section of the components and the name in it of what is at a location."""
    stem, names = posixpath.basename(path).removesuffix(".json"), fragment.split("/")[2:]
    if stem == "examples":
        return "examples", ".".join(names)
    words = re.split(r"[^A-Za-z0-9]", "-".join([stem, *names]))
    return "schemas", "".join(word[:1].upper() + word[1:] for word in words)
