"""Finds in any text what must not be kept though no schema marks it: card numbers, e-mail addresses, keys, tokens."""

import re
from collections.abc import Callable
from typing import Final

from airworthy.contract.cards import LONGEST_NUMBER, holds_card_number

Stand = Callable[[str, str], str]
"""Returns what stands for a text of an ``x-sensitive`` kind."""

_SHORTEST_NUMBER: Final = 13
# A UUID and a part of another hexadecimal number hold no card number.
_UUID: Final = r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
_GROUPS: Final = re.compile(rf"(?<![0-9A-Fa-f])(?<![0-9A-Fa-f]-)(?!{_UUID})[0-9]+(?:[ -][0-9]+)*(?!-?[0-9A-Fa-f])")
_ZEROS: Final = bytes(ord("0") if chr(code) in "0123456789" else ord(".") for code in range(256))
_EMAIL: Final = re.compile(r"[\w.%+'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_PSEUDONYM: Final = re.compile(r"[Uu][0-9a-f]{12}@example\.invalid")
BEGINNINGS: Final = (
    *("eyJ", "AKIA", "-----BEGIN ", "Bearer ", "bearer ", "Basic ", "basic "),
    *("sk_", "rk_", "pk_", "pm_", "pi_", "seti_", "whsec_"),
)
"""How keys and tokens begin."""
# Each is found by how it begins; what redaction has written is none.
_TOKEN: Final = re.compile(
    r"""(?x)
      (?P<scheme> \b (?i:bearer|basic) [ ]+ ) (?! redacted- | \$ ) (?= [^\s"]* [0-9=] ) (?P<credential> [\w.~+/=-]{8,} )
    | (?P<payment> (?<! \w ) (?: pm | pi | seti )_ (?! redacted ) (?= \w* [0-9] ) \w{6,} )
    | (?P<key>
        (?<! \w ) (?: [srp]k_ (?: live_ | test_ )? | whsec_ ) (?= \w* [0-9] ) \w{8,}
      | (?<! \w ) AKIA [0-9A-Z]{16}
      | (?<! [\w-] ) eyJ [\w-]{8,} \. [\w-]{4,} (?: \. [\w-]+ )?
      | -----BEGIN[ ] [A-Z ]* PRIVATE[ ]KEY----- (?: .*? -----END[ ] [A-Z ]* PRIVATE[ ]KEY----- | .* )
      )
    """,
    re.DOTALL,
)


def card_marker(text: str) -> str:
    """Put nines in the place of digits: the contract still takes it for a card number, and it is nobody's."""
    return re.sub(r"[0-9]", "9", text)


def may_hold_cards(content: bytes) -> bool:
    """Whether a row of digits is long enough for a card number."""
    # With all digits made zeros this is one search for a constant, which large bodies need.
    return b"0" * _SHORTEST_NUMBER in content.translate(_ZEROS, b" -")


def without_cards(text: str) -> str:
    """Replace each card number in a text by its marker."""
    return _GROUPS.sub(_without_card, text) if may_hold_cards(text.encode("utf-8", "replace")) else text


def _without_card(groups: re.Match[str]) -> str:
    """A card number may stand among other groups of digits: look at each row of neighbours."""
    pieces = re.split("([ -])", groups[0])
    first = 0
    while first < len(pieces):
        last = _end_of_card(pieces, first)
        if last is None:
            first += 2
            continue
        pieces[first : last + 1] = map(card_marker, pieces[first : last + 1])
        first = last + 2
    return "".join(pieces)


def _end_of_card(pieces: list[str], first: int) -> int | None:
    digits = ""
    for last in range(first, len(pieces), 2):
        digits += pieces[last]
        if len(digits) > LONGEST_NUMBER:
            return None
        if len(digits) >= _SHORTEST_NUMBER and holds_card_number(digits):
            return last
    return None


def without_emails(text: str, stand: Stand) -> str:
    """Replace each e-mail address in a text by its pseudonym; pseudonyms stay."""
    if "@" not in text or text.count("@") == len(_PSEUDONYM.findall(text)):
        return text
    return _EMAIL.sub(lambda found: found[0] if _PSEUDONYM.fullmatch(found[0]) else stand("email", found[0]), text)


def without_tokens(text: str, stand: Stand) -> str:
    """Replace each key, token, credential and id of a payment in a text by its pseudonym; pseudonyms stay."""

    def made(found: re.Match[str]) -> str:
        if found["scheme"]:
            return found["scheme"] + stand("secret", found["credential"])
        return stand("payment-reference" if found["payment"] else "secret", found[0])

    # Plain searches first: they are far quicker than a pattern that begins with none.
    return _TOKEN.sub(made, text) if any(beginning in text for beginning in BEGINNINGS) else text
