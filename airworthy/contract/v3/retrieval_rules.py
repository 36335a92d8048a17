"""The rules of v2 and v3 on bookings that are looked up, held against what was seen of them before."""

from collections.abc import Iterator
from datetime import timedelta
from http import HTTPStatus

from airworthy.contract.coded_rules import conversation_rule, transaction_rule
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.v3 import (
    AWAITING,
    CANCELED,
    CONFIRMED,
    RETRIEVALS,
    WAYS,
    answered_id,
    departure,
    reference,
)
from airworthy.contract.defect import Defect
from airworthy.contract.transaction import Transaction, items, member
from airworthy.contract.v3.booking_rules import other_external_id

LOCATOR_DELAY = timedelta(hours=2)
BOOKINGS_OF_A_REFERENCE = 2
AWAITED = frozenset({AWAITING})
CONFIRMED_SO_FAR = frozenset({CONFIRMED})


@transaction_rule("V23-LOOK-UP", "response", *RETRIEVALS)
def each_booking_once(transaction: Transaction) -> Iterator[Defect]:
    """A booking that is looked up is listed once."""
    ids = [answered_id(booking.get("id")) for booking in items(transaction.delivered, "bookings")]
    if all(ids) and len(set(ids)) < len(ids):
        yield Defect(("bookings",), "a booking is listed twice", "each booking once", "one booking twice")


@transaction_rule("V23-LOOK-UP", "response", *RETRIEVALS)
def bookings_of_the_reference(transaction: Transaction) -> Iterator[Defect]:
    """The bookings that are looked up have the reference that was asked for."""
    asked = reference(transaction.url.query_value("cp_reference"))
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        found = reference(booking.get("cp_reference"))
        if asked and found and asked != found:
            text = "a booking has another reference than the one that was looked up"
            place = ("bookings", index, "cp_reference")
            yield Defect(place, text, "the reference that was asked for", "another one")


@conversation_rule("V23-LOOK-UP", "response", *RETRIEVALS)
def bookings_are_found(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Bookings that were made under a reference are found by it, by whom they were made."""
    version, asked = transaction.url.version, reference(transaction.url.query_value("cp_reference"))
    made = [conversation.v3.booking(version, each) for each in conversation.v3.bookings_of(version, asked)]
    own = [each for each in made if each and each.caller == transaction.caller != "" and CANCELED not in each.statuses]
    text, expected = "a reference under which bookings were made finds none", "the bookings of the reference"
    found, requests = member(transaction.delivered, "bookings"), {each.request for each in own if each.request}
    if isinstance(found, list) and 0 < len(found) < len(requests) == len(made) <= BOOKINGS_OF_A_REFERENCE:
        said, actual = "a reference under which two bookings were made finds one", "one booking"
        yield Defect(("bookings",), said, expected, actual)
    elif own and found == []:
        yield Defect(("bookings",), text, expected, "an empty array")
    elif own and transaction.status == HTTPStatus.NOT_FOUND:
        yield Defect((), text, expected, "404", where="status")


@conversation_rule("V23-LOOK-UP", "response", *RETRIEVALS)
def request_stays(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking that is looked up is still that of its request, with the passengers that it was made for."""
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        known = conversation.v3.booking(transaction.url.version, answered_id(booking.get("id")))
        request = answered_id(booking.get("request_id"))
        if known and known.request and request and request != known.request:
            text = "a booking names another request than the one that it was made of"
            yield Defect(("bookings", index, "request_id"), text, "the same id as before", "another id")
        records = booking.get("passengers")
        if known and known.passengers is not None and isinstance(records, list) and len(records) != known.passengers:
            text, place = "a booking has other passengers than when it was made", ("bookings", index, "passengers")
            yield Defect(place, text, f"{known.passengers} records", f"{len(records)} records")


@conversation_rule("V23-LOOK-UP", "response", *RETRIEVALS)
def original_flight_stays(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The flight of a booking stays the original one, whatever its schedule: final_flight is the current one."""
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        known = conversation.v3.booking(transaction.url.version, answered_id(booking.get("id")))
        departs = departure(booking)
        if known and known.departs and departs and departs != known.departs:
            text = "the original flight of a booking leaves at another time than when it was booked"
            place = ("bookings", index, "flight", "departure_date")
            yield Defect(place, text, "the same time as before", "another time")


@conversation_rule("V23-LOOK-UP", "response", "getBookings")
def ways_of_the_bookings(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The bookings of a round-trip fare are its outward and its return one; what one-way ones are is open (OPEN-93)."""
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        held = conversation.v3.request(transaction.url.version, answered_id(booking.get("request_id")))
        if held and held.way and booking.get("type") in WAYS and booking["type"] != held.way:
            text, place = f"the {held.way} booking of a round trip is of another type", ("bookings", index, "type")
            yield Defect(place, text, held.way, booking["type"])


@conversation_rule("V23-EXTERNAL-ID", "response", *RETRIEVALS)
def external_id_stays(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking that is looked up has the client's own id that was sent for it."""
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        known = conversation.v3.booking(transaction.url.version, answered_id(booking.get("id")))
        if known and known.external_id is not None:
            yield from other_external_id(known.external_id, booking.get("external_id"), index)


@conversation_rule("V23-LOCATOR", "response", *RETRIEVALS)
def locator_has_arrived(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking that awaited its record locator is confirmed with it, after two hours at most (soft, OPEN-39).

    What happens on the way through CHANGED or CANCELED is open (OPEN-11); no other way leads back (soft).
    """
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        known = conversation.v3.booking(transaction.url.version, answered_id(booking.get("id")))
        status, locator = booking.get("status"), booking.get("pnr_airline")
        if known is None:
            continue
        if known.statuses in (AWAITED, AWAITED | {CONFIRMED}) and status == CONFIRMED and locator is None:
            text = "a booking that awaited its record locator is confirmed without one"
            yield Defect(("bookings", index, "pnr_airline"), text, "the record locator", "none")
        elif status == AWAITING and known.statuses in (CONFIRMED_SO_FAR, AWAITED | CONFIRMED_SO_FAR):
            text, place = "a booking that was confirmed awaits its record locator again", ("bookings", index, "status")
            yield Defect(place, text, CONFIRMED, AWAITING, soft=True)
        elif status == AWAITING and known.booked and transaction.started - known.booked > LOCATOR_DELAY:
            text = "a booking still awaits its record locator more than two hours after it was made"
            place = ("bookings", index, "status")
            yield Defect(place, text, CONFIRMED, AWAITING, soft=True)
