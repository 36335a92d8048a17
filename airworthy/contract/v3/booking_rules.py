"""The rules of v2 and v3 on bookings that JSON Schema cannot say."""

from collections.abc import Iterator
from datetime import timedelta
from http import HTTPStatus

from airworthy.contract import wording
from airworthy.contract.coded_rules import conversation_rule, transaction_rule
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.v3 import (
    BOOKINGS,
    RETRIEVALS,
    NamedId,
    SeenBookingRequest,
    answered_id,
    named,
    reference,
    sent_ids,
)
from airworthy.contract.defect import Defect
from airworthy.contract.transaction import Transaction, items, member, whole
from airworthy.contract.v3.booking_request_rules import CLOCK_TOLERANCE, LONGEST_LIFE, SHORTEST_LIFE, without_documents
from airworthy.contract.v3.declined_payments import terms

BOOKINGS_OF_A_REFERENCE = 2
ATTEMPTED = ("06", "01")


# The request


@transaction_rule("V2-CARD-TOKEN", "request", "createBookingsV2")
def card_token(transaction: Transaction) -> Iterator[Defect]:
    """The deprecated card token is not used."""
    if isinstance(member(transaction.sent, "card_token"), str):
        text = "the deprecated card_token is sent"
        expected = "payment_method, and three_d_secure where there are results"
        yield Defect(("card_token",), text, expected, "card_token", tolerable=True, deprecated=True)


@transaction_rule("V2-LUGGAGE", "request", "createBookingsV2")
def luggage_of_the_requests(transaction: Transaction) -> Iterator[Defect]:
    """Luggage stands under the ids of the requests; one without any may do without (OPEN-99)."""
    luggage, ids = member(transaction.sent, "luggage"), sent_ids(transaction)
    if not isinstance(luggage, dict) or not ids or not all(ids):
        return
    if luggage.keys() - set(ids):
        text = "luggage is listed for another request than those booked"
        yield Defect(("luggage",), text, "the ids of requests", "other ids")
    elif set(ids) - luggage.keys():
        text = "luggage is not listed for every request"
        yield Defect(("luggage",), text, "the ids of requests", "fewer ids", tolerable=True)


@transaction_rule("V2-LUGGAGE", "request", "createBookingsV2")
def luggage_within_the_passengers(transaction: Transaction) -> Iterator[Defect]:
    """There are no more pieces of a luggage option than passengers."""
    luggage, passengers = member(transaction.sent, "luggage"), member(transaction.sent, "passengers")
    if not isinstance(luggage, dict) or not isinstance(passengers, list) or not passengers:
        return
    for request in luggage:
        for index, option in enumerate(items(luggage, request)):
            pieces = whole(option.get("quantity"))
            if pieces is not None and pieces > len(passengers):
                actual = wording.shown(pieces)
                text = "a piece of luggage is wanted more often than there are passengers"
                place = ("luggage", request, index, "quantity")
                yield Defect(place, text, f"at most {len(passengers)}", actual)


@conversation_rule("V23-REQUEST-LIFETIME", "request", *BOOKINGS)
def request_has_expired(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A request that is booked is five minutes old at most (OPEN-15)."""
    for each, held in _held(transaction, conversation):
        if held.ended is None and transaction.started - held.created > LONGEST_LIFE + CLOCK_TOLERANCE:
            age = (transaction.started - held.created) // timedelta(minutes=1)
            text = f"a request is booked that is {age} minutes old"
            yield Defect(each.place, text, "at most 5 minutes", f"{age} minutes")


@conversation_rule("V3-BOOKINGS-CANCELLED", "request", "createBookings")
def cancelled_request(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A cancelled request is not booked."""
    for each, held in _held(transaction, conversation):
        if held.ended == "cancelled" and _is_over(held, transaction):
            text = "a request is booked that was cancelled before"
            yield Defect(each.place, text, "a pending request", "a cancelled one")


@conversation_rule("V23-BOOKINGS-PAYMENT-FAILS", "request", *BOOKINGS)
def request_is_aborted(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A request whose payment failed is not tried again: its client starts anew. Where it only may have, it warns."""
    for each, held in _held(transaction, conversation):
        if _is_aborted(held, transaction):
            text = "a request is booked whose payment failed before"
            doubt = held.ended is None
            yield Defect(each.place, text, "a new request", "an aborted one", soft=doubt, tolerable=True)


@conversation_rule("V23-BOOKINGS-ONCE", "request", *BOOKINGS)
def request_is_booked(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A request that was answered as booked is not booked again. It only warns: the document says what is answered."""
    for each, held in _held(transaction, conversation):
        if held.ended == "booked" and _is_over(held, transaction) and held.exchange != transaction.exchange.id:
            text = "a request is booked that was booked before"
            yield Defect(each.place, text, "a pending request", "a booked one", soft=True, tolerable=True)


@conversation_rule("V23-TRAVEL-DOCUMENTS", "request", "createBookingsV2")
def travel_documents(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Passport data are sent for a flight that needs them. It only warns (OPEN-85)."""
    if any(held.needs_documents for _, held in _held(transaction, conversation)):
        yield from without_documents(transaction)


# The answer to a booking


@transaction_rule("V23-BOOKINGS-BOOK", "response", *BOOKINGS)
def bookings_of_the_requests(transaction: Transaction) -> Iterator[Defect]:
    """A booking is that of a request that was to be booked; not all may have been (OPEN-97)."""
    ids = sent_ids(transaction)
    for index, booking in enumerate(items(transaction.delivered, "bookings") if all(ids) else ()):
        request = answered_id(booking.get("request_id"))
        if ids and request and request not in ids:
            text = "a booking is that of another request than those that were to be booked"
            place = ("bookings", index, "request_id")
            yield Defect(place, text, "the id of a request that was sent", "another id")


@conversation_rule("V23-BOOKINGS-BOOK", "response", *BOOKINGS)
def bookings_as_requested(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking is of the flight that its request holds, for as many passengers as were named."""
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        held = conversation.v3.request(transaction.url.version, answered_id(booking.get("request_id")))
        flight, records = answered_id(booking.get("flight_id")), booking.get("passengers")
        is_flown = answered_id(member(booking, "flight", "id")) in ("", flight)
        if held and held.flight and flight and flight != held.flight and is_flown:
            text, place = "a booking is of another flight than its request", ("bookings", index, "flight_id")
            yield Defect(place, text, "the id of the flight that was requested", "another id")
        wanted = conversation.v3.passengers(transaction, answered_id(booking.get("request_id")))
        marks = [each.get("is_infant") for each in items(booking, "passengers")]
        sent = [each.get("is_infant") for each in items(transaction.sent, "passengers")]
        if isinstance(records, list) and wanted is not None and len(records) != wanted:
            text, place = "a booking is not for the passengers that were named", ("bookings", index, "passengers")
            yield Defect(place, text, f"{wanted} records", f"{len(records)} records")
        elif sent and None not in sent and marks.count(True) != sent.count(True):
            text, place = "a booking is not for the infants that were named", ("bookings", index, "passengers")
            yield Defect(place, text, f"{sent.count(True)} marked", f"{marks.count(True)} marked")


@transaction_rule("V23-BOOKINGS-TOGETHER", "response", *BOOKINGS)
def one_reference(transaction: Transaction) -> Iterator[Defect]:
    """The bookings of one order share one reference; of more than two it only warns (OPEN-19)."""
    bookings = items(transaction.delivered, "bookings")
    references = [reference(booking.get("cp_reference")) for booking in bookings]
    for index, each in enumerate(references):
        if each and references[0] and each != references[0]:
            text = "the bookings of one order have different references"
            soft = len(bookings) > BOOKINGS_OF_A_REFERENCE
            place = ("bookings", index, "cp_reference")
            yield Defect(place, text, "one cp_reference", "another one", soft=soft)


@transaction_rule("V23-EXTERNAL-ID", "response", *BOOKINGS)
def external_id_is_kept(transaction: Transaction) -> Iterator[Defect]:
    """A booking has the client's own id, where one was sent (OPEN-93)."""
    sent = member(transaction.sent, "external_id")
    for index, booking in enumerate(items(transaction.delivered, "bookings") if isinstance(sent, str) else ()):
        yield from other_external_id(sent, booking.get("external_id"), index)


@transaction_rule("V23-3DS-FAILED", "response", *BOOKINGS)
def attempted_authentication(transaction: Transaction) -> Iterator[Defect]:
    """An authentication that was only attempted gives a payment error."""
    indicator = member(transaction.sent, "three_d_secure", "electronic_commerce_indicator")
    if indicator in ATTEMPTED and transaction.accepted:
        text = f"a request was booked although its authentication was only attempted (indicator {indicator})"
        yield Defect((), text, "a payment error", str(transaction.status), where="status")


@conversation_rule("V23-BOOKINGS-ONCE", "response", *BOOKINGS)
def booked_once(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Of two bookings of one request that the service took, one was too many."""
    if any(
        held.ended == "booked" and held.exchange != transaction.exchange.id
        for held in _accepted(transaction, conversation)
    ):
        text = "a request was booked that had been booked before"
        yield Defect((), text, "a refusal with a 4xx status", str(transaction.status), where="status")


@conversation_rule("V23-BOOKINGS-PAYMENT-FAILS", "response", *BOOKINGS)
def aborted_request(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A request whose payment failed is aborted, and not booked any more. Where it only may have failed, it warns."""
    aborted = [held for held in _accepted(transaction, conversation) if _is_aborted(held, transaction)]
    if aborted:
        text, doubt = (
            "a request was booked whose payment had failed before",
            all(held.ended is None for held in aborted),
        )
        yield Defect((), text, "403", str(transaction.status), where="status", soft=doubt)


@conversation_rule("V23-BOOKINGS-PAYMENT-FAILS", "response", *BOOKINGS)
def aborted_request_is_forbidden(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A request whose payment failed is refused with 403, as long as nothing else is wrong with it (OPEN-74)."""
    for _, held in (
        _held(transaction, conversation) if transaction.status in (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT) else ()
    ):
        is_young = transaction.ended - held.asked < SHORTEST_LIFE
        if held.ended == "aborted" and _is_over(held, transaction) and is_young and _is_sent_again(held, transaction):
            text = "a request whose payment had failed before is refused with another status"
            yield Defect((), text, "403", str(transaction.status), where="status")
            return


# Bookings, wherever they are answered


@transaction_rule("V23-BOOKING-FIELDS", "response", *BOOKINGS)
def one_booking_of_a_request(transaction: Transaction) -> Iterator[Defect]:
    """Each booking is of a request of its own, where the client has not sent one twice (OPEN-98)."""
    ids = sent_ids(transaction)
    requests = [answered_id(booking.get("request_id")) for booking in items(transaction.delivered, "bookings")]
    if ids and len(set(ids)) == len(ids) and all((*ids, *requests)) and len(set(requests)) < len(requests):
        text, expected = "two bookings are of one request", "a request for each"
        yield Defect(("bookings",), text, expected, "one request twice")


@transaction_rule("V23-BOOKING-FIELDS", "response", *BOOKINGS, *RETRIEVALS)
def flight_of_the_booking(transaction: Transaction) -> Iterator[Defect]:
    """A booking has the id of its flight."""
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        own, flown = answered_id(booking.get("flight_id")), answered_id(member(booking, "flight", "id"))
        if own and flown and own != flown:
            text, place = "flight_id of a booking is not the id of its flight", ("bookings", index, "flight_id")
            yield Defect(place, text, "the id of its flight", "another id")


@transaction_rule("V23-PASSENGER-RECORD", "response", *BOOKINGS, *RETRIEVALS)
def passengers_of_the_booking(transaction: Transaction) -> Iterator[Defect]:
    """A passenger record names the booking that it stands in; where all of them name another, its id is the odd one."""
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        own = answered_id(booking.get("id"))
        named_here = [answered_id(passenger.get("booking_id")) for passenger in items(booking, "passengers")]
        if own and own not in named_here and len(named_here) > 1 == len(set(named_here)) and all(named_here):
            text = "the passenger records of a booking all name another"
            yield Defect(("bookings", index, "id"), text, "the id in its records", "another id")
            continue
        for position, of in enumerate(named_here):
            if own and of and own != of:
                text = "a passenger record names another booking than the one that it stands in"
                place = ("bookings", index, "passengers", position, "booking_id")
                yield Defect(place, text, "the id of its booking", "another id")


@transaction_rule("V23-PASSENGER-RECORD", "response", *BOOKINGS, *RETRIEVALS)
def a_record_for_each_passenger(transaction: Transaction) -> Iterator[Defect]:
    """No two passengers of a booking have one record."""
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        ids = [answered_id(passenger.get("id")) for passenger in items(booking, "passengers")]
        if all(ids) and len(set(ids)) < len(ids):
            text, place = "two passenger records have one id", ("bookings", index, "passengers")
            yield Defect(place, text, "an id for each record", "one id twice")


@transaction_rule("V23-BOOKING-FIELDS", "response", *BOOKINGS, *RETRIEVALS)
def infants_of_the_booking(transaction: Transaction) -> Iterator[Defect]:
    """A booking counts the infants that its records mark; whether one that was canceled counts is not written."""
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        records, counted = items(booking, "passengers"), whole(booking.get("infant_count"))
        is_plain = all(isinstance(each.get("is_infant"), bool) and each.get("canceled") is False for each in records)
        marked = sum(each.get("is_infant") is True for each in records)
        if (
            records
            and is_plain
            and counted is not None
            and counted != marked
            and _are_marked_as_sent(transaction, marked)
        ):
            text, place = "a booking counts other infants than its records mark", ("bookings", index, "infant_count")
            yield Defect(place, text, wording.shown(marked), wording.shown(counted))


# What the rules share


def _held(transaction: Transaction, conversation: Conversation) -> Iterator[tuple[NamedId, SeenBookingRequest]]:
    for each in named(transaction):
        held = conversation.v3.request(transaction.url.version, each.id)
        if held is not None:
            yield each, held


def _is_over(held: SeenBookingRequest, transaction: Transaction) -> bool:
    return held.since is not None and held.since <= transaction.started


def _is_aborted(held: SeenBookingRequest, transaction: Transaction) -> bool:
    """Whether a payment of a request failed: as was said, or by what nothing but the card is changed for."""
    if held.ended is None and held.declined is not None:
        return held.declined.since <= transaction.started and _is_sent_again(held, transaction)
    return held.ended == "aborted" and _is_over(held, transaction)


def _is_sent_again(held: SeenBookingRequest, transaction: Transaction) -> bool:
    """Whether what is booked is what was refused before, for another card at most."""
    return held.declined is not None and held.declined.terms == terms(transaction)


def _accepted(transaction: Transaction, conversation: Conversation) -> Iterator[SeenBookingRequest]:
    """Yield what is known of the requests that an answer books."""
    for booking in items(transaction.delivered, "bookings"):
        held = conversation.v3.request(transaction.url.version, answered_id(booking.get("request_id")))
        if held is not None:
            yield held


def _are_marked_as_sent(transaction: Transaction, marked: int) -> bool:
    """Whether as many infants are marked as were sent, where that was said: else the marks are what is wrong."""
    sent = [each.get("is_infant") for each in items(transaction.sent, "passengers")]
    return not sent or None in sent or sent.count(True) == marked


def other_external_id(sent: object, answered: object, index: int) -> Iterator[Defect]:
    """Yield an external id of a booking that is not the client's own."""
    if sent != answered:
        text = "a booking does not have the external id that was sent for it"
        actual = "missing" if answered is None else "another value"
        yield Defect(("bookings", index, "external_id"), text, "the value that was sent", actual)
