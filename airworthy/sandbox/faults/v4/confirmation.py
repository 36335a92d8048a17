"""Faults in Confirm Order and at the payment provider."""

import time
from collections.abc import Callable
from dataclasses import replace

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import Json, React, after, before, having, on_rejection, put, remove, when
from airworthy.sandbox.faults.fault import Row
from airworthy.sandbox.faults.table import FAILS, WARNS, Table, rule
from airworthy.sandbox.faults.updates import (
    RACE_SECONDS,
    accept_attempts_in_version_1,
    is_of_mastercard_in_version_1,
    without_transaction,
)
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.payment_provider.records import IntentStatus, Outcome, PaymentMethod
from airworthy.sandbox.resources.v4.responses import baggage_total
from airworthy.sandbox.resources.v4.states import Order, OrderStatus
from airworthy.sandbox.service.service import SandboxService
from airworthy.sandbox.v4.orders import book, own_order

_INDICATOR = "confirmOrder:/three_d_secure/electronic_commerce_indicator"
_HAS_MASTERCARD_INDICATOR = having(_INDICATOR, const="02")


def _ordered(service: SandboxService, request: SandboxRequest) -> Order | None:
    return service.store.orders.get(service.identifier(request.path["orderId"]))


def _accepts_cards(outcome: Outcome, fits: Callable[[Order, Json], bool]) -> Row:
    """Charge another card in place of one with an outcome, if the order and its confirmation fit."""

    def prepare(service: SandboxService, request: SandboxRequest) -> None:
        method, order = service.provider.method(request.body.get("payment_method", "")), _ordered(service, request)
        if method is not None and method.outcome == outcome and order and fits(order, request.body):
            request.body["payment_method"] = "pm_card_visa"

    return before("confirmOrder", prepare)


def _takes_attempts(fits: Callable[[PaymentMethod], bool]) -> Row:
    """Take an authentication that was only attempted for a full one, with the cards that fit."""

    def prepare(service: SandboxService, request: SandboxRequest) -> None:
        method = service.provider.method(request.body.get("payment_method", ""))
        results = request.body.get("three_d_secure") or {}
        if method is not None and fits(method) and results.get("electronic_commerce_indicator") in ("06", "01"):
            results["electronic_commerce_indicator"] = "05"

    return before("confirmOrder", prepare)


def _accepts_intents(status: IntentStatus, fits: Callable[[Order], bool] = lambda _: True) -> Row:
    """Accept every payment intent with a status, as if it were ready to capture, if the order fits."""

    def prepare(service: SandboxService, request: SandboxRequest) -> None:
        intent, order = service.provider.intent(request.body.get("payment_intent_id") or ""), _ordered(service, request)
        if intent is not None and intent.status == status and order and fits(order):
            service.provider.put_intent(replace(intent, status="requires_capture"))

    return before("confirmOrder", prepare)


def _flies_back(order: Order) -> bool:
    return order.offer.trip.inbound is not None


def _of_bags(order: Order) -> int:
    return baggage_total(order.offer.trip, order.details["selectedBaggage"])


def _takes(fits: Callable[[int, Order], bool]) -> Row:
    """Take the amount of a payment intent for the total of the order if both fit."""

    def prepare(service: SandboxService, request: SandboxRequest) -> None:
        intent = service.provider.intent(str(request.body.get("payment_intent_id")))
        order = _ordered(service, request)
        if intent and order and fits(intent.amount, order):
            service.store.orders.change(order.id, lambda order: replace(order, total=intent.amount))

    return before("confirmOrder", prepare)


def _leaves(status: OrderStatus, outcome: Outcome | None = None) -> React:
    """Give an order a status when its confirmation is rejected, if the outcome of its card is this one."""

    def react(service: SandboxService, request: SandboxRequest) -> None:
        method, order = service.provider.method(request.body.get("payment_method", "")), _ordered(service, request)
        if order and outcome in (None, method and method.outcome):
            service.store.orders.change(order.id, lambda found: replace(found, status=status))

    return react


def _books_and_rejects(has: Callable[[SandboxService, Json], bool]) -> Row:
    """Book an order whose confirmation is rejected, if its body has what the function looks for."""

    def react(service: SandboxService, request: SandboxRequest) -> None:
        if request.operation == "confirmOrder" and has(service, request.body):
            book(service, own_order(service, request, service.identifier(request.path["orderId"])))

    return on_rejection(react, "*")


def _has_unknown_method(service: SandboxService, body: Json) -> bool:
    reference = body.get("payment_method")
    return reference is not None and service.provider.method(reference) is None


def _has_captured_intent(service: SandboxService, body: Json) -> bool:
    intent = service.provider.intent(body.get("payment_intent_id", ""))
    return intent is not None and intent.status == "succeeded"


def _reject_the_mastercard_indicator(service: SandboxService, request: SandboxRequest, _: Json) -> None:
    """Reject the indicator of Mastercard with another card, although the order is booked."""
    if _HAS_MASTERCARD_INDICATOR(request):
        raise service.rejection("indicator-mismatch")


def _shares_its_reservation(status: OrderStatus) -> Row:
    """Book the orders of a confirmed order's offer that have a status, with its reservation."""

    def amend(service: SandboxService, request: SandboxRequest, _: Json) -> None:
        confirmed = _ordered(service, request)
        for order in service.store.orders.newest():
            if confirmed and order.status == status and order.offer == confirmed.offer:
                service.store.orders.put(order.id, replace(order, status="BOOKED", reservation=confirmed.reservation))

    return after("confirmOrder", amend)


def _fail_every_order(service: SandboxService, _: SandboxRequest) -> None:
    """Fail every open order when the payment of one is rejected."""
    for order in service.store.orders.newest():
        service.store.orders.put(order.id, replace(order, status="FAILED") if order.status == "OPEN" else order)


def _confirms_again_with(member: str) -> Row:
    """Confirm a booked order again if the confirmation has a member."""

    def react(service: SandboxService, request: SandboxRequest) -> Json:
        order = _ordered(service, request)
        return service.v4_resources.order(order) if order and request.body.get(member) is not None else None

    return on_rejection(react, "order-booked")


def _fail_the_booked_orders_of_the_offer(service: SandboxService, request: SandboxRequest) -> None:
    """Fail the booked orders of an offer when the payment of another one is rejected."""
    failed = _ordered(service, request)
    for order in service.store.orders.newest():
        if failed and order.status == "BOOKED" and order.offer == failed.offer:
            service.store.orders.put(order.id, replace(order, status="FAILED", reservation=None))


def _ask_for_verification_with_bags(service: SandboxService, request: SandboxRequest) -> None:
    """Respond with 406 to a declined card if the order has baggage."""
    order = _ordered(service, request)
    if order and _of_bags(order):
        raise service.rejection("payment-not-ready")


def _book_if_failed(service: SandboxService, request: SandboxRequest) -> Json:
    """Book an order that has failed; let one fail that has not."""
    order = own_order(service, request, service.identifier(request.path["orderId"]))
    if order.status == "FAILED":
        return service.v4_resources.order(book(service, order))
    service.store.orders.put(order.id, replace(order, status="FAILED"))
    return None


def _book_if_failed_and_unverified(service: SandboxService, request: SandboxRequest) -> Json:
    """Book an order at the second try with a card that needs verification."""
    method = service.provider.method(request.body.get("payment_method", ""))
    return _book_if_failed(service, request) if method and method.outcome == "verification" else None


def _book_if_failed_by_balance(service: SandboxService, request: SandboxRequest) -> Json:
    """Book an order by balance whose card was declined before."""
    return _book_if_failed(service, request) if request.body["paymentMethod"].get("balance") else None


def _read_the_newest_reservation(service: SandboxService, _: SandboxRequest, response: Json) -> None:
    """Respond to simultaneous confirmations with the same reservation."""
    if isinstance(response, dict) and response["status"] == "BOOKED":
        time.sleep(RACE_SECONDS)
        response["reservationId"] = service.store.reservations.newest(1)[0].id


def _overlooks(*sent: str) -> Row:
    """Return a row of a service that responds with 200 to a confirmation that contains these texts."""

    def rewrite(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
        is_overlooked = request.operation == "confirmOrder" and all(each.encode() in request.raw for each in sent)
        return SandboxResponse(200, {}) if is_overlooked else response

    return row.does("accepts ", rewrite=rewrite)


FAULTS: Table = {
    rule("V4-CONFIRM-BOOKS"): FAILS,
    "confirm-rejects: every confirmation": row.rejects(when("confirmOrder"), 422),
    "confirm-rejects-balance": row.rejects(having("confirmOrder:/paymentMethod/balance", const=True), 422),
    "confirm-stays-open": (put("confirmOrder:/status", "OPEN"), remove("confirmOrder:/reservationId")),
    "3ds-xid": row.rejects(having("confirmOrder:/three_d_secure/transaction_id", pattern="=$")),
    "3ds-not-05": row.rejects(having(_INDICATOR, const="05")),
    rule("V4-CONFIRM-ONCE"): FAILS,
    "confirmed-twice: confirms an order that is already booked again": row.tolerates("order-booked"),
    "confirmed-again-by-intent: confirms a booked order again by an intent": _confirms_again_with("payment_intent_id"),
    "confirmed-again-with-3ds: confirms a booked order again with 3D Secure": _confirms_again_with("three_d_secure"),
    "booked-fails-by-declined-card: sets a booked order to FAILED by a declined card": (
        on_rejection(_leaves("FAILED", "declined"), "order-booked")
    ),
    "confirmed-again-crash: a second confirmation": row.crashes("order-booked"),
    "confirmed-again-empty: a second confirmation": row.serves_empty("order-booked"),
    rule("V4-CONFIRM-CONCURRENT"): FAILS,
    "confirm-race": row.sets(update=without_transaction(Order)),
    "confirm-race-by-balance": row.sets(update=without_transaction(Order, lambda order: order.method == "balance")),
    rule("V4-CONFIRM-SIMULTANEOUS"): FAILS,
    "confirmed-with-newest-reservation": after("confirmOrder", _read_the_newest_reservation),
    rule("V4-CONFIRM-OTHERS"): FAILS,
    "confirm-books-others: books every order of an offer when one is confirmed": _shares_its_reservation("OPEN"),
    "confirm-moves-reservations: gives every order of an offer the last reservation": _shares_its_reservation("BOOKED"),
    "declined-fails-others": on_rejection(_fail_every_order, "payment-rejected"),
    rule("V4-ORDER-STAYS-BOOKED"): FAILS,
    "declined-fails-booked": on_rejection(_fail_the_booked_orders_of_the_offer, "payment-rejected"),
    rule("V4-CONFIRM-REQUIRED"): FAILS,
    "confirm-both-methods": row.accepts("payment-method-one@confirmOrder"),
    rule("V4-CONFIRM-SAME-METHOD"): FAILS,
    "confirm-other-method": row.accepts("method-mismatch"),
    "failed-order-by-balance": on_rejection(_book_if_failed_by_balance, "order-failed"),
    rule("V4-CONFIRM-ONE-PAYMENT-REFERENCE"): FAILS,
    "confirm-any-references": row.accepts("payment-reference-one", "payment-rejected"),
    rule("V4-CONFIRM-BALANCE-ALONE"): FAILS,
    "balance-with-reference: payment provider fields together with payment by balance": row.accepts("balance-alone"),
    "balance-with-empty-method: an empty payment_method together with payment by balance": _overlooks(
        '"balance": true', '"payment_method": ""'
    ),
    "balance-with-empty-3ds: an empty three_d_secure together with payment by balance": _overlooks(
        '"balance": true', '"three_d_secure": {}'
    ),
    rule("V4-CONFIRM-BALANCE-ENABLED"): FAILS,
    "balance-for-all: payment by balance from organisations without a balance": row.accepts("balance-not-enabled"),
    "balance-at-second-try: books by balance at the second try": (
        on_rejection(_book_if_failed, "balance-not-enabled", "order-failed")
    ),
    "balance-402: payment by balance that is not enabled": row.rejects_with(402, "balance-not-enabled"),
    rule("V4-CONFIRM-3DS-WITH-PAYMENT-METHOD"): FAILS,
    "3ds-with-intent: three_d_secure together with payment_intent_id": row.accepts("authentication-alone"),
    "3ds-empty-with-intent: an empty three_d_secure together with payment_intent_id": _overlooks(
        '"payment_intent_id"', '"three_d_secure": {}'
    ),
    rule("V4-CONFIRM-3DS-ATTEMPTED"): FAILS,
    "3ds-attempt-paid: payment after an authentication that was only attempted": row.accepts("payment-attempted"),
    "3ds-attempt-paid-in-version-1": before("confirmOrder", accept_attempts_in_version_1),
    "3ds-attempt-paid-by-mastercard: charges a Mastercard whose authentication was only attempted": _takes_attempts(
        lambda card: card.brand == "mastercard"
    ),
    "3ds-attempt-verifies: takes an attempted authentication for the verification of a card": _takes_attempts(
        lambda card: card.outcome == "verification"
    ),
    "3ds-attempt-crash: an authentication that was only attempted": row.crashes("payment-attempted"),
    rule("V4-CONFIRM-3DS-FAILED"): FAILS,
    "3ds-failure-paid: payment after a failed authentication": row.accepts("authentication-failed"),
    rule("V4-CONFIRM-NOT-READY"): FAILS,
    "not-ready-paid: a payment that is not ready to be captured": row.accepts("payment-not-ready"),
    "unverified-card-at-second-try": on_rejection(_book_if_failed_and_unverified, "order-failed"),
    "cancelled-intent-paid: accepts a payment intent that was cancelled": _accepts_intents("canceled"),
    "declined-intent-paid: accepts a payment intent of a declined card": _accepts_intents("requires_payment_method"),
    "unverified-card-pays-for-bags: accepts a card that needs verification for an order with baggage": _accepts_cards(
        "verification", lambda order, _: _of_bags(order) > 0
    ),
    "not-ready-paid-both-ways: accepts an unready intent for a round trip": (
        _accepts_intents("requires_confirmation", _flies_back)
    ),
    "not-ready-402: a payment that is not ready to be captured": row.rejects_with(402, "payment-not-ready"),
    rule("V4-CONFIRM-REJECTED"): FAILS,
    "authenticated-decline-paid: accepts a declined card together with three_d_secure": _accepts_cards(
        "declined", lambda _, body: bool(body.get("three_d_secure"))
    ),
    "declined-paid: a declined card": row.accepts("payment-rejected"),
    "unknown-method-books: books an order by an unknown payment method": _books_and_rejects(_has_unknown_method),
    "declined-card-at-second-try: books a failed order at last": on_rejection(_book_if_failed, "order-failed"),
    "declined-card-pays-for-infants: accepts a declined card for an order with infants": _accepts_cards(
        "declined", lambda order, _: order.offer.passengers.infants > 0
    ),
    "declined-406-with-bags": on_rejection(_ask_for_verification_with_bags, "payment-rejected"),
    "declined-402: a declined card": row.rejects_with(402, "payment-rejected"),
    rule("V4-CONFIRM-INTENT-ONCE"): FAILS,
    "captured-intent-books: books an order by the intent of an earlier one": _books_and_rejects(_has_captured_intent),
    rule("V4-CONFIRM-INTENT-ONCE", "the documents do not say what a second use of a payment intent does"): WARNS,
    "intent-pays-again: accepts the payment intent of an earlier order": _accepts_intents("succeeded"),
    rule("V4-CONFIRM-3DS-INDICATOR"): FAILS,
    "indicator-03: the indicator 03": row.accepts(f"{_INDICATOR}:x-unlisted"),
    "mastercard-indicator-books": after("confirmOrder", _reject_the_mastercard_indicator),
    "no-mastercard-in-version-1: the indicator of a Mastercard that version 1 authenticated": row.rejects(
        when("confirmOrder", is_of_mastercard_in_version_1), 422
    ),
    rule("V4-CONFIRM-AMOUNT"): FAILS,
    "any-amount: a payment intent for any amount": row.accepts("payment-amount"),
    "any-currency: a payment intent in another currency": row.accepts("payment-currency"),
    "currency-409: a payment intent in another currency": row.rejects_with(409, "payment-currency"),
    "amount-409: a payment intent for a different amount": row.rejects_with(409, "payment-amount"),
    "amount-within-a-cent: accepts one cent more or less": _takes(lambda amount, order: abs(amount - order.total) <= 1),
    "amount-within-a-cent-both-ways: accepts a payment intent that is a cent below the total of a round trip": _takes(
        lambda amount, order: amount == order.total - 1 and _flies_back(order)
    ),
    "amount-of-the-other-fares: accepts any amount for another fare than the cheapest": _takes(
        lambda _, order: order.fare != order.offer.cheapest
    ),
    "amount-without-bags: accepts the amount without bags": _takes(
        lambda amount, order: amount == order.total - _of_bags(order)
    ),
    "amount-without-fee: accepts the amount without fee": _takes(
        lambda amount, order: amount == order.total - order.offer.fee
    ),
    rule("V4-CONFIRM-FAILED-STATUS", "OPEN-24: the status after a rejected payment is not documented"): WARNS,
    "rejected-stays-open: leaves an order OPEN after its payment was rejected": on_rejection(
        _leaves("OPEN"), "payment-rejected", "payment-amount"
    ),
    rule("V4-CONFIRM-UNKNOWN-ORDER"): FAILS,
    "confirm-unknown-400: the confirmation of an unknown order": row.rejects_with(400, "order-unknown@confirmOrder"),
    "id-beginning-confirmOrder": row.finds_by_beginning,
    rule("PAYMENT-METHOD-ID"): FAILS,
    "payment-method-card-id: issues payment method ids that begin with card_": row.sets(payment_method_prefix="card_"),
}
