"""Compare texts that a service may write in another way: letter case, accents, spaces, and the letters of airlines."""

from itertools import filterfalse
from unicodedata import combining, normalize

from airworthy.contract.bodies.body import Json

_LETTERS = {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "\u0131": "i"}
_TRANSLITERATIONS = tuple(
    str.maketrans(_LETTERS | each) for each in ({}, {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
)


def is_same_text(one: Json, other: Json) -> bool:
    """Compare two values whatever their letter case, accents and spaces."""
    first, second = (_plain(each).split() if isinstance(each, str) else each for each in (one, other))
    return bool(first == second)


def is_same_name(one: Json, other: Json) -> bool:
    """Compare two names, which may come back without punctuation and in the letters that airlines use: ue for ü.

    How letters other than Latin ones are transliterated is not known.
    """
    if one == other:
        return True
    first, second = spellings(str(one)), spellings(str(other))
    return bool(first & second) or not all(each.isascii() for each in first)


def spellings(name: str) -> frozenset[str]:
    """Return the letters and digits of a name, in each way of writing letters with accents."""
    folded = (name.casefold().translate(letters) for letters in _TRANSLITERATIONS)
    return frozenset("".join(filter(str.isalnum, _plain(each))) for each in folded)


def _plain(text: str) -> str:
    folded = text.casefold()
    return folded if folded.isascii() else "".join(filterfalse(combining, normalize("NFKD", folded)))
