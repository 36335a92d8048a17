"""Whose the secrets are that clients send: the service's keys and the payment provider's tokens, known by digest."""

from dataclasses import dataclass
from typing import Literal

from airworthy.contract.conversation.store import ConversationStore
from airworthy.contract.operations import PAYMENT
from airworthy.contract.transaction import Transaction

Owner = Literal["service", "payment provider"]


@dataclass(frozen=True, slots=True)
class CredentialUse:
    """Where a secret was sent first, and whether it was taken there."""

    owner: Owner
    taken: bool


class CredentialOwners:
    """Remembers the secrets of one traffic, by nothing but their digests."""

    def __init__(self, store: ConversationStore) -> None:
        self._store = store

    def belongs_elsewhere(self, transaction: Transaction) -> bool:
        """Whether the secret of a request is one of the other owner, by where it was first taken, or else sent."""
        known = self._known(transaction)
        return known is not None and known.owner != _owner(transaction) and (known.taken or not transaction.succeeded)

    def observe(self, transaction: Transaction) -> None:
        """Remember whose the secret of a request is."""
        known = self._known(transaction)
        if transaction.caller and (known is None or (transaction.succeeded and not known.taken)):
            self._store.put("secret", transaction.caller, CredentialUse(_owner(transaction), transaction.succeeded))

    def _known(self, transaction: Transaction) -> CredentialUse | None:
        found = self._store.get("secret", transaction.caller)
        return found if isinstance(found, CredentialUse) else None


def _owner(transaction: Transaction) -> Owner:
    return "payment provider" if transaction.url.version == PAYMENT else "service"
