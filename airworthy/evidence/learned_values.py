"""Remember the private values of a run, and replace them in texts that the suite and the judge write."""

import re
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

_LARGEST_GENERATION: Final = 10_000
# The number of (offset, length) pairs per longest word: each is tried wherever a text contains the word.
_MOST_SHAPES: Final = 20
_WORD: Final = re.compile(r"\w+")
# An airport code, even if it is also someone's name.
_CODE: Final = re.compile(r"[A-Z]{3}")
_SHORTEST: Final = 3
_SHORTEST_NUMBER: Final = 6
_LONGEST: Final = 500
_JOINTS: Final = "-_.@/+"


@dataclass(slots=True)
class _Generation:
    """Values that were learned one after the other.

    ``by_word`` has the longest word of each value, with the offset of the word in the value and the value's length.
    """

    values: set[str] = field(default_factory=set)
    by_word: dict[str, dict[tuple[int, int], None]] = field(default_factory=dict)


class LearnedValues:
    """Remembers at least the latest ten thousand private values, and replaces them in any text where they stand alone.

    A value inside another word, or joined to one by ``-``, ``_``, ``.``, ``@``, ``/`` or ``+``, is a part of something
    else, such as an id. ``excluded`` are words of the contract, in lower case, that stay even if they are someone's
    name. Texts of fewer than three characters and numbers of fewer than six digits are not remembered.
    """

    def __init__(self, pseudonym: Callable[[str], str], excluded: AbstractSet[str]) -> None:
        self._pseudonym = pseudonym
        self._excluded = excluded
        # A full generation becomes the older one, and the one before it is forgotten as a whole.
        self._newer, self._older = _Generation(), _Generation()

    def learn(self, value: str) -> None:
        """Remember a private value."""
        value = _lowered(value.strip())
        shortest = _SHORTEST_NUMBER if value.isdecimal() else _SHORTEST
        if not shortest <= len(value) <= _LONGEST or value in self._excluded or value in self._newer.values:
            return
        word = max(_WORD.finditer(value), key=lambda word: len(word[0]), default=None)
        if word is None:
            return
        if len(self._newer.values) >= _LARGEST_GENERATION:
            self._newer, self._older = _Generation(), self._newer
        self._newer.values.add(value)
        shapes = self._newer.by_word.setdefault(word[0], {})
        shapes[word.start(), len(value)] = None
        if len(shapes) > _MOST_SHAPES:
            del shapes[next(iter(shapes))]

    def redact(self, text: str) -> str:
        """Return a text with remembered values replaced by pseudonyms; letter case does not matter."""
        if not self._newer.values:
            return text
        lowered = _lowered(text)
        words = _WORD.findall(lowered)
        if all(each.by_word.keys().isdisjoint(words) for each in (self._newer, self._older)) or _CODE.fullmatch(text):
            return text
        pieces, done = [], 0
        for start, end in sorted(self._found(lowered), key=lambda found: (found[0], -found[1])):
            if start >= done:
                pieces += [text[done:start], self._pseudonym(text[start:end])]
                done = end
        return "".join((*pieces, text[done:]))

    def _found(self, lowered: str) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each remembered value that stands alone."""
        for word in _WORD.finditer(lowered):
            for generation in (self._newer, self._older):
                for offset, length in generation.by_word.get(word[0], ()):
                    start, end = word.start() - offset, word.start() - offset + length
                    if start >= 0 and lowered[start:end] in generation.values and stands_alone(lowered, start, end):
                        yield start, end


def stands_alone(text: str, start: int, end: int) -> bool:
    """Return whether a part of a text is not a part of a longer word, id or address."""
    return not (
        _is_joined(text[start - 1 : start], text[: start - 1][-1:])
        or _is_joined(text[end : end + 1], text[end + 1 : end + 2])
    )


def _is_joined(neighbour: str, beyond: str) -> bool:
    return _is_word_character(neighbour) or (neighbour != "" and neighbour in _JOINTS and _is_word_character(beyond))


def _is_word_character(character: str) -> bool:
    return character.isalnum() or character == "_"


def _lowered(text: str) -> str:
    """Return a text in lower case with the same length; the few letters that would become two stay."""
    lowered = text.lower()
    return (
        lowered
        if len(lowered) == len(text)
        else "".join(each if len(each.lower()) > 1 else each.lower() for each in text)
    )
