"""Finds in any text what must not be kept though no schema marks it: card numbers and e-mail addresses."""

import re
from collections.abc import Callable
from typing import Final

from airworthy.contract.cards import LONGEST_NUMBER, holds_card_number

_SHORTEST_NUMBER: Final = 13
# A UUID and a part of another hexadecimal number hold no card number.
_UUID: Final = r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
_GROUPS: Final = re.compile(rf"(?<![0-9A-Fa-f])(?<![0-9A-Fa-f]-)(?!{_UUID})[0-9]+(?:[ -][0-9]+)*(?!-?[0-9A-Fa-f])")
_ZEROS: Final = bytes(ord("0") if chr(code) in "0123456789" else ord(".") for code in range(256))
_EMAIL: Final = re.compile(r"[\w.%+'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_PSEUDONYM: Final = re.compile(r"[Uu][0-9a-f]{12}@example\.invalid")


def card_marker(text: str) -> str:
    """Put nines in the place of digits: the contract still takes it for a card number, and it is nobody's."""
    return re.sub(r"[0-9]", "9", text)


def without_cards(text: str) -> str:
    """Replace each card number in a text by its marker."""
    # With all digits made zeros this is one search for a constant, which large bodies need.
    if b"0" * _SHORTEST_NUMBER not in text.encode("utf-8", "replace").translate(_ZEROS, b" -"):
        return text
    return _GROUPS.sub(_without_card, text)


def _without_card(groups: re.Match[str]) -> str:
    """A card number may stand among other groups of digits: look at each row of neighbours."""
    pieces = re.split("([ -])", groups[0])
    for first in range(0, len(pieces), 2):
        digits = ""
        for last in range(first, len(pieces), 2):
            digits += pieces[last]
            if len(digits) > LONGEST_NUMBER:
                break
            if holds_card_number(digits):
                pieces[first : last + 1] = map(card_marker, pieces[first : last + 1])
                break
    return "".join(pieces)


def without_emails(text: str, pseudonym: Callable[[str], str]) -> str:
    """Replace each e-mail address in a text by its pseudonym; pseudonyms stay."""
    if text.count("@") == len(_PSEUDONYM.findall(text)):
        return text
    return _EMAIL.sub(lambda found: found[0] if _PSEUDONYM.fullmatch(found[0]) else pseudonym(found[0]), text)
