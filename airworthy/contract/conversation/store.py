"""Where a conversation keeps what it remembers: an interface, so that several conversations can share a store."""

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from airworthy.contract.bodies.body import Json

Subject = Literal[
    "offer",
    "fare",
    "order",
    "reservation",
    "flight",
    "round trip",
    "booking request",
    "booking",
    "reference",
    "record locator",
    "external id",
    "secret",
    "customer",
    "page",
    "search",
    "service",
]
REMEMBERED = 10_000


class ConversationStore(Protocol):
    """Where a conversation keeps what it remembers; it may forget old values."""

    def get(self, subject: Subject, key: str) -> Json:
        """Return the value of a key, or None."""

    def put(self, subject: Subject, key: str, value: Json) -> None:
        """Set the value of a key; values are immutable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What is remembered of a resource; ``shown_by`` is the id of the exchange that first showed it."""

    shown_by: str = ""

    @property
    def source(self) -> str:
        """The id of the exchange that shows what most rules judge by."""
        return self.shown_by


class TracingStore:
    """Another store, with the exchanges that showed the resources in it.

    ``exchange`` is the id of the exchange that is remembered now, ``source`` the `Seen.source` of the resource that
    was looked up last.
    """

    def __init__(self, store: ConversationStore) -> None:
        self._store = store
        self.exchange = self.source = ""

    def get(self, subject: Subject, key: str) -> Json:
        """Return the value of a key, or None."""
        value = self._store.get(subject, key)
        if isinstance(value, Seen):
            self.source = value.source
        return value

    def put(self, subject: Subject, key: str, value: Json) -> None:
        """Set the value of a key; a resource that is new was shown by the current exchange."""
        if isinstance(value, Seen) and not value.shown_by:
            value = replace(value, shown_by=self.exchange)
        self._store.put(subject, key, value)


class InMemoryStore:
    """A store in memory that forgets the least recently used values.

    ``limit`` applies to each subject, so that the flights of many searches do not displace booking requests.
    """

    def __init__(self, limit: int = REMEMBERED) -> None:
        self._limit = limit
        self._known: dict[Subject, OrderedDict[str, Any]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._known.values()))

    def get(self, subject: Subject, key: str) -> Json:
        """Return the value of a key, or None."""
        known = self._known.get(subject)
        if known is None or key not in known:
            return None
        known.move_to_end(key)
        return known[key]

    def put(self, subject: Subject, key: str, value: Json) -> None:
        """Set the value of a key; forget the least recently used one beyond the limit."""
        known = self._known.setdefault(subject, OrderedDict())
        known[key] = value
        known.move_to_end(key)
        if len(known) > self._limit:
            known.popitem(last=False)
