"""Confirmations of an order, and what they leave behind."""

import pytest

from unit.contract.examples import RETURNED, Finder, changed, dated, exchange, put, rejected

BALANCE = {"balance": True}


def test_second_confirmation_succeeds(found: Finder) -> None:
    again = exchange("confirmOrder", after=2, name="2")
    on_request = ("request", "V4-CONFIRM-ONCE", "path")
    assert found(exchange("confirmOrder", after=1), again) == [on_request, ("response", "V4-CONFIRM-ONCE", "status")]
    assert found(exchange("confirmOrder", after=1), rejected(again, 409, "Conflict")) == [on_request]
    assert found(exchange("getOrder", after=1), rejected(again, 409, "Conflict")) == [on_request]


@pytest.mark.parametrize(("by_the_service", "broken"), [(2, False), (4, True)])
def test_order_was_booked_before_only_if_both_clocks_say_so(found: Finder, by_the_service: float, broken: bool) -> None:
    """The recorder's clock was set back after the confirmation, so that an order is read before it."""
    read, booking = dated(exchange("getOrder", after=1), 3), exchange("confirmOrder", after=2, name="2")
    both = [(side, "V4-CONFIRM-ONCE", place) for side, place in (("request", "path"), ("response", "status"))]
    assert found(exchange("createOrder"), read, dated(booking, by_the_service)) == (both if broken else [])


def test_simultaneous_confirmations_both_succeed(found: Finder) -> None:
    first = exchange("confirmOrder", elapsed=1.0)
    second = exchange("confirmOrder", after=0.005, elapsed=1.0, name="2")
    assert found(first, second) == [("response", "V4-CONFIRM-CONCURRENT", "status")]
    assert found(first, rejected(second, 409, "Conflict")) == []


def test_failed_order_may_be_confirmed_again(found: Finder) -> None:
    failed = exchange("confirmOrder", returned=changed(RETURNED["createOrder"], put("status", "FAILED")))
    assert found(exchange("createOrder"), failed, exchange("confirmOrder", after=1, name="3")) == []


def test_confirm_order_with_another_payment_method(found: Finder) -> None:
    made = exchange("confirmOrder", sent={"paymentMethod": BALANCE}, returned=put("paymentMethod", BALANCE), after=1)
    on_request = ("request", "V4-CONFIRM-SAME-METHOD", "/paymentMethod")
    assert found(exchange("createOrder"), rejected(made, 422, "Unprocessable Entity")) == [on_request]
    assert found(exchange("createOrder"), made) == [
        on_request,
        ("response", "V4-CONFIRM-SAME-METHOD", "status"),
    ]
    assert found(made) == []
