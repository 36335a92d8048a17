"""Rules of v4 on what two messages show of the same offer, order or reservation."""

from typing import Any

from airworthy.contract.bodies.body import Json
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.agreement import Terms, remembered
from airworthy.contract.conversation.v4 import echo
from airworthy.contract.conversation.v4.resources import SEGMENTS, FlightLeg
from airworthy.contract.http.transaction import Transaction, member, same_id
from airworthy.contract.rules.agreements import Agreement, registered
from airworthy.contract.v4.conversation_rules import is_live, known_order
from airworthy.contract.v4.response_rules import ORDERS, RESERVATIONS

CONTACT = "customerContact"
SENT = ("passengers", CONTACT, "paymentMethod")
LEGS = " ".join(("outboundSegment/sections", *(f"outboundSegment/sections/*/{name}" for name in FlightLeg._fields)))
# The documents show these in some responses only, and the structure of an inbound segment is open (OPEN-02).
OPEN = "*Terminal *technicalStops *availableSeats"


def _offered(transaction: Transaction, conversation: Conversation, order: dict[str, Any]) -> Json:
    """Return the segments of an order's offer, and its fare: the cheapest one, or the price of another listed one."""
    known = conversation.v4.offer(member(order, "offer", "id"))
    shown = remembered(known.shown) if known else None
    if known is None or not isinstance(shown, dict):
        return None
    cheapest, ordered = shown.pop("cheapestFare"), member(order, "offer", "fare", "id")
    if not isinstance(ordered, str) or conversation.v4.may_be_renewed(transaction, known):
        return shown
    another = {"totalPrice": member(remembered(known.listed), ordered.lower())}
    return shown | {"fare": cheapest if same_id(ordered, member(cheapest, "id")) else another}


def _ordered(transaction: Transaction, conversation: Conversation, order: dict[str, Any]) -> Json:
    """Return an order as it was shown before, without what other rules compare with the request or the offer."""
    known = known_order(transaction, conversation)
    shown = remembered(known.shown) if known else None
    if known is None or not isinstance(shown, dict):
        return None
    sent, offer = known.sent, shown.get("offer")
    if conversation.v4.offer(known.offer) and isinstance(offer, dict):
        shown["offer"] = {name: each for name, each in offer.items() if name not in SEGMENTS}
    repeated = SENT if sent else ()
    if any(echo.baggage(member(sent, "selectedBaggage"), Node(order.get("selectedBaggage")))):
        repeated = (*repeated, "selectedBaggage")
    if _booked_total(transaction, conversation, order) is not None:
        repeated = (*repeated, "totalPrice")
    return {name: each for name, each in shown.items() if name not in repeated}


def _booked_total(transaction: Transaction, conversation: Conversation, _order: dict[str, Any]) -> Json:
    """Return the total price that a booked order was first shown with."""
    known = known_order(transaction, conversation)
    is_booked = known is not None and _is_booked(transaction, conversation)
    return remembered(known.booked_total) if known and is_booked else None


def _booked_in(transaction: Transaction, conversation: Conversation, _order: dict[str, Any]) -> str:
    known = known_order(transaction, conversation)
    return known.booked_by if known else ""


def _planned(_transaction: Transaction, conversation: Conversation, reservation: dict[str, Any]) -> Json:
    """Return the segments of the offer that a reservation was made from, or those that its order has shown."""
    order = conversation.v4.order(reservation.get("orderId"))
    offer = conversation.v4.offer(order.offer) if order else None
    shown = remembered(offer.shown) if offer else member(remembered(order.shown), "offer") if order else None
    return {name: shown.get(name) for name in SEGMENTS} if isinstance(shown, dict) else None


def _sent_contact(_transaction: Transaction, conversation: Conversation, reservation: dict[str, Any]) -> Json:
    """Return the contact of an order as it was sent; another e-mail address has a finding of its own."""
    order = conversation.v4.order(reservation.get("orderId"))
    sent = member(order.contents, CONTACT) if order else None
    if not isinstance(sent, dict):
        return None
    has_address = isinstance(member(reservation, CONTACT, "email"), str)
    return {name: each for name, each in sent.items() if name != "email" or not has_address}


def _reserved(transaction: Transaction, conversation: Conversation, reservation: dict[str, Any]) -> Json:
    """Return a reservation as it was shown before, without what other rules compare with its order."""
    order = conversation.v4.order(reservation.get("orderId"))
    shown = remembered(order.reservation_shown) if order else None
    if order is None or not isinstance(shown, dict):
        return None
    of_order = ("passengers", CONTACT, "email") if order.contents else ()
    if any(echo.reserved_baggage(member(order.contents, "selectedBaggage"), Node(reservation.get("selectedBaggage")))):
        of_order = (*of_order, "selectedBaggage")
    of_offer = SEGMENTS if _planned(transaction, conversation, reservation) else ()
    return {name: each for name, each in shown.items() if name not in (*of_order, *of_offer)}


def _reserved_in(_transaction: Transaction, conversation: Conversation, reservation: dict[str, Any]) -> str:
    order = conversation.v4.order(reservation.get("orderId"))
    return order.reserved.exchange if order and order.reserved else ""


def _offers_flown(transaction: Transaction, conversation: Conversation) -> int:
    offer = conversation.v4.offer(member(transaction.delivered, "offer", "id"))
    return int(bool(offer and offer.flights and member(transaction.delivered, "offer", "outboundSegment")))


def _is_booked(transaction: Transaction, _conversation: Conversation) -> bool:
    return bool(member(transaction.delivered, "status") == "BOOKED")


def _is_old(transaction: Transaction, conversation: Conversation) -> bool:
    order = conversation.v4.order(member(transaction.delivered, "orderId"))
    offer = conversation.v4.offer(order.offer) if order else None
    return not is_live(transaction, offer, conversation)


AGREEMENTS = registered(
    # v4, Order: "offer: object, id, outboundSegment, fare (with id)". A booked order may have been rescheduled
    # (v4, GET /order: the latest persisted order), and prices only warn (OPEN-61).
    Agreement(
        "V4-ORDER-OFFER",
        ORDERS,
        "offer",
        _offered,
        "the offer of the order",
        "the stored offer",
        Terms(
            firm=LEGS,
            optional="inboundSegment inboundSegment/sections fare*",
            open=f"{OPEN} fare/id *numberOfPassengers",
        ),
        doubt=_is_booked,
        about=_offers_flown,
    ),
    # v4, GET /order/{orderId}: "Returns the latest persisted order (order shape)." That the payment changes nothing is
    # not documented, nor what the prices of a fare include (OPEN-61).
    Agreement(
        "V4-ORDER-READ",
        ("getOrder", "confirmOrder"),
        "",
        _ordered,
        "the order",
        "the one shown before",
        Terms(
            firm=f"totalPrice/amount {LEGS.replace('outbound', 'offer/outbound')}",
            open=f"{OPEN} id offer/id offer/fare/id status reservationId *numberOfPassengers",
        ),
        doubt=_is_booked,
        about="totalPrice",
    ),
    # v4, Order: "totalPrice: includes baggage and, for card, the card-processing fee".
    Agreement(
        "V4-ORDER-READ",
        ("getOrder",),
        "totalPrice",
        _booked_total,
        "the total price of the booked order",
        "the one shown before",
        Terms(firm="amount"),
        source=_booked_in,
    ),
    # v4, Reservation: "outboundSegment: segment". That its times are those of the order is not documented, and a
    # schedule may have changed since the offer expired.
    Agreement(
        "V4-RESERVATION-MATCHES-ORDER",
        RESERVATIONS,
        "",
        _planned,
        "the reservation",
        "the offer of its order",
        Terms(firm=LEGS, optional="inboundSegment inboundSegment/sections", open=OPEN, times="*Date"),
        doubt=_is_old,
    ),
    # v4, Reservation: "customerContact: object", whose members are not listed.
    Agreement(
        "V4-RESERVATION-MATCHES-ORDER",
        RESERVATIONS,
        CONTACT,
        _sent_contact,
        "the contact of the reservation",
        "that of its order",
        Terms(open="carrierPortalCredentials"),
    ),
    Agreement(
        "V4-RESERVATION-MATCHES-ORDER",
        RESERVATIONS,
        "",
        _reserved,
        "the reservation",
        "the one shown before",
        Terms(open=f"{OPEN} id orderId"),
        source=_reserved_in,
    ),
)
