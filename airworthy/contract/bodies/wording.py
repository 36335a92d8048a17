"""Describe values in findings: short, and without revealing private data."""

import re
from collections.abc import Iterable
from functools import lru_cache

from airworthy.contract.bodies.body import Json
from airworthy.contract.bodies.card_numbers import holds_card_number

LONGEST = 80
LONG_NUMBER = 1e9
_CODE = re.compile(r"[a-z0-9_./+-]{0,40}|[A-Z0-9_-]{0,32}")
_NUMBER = re.compile(r"-?[0-9]{1,6}(?:\.[0-9]{1,6}){0,3}|[0-9]{8}")
_DATE = re.compile(r"[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}(?:[T ][0-9:.]{0,12})?(?:Z|[+-][0-9:]{1,6})?")
_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_TOKEN = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9_]{16,}|(?:pm|pi|sk|rk|pk|tok|seti)_.*")
_KEY = re.compile(r"[0-9]{1,6}")
_DIGITS_OF_A_CODE = 4
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_\[\]-]{0,59}")
_KEY_OF_SEGMENT = re.compile(r"segment_[0-9]_[a-z_]{1,40}")


def shown(value: Json, *, private: str = "") -> str:
    """Return a short and plain JSON value itself, or else its type and size.

    ``private`` is the ``x-sensitive`` kind of its location; the length of a secret is not shown.
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return "a number" if private or abs(value) >= LONG_NUMBER else f"{value:.12g}"
    if isinstance(value, str):
        if private == "secret":
            return "a string"
        return f'"{value}"' if not private and is_plain(value) else _sized("a string", "character", len(value))
    if isinstance(value, list):
        return _sized("an array", "item", len(value))
    return "an object"


def _sized(noun: str, part: str, length: int) -> str:
    return f"{noun} of {length} {part}{'s' if length > 1 else ''}" if length else f"an empty {noun.split()[1]}"


def is_plain(text: str) -> bool:
    """Return whether a text may be shown: a code, a date, a short number or an id.

    Anything else may be a personal name, number or secret in the wrong field.
    """
    if _UUID.fullmatch(text) or _DATE.fullmatch(text) or _NUMBER.fullmatch(text):
        return not holds_card_number(text)
    return bool(_CODE.fullmatch(text)) and _is_wordlike(text)


# The same few names occur thousands of times in one body.
@lru_cache(maxsize=4096)
def is_name(text: str) -> bool:
    """Return whether a member name, which comes from traffic, may be shown."""
    return bool(_KEY_OF_SEGMENT.fullmatch(text)) or (bool(_NAME.fullmatch(text)) and _is_wordlike(text))


def _is_wordlike(text: str) -> bool:
    digits = sum(character.isdigit() for character in text)
    return digits <= _DIGITS_OF_A_CODE and not _TOKEN.fullmatch(text)


def pointer(parts: Iterable[str | int]) -> str:
    """Return the JSON Pointer of a path; names that may not be shown become ``?``."""
    return "".join(f"/{_escaped(part)}" for part in parts)


def _escaped(part: str | int) -> str:
    text = str(part)
    if isinstance(part, str) and not is_name(text) and not _KEY.fullmatch(text):
        return "?"
    return text.replace("~", "~0").replace("/", "~1")


def with_article(noun: str) -> str:
    """Return a noun with ``a`` or ``an`` before it."""
    return f"{'an' if noun[:1] in 'aeiouAEIO' else 'a'} {noun}"
