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
        texts = [each for each in _parts(documents) if isinstance(each, str)]
        words = (word.lower() for text in texts for word in WORD.findall(text))
        objects = (each for each in _parts(documents) if isinstance(each, Mapping))
        codes = (code for each in objects for name in ("enum", "values") for code in each.get(name) or ())
        return cls(others.union(words), others.union(code for code in codes if isinstance(code, str)))


def _parts(value: Json) -> Iterator[Json]:
    """Yield a value and everything in it: the names and values of members, and items."""
    yield value
    inside = (*value, *value.values()) if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for each in inside:
        yield from _parts(each)
