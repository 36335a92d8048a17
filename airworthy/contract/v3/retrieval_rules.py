"""Rules of v3 and v2 on retrieved bookings, judged by what the `Conversation` has seen."""

from collections.abc import Iterator
from datetime import timedelta

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.agreement import ABSENT, remembered
from airworthy.contract.conversation.limits import BOOKINGS_OF_A_REFERENCE, RETENTION
from airworthy.contract.conversation.v3.memory import (
    AWAITING,
    CANCELED,
    CONFIRMED,
    RETRIEVALS,
    WAYS,
    reference,
    returned_id,
)
from airworthy.contract.http.transaction import Transaction, member
from airworthy.contract.rules.coded_rules import conversation_rule, transaction_rule
from airworthy.contract.v3.booking_rules import external_id_of_another, other_external_id
from airworthy.contract.v3.held_value_rules import held_request

AWAITED = frozenset({AWAITING})
CONFIRMED_SO_FAR = frozenset({CONFIRMED})


@transaction_rule("V23-LOOK-UP", "response", *RETRIEVALS, about="bookings/*")
def bookings_of_the_reference(booking: Node, transaction: Transaction) -> Iterator[Defect]:
    """Retrieved bookings have the requested reference."""
    requested = reference(transaction.url.query_value("cp_reference"))
    found = reference(booking.get("cp_reference"))
    if requested and found and requested != found:
        text = "cp_reference of a booking differs from the requested one"
        yield booking.defect(text, "the requested reference", "another reference", "cp_reference")


@conversation_rule("V23-LOOK-UP", "response", *RETRIEVALS)
def bookings_are_found(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The key that made bookings under a reference retrieves them by it, in the letter case of the reference.

    Only warns long after the bookings: for how long they are kept is not documented (v3, GET /v3/bookings).
    """
    version, requested = transaction.url.version, transaction.url.query_value("cp_reference")
    under = conversation.v3.bookings_of(version, reference(requested))
    made = ((key, known) for key in under if (known := conversation.v3.booking(version, key)))
    own = {
        key: known
        for key, known in made
        if known.caller == transaction.caller != "" and CANCELED not in known.statuses and known.reference == requested
    }
    is_old = any(known.booked is not None and transaction.started - known.booked > RETENTION for known in own.values())
    bookings, expected = transaction.response / "bookings", "the bookings of the reference"
    text = "no bookings are found under a reference that bookings were made with"
    found = bookings.each("*")
    shown = {(name, returned_id(each.get(name))) for each in found for name in ("id", "request_id")}
    lost = [key for key, known in own.items() if shown.isdisjoint({("id", key), ("request_id", known.request)})]
    # Bookings with another reference, or without an id, have a finding of their own.
    are_sound = {reference(each.get("cp_reference")) for each in found} == {reference(requested)}
    are_all = len({known.request for known in own.values()} - {""}) == len(under) <= BOOKINGS_OF_A_REFERENCE
    if lost and are_all and are_sound and ("id", "") not in shown:
        text = "a booking is not found under the reference that it was made with"
        yield bookings.defect(text, expected, f"{len(lost)} of {len(own)} missing", soft=is_old)
    elif own and bookings.value == []:
        yield bookings.defect(text, expected, "an empty array", soft=is_old)
    elif own and transaction.denied:
        yield Defect((), text, expected, str(transaction.status), where="status", soft=is_old)


@conversation_rule("V23-LOOK-UP", "response", *RETRIEVALS, each="bookings/*")
def booking_keeps_its_id(booking: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The booking of a booking request is retrieved under its reference with the id that it was made with.

    Passenger records that have this id have a finding of their own.
    """
    version, request = transaction.url.version, returned_id(booking.get("request_id"))
    under = conversation.v3.bookings_of(version, reference(booking.get("cp_reference")))
    made = {each for each in under if (known := conversation.v3.booking(version, each)) and known.request == request}
    shown = {returned_id(each.get("id")) for each in transaction.response.each("bookings/*")}
    named = {returned_id(each.get("booking_id")) for each in booking.each("passengers/*")}
    if request and made and all(shown) and made.isdisjoint(shown | named):
        text = "the id of a booking differs from the one that it was made with"
        yield booking.defect(text, "the same id as before", "another id", "id")


@conversation_rule("V23-LOOK-UP", "response", *RETRIEVALS, each="bookings/*")
def ways_of_the_bookings(booking: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The bookings of a round trip are outward and return.

    The type of a one-way booking is open (OPEN-93), so that two without one only warn, unless they are of one fare. In
    v2, two may also be part of an order of three (OPEN-19).
    """
    bookings = transaction.response.each("bookings/*")
    is_pair = transaction.url.version == "v3" and len(bookings) == BOOKINGS_OF_A_REFERENCE
    ways = {each.place: _way(each, transaction, conversation) for each in bookings}
    expected, way = ways[booking.place], booking / "type"
    if way.value is None and is_pair:
        actual = "null" if "type" in booking.value else "missing"
        text = "type is missing from one of two bookings"
        yield way.defect(text, expected or "outward or return", actual, soft="" in ways.values())
    elif expected and way.value in WAYS and way.value != expected:
        yield way.defect(f"the {expected} booking of a round trip has another type", expected, way.value)


def _way(booking: Node, transaction: Transaction, conversation: Conversation) -> str:
    held = held_request(booking, transaction, conversation)
    return (held.way if held else None) or ""


@conversation_rule("V23-EXTERNAL-ID", "response", *RETRIEVALS, each="bookings/*")
def external_id_stays(booking: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A retrieved booking has the external id that was sent with it."""
    known = conversation.v3.booking(transaction.url.version, returned_id(booking.get("id")))
    if known and known.external_id is not None:
        yield from other_external_id(known.external_id, booking / "external_id")
    elif known and known.booked:
        yield from external_id_of_another(booking / "external_id", transaction, conversation)


@conversation_rule("V23-LOCATOR", "response", *RETRIEVALS, each="bookings/*")
def locator_has_arrived(booking: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking without a record locator is confirmed with one, within two hours (only warns, OPEN-39).

    With its locator it is CONFIRMED, at the latest when it is retrieved once more. Transitions through CHANGED or
    CANCELED are open (OPEN-11). A confirmed booking does not go back (only warns).
    """
    known = conversation.v3.booking(transaction.url.version, returned_id(booking.get("id")))
    status, locator = booking / "status", booking / "pnr_airline"
    if known is None:
        return
    awaits = status.value == AWAITING
    waited = transaction.started - known.booked if known.booked else timedelta()
    if known.statuses in (AWAITED, AWAITED | {CONFIRMED}) and status.value == CONFIRMED and locator.value in ABSENT:
        text = "a booking that awaited its record locator is confirmed without one"
        yield locator.defect(text, "the record locator", wording.shown(locator.value))
    elif awaits and locator.value not in ABSENT:
        text = "a booking still awaits its record locator, although it has one"
        shown = member(remembered(known.shown), "pnr_airline")
        yield status.defect(text, CONFIRMED, AWAITING, soft=shown in ABSENT)
    elif awaits and known.statuses in (CONFIRMED_SO_FAR, AWAITED | CONFIRMED_SO_FAR):
        yield status.defect("a confirmed booking awaits its record locator again", CONFIRMED, AWAITING, soft=True)
    elif awaits and waited > conversation.lifetimes.locator:
        within = f"{CONFIRMED} within {conversation.lifetimes.locator_seconds:.0f} s (locator_seconds of the profile)"
        yield status.defect("a booking awaits its record locator for too long", within, AWAITING, soft=True)
