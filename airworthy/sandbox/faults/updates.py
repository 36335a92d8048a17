"""Wrong ways of finding and updating records in the store; see `airworthy.sandbox.model.policy.Update`."""

import json
import time
from collections.abc import Callable, Hashable
from dataclasses import replace
from datetime import timedelta
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from airworthy.sandbox.http.exchange import SandboxRequest
from airworthy.sandbox.model.policy import Update
from airworthy.sandbox.model.tables import BoundedTable, InvalidTransition
from airworthy.sandbox.resources.v3.states import BookingRequest
from airworthy.sandbox.resources.v4.states import Order
from airworthy.sandbox.service.service import SandboxService

T = TypeVar("T")
# Long enough for requests that are sent at the same time to read the record before any of them writes it.
RACE_SECONDS = 0.4
_REMEMBERED = WeakKeyDictionary[SandboxService, dict[Any, Any]]()


def remembered(service: SandboxService) -> dict[Any, Any]:
    """Return what faults remember of a service, by keys of their own."""
    return _REMEMBERED.setdefault(service, {})


def without_transaction(record: type[T], fits: Callable[[T], bool] = lambda _: True) -> Update:
    """Return an update that reads records of a type that fit first and writes them later, as without a transaction."""

    def update(table: BoundedTable[Any], key: Hashable, transition: Callable[[Any], Any]) -> Any:  # noqa: ANN401 - a record
        """Overwrite what happens while it updates a record, as without a transaction."""
        found = table.get(key)
        if not isinstance(found, record) or not fits(found):
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
    return table.change(key, BookingRequest.release if transition is BookingRequest.abort else transition)


def without_release(table: BoundedTable[Any], key: Hashable, transition: Callable[[Any], Any]) -> Any:  # noqa: ANN401 - a record
    """Update a record; a booking request whose booking was rejected cannot be booked again."""
    return table.get(key) if transition is BookingRequest.release else table.change(key, transition)


def sent_requests(service: SandboxService, request: SandboxRequest) -> list[BookingRequest]:
    """Return the booking requests that a booking names."""
    sent: Any = json.loads(request.raw)
    keys = sent.get("request_ids", sent.get("requests")) if isinstance(sent, dict) else None
    found = (service.store.booking_requests.get(int(key)) for key in keys or () if str(key).isdecimal())
    return [each for each in found if each]


def reopen(service: SandboxService, booking_request: BookingRequest) -> None:
    """Make a booking request pending again, for a minute at least."""
    expires = max(booking_request.expires, service.clock.now() + timedelta(minutes=1))
    service.store.booking_requests.change(
        booking_request.id, lambda found: replace(found, stored_status="pending", claimed=False, expires=expires)
    )


def know_by_beginning(service: SandboxService, request: SandboxRequest) -> None:
    """Take each id of v4 for a known one that begins with the same 24 characters."""

    def known(sent: str) -> str:
        tables = (service.store.offers, service.store.orders, service.store.reservations)
        keys = (str(key) for table in tables for key in table)
        return next((key for key in keys if key[:24] == sent[:24]), sent)

    request.path = {name: known(value) for name, value in request.path.items()}
    request.query = {name: known(value) for name, value in request.query.items()}


def is_of_mastercard_in_version_1(body: dict[str, Any]) -> bool:
    """Return whether a payment has the results of a Mastercard that version 1.0.2 authenticated."""
    results = body.get("three_d_secure") or {}
    return bool(results) and (results["version"], results["electronic_commerce_indicator"]) == ("1.0.2", "02")


def accept_attempts_in_version_1(_: SandboxService, request: SandboxRequest) -> None:
    """Take an authentication with version 1 of 3D Secure that was only attempted for a full one."""
    results = request.body.get("three_d_secure") or {}
    if results.get("version") == "1.0.2" and results.get("electronic_commerce_indicator") == "06":
        results["electronic_commerce_indicator"] = "05"
