"""Recognise card numbers in any text: clients must never send one to the service."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from airworthy.contract.bodies.body import Json

LONGEST_NUMBER = 19
SHORTEST_NUMBER = 14
MOST_GROUPS = 20_000
_REDACTED = re.compile(r"9{14,19}")
_UUID = re.compile(r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?![0-9A-Fa-f])")
_RUN = re.compile(r"(?<![0-9A-Za-z_-])[0-9]+(?:[ -][0-9]+)*(?![0-9A-Za-z_-])")
_GROUP = re.compile(r"[0-9]+")
# With other separators, only digits in the groups that are printed on cards count as a card number.
_PRINTED = re.compile(
    r"(?<![0-9A-Za-z])([0-9]{4})([^0-9A-Za-z]{1,3})"
    r"(?:([0-9]{4})\2([0-9]{4})\2([0-9]{4})(?:\2([0-9]{3}))?|([0-9]{6})\2([0-9]{4,5}))(?![0-9A-Za-z])"
)
_MANY_DIGITS = re.compile(r"[0-9](?:[^0-9A-Za-z]{0,3}[0-9]){13}")
_MANY_DIGITS_OF_BYTES = re.compile(_MANY_DIGITS.pattern.encode())
_BRANDS = re.compile(
    r"4[0-9]{15}(?:[0-9]{3})?|5[1-5][0-9]{14}|2(?:22[1-9]|2[3-9][0-9]|[3-6][0-9]{2}|7[01][0-9]|720)[0-9]{12}"
    r"|3[47][0-9]{13}|3(?:0[0-59]|[689][0-9])[0-9]{11}(?:[0-9]{2})?|6(?:011|4[4-9][0-9]|5[0-9]{2})[0-9]{12}"
    r"|35(?:2[89]|[3-8][0-9])[0-9]{12}|62[0-9]{14,17}"
    # Maestro, as far as its usual prefixes tell it from other numbers.
    r"|(?:50(?:18|20|38)|6304|67(?:59|6[1-3]))[0-9]{12}"
)

# Each digit doubled, with the digits of the result added.
_DOUBLED = str.maketrans("0123456789", "0246813579")


class CardNumberMatch(NamedTuple):
    """The span of a card number in a text; if not ``certain``, of too many groups of digits to search."""

    start: int
    end: int
    certain: bool


def holds_card_number(value: Json) -> bool:
    """Return whether a text or a number contains a card number: a known brand's prefix and length, and a check digit.

    Digits may be of any script and grouped by spaces or hyphens, or as on a card by any other separator. Digits next to
    letters or inside a UUID do not count (ids, tokens). A row of nines counts: redaction replaces card numbers by it.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int):
        return False
    text = str(value)
    # Thousands of texts are tested, and most are short and plain.
    may = not text.isascii() or _MANY_DIGITS.search(text) is not None
    return may and any(place.certain for place in card_numbers(text))


def card_numbers(text: str) -> Iterator[CardNumberMatch]:
    """Yield the card numbers in a text, in no particular order."""
    if not text.isascii():
        text = re.sub(r"\d", lambda digit: str(unicodedata.decimal(digit[0])), text)
    if not _MANY_DIGITS.search(text):
        return
    text = _UUID.sub(lambda found: "x" * len(found[0]), text)
    for printed in _PRINTED.finditer(text):
        if _is_card_number("".join(filter(None, printed.group(1, 3, 4, 5, 6, 7, 8)))):
            yield CardNumberMatch(*printed.span(), certain=True)
    left = MOST_GROUPS
    for run in _RUN.finditer(text):
        start, end = run.span()
        if end - start < SHORTEST_NUMBER:
            continue
        most = max(left, 1)
        groups = [found.span() for found in islice(_GROUP.finditer(text, start, end), most + 1)]
        # Bounds the work for hostile texts; nobody writes this many groups of digits.
        if len(groups) > most:
            yield CardNumberMatch(groups.pop()[0], end, certain=False)
        yield from _in_groups(text, groups)
        left -= len(groups) if len(groups) > 1 else 0


def may_hold_card_number(content: bytes) -> bool:
    """Return whether bytes may contain a card number: a quick test before the thorough one."""
    return b"\\u" in content or not content.isascii() or _MANY_DIGITS_OF_BYTES.search(content) is not None


def _in_groups(text: str, groups: list[tuple[int, int]]) -> Iterator[CardNumberMatch]:
    first = 0
    while first < len(groups):
        digits, after = "", first + 1
        for last in range(first, len(groups)):
            digits += text[slice(*groups[last])]
            if len(digits) > LONGEST_NUMBER:
                break
            if len(digits) >= SHORTEST_NUMBER and _is_card_number(digits):
                yield CardNumberMatch(groups[first][0], groups[last][1], certain=True)
                after = last + 1
                break
        first = after


def _is_card_number(digits: str) -> bool:
    return bool(_REDACTED.fullmatch(digits) or (_BRANDS.fullmatch(digits) and _luhn(digits)))


def _luhn(digits: str) -> bool:
    checked = digits[-1::-2] + digits[-2::-2].translate(_DOUBLED)
    return (sum(checked.encode()) - ord("0") * len(checked)) % 10 == 0
