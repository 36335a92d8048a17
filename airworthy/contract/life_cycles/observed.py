"""The steps that the exchanges of a conversation take in the life cycles, as far as it has seen the resources before.

Nothing is inferred: where the state of a resource is uncertain, such as that of a booking request between 3 and 5
minutes (OPEN-15), there is no step.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from http import HTTPStatus
from itertools import chain

from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.limits import CLOCK_TOLERANCE
from airworthy.contract.conversation.v3.declined_payments import payment_failed
from airworthy.contract.conversation.v3.memory import returned_id, sent_ids
from airworthy.contract.conversation.v3.resources import SeenBookingRequest
from airworthy.contract.conversation.v4.resources import SeenOrder
from airworthy.contract.http.exchange import THROTTLING
from airworthy.contract.http.transaction import Transaction, items, member
from airworthy.contract.life_cycles.life_cycle import NONE, TIME, LifeCycle, Transition
from airworthy.contract.life_cycles.table import (
    ABORTED,
    AWAITING,
    BOOKED,
    CANCELLED,
    CONFIRMED,
    EXISTS,
    EXPIRED,
    FAILED,
    LIFE_CYCLES,
    MOVED,
    OPEN,
    PENDING,
    STORED,
    USED,
)

_OFFER, _ORDER, _RESERVATION, _REQUEST, _BOOKING = LIFE_CYCLES
_ENDED = {"cancelled": CANCELLED, "booked": USED, "aborted": ABORTED}
# Such a response says nothing about the resource.
_UNRELATED = (HTTPStatus.UNAUTHORIZED, HTTPStatus.REQUEST_TIMEOUT, *THROTTLING)


@dataclass(frozen=True, slots=True)
class Step:
    """What an operation did to one resource, or what the time had done to it before."""

    life_cycle: LifeCycle
    before: str
    operation: str
    after: str
    refused: bool = False
    foreign: bool = False
    exchange: str = ""

    @property
    def allowed(self) -> tuple[Transition, ...]:
        """The transitions that the documents allow for the operation in this state; empty if they do not say."""
        return tuple(self.life_cycle.allowed(self.before, self.operation, foreign=self.foreign))

    @property
    def transition(self) -> Transition | None:
        """The transition that was taken, or None if the documents do not allow it."""
        return next((each for each in self.allowed if (each.after, each.refused) == (self.after, self.refused)), None)


def steps(transaction: Transaction, conversation: Conversation) -> Iterator[Step]:
    """Yield the steps of an exchange that the conversation has not remembered yet."""
    if not (transaction.fulfilled or transaction.rejected) or transaction.status in _UNRELATED:
        return
    kinds = (_of_offers, _of_orders) if transaction.url.version == "v4" else (_of_booking_requests, _of_bookings)
    for each in chain.from_iterable(kind(transaction, conversation) for kind in kinds):
        yield replace(each, exchange=transaction.exchange.id)


def _of_offers(transaction: Transaction, conversation: Conversation) -> Iterator[Step]:
    operation, delivered = transaction.operation, transaction.delivered
    if operation == "getOffer" and delivered is not None:
        yield Step(_OFFER, NONE, operation, STORED)
    if operation not in ("getFares", "getBaggage", "createOrder"):
        return
    named = transaction.url.path_values.get("offerId") or transaction.url.query_value("offerId")
    offer = conversation.v4.offer(named)
    if offer is None:
        return
    lifetime, age = conversation.lifetimes.offer, offer.age(transaction)
    if age.most < lifetime - CLOCK_TOLERANCE:
        state = STORED
    elif age.least > lifetime + CLOCK_TOLERANCE:
        state = EXPIRED
        yield Step(_OFFER, STORED, TIME, EXPIRED)
    else:
        return
    refused = transaction.rejected or member(delivered, "fares") == []
    yield Step(_OFFER, state, operation, state, refused, offer.caller != transaction.caller)


def _of_orders(transaction: Transaction, conversation: Conversation) -> Iterator[Step]:
    operation, delivered = transaction.operation, transaction.delivered
    if operation == "createOrder" and member(delivered, "status") is not None:
        yield Step(_ORDER, NONE, operation, str(member(delivered, "status")))
    if operation not in ("getOrder", "confirmOrder", "getReservation", "findReservation"):
        return
    reservation = conversation.v4.order_of_reservation(transaction.url.path_values.get("reservationId"))
    named = transaction.url.path_values.get("orderId") or transaction.url.query_value("orderId")
    order = conversation.v4.order(reservation or named)
    if order is None:
        return
    foreign, refused = order.caller != transaction.caller, transaction.rejected
    shown, state = member(delivered, "status"), _state_of_order(order)
    # Which of two confirmations at the same time came first, their responses do not show.
    if order.booked is not None and not transaction.follows(order.booked):
        return
    # A confirmation without a response may have booked the order.
    is_certain = state != OPEN or not order.attempted
    if operation in ("getOrder", "confirmOrder") and (is_certain or shown != BOOKED or operation == "confirmOrder"):
        yield Step(_ORDER, state, operation, state if refused else str(shown), refused, foreign)
        if shown == BOOKED and operation == "confirmOrder" and state != BOOKED:
            yield Step(_RESERVATION, NONE, operation, EXISTS)
    elif state == BOOKED and operation in ("getReservation", "findReservation"):
        yield Step(_RESERVATION, EXISTS, operation, EXISTS, refused, foreign)
    elif operation == "findReservation" and not foreign and is_certain:
        yield Step(_ORDER, state, operation, state, refused)


def _state_of_order(order: SeenOrder) -> str:
    if order.booked is not None:
        return BOOKED
    return FAILED if order.declined else OPEN


def _of_booking_requests(transaction: Transaction, conversation: Conversation) -> Iterator[Step]:
    operation = transaction.operation.removesuffix("V2")
    if operation == "createRequests":
        yield from (Step(_REQUEST, NONE, operation, PENDING) for _ in items(transaction.delivered, "requests"))
        return
    named = [transaction.url.path_values.get("request_id", "")] if operation == "cancelRequest" else []
    named = sent_ids(transaction) if operation == "createBookings" else named
    booked = {returned_id(each.get("request_id")) for each in items(transaction.delivered, "bookings")}
    for each in named:
        held = conversation.v3.request(transaction.url.version, each)
        state = held and state_of_request(held, transaction, conversation)
        if held is None or not state:
            continue
        if state == EXPIRED:
            yield Step(_REQUEST, PENDING, TIME, EXPIRED)
        is_done = transaction.accepted if operation == "cancelRequest" else each in booked
        after = (CANCELLED if operation == "cancelRequest" else USED) if is_done else state
        is_declined = operation == "createBookings" and state == PENDING and payment_failed(transaction)
        foreign = held.caller != transaction.caller
        if is_declined and not foreign:
            yield Step(_REQUEST, state, operation, ABORTED)
        else:
            yield Step(_REQUEST, state, operation, after, refused=not is_done, foreign=foreign)


def refusing_state(held: SeenBookingRequest | None, transaction: Transaction, conversation: Conversation) -> str:
    """Return the state of a booking request if the operation must be rejected in it, otherwise an empty string."""
    state = held and state_of_request(held, transaction, conversation)
    if not state:
        return ""
    lines = list(_REQUEST.allowed(state, transaction.operation.removesuffix("V2"), foreign=False))
    return state if lines and all(each.refused for each in lines) else ""


def state_of_request(held: SeenBookingRequest, transaction: Transaction, conversation: Conversation) -> str:
    """Return the state of a booking request when an exchange began, or an empty string if it is uncertain."""
    if held.ended is not None:
        return _ENDED[held.ended] if transaction.follows(held.since) else ""
    age = held.age(transaction)
    if age.least > conversation.lifetimes.request_max + CLOCK_TOLERANCE:
        return EXPIRED
    # A booking that was tried may have aborted it, however it was rejected (OPEN-91).
    is_young = age.most < conversation.lifetimes.request_min - CLOCK_TOLERANCE
    return PENDING if is_young and not held.attempted else ""


def _of_bookings(transaction: Transaction, conversation: Conversation) -> Iterator[Step]:
    operation = transaction.operation.removesuffix("V2")
    for booking in items(transaction.delivered, "bookings"):
        status = str(booking.get("status"))
        after = MOVED if status in ("CANCELED", "CHANGED") else status
        if operation == "createBookings":
            yield Step(_BOOKING, NONE, operation, after)
            continue
        known = conversation.v3.booking(transaction.url.version, returned_id(booking.get("id")))
        seen = known.statuses if known else frozenset()
        states = {MOVED if each in ("CANCELED", "CHANGED") else each for each in seen}
        before = next((each for each in (MOVED, CONFIRMED, AWAITING) if each in states), None)
        if before and known and known.caller == transaction.caller:
            yield Step(_BOOKING, before, operation, after)
