"""Replace texts and numbers by pseudonyms of the same shape.

A pseudonym has the same length as the value, with letters, digits and separators in the same places. So it is as valid,
or as invalid, as the value, and the contract finds the same in an exchange and in its redacted form. Equal values have
equal pseudonyms throughout a run. Pseudonyms cannot be reversed, because the key is discarded after the run, unless
several recorders share one.
"""

import base64
import binascii
import hmac
import re
import secrets
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import date
from functools import lru_cache
from itertools import count
from math import isfinite
from typing import Final

from airworthy.contract.bodies.card_numbers import holds_card_number
from airworthy.errors import UsageError
from airworthy.evidence.marks import HIDDEN

REMEMBERED: Final = 20_000
LONGEST: Final = 500
"""Equal values occur again and again, so that many are remembered; a longer one would take too much memory."""
_DAYS: Final = 28
_HEXADECIMAL: Final = "ABCDEF"
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FOREIGN_LETTERS: Final = "ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝ"
_DIGITS: Final = "0123456789"
# Arabic digits: a rule that allows only 0 to 9 must still reject them.
_FOREIGN_DIGITS: Final = "".join(map(chr, range(0x0660, 0x066A)))
HARMLESS_SIGNS: Final = "\u00a0\u00a1\u00ab\u00bb\u00bf\u2013\u2014\u2018\u2019\u201c\u201d\u201e\u2026\u20ac\u00a3"
"""Punctuation beyond ASCII that stays. Any other sign may be a letter or a digit in disguise, such as ① or Ⓐ."""
_SIGNS: Final = {"N": "½", "M": "\u0301", "P": "·", "Z": "\u00a0"}
_ISO_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?![0-9])", re.ASCII)
_EUROPEAN_DATE: Final = re.compile(r"([0-9]{2})([./-])([0-9]{2})\2([0-9]{4})(?![0-9])", re.ASCII)
_TIME: Final = re.compile(
    r"[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,9})?)?(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])?"
)
_MONTH: Final = re.compile(r"[1-9]|0[1-9]|1[0-2]")
_PAYMENT_ID: Final = re.compile(r"(?!.*_secret)(pm|pi|seti)_\w+", re.ASCII)
# Issued ids contain digits.
_TEST_PAYMENT: Final = re.compile(r"pm_card_[A-Za-z_]{1,40}")
# Rules read the prefixes of the payment provider, and the digits of a UUID are hexadecimal.
_PREFIX: Final = re.compile(r"(?:pm|pi|sk|rk|pk|tok|seti)_")
_LONG_NUMBER: Final = re.compile(r"[1-9][0-9]{12,18}")
_UUID: Final = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_NINES: Final = str.maketrans("0123456789", "9999999999")
_MOST_TRIES: Final = 8
SHORTEST_KEY: Final = 32
_HINT: Final = "create one with: openssl rand -base64 32"

SCHEMES: Final = frozenset(("", "bearer", "basic", "token", "apikey"))
"""Authorization schemes, in lower case, that are not private; a key without a scheme has the empty one."""


def is_payment_id(text: str) -> bool:
    """Return whether a text is an id issued by the payment provider, such as ``pm_…``."""
    return _PAYMENT_ID.fullmatch(text) is not None


def is_test_payment(text: str) -> bool:
    """Return whether a text is a payment method that every client of the provider may use in test mode."""
    return text.startswith("pm_card_") and _TEST_PAYMENT.fullmatch(text) is not None


class Pseudonyms:
    """Creates pseudonyms with a secret ``key`` (default: random bytes).

    Processes that share a key create the same pseudonyms.
    """

    def __init__(self, key: bytes | None = None) -> None:
        self.key = key or secrets.token_bytes(SHORTEST_KEY)
        self._remembered = lru_cache(REMEMBERED)(self._made)

    def text(self, value: str, kind: str = "") -> str:
        """Return the pseudonym of a text; an empty text stays empty.

        Of the ``x-sensitive`` kinds, a date keeps its year and month, and a card its number of digits.
        """
        if not value:
            return value
        # Equal texts have equal pseudonyms, whatever their kind, except for dates and cards.
        kind = "date" if kind.endswith("-date") else kind if kind == "card" else ""
        return (self._remembered if len(value) <= LONGEST else self._made)(value, kind)

    def _made(self, value: str, kind: str) -> str:
        # The contract must still recognise a card number, whatever its kind.
        maker = _card if kind == "card" or holds_card_number(value) else _date if kind else _shaped
        # A long id is a number in one body, and text in a path or as the name of a member in another.
        digits = self.digits(value) if maker is _shaped and _LONG_NUMBER.fullmatch(value) else value
        is_other = digits != value and not holds_card_number(digits)
        return digits if is_other else maker(self._stream(kind, value), value)

    def secret(self, value: str) -> str:
        """Return the pseudonym of a key, token or password, which does not show its length."""
        return f"{HIDDEN}{next(self._stream('secret', value)).hex()[:8]}" if value else value

    def number(self, value: float, kind: str = "") -> int | float:
        """Return another number with as many digits; zeros, sign and exponent stay."""
        mantissa, _, exponent = str(abs(value)).partition("e")
        if holds_card_number(value) or kind == "card":
            return int(card_marker(str(int(abs(value)))))
        digits = self.digits(mantissa)
        pseudonym = type(value)(f"{digits}e{exponent}" if exponent else digits)
        pseudonym = pseudonym if isfinite(pseudonym) else float(digits)
        return pseudonym if value >= 0 else -pseudonym

    def digits(self, value: str) -> str:
        """Return a text with digits replaced by digits; zeros stay, so a valid number stays valid."""
        noise = _bytes(self._stream("digits", value))
        return "".join(str(1 + next(noise) % 9) if each in "123456789" else each for each in value)

    def _stream(self, kind: str, value: str) -> Iterator[bytes]:
        """Yield keyed pseudorandom bytes in blocks of 32; letter case and spaces of the value do not matter."""
        plain = _day_of(value) if kind == "date" else "".join(value.split()).casefold()
        # Hashed once: a long value needs many blocks, and hashing it for each would take quadratic time.
        seed = hmac.digest(self.key, f"{kind}\0{plain}".encode("utf-8", "surrogatepass"), "sha256")
        for block in count():
            yield hmac.digest(seed, block.to_bytes(4, "big"), "sha256")


def pseudonym_key(variable: str, environment: Mapping[str, str]) -> bytes:
    """Return the key that recorders share, from an environment variable: Base64 of at least `SHORTEST_KEY` bytes.

    Raises `UsageError` if the variable is not set, or its value is not a key. The message names neither the option nor
    the variable, which could be a key that was given in place of its name.
    """
    text = environment.get(variable, "").strip()
    if not text:
        raise UsageError(
            f"expected the name of an environment variable that contains a key, but it is not set or empty; {_HINT}"
        )
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise UsageError(f"the value of the environment variable is not Base64; {_HINT}") from None
    if len(key) < SHORTEST_KEY:
        raise UsageError(f"the key has {len(key)} bytes, at least {SHORTEST_KEY} are required; {_HINT}")
    return key


def card_marker(text: str) -> str:
    """Return a text with each digit replaced by nine, in the same script: the contract still sees a card number."""
    if text.isascii():
        return text.translate(_NINES)
    return re.sub(r"\d", lambda digit: chr(ord(digit[0]) + 9 - unicodedata.decimal(digit[0])), text)


def _shaped(stream: Iterator[bytes], value: str) -> str:
    """Replace letters by letters of the same case and digits by digits; other characters and the length stay."""
    # A lone surrogate is not a character, and no file can contain it.
    value = value.encode("utf-8", "replace").decode()
    prefix = _PREFIX.match(value)
    kept = prefix[0] if prefix else ""
    letters = _HEXADECIMAL if _UUID.fullmatch(value) else _LETTERS
    noise = _bytes(stream)
    for _ in range(_MOST_TRIES):
        pseudonym = kept + "".join(_shaped_character(character, noise, letters) for character in value[len(kept) :])
        # By chance, a short value could be its own pseudonym, and a long number a card number.
        if pseudonym != value and not holds_card_number(pseudonym):
            break
    return pseudonym


def _shaped_character(character: str, noise: Iterator[int], letters: str) -> str:
    if character.isascii():
        if character.isalpha():
            letter = letters[next(noise) % len(letters)]
            return letter if character.isupper() else letter.lower()
        return _DIGITS[next(noise) % len(_DIGITS)] if character.isdigit() else character
    if character.isdecimal():
        return _FOREIGN_DIGITS[next(noise) % len(_FOREIGN_DIGITS)]
    if character.isalpha():
        letter = _FOREIGN_LETTERS[next(noise) % len(_FOREIGN_LETTERS)]
        return letter if character.isupper() else letter.lower()
    return character if character in HARMLESS_SIGNS else _SIGNS.get(unicodedata.category(character)[0], "\ufffd")


def _date(stream: Iterator[bytes], value: str) -> str:
    """Replace the day, and keep year and month for rules on ages and expiry; an invalid date stays invalid."""
    if found := _ISO_DATE.match(value):
        year, month, day = found.groups()
        return f"{year}-{_another_day(stream, year, month, day)}{_rest(stream, value[found.end() :])}"
    if found := _EUROPEAN_DATE.match(value):
        day, mark, month, year = found.groups()
        new_month, new_day = _another_day(stream, year, month, day).split("-")
        return f"{new_day}{mark}{new_month}{mark}{year}{_rest(stream, value[found.end() :])}"
    return _shaped(stream, value)


def _rest(stream: Iterator[bytes], text: str) -> str:
    """Replace what follows a date: a valid time becomes midnight, which is as valid."""
    return re.sub(r"[0-9]", "0", text) if _TIME.fullmatch(text) else _shaped(stream, text)


def _another_day(stream: Iterator[bytes], year: str, month: str, day: str) -> str:
    try:
        date(int(year), int(month), int(day))
    except ValueError:
        return "02-30" if day != "30" else "02-31"
    new_day = next(stream)[0] % _DAYS + 1
    return f"{month}-{new_day if new_day != int(day) else new_day % _DAYS + 1:02d}"


def _card(stream: Iterator[bytes], value: str) -> str:
    """Replace the digits by nines; a month of expiry becomes another valid month."""
    if _MONTH.fullmatch(value):
        return "9" if len(value) == 1 else "12"
    return card_marker(_shaped(stream, value))


def _bytes(stream: Iterator[bytes]) -> Iterator[int]:
    for block in stream:
        yield from block


def _day_of(value: str) -> str:
    """Return a day in ISO form, so that it has the same pseudonym in every notation."""
    if found := _EUROPEAN_DATE.match(value):
        return f"{found[4]}-{found[3]}-{found[1]}"
    return value[:10]
