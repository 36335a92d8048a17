"""Join the documents of an interface into one OpenAPI document, for code generators and other programs."""

import posixpath
import re
from collections.abc import Callable, Mapping
from functools import cache
from operator import add
from typing import Any

from airworthy.documents.references import (
    LEFT_OUT,
    DocumentError,
    Documents,
    Json,
    SchemaLocation,
    each_object,
    packaged_documents,
    target,
)


@cache
def bundle(version: str) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of a version, with everything that it refers to, as one document.

    Raises `DocumentError` if there is no such version.
    """
    return bundled(packaged_documents(), f"{version}/openapi.json")


def bundled(documents: Documents, path: str) -> dict[str, Any]:
    """Return an OpenAPI document that needs no other file: what it refers to is among its components.

    Code generators read it, too. They ignore conditions, negations and keywords next to a reference, need the type of
    each component, name components by their titles, and merge an ``allOf`` of simple schemas only. So references with
    such keywords and references to schemas without a type are replaced by their targets, components are merged as far
    as possible, and plain keywords say what conditions and negations say.
    The annotations of this project are left out.

    Raises `DocumentError` if a reference leads nowhere, or if two components would have the same name.
    """
    targets: dict[SchemaLocation, Any] = {}
    root = _rebased(documents, path, target(documents, path, "")[1], targets, root=path)
    named: dict[str, dict[str, Any]] = {"examples": {}, "responses": {}, "schemas": {}}
    for place, found in sorted(targets.items()):
        section, name = _component(*place)
        if name in named[section]:
            raise DocumentError(f"{path} refers to two {section} that would both be named {name}")
        named[section][name] = found

    @cache
    def component(name: str) -> dict[str, Any]:
        made: dict[str, Any] = _merged(each_object(named["schemas"][name], _untitled), component)
        return component(made.pop("$ref").rpartition("/")[2]) | made if "$ref" in made else made

    root, merged = _merged(root, component), {name: component(name) for name in named["schemas"]}
    used = _referenced([root, *merged.values()])
    named["schemas"] = {name: each for name, each in merged.items() if name in used}
    found = {section: dict(sorted(each.items())) for section, each in named.items() if each}
    return {**root, "components": root.get("components", {}) | found}


def _rebased(documents: Documents, base: str, node: Json, targets: dict[SchemaLocation, Any], root: str) -> Json:
    if isinstance(node, list):
        return [_rebased(documents, base, item, targets, root) for item in node]
    if not isinstance(node, dict):
        return node
    # The form of a member that a condition describes, which code generators ignore.
    node = {**node["x-form"], "description": node["description"]} if "x-form" in node else node
    kept = {key: value for key, value in node.items() if key not in LEFT_OUT and not key.startswith("x-")}
    copy = {key: _rebased(documents, base, value, targets, root) for key, value in kept.items()}
    reference = node.get("$ref")
    if not isinstance(reference, str):
        return copy
    place, found = target(documents, reference, base)
    if place[0] != root:
        if place not in targets:
            targets[place] = {}
            targets[place] = _rebased(documents, place[0], found, targets, root)
        copy["$ref"] = "/".join(("#", "components", *_component(*place)))
    return copy


def _untitled(node: dict[str, Json]) -> Json:
    return {key: value for key, value in node.items() if key != "title" or not isinstance(value, str)}


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
    # A part with a pattern only is nothing to them, and an object without described members is an empty one.
    described = left or whole.keys() & {"properties", "additionalProperties"}
    if "object" in _listed(whole.get("type", [])) and not described:
        whole["additionalProperties"] = True
    kind = {"type": whole["type"]} if whole.get("type") in ("string", ["string", "null"]) else {}
    beside = {"allOf": [each | kind for each in left]} if left else {}
    return _plain({key: _merged(each, component) for key, each in whole.items()} | beside)


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that says in plain keywords what its negation and both branches of its condition say."""
    match schema:
        case {"enum": [*values], "not": {"enum": [*excluded], **others}} if not others:
            allowed = [value for value in values if value not in excluded]
            return {key: each for key, each in schema.items() if key != "not"} | {"enum": allowed}
        case {"then": {"required": [*one]}, "else": {"required": [*other]}}:
            return schema | {"required": _required(schema.get("required", []), [each for each in one if each in other])}
        case _:
            return schema


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
    if stem == "openapi":
        return names[0], names[1]
    words = re.split(r"[^A-Za-z0-9]", "-".join([stem, *names]))
    return "schemas", "".join(word[:1].upper() + word[1:] for word in words)
