"""What earlier exchanges of the same traffic have shown: the memory that rules across exchanges judge by.

Only what went over the wire is remembered, in bounded amounts; nothing is inferred.
"""

from threading import RLock

from airworthy.contract.conversation.credential_owners import CredentialOwners
from airworthy.contract.conversation.customers import Customers
from airworthy.contract.conversation.limits import Lifetimes
from airworthy.contract.conversation.searches import Searches
from airworthy.contract.conversation.store import ConversationStore, InMemoryStore, Subject, TracingStore
from airworthy.contract.conversation.v3.memory import NamedId, V3Memory, named
from airworthy.contract.conversation.v4.memory import V4Memory
from airworthy.contract.http.operations import PAYMENT
from airworthy.contract.http.transaction import Transaction


class Conversation:
    """What the exchanges of one traffic have shown so far; several threads may share it while they hold ``lock``.

    ``v4`` remembers offers, orders and reservations; ``v3`` flights, booking requests and bookings of v3 and v2;
    ``credentials`` who owns the secrets that clients send; ``customers`` whom each caller acts for; ``searches`` what
    each caller searched. ``store`` contains all of it. ``lifetimes`` are those of the service: the documented ones,
    unless it shortens them for tests. ``dates`` is whether ages are judged by the ``Date`` headers of the service, too:
    not in a run of the suite, which may move the clock of the service without these.
    """

    def __init__(
        self, store: ConversationStore | None = None, lifetimes: Lifetimes | None = None, *, dates: bool = True
    ) -> None:
        self.store = TracingStore(store if store is not None else InMemoryStore())
        self.v4 = V4Memory(self.store, dates=dates)
        self.v3 = V3Memory(self.store, dates=dates)
        self.credentials = CredentialOwners(self.store)
        self.customers = Customers(self.store)
        self.searches = Searches(self.store)
        self.lifetimes = lifetimes or Lifetimes()
        self.lock = RLock()

    @property
    def is_of_the_service(self) -> bool:
        """Whether a documented operation was called: then the host is that of the service."""
        return self.store.get("service", "") is True

    def knows(self, version: str, named: NamedId) -> bool:
        """Return whether a version has shown an id; an id of v4 is known whatever it identifies there."""
        if version != "v4":
            return self.v3.knows(version, named)
        is_locator = named.subject == "reference" and self.store.get("reference", f"v4 {named.id}") is not None
        return is_locator or bool(self.v4.identified(named.id))

    def has_issued(self, transaction: Transaction, where: str) -> bool:
        """Return whether a parameter of a request, such as ``query:offerId``, is an id that an earlier response has."""
        ids = (each for each in named(transaction) if each.where == where)
        return any(self.knows(transaction.url.version, each) for each in ids)

    def identified(self, version: str, key: str) -> list[Subject]:
        """Return what an id of a version has identified so far."""
        return self.v4.identified(key) if version == "v4" else self.v3.identified(version, key)

    def observe(self, transaction: Transaction, wrong: frozenset[str] = frozenset()) -> None:
        """Remember what an exchange shows; a confirmation without a response may still have booked its order.

        ``wrong`` has the pointers of violations in the response: what contains one is not compared with later
        responses, or the violation would be reported again.
        """
        self.store.exchange = transaction.exchange.id
        if transaction.operation and transaction.url.version != PAYMENT:
            self.store.put("service", "", value=True)
        if transaction.exchange.response is not None:
            self.searches.observe(transaction)
            self.credentials.observe(transaction)
            self.customers.observe(transaction)
            self.v3.observe(transaction, wrong)
        self.v4.observe(transaction, wrong)
