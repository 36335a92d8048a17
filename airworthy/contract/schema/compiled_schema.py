"""A compiled JSON Schema that describes what is wrong with a value, with the rule that is violated.

Besides the keywords of JSON Schema, a schema has these annotations: ``x-rule`` (the rule that a defect violates; the
nearest enclosing one counts), ``x-counts: false`` (its keywords also meet values that the rule is not about, see
`airworthy.contract.bodies.applications`), ``x-soft`` (a defect only warns), ``x-binds: client`` (a service may
tolerate it), ``x-reason`` (the open question or the place in the documents that allows it), ``x-message`` and
``x-expected`` (the text for a defect), ``title`` (the noun for an object), ``x-open`` (the documents do not list the
members), ``x-unlisted`` (a value that an enumeration could have, but does not have: the suite sends it),
``x-sensitive`` (the kind of a private value), ``x-public`` (``text`` or ``code``: words or codes in this field are
public) and ``x-like`` (a schema for what an open value usually is, which only redaction uses).
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

import orjson
from jsonschema_rs import Draft202012Validator, ValidationError, ValidationErrorKind

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.applications import Applications, SchemaRules
from airworthy.contract.bodies.body import Body, Json, Pointer
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.schema.known_members import KnownMembers
from airworthy.documents.references import each_object
from airworthy.documents.wording import LIMITS, named, types

MOST_ERRORS = 2000
ITEMS_IN_WINDOW = 200
SMALL = 256 * 1024
MOST_WINDOWS_WITH_ERRORS = 5
_RULE = re.compile('"x-rule":"([^"]+)"')
_COMPOSITES = {"oneOf", "anyOf"}
# The keywords whose schemas describe a value inside the one that is described.
_DESCENTS = ("properties", "items", "prefixItems", "additionalProperties", "patternProperties")


class CompiledSchema:
    """A schema without references, compiled on first use.

    ``document`` is the schema itself.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document

    @cached_property
    def _open(self) -> Draft202012Validator:
        """Validates what the documents require."""
        return Draft202012Validator(each_object(self.document, _bare))

    @cached_property
    def _known(self) -> Draft202012Validator:
        """Validates that every member is documented."""
        return Draft202012Validator(self.members.structure())

    @cached_property
    def members(self) -> KnownMembers:
        """The members that the schema documents."""
        return KnownMembers.of(self.document)

    @cached_property
    def _rules(self) -> SchemaRules:
        return SchemaRules.of(self.document)

    @property
    def rule(self) -> str:
        """The rule that the schema as a whole belongs to, or an empty string."""
        return str(self.document.get("x-rule", ""))

    @property
    def rules(self) -> frozenset[str]:
        """Every rule that a value can violate."""
        return frozenset(_RULE.findall(orjson.dumps(self.document).decode()))

    @property
    def expected(self) -> str:
        """What a value of this schema is, in words."""
        return _expected(self.document)

    def is_valid(self, value: Json) -> bool:
        """Return whether a value violates nothing and has no undocumented members; the quick test for most bodies."""
        return self._open.is_valid(value) and self._known.is_valid(value)

    def is_clean(self, body: Body) -> bool:
        """Return whether a body is valid, has no undocumented members and contains nothing private.

        The body remembers it: one walk through a large body serves both the redaction and the judgement.
        """
        if self not in body.clean and self.members.is_harmless(body.value) and self._open.is_valid(body.value):
            body.clean.add(self)
        return self in body.clean

    def defects(self, value: Json) -> list[Defect]:
        """Return what is wrong with a value, one defect for each location."""
        return self.examine(value)[0]

    def examine(self, value: Json) -> tuple[list[Defect], list[Pointer]]:
        """Return what is wrong with a value, one defect for each location, and the paths of undocumented members."""
        unknown = [] if self._known.is_valid(value) else self.members.unknown(value)
        return self._defects(value), unknown

    def count(self, value: Json, applied: Applications) -> None:
        """Add to ``applied`` how often each rule of the schema was applied to something in a value."""
        self._rules.count(value, applied)

    def _defects(self, value: Json) -> list[Defect]:
        found: dict[Pointer, Defect] = {}
        for error, window in self._errors(value):
            path = _path(value, error.instance_path, window)
            defect = _defect(self.document, error, path, private=self.members.kind_of(path))
            known = found.get(defect.path)
            if known is None or _precedes(defect, known):
                found[defect.path] = defect
        return [defect for defect in found.values() if not _repeats_a_deeper_one(defect, found)]

    def _errors(self, value: Json) -> Iterator[tuple[ValidationError, int]]:
        """Yield errors, each with the number of the window that it was found in.

        The validator finds all errors before it returns the first. So of a large value, long arrays are validated in
        windows of some items, and arrays inside those only up to the same number. If no window shows an error, the
        first error of the whole value is returned.
        """
        if self._open.is_valid(value):
            return
        if not isinstance(value, dict | list) or len(orjson.dumps(value)) <= SMALL:
            yield from ((error, 0) for error in islice(self._open.iter_errors(value), MOST_ERRORS))
            return
        left, windows_with_errors = MOST_ERRORS, 0
        for window in range(_windows(value)):
            for error in islice(self._open.iter_errors(_window(value, window)), left):
                yield error, window
                left -= 1
            windows_with_errors += left < MOST_ERRORS
            if left <= 0 or windows_with_errors >= MOST_WINDOWS_WITH_ERRORS:
                return
        if left == MOST_ERRORS:
            try:
                self._open.validate(value)
            except ValidationError as error:
                yield error, 0


def _bare(schema: dict[str, Json]) -> Json:
    """Return a schema without annotations, with its pattern in the simplest form that this validator understands.

    Its ``$`` matches only at the end of a text, so the lookahead that other validators need is removed.
    """
    plain = {key: part for key, part in schema.items() if not key.startswith("x-")}
    if isinstance(plain.get("pattern"), str):
        plain["pattern"] = plain["pattern"].replace("(?!\\n)$", "$")
    return plain


def _precedes(defect: Defect, known: Defect) -> bool:
    """Return whether a defect is reported instead of another one of the same value."""
    if (defect.keyword == "type") != (known.keyword == "type"):
        return defect.keyword == "type"
    # A member that must not be sent need not have the right form.
    if (defect.keyword == "falseSchema") != (known.keyword == "falseSchema"):
        return defect.keyword == "falseSchema"
    return known.tolerable and not defect.tolerable


def _windows(value: Json) -> int:
    """Return the number of windows that the longest array needs: the value itself, or one of its members."""
    arrays = [value] if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else []
    lengths = [len(array) for array in arrays if isinstance(array, list) and array]
    return max((-(-length // ITEMS_IN_WINDOW) for length in lengths), default=1)


def _window(value: Json, window: int) -> Json:
    if isinstance(value, list):
        start = _start(value, window)
        return [_cut(item) for item in value[start : start + ITEMS_IN_WINDOW]]
    if isinstance(value, dict):
        return {name: _window(part, window) if isinstance(part, list) else _cut(part) for name, part in value.items()}
    return value


def _start(array: list[Any], window: int) -> int:
    """Return the index at which a window of an array starts; an array without that window repeats its first one."""
    return window * ITEMS_IN_WINDOW if window * ITEMS_IN_WINDOW < len(array) else 0


def _cut(value: Json) -> Json:
    """Return a value with all its arrays cut to the size of a window."""
    if isinstance(value, list):
        return [_cut(item) for item in value[:ITEMS_IN_WINDOW]]
    return {name: _cut(part) for name, part in value.items()} if isinstance(value, dict) else value


def _path(value: Json, reported: Sequence[str | int], window: int) -> Pointer:
    """Return the path of an error in the whole value.

    The validator reports names that look like numbers as numbers, and indices within the window.
    """
    path: list[str | int] = []
    for depth, each in enumerate(reported):
        part: str | int = each
        if isinstance(value, dict):
            part = _name_of(value, each)
            value = value.get(part)
        elif isinstance(value, list) and isinstance(each, int):
            # Only the outermost array is divided into windows.
            is_outermost = depth <= 1 and not any(isinstance(one, int) for one in path)
            part = each + _start(value, window) if is_outermost else each
            value = value[part] if part < len(value) else None
        else:
            value = None
        path.append(part)
    return tuple(path)


def _name_of(value: dict[str, Any], part: str | int) -> str:
    name = str(part)
    if name in value or isinstance(part, str):
        return name
    return next((each for each in value if (each.removeprefix("+").lstrip("0") or "0") == name), name)


def _defect(schema: dict[str, Any], error: ValidationError, path: Pointer, *, private: str) -> Defect:
    kind = error.kind
    failing: Any = schema
    nodes: list[dict[str, Any]] = [schema]
    levels = [0]
    for step in error.schema_path:
        failing = failing[step]
        if step in _DESCENTS:
            levels.append(len(nodes))
        # What a value must not be says nothing of what is expected.
        if isinstance(failing, dict) and step != "not":
            nodes.append(failing)
    value = error.instance
    keyword = str(kind.name)
    noun = _nearest(nodes, "title")
    missing = isinstance(kind, ValidationErrorKind.Required)
    if isinstance(kind, ValidationErrorKind.Required):
        path = (*path, kind.property)
        message = f"{kind.property} is missing from {wording.with_article(noun or 'body')}"
        expected, actual = _expected(_member(nodes, kind.property)), "missing"
    elif isinstance(kind, ValidationErrorKind.PropertyNames):
        name = str(kind.error.instance)
        path = (*path, name)
        private = private or ("" if wording.is_name(name) else "name")
        expected, actual = _expected(nodes[-1]), wording.shown(name, private=private)
        message = f"{noun} has the key {actual}, not {expected}"
    else:
        expected, actual = _expected(nodes[-1], keyword), wording.shown(value, private=private)
        message = f"{_label(path, nodes)} is {actual}, not {expected}"
    text = _nearest(nodes, "x-message")
    if text and isinstance(value, dict) and not missing:
        # Only its members can be wrong, which the message names.
        actual = ""
    binds_client = _nearest(nodes, "x-binds") == "client"
    holders = nodes[levels[-2] : levels[-1]] if len(levels) > 1 else []
    return Defect(
        path,
        text or message,
        (_nearest(nodes, "x-expected") if text else "") or expected,
        actual,
        soft=any(node.get("x-soft") for node in nodes),
        tolerable=binds_client or (value is None and not missing and not _is_required(holders, path)),
        keyword=keyword,
        value=value,
        rule=_nearest(nodes, "x-rule"),
    )


def _nearest(nodes: list[dict[str, Any]], annotation: str) -> str:
    for node in reversed(nodes):
        if isinstance(node.get(annotation), str):
            return str(node[annotation])
    return ""


def _member(nodes: list[dict[str, Any]], name: str) -> dict[str, Any]:
    for node in reversed(nodes):
        member = node.get("properties", {}).get(name) if isinstance(node.get("properties"), dict) else None
        if isinstance(member, dict):
            return member
    return {}


def _is_required(holders: list[dict[str, Any]], path: Pointer) -> bool:
    """Return whether a schema of the object that holds a member requires it."""
    return any(path[-1] in node["required"] for node in holders if isinstance(node.get("required"), list))


def _label(path: Pointer, nodes: list[dict[str, Any]]) -> str:
    names = [part for part in path if isinstance(part, str)]
    if not names:
        return wording.with_article(_nearest(nodes[:1], "title") or "body")
    name = names[-1] if wording.is_name(names[-1]) else "a member"
    if isinstance(path[-1], int):
        return f"an item of {name}"
    holder = _nearest(nodes[:-1], "title")
    return f"{name} of {wording.with_article(holder)}" if holder else name


def _expected(schema: dict[str, Any], keyword: str = "") -> str:
    if expected := named(schema):
        return expected
    if keyword in LIMITS:
        return LIMITS[keyword].format(schema[keyword])
    if "type" not in schema and "allOf" in schema:
        return _expected(schema["allOf"][0])
    return types(schema["type"]) if "type" in schema else "what the documents describe"


def _repeats_a_deeper_one(defect: Defect, found: dict[Pointer, Defect]) -> bool:
    """Return whether a defect of ``oneOf`` or ``anyOf`` only repeats a more precise one of the same rule inside it."""
    depth = len(defect.path)
    return defect.keyword in _COMPOSITES and any(
        len(path) > depth and path[:depth] == defect.path and other.rule == defect.rule for path, other in found.items()
    )
