"""Rules of v4 on reservations that need several exchanges: a reservation matches its order."""

from collections.abc import Iterator

from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.limits import RETENTION
from airworthy.contract.conversation.v4 import echo
from airworthy.contract.http.transaction import Transaction, member, same_id
from airworthy.contract.rules.coded_rules import conversation_rule, transaction_rule
from airworthy.contract.v4.conversation_rules import known_order
from airworthy.contract.v4.response_rules import RESERVATIONS, other_id


@conversation_rule("V4-RESERVATION-MATCHES-ORDER", "response", *RESERVATIONS)
def reservation_is_found(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booked order has its reservation. Only warns long after: no sentence says for how long (v4, Reservation)."""
    reservation = transaction.url.path_values.get("reservationId")
    order = conversation.v4.order(
        conversation.v4.order_of_reservation(reservation) or transaction.url.query_value("orderId")
    )
    is_own = order is not None and order.caller == transaction.caller != ""
    shown = order and (order.booked or order.reserved)
    # A response to a request that was sent during the confirmation may come after that.
    if shown and is_own and transaction.denied and transaction.follows(shown):
        text = "the reservation of a booked order is not returned"
        soft = transaction.started - shown.recorded > RETENTION
        yield Defect((), text, "the reservation", str(transaction.status), where="status", soft=soft)


@conversation_rule("V4-RESERVATION-MATCHES-ORDER", "response", *RESERVATIONS, each="")
def reservation_is_that_of_its_order(
    shown: Node, transaction: Transaction, conversation: Conversation
) -> Iterator[Defect]:
    """A reservation has the id, the passengers and the baggage of its order."""
    order_id, requested = shown / "orderId", transaction.url.query_value("orderId")
    if requested is not None and not same_id(requested, order_id.value):
        return
    text, known = "the reservation names an order that it does not belong to", shown.get("id")
    whose, owner = "the id of the order that showed this reservation", conversation.v4.order_of_reservation(known)
    foreign = list(other_id(order_id, owner, text, whose))
    order = conversation.v4.order(order_id.value)
    if foreign or order is None:
        yield from foreign
        return
    text = "the id of the reservation differs from the reservationId of its order"
    yield from other_id(shown / "id", order.reservation, text, "the order's reservationId")
    yield from echo.passengers(member(order.contents, "passengers"), shown / "passengers", echo.RESERVED)
    yield from echo.reserved_baggage(member(order.contents, "selectedBaggage"), shown / "selectedBaggage")


@conversation_rule("V4-RESERVATION-MATCHES-ORDER", "response", *RESERVATIONS, each="")
def reservation_has_the_address_of_its_order(
    shown: Node, _transaction: Transaction, conversation: Conversation
) -> Iterator[Defect]:
    """The e-mail address of a reservation is that of its order's contact or, if that was not seen, of its own.

    Outside of that contact it only warns: no sentence says whose "contact e-mail" it is (v4, Reservation).
    """
    given = shown / "customerContact/email", shown / "email"
    order = conversation.v4.order(shown.get("orderId"))
    sent = member(order.contents, "customerContact", "email") if order else None
    seen = isinstance(sent, str)
    known, whose = (sent, "order") if seen else (given[0].value, "contact")
    for address in given:
        text = f"the e-mail address of the reservation differs from that of its {whose}"
        if isinstance(known, str) and isinstance(address.value, str) and known.casefold() != address.value.casefold():
            expected = "the address that was sent" if seen else "the contact's address"
            yield address.defect(text, expected, "another address", soft=address is given[1])
            return


@conversation_rule("V4-RESERVATION-BEFORE-BOOKING", "response", *RESERVATIONS)
def order_without_reservation(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order that FAILED, or whose confirmations all failed, has no reservation.

    Only warns: a confirmation may not have been seen, and a way out of FAILED is open (OPEN-05).
    """
    order = conversation.v4.order(transaction.url.query_value("orderId") or transaction.response.get("orderId"))
    if order and order.is_unpaid and transaction.fulfilled:
        text = "there is a reservation for an order whose confirmation failed"
        yield Defect((), text, "a 4xx status", "200", where="status", soft=True)


@conversation_rule("V4-RESERVATION-BEFORE-BOOKING", "response", "getOrder", "confirmOrder", each="status")
def reserved_order_is_booked(status: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order whose reservation was shown is booked: a confirmation creates it (v4, States and transitions)."""
    order = known_order(transaction, conversation)
    if order is None or not transaction.follows(order.reserved) or order.booked is not None:
        return
    if status.value in ("OPEN", "FAILED"):
        text = f"the order is {status.value}, although its reservation was shown before"
        yield status.defect(text, "BOOKED", status.value)
    elif transaction.operation == "confirmOrder" and status.value == "BOOKED":
        text = "the order is booked only now, although its reservation was shown before"
        yield Defect((), text, "no reservation before the confirmation", "an earlier reservation", where="status")


@transaction_rule("V4-RESERVATION-BY-ORDER", "response", "findReservation", about="orderId")
def reservation_of_the_order(order: Node, transaction: Transaction) -> Iterator[Defect]:
    """A reservation found by an order id belongs to that order."""
    return other_id(order, transaction.url.query_value("orderId"), "the response is the reservation of another order")


@transaction_rule("V4-RESERVATION-MATCHES-ORDER", "response", *RESERVATIONS, about="id")
def reservation_matches(key: Node, transaction: Transaction) -> Iterator[Defect]:
    """The response has the requested reservation."""
    requested = transaction.url.path_values.get("reservationId")
    return other_id(key, requested, "the response is not the requested reservation")
