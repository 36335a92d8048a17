"""Rules of v3 and v2 on the bookings and passenger records of every response."""

from collections.abc import Iterator

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.conversation.v3.memory import (
    BOOKINGS,
    RETRIEVALS,
    returned_id,
    sent_ids,
)
from airworthy.contract.conversation.v3.parties import named_passengers
from airworthy.contract.http.transaction import Transaction, items, member, whole
from airworthy.contract.rules.coded_rules import transaction_rule


@transaction_rule("V23-BOOKING-FIELDS", "response", *BOOKINGS)
def one_booking_of_a_request(transaction: Transaction) -> Iterator[Defect]:
    """Each booking belongs to a booking request of its own, unless the client sent one twice (OPEN-98)."""
    ids = sent_ids(transaction)
    requests = [returned_id(booking.get("request_id")) for booking in items(transaction.delivered, "bookings")]
    if ids and len(set(ids)) == len(ids) and all((*ids, *requests)) and len(set(requests)) < len(requests):
        text, expected = "two bookings belong to the same booking request", "a booking request for each"
        yield Defect(("bookings",), text, expected, "the same one twice")


@transaction_rule("V23-BOOKING-FIELDS", "response", *BOOKINGS, *RETRIEVALS)
def flight_of_the_booking(transaction: Transaction) -> Iterator[Defect]:
    """A booking has the id of its flight."""
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        own, flown = returned_id(booking.get("flight_id")), returned_id(member(booking, "flight", "id"))
        if own and flown and own != flown:
            text, place = "flight_id of a booking differs from the id of its flight", ("bookings", index, "flight_id")
            yield Defect(place, text, "the id of its flight", "another id")


@transaction_rule("V23-PASSENGER-RECORD", "response", *BOOKINGS, *RETRIEVALS)
def passengers_of_the_booking(transaction: Transaction) -> Iterator[Defect]:
    """A passenger record has the id of its booking. If all records agree on another id, the booking's own is wrong."""
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        own = returned_id(booking.get("id"))
        named_here = [returned_id(passenger.get("booking_id")) for passenger in items(booking, "passengers")]
        if own and own not in named_here and len(named_here) > 1 == len(set(named_here)) and all(named_here):
            text = "the id of a booking differs from the one in its passenger records"
            yield Defect(("bookings", index, "id"), text, "the id in the records", "another id")
            continue
        for position, of in enumerate(named_here):
            if own and of and own != of:
                text = "booking_id of a passenger record differs from the id of its booking"
                place = ("bookings", index, "passengers", position, "booking_id")
                yield Defect(place, text, "the id of its booking", "another id")


@transaction_rule("V23-PASSENGER-RECORD", "response", *BOOKINGS, *RETRIEVALS)
def a_record_for_each_passenger(transaction: Transaction) -> Iterator[Defect]:
    """The passenger records of a booking have different ids."""
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        ids = [returned_id(passenger.get("id")) for passenger in items(booking, "passengers")]
        if all(ids) and len(set(ids)) < len(ids):
            text, place = "two passenger records have the same id", ("bookings", index, "passengers")
            yield Defect(place, text, "an id for each record", "the same id twice")


@transaction_rule("V23-BOOKING-FIELDS", "response", *BOOKINGS, *RETRIEVALS)
def infants_of_the_booking(transaction: Transaction) -> Iterator[Defect]:
    """infant_count is the number of infant records; whether a canceled passenger counts is not documented."""
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
            text, place = (
                "infant_count of a booking differs from its number of infant records",
                ("bookings", index, "infant_count"),
            )
            yield Defect(place, text, wording.shown(marked), wording.shown(counted))


def _are_marked_as_sent(transaction: Transaction, marked: int) -> bool:
    """Return whether the records mark as many infants as were sent; if not, another rule reports that."""
    sent = [each.get("is_infant") for each in items(named_passengers(transaction))]
    return not sent or None in sent or sent.count(True) == marked
