"""The payment provider takes the card; the service only gets the id of a payment method. No card data goes there."""

from dataclasses import dataclass, field
from uuid import uuid4

import requests

from partner.service import Json, PaymentFailed, Service
from partner.travellers import Customer

_TIMEOUT = (5, 30)


@dataclass(frozen=True)
class Card:
    """A card. ``needs_authentication``: whether its bank asks for 3-D Secure, which your 3-D Secure server knows."""

    number: str = field(repr=False)
    exp_month: int
    exp_year: int
    cvc: str = field(repr=False)
    needs_authentication: bool = False


class PaymentProvider:
    """The payment provider at a URL, with the restricted token that the operator issued."""

    def __init__(self, url: str, token: str, *, ca_bundle: str | bool = True) -> None:
        self._url = url
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.verify = ca_bundle
        self.session.auth = (token, "")

    def method(self, card: Card) -> str:
        """Create a payment method and return its id, which begins with ``pm_``; it pays one booking."""
        form: dict[str, str | int] = {
            "type": "card",
            "card[number]": card.number,
            "card[exp_month]": card.exp_month,
            "card[exp_year]": card.exp_year,
            "card[cvc]": card.cvc,
        }
        response = self.session.post(f"{self._url}/v1/payment_methods", data=form, timeout=_TIMEOUT)
        if not response.ok:
            raise PaymentFailed("the payment provider rejects the card")
        return str(response.json()["id"])

    def authenticate(self, card: Card) -> Json | None:
        """Return the results of 3-D Secure, or None if the bank does not ask for it or the authentication failed.

        This stands in for your 3-D Secure server. Leave the results out unless the indicator is 05 or 02.
        """
        if not card.needs_authentication:
            return None
        return {
            "version": "2.2.0",
            "electronic_commerce_indicator": "05",
            "cryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=",
            "transaction_id": str(uuid4()),
        }


class PayingClient:
    """What the integrations of all versions share."""

    def __init__(self, service: Service, payments: PaymentProvider, customer_code: str) -> None:
        self.service = service
        self.payments = payments
        self.customer_code = customer_code
        self.customer = Customer()

    def payment(self, card: Card) -> Json:
        """Return how to pay: the id of a payment method, and the results of 3-D Secure if the bank asks for it."""
        method = {"payment_method": self.payments.method(card)}
        results = self.payments.authenticate(card)
        return method | {"three_d_secure": results} if results else method
