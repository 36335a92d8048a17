"""The words and codes that the documents of the contract use."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from airworthy.contract.bodies.body import Json

WORD = re.compile(r"[A-Za-z_]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class DocumentedTerms:
    """The ``words`` of the documents in lower case, and their ``codes``, the values of enumerations."""

    words: frozenset[str]
    codes: frozenset[str]

    @classmethod
    def of(cls, documents: Mapping[str, Json], others: frozenset[str] = frozenset()) -> Self:
        """Return the terms of some schema documents, and ``others`` by which the contract judges."""
        words = (word.lower() for text in _texts(documents) for word in WORD.findall(text))
        return cls(others.union(words), others.union(_codes(documents)))


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from value
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str):
        yield value


def _codes(value: Json) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name in ("enum", "values"):
            yield from (each for each in value.get(name) or () if isinstance(each, str))
        for each in value.values():
            yield from _codes(each)
    elif isinstance(value, list):
        for each in value:
            yield from _codes(each)
