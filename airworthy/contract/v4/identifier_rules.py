"""Rules of v4 on identifiers: one id does not identify two offers, orders or reservations.

A service may return the same id for the same thing again (OPEN-73).
"""

from collections.abc import Iterable, Iterator

from airworthy.contract.bodies.body import Json
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.v4.resources import SEGMENTS, FlightLeg, flight_of, legs, requested_flights
from airworthy.contract.http.transaction import Transaction, items, same_id
from airworthy.contract.rules.coded_rules import conversation_rule, transaction_rule


@transaction_rule("V4-IDENTIFIERS", "response", "searchOffers")
def offers_of_a_search_are_told_apart(transaction: Transaction) -> Iterator[Defect]:
    """Two offers of a search with different flights have different ids (v4, Offer)."""
    offers = items(transaction.delivered, "offers")
    ids = [str(offer.get("id")).lower() for offer in offers]
    if len(set(ids)) == len(ids):
        return
    first: dict[str, list[Json]] = {}
    for key, offer in zip(ids, transaction.response.each("offers/*"), strict=True):
        segments = [offer.get(name) for name in SEGMENTS]
        flown = _flown(segments) if segments != first.get(key) else []
        if isinstance(offer.get("id"), str) and flown and _flown(first.setdefault(key, segments)) != flown:
            yield _reused(offer / "id", "two offers with different flights have the same id")


@conversation_rule("V4-IDENTIFIERS", "response", "getOffer", each="id")
def stored_offers_are_told_apart(key: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An offer does not have the id of an earlier one with other flights; times may have changed since (OPEN-56)."""
    known = conversation.v4.offer(key.value)
    outbound, flown = (_flown([body.get("outboundSegment")]) for body in (transaction.request, transaction.response))
    requested, before = requested_flights(transaction.sent), known.flights if known else ()
    if before and flown and outbound == flown and [*map(flight_of, requested)] != [*map(flight_of, before)]:
        yield _reused(key, "the offer has the id of an earlier one with other flights")


@conversation_rule("V4-IDENTIFIERS", "response", "createOrder", each="id")
def orders_are_told_apart(key: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order does not have the id of an earlier one from another offer or fare, or of one that is booked."""
    known = conversation.v4.order(key.value)
    sources = (transaction.url.query_value("offerId"), transaction.url.query_value("fareId"))
    if known and known.offer and not all(map(same_id, sources, (known.offer, known.fare))):
        yield _reused(key, "the order has the id of an earlier one from another offer or fare")
    elif known and transaction.follows(known.booked) and transaction.response.get("status") == "OPEN":
        yield _reused(key, "an open order has the id of one that is booked")


@conversation_rule("V4-IDENTIFIERS", "response", "confirmOrder", "getOrder", each="reservationId")
def reservations_are_told_apart(key: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booked order does not have the reservation of another one (v4, States and transitions)."""
    order, known = transaction.response.get("id"), conversation.v4.order_of_reservation(key.value)
    if known and isinstance(order, str) and not same_id(known, order):
        yield _reused(key, "the order has the reservation of another order")


def _flown(segments: Iterable[Json]) -> list[FlightLeg]:
    return [flight_of(leg) for each in segments for leg in legs(each)]


def _reused(key: Node, text: str) -> Defect:
    return key.defect(text, "an id of its own", "the id of another")
