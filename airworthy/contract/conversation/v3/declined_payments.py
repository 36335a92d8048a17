"""Whether the payment of a booking of v3 or v2 failed. How a response says so is open (OPEN-91)."""

import hashlib
import json
from http import HTTPStatus

from airworthy.contract.conversation.limits import ATTEMPTED_INDICATORS
from airworthy.contract.http.exchange import Response
from airworthy.contract.http.transaction import Transaction, member

LONGEST_REFUSAL = 64 * 1024
DECLINES = frozenset(
    (
        "card_declined",
        "generic_decline",
        "do_not_honor",
        "insufficient_funds",
        "expired_card",
        "incorrect_cvc",
        "payment_intent_authentication_failure",
    )
)
"""The payment provider's codes for a failed payment, which the service passes on."""
CHALLENGE = "authentication_required"
"""Its code for a payment that a client may try again with the results of 3-D Secure."""

# What a booking sends of its card, and of the authentication of its holder.
CARD = frozenset({"payment_method", "three_d_secure"})
INDICATOR = "electronic_commerce_indicator"


def payment_failed(transaction: Transaction) -> bool:
    """Return whether a booking was rejected with a code for a failed payment."""
    response = transaction.exchange.response
    if response is None or not transaction.rejected:
        return False
    body = _text(response)
    is_named = transaction.status == HTTPStatus.PAYMENT_REQUIRED or any(code in body for code in DECLINES)
    return is_named and CHALLENGE not in body


def payment_may_have_failed(transaction: Transaction) -> bool:
    """Return whether a booking by card was rejected with the status of payment errors and names no other field.

    The error may concern something else, such as the customer (OPEN-90): then a client changes more than the card. A
    service may also let the client try again with the results of 3-D Secure, whatever the status (OPEN-91).
    """
    response, sent = transaction.exchange.response, transaction.sent
    if response is None or not transaction.rejected or not isinstance(sent, dict):
        return False
    by_card = isinstance(sent.get("payment_method"), str) and sent.get("self_psp") is not True
    body = _text(response)
    if CHALLENGE in body:
        return by_card
    if transaction.status != HTTPStatus.UNPROCESSABLE_ENTITY:
        return False
    results = sent.get("three_d_secure")
    # A service may demand the results of 3-D Secure before it tries the payment.
    others = {*sent, *(results if isinstance(results, dict) else ()), "three_d_secure"} - {"payment_method"}
    if _is_attempted(transaction):
        others -= {*CARD, INDICATOR}
    return by_card and not any(name in body for name in others)


def attempt_failed(transaction: Transaction) -> bool:
    """Return whether a documented booking was rejected whose authentication was only attempted.

    A value whose notation is open may be why, so this is certain only of a booking that differs in its card alone.
    """
    operation = transaction.url.operation
    is_documented = operation and operation.request and operation.request.is_valid(transaction.sent)
    return bool(is_documented) and _is_attempted(transaction) and payment_may_have_failed(transaction)


def terms(transaction: Transaction) -> str:
    """Return a digest of everything that a booking sends, apart from its card."""
    sent = transaction.sent if isinstance(transaction.sent, dict) else {}
    sent = {name: value for name, value in sent.items() if name not in CARD}
    return hashlib.sha256(json.dumps(sent, sort_keys=True).encode()).hexdigest()


def _text(response: Response) -> str:
    return (response.body or b"")[:LONGEST_REFUSAL].decode("utf-8", "replace")


def _is_attempted(transaction: Transaction) -> bool:
    """Return whether the authentication was only attempted, which gives a payment error (v3, POST /v3/bookings)."""
    return member(transaction.sent, "three_d_secure", INDICATOR) in ATTEMPTED_INDICATORS
