"""The payment provider's part, as the provider's official client sees it."""

from typing import Any

import pytest
import stripe

from airworthy.sandbox.payment_provider.provider import CARDS, Card

from .agency import Agency

CARD: Any = {"number": "4242424242424242", "exp_month": 12, "exp_year": 2040, "cvc": "123"}


def test_created_payment_method_books_an_order(agency: Agency, provider: stripe.StripeClient) -> None:
    created = provider.v1.payment_methods.create({"type": "card", "card": CARD})
    read = provider.v1.payment_methods.retrieve(created.id)

    assert created.id.startswith("pm_")
    assert read.card is not None
    assert (read.card.brand, read.card.last4) == ("visa", "4242")
    assert agency.confirm(agency.opened(), payment_method=created.id).json()["status"] == "BOOKED"


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_result_of_each_test_card(provider: stripe.StripeClient, card: Card) -> None:
    method = provider.v1.payment_methods.create({"type": "card", "card": CARD | {"number": card.number}})
    parameters: Any = {"amount": 100, "currency": "eur", "payment_method": method.id, "confirm": True}
    if card.outcome == "declined":
        with pytest.raises(stripe.CardError) as declined:
            provider.v1.payment_intents.create(parameters)
        assert declined.value.code == "card_declined"
    else:
        expected = {"accepted": "succeeded", "verification": "requires_action"}[card.outcome]
        assert provider.v1.payment_intents.create(parameters).status == expected


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"number": "4242424242424241"}, "incorrect_number"),
        ({"number": "4242 4242 4242 4242"}, "incorrect_number"),
        ({"exp_month": 13}, "invalid_expiry_month"),
        ({"exp_year": 2001}, "invalid_expiry_year"),
        ({"cvc": "1"}, "invalid_cvc"),
    ],
)
def test_invalid_card_is_a_card_error(provider: stripe.StripeClient, change: dict[str, object], code: str) -> None:
    with pytest.raises(stripe.CardError) as error:
        provider.v1.payment_methods.create({"type": "card", "card": CARD | change})

    assert error.value.code == code


def test_invalid_request_is_an_invalid_request_error(provider: stripe.StripeClient) -> None:
    with pytest.raises(stripe.InvalidRequestError) as missing:
        provider.v1.payment_methods.create({"type": "card"})
    with pytest.raises(stripe.InvalidRequestError) as unknown:
        provider.v1.payment_intents.retrieve("pi_unknown")
    with pytest.raises(stripe.InvalidRequestError) as currency:
        provider.v1.payment_intents.create({"amount": 100, "currency": "xyz"})

    assert missing.value.param == "card[number]"
    assert unknown.value.http_status == 404
    assert currency.value.param == "currency"


@pytest.mark.parametrize("auth", [None, ("wrong", ""), ("", "")])
def test_provider_requires_the_restricted_token(agency: Agency, auth: tuple[str, str] | None) -> None:
    url = f"{agency.server.profile()['payment']['url']}/v1/payment_methods"
    response = agency.ask("POST", url, data={"type": "card"}, auth=auth)

    assert response.status_code == 401
    assert response.json()["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize("path", ["payment_methods", "payment_intents", "payment_intents/pi_1/confirm", "other"])
def test_payment_client_at_the_address_of_the_service_is_told_so(agency: Agency, path: str) -> None:
    response = agency.send_with("POST", f"/v1/{path}", agency.key, None, {})
    words = "version was removed" if path == "other" else "payment provider has an address of its own"
    assert response.status_code == 404
    assert words in response.json()["message"]
