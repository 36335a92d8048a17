"""Rules of v4 on reservations that need several exchanges: a reservation matches its order."""

from collections.abc import Iterator

from airworthy.contract.bodies.defect import Defect
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.v4 import echo
from airworthy.contract.http.transaction import Transaction, member, same_id
from airworthy.contract.rules.coded_rules import conversation_rule, transaction_rule
from airworthy.contract.v4.conversation_rules import known_order
from airworthy.contract.v4.response_rules import GONE, RESERVATIONS


@conversation_rule("V4-RESERVATION-MATCHES-ORDER", "response", *RESERVATIONS)
def reservation_is_found(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booked order has its reservation."""
    reservation = transaction.url.path_values.get("reservationId")
    order = conversation.v4.order(
        conversation.v4.order_of_reservation(reservation) or transaction.url.query_value("orderId")
    )
    if order and order.booked and transaction.status in GONE and order.caller == transaction.caller != "":
        text = "the reservation of a booked order is not found"
        yield Defect((), text, "the reservation", str(transaction.status), where="status")


@conversation_rule("V4-RESERVATION-MATCHES-ORDER", "response", *RESERVATIONS)
def reservation_is_that_of_its_order(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A reservation has the id, the passengers and the baggage of its order."""
    returned = transaction.delivered
    order_id, reservation = member(returned, "orderId"), member(returned, "id")
    known, requested = conversation.v4.order_of_reservation(reservation), transaction.url.query_value("orderId")
    if requested is not None and not same_id(requested, order_id):
        return
    if known and isinstance(order_id, str) and not same_id(order_id, known):
        text = "the reservation names an order that it does not belong to"
        yield Defect(("orderId",), text, "the id of the order that showed this reservation", "another id")
        return
    order = conversation.v4.order(order_id)
    if order is None:
        return
    if order.reservation and isinstance(reservation, str) and not same_id(reservation, order.reservation):
        text = "the id of the reservation differs from the reservationId of its order"
        yield Defect(("id",), text, "the order's reservationId", "another id")
    passengers = member(order.sent, "passengers")
    yield from echo.passengers(passengers, member(returned, "passengers"), echo.RESERVED)
    yield from echo.reserved_baggage(member(order.sent, "selectedBaggage"), member(returned, "selectedBaggage"))


@conversation_rule("V4-RESERVATION-MATCHES-ORDER", "response", *RESERVATIONS)
def reservation_has_the_address_of_its_order(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The e-mail address of a reservation is that of its order's contact or, if that was not seen, of its own."""
    places = ("email",), ("customerContact", "email")
    given = [member(transaction.delivered, *place) for place in places]
    order = conversation.v4.order(member(transaction.delivered, "orderId"))
    sent = member(order.sent, *places[1]) if order else None
    seen = isinstance(sent, str)
    known, whose = (sent, "order") if seen else (given[1], "contact")
    for place, address in zip(places, given, strict=True):
        if isinstance(known, str) and isinstance(address, str) and known.casefold() != address.casefold():
            text = f"the e-mail address of the reservation differs from that of its {whose}"
            expected = "the address that was sent" if seen else "the contact's address"
            yield Defect(place, text, expected, "another address")
            return


@conversation_rule("V4-RESERVATION-BEFORE-BOOKING", "response", "findReservation")
def order_without_reservation(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order whose confirmations all failed has no reservation. Only warns: one may not have been seen.

    A way out of FAILED is open (OPEN-05).
    """
    order = conversation.v4.order(transaction.url.query_value("orderId"))
    if order and order.declined and order.booked is None and transaction.fulfilled:
        text = "there is a reservation for an order whose confirmation failed"
        yield Defect((), text, "a 4xx status", "200", where="status", soft=True)


@conversation_rule("V4-RESERVATION-BEFORE-BOOKING", "response", "getOrder", "confirmOrder")
def reserved_order_is_booked(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order whose reservation was shown is booked: a confirmation creates it (v4, States and transitions)."""
    order, status = known_order(transaction, conversation), member(transaction.delivered, "status")
    if order is None or order.reserved is None or order.reserved > transaction.started or order.booked is not None:
        return
    if status in ("OPEN", "FAILED"):
        text = f"the order is {status}, although its reservation was shown before"
        yield Defect(("status",), text, "BOOKED", status)
    elif transaction.operation == "confirmOrder" and status == "BOOKED":
        text = "the order is booked only now, although its reservation was shown before"
        yield Defect((), text, "no reservation before the confirmation", "an earlier reservation", where="status")


@transaction_rule("V4-RESERVATION-BY-ORDER", "response", "findReservation", about="orderId")
def reservation_of_the_order(transaction: Transaction) -> Iterator[Defect]:
    """A reservation found by an order id belongs to that order."""
    requested, returned = transaction.url.query_value("orderId"), member(transaction.delivered, "orderId")
    if isinstance(requested, str) and isinstance(returned, str) and not same_id(requested, returned):
        text = "the response is the reservation of another order"
        yield Defect(("orderId",), text, "the requested id", "another id")


@transaction_rule("V4-RESERVATION-MATCHES-ORDER", "response", *RESERVATIONS, about="id")
def reservation_matches(transaction: Transaction) -> Iterator[Defect]:
    """The response has the requested reservation."""
    requested, returned = transaction.url.path_values.get("reservationId"), member(transaction.delivered, "id")
    if isinstance(requested, str) and isinstance(returned, str) and not same_id(requested, returned):
        text = "the response is not the requested reservation"
        yield Defect(("id",), text, "the requested id", "another id")
