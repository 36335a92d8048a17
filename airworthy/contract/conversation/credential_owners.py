"""Who issued the secrets that clients send: the service (keys) or the payment provider (tokens)."""

from dataclasses import dataclass
from typing import Literal

from airworthy.contract.conversation.store import ConversationStore
from airworthy.contract.http.operations import PAYMENT
from airworthy.contract.http.transaction import Transaction

Owner = Literal["service", "payment provider"]


@dataclass(frozen=True, slots=True)
class CredentialUse:
    """Where a secret was sent first, and whether it was accepted there."""

    owner: Owner
    accepted: bool


class CredentialOwners:
    """Remembers who owns the secrets of a conversation, by their digests only."""

    def __init__(self, store: ConversationStore) -> None:
        self._store = store

    def belongs_elsewhere(self, transaction: Transaction) -> bool:
        """Return whether the secret of a request belongs to the other owner: to whom it was first sent or accepted."""
        known = self._known(transaction)
        return (
            known is not None and known.owner != _owner(transaction) and (known.accepted or not transaction.succeeded)
        )

    def observe(self, transaction: Transaction) -> None:
        """Remember who owns the secret of a request."""
        known = self._known(transaction)
        if transaction.caller and (known is None or (transaction.succeeded and not known.accepted)):
            self._store.put("secret", transaction.caller, CredentialUse(_owner(transaction), transaction.succeeded))

    def _known(self, transaction: Transaction) -> CredentialUse | None:
        found = self._store.get("secret", transaction.caller)
        return found if isinstance(found, CredentialUse) else None


def _owner(transaction: Transaction) -> Owner:
    return "payment provider" if transaction.url.version == PAYMENT else "service"
