"""Whose the secrets are that clients send: the service's keys and the payment provider's tokens, known by digest."""

from dataclasses import dataclass
from typing import Literal

from airworthy.contract.conversation.store import Store
from airworthy.contract.operations import PAYMENT
from airworthy.contract.transaction import Message

Owner = Literal["service", "payment provider"]


@dataclass(frozen=True, slots=True)
class Known:
    """Where a secret was sent first, and whether it was taken there."""

    owner: Owner
    taken: bool


class Owners:
    """Remembers the secrets of one traffic, by nothing but their digests."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def belongs_elsewhere(self, message: Message) -> bool:
        """Whether the secret of a request is one of the other owner, by where it was first taken, or else sent."""
        known = self._known(message)
        return known is not None and known.owner != _owner(message) and (known.taken or not message.succeeded)

    def observe(self, message: Message) -> None:
        """Remember whose the secret of a request is."""
        known = self._known(message)
        if message.caller and (known is None or (message.succeeded and not known.taken)):
            self._store.put("secret", message.caller, Known(_owner(message), message.succeeded))

    def _known(self, message: Message) -> Known | None:
        found = self._store.get("secret", message.caller)
        return found if isinstance(found, Known) else None


def _owner(message: Message) -> Owner:
    return "payment provider" if message.call.version == PAYMENT else "service"
