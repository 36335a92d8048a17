"""Rules of v3 and v2 on the fees of bags and luggage, whose formula the documents leave open (OPEN-82)."""

from collections.abc import Iterator

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.body import Json
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation.limits import PRICE_TOLERANCE
from airworthy.contract.conversation.v3.bag_pieces import KINDS
from airworthy.contract.conversation.v3.memory import identifier, returned_id
from airworthy.contract.http.transaction import Transaction, as_number, items, member
from airworthy.contract.rules.coded_rules import transaction_rule


@transaction_rule("V3-REQUESTS-BAGS-FEE", "response", "createRequests", each="requests/*")
def requested_bags_cost_their_price(request: Node, transaction: Transaction) -> Iterator[Defect]:
    """Bags cost their price. Only warns: how bags_fee follows from it is not documented (OPEN-81, OPEN-82).

    Not for round trips, as the documents do not say which flight bears the fee.
    """
    if transaction.request.get("fare_type") != "one_way":
        return
    listed = transaction.request.get("bags", identifier(request.get("flight", "id")))
    for kind in KINDS:
        prices = [_positive(option, "price") for option in items(request.value, "flight", "bags", kind)]
        chosen, fee = items(listed, kind), request / f"bags_fee/{kind}"
        requested = sum(_positive(option, "quantity") for option in chosen)
        what, is_priced = f"bags_fee for the {kind} bags of a booking request", bool(prices) and all(prices)
        if is_priced and requested and fee.value == 0:
            yield fee.defect(f"{what} is 0 although they have a price", "the price of the bags", "0", soft=True)
        elif chosen and (is_priced or not requested):
            yield from _more_than(requested * max(prices, default=0.0), fee, what)


@transaction_rule("V2-BOOKING-LUGGAGE", "response", "createBookingsV2", each="bookings/*")
def luggage_costs_its_price(booking: Node, transaction: Transaction) -> Iterator[Defect]:
    """Luggage costs its price. Only warns: how luggage_fee follows from it is not documented (OPEN-81, OPEN-82)."""
    request, fee = returned_id(booking.get("request_id")), booking / "luggage_fee"
    # What was sent may be an option that the flight does not have, or at another price (OPEN-99).
    booked, sent = items(booking.value, "luggage"), items(transaction.sent, "luggage", request)
    if fee.value == 0 and _price(booked):
        text = "luggage_fee of a booking is 0 although its luggage has a price"
        yield fee.defect(text, "the price of the luggage", "0", soft=True)
    if transaction.request.get("luggage", request) is not None:
        yield from _more_than(max(_price(booked), _price(sent)), fee, "luggage_fee of a booking")


def _price(options: list[dict[str, Json]]) -> float:
    return sum(_positive(option, "quantity") * _positive(option, "price") for option in options)


def _more_than(price: float, fee: Node, what: str) -> Iterator[Defect]:
    """Yield a warning for a fee that is more than the price of the bags that were chosen, 0 without any (OPEN-82)."""
    charged = as_number(fee.value)
    if charged is not None and charged > price + PRICE_TOLERANCE:
        text = f"{what} is more than the price of the bags that were chosen"
        yield fee.defect(text, f"at most {price:.2f}", wording.shown(charged), soft=True)


def _positive(option: Json, name: str) -> float:
    """Return a positive number of a bag option, 0 for any other value."""
    return max(as_number(member(option, name)) or 0.0, 0.0)
