"""Card numbers, recognised wherever they stand: the service may never be sent one."""

import re
import unicodedata
from collections.abc import Iterator

from airworthy.contract.body import Json

LONGEST_NUMBER = 19
SHORTEST_NUMBER = 14
MOST_DIGITS = 10_000
_REDACTED = re.compile(r"9{14,19}")
_UUID = re.compile(r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?![0-9A-Fa-f])")
_RUN = re.compile(r"(?<![0-9A-Za-z_-])[0-9]+(?:[ -][0-9]+)*(?![0-9A-Za-z_-])")
# With any other sign between them, only digits in the groups that are printed on cards are taken for a number.
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
)


def holds_card_number(value: Json) -> bool:
    """Whether a text or a number holds a card number: a known brand's prefix and length, and Luhn's check digit.

    Digits may be of any script, and grouped by blanks or hyphens, or as on a card by any other sign; digits beside
    letters and within a UUID are no card number (ids, tokens). Nothing but nines is what redaction leaves of one.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int):
        return False
    text = str(value)
    if not text.isascii():
        text = re.sub(r"\d", lambda digit: str(unicodedata.decimal(digit[0])), text)
    if not _MANY_DIGITS.search(text):
        return False
    text = _UUID.sub("x", text)
    return any(map(_is_printed_number, _PRINTED.finditer(text))) or any(map(_holds, _runs(text)))


def may_hold_card_number(content: bytes) -> bool:
    """Whether bytes have enough digits in a row for a card number: a quick look before a careful one."""
    return b"\\u" in content or not content.isascii() or _MANY_DIGITS_OF_BYTES.search(content) is not None


def _is_printed_number(printed: re.Match[str]) -> bool:
    return _is_card_number("".join(filter(None, printed.group(1, 3, 4, 5, 6, 7, 8))))


def _runs(text: str) -> Iterator[str]:
    """Yield runs of digits; nobody writes more of them before a card number, and hostile ones must not take long."""
    left = MOST_DIGITS
    for run in _RUN.finditer(text):
        digits = run.group()[:left]
        if len(digits) >= SHORTEST_NUMBER:
            yield digits
            left -= len(digits)
        if left <= 0:
            return


def _holds(run: str) -> bool:
    groups = re.split("[ -]", run)
    for first in range(len(groups)):
        digits = ""
        for group in groups[first:]:
            digits += group
            if len(digits) > LONGEST_NUMBER:
                break
            if len(digits) >= SHORTEST_NUMBER and _is_card_number(digits):
                return True
    return False


def _is_card_number(digits: str) -> bool:
    return bool(_REDACTED.fullmatch(digits) or (_BRANDS.fullmatch(digits) and _luhn(digits)))


def _luhn(digits: str) -> bool:
    doubled = (int(digit) * (1 + index % 2) for index, digit in enumerate(reversed(digits)))
    return sum(sum(divmod(value, 10)) for value in doubled) % 10 == 0
