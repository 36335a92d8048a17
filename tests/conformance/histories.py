"""What happened to the orders and bookings of a run, so that one of each history can be looked at again."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft

_REFERENCES: Final = ("payment_intent_id", "payment_method", "three_d_secure", "self_psp", "customer_data")
_LONGEST_ID: Final = 100
_BOOKED: Final = "200 BOOKED"
_LONGEST_EVENT: Final = 20


@dataclass(eq=False)
class Histories:
    """The orders of v4, by id, and the bookings of v3 and v2, by reference, each with what the client did with it."""

    _events: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def record(self, draft: RequestDraft, response: ParsedResponse) -> None:
        """Remember what a request did with an order, or that it created bookings."""
        match draft.operation:
            case "createOrder" if response.succeeded:
                self._begin("v4", response.member("id"), "created")
            case "confirmOrder":
                known = self._events.get(("v4", draft.path.split("/")[-2]))
                if known is not None and response.status != HTTPStatus.UNAUTHORIZED:
                    known.append(f"{response.status} {response.member('status')}"[:_LONGEST_EVENT])
            case "createBookings" | "createBookingsV2" if response.succeeded:
                bookings = response.array("bookings")
                reference = bookings[0].get("cp_reference") if bookings and isinstance(bookings[0], dict) else None
                self._begin(draft.path.split("/")[1], reference, f"{len(bookings)} bookings by {_ways(draft)}")

    def _begin(self, interface: str, key: object, event: str) -> None:
        if isinstance(key, str) and 0 < len(key) <= _LONGEST_ID:
            self._events[interface, key] = [event]

    def one_of_each(self, interface: str, most: int, *, booked: bool = False) -> Iterator[str]:
        """Yield the first id or reference with each history, the shortest histories first, at most ``most``.

        The histories of orders are those of refused confirmations, ``booked`` chooses those that were booked after all.
        """
        first: dict[tuple[str, ...], str] = {}
        for (own, key), events in self._events.items():
            was_refused = own != "v4" or events[1:2] not in ([], [_BOOKED])
            if own == interface and was_refused and (_BOOKED in events) is booked:
                first.setdefault(tuple(events), key)
        yield from (first[history] for history in sorted(first, key=len)[:most])


def _sent(draft: RequestDraft, name: str) -> Any:
    return draft.body.get(name) if isinstance(draft.body, dict) else None


def _ways(draft: RequestDraft) -> str:
    return ", ".join(name for name in _REFERENCES if _sent(draft, name)) or "nothing"
