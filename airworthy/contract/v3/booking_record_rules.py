"""Rules of v3 and v2 on the bookings and passenger records of every response."""

import re
from collections.abc import Iterator

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.body import Json
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.v3.memory import BOOKINGS, RETRIEVALS, returned_id, sent_ids
from airworthy.contract.conversation.v3.parties import named_passengers
from airworthy.contract.http.transaction import Transaction, items, whole
from airworthy.contract.rules.coded_rules import conversation_rule, transaction_rule

# In years, more than any age limit of an infant.
CLEARLY_NO_INFANT = 12
LONGEST_DATE = 40
_YEAR = re.compile(r"\b(?:19|20)\d\d(?=\D|$)")


@transaction_rule("V23-BOOKING-FIELDS", "response", *BOOKINGS, each="bookings")
def one_booking_of_a_request(bookings: Node, transaction: Transaction) -> Iterator[Defect]:
    """Each booking belongs to a booking request of its own, unless the client sent one twice (OPEN-98)."""
    ids = sent_ids(transaction)
    requests = [returned_id(booking.get("request_id")) for booking in bookings.each("*")]
    if ids and len(set(ids)) == len(ids) and all((*ids, *requests)) and len(set(requests)) < len(requests):
        text, expected = "two bookings belong to the same booking request", "a booking request for each"
        yield bookings.defect(text, expected, "the same one twice")


@transaction_rule("V23-BOOKING-FIELDS", "response", *BOOKINGS, *RETRIEVALS, each="bookings/*")
def flight_of_the_booking(booking: Node, _transaction: Transaction) -> Iterator[Defect]:
    """A booking has the id of its flight."""
    own, flown = returned_id(booking.get("flight_id")), returned_id(booking.get("flight", "id"))
    if own and flown and own != flown:
        text = "flight_id of a booking differs from the id of its flight"
        yield booking.defect(text, "the id of its flight", "another id", "flight_id")


@transaction_rule("V23-PASSENGER-RECORD", "response", *BOOKINGS, *RETRIEVALS, each="bookings/*")
def passengers_of_the_booking(booking: Node, _transaction: Transaction) -> Iterator[Defect]:
    """A passenger record has the id of its booking. If all records agree on another id, the booking's own is wrong."""
    own, records = returned_id(booking.get("id")), booking.each("passengers/*")
    named_here = [returned_id(record.get("booking_id")) for record in records]
    if own and own not in named_here and len(named_here) > 1 == len(set(named_here)) and all(named_here):
        text = "the id of a booking differs from the one in its passenger records"
        yield booking.defect(text, "the id in the records", "another id", "id")
        return
    for record, of in zip(records, named_here, strict=True):
        if own and of and own != of:
            text = "booking_id of a passenger record differs from the id of its booking"
            yield record.defect(text, "the id of its booking", "another id", "booking_id")


@transaction_rule("V23-PASSENGER-RECORD", "response", "createBookings", "getBookings", each="bookings/*")
def infants_are_young(booking: Node, _transaction: Transaction) -> Iterator[Defect]:
    """A passenger who is marked as an infant is not clearly older than one, whatever the age limit (OPEN-84).

    Only warns: v3 names no age, and v4 "under 2 years". In v2, the client marks the infants. Another number of marks
    than infant_count has a finding of its own.
    """
    departs, records = _year(booking.get("flight", "departure_date")), booking.each("passengers/*")
    marks = [each.get("is_infant") for each in records]
    for record in records if marks.count(True) == whole(booking.get("infant_count")) else ():
        born = _year(record.get("date_of_birth"))
        if record.get("is_infant") is True and departs and born and departs - born > CLEARLY_NO_INFANT:
            text = f"a passenger who is more than {CLEARLY_NO_INFANT} years old is marked as an infant"
            yield record.defect(text, "false", "true", "is_infant", soft=True)


@transaction_rule("V23-BOOKING-FIELDS", "response", *BOOKINGS, each="bookings")
@transaction_rule("V23-LOOK-UP", "response", *RETRIEVALS, each="bookings")
@transaction_rule("V23-PASSENGER-RECORD", "response", *BOOKINGS, *RETRIEVALS, each="bookings/*/passengers")
def an_id_for_each(listed: Node, _transaction: Transaction) -> Iterator[Defect]:
    """The bookings of a response, and the passenger records of a booking, have different ids."""
    ids = [returned_id(each.get("id")) for each in listed.each("*")]
    if all(ids) and len(set(ids)) < len(ids):
        yield listed.defect(f"two of the {listed.place[-1]} have the same id", "an id for each", "the same id twice")


@transaction_rule("V23-PASSENGER-RECORD", "response", *BOOKINGS, *RETRIEVALS, each="bookings/*/passengers/*")
def no_time_of_what_did_not_happen(record: Node, _transaction: Transaction) -> Iterator[Defect]:
    """A passenger who is not confirmed or not canceled has no time of that ("Absent values are null").

    Only warns: what the times say is not documented.
    """
    for name in ("confirmed", "canceled"):
        if record.get(name) is False and record.get(f"{name}_at"):
            text = f"{name} of a passenger record is false, but {name}_at has a time"
            yield record.defect(text, "null", "a time", f"{name}_at", soft=True)


@conversation_rule("V23-BOOKING-FIELDS", "response", *BOOKINGS, *RETRIEVALS, each="bookings/*")
def infants_of_the_booking(booking: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """infant_count is the number of infant records; whether a canceled passenger counts is not documented.

    Either may count if the booking names other infants than its booking request was made for (OPEN-98), or if the
    request names no passengers (OPEN-99).
    """
    records, counted = items(booking.value, "passengers"), whole(booking.get("infant_count"))
    is_plain = all(isinstance(each.get("is_infant"), bool) and each.get("canceled") is False for each in records)
    marked = sum(each.get("is_infant") is True for each in records)
    differs = counted is not None and counted != marked
    if records and is_plain and differs and _are_marked_as_sent(transaction, marked):
        held = conversation.v3.request(transaction.url.version, returned_id(booking.get("request_id")))
        infants = held.party.infants if held and held.party else None
        if not held or (infants != counted and not (infants is None and held.passengers is None)):
            text = "infant_count of a booking differs from its number of infant records"
            yield booking.defect(text, wording.shown(marked), wording.shown(counted), "infant_count")


@conversation_rule("V23-BOOKING-FIELDS", "response", *BOOKINGS, each="bookings/*")
def passengers_are_counted(booking: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """passenger_count is the number of passenger records, with or without infants. Only warns (OPEN-82).

    Another number of records than passengers that were sent has a finding of its own.
    """
    records, counted = items(booking.value, "passengers"), whole(booking.get("passenger_count"))
    seated = sum(each.get("is_infant") is not True for each in records)
    sent = conversation.v3.passengers(transaction, returned_id(booking.get("request_id")))
    if len(records) == sent and counted is not None and counted not in (seated, len(records)):
        text = "passenger_count of a booking differs from its number of passenger records"
        yield booking.defect(text, wording.shown(len(records)), wording.shown(counted), "passenger_count", soft=True)


def _are_marked_as_sent(transaction: Transaction, marked: int) -> bool:
    """Return whether the records mark as many infants as were sent; if not, another rule reports that."""
    sent = [each.get("is_infant") for each in items(named_passengers(transaction))]
    return not sent or None in sent or sent.count(True) == marked


def _year(value: Json) -> int | None:
    """Return the year in a date, in any of its formats (OPEN-10), or None."""
    found = _YEAR.search(value[:LONGEST_DATE]) if isinstance(value, str) else None
    return int(found[0]) if found else None
