"""Finds in any text what must not be kept though no schema marks it: card numbers and e-mail addresses."""

import re
from collections.abc import Callable
from typing import Final

_CARD: Final = re.compile(r"[0-9](?:[ -]?[0-9]){12,18}")
# What begins with other digits (a time in milliseconds, most ids) is no card number.
_ISSUER: Final = re.compile(r"[3-6]|2[2-7]")
# A part of a UUID, or of another hexadecimal number, is none either.
_CARD_WITHIN: Final = re.compile(rf"(?<![0-9A-Fa-f])(?<![0-9A-Fa-f]-){_CARD.pattern}(?!-?[0-9A-Fa-f])")
_ZEROS: Final = bytes(ord("0") if chr(code) in "0123456789" else ord(".") for code in range(256))
_SHORTEST_CARD: Final = b"0" * 13
_EMAIL: Final = re.compile(r"[\w.%+'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_PSEUDONYM: Final = re.compile(r"[Uu][0-9a-f]{12}@example\.invalid")


def is_card(text: str) -> bool:
    """Whether a text is, as a whole, a card number: 13 to 19 digits of an issuer with a right check digit (Luhn).

    Single spaces and hyphens may stand between the digits.
    """
    if not _CARD.fullmatch(text) or not _ISSUER.match(text):
        return False
    digits = [int(character) for character in reversed(text) if character.isdigit()]
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + sum(doubled)) % 10 == 0


def card_marker(text: str) -> str:
    """Put nines in the place of digits: still seen to be a card number, and never anybody's."""
    return re.sub(r"[0-9]", "9", text)


def without_cards(text: str) -> str:
    """Replace each card number in a text by its marker."""
    # With all digits made zeros this is one search for a constant, which large bodies need.
    if _SHORTEST_CARD not in text.encode("utf-8", "replace").translate(_ZEROS, b" -"):
        return text
    return _CARD_WITHIN.sub(lambda found: card_marker(found[0]) if is_card(found[0]) else found[0], text)


def without_emails(text: str, pseudonym: Callable[[str], str]) -> str:
    """Replace each e-mail address in a text by its pseudonym; pseudonyms stay."""
    if text.count("@") == len(_PSEUDONYM.findall(text)):
        return text
    return _EMAIL.sub(lambda found: found[0] if _PSEUDONYM.fullmatch(found[0]) else pseudonym(found[0]), text)
