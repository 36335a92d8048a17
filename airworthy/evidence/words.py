"""Sensitive values that a run has sent, to be found again where a service repeats them."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any, Final

from airworthy.evidence.detectors import Stand

_REMEMBERED: Final = 10_000
# Places and lengths of values around the same longest word: a text that has the word is searched for each of them.
_MOST_SHAPES: Final = 20
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

    def __init__(self, stand: Stand, no_names: AbstractSet[str]) -> None:
        self._stand = stand
        self._no_names = no_names
        self._kinds: dict[str, str] = {}
        # By the longest word of a value: where in it that begins, and how long the value is.
        self._by_word: dict[str, dict[tuple[int, int], None]] = {}

    def learn(self, kind: str, value: Any) -> None:  # noqa: ANN401 - any JSON value
        """Remember a value of an ``x-sensitive`` kind: a text, a number, or all that an object or array holds."""
        match value:
            case str() | int() | float() if not isinstance(value, bool):
                self._remember(kind, _lowered(str(value).strip()))
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
        lowered = _lowered(text)
        if self._by_word.keys().isdisjoint(_WORD.findall(lowered)) or _CODE.fullmatch(text):
            return text
        pieces, done = [], 0
        for start, end in sorted(self._found(lowered), key=lambda found: (found[0], -found[1])):
            if start >= done:
                pieces += [text[done:start], self._stand(self._kinds[lowered[start:end]], text[start:end])]
                done = end
        return "".join((*pieces, text[done:]))

    def _found(self, lowered: str) -> Iterator[tuple[int, int]]:
        """Yield where values stand as whole words."""
        for word in _WORD.finditer(lowered):
            for offset, length in self._by_word.get(word[0], ()):
                start, end = word.start() - offset, word.start() - offset + length
                if start >= 0 and lowered[start:end] in self._kinds and _stands_alone(lowered, start, end):
                    yield start, end

    def _remember(self, kind: str, value: str) -> None:
        shortest = _SHORTEST_NUMBER if value.isdecimal() else _SHORTEST.get(kind, len(value) + 1)
        if not shortest <= len(value) <= _LONGEST:
            return
        word = max(_WORD.finditer(value), key=lambda word: len(word[0]), default=None)
        if word is None or value in self._no_names or value in self._kinds:
            return
        if len(self._kinds) >= _REMEMBERED:
            self._forget_the_older_half()
        self._kinds[value] = kind
        shapes = self._by_word.setdefault(word[0], {})
        shapes[word.start(), len(value)] = None
        if len(shapes) > _MOST_SHAPES:
            del shapes[next(iter(shapes))]

    def _forget_the_older_half(self) -> None:
        kept = list(self._kinds.items())[_REMEMBERED // 2 :]
        self._kinds.clear()
        self._by_word.clear()
        for value, kind in kept:
            self._remember(kind, value)


def _lowered(text: str) -> str:
    """Return a text in lower case, as long as it was: a few letters would become two."""
    lowered = text.lower()
    return (
        lowered
        if len(lowered) == len(text)
        else "".join(each if len(each.lower()) > 1 else each.lower() for each in text)
    )


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not (start and _is_of_a_word(text[start - 1])) and not (end < len(text) and _is_of_a_word(text[end]))


def _is_of_a_word(character: str) -> bool:
    return character.isalnum() or character == "_"
