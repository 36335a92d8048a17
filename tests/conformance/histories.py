"""What happened to the orders and bookings of a run, so that one of each history can be looked at again."""

from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import islice
from typing import Any, Final, TypeGuard

from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft

# Other scenarios look at what was simply paid by card.
_WAYS: Final = ("three_d_secure", "payment_intent_id", "balance", "self_psp", "customer_data")
_BOOKED: Final = "200 BOOKED"
_NO_RIGHT: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
_LONGEST_ID: Final = 100
_MOST_ORDERS: Final = 4
_MOST_BOOKINGS: Final = 3


@dataclass(eq=False)
class Histories:
    """The outcomes of the confirmations of each order of v4, and the bookings of v3 and v2 by how they were made."""

    _outcomes: dict[str, list[str]] = field(default_factory=dict)
    _references: dict[tuple[str, str], str] = field(default_factory=dict)

    def record(self, draft: RequestDraft, response: ParsedResponse) -> None:
        """Remember how a confirmation of an order ended, or what bookings a request created."""
        interface = draft.path.split("/")[1]
        match draft.operation:
            case "createOrder" if _is_id(response.member("id")):
                self._outcomes[response.member("id")] = []
            case "confirmOrder" if response.status not in _NO_RIGHT:
                outcome = f"{response.status} {response.shown('status')}"
                order = draft.path.split("/")[-2]
                self._outcomes.get(order, []).append(outcome)
                if outcome == _BOOKED:
                    self._references.setdefault((interface, _way(draft)), order)
            case "createBookings" | "createBookingsV2" if response.succeeded:
                bookings = response.array("bookings")
                reference = bookings[0].get("cp_reference") if bookings and isinstance(bookings[0], dict) else None
                if _is_id(reference):
                    self._references.setdefault((interface, _way(draft)), reference)

    def refused_orders(self) -> list[str]:
        """Return the first order of each outcome that its only confirmation had, other than a booking."""
        outcomes = {tuple(each): order for order, each in reversed(self._outcomes.items()) if len(each) == 1}
        refused = (order for outcome, order in reversed(outcomes.items()) if outcome != (_BOOKED,))
        return list(islice(refused, _MOST_ORDERS))

    def order_booked_after_a_refusal(self) -> str | None:
        """Return an order that was booked after its confirmation had been refused, if there is one."""
        return next((order for order, each in self._outcomes.items() if _BOOKED in each[1:]), None)

    def references(self, interface: str) -> list[str]:
        """Return the reference of a booking, or the id of a booked order, for each unusual way to pay."""
        found = (reference for (own, way), reference in self._references.items() if own == interface and way)
        return list(islice(found, _MOST_BOOKINGS))


def _is_id(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_ID


def _way(draft: RequestDraft) -> str:
    """Return what is unusual about a payment or customer, or an empty string."""
    sent: dict[str, Any] = draft.body if isinstance(draft.body, dict) else {}
    method = sent.get("paymentMethod")
    sent = {**sent, **(method if isinstance(method, dict) else {})}
    return next((name for name in _WAYS if sent.get(name)), "")
