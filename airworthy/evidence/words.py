"""Sensitive values that a run has sent, to be found again where a service repeats them."""

import re
from collections.abc import Set as AbstractSet
from typing import Any, Final

from airworthy.evidence.pseudonyms import Pseudonyms

_REMEMBERED: Final = 10_000
# Values with the same longest word: each text that has the word is searched for all of them.
_MOST_ALIKE: Final = 200
_WORD: Final = re.compile(r"\w+")
# An airport's code, whoever else may be called so.
_CODE: Final = re.compile(r"[A-Z]{3}")
_SHORTEST: Final = {
    "name": 3,
    "email": 3,
    "address": 4,
    "phone": 4,
    "document-number": 4,
    "birth-date": 8,
    "secret": 4,
    "security-code": 4,
    "payment-reference": 8,
    "transaction-id": 8,
    "cryptogram": 8,
}
_SHORTEST_NUMBER: Final = 6
_LONGEST: Final = 500


class SensitiveWords:
    """Remembers sensitive values (the latest ten thousand) and replaces them, as whole words, in any text.

    ``no_names`` are words of the contract, in lower case, that stay although a person may be called so. What is so
    short or so common that it would be found everywhere (a country, three digits) is not remembered.
    """

    def __init__(self, pseudonyms: Pseudonyms, no_names: AbstractSet[str]) -> None:
        self._pseudonyms = pseudonyms
        self._no_names = no_names
        self._kinds: dict[str, str] = {}
        self._by_word: dict[str, dict[str, None]] = {}

    def learn(self, kind: str, value: Any) -> None:  # noqa: ANN401 - any JSON value
        """Remember a value of an ``x-sensitive`` kind: a text, a number, or all that an object or array holds."""
        match value:
            case str() | int() | float() if not isinstance(value, bool):
                self._remember(kind, str(value).strip().lower())
            case dict():
                for item in value.values():
                    self.learn(kind, item)
            case list():
                for item in value:
                    self.learn(kind, item)

    def replaced(self, text: str) -> str:
        """Return a text with pseudonyms in the place of remembered values, in whatever letter case they stand."""
        if not self._kinds:
            return text
        lowered = text.lower()
        words = [word for word in set(_WORD.findall(lowered)) if word in self._by_word]
        if not words or _CODE.fullmatch(text):
            return text
        values = {value for word in words for value in self._by_word[word] if value in lowered}
        if not values:
            return text
        longest_first = sorted(values, key=len, reverse=True)
        anywhere = "|".join(rf"(?<!\w){re.escape(value)}(?!\w)" for value in longest_first)
        return re.sub(anywhere, self._pseudonym, text, flags=re.IGNORECASE)

    def _pseudonym(self, found: re.Match[str]) -> str:
        return self._pseudonyms.text(self._kinds.get(found[0].lower(), "name"), found[0])

    def _remember(self, kind: str, value: str) -> None:
        shortest = _SHORTEST_NUMBER if value.isdecimal() else _SHORTEST.get(kind, len(value) + 1)
        if not shortest <= len(value) <= _LONGEST:
            return
        word = max(_WORD.findall(value), key=len, default="")
        if not word or value in self._no_names or value in self._kinds:
            return
        if len(self._kinds) >= _REMEMBERED:
            self._forget_the_older_half()
        self._kinds[value] = kind
        alike = self._by_word.setdefault(word, {})
        alike[value] = None
        if len(alike) > _MOST_ALIKE:
            oldest = next(iter(alike))
            del alike[oldest], self._kinds[oldest]

    def _forget_the_older_half(self) -> None:
        kept = list(self._kinds.items())[_REMEMBERED // 2 :]
        self._kinds.clear()
        self._by_word.clear()
        for value, kind in kept:
            self._remember(kind, value)
