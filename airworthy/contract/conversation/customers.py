"""Which customers the callers of a conversation act for, by the customer codes that they send."""

from airworthy.contract.bodies.body import Json
from airworthy.contract.conversation.store import ConversationStore
from airworthy.contract.conversation.v3.memory import BOOKINGS
from airworthy.contract.http.credentials import digest
from airworthy.contract.http.transaction import Transaction, member

CUSTOMER_CODES = ("customerCode", "customer_code")
MOST_CODES = 100


class Customers:
    """Remembers the customer codes that the service accepted of each caller, by their digests only."""

    def __init__(self, store: ConversationStore) -> None:
        self._store = store

    def is_another(self, owner: str, transaction: Transaction) -> bool:
        """Return whether an earlier caller is known to act for another customer than the caller of an exchange."""
        owned, own = (self._codes(_key(transaction, caller)) for caller in (owner, transaction.caller))
        return bool(owned and own) and owned.isdisjoint(own | _sent(transaction))

    def is_known(self, transaction: Transaction) -> bool:
        """Return whether the service has booked for the customer code in a request, which it must know for that."""
        return not _sent(transaction).isdisjoint(self._codes(f"{_key(transaction, transaction.caller)} booked"))

    def observe(self, transaction: Transaction) -> None:
        """Remember the customer code of a request that the service fulfils."""
        if not transaction.caller or not transaction.fulfilled:
            return
        keys, sent = [_key(transaction, transaction.caller)], _sent(transaction)
        if transaction.operation in BOOKINGS:
            keys.append(f"{keys[0]} booked")
        for key in keys:
            known = self._codes(key)
            if not sent <= known and len(known) < MOST_CODES:
                self._store.put("customer", key, known | sent)

    def _codes(self, caller: str) -> frozenset[str]:
        found: Json = self._store.get("customer", caller)
        return found if isinstance(found, frozenset) else frozenset()


def _key(transaction: Transaction, caller: str) -> str:
    """Return a caller in one interface: the codes of the others are not those that it sends there."""
    return f"{transaction.url.version} {caller}"


def _sent(transaction: Transaction) -> frozenset[str]:
    """Return the digests of the customer codes in a request; their letter case does not count."""
    sent = [member(transaction.sent, name) for name in CUSTOMER_CODES]
    return frozenset(digest(code.strip().casefold()) for code in sent if isinstance(code, str) and code.strip())
