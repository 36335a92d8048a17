"""Find private data in any text, without the help of a schema: card numbers, e-mail addresses, keys and tokens."""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from airworthy.contract.card_numbers import SHORTEST_NUMBER, card_numbers

Pseudonymize = Callable[[str, str], str]
"""Returns the pseudonym of a text, given its ``x-sensitive`` kind and the text."""

# Unlike the contract, this also finds digits next to letters, but not those of a hexadecimal number.
_GROUPS: Final = re.compile(r"(?<![0-9A-Fa-f])(?<![0-9A-Fa-f]-)[0-9]+(?:[ -][0-9]+)*(?!-?[0-9A-Fa-f])")
# Large texts are searched for constants, after replacing digits by 0, letters by a and all other characters by dots.
_TO_KINDS: Final = bytes(
    ord("0" if chr(each) in "0123456789" else "a" if chr(each).isalpha() else ".") for each in range(256)
)
_ROW: Final = b"0" * SHORTEST_NUMBER
_PRINTED: Final = tuple(
    (b"." * signs).join(groups)
    for groups in ((b"0000", b"0000", b"0000", b"0000"), (b"0000", b"000000", b"0000"))
    for signs in (1, 2, 3)
)
_ALL_SIGNS: Final = bytes(each for each in range(128) if not chr(each).isalnum())
# A character that is not ASCII becomes a question mark, and may be a digit or a separator.
_SIGNS: Final = _ALL_SIGNS.replace(b"?", b"")
_FOREIGN_ROW: Final = re.compile(rb"[0-9?]{%d,}" % SHORTEST_NUMBER)
_NINES: Final = str.maketrans("0123456789", "9999999999")
_DOMAIN: Final = re.compile(r"@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_LOCAL: Final = re.compile(r"[\w.%+'-]+\Z")
_LONGEST_LOCAL: Final = 64
_PSEUDONYM: Final = re.compile(r"[Uu][0-9a-f]{12}@example\.invalid")
BEGINNINGS: Final = (
    *("eyJ", "AKIA", "-----BEGIN ", "Bearer ", "bearer ", "Basic ", "basic "),
    *("sk_", "rk_", "pk_", "pm_", "pi_", "seti_", "whsec_"),
)
"""The beginnings of keys and tokens."""
# Tokens are recognised by their beginnings; pseudonyms must not match.
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
    """Return a text with each digit replaced by nine, in the same script: the contract still sees a card number."""
    if text.isascii():
        return text.translate(_NINES)
    return re.sub(r"\d", lambda digit: chr(ord(digit[0]) + 9 - unicodedata.decimal(digit[0])), text)


def without_cards(text: str) -> str:
    """Return a text with the digits of each card number replaced by nines."""
    if not _may_hold_cards(text):
        return text
    pieces, done = [], 0
    for start, end, _ in sorted(card_numbers(text, _GROUPS)):
        if end > done:
            pieces += [text[done:start], card_marker(text[max(start, done) : end])]
            done = end
    return "".join((*pieces, text[done:]))


def _may_hold_cards(text: str) -> bool:
    plain = text.encode("ascii", "replace")
    if text.isascii() and _ROW not in plain.translate(_TO_KINDS, _ALL_SIGNS):
        return False
    if _ROW in plain.translate(_TO_KINDS, b" -"):
        return True
    kinds = plain.translate(_TO_KINDS)
    if any(printed in kinds for printed in _PRINTED):
        return True
    return not text.isascii() and any(b"?" in row for row in _FOREIGN_ROW.findall(plain.translate(None, _SIGNS)))


def without_emails(text: str, pseudonymize: Pseudonymize) -> str:
    """Return a text with each e-mail address replaced by its pseudonym; pseudonyms stay."""
    pieces, done = [], 0
    # Searching for the domain first is linear; a pattern for the whole address would start at every letter.
    for domain in _DOMAIN.finditer(text):
        local = _LOCAL.search(text, max(done, domain.start() - _LONGEST_LOCAL), domain.start())
        if local is None or _PSEUDONYM.fullmatch(address := text[local.start() : domain.end()]):
            continue
        pieces += [text[done : local.start()], pseudonymize("email", address)]
        done = domain.end()
    return "".join((*pieces, text[done:]))


def without_tokens(text: str, pseudonymize: Pseudonymize) -> str:
    """Return a text with each key, token, credential and payment id replaced by its pseudonym; pseudonyms stay."""

    def replacement(found: re.Match[str]) -> str:
        if found["scheme"]:
            return found["scheme"] + pseudonymize("secret", found["credential"])
        return pseudonymize("payment-reference" if found["payment"] else "secret", found[0])

    # Plain searches are much faster than the pattern, which has no constant prefix.
    return _TOKEN.sub(replacement, text) if any(beginning in text for beginning in BEGINNINGS) else text
