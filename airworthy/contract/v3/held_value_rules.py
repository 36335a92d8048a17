"""Rules of v3 and v2 on what a booking takes over from its booking request: flight, prices and bags."""

from collections.abc import Iterator
from typing import Any

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.moments import are_apart, moment
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.limits import PRICE_TOLERANCE
from airworthy.contract.conversation.v3.bag_pieces import KINDS, are_fewer, of_booking
from airworthy.contract.conversation.v3.memory import BOOKINGS, RETRIEVALS, returned_id
from airworthy.contract.conversation.v3.resources import SeenBookingRequest
from airworthy.contract.http.transaction import Transaction, as_number, items, member
from airworthy.contract.rules.coded_rules import conversation_rule

HeldBooking = tuple[int, dict[str, Any], SeenBookingRequest]
"""A booking, its place in the response, and its booking request."""


def _held_bookings(transaction: Transaction, conversation: Conversation) -> Iterator[HeldBooking]:
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        held = conversation.v3.request(transaction.url.version, returned_id(booking.get("request_id")))
        if held is not None:
            yield index, booking, held


@conversation_rule("V23-BOOKINGS-BOOK", "response", *BOOKINGS)
def booking_has_the_requested_flight(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking has the id of the flight of its booking request (v3, Resources and their fields / Booking)."""
    for index, booking, held in _held_bookings(transaction, conversation):
        flight, flown = returned_id(booking.get("flight_id")), returned_id(member(booking, "flight", "id"))
        if held.flight and flight and flight != held.flight and flown in ("", flight):
            text = "the flight of a booking differs from that of its booking request"
            yield Defect(("bookings", index, "flight_id"), text, "the id of the requested flight", "another id")


@conversation_rule("V23-BOOKINGS-BOOK", "response", *BOOKINGS)
def booking_is_younger_than_its_request(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking is created after its booking request (v3, States and transitions)."""
    for index, booking, held in _held_bookings(transaction, conversation):
        requested, created = held.stamp, moment(booking.get("created_at"))
        if requested and created and are_apart(requested, created) and created < requested:
            text, place = "a booking is created before its booking request", ("bookings", index, "created_at")
            yield Defect(place, text, "a time after created_at of the booking request", "an earlier time")


def _bookings_with_held_prices(transaction: Transaction, conversation: Conversation) -> int:
    bookings = _held_bookings(transaction, conversation)
    return sum(held.price is not None and as_number(booking.get("price")) is not None for _, booking, held in bookings)


@conversation_rule("V23-BOOKINGS-AS-REQUESTED", "response", *BOOKINGS, about=_bookings_with_held_prices)
def booking_has_the_held_price(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking has the prices that its request holds (v3, What the service does), of one or of all (OPEN-82).

    Only warns: the documents reject an unacceptable difference, so that others are acceptable (v3, Errors, 409).
    """
    for index, booking, held in _held_bookings(transaction, conversation):
        if held.price is None:
            continue
        kept = {"price": held.price.totals, "infant_price": held.price.infant_totals if held.price.infants else ()}
        for name, totals in kept.items():
            price = as_number(booking.get(name))
            # Whether a booking shows the infant price is open, too.
            if price is not None and totals and all(abs(price - total) > PRICE_TOLERANCE for total in totals):
                text = f"the {name} of a booking differs from the one that its booking request holds"
                place, expected = ("bookings", index, name), wording.shown(totals[0])
                yield Defect(place, text, expected, wording.shown(price), soft=True)


@conversation_rule("V23-BOOKINGS-AS-REQUESTED", "response", "createBookings")
def booking_has_the_held_fees(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The bags of a booking cost what its request holds: seat and baggage prices (v3, What the service does).

    Only warns, as for other prices.
    """
    for index, booking, held in _held_bookings(transaction, conversation):
        for kind, before in zip(KINDS, held.bags_fee, strict=True):
            now = as_number(member(booking, "bags_fee", kind))
            if before is not None and now is not None and abs(before - now) > PRICE_TOLERANCE:
                text = f"bags_fee for the {kind} bags of a booking differs from the one that its booking request holds"
                place = ("bookings", index, "bags_fee", kind)
                yield Defect(place, text, wording.shown(before), wording.shown(now), soft=True)


@conversation_rule("V23-BOOKINGS-AS-REQUESTED", "response", *BOOKINGS, *RETRIEVALS)
def booking_has_the_requested_bags(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking has the bags that were requested, in v2 those that were sent with it ("as booked", v3, Booking).

    More of them only warn: a booking may also show included bags, as the meaning of a quantity is open (OPEN-81).
    """
    version = transaction.url.version
    place = "luggage" if version == "v2" else "bags"
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        request, booked = returned_id(booking.get("request_id")), of_booking(booking)
        if transaction.operation in RETRIEVALS:
            known = conversation.v3.booking(version, returned_id(booking.get("id")))
            sent = known.pieces if known and known.request == request else None
        else:
            sent = conversation.v3.requested_pieces(transaction, request)
        soft = sent is None or booked is None or not are_fewer(booked, sent)
        # What else differs in a retrieved booking, differed when it was made, or `V23-LOOK-UP` warns of it.
        if None not in (sent, booked) and sent != booked and not (soft and transaction.operation in RETRIEVALS):
            text = "the bags of a booking differ from those that were requested"
            yield Defect(("bookings", index, place), text, "the requested bags", "other bags", soft=soft)
