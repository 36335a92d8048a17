"""The 3-D Secure challenge of a payment: the provider's official client, and the cardholder's page."""

from typing import Any

import pytest
import requests
import stripe
from playwright.sync_api import Browser, expect

from .agency import Agency

VERIFIED: Any = {
    "amount": 1000,
    "currency": "eur",
    "capture_method": "manual",
    "payment_method": "pm_card_authenticationRequired",
    "confirm": True,
}
RETURN_URL = "https://shop.example:8443/paid?order=1#done"


def challenge_of(intent: stripe.PaymentIntent) -> str:
    assert intent.next_action is not None
    assert intent.next_action.redirect_to_url is not None
    url = intent.next_action.redirect_to_url.url
    assert url is not None
    return url


def post(agency: Agency, url: str, result: str) -> requests.Response:
    return agency.ask("POST", url, data={"result": result}, allow_redirects=False)


def test_authenticated_payment_books_an_order(agency: Agency, provider: stripe.StripeClient) -> None:
    order = agency.opened()
    intent = provider.v1.payment_intents.create(VERIFIED | {"amount": round(order["totalPrice"]["amount"] * 100)})
    too_early = agency.confirm(order, payment_intent_id=intent.id)
    page = post(agency, challenge_of(intent), "authenticated")
    authenticated = provider.v1.payment_intents.retrieve(intent.id)

    assert (intent.status, too_early.status_code) == ("requires_action", 406)
    assert (page.status_code, authenticated.status, authenticated.next_action) == (200, "requires_capture", None)
    assert "requires_capture" in page.text
    assert agency.confirm(order, payment_intent_id=intent.id).json()["status"] == "BOOKED"


def test_automatic_payment_succeeds_after_its_challenge(agency: Agency, provider: stripe.StripeClient) -> None:
    intent = provider.v1.payment_intents.create(VERIFIED | {"capture_method": "automatic"})
    post(agency, challenge_of(intent), "authenticated")

    paid = provider.v1.payment_intents.retrieve(intent.id)
    assert (paid.status, paid.amount_received) == ("succeeded", 1000)


def test_failed_authentication_needs_another_payment_method(agency: Agency, provider: stripe.StripeClient) -> None:
    intent = provider.v1.payment_intents.create(VERIFIED)
    post(agency, challenge_of(intent), "failed")
    failed = provider.v1.payment_intents.retrieve(intent.id)

    assert failed.status == "requires_payment_method"
    assert failed.last_payment_error is not None
    assert failed.last_payment_error.code == "payment_intent_authentication_failure"


@pytest.mark.parametrize(("result", "redirect_status"), [("authenticated", "succeeded"), ("failed", "failed")])
def test_browser_returns(agency: Agency, provider: stripe.StripeClient, result: str, redirect_status: str) -> None:
    intent = provider.v1.payment_intents.create(VERIFIED | {"return_url": RETURN_URL})
    url = challenge_of(intent)
    page = agency.ask("GET", url)
    redirect = post(agency, url, result)

    assert page.headers["Content-Security-Policy"].endswith("form-action 'self' https://shop.example:8443")
    assert redirect.status_code == 303
    assert redirect.headers["Location"] == (
        f"https://shop.example:8443/paid?order=1&payment_intent={intent.id}"
        f"&payment_intent_client_secret={intent.client_secret}&redirect_status={redirect_status}#done"
    )


def test_challenge_is_answered_once(agency: Agency, provider: stripe.StripeClient) -> None:
    intent = provider.v1.payment_intents.create(VERIFIED)
    url = challenge_of(intent)
    unknown_result = post(agency, url, "perhaps")
    answered, again = post(agency, url, "failed"), post(agency, url, "authenticated")

    assert [each.status_code for each in (unknown_result, answered, again)] == [400, 200, 409]
    assert "<form" not in again.text
    assert provider.v1.payment_intents.retrieve(intent.id).status == "requires_payment_method"


def test_second_confirmation_replaces_the_challenge(agency: Agency, provider: stripe.StripeClient) -> None:
    first = provider.v1.payment_intents.create(VERIFIED)
    second = provider.v1.payment_intents.confirm(first.id)

    assert challenge_of(first) != challenge_of(second)
    assert post(agency, challenge_of(first), "authenticated").status_code == 409
    assert post(agency, challenge_of(second), "authenticated").status_code == 200


def test_page_shows_the_payment_and_nothing_of_the_card(agency: Agency, provider: stripe.StripeClient) -> None:
    card: Any = {"number": "4000002760003184", "exp_month": 12, "exp_year": 2040, "cvc": "123"}
    method = provider.v1.payment_methods.create({"type": "card", "card": card})
    described: Any = {"payment_method": method.id, "description": "<script>alert(1)</script>"}
    intent = provider.v1.payment_intents.create(VERIFIED | described)
    page = agency.ask("GET", challenge_of(intent))

    assert page.status_code == 200
    assert "10.00 EUR" in page.text
    assert intent.id in page.text
    assert not any(secret in page.text for secret in ("3184", "<script", str(intent.client_secret), method.id))
    assert page.headers["Referrer-Policy"] == "no-referrer"


def test_unknown_challenge_is_not_found(agency: Agency) -> None:
    for method in ("GET", "POST"):
        url = f"{agency.server.profile()['payment']['url']}/3d-secure/<b>"
        response = agency.ask(method, url)

        assert response.status_code == 404
        assert "<b>" not in response.text


@pytest.mark.parametrize(
    ("button", "redirect_status"), [("Authenticate", "succeeded"), ("Fail authentication", "failed")]
)
def test_cardholder_answers_in_a_browser(
    provider: stripe.StripeClient, agency: Agency, browser: Browser, button: str, redirect_status: str
) -> None:
    other_origin = agency.server.base_url.replace("127.0.0.1", "localhost")
    intent = provider.v1.payment_intents.create(VERIFIED | {"return_url": f"{other_origin}/lookup"})
    with browser.new_context(ignore_https_errors=True, viewport={"width": 390, "height": 800}) as context:
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(challenge_of(intent))
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.get_by_role("button", name=button, exact=True).click()
        expect(page.get_by_role("heading", name="Your booking")).to_be_visible()

        assert page.url.startswith(f"{other_origin}/lookup?payment_intent={intent.id}")
        assert page.url.endswith(f"redirect_status={redirect_status}")
        assert complaints == []
