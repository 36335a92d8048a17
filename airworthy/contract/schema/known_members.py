"""The members that a schema documents, under any condition, and which of their values may be shown."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, Literal
from unicodedata import normalize

from jsonschema_rs import Draft202012Validator

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.bodies.moments import moment
from airworthy.documents.references import parts

MOST_UNKNOWN = 2000
LARGEST_NUMBER = 10**12 - 1
SHORT_NUMBER = 99
"""The largest number that stays where no schema describes it."""
# Words with at most four digits, or a date and time: the names of places, airlines, classes and time zones.
_PUBLIC = (
    r"^(?:[^\W\d_]|[ .,'\u2019()/&_:+-])*(?:[0-9](?:[^\W\d_]|[ .,'\u2019()/&_:+-])*){0,4}$"
    r"|^[0-9]{1,10}$|^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:]{5,8}(?:[.,][0-9]{1,9})?(?:Z|[+-][0-9:]{2,5})?$"
)
_PUBLIC_TEXT = re.compile(_PUBLIC)
_LONGEST_PUBLIC = 80
_ID = re.compile(r"[0-9]{1,12}")
_HARMLESS_NAME = r"^[0-9]{1,12}$|^segment_[0-9]_[a-z_]{1,40}$|^[A-Za-z_]{1,40}$"

TextClass = Literal["unknown", "text", "code", "public"]


@dataclass
class KnownMembers:
    """The members that a schema documents, under any condition.

    ``patterns`` has members by a pattern for their names; ``others`` describes members with any other name.
    ``types``, ``forms`` (patterns), ``codes`` and ``public`` describe a value; ``like`` describes what an open value
    usually is (``x-like``).
    """

    members: dict[str, "KnownMembers"] = field(default_factory=dict)
    patterns: dict[str, "KnownMembers"] = field(default_factory=dict)
    others: "KnownMembers | None" = None
    items: "KnownMembers | None" = None
    open: bool = False
    sensitive: str = ""
    public: str = ""
    types: set[str] = field(default_factory=set)
    forms: set[str] = field(default_factory=set)
    codes: set[str] = field(default_factory=set)
    like: "KnownMembers | None" = None

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

    def beside(self, path: Pointer) -> Collection[str]:
        """Return the names of the members that the schema documents beside the one at a path."""
        here: KnownMembers | None = self
        for part in path[:-1]:
            here = here and (here.items if isinstance(part, int) else here.known(part))
        return here.members if here else ()

    def kind_of(self, path: Pointer) -> str:
        """Return the kind of the private value at, around or inside a path, or an empty string.

        The kind is ``unknown`` where the schema describes nothing.
        """
        here: KnownMembers | None = self
        for part in path:
            if here is None or here.sensitive:
                break
            here = here.items if isinstance(part, int) else here.known(part)
        return here.private if here is not None else "unknown"

    @cached_property
    def text(self) -> TextClass:
        """The class of texts at this location: a code of a known form, a public name, any text, or unknown."""
        if self.public == "text":
            return "public"
        if self.public or self.codes or self.forms or (self.types and "string" not in self.types):
            return "code"
        return "text" if self.types else "unknown"

    def may_show(self, text: str) -> bool:
        """Return whether a text at this location contains nothing private, because of its form."""
        if self.private or self.text == "unknown":
            return False
        if self.text == "public":
            # Digits in disguise, such as ①, are digits after normalisation.
            return len(text) <= _LONGEST_PUBLIC and _PUBLIC_TEXT.fullmatch(normalize("NFKC", text)) is not None
        if self.text == "code":
            if text in self.codes or wording.is_plain(text):
                return True
            return any(form.match(text) for form in self._text_forms) or self._is_id(text)
        return False

    def words(self, path: Pointer, value: Json) -> str:
        """Return a short code, time, number or boolean at a path, or an empty string if it is private, or may be."""
        here = self.like or self
        for part in path:
            below = here.items if isinstance(part, int) else here.known(part)
            if below is None or here.sensitive:
                return ""
            here = below.like or below
        if here.private or here.text == "unknown":
            return ""
        if isinstance(value, str):
            is_code = here.text == "code" or (here.text == "public" and moment(value) is not None)
            is_shown = is_code and len(value) < wording.LONGEST - 1 and here.may_show(value)
            return f'"{value}"' if is_shown else ""
        return wording.shown(value) if isinstance(value, int | float) and abs(value) < wording.LONG_NUMBER else ""

    def is_harmless(self, value: Json) -> bool:
        """Return whether everything in a value is described and nothing in it is private; a quick test."""
        return self._validator.is_valid(value)

    @cached_property
    def _validator(self) -> Draft202012Validator:
        return Draft202012Validator(self.harmless())

    def _is_id(self, text: str) -> bool:
        return "string" not in self.types and _ID.fullmatch(text) is not None

    @cached_property
    def _text_forms(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(form) for form in self.forms if _is_anchored(form))

    def harmless(self) -> Json:
        """Return a schema for values that contain nothing private; it is stricter than `may_show`."""
        if self.like is not None:
            return self.like.harmless()
        if self.sensitive:
            return {"enum": [None, True, False, ""]}
        types = self.types or {"object", "array", "string", "number"}
        schema: dict[str, Any] = {"type": sorted({*types, "null", "boolean"})}
        if "object" in types:
            schema["properties"] = {name: known.harmless() for name, known in self.members.items()}
            schema["additionalProperties"] = self.others.harmless() if self.others else False
            if self.patterns:
                schema["patternProperties"] = {form: known.harmless() for form, known in self.patterns.items()}
            if self.patterns or self.others:
                schema["propertyNames"] = {"pattern": _HARMLESS_NAME}
        if "array" in types:
            schema["items"] = self.items.harmless() if self.items else False
        if not types.isdisjoint(("number", "integer")):
            most = SHORT_NUMBER if self.text == "unknown" else LARGEST_NUMBER
            schema |= {"minimum": -most, "maximum": most}
        if "string" in types:
            schema |= self._harmless_text()
        return schema

    def _harmless_text(self) -> dict[str, Any]:
        if self.text == "public":
            return {"pattern": _PUBLIC.replace(r"[^\W\d_]", r"\p{L}"), "maxLength": _LONGEST_PUBLIC}
        forms = [form for form in self.forms if _is_anchored(form)] if self.text == "code" else []
        if not forms and self.types <= {"string", "null", "boolean"}:
            return {"enum": [None, True, False, "", *sorted(self.codes)]}
        codes = [f"^{re.escape(code)}$" for code in sorted(self.codes)]
        return {"pattern": "|".join((*forms, *codes, "^$")).replace(r"(?!\n)$", "$")}

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


def _collect(schema: Json, members: KnownMembers) -> None:
    for part in (each.schema for each in parts(schema, alternatives=True)):
        members.open = members.open or bool(part.get("x-open"))
        members.sensitive = members.sensitive or str(part.get("x-sensitive", ""))
        members.public = members.public or str(part.get("x-public", ""))
        types = part.get("type", ())
        members.types.update([types] if isinstance(types, str) else types)
        members.forms.update([part["pattern"]] if "pattern" in part else ())
        codes = [*part.get("enum", ()), part.get("const")]
        members.codes.update(code for code in codes if isinstance(code, str))
        if "x-like" in part:
            members.like = KnownMembers.of(part["x-like"])
        for name, member in part.get("properties", {}).items():
            _collect(member, members.members.setdefault(name, KnownMembers()))
        for pattern, member in part.get("patternProperties", {}).items():
            _collect(member, members.patterns.setdefault(pattern, KnownMembers()))
        if isinstance(part.get("additionalProperties"), dict):
            members.others = members.others or KnownMembers()
            _collect(part["additionalProperties"], members.others)
        if "items" in part:
            members.items = members.items or KnownMembers()
            _collect(part["items"], members.items)


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


def _is_anchored(form: str) -> bool:
    """Return whether a pattern describes a text as a whole."""
    return form.startswith("^") and form.endswith("$")
