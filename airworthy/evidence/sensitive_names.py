"""Names of members and parameters with sensitive values, for places that no schema describes."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, Final

_NAMES_BY_KIND: Final = {
    "secret": (
        "password passwd secret client_secret token access_token refresh_token id_token api_key apikey authorization"
    ),
    "card": "pan card_number cardnumber card[number]",
    "security-code": "cvc cvv cvc2 cvv2 security_code card[cvc]",
}
WELL_KNOWN_NAMES: Final = {name: kind for kind, names in _NAMES_BY_KIND.items() for name in names.split()}
"""Names that are sensitive in any context, in lower case, each with its kind."""


@dataclass(frozen=True)
class SensitiveNames:
    """Names of members and parameters in lower case, each with the ``x-sensitive`` kind of its values."""

    kinds: Mapping[str, str]

    def kind_of(self, name: str) -> str | None:
        """Return the kind of a member or parameter, or None; ``a[b]`` is looked up as a whole and as ``b``."""
        lowered = name.lower()
        return self.kinds.get(lowered) or self.kinds.get(lowered.removesuffix("]").rpartition("[")[2])

    def count_in(self, text: str) -> int:
        """Return the number of members with these names in JSON text; strings that look like a member count too."""
        return len(self._quoted.findall(text.lower()))

    @cached_property
    def member(self) -> re.Pattern[str]:
        """A pattern for what looks like a member, attribute, assignment or element in text that is not JSON."""
        return re.compile(
            rf"""(?ix) (?P<before> \b (?P<name>{self._any}) \b ["']? \s{{0,20}} [:=>] \s{{0,20}} ["']? )
            (?P<value> (?<=") (?:[^"\\]|\\.)+ | (?<=') (?:[^'\\]|\\.)+ | (?<!["']) [^\s"'<>&,;{{}}\[\]]+ )"""
        )

    @cached_property
    def part(self) -> re.Pattern[str]:
        """A pattern for a part of a multipart form (``multipart/form-data``)."""
        return re.compile(
            rf"""(?ix) (?P<before> \b name= "? (?: [^"\r\n\[]{{0,80}} \[ )? (?P<name>{self._any}) \]? "?
            [^\n]{{0,200}} \n (?: [^\r\n]{{1,200}} \r?\n ){{0,9}} \r?\n ) (?P<value> [^\r\n]+ )"""
        )

    @cached_property
    def _quoted(self) -> re.Pattern[str]:
        return re.compile(f'"(?:{any_of(f"{name}{chr(34)}" for name in self.kinds)})')

    @property
    def _any(self) -> str:
        return "|".join(map(re.escape, self.kinds))


@dataclass(frozen=True)
class SchemaTerms:
    """Terms of the schema documents: ``names`` of sensitive members, and the ``words`` that enumerations allow."""

    names: SensitiveNames
    words: frozenset[str]

    @classmethod
    def of(cls, documents: Mapping[str, Any]) -> "SchemaTerms":
        """Return the terms of some schema documents; ``names`` include the well-known names."""
        kinds: dict[str, str] = {}
        words: set[str] = set()
        for schema in _objects(documents):
            for name, member in _entries(schema, "properties"):
                if isinstance(member, dict) and isinstance(kind := member.get("x-sensitive"), str):
                    kinds.setdefault(name.lower(), kind)
            if isinstance(schema.get("enum"), list):
                words.update(value.lower() for value in schema["enum"] if isinstance(value, str))
        return cls(SensitiveNames(kinds | WELL_KNOWN_NAMES), frozenset(words))


def any_of(texts: Iterable[str]) -> str:
    """Return a pattern for any of the texts, grouped by first letter, which makes it fast on long texts."""
    groups = groupby(sorted(set(texts)), key=lambda text: text[0])
    endings = ((first, "|".join(re.escape(text[1:]) for text in group)) for first, group in groups)
    return "|".join(f"{re.escape(first)}(?:{ending})" for first, ending in endings)


def _objects(value: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - any JSON value
    if isinstance(value, Mapping):
        yield dict(value)
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _objects(item)


def _entries(schema: dict[str, Any], name: str) -> Iterator[tuple[str, Any]]:
    entries = schema.get(name)
    if isinstance(entries, dict):
        yield from entries.items()
