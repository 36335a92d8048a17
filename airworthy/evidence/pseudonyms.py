"""Pseudonyms: what stands in evidence instead of personal data, secrets and card data.

A pseudonym is as valid, or as invalid, as what it replaces, and the same for the same value throughout a run: what
the contract finds in an exchange it finds in the redacted exchange too. Nothing leads back from it: it is keyed, and
the key lives as long as the run.
"""

import base64
import binascii
import hmac
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Any, Final

from airworthy.contract.card_numbers import holds_card_number
from airworthy.evidence.detectors import card_marker

_REMEMBERED: Final = 20_000
_LONGEST: Final = 500
_DAYS: Final = 28
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FOREIGN_LETTERS: Final = "ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝ"
_DIGITS: Final = "0123456789"
# Arabic ones: what takes only 0 to 9 must still refuse them.
_FOREIGN_DIGITS: Final = "".join(map(chr, range(0x0660, 0x066A)))
_ISO_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?![0-9])", re.ASCII)
_EUROPEAN_DATE: Final = re.compile(r"([0-9]{2})([./-])([0-9]{2})\2([0-9]{4})(?![0-9])", re.ASCII)
_MONTH: Final = re.compile(r"[1-9]|0[1-9]|1[0-2]")
_PAYMENT_ID: Final = re.compile(r"(?!.*_secret)(pm|pi|seti)_\w+", re.ASCII)

SCHEMES: Final = frozenset(("", "bearer", "basic", "token", "apikey"))
"""Authorization schemes, in lower case, that may be shown; the empty one is that of a bare key."""


def is_payment_id(text: str) -> bool:
    """Whether a text is an id of the payment provider, such as ``pm_…``."""
    return _PAYMENT_ID.fullmatch(text) is not None


class Pseudonyms:
    """Makes pseudonyms with a secret ``key`` (32 random bytes where none is given).

    Two processes that share a key make the same pseudonyms.
    """

    def __init__(self, key: bytes | None = None) -> None:
        self.key = key or secrets.token_bytes(32)
        self._known: dict[tuple[str, str], str] = {}

    def of(self, kind: str, value: Any) -> Any:  # noqa: ANN401 - any JSON value, which keeps its type
        """Return what stands for a JSON value of an ``x-sensitive`` kind.

        Objects and arrays keep their keys and lengths, numbers stay numbers, ``null``, ``true`` and ``false`` say
        nothing about a person and stay. A kind that is not known keeps its letters' and digits' places.
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
        """Return what stands for a text of an ``x-sensitive`` kind; an empty text stays empty."""
        if not value:
            return value
        known = self._known.get((kind, value))
        if known is None:
            # Wherever it stands, a card number must still be seen to be one.
            made_by = _card if holds_card_number(value) else _MAKERS.get(kind, _shaped)
            known = made_by(self._stream(kind, value), value)
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            # It can be made again; so long a value would only take room.
            if len(value) <= _LONGEST:
                self._known[kind, value] = known
        return known

    def _number(self, kind: str, value: float) -> int | float:
        digits = self.text(kind, str(abs(value)))
        try:
            made = type(value)(digits)
        except ValueError:
            # A kind that has a form of its own (an e-mail address): the digits alone have to do.
            made = type(value)(_shaped(self._stream(kind, str(value)), str(abs(value))))
        return made if value >= 0 else -made

    def _stream(self, kind: str, value: str) -> Iterator[bytes]:
        """Yield keyed random bytes in blocks of 32; a value has the same ones in any letter case and spacing."""
        plain = _day_of(value) if kind.endswith("-date") else "".join(value.split()).casefold()
        seed = f"{kind}\0{plain}".encode()
        block = 0
        while True:
            yield hmac.digest(self.key, block.to_bytes(4, "big") + seed, "sha256")
            block += 1


def _shaped(stream: Iterator[bytes], value: str) -> str:
    """Replace letters by letters of their case and digits by digits; all else stays, and so does the length."""
    if not any(character.isalpha() or character.isdecimal() for character in value):
        return value
    while True:
        noise = _bytes(stream)
        made = "".join(_shaped_character(character, noise) for character in value)
        # By chance a short value could stand for itself, and a long number be a card's.
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
    """Keep an authorization scheme, which rules look at, and nothing else."""
    scheme, blank, _ = value.partition(" ")
    kept = f"{scheme}{blank}" if blank and scheme.lower() in SCHEMES else ""
    return f"{kept}redacted-{next(stream).hex()[:8]}"


def _payment_reference(stream: Iterator[bytes], value: str) -> str:
    """Keep what kind of id it is, which rules look at."""
    if found := _PAYMENT_ID.fullmatch(value):
        return f"{found[1]}_redacted{next(stream).hex()[:16]}"
    return _shaped(stream, value)


def _date(stream: Iterator[bytes], value: str) -> str:
    """Keep year and month, from which ages and expiry follow, and replace the day; what is no date stays none."""
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
    """Put nines in the place of digits; a month of expiry stays one."""
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
    """The same day has the same pseudonym, in whatever form it is written."""
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
"""The ``x-sensitive`` kinds that have a form of their own."""
