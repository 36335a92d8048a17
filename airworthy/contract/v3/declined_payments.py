"""Whether the payment of a booking of v2 or v3 failed: where a refusal says so is open (OPEN-91)."""

import hashlib
import json
from http import HTTPStatus

from airworthy.contract.transaction import Transaction

LONGEST_REFUSAL = 64 * 1024
# What payment providers call a payment that failed; the service returns it, where is open (OPEN-91).
DECLINES = (
    b"card_declined",
    b"insufficient_funds",
    b"expired_card",
    b"incorrect_cvc",
    b"payment_intent_authentication_failure",
)


def payment_failed(transaction: Transaction) -> bool:
    """Whether a booking was refused in the words of a payment that failed."""
    response = transaction.exchange.response
    if response is None or not transaction.rejected:
        return False
    body = (response.body or b"")[:LONGEST_REFUSAL]
    return transaction.status == HTTPStatus.PAYMENT_REQUIRED or any(code in body for code in DECLINES)


def payment_may_have_failed(transaction: Transaction) -> bool:
    """Whether a booking by card was refused with the status of payment-related errors, and names no other member.

    It may be about something else, such as the customer (OPEN-90): then something else than the card is sent anew.
    """
    response, sent = transaction.exchange.response, transaction.sent
    if response is None or transaction.status != HTTPStatus.UNPROCESSABLE_ENTITY or not isinstance(sent, dict):
        return False
    by_card = isinstance(sent.get("payment_method"), str) and sent.get("self_psp") is not True
    results = sent.get("three_d_secure")
    others = {*sent, *(results if isinstance(results, dict) else ())} - {"payment_method"}
    body = (response.body or b"")[:LONGEST_REFUSAL].decode("utf-8", "replace")
    return by_card and not any(name in body for name in others)


def terms(transaction: Transaction) -> str:
    """Return a digest of a booking without its card."""
    sent = transaction.sent if isinstance(transaction.sent, dict) else {}
    sent = {name: value for name, value in sent.items() if name != "payment_method"}
    return hashlib.sha256(json.dumps(sent, sort_keys=True).encode()).hexdigest()
