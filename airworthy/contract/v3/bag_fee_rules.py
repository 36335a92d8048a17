"""Rules of v3 and v2 on the fees of bags and luggage, whose formula the documents leave open (OPEN-82)."""

import math
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
        options = request.get("flight", "bags", kind)
        prices = [_positive(option, "price") for option in options] if isinstance(options, list) else []
        chosen, what = items(listed, kind), f"bags_fee for the {kind} bags of a booking request"
        requested = sum(_positive(option, "quantity") for option in chosen)
        if chosen and (not requested or (prices and all(prices))):
            # A service may ignore an option that the flight does not have (OPEN-86).
            least = requested * min(prices, default=0.0) if len(chosen) <= len(prices) else 0.0
            most = requested * max(prices, default=0.0)
            yield from _other_than(least, most, request / f"bags_fee/{kind}", what)


@transaction_rule("V2-BOOKING-LUGGAGE", "response", "createBookingsV2", each="bookings/*")
def luggage_costs_its_price(booking: Node, transaction: Transaction) -> Iterator[Defect]:
    """Luggage costs its price. Only warns: how luggage_fee follows from it is not documented (OPEN-81, OPEN-82)."""
    request, fee = returned_id(booking.get("request_id")), booking / "luggage_fee"
    # What was sent may be an option that the flight does not have, or at another price (OPEN-99).
    booked, sent = items(booking.value, "luggage"), items(transaction.sent, "luggage", request)
    if transaction.request.get("luggage", request) is not None:
        # The price of an option may be that of one piece or of all of them.
        least, most = min(_price(booked, 1), _price(sent, 1)), max(_price(booked), _price(sent))
        yield from _other_than(least, most, fee, "luggage_fee of a booking")


def _price(options: list[dict[str, Json]], most_counted: float = math.inf) -> float:
    return sum(min(_positive(each, "quantity"), most_counted) * _positive(each, "price") for each in options)


def _other_than(least: float, most: float, fee: Node, what: str) -> Iterator[Defect]:
    """Yield a warning for a fee that is less or more than the price of the bags that were chosen (OPEN-82)."""
    charged = as_number(fee.value)
    if charged is not None and not least - PRICE_TOLERANCE <= charged <= most + PRICE_TOLERANCE:
        than, limit = ("less", f"at least {least:.2f}") if charged < least else ("more", f"at most {most:.2f}")
        text = f"{what} is {than} than the price of the bags that were chosen"
        yield fee.defect(text, limit, wording.shown(charged), soft=True)


def _positive(option: Json, name: str) -> float:
    """Return a positive number of a bag option, 0 for any other value."""
    return max(as_number(member(option, name)) or 0.0, 0.0)
