"""Where a conversation keeps what it remembers: an interface, so that several readers of one traffic can share theirs."""

from collections import OrderedDict
from typing import Any, Literal, Protocol

from airworthy.contract.body import Json

Subject = Literal[
    "offer", "fare", "order", "reservation", "flight", "round trip", "request", "booking", "reference", "secret", "page"
]
REMEMBERED = 10_000


class ConversationStore(Protocol):
    """Where a conversation keeps what it remembers; it may forget the oldest."""

    def get(self, subject: Subject, key: str) -> Json:
        """Return what is known, or None."""

    def put(self, subject: Subject, key: str, value: Json) -> None:
        """Remember a value, an immutable one, in place of the former."""


class InMemoryStore:
    """A store in this process that forgets what was used longest ago.

    ``limit`` is for each subject: a hundred flights of every search must not push out the request of a minute ago.
    """

    def __init__(self, limit: int = REMEMBERED) -> None:
        self._limit = limit
        self._known: dict[Subject, OrderedDict[str, Any]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._known.values()))

    def get(self, subject: Subject, key: str) -> Json:
        """Return what is known, or None."""
        known = self._known.get(subject)
        if known is None or key not in known:
            return None
        known.move_to_end(key)
        return known[key]

    def put(self, subject: Subject, key: str, value: Json) -> None:
        """Remember a value and forget the oldest beyond the limit."""
        known = self._known.setdefault(subject, OrderedDict())
        known[key] = value
        known.move_to_end(key)
        if len(known) > self._limit:
            known.popitem(last=False)
