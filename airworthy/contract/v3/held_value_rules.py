"""Rules of v3 and v2 on what a booking takes over from its booking request: flight, prices and bags."""

from collections.abc import Iterator

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.moments import FURTHEST_BACK, are_apart, moment
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.limits import PRICE_TOLERANCE
from airworthy.contract.conversation.v3.bag_pieces import KINDS, are_fewer, booked_bags, pieces, weights
from airworthy.contract.conversation.v3.memory import BOOKINGS, RETRIEVALS, returned_id
from airworthy.contract.conversation.v3.resources import SeenBookingRequest
from airworthy.contract.http.transaction import Transaction, as_number, member
from airworthy.contract.rules.coded_rules import conversation_rule


def held_request(booking: Node, transaction: Transaction, conversation: Conversation) -> SeenBookingRequest | None:
    """Return what is known of the booking request of a booking in a response."""
    return conversation.v3.request(transaction.url.version, returned_id(booking.get("request_id")))


@conversation_rule("V23-BOOKINGS-BOOK", "response", *BOOKINGS, each="bookings/*")
def booking_has_the_requested_flight(
    booking: Node, transaction: Transaction, conversation: Conversation
) -> Iterator[Defect]:
    """A booking has the id of the flight of its booking request (v3, Resources and their fields / Booking)."""
    held = held_request(booking, transaction, conversation)
    flight, flown = returned_id(booking.get("flight_id")), returned_id(booking.get("flight", "id"))
    if held and held.flight and flight and flight != held.flight and flown in ("", flight):
        text = "the flight of a booking differs from that of its booking request"
        yield booking.defect(text, "the id of the requested flight", "another id", "flight_id")


@conversation_rule("V23-BOOKINGS-BOOK", "response", *BOOKINGS, each="bookings/*")
def booking_is_younger_than_its_request(
    booking: Node, transaction: Transaction, conversation: Conversation
) -> Iterator[Defect]:
    """A booking is created after its booking request (v3, States and transitions).

    Two times without a zone may be of different zones, as the documents name no format for that of a booking.
    """
    held, created = held_request(booking, transaction, conversation), moment(booking.get("created_at"))
    requested = held.stamp if held else None
    if requested and created and are_apart(requested, created) and created < requested:
        text = "a booking is created before its booking request"
        expected = "a time after created_at of the booking request"
        soft = created.tzinfo is None and requested - created <= FURTHEST_BACK
        yield booking.defect(text, expected, "an earlier time", "created_at", soft=soft)


def _bookings_with_held_prices(transaction: Transaction, conversation: Conversation) -> int:
    bookings = [each for each in transaction.response.each("bookings/*") if as_number(each.get("price")) is not None]
    held = (held_request(each, transaction, conversation) for each in bookings)
    return sum(each is not None and each.price is not None for each in held)


@conversation_rule(
    "V23-BOOKINGS-AS-REQUESTED", "response", *BOOKINGS, each="bookings/*", about=_bookings_with_held_prices
)
def booking_has_the_held_price(booking: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking has the prices that its request holds (v3, What the service does), of one or of all (OPEN-82).

    Only warns: the documents reject an unacceptable difference, so that others are acceptable (v3, Errors, 409).
    """
    held = held_request(booking, transaction, conversation)
    if held is None or held.price is None:
        return
    kept = {"price": held.price.totals, "infant_price": held.price.infant_totals if held.price.infants else ()}
    for name, totals in kept.items():
        price = as_number(booking.get(name))
        # Whether a booking shows the infant price is open, too.
        if price is not None and totals and all(abs(price - total) > PRICE_TOLERANCE for total in totals):
            text = f"the {name} of a booking differs from the one that its booking request holds"
            yield booking.defect(text, wording.shown(totals[0]), wording.shown(price), name, soft=True)


@conversation_rule("V23-BOOKINGS-AS-REQUESTED", "response", "createBookings", each="bookings/*")
def booking_has_the_held_fees(booking: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The bags of a booking cost what its request holds: seat and baggage prices (v3, What the service does).

    Only warns, as for other prices.
    """
    held = held_request(booking, transaction, conversation)
    for kind, before in zip(KINDS, held.bags_fee, strict=True) if held else ():
        now = as_number(booking.get("bags_fee", kind))
        if before is not None and now is not None and abs(before - now) > PRICE_TOLERANCE:
            text = f"bags_fee for the {kind} bags of a booking differs from the one that its booking request holds"
            yield booking.defect(text, wording.shown(before), wording.shown(now), f"bags_fee/{kind}", soft=True)


@conversation_rule("V23-BOOKINGS-AS-REQUESTED", "response", *BOOKINGS, *RETRIEVALS, each="bookings/*")
def booking_has_the_requested_bags(
    booking: Node, transaction: Transaction, conversation: Conversation
) -> Iterator[Defect]:
    """A booking has the bags that were requested, in v2 those that were sent with it ("as booked", v3, Booking).

    More of them only warn: a booking may also show included bags, as the meaning of a quantity is open (OPEN-81).
    """
    version = transaction.url.version
    request, booked = returned_id(booking.get("request_id")), pieces(booked_bags(booking.value, version))
    if transaction.operation in RETRIEVALS:
        known = conversation.v3.booking(version, returned_id(booking.get("id")))
        sent = known.pieces if known and known.request == request else None
    else:
        sent = conversation.v3.requested_pieces(transaction, request)
    soft = sent is None or booked is None or not are_fewer(booked, sent)
    # What else differs in a retrieved booking, differed when it was made, or `V23-LOOK-UP` warns of it.
    if None not in (sent, booked) and sent != booked and not (soft and transaction.operation in RETRIEVALS):
        text = "the bags of a booking differ from those that were requested"
        at = "luggage" if version == "v2" else "bags"
        yield booking.defect(text, "the requested bags", "other bags", at, soft=soft)


@conversation_rule("V23-BOOKINGS-AS-REQUESTED", "response", *BOOKINGS, each="bookings/*")
def booking_has_the_requested_weights(
    booking: Node, transaction: Transaction, conversation: Conversation
) -> Iterator[Defect]:
    """As many checked bags as were requested weigh as much as those ("as booked", v3, Booking).

    In v3 another weight only warns: the documents do not describe its bags.
    """
    is_v2, request = transaction.url.version == "v2", returned_id(booking.get("request_id"))
    held = held_request(booking, transaction, conversation)
    shown = weights(member(booked_bags(booking.value, transaction.url.version), "checked"))
    sent = weights(member(transaction.sent, "luggage", request)) if is_v2 else held.weights if held else ()
    if sent and shown != sent and len(shown) == len(sent):
        text, at = (
            "the bags of a booking do not weigh as much as those that were requested",
            "luggage" if is_v2 else "bags",
        )
        yield booking.defect(text, "the requested weights", "other weights", at, soft=not is_v2)
