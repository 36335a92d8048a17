"""Remember the sensitive values that a run has sent, and redact them in any text that repeats them."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import Any, Final

from airworthy.evidence.detectors import Pseudonymize

_REMEMBERED: Final = 10_000
# The number of (offset, length) pairs per longest word: each is tried wherever a text contains the word.
_MOST_SHAPES: Final = 20
_WORD: Final = re.compile(r"\w+")
# An airport code, even if it is also someone's name.
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


class LearnedValues:
    """Remembers the latest ten thousand sensitive values, and replaces them in any text if they are whole words.

    ``excluded`` are words of the contract, in lower case, that stay even if they are someone's name. Values that are
    too short or too common, such as a country or three digits, are not remembered.
    """

    def __init__(self, pseudonymize: Pseudonymize, excluded: AbstractSet[str]) -> None:
        self._pseudonymize = pseudonymize
        self._excluded = excluded
        self._kinds: dict[str, str] = {}
        # The longest word of each value, with the offset of the word in the value and the value's length.
        self._by_word: dict[str, dict[tuple[int, int], None]] = {}

    def learn(self, kind: str, value: Any) -> None:  # noqa: ANN401 - any JSON value
        """Remember a value of an ``x-sensitive`` kind: a text, a number, or everything in an object or array."""
        match value:
            case str() | int() | float() if not isinstance(value, bool):
                self._remember(kind, _lowered(str(value).strip()))
            case dict():
                for item in value.values():
                    self.learn(kind, item)
            case list():
                for item in value:
                    self.learn(kind, item)

    def redact(self, text: str) -> str:
        """Return a text with remembered values replaced by pseudonyms; letter case does not matter."""
        if not self._kinds:
            return text
        lowered = _lowered(text)
        if self._by_word.keys().isdisjoint(_WORD.findall(lowered)) or _CODE.fullmatch(text):
            return text
        pieces, done = [], 0
        for start, end in sorted(self._found(lowered), key=lambda found: (found[0], -found[1])):
            if start >= done:
                pieces += [text[done:start], self._pseudonymize(self._kinds[lowered[start:end]], text[start:end])]
                done = end
        return "".join((*pieces, text[done:]))

    def _found(self, lowered: str) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each remembered value that is a whole word."""
        for word in _WORD.finditer(lowered):
            for offset, length in self._by_word.get(word[0], ()):
                start, end = word.start() - offset, word.start() - offset + length
                if start >= 0 and lowered[start:end] in self._kinds and _is_whole_word(lowered, start, end):
                    yield start, end

    def _remember(self, kind: str, value: str) -> None:
        shortest = _SHORTEST_NUMBER if value.isdecimal() else _SHORTEST.get(kind, len(value) + 1)
        if not shortest <= len(value) <= _LONGEST:
            return
        word = max(_WORD.finditer(value), key=lambda word: len(word[0]), default=None)
        if word is None or value in self._excluded or value in self._kinds:
            return
        if len(self._kinds) >= _REMEMBERED:
            self._forget_older_half()
        self._kinds[value] = kind
        shapes = self._by_word.setdefault(word[0], {})
        shapes[word.start(), len(value)] = None
        if len(shapes) > _MOST_SHAPES:
            del shapes[next(iter(shapes))]

    def _forget_older_half(self) -> None:
        kept = list(self._kinds.items())[_REMEMBERED // 2 :]
        self._kinds.clear()
        self._by_word.clear()
        for value, kind in kept:
            self._remember(kind, value)


def _lowered(text: str) -> str:
    """Return a text in lower case with the same length; the few letters that would become two stay."""
    lowered = text.lower()
    return (
        lowered
        if len(lowered) == len(text)
        else "".join(each if len(each.lower()) > 1 else each.lower() for each in text)
    )


def _is_whole_word(text: str, start: int, end: int) -> bool:
    return not (start and _is_word_character(text[start - 1])) and not (
        end < len(text) and _is_word_character(text[end])
    )


def _is_word_character(character: str) -> bool:
    return character.isalnum() or character == "_"
