"""Faults in Confirm Order and at the payment provider."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from airworthy.sandbox.faults.changes import edit_responses, put, remove, when, with_success
from airworthy.sandbox.faults.fault import Fault, Wrapper
from airworthy.sandbox.faults.kinds import accepts, crashes, rejects, rejects_with
from airworthy.sandbox.faults.updates import without_transaction
from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.http.rejections import Rejected
from airworthy.sandbox.payment_provider.records import IntentStatus
from airworthy.sandbox.resources.v4.states import Order
from airworthy.sandbox.service.service import Handler, SandboxService
from airworthy.sandbox.v4.orders import book, own_order


def _fully_authenticated(body: dict[str, Any]) -> bool:
    secure = body.get("three_d_secure") or {}
    return bool(secure.get("electronic_commerce_indicator") == "05")


def _has_mastercard_indicator(body: dict[str, Any]) -> bool:
    secure = body.get("three_d_secure") or {}
    return bool(secure.get("electronic_commerce_indicator") == "02")


def _has_xid(body: dict[str, Any]) -> bool:
    secure = body.get("three_d_secure") or {}
    return bool(secure.get("transaction_id", "").endswith("="))


def _accepts_an_authenticated_decline(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Charge another card in place of one that is declined, if the cardholder was authenticated."""
    if request.operation == "confirmOrder" and request.body.get("three_d_secure"):
        method = service.provider.method(request.body.get("payment_method", ""))
        if method is not None and method.outcome == "declined":
            request.body["payment_method"] = "pm_card_visa"
    return handler(service, request)


def _accepts_intents(status: IntentStatus) -> Wrapper:
    """Accept every payment intent with a status, as if it were ready to capture."""

    def wrapper(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
        reference = request.operation == "confirmOrder" and request.body.get("payment_intent_id")
        intent = service.provider.intent(reference) if reference else None
        if intent is not None and intent.status == status:
            service.provider.put_intent(replace(intent, status="requires_capture"))
        return handler(service, request)

    return wrapper


def _stays_open(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Leave an order OPEN when its payment is rejected."""
    try:
        return handler(service, request)
    except Rejected as rejected:
        if rejected.name in {"payment-rejected", "payment-amount"}:
            order_id = service.identifier(request.path["orderId"])
            service.store.orders.change(order_id, lambda order: replace(order, status="OPEN"))
        raise


def _books_although_it_rejects(has: Callable[[SandboxService, Json], bool]) -> Wrapper:
    """Book an order whose confirmation is rejected, if its body has what the function looks for."""

    def wrapper(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
        try:
            return handler(service, request)
        except Rejected:
            if request.operation == "confirmOrder" and has(service, request.body):
                book(service, own_order(service, request, service.identifier(request.path["orderId"])))
            raise

    return wrapper


def _has_unknown_method(service: SandboxService, body: Json) -> bool:
    reference = body.get("payment_method")
    return reference is not None and service.provider.method(reference) is None


def _has_captured_intent(service: SandboxService, body: Json) -> bool:
    intent = service.provider.intent(body.get("payment_intent_id", ""))
    return intent is not None and intent.status == "succeeded"


def _books_and_rejects_the_mastercard_indicator(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Book an order, but respond as if the indicator of Mastercard were rejected."""
    response = handler(service, request)
    if request.operation == "confirmOrder" and _has_mastercard_indicator(request.body):
        raise service.rejection("indicator-mismatch")
    return response


def _books_the_orders_of_the_offer(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Book every open order of the offer of a confirmed order."""
    response = handler(service, request)
    if request.operation == "confirmOrder":
        confirmed = service.store.orders.get(service.identifier(request.path["orderId"]))
        for order in filter(None, map(service.store.orders.get, service.store.orders)):
            if confirmed and order.status == "OPEN" and order.offer == confirmed.offer:
                service.store.orders.put(order.id, replace(order, status="BOOKED", reservation=confirmed.reservation))
    return response


def _fails_every_order(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Fail every open order when the payment of one is rejected."""
    try:
        return handler(service, request)
    except Rejected as rejected:
        if rejected.name == "payment-rejected":
            for order in filter(None, map(service.store.orders.get, service.store.orders)):
                service.store.orders.put(order.id, replace(order, status="FAILED") if order.status == "OPEN" else order)
        raise


def _confirms_again_by_intent(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Accept a second confirmation if it is paid by a payment intent."""
    try:
        return handler(service, request)
    except Rejected as rejected:
        if rejected.name != "order-booked" or request.body.get("payment_intent_id") is None:
            raise
        order = service.store.orders.get(service.identifier(request.path["orderId"]))
        assert order is not None
        return service.v4_resources.order(order)


FAULTS: tuple[Fault, ...] = (
    Fault(
        "confirm-rejects",
        "V4-CONFIRM-BOOKS",
        "The service rejects every confirmation with 422",
        rejects=when("confirmOrder"),
        rejects_with=422,
    ),
    Fault(
        "confirm-rejects-balance",
        "V4-CONFIRM-BOOKS",
        "The service rejects confirmations that are paid by balance with 422",
        rejects=when("confirmOrder", lambda body: body["paymentMethod"].get("balance") is True),
        rejects_with=422,
    ),
    Fault(
        "confirm-stays-open",
        "V4-CONFIRM-BOOKS",
        "The service responds to a confirmation with an order that is still OPEN",
        rewrite=edit_responses("confirmOrder", put("/status", "OPEN"), remove("/reservationId")),
    ),
    Fault(
        "confirmed-twice",
        "V4-CONFIRM-ONCE",
        "The service confirms an order that is already booked again",
        tolerates=("order-booked",),
    ),
    Fault(
        "confirmed-again-by-intent",
        "V4-CONFIRM-ONCE",
        "The service confirms a booked order again if the second confirmation is paid by a payment intent",
        wraps=_confirms_again_by_intent,
    ),
    crashes("confirmed-again-crash", "V4-CONFIRM-ONCE", "a second confirmation", "order-booked"),
    Fault(
        "confirmed-again-empty",
        "V4-CONFIRM-ONCE",
        "The service responds to a second confirmation with 200 and an empty object",
        rewords={"order-booked": with_success({})},
    ),
    Fault(
        "confirm-race",
        "V4-CONFIRM-CONCURRENT",
        "The service accepts several confirmations of one order that arrive at the same time",
        policy={"update": without_transaction(Order)},
    ),
    Fault(
        "confirm-books-others",
        "V4-CONFIRM-OTHERS",
        "The service books every order of an offer when one of them is confirmed",
        wraps=_books_the_orders_of_the_offer,
    ),
    Fault(
        "declined-fails-others",
        "V4-CONFIRM-OTHERS",
        "The service fails every open order when the payment of one is rejected",
        wraps=_fails_every_order,
    ),
    accepts(
        "confirm-both-methods",
        "V4-CONFIRM-REQUIRED",
        "a confirmation with both card and balance, or with neither",
        "payment-method-one@confirmOrder",
    ),
    accepts(
        "confirm-other-method",
        "V4-CONFIRM-SAME-METHOD",
        "a confirmation with another payment method than that of the order",
        "method-mismatch",
    ),
    accepts(
        "confirm-any-references",
        "V4-CONFIRM-ONE-PAYMENT-REFERENCE",
        "a confirmation with both payment references, or with neither",
        "payment-reference-one",
        "payment-rejected",
    ),
    accepts(
        "balance-with-reference",
        "V4-CONFIRM-BALANCE-ALONE",
        "payment provider fields together with payment by balance",
        "balance-alone",
    ),
    accepts(
        "balance-for-all",
        "V4-CONFIRM-BALANCE-ENABLED",
        "payment by balance from organisations without a balance",
        "balance-not-enabled",
    ),
    rejects_with(
        "balance-402",
        "V4-CONFIRM-BALANCE-ENABLED",
        402,
        "payment by balance that is not enabled",
        "balance-not-enabled",
    ),
    accepts(
        "3ds-with-intent",
        "V4-CONFIRM-3DS-WITH-PAYMENT-METHOD",
        "three_d_secure together with payment_intent_id",
        "authentication-alone",
    ),
    rejects("3ds-xid", "V4-CONFIRM-BOOKS", "the XID of 3D Secure 1 as transaction_id", when("confirmOrder", _has_xid)),
    rejects(
        "3ds-not-05",
        "V4-CONFIRM-BOOKS",
        "the electronic_commerce_indicator 05",
        when("confirmOrder", _fully_authenticated),
    ),
    accepts(
        "3ds-attempt-paid",
        "V4-CONFIRM-3DS-ATTEMPTED",
        "payment after an authentication that was only attempted",
        "payment-attempted",
    ),
    crashes(
        "3ds-attempt-crash",
        "V4-CONFIRM-3DS-ATTEMPTED",
        "an authentication that was only attempted",
        "payment-attempted",
    ),
    accepts(
        "3ds-failure-paid", "V4-CONFIRM-3DS-FAILED", "payment after a failed authentication", "authentication-failed"
    ),
    accepts(
        "not-ready-paid", "V4-CONFIRM-NOT-READY", "a payment that is not ready to be captured", "payment-not-ready"
    ),
    Fault(
        "authenticated-decline-paid",
        "V4-CONFIRM-REJECTED",
        "The service accepts a declined card together with three_d_secure",
        wraps=_accepts_an_authenticated_decline,
    ),
    Fault(
        "cancelled-intent-paid",
        "V4-CONFIRM-NOT-READY",
        "The service accepts a payment intent that was cancelled",
        wraps=_accepts_intents("canceled"),
    ),
    Fault(
        "intent-pays-again",
        "V4-CONFIRM-INTENT-ONCE",
        "The service accepts the payment intent of an earlier order",
        wraps=_accepts_intents("succeeded"),
        verdict="warning",
        reason="the documents do not say what a second use of a payment intent does",
    ),
    rejects_with(
        "not-ready-402", "V4-CONFIRM-NOT-READY", 402, "a payment that is not ready to be captured", "payment-not-ready"
    ),
    accepts("declined-paid", "V4-CONFIRM-REJECTED", "a declined card", "payment-rejected"),
    Fault(
        "unknown-method-books",
        "V4-CONFIRM-REJECTED",
        "The service rejects an unknown payment method, but books the order",
        wraps=_books_although_it_rejects(_has_unknown_method),
    ),
    Fault(
        "captured-intent-books",
        "V4-CONFIRM-INTENT-ONCE",
        "The service rejects the payment intent of an earlier order, but books the order",
        wraps=_books_although_it_rejects(_has_captured_intent),
    ),
    Fault(
        "mastercard-indicator-books",
        "V4-CONFIRM-3DS-INDICATOR",
        "The service rejects the indicator of Mastercard with another card, but books the order",
        wraps=_books_and_rejects_the_mastercard_indicator,
    ),
    rejects_with("declined-402", "V4-CONFIRM-REJECTED", 402, "a declined card", "payment-rejected"),
    accepts("any-amount", "V4-CONFIRM-AMOUNT", "a payment intent for any amount", "payment-amount"),
    accepts("any-currency", "V4-CONFIRM-AMOUNT", "a payment intent in another currency", "payment-currency"),
    rejects_with("currency-409", "V4-CONFIRM-AMOUNT", 409, "a payment intent in another currency", "payment-currency"),
    rejects_with("amount-409", "V4-CONFIRM-AMOUNT", 409, "a payment intent for a different amount", "payment-amount"),
    Fault(
        "rejected-stays-open",
        "V4-CONFIRM-FAILED-STATUS",
        "The service leaves an order OPEN after its payment was rejected",
        wraps=_stays_open,
        verdict="warning",
        reason="OPEN-24: the status of an order after a rejected payment is not documented",
    ),
    rejects_with(
        "confirm-unknown-400",
        "V4-CONFIRM-UNKNOWN-ORDER",
        400,
        "the confirmation of an unknown order",
        "order-unknown@confirmOrder",
    ),
    Fault(
        "payment-method-card-id",
        "PAYMENT-METHOD-ID",
        "The payment provider issues payment method ids that begin with card_",
        policy={"payment_method_prefix": "card_"},
    ),
)
