"""Rules of v4 on confirmations: what they must contain, and how often an order may be confirmed."""

from collections.abc import Iterator

from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.limits import ATTEMPTED_INDICATORS
from airworthy.contract.conversation.v4.resources import SeenOrder
from airworthy.contract.http.transaction import Transaction, method
from airworthy.contract.rules.coded_rules import conversation_rule, transaction_rule
from airworthy.contract.v4.conversation_rules import known_order


@transaction_rule("V4-CONFIRM-BOOKS", "response", "confirmOrder", about="status")
def confirmation_books(status: Node, _transaction: Transaction) -> Iterator[Defect]:
    """A confirmation with status 200 has booked the order, or reports that it FAILED (OPEN-24)."""
    if status.value == "OPEN":
        yield status.defect("a confirmation succeeds, but the order is OPEN", "BOOKED", "OPEN")


@transaction_rule("V4-CONFIRM-3DS-ATTEMPTED", "response", "confirmOrder", each="status")
def attempted_authentication(status: Node, transaction: Transaction) -> Iterator[Defect]:
    """An authentication that was only attempted leads to a payment error, unless the order is paid by balance."""
    indicator = transaction.request.get("three_d_secure", "electronic_commerce_indicator")
    by_balance = transaction.request.get("paymentMethod", "balance") is True
    if indicator in ATTEMPTED_INDICATORS and transaction.accepted and not by_balance:
        text = f"an order is booked although its authentication was only attempted (indicator {indicator})"
        yield status.defect(text, "a payment error", "BOOKED")


@conversation_rule("V4-CONFIRM-ONCE", "request", "confirmOrder")
def confirmed_once(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A client does not confirm an order that was shown as booked.

    The status code of the rejection is open (OPEN-07).
    """
    order = conversation.v4.order(transaction.url.path_values.get("orderId"))
    if order and transaction.follows(order.booked) and order.confirmed != transaction.exchange.id:
        text = "the client confirms an order again that was shown as BOOKED"
        expected, actual, earlier = "one confirmation", "a second confirmation", order.booked_by
        yield Defect((), text, expected, actual, where="path", tolerable=True, earlier=earlier)


@conversation_rule("V4-CONFIRM-SAME-METHOD", "request", "confirmOrder", each="paymentMethod")
def confirmed_by_the_same_method(sent: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order is confirmed with the payment method that it was created with."""
    order, chosen = conversation.v4.order(transaction.url.path_values.get("orderId")), method(sent.value)
    if order and order.method and chosen and chosen != order.method:
        text = f"an order created with payment method {order.method} is confirmed with {chosen}"
        yield sent.defect(text, order.method, chosen)


@conversation_rule("V4-CONFIRM-ONCE", "response", "confirmOrder")
def booked_order_is_confirmed_again(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booked order cannot be confirmed a second time: a success is a violation, even if FAILED (OPEN-07)."""
    order = _booked_elsewhere(transaction, conversation)
    if order and transaction.succeeded and not _overlaps(transaction, order) and transaction.follows(order.booked):
        yield _second_success(transaction, order, "a booked order is confirmed a second time")


@conversation_rule("V4-CONFIRM-CONCURRENT", "response", "confirmOrder")
def simultaneous_confirmations_both_succeed(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Of two simultaneous confirmations, at most one succeeds."""
    order = _booked_elsewhere(transaction, conversation)
    if order and transaction.accepted and _overlaps(transaction, order):
        yield _second_success(transaction, order, "two simultaneous confirmations both succeed")


@conversation_rule("V4-CONFIRM-FAILED-STATUS", "response", "getOrder", each="status")
def is_booked_by_a_confirmation(status: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order whose confirmations all failed is not booked. Only warns: a way out of FAILED is open (OPEN-05)."""
    order = known_order(transaction, conversation)
    if order and order.is_unpaid and status.value == "BOOKED":
        text = "the order is BOOKED although its confirmation failed"
        yield status.defect(text, "FAILED or OPEN", "BOOKED", soft=True)


def _booked_elsewhere(transaction: Transaction, conversation: Conversation) -> SeenOrder | None:
    """Return the order of a confirmation if another exchange showed the order as booked."""
    order = conversation.v4.order(transaction.url.path_values.get("orderId"))
    if order is None or order.booked is None:
        return None
    return order if order.confirmed != transaction.exchange.id else None


def _overlaps(transaction: Transaction, order: SeenOrder) -> bool:
    """Return whether a confirmation was under way at the same time as the one that booked the order."""
    over = order.confirmed_over
    return over is not None and transaction.started < over[1] and over[0] < transaction.ended


def _second_success(transaction: Transaction, order: SeenOrder, text: str) -> Defect:
    expected, actual = "a rejection with a 4xx status", str(transaction.status)
    return Defect((), text, expected, actual, where="status", earlier=order.booked_by)
