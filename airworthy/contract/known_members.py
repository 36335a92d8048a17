"""The members that a schema documents, under any condition, and which of them are private."""

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
    """The members that a schema documents, under any condition.

    ``patterns`` has members by a pattern for their names; ``others`` describes members with any other name.
    """

    members: dict[str, "KnownMembers"] = field(default_factory=dict)
    patterns: dict[str, "KnownMembers"] = field(default_factory=dict)
    others: "KnownMembers | None" = None
    items: "KnownMembers | None" = None
    open: bool = False
    sensitive: str = ""

    @classmethod
    def of(cls, schema: Json) -> "KnownMembers":
        """Return the known members of a schema without references."""
        members = cls()
        _collect(schema, members)
        return members

    @cached_property
    def private(self) -> str:
        """The kind of the first private value at or below this path, or nothing."""
        if self.sensitive:
            return self.sensitive
        below = [*self.members.values(), *self.patterns.values(), self.others, self.items]
        return next((kind for each in below if each is not None and (kind := each.private)), "")

    @cached_property
    def is_object(self) -> bool:
        """Whether this is an object with known members."""
        return bool(self.members or self.patterns or self.others)

    @cached_property
    def holders(self) -> tuple[tuple[str, "KnownMembers"], ...]:
        """The named members that are objects or arrays."""
        return tuple((name, known) for name, known in self.members.items() if known.is_object or known.items)

    @cached_property
    def _forms(self) -> tuple[tuple[re.Pattern[str], "KnownMembers"], ...]:
        return tuple((re.compile(pattern), known) for pattern, known in self.patterns.items())

    def known(self, name: str) -> "KnownMembers | None":
        """Return what is known of a member, or None if the schema does not document it."""
        if name in self.members:
            return self.members[name]
        return next((known for form, known in self._forms if form.search(name)), self.others)

    def kind_of(self, path: Pointer) -> str:
        """Return the kind of the private value at, around or inside a path, or an empty string."""
        here: KnownMembers | None = self
        for part in path:
            if here is None or here.sensitive:
                break
            here = here.items if isinstance(part, int) else here.known(part)
        return here.private if here is not None else ""

    @cached_property
    def holds_private(self) -> bool:
        """Whether a direct member is private."""
        return any(member.sensitive for member in self.members.values())

    def names(self) -> Iterator[tuple[str, str | None]]:
        """Yield the name of each member with the kind of its value.

        The kind is empty if nothing in the value is private, None if only a part of it is.
        """
        for name, member in _names(self):
            yield name, member.sensitive or (None if member.private else "")

    def structure(self) -> Json:
        """Return a schema that only lists the known members."""
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
        """Return the paths of members that are not known, at most `MOST_UNKNOWN`."""
        found: list[Pointer] = []
        _find_unknown(self, value, (), found)
        return found

    def private_values(self, value: Json) -> Iterator[PrivateValue]:
        """Yield the private values of a body.

        Where a body does not have the structure that the schema expects, everything that may contain private values
        counts as private; so do unknown members beside private ones.
        """
        return _private_values(self, value, ())


def _names(members: KnownMembers) -> Iterator[tuple[str, KnownMembers]]:
    """Yield every named member here and below; what is inside a private one is not listed."""
    for name, member in members.members.items():
        yield name, member
        if not member.sensitive:
            yield from _names(member)
    for below in (*members.patterns.values(), members.others, members.items):
        if below is not None and not below.sensitive:
            yield from _names(below)


def _collect(schema: Json, members: KnownMembers) -> None:
    if not isinstance(schema, dict):
        return
    members.open = members.open or bool(schema.get("x-open"))
    members.sensitive = members.sensitive or str(schema.get("x-sensitive", ""))
    for name, member in schema.get("properties", {}).items():
        _collect(member, members.members.setdefault(name, KnownMembers()))
    for pattern, member in schema.get("patternProperties", {}).items():
        _collect(member, members.patterns.setdefault(pattern, KnownMembers()))
    if isinstance(schema.get("additionalProperties"), dict):
        members.others = members.others or KnownMembers()
        _collect(schema["additionalProperties"], members.others)
    if "items" in schema:
        members.items = members.items or KnownMembers()
        _collect(schema["items"], members.items)
    for branch in _branches(schema):
        _collect(branch, members)


def _branches(schema: dict[str, Any]) -> list[Any]:
    conditional = [schema[key] for key in _BRANCHES if key in schema]
    return conditional + [branch for key in _ALTERNATIVES for branch in schema.get(key, ())]


def _find_unknown(members: KnownMembers, value: Json, path: Pointer, found: list[Pointer]) -> None:
    if len(found) >= MOST_UNKNOWN:
        return
    if isinstance(value, dict) and members.is_object:
        if not value.keys() <= members.members.keys():
            _find_unnamed(members, value, path, found)
        for name, known in members.holders:
            below = value.get(name)
            if below:
                _find_unknown(known, below, (*path, name), found)
    elif isinstance(value, list) and members.items is not None:
        for index, item in enumerate(value):
            _find_unknown(members.items, item, (*path, index), found)


def _find_unnamed(members: KnownMembers, value: dict[str, Any], path: Pointer, found: list[Pointer]) -> None:
    for name in islice((name for name in value if name not in members.members), MOST_UNKNOWN):
        known = members.known(name)
        if known is not None:
            _find_unknown(known, value[name], (*path, name), found)
        elif not members.open:
            found.append((*path, name))


def _private_values(members: KnownMembers, value: Json, path: Pointer) -> Iterator[PrivateValue]:
    if value is None or not members.private:
        return
    if members.sensitive:
        yield PrivateValue(path, members.sensitive)
    elif isinstance(value, dict) and members.is_object:
        for name, member in value.items():
            known = members.known(name)
            if known is not None:
                yield from _private_values(known, member, (*path, name))
            elif members.holds_private:
                yield PrivateValue((*path, name), "unknown")
    elif isinstance(value, list) and members.items is not None:
        for index, item in enumerate(value):
            yield from _private_values(members.items, item, (*path, index))
    else:
        yield PrivateValue(path, members.private)
