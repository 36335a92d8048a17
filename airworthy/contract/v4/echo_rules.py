"""Rules of v4 on the passengers, contact, baggage and payment method that an order returns as they were sent."""

from collections.abc import Iterator

from airworthy.contract.bodies.defect import Defect
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.v4 import echo
from airworthy.contract.http.transaction import Transaction, member
from airworthy.contract.rules.coded_rules import conversation_rule, transaction_rule
from airworthy.contract.v4.conversation_rules import known_order


@transaction_rule("V4-ORDER-PASSENGERS-ECHO", "response", "createOrder", about="passengers/*")
def passengers_echo(transaction: Transaction) -> Iterator[Defect]:
    """An order returns the passengers that were sent, with their identification."""
    sent, returned = member(transaction.sent, "passengers"), member(transaction.delivered, "passengers")
    yield from echo.passengers(sent, returned)


@transaction_rule("V4-ORDER-CONTACT-ECHO", "response", "createOrder", about="customerContact")
def contact_echo(transaction: Transaction) -> Iterator[Defect]:
    """An order returns the contact that was sent."""
    yield from echo.contact(
        member(transaction.sent, "customerContact"), member(transaction.delivered, "customerContact")
    )


@transaction_rule("V4-ORDER-BAGGAGE-ECHO", "response", "createOrder", about="selectedBaggage/*")
def baggage_echo(transaction: Transaction) -> Iterator[Defect]:
    """An order returns the selected baggage that was sent."""
    sent, returned = member(transaction.sent, "selectedBaggage"), member(transaction.delivered, "selectedBaggage")
    yield from echo.baggage(sent, returned)


@transaction_rule("V4-ORDER-PAYMENT-METHOD-ECHO", "response", "createOrder", about="paymentMethod")
def payment_method_echo(transaction: Transaction) -> Iterator[Defect]:
    """An order returns the payment method that was sent."""
    yield from echo.payment_method(
        member(transaction.sent, "paymentMethod"), member(transaction.delivered, "paymentMethod")
    )


@conversation_rule("V4-ORDER-PASSENGERS-ECHO", "response", "getOrder", "confirmOrder")
def keeps_its_passengers(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order returns the passengers that it was created with."""
    sent, returned = _sent(transaction, conversation, "passengers"), member(transaction.delivered, "passengers")
    yield from echo.passengers(sent, returned)


@conversation_rule("V4-ORDER-CONTACT-ECHO", "response", "getOrder", "confirmOrder")
def keeps_its_contact(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order returns the contact that it was created with."""
    yield from echo.contact(
        _sent(transaction, conversation, "customerContact"), member(transaction.delivered, "customerContact")
    )


@conversation_rule("V4-ORDER-BAGGAGE-ECHO", "response", "getOrder", "confirmOrder")
def keeps_its_baggage(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order returns the selected baggage that it was created with."""
    sent, returned = (
        _sent(transaction, conversation, "selectedBaggage"),
        member(transaction.delivered, "selectedBaggage"),
    )
    yield from echo.baggage(sent, returned)


@conversation_rule("V4-ORDER-PAYMENT-METHOD-ECHO", "response", "getOrder", "confirmOrder")
def keeps_its_payment_method(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order returns the payment method that it was created with."""
    sent, returned = _sent(transaction, conversation, "paymentMethod"), member(transaction.delivered, "paymentMethod")
    yield from echo.payment_method(sent, returned)


def _sent(transaction: Transaction, conversation: Conversation, name: str) -> object:
    order = known_order(transaction, conversation)
    return member(order.sent, name) if order else None
