"""The rules of v2 and v3 on bookings that are looked up, held against what was seen of them before."""

from collections.abc import Iterator
from datetime import timedelta
from http import HTTPStatus

from airworthy.contract.coded_rules import journey_rule, message_rule
from airworthy.contract.conversation.v3 import (
    AWAITING,
    CANCELED,
    CONFIRMED,
    LOOK_UPS,
    WAYS,
    answered_id,
    departure,
    reference,
)
from airworthy.contract.conversation.v4 import Journey
from airworthy.contract.shape import Breach
from airworthy.contract.transaction import Message, items, member
from airworthy.contract.v3.booking_rules import other_external_id

LOCATOR_DELAY = timedelta(hours=2)
BOOKINGS_OF_A_REFERENCE = 2
AWAITED = frozenset({AWAITING})
CONFIRMED_SO_FAR = frozenset({CONFIRMED})


@message_rule("V23-LOOK-UP", "response", *LOOK_UPS)
def each_booking_once(message: Message) -> Iterator[Breach]:
    """A booking that is looked up is listed once."""
    ids = [answered_id(booking.get("id")) for booking in items(message.delivered, "bookings")]
    if all(ids) and len(set(ids)) < len(ids):
        yield Breach(
            "V23-LOOK-UP", ("bookings",), "a booking is listed twice", "each booking once", "one booking twice"
        )


@message_rule("V23-LOOK-UP", "response", *LOOK_UPS)
def bookings_of_the_reference(message: Message) -> Iterator[Breach]:
    """The bookings that are looked up have the reference that was asked for."""
    asked = reference(message.call.value("cp_reference"))
    for index, booking in enumerate(items(message.delivered, "bookings")):
        found = reference(booking.get("cp_reference"))
        if asked and found and asked != found:
            text = "a booking has another reference than the one that was looked up"
            place = ("bookings", index, "cp_reference")
            yield Breach("V23-LOOK-UP", place, text, "the reference that was asked for", "another one")


@journey_rule("V23-LOOK-UP", "response", *LOOK_UPS)
def bookings_are_found(message: Message, journey: Journey) -> Iterator[Breach]:
    """Bookings that were made under a reference are found by it, by whom they were made."""
    version, asked = message.call.version, reference(message.call.value("cp_reference"))
    made = [journey.trips.booking(version, each) for each in journey.trips.bookings_of(version, asked)]
    own = [each for each in made if each and each.caller == message.caller != "" and CANCELED not in each.statuses]
    text, expected = "a reference under which bookings were made finds none", "the bookings of the reference"
    found, requests = member(message.delivered, "bookings"), {each.request for each in own if each.request}
    if isinstance(found, list) and 0 < len(found) < len(requests) == len(made) <= BOOKINGS_OF_A_REFERENCE:
        said, actual = "a reference under which two bookings were made finds one", "one booking"
        yield Breach("V23-LOOK-UP", ("bookings",), said, expected, actual)
    elif own and found == []:
        yield Breach("V23-LOOK-UP", ("bookings",), text, expected, "an empty array")
    elif own and message.status == HTTPStatus.NOT_FOUND:
        yield Breach("V23-LOOK-UP", (), text, expected, "404", where="status")


@journey_rule("V23-LOOK-UP", "response", *LOOK_UPS)
def request_stays(message: Message, journey: Journey) -> Iterator[Breach]:
    """A booking that is looked up is still that of its request, with the passengers that it was made for."""
    for index, booking in enumerate(items(message.delivered, "bookings")):
        known = journey.trips.booking(message.call.version, answered_id(booking.get("id")))
        request = answered_id(booking.get("request_id"))
        if known and known.request and request and request != known.request:
            text = "a booking names another request than the one that it was made of"
            yield Breach("V23-LOOK-UP", ("bookings", index, "request_id"), text, "the same id as before", "another id")
        records = booking.get("passengers")
        if known and known.passengers is not None and isinstance(records, list) and len(records) != known.passengers:
            text, place = "a booking has other passengers than when it was made", ("bookings", index, "passengers")
            yield Breach("V23-LOOK-UP", place, text, f"{known.passengers} records", f"{len(records)} records")


@journey_rule("V23-LOOK-UP", "response", *LOOK_UPS)
def original_flight_stays(message: Message, journey: Journey) -> Iterator[Breach]:
    """The flight of a booking stays the original one, whatever its schedule: final_flight is the current one."""
    for index, booking in enumerate(items(message.delivered, "bookings")):
        known = journey.trips.booking(message.call.version, answered_id(booking.get("id")))
        departs = departure(booking)
        if known and known.departs and departs and departs != known.departs:
            text = "the original flight of a booking leaves at another time than when it was booked"
            place = ("bookings", index, "flight", "departure_date")
            yield Breach("V23-LOOK-UP", place, text, "the same time as before", "another time")


@journey_rule("V23-LOOK-UP", "response", "getBookings")
def ways_of_the_bookings(message: Message, journey: Journey) -> Iterator[Breach]:
    """The bookings of a round-trip fare are its outward and its return one; what one-way ones are is open (OPEN-93)."""
    for index, booking in enumerate(items(message.delivered, "bookings")):
        held = journey.trips.request(message.call.version, answered_id(booking.get("request_id")))
        if held and held.way and booking.get("type") in WAYS and booking["type"] != held.way:
            text, place = f"the {held.way} booking of a round trip is of another type", ("bookings", index, "type")
            yield Breach("V23-LOOK-UP", place, text, held.way, booking["type"])


@journey_rule("V23-EXTERNAL-ID", "response", *LOOK_UPS)
def external_id_stays(message: Message, journey: Journey) -> Iterator[Breach]:
    """A booking that is looked up has the client's own id that was sent for it."""
    for index, booking in enumerate(items(message.delivered, "bookings")):
        known = journey.trips.booking(message.call.version, answered_id(booking.get("id")))
        if known and known.external_id is not None:
            yield from other_external_id(known.external_id, booking.get("external_id"), index)


@journey_rule("V23-LOCATOR", "response", *LOOK_UPS)
def locator_has_arrived(message: Message, journey: Journey) -> Iterator[Breach]:
    """A booking that awaited its record locator is confirmed with it, after two hours at most (soft, OPEN-39).

    What happens on the way through CHANGED or CANCELED is open (OPEN-11); no other way leads back (soft).
    """
    for index, booking in enumerate(items(message.delivered, "bookings")):
        known = journey.trips.booking(message.call.version, answered_id(booking.get("id")))
        status, locator = booking.get("status"), booking.get("pnr_airline")
        if known is None:
            continue
        if known.statuses in (AWAITED, AWAITED | {CONFIRMED}) and status == CONFIRMED and locator is None:
            text = "a booking that awaited its record locator is confirmed without one"
            yield Breach("V23-LOCATOR", ("bookings", index, "pnr_airline"), text, "the record locator", "none")
        elif status == AWAITING and known.statuses in (CONFIRMED_SO_FAR, AWAITED | CONFIRMED_SO_FAR):
            text, place = "a booking that was confirmed awaits its record locator again", ("bookings", index, "status")
            yield Breach("V23-LOCATOR", place, text, CONFIRMED, AWAITING, soft=True)
        elif status == AWAITING and known.booked and message.begun - known.booked > LOCATOR_DELAY:
            text = "a booking still awaits its record locator more than two hours after it was made"
            place = ("bookings", index, "status")
            yield Breach("V23-LOCATOR", place, text, CONFIRMED, AWAITING, soft=True)
