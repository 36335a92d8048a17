"""Rules of v3 and v2 on retrieved bookings, judged by what the `Conversation` has seen."""

from collections.abc import Iterator
from http import HTTPStatus

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.limits import BOOKINGS_OF_A_REFERENCE
from airworthy.contract.conversation.v3.memory import (
    AWAITING,
    CANCELED,
    CONFIRMED,
    RETRIEVALS,
    WAYS,
    reference,
    returned_id,
)
from airworthy.contract.http.transaction import Transaction, items, member
from airworthy.contract.rules.coded_rules import conversation_rule, transaction_rule
from airworthy.contract.v3.booking_rules import other_external_id

AWAITED = frozenset({AWAITING})
CONFIRMED_SO_FAR = frozenset({CONFIRMED})


@transaction_rule("V23-LOOK-UP", "response", *RETRIEVALS)
def each_booking_once(transaction: Transaction) -> Iterator[Defect]:
    """Each retrieved booking is listed once."""
    ids = [returned_id(booking.get("id")) for booking in items(transaction.delivered, "bookings")]
    if all(ids) and len(set(ids)) < len(ids):
        yield Defect(("bookings",), "a booking is listed twice", "each booking once", "a booking twice")


@transaction_rule("V23-LOOK-UP", "response", *RETRIEVALS, about="bookings/*")
def bookings_of_the_reference(transaction: Transaction) -> Iterator[Defect]:
    """Retrieved bookings have the requested reference."""
    requested = reference(transaction.url.query_value("cp_reference"))
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        found = reference(booking.get("cp_reference"))
        if requested and found and requested != found:
            text = "cp_reference of a booking differs from the requested one"
            place = ("bookings", index, "cp_reference")
            yield Defect(place, text, "the requested reference", "another reference")


@conversation_rule("V23-LOOK-UP", "response", *RETRIEVALS)
def bookings_are_found(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The key that made bookings under a reference retrieves them by it, in the letter case of the reference."""
    version, requested = transaction.url.version, transaction.url.query_value("cp_reference")
    under = conversation.v3.bookings_of(version, reference(requested))
    made = [conversation.v3.booking(version, each) for each in under]
    own = [each for each in made if each and each.caller == transaction.caller != "" and CANCELED not in each.statuses]
    own = [each for each in own if each.reference == requested]
    text, expected = (
        "no bookings are found under a reference that bookings were made with",
        "the bookings of the reference",
    )
    found, requests = member(transaction.delivered, "bookings"), {each.request for each in own if each.request}
    if isinstance(found, list) and 0 < len(found) < len(requests) == len(made) <= BOOKINGS_OF_A_REFERENCE:
        text, actual = "only one booking is found under a reference that two were made with", "one booking"
        yield Defect(("bookings",), text, expected, actual)
    elif own and found == []:
        yield Defect(("bookings",), text, expected, "an empty array")
    elif own and transaction.status == HTTPStatus.NOT_FOUND:
        yield Defect((), text, expected, "404", where="status")


@conversation_rule("V23-LOOK-UP", "response", "getBookings")
def ways_of_the_bookings(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Two bookings have types, in a round-trip fare outward and return; that of a single one is open (OPEN-93)."""
    bookings = items(transaction.delivered, "bookings")
    for index, booking in enumerate(bookings):
        held = conversation.v3.request(transaction.url.version, returned_id(booking.get("request_id")))
        place = ("bookings", index, "type")
        if booking.get("type") is None and len(bookings) == BOOKINGS_OF_A_REFERENCE:
            expected = held.way if held and held.way else "outward or return"
            actual = "null" if "type" in booking else "missing"
            yield Defect(place, "type is missing from one of two bookings", expected, actual)
        elif held and held.way and booking.get("type") in WAYS and booking["type"] != held.way:
            text = f"the {held.way} booking of a round trip has another type"
            yield Defect(place, text, held.way, booking["type"])


@conversation_rule("V23-EXTERNAL-ID", "response", *RETRIEVALS)
def external_id_stays(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A retrieved booking has the external id that was sent with it."""
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        known = conversation.v3.booking(transaction.url.version, returned_id(booking.get("id")))
        if known and known.external_id is not None:
            yield from other_external_id(known.external_id, booking.get("external_id"), index)


@conversation_rule("V23-LOCATOR", "response", *RETRIEVALS)
def locator_has_arrived(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking without a record locator is confirmed with one, within two hours (only warns, OPEN-39).

    Transitions through CHANGED or CANCELED are open (OPEN-11). A confirmed booking does not go back (only warns).
    """
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        known = conversation.v3.booking(transaction.url.version, returned_id(booking.get("id")))
        status, locator = booking.get("status"), booking.get("pnr_airline")
        if known is None:
            continue
        if known.statuses in (AWAITED, AWAITED | {CONFIRMED}) and status == CONFIRMED and locator in (None, ""):
            text = "a booking that awaited its record locator is confirmed without one"
            yield Defect(("bookings", index, "pnr_airline"), text, "the record locator", wording.shown(locator))
        elif status == AWAITING and known.statuses in (CONFIRMED_SO_FAR, AWAITED | CONFIRMED_SO_FAR):
            text, place = "a confirmed booking awaits its record locator again", ("bookings", index, "status")
            yield Defect(place, text, CONFIRMED, AWAITING, soft=True)
        elif (
            status == AWAITING and known.booked and transaction.started - known.booked > conversation.lifetimes.locator
        ):
            text = "a booking still awaits its record locator after more than two hours"
            place = ("bookings", index, "status")
            yield Defect(place, text, CONFIRMED, AWAITING, soft=True)
