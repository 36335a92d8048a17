"""Replace personal data, secrets and card data by pseudonyms.

A pseudonym is as valid, or as invalid, as the value that it replaces, and equal values have equal pseudonyms throughout
a run. The contract therefore finds the same in an exchange and in its redacted form. Pseudonyms cannot be reversed:
they are keyed, and the key is discarded after the run.
"""

import base64
import binascii
import hmac
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from itertools import count
from typing import Any, Final

from airworthy.contract.card_numbers import holds_card_number
from airworthy.evidence.detectors import card_marker

_REMEMBERED: Final = 20_000
_LONGEST: Final = 500
_DAYS: Final = 28
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FOREIGN_LETTERS: Final = "ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝ"
_DIGITS: Final = "0123456789"
# Arabic digits: a rule that allows only 0 to 9 must still reject them.
_FOREIGN_DIGITS: Final = "".join(map(chr, range(0x0660, 0x066A)))
_ISO_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?![0-9])", re.ASCII)
_EUROPEAN_DATE: Final = re.compile(r"([0-9]{2})([./-])([0-9]{2})\2([0-9]{4})(?![0-9])", re.ASCII)
_MONTH: Final = re.compile(r"[1-9]|0[1-9]|1[0-2]")
_PAYMENT_ID: Final = re.compile(r"(?!.*_secret)(pm|pi|seti)_\w+", re.ASCII)

SCHEMES: Final = frozenset(("", "bearer", "basic", "token", "apikey"))
"""Authorization schemes, in lower case, that are not private; a key without a scheme has the empty one."""


def is_payment_id(text: str) -> bool:
    """Whether a text is an id issued by the payment provider, such as ``pm_…``."""
    return _PAYMENT_ID.fullmatch(text) is not None


class Pseudonyms:
    """Creates pseudonyms with a secret ``key`` (default: 32 random bytes).

    Processes that share a key create the same pseudonyms.
    """

    def __init__(self, key: bytes | None = None) -> None:
        self.key = key or secrets.token_bytes(32)
        self._known: dict[tuple[str, str], str] = {}

    def of(self, kind: str, value: Any) -> Any:  # noqa: ANN401 - any JSON value, which keeps its type
        """Return the pseudonym of a JSON value of an ``x-sensitive`` kind.

        Objects and arrays keep their keys and lengths, and numbers stay numbers. ``null``, ``true`` and ``false`` say
        nothing about a person and stay. Of an unknown kind, letters become other letters and digits other digits.
        """
        match value:
            case str():
                return self.text(kind, value)
            case bool() | None:
                return value
            case int() | float():
                return self._number(kind, value)
            case list():
                return [self.of(kind, item) for item in value]
            case dict():
                return {name: self.of(kind, item) for name, item in value.items()}
            case _:
                raise TypeError(f"not a JSON value: {type(value).__name__}")

    def text(self, kind: str, value: str) -> str:
        """Return the pseudonym of a text of an ``x-sensitive`` kind; an empty text stays empty."""
        if not value:
            return value
        known = self._known.get((kind, value))
        if known is None:
            # The contract must still recognise a card number, whatever its kind.
            maker = _card if holds_card_number(value) else _MAKERS.get(kind, _shaped)
            known = maker(self._stream(kind, value), value)
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            # A long value would take too much memory; its pseudonym can be computed again.
            if len(value) <= _LONGEST:
                self._known[kind, value] = known
        return known

    def _number(self, kind: str, value: float) -> int | float:
        digits = self.text(kind, str(abs(value)))
        try:
            made = type(value)(digits)
        except ValueError:
            # A pseudonym such as an e-mail address is not a number, so only the digits are replaced.
            made = type(value)(_shaped(self._stream(kind, str(value)), str(abs(value))))
        return made if value >= 0 else -made

    def _stream(self, kind: str, value: str) -> Iterator[bytes]:
        """Yield keyed pseudorandom bytes in blocks of 32; letter case and spaces of the value do not matter."""
        plain = _day_of(value) if kind.endswith("-date") else "".join(value.split()).casefold()
        # Hashed once: a long value needs many blocks, and hashing it for each would take quadratic time.
        seed = hmac.digest(self.key, f"{kind}\0{plain}".encode(), "sha256")
        for block in count():
            yield hmac.digest(seed, block.to_bytes(4, "big"), "sha256")


def _shaped(stream: Iterator[bytes], value: str) -> str:
    """Replace letters by letters of the same case and digits by digits; other characters and the length stay."""
    if not any(character.isalpha() or character.isdecimal() for character in value):
        return value
    while True:
        noise = _bytes(stream)
        made = "".join(_shaped_character(character, noise) for character in value)
        # By chance, a short value could be its own pseudonym, and a long number a card number.
        if made != value and not holds_card_number(made):
            return made


def _shaped_character(character: str, noise: Iterator[int]) -> str:
    if character.isdecimal():
        digits = _DIGITS if character.isascii() else _FOREIGN_DIGITS
        return digits[next(noise) % len(digits)]
    if character.isalpha():
        letters = _LETTERS if character.isascii() else _FOREIGN_LETTERS
        letter = letters[next(noise) % len(letters)]
        return letter if character.isupper() else letter.lower()
    return character


def _email(stream: Iterator[bytes], value: str) -> str:
    if "@" not in value:
        return _shaped(stream, value)
    made = f"u{next(stream).hex()[:12]}@example.invalid"
    return made if value == value.lower() else made.capitalize()


def _secret(stream: Iterator[bytes], value: str) -> str:
    """Keep only the authorization scheme, which rules check."""
    scheme, blank, _ = value.partition(" ")
    kept = f"{scheme}{blank}" if blank and scheme.lower() in SCHEMES else ""
    return f"{kept}redacted-{next(stream).hex()[:8]}"


def _payment_reference(stream: Iterator[bytes], value: str) -> str:
    """Keep the prefix of a payment id, which rules check."""
    if found := _PAYMENT_ID.fullmatch(value):
        return f"{found[1]}_redacted{next(stream).hex()[:16]}"
    return _shaped(stream, value)


def _date(stream: Iterator[bytes], value: str) -> str:
    """Replace the day, and keep year and month for rules on ages and expiry; an invalid date stays invalid."""
    if found := _ISO_DATE.match(value):
        year, month, day = found.groups()
        return f"{year}-{_another_day(stream, year, month, day)}{value[found.end() :]}"
    if found := _EUROPEAN_DATE.match(value):
        day, mark, month, year = found.groups()
        made_month, made_day = _another_day(stream, year, month, day).split("-")
        return f"{made_day}{mark}{made_month}{mark}{year}{value[found.end() :]}"
    return _shaped(stream, value)


def _another_day(stream: Iterator[bytes], year: str, month: str, day: str) -> str:
    try:
        date(int(year), int(month), int(day))
    except ValueError:
        return "02-30" if day != "30" else "02-31"
    made = next(stream)[0] % _DAYS + 1
    return f"{month}-{made if made != int(day) else made % _DAYS + 1:02d}"


def _card(stream: Iterator[bytes], value: str) -> str:
    """Replace the digits by nines; a month of expiry becomes another valid month."""
    if _MONTH.fullmatch(value):
        return "9" if len(value) == 1 else "12"
    return card_marker(_shaped(stream, value))


def _cryptogram(stream: Iterator[bytes], value: str) -> str:
    try:
        size = len(base64.b64decode(value, validate=True))
    except (binascii.Error, ValueError):
        return _shaped(stream, value)
    noise = _bytes(stream)
    return base64.b64encode(bytes(next(noise) for _ in range(size))).decode()


def _bytes(stream: Iterator[bytes]) -> Iterator[int]:
    for block in stream:
        yield from block


def _day_of(value: str) -> str:
    """Return a day in ISO form, so that it has the same pseudonym in every notation."""
    if found := _EUROPEAN_DATE.match(value):
        return f"{found[4]}-{found[3]}-{found[1]}"
    return value[:10]


_MAKERS: Final[Mapping[str, Callable[[Iterator[bytes], str], str]]] = {
    "name": _shaped,
    "phone": _shaped,
    "address": _shaped,
    "country": _shaped,
    "document-number": _shaped,
    "security-code": _shaped,
    "booking-reference": _shaped,
    "transaction-id": _shaped,
    "payment-reference": _payment_reference,
    "customer-code": _shaped,
    "birth-date": _date,
    "document-date": _date,
    "email": _email,
    "card": _card,
    "cryptogram": _cryptogram,
    "secret": _secret,
}

KINDS: Final = frozenset(_MAKERS)
"""The known ``x-sensitive`` kinds."""
