"""Faults in Confirm Order and at the payment provider."""

from dataclasses import replace
from typing import Any

from airworthy.sandbox.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.making import (
    answering,
    drop,
    objecting,
    of,
    policy,
    put,
    rewording,
    to_status,
    to_success,
    tolerating,
    when,
    wrapping,
)
from airworthy.sandbox.faults.updates import without_transaction
from airworthy.sandbox.rejections import Rejected
from airworthy.sandbox.service import Handler, SandboxService
from airworthy.sandbox.v4.states import Order


def _mastercard(body: dict[str, Any]) -> bool:
    secure = body.get("three_d_secure") or {}
    return bool(secure.get("electronic_commerce_indicator") == "02")


def _stays_open(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Leave an order OPEN when its payment is rejected."""
    try:
        return handler(service, request)
    except Rejected as rejected:
        if rejected.name in {"payment-rejected", "payment-amount"}:
            order_id = service.identifier(request.path["orderId"])
            service.store.orders.change(order_id, lambda order: replace(order, status="OPEN"))
        raise


FAULTS: tuple[Fault, ...] = (
    *of(
        "V4-CONFIRM-BOOKS",
        objecting("confirm-refuses", "Every confirmation is refused", when("confirmOrder"), 422),
        objecting(
            "confirm-refuses-balance",
            "Balance is refused",
            when("confirmOrder", lambda body: body["paymentMethod"].get("balance") is True),
            422,
        ),
        answering(
            "confirm-stays-open",
            "A confirmation answers OPEN",
            "confirmOrder",
            put("/status", "OPEN"),
            drop("/reservationId"),
        ),
    ),
    *of(
        "V4-CONFIRM-ONCE",
        tolerating("confirmed-twice", "An order can be confirmed again and again", "order-booked"),
        rewording("confirmed-again-crash", "A second confirmation gives 500", "order-booked", to_status(500)),
        rewording(
            "confirmed-again-answered", "A second confirmation gives an empty success", "order-booked", to_success({})
        ),
    ),
    *of(
        "V4-CONFIRM-CONCURRENT",
        policy("confirm-race", "Confirmations that arrive at once all succeed", update=without_transaction(Order)),
    ),
    *of(
        "V4-CONFIRM-REQUIRED",
        tolerating("confirm-without-method", "A confirmation needs no paymentMethod", "confirmOrder:/paymentMethod:*"),
        tolerating(
            "confirm-both-methods", "Both or none of card and balance confirm", "payment-method-one@confirmOrder"
        ),
    ),
    *of(
        "V4-CONFIRM-SAME-METHOD",
        tolerating("confirm-other-method", "Any payment method confirms", "method-mismatch"),
    ),
    *of(
        "V4-CONFIRM-ONE-PAYMENT-REFERENCE",
        tolerating(
            "confirm-any-references",
            "Both or none of the payment references confirm",
            "payment-reference-one",
            "payment-rejected",
        ),
    ),
    *of(
        "V4-CONFIRM-PAYMENT-METHOD-PREFIX",
        tolerating("confirm-any-prefix", "Any text is taken for a payment method", "confirmOrder:/payment_method:*"),
    ),
    *of(
        "V4-CONFIRM-BALANCE-ALONE",
        tolerating("balance-with-reference", "Balance takes payment-provider fields", "balance-alone"),
    ),
    *of(
        "V4-CONFIRM-BALANCE-ENABLED",
        tolerating("balance-for-all", "Everybody pays by balance", "balance-not-enabled"),
        rewording("balance-402", "Balance that is not enabled gives 402", "balance-not-enabled", to_status(402)),
    ),
    *of(
        "V4-CONFIRM-3DS-WITH-PAYMENT-METHOD",
        tolerating("3ds-with-intent", "three_d_secure goes with an intent", "authentication-alone"),
    ),
    *of(
        "V4-CONFIRM-3DS-FIELDS",
        tolerating("3ds-incomplete", "three_d_secure needs no field", "confirmOrder:/three_d_secure/*:required"),
    ),
    *of(
        "V4-CONFIRM-3DS-VERSION",
        tolerating("3ds-any-version", "Any version is taken", "confirmOrder:/three_d_secure/version:[te]*"),
    ),
    *of(
        "V4-CONFIRM-3DS-INDICATOR",
        tolerating(
            "3ds-any-indicator",
            "Any indicator is taken for 05",
            "confirmOrder:/three_d_secure/electronic_commerce_indicator:[te]*",
        ),
        objecting("3ds-not-02", "Indicator 02 is refused", when("confirmOrder", _mastercard)),
    ),
    *of(
        "V4-CONFIRM-3DS-CRYPTOGRAM",
        tolerating(
            "3ds-any-cryptogram", "Any text is taken for a cryptogram", "confirmOrder:/three_d_secure/cryptogram:[tp]*"
        ),
    ),
    *of(
        "V4-CONFIRM-3DS-ATTEMPTED",
        tolerating("3ds-attempt-paid", "An attempted authentication pays", "payment-attempted"),
        rewording("3ds-attempt-crash", "An attempted authentication gives 500", "payment-attempted", to_status(500)),
    ),
    *of(
        "V4-CONFIRM-3DS-FAILED",
        tolerating("3ds-failure-paid", "A failed authentication pays", "authentication-failed"),
    ),
    *of(
        "V4-CONFIRM-NOT-READY",
        tolerating("not-ready-paid", "A payment that is not ready pays", "payment-not-ready"),
        rewording("not-ready-402", "A payment that is not ready gives 402", "payment-not-ready", to_status(402)),
    ),
    *of(
        "V4-CONFIRM-REJECTED",
        tolerating("declined-paid", "A declined card pays", "payment-rejected"),
        rewording("declined-402", "A declined card gives 402", "payment-rejected", to_status(402)),
    ),
    *of(
        "V4-CONFIRM-AMOUNT",
        tolerating("any-amount", "An intent of any amount pays", "payment-amount"),
        rewording("amount-409", "An intent of another amount gives 409", "payment-amount", to_status(409)),
    ),
    *of(
        "V4-CONFIRM-FAILED-STATUS",
        wrapping("rejected-stays-open", "An order stays OPEN after a rejected payment", _stays_open),
    ),
    *of(
        "V4-CONFIRM-UNKNOWN-ORDER",
        rewording(
            "confirm-unknown-400", "Confirming an unknown order gives 400", "order-unknown@confirmOrder", to_status(400)
        ),
    ),
    *of(
        "PAYMENT-METHOD-ID",
        policy("payment-method-card-id", "Ids of payment methods begin with card_", payment_method_prefix="card_"),
    ),
)
