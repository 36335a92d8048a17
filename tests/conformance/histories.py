"""What happened to the orders of a run, so that one order of each history can be looked at again."""

from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import islice
from typing import Final

from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft

_BOOKED: Final = "200 BOOKED"
_NO_RIGHT: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
_LONGEST_ID: Final = 100
_MOST_ORDERS: Final = 4


@dataclass(eq=False)
class Histories:
    """The outcomes of the confirmations of each order of v4."""

    _outcomes: dict[str, list[str]] = field(default_factory=dict)

    def record(self, draft: RequestDraft, response: ParsedResponse) -> None:
        """Remember that a request created an order, or how a confirmation of one ended."""
        created = response.member("id")
        if draft.operation == "createOrder" and isinstance(created, str) and 0 < len(created) <= _LONGEST_ID:
            self._outcomes[created] = []
        elif draft.operation == "confirmOrder" and response.status not in _NO_RIGHT:
            outcome = f"{response.status} {response.shown('status')}"
            self._outcomes.get(draft.path.split("/")[-2], []).append(outcome)

    def refused_orders(self) -> list[str]:
        """Return the first order of each outcome that its only confirmation had, other than a booking."""
        outcomes = {tuple(each): order for order, each in reversed(self._outcomes.items()) if len(each) == 1}
        refused = (order for outcome, order in reversed(outcomes.items()) if outcome != (_BOOKED,))
        return list(islice(refused, _MOST_ORDERS))

    def order_booked_after_a_refusal(self) -> str | None:
        """Return an order that was booked after its confirmation had been refused, if there is one."""
        return next((order for order, each in self._outcomes.items() if _BOOKED in each[1:]), None)
