"""Redact credentials: the secrets of the run, and the headers that carry a key, a token or a session."""

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from airworthy.contract.bodies.card_numbers import holds_card_number
from airworthy.contract.http.credentials import BASIC, is_placeholder, user_and_password
from airworthy.contract.http.exchange import Headers
from airworthy.evidence.marks import marked
from airworthy.evidence.pseudonyms import SCHEMES, Pseudonyms, is_payment_id

_SECRET_HEADER: Final = re.compile(r"authorization|cookie|(?:api|access|auth|private)[_-]?key|token|secret|password")
_SHORTEST_SECRET: Final = 3
_LONG_SECRET: Final = 8


Secrets = Mapping[str, tuple[str, ...]]
"""Secrets with their replacements: ``$NAME`` of an environment variable, one for each interface that has the secret.

A replacement that does not begin with ``$`` means a pseudonym.
"""


class Credentials:
    """The secrets of a run, each with its replacement: the name of an environment variable, or a pseudonym."""

    def __init__(self, pseudonyms: Pseudonyms, secrets: Secrets) -> None:
        self._pseudonyms = pseudonyms
        self._names = secrets
        self.variables: Final = frozenset(name for names in secrets.values() for name in names if name.startswith("$"))
        self._chosen: dict[str, tuple[dict[str, str], dict[str, str]]] = {}
        self.choose("")
        self._any = _any_of(self._known)

    def choose(self, interface: str) -> None:
        """From now on, show the variable of an interface, such as v3, for a secret that several share."""
        self.interface = interface
        if interface not in self._chosen:
            secrets = {value: self._replaced(value, names) for value, names in self._names.items()}
            # Evidence that was recorded with the same profile has the names already.
            secrets |= {name: name for name in self.variables}
            # Outside of a header, a shorter text may be anything else.
            known = {
                value: _shown(shown)
                for value, shown in secrets.items()
                if len(value) >= _SHORTEST_SECRET and not (is_payment_id(value) or _is_card_data(value))
            }
            self._chosen[interface] = secrets, known
        self._secrets, self._known = self._chosen[interface]

    def _replaced(self, value: str, names: tuple[str, ...]) -> str:
        own = (name for name in names if f"_{self.interface.upper()}_" in name)
        name = next(own, names[0])
        return name if name.startswith("$") else self._pseudonyms.secret(value)

    def replacement(self, value: str) -> str | None:
        """Return the replacement of a secret of the run, or None for any other value."""
        return self._known.get(value)

    def redact(self, text: str) -> str:
        """Return a text with the secrets of the run replaced."""
        # Most texts contain no secret, and a plain search is much faster than a pattern.
        if any(secret in text for secret in self._known):
            return self._any.sub(lambda found: self._known[found[0]], text)
        return text

    def unknown_in(self, headers: Headers) -> Iterator[str]:
        """Yield the credentials in headers that are not secrets of the run; services may repeat them in messages."""
        for name, value in headers:
            scheme, _, token = value.strip().rpartition(" ")
            if not is_secret_header(name) or scheme.lower() not in SCHEMES:
                continue
            pair = user_and_password(token) if scheme.lower() == BASIC else None
            for secret in pair or (token,):
                if len(secret) >= _LONG_SECRET and secret not in self._known and not is_payment_id(secret):
                    yield secret

    def header(self, value: str) -> str:
        """Return the redacted value of a credential header; the authorization scheme stays, because rules check it."""
        scheme, blank, token = value.strip().rpartition(" ")
        if is_placeholder(token) or (token.lower() in SCHEMES and not blank):
            return value
        if scheme.lower() == BASIC:
            return f"{scheme} {_shown(self._basic(token))}"
        if scheme.lower() in SCHEMES:
            return f"{scheme}{blank}{_shown(self._redacted(token))}"
        return _shown(self._redacted(value.strip()))

    def _basic(self, encoded: str) -> str:
        """Redact user name and password separately, so that a secret has one pseudonym and a missing password shows."""
        pair = user_and_password(encoded)
        if pair is None:
            return self._redacted(encoded)
        if pair[0] in self._secrets and not pair[1]:
            return self._secrets[pair[0]]
        return base64.b64encode(":".join(map(self._redacted, pair)).encode()).decode()

    def _redacted(self, secret: str) -> str:
        return self._secrets.get(secret) or self._pseudonyms.secret(secret)


def is_secret_header(name: str) -> bool:
    """Return whether a header carries a key, a token or a session, according to its name."""
    return _SECRET_HEADER.search(name.lower()) is not None


def _shown(replacement: str) -> str:
    """Return a replacement with marks, unless it is the name of a variable."""
    return replacement if replacement.startswith("$") else marked(replacement)


def _is_card_data(secret: str) -> bool:
    """Return whether a secret is a card number or security code, which the contract must still recognize."""
    return holds_card_number(secret) or (secret.isdecimal() and len(secret) < _LONG_SECRET)


def _any_of(values: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern for any of the values; a short one must stand alone, not inside another word or id."""
    longest_first = sorted(values, key=len, reverse=True)
    found = (
        re.escape(value)
        if len(value) >= _LONG_SECRET
        else rf"(?<!\w)(?<!\w[-_.@/+]){re.escape(value)}(?!\w)(?![-_.@/+]\w)"
        for value in longest_first
    )
    return re.compile("|".join(found))
