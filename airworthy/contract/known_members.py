"""What a schema knows, whatever conditions it stands under: which members there are, and which of them are private."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from airworthy.contract.body import Json, Pointer

MOST_UNKNOWN = 2000
_BRANCHES = ("then", "else")
_ALTERNATIVES = ("allOf", "anyOf", "oneOf")


@dataclass(frozen=True, slots=True)
class PrivateValue:
    """A private value in a transaction: where, and of what kind."""

    path: Pointer
    kind: str


@dataclass
class KnownMembers:
    """The members that a schema knows, whatever conditions they stand under.

    ``patterns`` know members by the form of their names; ``others`` is what any member is that has no name of its own.
    """

    members: dict[str, "KnownMembers"] = field(default_factory=dict)
    patterns: dict[str, "KnownMembers"] = field(default_factory=dict)
    others: "KnownMembers | None" = None
    items: "KnownMembers | None" = None
    open: bool = False
    sensitive: str = ""

    @classmethod
    def of(cls, schema: Json) -> "KnownMembers":
        """Return the outline of a schema without references."""
        outline = cls()
        _draw(schema, outline)
        return outline

    @cached_property
    def private(self) -> str:
        """The kind of the first private value at or below this path, or nothing."""
        if self.sensitive:
            return self.sensitive
        below = [*self.members.values(), *self.patterns.values(), self.others, self.items]
        return next((kind for outline in below if outline is not None and (kind := outline.private)), "")

    @cached_property
    def is_object(self) -> bool:
        """Whether members are known of it."""
        return bool(self.members or self.patterns or self.others)

    @cached_property
    def holders(self) -> tuple[tuple[str, "KnownMembers"], ...]:
        """The named members that have members of their own."""
        return tuple((name, known) for name, known in self.members.items() if known.is_object or known.items)

    @cached_property
    def _forms(self) -> tuple[tuple[re.Pattern[str], "KnownMembers"], ...]:
        return tuple((re.compile(pattern), known) for pattern, known in self.patterns.items())

    def known(self, name: str) -> "KnownMembers | None":
        """Return the outline of a member, None where the schema does not know it."""
        if name in self.members:
            return self.members[name]
        return next((known for form, known in self._forms if form.search(name)), self.others)

    def kind_of(self, path: Pointer) -> str:
        """Return the kind of the private value that stands at a path, around it or in it, or nothing."""
        outline: KnownMembers | None = self
        for part in path:
            if outline is None or outline.sensitive:
                break
            outline = outline.items if isinstance(part, int) else outline.known(part)
        return outline.private if outline is not None else ""

    @cached_property
    def holds_private(self) -> bool:
        """Whether private values are direct members of this path."""
        return any(member.sensitive for member in self.members.values())

    def names(self) -> Iterator[tuple[str, str | None]]:
        """Yield the name of each member with the kind of its value.

        The kind is empty where nothing of the value is private, None where only something in it is.
        """
        for name, member in _names(self):
            yield name, member.sensitive or (None if member.private else "")

    def structure(self) -> Json:
        """Return a schema that says nothing but which members are known."""
        structure: dict[str, Any] = {}
        if self.is_object:
            structure["properties"] = {name: known.structure() for name, known in self.members.items()}
            structure["additionalProperties"] = self.others.structure() if self.others else self.open
        if self.patterns:
            structure["patternProperties"] = {form: known.structure() for form, known in self.patterns.items()}
        if self.items is not None:
            structure["items"] = self.items.structure()
        return structure or True

    def unknown(self, value: Json) -> list[Pointer]:
        """Return where a value holds members that are not known, `MOST_UNKNOWN` at most."""
        found: list[Pointer] = []
        _find_unknown(self, value, (), found)
        return found

    def private_values(self, value: Json) -> Iterator[PrivateValue]:
        """Yield the private values of a transaction.

        Where a transaction does not have the form that the schema expects, everything is private that may hold something
        private; so are unknown members beside private ones.
        """
        return _private_values(self, value, ())


def _names(outline: KnownMembers) -> Iterator[tuple[str, KnownMembers]]:
    """Yield every named member at or below a path, private ones as a whole."""
    for name, member in outline.members.items():
        yield name, member
        if not member.sensitive:
            yield from _names(member)
    for below in (*outline.patterns.values(), outline.others, outline.items):
        if below is not None and not below.sensitive:
            yield from _names(below)


def _draw(schema: Json, outline: KnownMembers) -> None:
    if not isinstance(schema, dict):
        return
    outline.open = outline.open or bool(schema.get("x-open"))
    outline.sensitive = outline.sensitive or str(schema.get("x-sensitive", ""))
    for name, member in schema.get("properties", {}).items():
        _draw(member, outline.members.setdefault(name, KnownMembers()))
    for pattern, member in schema.get("patternProperties", {}).items():
        _draw(member, outline.patterns.setdefault(pattern, KnownMembers()))
    if isinstance(schema.get("additionalProperties"), dict):
        outline.others = outline.others or KnownMembers()
        _draw(schema["additionalProperties"], outline.others)
    if "items" in schema:
        outline.items = outline.items or KnownMembers()
        _draw(schema["items"], outline.items)
    for branch in _branches(schema):
        _draw(branch, outline)


def _branches(schema: dict[str, Any]) -> list[Any]:
    conditional = [schema[key] for key in _BRANCHES if key in schema]
    return conditional + [branch for key in _ALTERNATIVES for branch in schema.get(key, ())]


def _find_unknown(outline: KnownMembers, value: Json, path: Pointer, found: list[Pointer]) -> None:
    if len(found) >= MOST_UNKNOWN:
        return
    if isinstance(value, dict) and outline.is_object:
        if not value.keys() <= outline.members.keys():
            _find_unnamed(outline, value, path, found)
        for name, known in outline.holders:
            below = value.get(name)
            if below:
                _find_unknown(known, below, (*path, name), found)
    elif isinstance(value, list) and outline.items is not None:
        for index, item in enumerate(value):
            _find_unknown(outline.items, item, (*path, index), found)


def _find_unnamed(outline: KnownMembers, value: dict[str, Any], path: Pointer, found: list[Pointer]) -> None:
    for name in islice((name for name in value if name not in outline.members), MOST_UNKNOWN):
        known = outline.known(name)
        if known is not None:
            _find_unknown(known, value[name], (*path, name), found)
        elif not outline.open:
            found.append((*path, name))


def _private_values(outline: KnownMembers, value: Json, path: Pointer) -> Iterator[PrivateValue]:
    if value is None or not outline.private:
        return
    if outline.sensitive:
        yield PrivateValue(path, outline.sensitive)
    elif isinstance(value, dict) and outline.is_object:
        for name, member in value.items():
            known = outline.known(name)
            if known is not None:
                yield from _private_values(known, member, (*path, name))
            elif outline.holds_private:
                yield PrivateValue((*path, name), "unknown")
    elif isinstance(value, list) and outline.items is not None:
        for index, item in enumerate(value):
            yield from _private_values(outline.items, item, (*path, index))
    else:
        yield PrivateValue(path, outline.private)
