"""What one message must look like: a compiled schema that says what breaks it, in words, with the rule that is broken.

A schema carries, beside what JSON Schema knows: ``x-rule`` (the rule that a defect breaks; the nearest enclosing one
counts), ``x-soft`` (a defect only warns), ``x-binds: client`` (a service may tolerate it), ``x-message`` and
``x-expected`` (the words for a defect), ``title`` (the noun for an object), ``x-open`` (members are not known) and
``x-sensitive`` (what kind of private value stands there).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import orjson
from jsonschema_rs import Draft202012Validator, ValidationError, ValidationErrorKind

from airworthy.contract import wording
from airworthy.contract.body import Json, Pointer
from airworthy.contract.known_members import KnownMembers, PrivateValue
from airworthy.contract.simplification import bare, simplified

MOST_ERRORS = 2000
BEGINNING = 200
SMALL = 256 * 1024
MOST_WINDOWS = 5
_COMPOSITES = {"oneOf", "anyOf"}


@dataclass(frozen=True, slots=True)
class Defect:
    """One thing that is wrong with a message, before it is tied to an exchange.

    ``place`` leads into the body; ``where`` replaces it for what stands elsewhere (``query:NAME``, ``status``, …).
    ``tolerable`` says that a conforming service may accept a request with this defect; ``deprecated`` that it is right
    by the documents, but no longer to be used.
    """

    rule: str
    place: Pointer
    message: str
    expected: str = ""
    actual: str = ""
    where: str = ""
    soft: bool = False
    tolerable: bool = False
    deprecated: bool = False
    keyword: str = ""
    value: Json = None

    @property
    def pointer(self) -> str:
        """Where it is, as findings say it."""
        return self.where or wording.pointer(self.place)


class CompiledSchema:
    """A schema without references, compiled."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema

    @cached_property
    def _open(self) -> Draft202012Validator:
        return Draft202012Validator(bare(self.schema))

    @cached_property
    def _known(self) -> Draft202012Validator:
        return Draft202012Validator(self._outline.structure())

    @cached_property
    def _closed(self) -> Draft202012Validator:
        return Draft202012Validator(simplified({"allOf": [bare(self.schema), self._outline.structure()]}))

    @cached_property
    def _outline(self) -> KnownMembers:
        return KnownMembers.of(self.schema)

    @property
    def expected(self) -> str:
        """What a value of this shape is, in words."""
        return _expected(self.schema)

    @property
    def holds_private(self) -> bool:
        """Whether private values may stand in such a message."""
        return bool(self._outline.private)

    def fits(self, value: Json) -> bool:
        """Whether a value breaks nothing and holds nothing unknown: the quick answer for most messages."""
        return self._closed.is_valid(value)

    def defects(self, value: Json) -> list[Defect]:
        """Return what is wrong with a value, one defect for each place."""
        return self.examine(value)[0]

    def examine(self, value: Json) -> tuple[list[Defect], list[Pointer]]:
        """Return what is wrong with a value, one defect for each place, and where it holds unknown members."""
        if self.fits(value):
            return [], []
        unknown = [] if self._known.is_valid(value) else self._outline.unknown(value)
        return self._defects(value), unknown

    def _defects(self, value: Json) -> list[Defect]:
        found: dict[Pointer, Defect] = {}
        for error, window in self._errors(value):
            place = _place(value, error.instance_path, window)
            defect = _defect(self.schema, error, place, private=self._outline.kind_of(place))
            known = found.get(defect.place)
            if known is None or (defect.keyword == "type" and known.keyword != "type"):
                found[defect.place] = defect
        return [defect for defect in found.values() if not _follows(defect, found)]

    def _errors(self, value: Json) -> Iterator[tuple[ValidationError, int]]:
        """Yield errors with the window of the value that they are in.

        The validator finds all errors before it shows the first: of a large value, long arrays are shown to it part by
        part, and only the beginnings of those inside them. What no part shows, it says once for the whole.
        """
        if self._open.is_valid(value):
            return
        if not isinstance(value, dict | list) or len(orjson.dumps(value)) <= SMALL:
            yield from ((error, 0) for error in islice(self._open.iter_errors(value), MOST_ERRORS))
            return
        left, wrong = MOST_ERRORS, 0
        for window in range(_windows(value)):
            for error in islice(self._open.iter_errors(_window(value, window)), left):
                yield error, window
                left -= 1
            wrong += left < MOST_ERRORS
            if left <= 0 or wrong >= MOST_WINDOWS:
                return
        if left == MOST_ERRORS:
            try:
                self._open.validate(value)
            except ValidationError as error:
                yield error, 0

    def names(self) -> Iterator[tuple[str, str | None]]:
        """Yield the name of each member with the kind of its value.

        The kind is empty where nothing of the value is private, None where only something in it is.
        """
        return self._outline.names()

    def sensitive(self, value: Json) -> list[PrivateValue]:
        """Return the private values of a message.

        Where a message does not have the form that the schema expects, everything is private that may hold something
        private; so are unknown members beside private ones.
        """
        return list(self._outline.marks(value))


def _windows(value: Json) -> int:
    """Return in how many parts a value is shown: as many as its longest array, or the longest in it, needs."""
    arrays = [value] if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else []
    return max((-(-len(array) // BEGINNING) for array in arrays if isinstance(array, list) and array), default=1)


def _window(value: Json, window: int) -> Json:
    if isinstance(value, list):
        start = _start(value, window)
        return [_cut(item) for item in value[start : start + BEGINNING]]
    if isinstance(value, dict):
        return {name: _window(part, window) if isinstance(part, list) else _cut(part) for name, part in value.items()}
    return value


def _start(array: list[Any], window: int) -> int:
    """Return where a window of an array begins; of a shorter array the first one is shown again."""
    return window * BEGINNING if window * BEGINNING < len(array) else 0


def _cut(value: Json) -> Json:
    """Return a value with all its arrays cut; the same one where none is long."""
    if isinstance(value, list):
        return [_cut(item) for item in value[:BEGINNING]]
    return {name: _cut(part) for name, part in value.items()} if isinstance(value, dict) else value


def _place(value: Json, path: Sequence[str | int], window: int) -> Pointer:
    """Return where an error is: the validator takes a name that reads as a number for a position."""
    place: list[str | int] = []
    for depth, each in enumerate(path):
        part: str | int = each
        if isinstance(value, dict):
            part = _name_of(value, each)
            value = value.get(part)
        elif isinstance(value, list) and isinstance(each, int):
            # Only the outermost array is shown part by part.
            part = (
                each + _start(value, window) if depth <= 1 and not any(isinstance(one, int) for one in place) else each
            )
            value = value[part] if part < len(value) else None
        else:
            value = None
        place.append(part)
    return tuple(place)


def _name_of(value: dict[str, Any], part: str | int) -> str:
    name = str(part)
    if name in value or isinstance(part, str):
        return name
    return next((each for each in value if (each.removeprefix("+").lstrip("0") or "0") == name), name)


def _defect(schema: dict[str, Any], error: ValidationError, place: Pointer, *, private: str) -> Defect:
    kind = error.kind
    steps = list(error.schema_path)
    failing: Any = schema
    nodes: list[dict[str, Any]] = [schema]
    for step in steps:
        failing = failing[step]
        if isinstance(failing, dict):
            nodes.append(failing)
    value = error.instance
    keyword = str(kind.name)
    noun = _nearest(nodes, "title")
    missing = isinstance(kind, ValidationErrorKind.Required)
    binds = _nearest(nodes, "x-binds")
    if isinstance(kind, ValidationErrorKind.Required):
        place = (*place, kind.property)
        message = f"{kind.property} is missing from {wording.with_article(noun or 'body')}"
        expected, actual = _expected(_member(nodes, kind.property)), "missing"
    elif isinstance(kind, ValidationErrorKind.PropertyNames):
        name = str(kind.error.instance)
        place = (*place, name)
        private = private or ("" if wording.is_name(name) else "name")
        expected, actual = _expected(nodes[-1]), wording.shown(name, private=private)
        message = f"{noun} has the key {actual}, not {expected}"
    else:
        expected, actual = _expected(nodes[-1], keyword), wording.shown(value, private=private)
        message = f"{_label(place, nodes)} is {actual}, not {expected}"
    said = _nearest(nodes, "x-message")
    return Defect(
        rule=_nearest(nodes, "x-rule"),
        place=place,
        message=said or message,
        expected=(_nearest(nodes, "x-expected") if said else "") or expected,
        actual=actual,
        soft=any(node.get("x-soft") for node in nodes),
        tolerable=binds == "client" or (value is None and not missing and not _is_required(nodes, place)),
        keyword=keyword,
        value=value,
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


def _is_required(nodes: list[dict[str, Any]], place: Pointer) -> bool:
    return any(
        isinstance(node.get("required"), list) and place[-1:] and place[-1] in node["required"] for node in nodes
    )


def _label(place: Pointer, nodes: list[dict[str, Any]]) -> str:
    names = [part for part in place if isinstance(part, str)]
    if not names:
        return wording.with_article(_nearest(nodes[:1], "title") or "body")
    name = names[-1] if wording.is_name(names[-1]) else "a member"
    if isinstance(place[-1], int):
        return f"an item of {name}"
    holder = _nearest(nodes[:-1], "title")
    return f"{name} of {wording.with_article(holder)}" if holder else name


def _expected(schema: dict[str, Any], keyword: str = "") -> str:
    if "x-expected" in schema:
        return str(schema["x-expected"])
    if "enum" in schema:
        return wording.one_of(schema["enum"])
    if "const" in schema:
        return wording.shown(schema["const"])
    if keyword in ("minimum", "maximum"):
        return f"{'at least' if keyword == 'minimum' else 'at most'} {schema[keyword]}"
    return wording.types(schema["type"]) if "type" in schema else "what the document describes"


def _follows(defect: Defect, found: dict[Pointer, Defect]) -> bool:
    """Whether a defect only repeats what a deeper one of the same rule says better."""
    depth = len(defect.place)
    return defect.keyword in _COMPOSITES and any(
        len(place) > depth and place[:depth] == defect.place and other.rule == defect.rule
        for place, other in found.items()
    )
