"""The names under which sensitive values stand where no schema describes the place, and the contract's own words."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, Final

_TELLING: Final = {
    "secret": (
        "password passwd secret client_secret token access_token refresh_token id_token api_key apikey authorization"
    ),
    "card": "pan card_number cardnumber card[number]",
    "security-code": "cvc cvv cvc2 cvv2 security_code card[cvc]",
}
TELLING: Final = {name: kind for kind, names in _TELLING.items() for name in names.split()}
"""Names that speak for themselves wherever they stand, in lower case, each with its kind."""


@dataclass(frozen=True)
class Names:
    """Names of members and parameters, in lower case, each with the ``x-sensitive`` kind of its values."""

    kinds: Mapping[str, str]

    def kind_of(self, name: str) -> str | None:
        """Return the kind of a member's or parameter's values; ``a[b]`` may be known as a whole or by its ``b``."""
        lowered = name.lower()
        return self.kinds.get(lowered) or self.kinds.get(lowered.removesuffix("]").rpartition("[")[2])

    def count_in(self, text: str) -> int:
        """Return how many members of these names JSON text has (or strings that look like one)."""
        return len(self._quoted.findall(text.lower()))

    @cached_property
    def member(self) -> re.Pattern[str]:
        """Finds, in text that is no JSON, what looks like a member, an attribute, an assignment or an element."""
        return re.compile(
            rf"""(?ix) (?P<before> \b (?P<name>{self._any}) \b ["']? \s{{0,20}} [:=>] \s{{0,20}} ["']? )
            (?P<value> (?<=") (?:[^"\\]|\\.)+ | (?<=') (?:[^'\\]|\\.)+ | (?<!["']) [^\s"'<>&,;{{}}\[\]]+ )"""
        )

    @cached_property
    def part(self) -> re.Pattern[str]:
        """Finds a part of a form that is sent in parts (``multipart/form-data``)."""
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
class Vocabulary:
    """What the schema documents teach: ``names`` that they mark as sensitive, and ``words`` that are no one's name."""

    names: Names
    words: frozenset[str]

    @classmethod
    def of(cls, documents: Mapping[str, Any]) -> "Vocabulary":
        """Learn from schema documents; the names that speak for themselves are among ``names``."""
        kinds: dict[str, str] = {}
        words: set[str] = set()
        for schema in _objects(documents):
            for name, member in _entries(schema, "properties"):
                if isinstance(member, dict) and isinstance(kind := member.get("x-sensitive"), str):
                    kinds.setdefault(name.lower(), kind)
            if isinstance(schema.get("enum"), list):
                words.update(value.lower() for value in schema["enum"] if isinstance(value, str))
        return cls(Names(kinds | TELLING), frozenset(words))


def any_of(texts: Iterable[str]) -> str:
    """Return a pattern for any of some texts, by their first letters: long texts are searched for it quickly."""
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
