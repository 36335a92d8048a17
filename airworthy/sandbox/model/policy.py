"""The fixed rules of the documents that a value or a function can express."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from airworthy.sandbox.model.tables import BoundedTable

Update = Callable[[BoundedTable[Any], Hashable, Callable[[Any], Any]], Any]


def order_total(fare: int, baggage: int, fee: int) -> int:
    """Return the total of an order, which includes the baggage and, for payment by card, the fee (all in cents)."""
    return fare + baggage + fee


@dataclass(frozen=True, slots=True)
class Policy:
    """The fixed rules of the service; None leaves a time to the dialect."""

    offer_lifetime: timedelta = timedelta(minutes=30)
    request_lifetime: timedelta | None = None
    locator_delay: timedelta | None = None
    schedule_change_delay: timedelta = timedelta(hours=1)
    longest_window: timedelta = timedelta(days=3)
    page_size: int = 100
    order_total: Callable[[int, int, int], int] = order_total
    update: Update = BoundedTable.change
    payment_method_prefix: str = "pm_"
    plain_http_served: bool = False
