"""Rules of every version that only bind clients: HTTPS, no card data for the service, secrets where they belong."""

import re
from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import unquote_plus

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.bodies.card_numbers import holds_card_number, may_hold_card_number
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.v3.memory import RETRIEVALS, SUBJECTS, identifier, named
from airworthy.contract.http.card_details import card_details
from airworthy.contract.http.credentials import BASIC
from airworthy.contract.http.transaction import Transaction, day, member
from airworthy.contract.rules.coded_rules import conversation_rule, every_version, transaction_rule

MOST_HEADERS = 200
LONGEST_HEADER = 4096
LONGEST_TEXT = 1024 * 1024
# Identity numbers of some countries have 14 or 18 digits: one in ten may look like a card number.
DOCUMENT_NUMBERS = frozenset({"identificationNumber", "passport_number"})
# Headers with generated numbers: a 64-bit number may look like a card number.
_MACHINE_MADE = re.compile(r"cookie|if-.*|.*(?:trace|span|datadog|correlation|request-id).*", re.IGNORECASE)


@transaction_rule(every_version("HTTPS-ONLY"), "request")
def sent_by_https(transaction: Transaction) -> Iterator[Defect]:
    """A request is sent over HTTPS only. How a service rejects plain HTTP is open (OPEN-33)."""
    if not transaction.url.secure:
        text = "the request uses plain HTTP"
        yield Defect((), text, "HTTPS", "plain HTTP", where="path", tolerable=True)


@transaction_rule(every_version("CARD-DATA"), "request")
def card_data(transaction: Transaction) -> Iterator[Defect]:
    """No card number is sent to the service: not in a field, a parameter, a header or the path.

    Nor is a card's security code or expiry, which only the names of members, parameters and headers show. A service may
    ignore either (OPEN-47).
    """
    text = "the request contains a card number"
    expected = "no card data: only the id (pm_…) that the payment provider returns for the card"
    for place, where in _card_numbers(transaction):
        yield Defect(place, text, expected, "a card number", where=where, tolerable=True)
    for place, where, what in card_details(transaction):
        yield Defect(place, f"the request contains {what}", expected, what, where=where, tolerable=True)


@transaction_rule(every_version("AUTH-KEY-SENT"), "request")
def key_in_the_form_of_a_key(transaction: Transaction) -> Iterator[Defect]:
    """The key is not a user name: only the payment provider uses basic authentication."""
    if transaction.credential[0] == BASIC:
        text = "the request uses basic authentication, which only the payment provider does"
        yield _misplaced(text, "the API key", "basic authentication")


@conversation_rule(every_version("AUTH-KEY-SENT"), "request")
def key_of_the_service(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The key is not the payment provider's token."""
    if conversation.credentials.belongs_elsewhere(transaction):
        text = "the request sends the payment provider's token to the service"
        yield _misplaced(text, "the API key", "the payment provider's token")


@conversation_rule("V4-ORDER-ID-FORM", "request")
@conversation_rule("V3-BOOKINGS-REQUESTS", "request", "createBookings")
@conversation_rule("V2-BOOKINGS-REQUESTS", "request", "createBookingsV2")
@conversation_rule("V3-CANCEL-PENDING", "request", "cancelRequest")
@conversation_rule("V23-LOOK-UP", "request", *RETRIEVALS)
def ids_of_the_right_resource(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A request that finds nothing does not have the id of another resource, such as an offer's for an order.

    Only warns in v3 and v2, whose numbers may be equal by chance.
    """
    version, is_missing = transaction.url.version, member(transaction.delivered, "fares") == []
    for each in named(transaction) if transaction.rejected or is_missing else ():
        known = conversation.identified(version, each.id)
        if known and each.subject not in known:
            text = f"the id that is sent for the {each.subject} is that of the {known[0]}"
            expected, actual = f"the id of the {each.subject}", f"the id of the {known[0]}"
            yield Defect(each.place, text, expected, actual, each.where, soft=version != "v4", tolerable=True)


@transaction_rule("V4-ORDER-BIRTH-DATE", "request", "createOrder", each="passengers/*/birthDate")
@transaction_rule("V3-REQUESTS-PASSENGER", "request", "createRequests", each="passengers/*/date_of_birth")
@transaction_rule("V2-BOOKINGS-REQUIRED", "request", "createBookingsV2", each="passengers/*/date_of_birth")
def born_already(birth: Node, transaction: Transaction) -> Iterator[Defect]:
    """No birth date is in a later month, whatever the time zone. Only warns: the documents do not say it."""
    born = day(birth.value)
    # Redacted evidence keeps only the month.
    if born is not None and born.replace(day=1) > transaction.started.date() + timedelta(days=1):
        text = "the birth date of a passenger is in the future"
        yield birth.defect(text, "a date in the past", "a date in the future", soft=True, tolerable=True)


@conversation_rule("PAYMENT-METHOD-TOKEN", "request", "createPaymentMethod")
def token_of_the_provider(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The restricted token is not the key of the service."""
    if conversation.credentials.belongs_elsewhere(transaction):
        text = "the request sends the key of the service to the payment provider"
        yield _misplaced(text, "the restricted token", "the key of the service")


def _misplaced(text: str, expected: str, actual: str) -> Defect:
    """Return a defect of the client: in what order a service checks a request is open (OPEN-74)."""
    return Defect((), text, expected, actual, where="header:Authorization", tolerable=True)


def _card_numbers(transaction: Transaction) -> Iterator[tuple[Pointer, str]]:
    """Yield the location of each card number: its path in the body, or its `Defect.where`."""
    request, ids = transaction.exchange.request, _ids(transaction)

    def is_card_number(value: Json) -> bool:
        return holds_card_number(value) and identifier(value) not in ids

    content = (request.body or b"")[:LONGEST_TEXT]
    if may_hold_card_number(content):
        if transaction.sent is not None:
            texts = (each for each in _texts(transaction.sent) if not DOCUMENT_NUMBERS.intersection(each[0][-1:]))
            yield from ((place, "") for place, value in texts if is_card_number(value))
        elif holds_card_number(unquote_plus(content.decode("utf-8", "replace"))):
            yield (), ""
    if any(map(is_card_number, transaction.url.path.split("/"))):
        yield (), "path"
    for name, value in transaction.url.query:
        if is_card_number(value) or holds_card_number(name):
            yield (), f"query:{name if wording.is_name(name) else '?'}"
    for name, value in request.headers[:MOST_HEADERS]:
        if holds_card_number(value[:LONGEST_HEADER]) and not _MACHINE_MADE.fullmatch(name):
            yield (), f"header:{name if wording.is_name(name) else '?'}"


def _ids(transaction: Transaction) -> set[str]:
    """Return the ids and the cursor in a request of v3 or v2: the service chose them, and they may look like cards."""
    others = member(transaction.sent, "flight_id"), transaction.url.query_value("next_page_id")
    return {each.id for each in named(transaction) if each.subject in SUBJECTS} | {identifier(each) for each in others}


def _texts(value: Json) -> Iterator[tuple[Pointer, Json]]:
    """Yield the values and the member names of a body, each with its path."""
    waiting: list[tuple[Pointer, Json]] = [((), value)]
    while waiting:
        place, node = waiting.pop()
        if isinstance(node, dict):
            waiting.extend(((*place, name), child) for name, child in node.items())
            yield from (((*place, name), name) for name in node)
        elif isinstance(node, list):
            waiting.extend(((*place, index), child) for index, child in enumerate(node))
        else:
            yield place, node
