"""Whose the secrets are that clients send: the service's keys and the payment provider's tokens, known by digest."""

import base64
import binascii
import hashlib
from dataclasses import dataclass
from typing import Literal

from airworthy.contract.message import Message
from airworthy.contract.operations import PAYMENT
from airworthy.contract.store import Store

BASIC = "basic"
BEARER = "bearer"

Owner = Literal["service", "payment provider"]


@dataclass(frozen=True, slots=True)
class Known:
    """Where a secret was sent first, and whether it was taken there."""

    owner: Owner
    taken: bool


def credential(message: Message) -> tuple[str, str]:
    """Return the scheme of the Authorization header in lower case (none for a bare key), and the secret.

    The secret of basic authentication is its user name, or its whole text where that cannot be read.
    """
    sent = (message.sent_header("Authorization") or "").strip()
    scheme, _, secret = sent.partition(" ")
    if scheme.lower() not in (BASIC, BEARER):
        return "", sent
    if scheme.lower() == BEARER:
        return BEARER, secret.strip()
    pair = user_and_password(secret)
    return BASIC, pair[0] if pair else secret.strip()


def caller(message: Message) -> str:
    """Return who asks: the digest of the secret, in whatever form it is sent, or nothing where none is."""
    secret = credential(message)[1]
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest() if secret else ""


def user_and_password(encoded: str) -> tuple[str, str] | None:
    """Return what basic authentication encodes, or None where it cannot be read (it may have been redacted)."""
    try:
        user, _, password = base64.b64decode(encoded.strip(), validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        return None
    return user, password


class Credentials:
    """Remembers the secrets of one traffic, by nothing but their digests."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def belongs_elsewhere(self, message: Message) -> bool:
        """Whether the secret of a request is one of the other owner, by where it was first taken, or else sent."""
        known = self._known(message)
        return known is not None and known.owner != _owner(message) and (known.taken or not message.succeeded)

    def observe(self, message: Message) -> None:
        """Remember whose the secret of a request is."""
        known, digest = self._known(message), caller(message)
        if digest and (known is None or (message.succeeded and not known.taken)):
            self._store.put("secret", digest, Known(_owner(message), message.succeeded))

    def _known(self, message: Message) -> Known | None:
        found = self._store.get("secret", caller(message))
        return found if isinstance(found, Known) else None


def _owner(message: Message) -> Owner:
    return "payment provider" if message.call.version == PAYMENT else "service"
