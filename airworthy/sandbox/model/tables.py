"""A bounded, thread-safe table of records, their locators, and the error of a state machine."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from itertools import islice
from secrets import choice
from typing import Generic, TypeVar

Value = TypeVar("Value")

MAX_RECORDS = 10_000
_LOCATOR_LENGTH = 6
# Letters and digits that cannot be mistaken for each other.
_LOCATOR_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


class InvalidTransition(Exception):  # noqa: N818 - the caller decides whether this is an error
    """The record's state does not allow the transition; the message is the state."""


class BoundedTable(Generic[Value]):
    """A map for many threads that drops its oldest records once it is full."""

    def __init__(self, max_records: int = MAX_RECORDS) -> None:
        self._max_records = max_records
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._lock = threading.RLock()

    def put(self, key: Hashable, value: Value) -> Value:
        """Store a value, replacing one with the same key, and return it."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._max_records:
                self._values.popitem(last=False)
        return value

    def get(self, key: Hashable) -> Value | None:
        """Return the value, or None."""
        with self._lock:
            return self._values.get(key)

    def change(self, key: Hashable, transition: Callable[[Value], Value]) -> Value:
        """Replace a value with what ``transition`` returns, atomically, and return it.

        An exception from ``transition`` leaves the value unchanged. Raises KeyError if the record was dropped.
        """
        with self._lock:
            changed = self._values[key] = transition(self._values[key])
            return changed

    def newest(self, number: int | None = None) -> list[Value]:
        """Return the values that were stored last, or all of them, newest first."""
        with self._lock:
            return list(islice(reversed(self._values.values()), number))

    def __iter__(self) -> Iterator[Hashable]:
        with self._lock:
            return iter(tuple(self._values))


def new_locator() -> str:
    """Return a new record locator of six letters and digits."""
    return "".join(choice(_LOCATOR_ALPHABET) for _ in range(_LOCATOR_LENGTH))
