"""Wrong ways of updating a record in the store; see `airworthy.sandbox.policy.Update`."""

import time
from collections.abc import Callable, Hashable
from typing import Any

from airworthy.sandbox.model.policy import Update, update_atomically
from airworthy.sandbox.model.tables import BoundedTable, InvalidTransition
from airworthy.sandbox.resources.v3.states import BookingRequest
from airworthy.sandbox.resources.v4.states import Order

# Long enough for requests that are sent at the same time to read the record before any of them writes it.
RACE_SECONDS = 0.15


def without_transaction(record: type) -> Update:
    """Return an update that reads records of a type first and writes them later, as without a transaction."""

    def update(table: BoundedTable[Any], key: Hashable, transition: Callable[[Any], Any]) -> Any:  # noqa: ANN401 - a record
        found = table.get(key)
        if not isinstance(found, record):
            return table.change(key, transition)
        changed = transition(found)
        time.sleep(RACE_SECONDS)
        return table.put(key, changed)

    return update


def failing_orders(table: BoundedTable[Any], key: Hashable, transition: Callable[[Any], Any]) -> Any:  # noqa: ANN401 - a record
    """Update a record; an order whose state does not allow the transition becomes FAILED."""
    try:
        return table.change(key, transition)
    except InvalidTransition:
        if isinstance(table.get(key), Order):
            table.change(key, lambda found: found if found.claimed else found.fail())
        raise


def without_abort(table: BoundedTable[Any], key: Hashable, transition: Callable[[Any], Any]) -> Any:  # noqa: ANN401 - a record
    """Update a record; a booking request whose payment failed is pending again."""
    return update_atomically(table, key, BookingRequest.release if transition is BookingRequest.abort else transition)


def without_release(table: BoundedTable[Any], key: Hashable, transition: Callable[[Any], Any]) -> Any:  # noqa: ANN401 - a record
    """Update a record; a booking request whose booking was rejected cannot be booked again."""
    return table.get(key) if transition is BookingRequest.release else update_atomically(table, key, transition)
