"""Rules of v3 and v2 on who travels: the passengers of a booking are those of its booking request."""

from collections.abc import Iterator

from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.agreement import ABSENT, remembered
from airworthy.contract.conversation.v3.memory import BOOKINGS, RETRIEVALS, named, returned_id
from airworthy.contract.conversation.v3.parties import Party, named_passengers
from airworthy.contract.http.transaction import Transaction, items
from airworthy.contract.rules.coded_rules import conversation_rule

_DOCUMENT = ("passport_number", "passport_expiry_date", "passport_country_of_issue")
_DERIVABLE = ("nationality", "birth_country")


@conversation_rule("V2-BOOKINGS-PASSENGERS", "request", "createBookingsV2", each="passengers")
def passengers_of_the_booking_requests(
    passengers: Node, transaction: Transaction, conversation: Conversation
) -> Iterator[Defect]:
    """A booking has the passengers that its booking requests hold seats for (v3, What the service does).

    Only warns: no sentence says that all of them are booked (v3, v2 endpoints). Whether booking requests for different
    passengers can be booked together is open (OPEN-98).
    """
    booked = Party.named(passengers.value)
    held = [conversation.v3.request(transaction.url.version, each.id) for each in named(transaction)]
    parties = [each.party for each in held if each and each.party]
    if booked and parties and len(parties) == len(held) and booked not in parties:
        text = "the passengers of the booking are not those that its booking request was made for"
        yield passengers.defect(text, parties[0].shown, booked.shown, soft=True, tolerable=True)


@conversation_rule("V23-BOOKINGS-BOOK", "response", *BOOKINGS, each="bookings/*")
def as_many_passengers_as_sent(booking: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking has as many passengers, and as many infants, as were sent with it or with its booking request."""
    sent = [each.get("is_infant") for each in items(named_passengers(transaction))]
    expected = conversation.v3.passengers(transaction, returned_id(booking.get("request_id")))
    records = booking / "passengers"
    marks = [each.get("is_infant") for each in records.each("*")]
    if isinstance(records.value, list) and expected is not None and len(records.value) != expected:
        text = "a booking does not have the number of passengers that was sent"
        yield records.defect(text, f"{expected} records", f"{len(records.value)} records")
    elif sent and None not in sent and marks.count(True) != sent.count(True):
        text = "a booking does not have the number of infants that was sent"
        yield records.defect(text, f"{sent.count(True)} infants", f"{marks.count(True)} infants")


@conversation_rule("V23-PASSENGER-RECORD", "response", *BOOKINGS, each="bookings/*")
def values_that_were_not_sent(booking: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A passenger record has no travel document that was not sent: "Absent values are null."

    A nationality or a country of birth only warns: a service may know it from elsewhere.
    """
    sent = items(conversation.v3.sent_passengers(transaction, returned_id(booking.get("request_id"))))
    records = booking.each("passengers/*")
    for name in (*_DOCUMENT, *_DERIVABLE) if len(sent) == len(records) else ():
        shown = [each for each in records if each.get(name) not in ABSENT]
        if len(shown) > sum(each.get(name) is not None for each in sent):
            text = f"a passenger record has a {name} that was not sent"
            yield shown[-1].defect(text, "null", "a value", name, soft=name in _DERIVABLE)


@conversation_rule("V23-PASSENGER-RECORD", "response", *BOOKINGS, *RETRIEVALS, each="bookings/*")
def absent_values_are_null(booking: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A passenger record has null, not an empty text, for a value that was not sent ("Absent values are null")."""
    known = conversation.v3.booking(transaction.url.version, returned_id(booking.get("id")))
    if transaction.operation in RETRIEVALS:
        before = items(remembered(known.shown) if known else None, "passengers")
    else:
        before = items(conversation.v3.sent_passengers(transaction, returned_id(booking.get("request_id"))))
    records = booking.each("passengers/*")
    for name in (*_DOCUMENT, *_DERIVABLE) if len(before) == len(records) else ():
        empty = [each for each in records if each.get(name) == ""]
        if len(empty) > sum(each.get(name) == "" for each in before):
            yield empty[-1].defect(f"a passenger record has an empty {name}", "null", "an empty text", name)
