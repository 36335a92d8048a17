"""What the documents fix and a number or a function can express. Faults replace members; nothing else ever does."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from airworthy.sandbox.states import BookingRequest, BoundedTable, Order, Status

Claim = Callable[[BoundedTable[Order], str, bool], Order]
ClaimRequest = Callable[[BoundedTable[BookingRequest], int, datetime], BookingRequest]


def claim_atomically(orders: BoundedTable[Order], order: str, again: bool) -> Order:
    """Claim an order for the one confirmation; raises IllegalMove for all others."""
    return orders.change(order, lambda found: found.claim(again=again))


def claim_request_atomically(requests: BoundedTable[BookingRequest], request: int, now: datetime) -> BookingRequest:
    """Claim a request for its one booking; raises IllegalMove for all others."""
    return requests.change(request, lambda found: found.claim(now))


def order_total(fare: int, baggage: int, fee: int) -> int:
    """Return an order's total: it includes the baggage and, for card, the fee (all in cents)."""
    return fare + baggage + fee


@dataclass(frozen=True, slots=True)
class Policy:
    """The service's fixed rules; ``None`` leaves a time to the dialect."""

    offer_lifetime: timedelta = timedelta(minutes=30)
    claim: Claim = claim_atomically
    claim_request: ClaimRequest = claim_request_atomically
    order_total: Callable[[int, int, int], int] = order_total
    rejected_order: Status = "FAILED"
    plain_http_served: bool = False
    request_lifetime: timedelta | None = None
    locator_delay: timedelta | None = None
    longest_window: timedelta = timedelta(days=3)
    page_size: int = 100
    pages_end: bool = True
    aborts: bool = True
    payment_method_prefix: str = "pm_"
