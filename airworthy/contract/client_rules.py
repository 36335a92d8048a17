"""What clients of every version do wrong alone: plain HTTP, card data for the service, a secret in the wrong place."""

import re
from collections.abc import Iterator
from urllib.parse import unquote_plus

from airworthy.contract import wording
from airworthy.contract.body import Json, Pointer
from airworthy.contract.card_numbers import holds_card_number, may_hold_card_number
from airworthy.contract.coded_rules import every_version_journey_rule, every_version_rule, journey_rule
from airworthy.contract.conversation.v4 import Journey
from airworthy.contract.credentials import BASIC
from airworthy.contract.shape import Breach
from airworthy.contract.transaction import Message

MOST_HEADERS = 200
LONGEST_HEADER = 4096
LONGEST_TEXT = 1024 * 1024
# Headers whose numbers a machine has made: 64-bit ones may have the form of a card number.
_MACHINE_MADE = re.compile(r"cookie|if-.*|.*(?:trace|span|datadog|correlation|request-id).*", re.IGNORECASE)


@every_version_rule("HTTPS-ONLY", "request")
def sent_by_https(message: Message) -> Iterator[Breach]:
    """A request is sent over HTTPS only."""
    if not message.call.secure:
        text = "the request is sent over plain HTTP"
        yield Breach(message.rule("HTTPS-ONLY"), (), text, "HTTPS", "plain HTTP", where="path", tolerable=True)


@every_version_rule("CARD-DATA", "request")
def card_data(message: Message) -> Iterator[Breach]:
    """No card number is sent to the service, in whatever field, parameter, header or path."""
    rule, text, expected = message.rule("CARD-DATA"), "a card number is sent to the service", "no card data"
    for place, where in _card_numbers(message):
        yield Breach(rule, place, text, expected, "a card number", where=where, tolerable=True)


@every_version_rule("AUTH-KEY-SENT", "request")
def key_in_the_form_of_a_key(message: Message) -> Iterator[Breach]:
    """The key is no user name: basic authentication is how the payment provider is called."""
    if message.credential[0] == BASIC:
        text = "the key is sent by basic authentication, as only the payment provider's token is"
        yield _misplaced(message.rule("AUTH-KEY-SENT"), text, "the API key", "basic authentication")


@every_version_journey_rule("AUTH-KEY-SENT", "request")
def key_of_the_service(message: Message, journey: Journey) -> Iterator[Breach]:
    """What is sent as the key is not the payment provider's token."""
    if journey.owners.belongs_elsewhere(message):
        text = "the payment provider's token is sent to the service"
        yield _misplaced(message.rule("AUTH-KEY-SENT"), text, "the API key", "the payment provider's token")


@journey_rule("PAYMENT-METHOD-TOKEN", "request", "createPaymentMethod")
def token_of_the_provider(message: Message, journey: Journey) -> Iterator[Breach]:
    """What is sent as the restricted token is not the service's key."""
    if journey.owners.belongs_elsewhere(message):
        text = "the key of the service is sent to the payment provider"
        yield _misplaced("PAYMENT-METHOD-TOKEN", text, "the restricted token", "the key of the service")


def _misplaced(rule: str, text: str, expected: str, actual: str) -> Breach:
    return Breach(rule, (), text, expected, actual, where="header:Authorization", tolerable=True)


def _card_numbers(message: Message) -> Iterator[tuple[Pointer, str]]:
    """Yield where card numbers stand: the place in the body, or what it is instead."""
    request = message.exchange.request
    content = (request.body or b"")[:LONGEST_TEXT]
    if may_hold_card_number(content):
        if message.sent is not None:
            yield from ((place, "") for place, value in _texts(message.sent) if holds_card_number(value))
        elif holds_card_number(unquote_plus(content.decode("utf-8", "replace"))):
            yield (), ""
    if any(map(holds_card_number, message.call.path.split("/"))):
        yield (), "path"
    for name, value in message.call.query:
        if holds_card_number(value) or holds_card_number(name):
            yield (), f"query:{name if wording.is_name(name) else '?'}"
    for name, value in request.headers[:MOST_HEADERS]:
        if holds_card_number(value[:LONGEST_HEADER]) and not _MACHINE_MADE.fullmatch(name):
            yield (), f"header:{name if wording.is_name(name) else '?'}"


def _texts(value: Json) -> Iterator[tuple[Pointer, Json]]:
    """Yield the values and the names of members in a body, each with its place."""
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
