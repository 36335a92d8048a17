"""Rules of v3 and v2 on bookings that JSON Schema cannot express."""

import math
from collections.abc import Iterator
from http import HTTPStatus

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.limits import ATTEMPTED_INDICATORS, BOOKINGS_OF_A_REFERENCE, PRICE_TOLERANCE
from airworthy.contract.conversation.v3.bag_options import checked_bag
from airworthy.contract.conversation.v3.declined_payments import terms
from airworthy.contract.conversation.v3.memory import (
    AWAITING,
    BOOKINGS,
    CANCELED,
    CHANGED,
    CONFIRMED,
    NamedId,
    named,
    reference,
    returned_id,
    sent_ids,
)
from airworthy.contract.conversation.v3.resources import DeclinedPayment, SeenBookingRequest
from airworthy.contract.http.transaction import Transaction, as_number, whole
from airworthy.contract.life_cycles import refusing_state
from airworthy.contract.life_cycles.table import CANCELLED, EXPIRED, USED
from airworthy.contract.rules.coded_rules import conversation_rule, transaction_rule
from airworthy.contract.v3.booking_request_rules import ends_at_the_same_time, without_documents
from airworthy.contract.v3.held_value_rules import held_request

# The request


@transaction_rule("V2-CARD-TOKEN", "request", "createBookingsV2", each="card_token")
def card_token(token: Node, _transaction: Transaction) -> Iterator[Defect]:
    """The deprecated card token is "not to be used"; a service may accept it all the same (v2, POST /v2/bookings)."""
    if isinstance(token.value, str):
        expected = "payment_method, and three_d_secure if there are results"
        yield token.defect("the request has the deprecated card_token", expected, "card_token", tolerable=True)


@transaction_rule("V2-LUGGAGE", "request", "createBookingsV2", each="luggage")
def luggage_of_the_requests(luggage: Node, transaction: Transaction) -> Iterator[Defect]:
    """Luggage is listed by the ids of the booking requests; one without luggage may be left out (OPEN-99)."""
    ids, expected = sent_ids(transaction), "the ids of the booking requests"
    if not isinstance(luggage.value, dict) or not ids or not all(ids):
        return
    if luggage.value.keys() - set(ids):
        yield luggage.defect("luggage is listed for a booking request that is not booked", expected, "other ids")
    elif set(ids) - luggage.value.keys():
        text = "luggage is not listed for every booking request"
        yield luggage.defect(text, expected, "fewer ids", tolerable=True)


def _luggage_options(transaction: Transaction) -> Iterator[tuple[str, Node]]:
    """Yield each luggage option of a request, with the id of its booking request."""
    luggage = transaction.request / "luggage"
    for request in luggage.value if isinstance(luggage.value, dict) else ():
        yield from ((request, option) for option in luggage.below(request).each("*"))


@transaction_rule("V2-LUGGAGE", "request", "createBookingsV2")
def luggage_within_the_passengers(transaction: Transaction) -> Iterator[Defect]:
    """There are no more pieces of a luggage option than passengers."""
    passengers = transaction.request.get("passengers")
    most = len(passengers) if isinstance(passengers, list) else 0
    for _, option in _luggage_options(transaction) if most else ():
        pieces = whole(option.get("quantity"))
        if pieces is not None and pieces > most:
            text = "quantity of a luggage option is more than the number of passengers"
            yield option.defect(text, f"at most {most}", wording.shown(pieces), "quantity")


@conversation_rule("V2-LUGGAGE", "request", "createBookingsV2")
def luggage_of_the_options(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Luggage is chosen from the options of the flight, at their price for one or for all pieces.

    Only warns: a service may accept others (OPEN-99).
    """
    for request, option in _luggage_options(transaction):
        held = conversation.v3.request(transaction.url.version, request)
        pieces, weight, price = whole(option.get("quantity")), checked_bag(option.value), option.get("price")
        if not held or held.luggage is None or not pieces or weight is None:
            continue
        prices, asked = [each for other, each in held.luggage if other == weight], as_number(price)
        near = (each is None or asked is None or _is_near(asked, each, each * pieces) for each in prices)
        if not prices:
            text, expected = "luggage is chosen that the flight does not offer", "an option of the flight"
            yield option.defect(text, expected, "another weight", "weight", soft=True, tolerable=True)
        elif not any(near):
            text, expected = "luggage is chosen at a price that the flight does not offer", wording.shown(prices[0])
            yield option.defect(text, expected, wording.shown(price), "price", soft=True, tolerable=True)


def _is_near(asked: float, *prices: float) -> bool:
    return any(abs(asked - each) <= PRICE_TOLERANCE for each in prices)


def _register(rule: str, state: str, *operations: str) -> None:
    """Register that a booking request in a state is not booked.

    A client that books a booked one is only warned: the documents describe only the response (OPEN-88).
    """

    @conversation_rule(rule, "request", *operations)
    def is_sent(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
        for each, held in _held(transaction, conversation):
            if refusing_state(held, transaction, conversation) == state:
                text = f"the client books a booking request that is already {state}"
                yield Defect(each.place, text, "a pending booking request", state, soft=state == USED, tolerable=True)

    @conversation_rule(rule, "response", *operations)
    def is_booked(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
        for held in _accepted(transaction, conversation):
            if refusing_state(held, transaction, conversation) == state:
                text = f"the service books a booking request that is already {state}"
                yield Defect((), text, "a rejection with a 4xx status", str(transaction.status), where="status")


_register("V23-REQUEST-LIFETIME", EXPIRED, *BOOKINGS)
_register("V3-BOOKINGS-CANCELLED", CANCELLED, "createBookings")
_register("V23-BOOKINGS-ONCE", USED, *BOOKINGS)


@conversation_rule("V23-BOOKINGS-PAYMENT-FAILS", "request", *BOOKINGS)
def request_is_aborted(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """After a failed payment a client starts with a new booking request. Only warns if the failure is uncertain.

    How a response shows the failure is open (OPEN-91).
    """
    requests = frozenset(sent_ids(transaction))
    for each, held in _held(transaction, conversation):
        if _is_aborted(held, transaction, requests):
            text = "the client books a booking request whose payment failed"
            soft = not _is_certainly_aborted(held, requests)
            yield Defect(each.place, text, "a new booking request", "aborted", soft=soft, tolerable=True)


@conversation_rule("V23-TRAVEL-DOCUMENTS", "request", "createBookingsV2")
def travel_documents(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Passport data is sent for a flight that requires it. Only warns (OPEN-85)."""
    if any(held.needs_documents for _, held in _held(transaction, conversation)):
        yield from without_documents(transaction)


# The response to a booking


def _bookings_made_together(transaction: Transaction, _conversation: Conversation) -> int:
    bookings = transaction.response.each("bookings/*")
    return len(bookings) if len(bookings) > 1 else 0


def _bookings_with_external_id(transaction: Transaction, _conversation: Conversation) -> int:
    sent = isinstance(transaction.request.get("external_id"), str)
    return len(transaction.response.each("bookings/*")) if sent else 0


@transaction_rule("V23-BOOKINGS-BOOK", "response", *BOOKINGS, about="bookings/*")
def bookings_of_the_requests(booking: Node, transaction: Transaction) -> Iterator[Defect]:
    """A booking belongs to a booking request that was sent; some may not have been booked (OPEN-97)."""
    ids, request = sent_ids(transaction), returned_id(booking.get("request_id"))
    if ids and all(ids) and request and request not in ids:
        text = "a booking belongs to a booking request that was not sent"
        yield booking.defect(text, "the id of a booking request that was sent", "another id", "request_id")


@transaction_rule("V23-BOOKING-STATUS", "response", *BOOKINGS, each="bookings/*/status")
def status_of_a_new_booking(status: Node, _transaction: Transaction) -> Iterator[Defect]:
    """A booking is created as AWAITING_PNR_AIRLINE or CONFIRMED (v3, States and transitions).

    CANCELED and CHANGED only warn: when a booking becomes one of them is open (OPEN-11).
    """
    if status.value in (CANCELED, CHANGED):
        yield status.defect(f"a new booking is {status.value}", f"{AWAITING} or {CONFIRMED}", status.value, soft=True)


@transaction_rule("V23-BOOKINGS-TOGETHER", "response", *BOOKINGS, each="bookings", about=_bookings_made_together)
def one_reference(bookings: Node, _transaction: Transaction) -> Iterator[Defect]:
    """Bookings made together share a reference, at most two of them one; only warns for more than two (OPEN-19)."""
    made, places = list(bookings.each("*")), dict[str, Node]()
    for each in made:
        if shown := reference(each.get("cp_reference")):
            places.setdefault(shown, each / "cp_reference")
    for each in [*places.values()][math.ceil(len(made) / BOOKINGS_OF_A_REFERENCE) :]:
        text, soft = "bookings made together have different references", len(made) > BOOKINGS_OF_A_REFERENCE
        yield each.defect(text, "the same cp_reference", "another reference", soft=soft)


@conversation_rule("V23-BOOKINGS-TOGETHER", "response", *BOOKINGS)
def reference_of_one_order(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A reference is "shared by the up to two bookings of one order" (v3, Booking), of v2 perhaps by three (OPEN-19).

    Only warns while it has no more bookings than that, of one caller and of different flights: no sentence says what an
    order is.
    """
    bookings, version = transaction.response.each("bookings/*"), transaction.url.version
    most = BOOKINGS_OF_A_REFERENCE + (1 if version == "v2" else 0)
    for booking in bookings:
        under = reference(booking.get("cp_reference"))
        now = {returned_id(each.get("id")) for each in bookings if reference(each.get("cp_reference")) == under} - {""}
        before = {*conversation.v3.bookings_of(version, under)} - now if under else set()
        known = [found for each in before if (found := conversation.v3.booking(version, each))]
        others = {each.caller for each in known} - {"", transaction.caller}
        flights = {held.flight for each in known if (held := conversation.v3.request(version, each.request))} - {""}
        if before:
            is_wrong = len(before | now) > most or bool(others) or returned_id(booking.get("flight_id")) in flights
            text, expected = "cp_reference of a booking is that of other bookings", "another reference for each order"
            actual = "the reference of other bookings"
            yield booking.defect(text, expected, actual, "cp_reference", soft=not is_wrong)


@conversation_rule("V23-BOOKING-FIELDS", "response", *BOOKINGS, each="bookings/*")
def bookings_are_told_apart(booking: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking does not have the id of an earlier one of another booking request.

    Only warns: no sentence says that ids are never used again (v3, Booking), as by a test system that restarts.
    """
    known = conversation.v3.booking(transaction.url.version, returned_id(booking.get("id")))
    request = returned_id(booking.get("request_id"))
    if known and known.request and request and known.request != request:
        text = "a booking has the id of an earlier one of another booking request"
        yield booking.defect(text, "an id of its own", "the id of another", "id", soft=True)


@conversation_rule(
    "V23-EXTERNAL-ID", "response", *BOOKINGS, each="bookings/*/external_id", about=_bookings_with_external_id
)
def external_id_is_kept(external_id: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking returns the external id that was sent, unless that is empty (OPEN-93), and no other one."""
    sent = transaction.request.get("external_id")
    if sent and isinstance(sent, str):
        yield from other_external_id(sent, external_id)
    elif not sent:
        yield from external_id_of_another(external_id, transaction, conversation)


@transaction_rule("V23-3DS-FAILED", "response", *BOOKINGS)
def attempted_authentication(transaction: Transaction) -> Iterator[Defect]:
    """An authentication that was only attempted leads to a payment error, unless the booking may be on deposit."""
    indicator = transaction.request.get("three_d_secure", "electronic_commerce_indicator")
    is_on_deposit = transaction.request.get("self_psp") is True
    if indicator in ATTEMPTED_INDICATORS and transaction.accepted and not is_on_deposit:
        text = f"a booking succeeds although its authentication was only attempted (indicator {indicator})"
        yield Defect((), text, "a payment error", str(transaction.status), where="status")


@conversation_rule("V23-BOOKINGS-ONCE", "response", *BOOKINGS)
def booked_once(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking request can be booked only once, also by requests at the same time."""
    if any(ends_at_the_same_time(held, "booked", transaction) for held in _accepted(transaction, conversation)):
        text = "a booking request is booked a second time"
        yield Defect((), text, "a rejection with a 4xx status", str(transaction.status), where="status")


@conversation_rule("V3-CANCEL-OR-BOOK", "response", "createBookings")
def booked_while_cancelled(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Only a pending booking request is cancelled (v3, POST /v3/requests/.../cancel): no booking succeeds with that."""
    if any(ends_at_the_same_time(held, "cancelled", transaction) for held in _accepted(transaction, conversation)):
        text = "a booking request is booked although its cancellation succeeds at the same time"
        yield Defect((), text, "a rejection with a 4xx status", str(transaction.status), where="status")


@conversation_rule("V23-BOOKINGS-PAYMENT-FAILS", "response", *BOOKINGS)
def aborted_request(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """After a failed payment a booking request is aborted and cannot be booked. Only warns if that is uncertain.

    How a response shows the failure is open (OPEN-91).
    """
    requests = frozenset(returned_id(each.get("request_id")) for each in transaction.response.each("bookings/*"))
    aborted = [held for held in _accepted(transaction, conversation) if _is_aborted(held, transaction, requests)]
    if aborted:
        text = "a booking request is booked although its payment failed before"
        soft = not any(_is_certainly_aborted(held, requests) for held in aborted)
        yield Defect((), text, "403", str(transaction.status), where="status", soft=soft)


@conversation_rule("V23-BOOKINGS-PAYMENT-FAILS", "response", *BOOKINGS)
def aborted_request_is_forbidden(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An aborted booking request is rejected with 403 if nothing else is wrong with the request (OPEN-74)."""
    if transaction.status not in (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT):
        return
    known = [held for _, held in _held(transaction, conversation)]
    if any(held.ended not in (None, "aborted") for held in known):
        return
    for held in known:
        declined = held.declined
        is_young = held.age(transaction).most < conversation.lifetimes.request_min
        if declined and declined.failed and is_young and _is_sent_again(declined, transaction):
            text = "booking an aborted booking request is not rejected with 403"
            yield Defect((), text, "403", str(transaction.status), where="status")
            return


# Helpers


def _held(transaction: Transaction, conversation: Conversation) -> Iterator[tuple[NamedId, SeenBookingRequest]]:
    for each in named(transaction):
        held = conversation.v3.request(transaction.url.version, each.id)
        if held is not None:
            yield each, held


def _is_aborted(held: SeenBookingRequest, transaction: Transaction, requests: frozenset[str]) -> bool:
    """Return whether a payment failed before for some of the booking requests, or the same booking is sent again.

    Which of several booking requests a failed payment aborts is open (OPEN-97), but it aborts one of them.
    """
    declined = held.declined
    if held.ended is not None or declined is None:
        return held.ended == "aborted" and transaction.follows(held.since)
    is_again = _is_sent_again(declined, transaction)
    return is_again or (transaction.follows(declined.since) and declined.failed and declined.requests <= requests)


def _is_certainly_aborted(held: SeenBookingRequest, requests: frozenset[str]) -> bool:
    declined = held.declined
    if held.ended is not None or declined is None:
        return held.ended is not None
    return declined.attempted or (declined.failed and declined.requests <= requests)


def _is_sent_again(declined: DeclinedPayment, transaction: Transaction) -> bool:
    """Return whether a booking follows one that was declined and repeats it, apart from its card."""
    return transaction.follows(declined.since) and declined.terms == terms(transaction)


def _accepted(transaction: Transaction, conversation: Conversation) -> Iterator[SeenBookingRequest]:
    """Yield what is known of the booking requests that a response books."""
    found = (held_request(each, transaction, conversation) for each in transaction.response.each("bookings/*"))
    return filter(None, found)


def external_id_of_another(returned: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Yield a defect if a booking without an external id has one that was sent with another booking."""
    if isinstance(returned.value, str) and conversation.v3.is_external_id(transaction, returned.value):
        text = "a booking has the external id that was sent with another one"
        yield returned.defect(text, "none, as none was sent", "that of another booking")


def other_external_id(sent: object, returned: Node) -> Iterator[Defect]:
    """Yield a defect if the external id of a booking differs from the one that was sent."""
    if sent != returned.value:
        text = "external_id of a booking differs from the one that was sent"
        actual = "missing" if returned.value is None else "another value"
        yield returned.defect(text, "the value that was sent", actual)
