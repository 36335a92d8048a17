"""What happened to the orders and bookings of a run, so that one of each history can be looked at again."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import islice
from typing import Any, Final, TypeGuard

from airworthy.contract.http.transaction import as_number, member
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft

# Other scenarios look at what was simply paid by card.
_WAYS: Final = ("three_d_secure", "payment_intent_id", "balance", "self_psp", "customer_data")
_BOOKED: Final = "200 BOOKED"
_NO_RIGHT: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
_LONGEST_ID: Final = 100
_MOST_ORDERS: Final = 4


@dataclass(eq=False)
class Histories:
    """The outcomes of the confirmations of each order of v4, and what was booked, by what is unusual about it."""

    _outcomes: dict[str, list[str]] = field(default_factory=dict)
    _references: dict[tuple[str, frozenset[str]], str] = field(default_factory=dict)

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
                    unusual = _way(draft).union({"together"} if len(bookings) > 1 else (), *map(_traits, bookings))
                    self._references.setdefault((interface, unusual), reference)

    def refused_orders(self) -> list[str]:
        """Return the first order of each outcome that its only confirmation had, other than a booking."""
        outcomes = {tuple(each): order for order, each in reversed(self._outcomes.items()) if len(each) == 1}
        refused = (order for outcome, order in reversed(outcomes.items()) if outcome != (_BOOKED,))
        return list(islice(refused, _MOST_ORDERS))

    def order_booked_after_a_refusal(self) -> str | None:
        """Return an order that was booked after its confirmation had been refused, if there is one."""
        return next((order for order, each in self._outcomes.items() if _BOOKED in each[1:]), None)

    def references(self, interface: str) -> list[str]:
        """Return the references of a few bookings, or the ids of booked orders, that are unusual in every way."""
        made = {unusual: reference for (own, unusual), reference in self._references.items() if own == interface}
        found, left = list[str](), frozenset[str]().union(*made)
        for unusual in sorted(made, key=len, reverse=True):
            if unusual & left:
                found.append(made[unusual])
                left -= unusual
        return found


def _is_id(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_ID


def _way(draft: RequestDraft) -> frozenset[str]:
    """Return what is unusual about a payment or customer."""
    sent: dict[str, Any] = draft.body if isinstance(draft.body, dict) else {}
    method = sent.get("paymentMethod")
    sent = {**sent, **(method if isinstance(method, dict) else {})}
    return frozenset(name for name in _WAYS if sent.get(name))


def _traits(booking: object) -> Iterator[str]:
    """Yield what is unusual about a booking of v3 or v2: several pieces of a kind of bag, or infants."""
    bags = member(booking, "bags")
    kinds = bags if isinstance(bags, dict) else {"luggage": member(booking, "luggage")}
    for kind, options in kinds.items():
        pieces = [as_number(member(each, "quantity")) for each in options] if isinstance(options, list) else []
        if any(each is not None and each > 1 for each in pieces):
            yield f"several of {kind}"
    if member(booking, "infant_count"):
        yield "infants"
