"""Rules of v4 on the passengers, contact, baggage and payment method that an order returns as they were sent."""

from collections.abc import Callable, Iterator

from airworthy.contract.bodies.body import Json
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.v4 import echo
from airworthy.contract.http.transaction import Transaction, member
from airworthy.contract.rules.coded_rules import conversation_rule, transaction_rule
from airworthy.contract.v4.conversation_rules import known_order

Comparison = Callable[[Json, Node], Iterator[Defect]]


def _register(rule: str, name: str, about: str, differences: Comparison) -> None:
    """Register the comparison of a member of an order with what the order was created with."""

    @transaction_rule(rule, "response", "createOrder", each=name, about=about)
    def is_as_sent(returned: Node, transaction: Transaction) -> Iterator[Defect]:
        return differences(transaction.request.get(name), returned)

    @conversation_rule(rule, "response", "getOrder", "confirmOrder", each=name)
    def is_kept(returned: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
        order = known_order(transaction, conversation)
        return differences(member(order.sent, name) if order else None, returned)


_register("V4-ORDER-PASSENGERS-ECHO", "passengers", "passengers/*", echo.passengers)
_register("V4-ORDER-CONTACT-ECHO", "customerContact", "customerContact", echo.contact)
_register("V4-ORDER-BAGGAGE-ECHO", "selectedBaggage", "selectedBaggage/*", echo.baggage)
_register("V4-ORDER-PAYMENT-METHOD-ECHO", "paymentMethod", "paymentMethod", echo.payment_method)
