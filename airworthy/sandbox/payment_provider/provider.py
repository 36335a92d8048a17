"""The payment provider's part, in test mode: payment methods and payment intents, as the provider's clients see them.

Form-encoded requests, the restricted token as basic-auth user name (or bearer token), the provider's error bodies.
Test cards decide what happens; of a card number only the last four digits are stored.
"""

import base64
import binascii
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Literal

from airworthy.sandbox.clock import SandboxClock
from airworthy.sandbox.tables import BoundedTable

Outcome = Literal["accepted", "declined", "verification"]
IntentStatus = Literal[
    "requires_payment_method", "requires_confirmation", "requires_action", "requires_capture", "succeeded", "canceled"
]
# A payment intent with this amount matches every order.
ANY_AMOUNT = 0
_DIGITS = range(12, 20)
_SECURITY_DIGITS = (3, 4)


@dataclass(frozen=True, slots=True)
class Card:
    """A test card: the result of a payment with it, and the id of a payment method that always exists for it."""

    name: str
    number: str
    brand: str
    outcome: Outcome
    payment_method: str
    code: str | None = None


CARDS = (
    Card("accepted", "4242424242424242", "visa", "accepted", "pm_card_visa"),
    Card("accepted_mastercard", "5555555555554444", "mastercard", "accepted", "pm_card_mastercard"),
    Card("declined", "4000000000000002", "visa", "declined", "pm_card_chargeDeclined", "generic_decline"),
    Card(
        "insufficient_funds",
        "4000000000009995",
        "visa",
        "declined",
        "pm_card_chargeDeclinedInsufficientFunds",
        "insufficient_funds",
    ),
    Card("verification", "4000002760003184", "visa", "verification", "pm_card_authenticationRequired"),
)
_BY_NUMBER = {card.number: card for card in CARDS}
_BY_METHOD = {card.payment_method: card for card in CARDS}


@dataclass(frozen=True, slots=True)
class PaymentMethod:
    """A card stored by the provider."""

    id: str
    brand: str
    last4: str
    month: int
    year: int
    outcome: Outcome
    code: str | None
    created: int

    def document(self) -> dict[str, Any]:
        """Return the provider's object."""
        card = {
            "brand": self.brand,
            "last4": self.last4,
            "exp_month": self.month,
            "exp_year": self.year,
            "country": "ES",
            "funding": "credit",
        }
        return {
            "id": self.id,
            "object": "payment_method",
            "type": "card",
            "card": card,
            "created": self.created,
            "customer": None,
            "livemode": False,
            "metadata": {},
        }


@dataclass(frozen=True, slots=True)
class PaymentIntent:
    """A payment of ``amount`` cents in one of its states."""

    id: str
    amount: int
    currency: str
    manual_capture: bool
    status: IntentStatus
    method: PaymentMethod | None
    secret: str = field(repr=False)
    created: int = 0

    def confirm(self, method: PaymentMethod | None) -> "PaymentIntent":
        """Confirm the payment with a payment method; raises `ProviderError` if the card is declined."""
        if self.status not in {"requires_payment_method", "requires_confirmation"}:
            message = f"This PaymentIntent's status is {self.status}: it cannot be confirmed"
            raise ProviderError(400, "payment_intent_unexpected_state", message)
        method = method or self.method
        if method is None:
            raise ProviderError(400, "parameter_missing", "A payment method is required")
        if method.outcome == "declined":
            raise ProviderError(402, "card_declined", "Your card was declined.", decline=method.code)
        if method.outcome == "verification":
            return replace(self, method=method, status="requires_action")
        return replace(self, method=method, status="requires_capture" if self.manual_capture else "succeeded")

    def capture(self) -> "PaymentIntent":
        """Capture the payment; raises LookupError if it is not in the state requires_capture."""
        if self.status != "requires_capture":
            raise LookupError(self.id)
        return replace(self, status="succeeded")

    def document(self) -> dict[str, Any]:
        """Return the provider's object."""
        return {
            "id": self.id,
            "object": "payment_intent",
            "amount": self.amount,
            "amount_capturable": self.amount if self.status == "requires_capture" else 0,
            "amount_received": self.amount if self.status == "succeeded" else 0,
            "capture_method": "manual" if self.manual_capture else "automatic",
            "client_secret": self.secret,
            "created": self.created,
            "currency": self.currency,
            "livemode": False,
            "metadata": {},
            "next_action": {"type": "use_stripe_sdk"} if self.status == "requires_action" else None,
            "payment_method": self.method.id if self.method else None,
            "payment_method_types": ["card"],
            "status": self.status,
        }


# Payment intents that always exist, for clients that cannot create any.
MAGIC_INTENTS: Mapping[str, PaymentIntent] = MappingProxyType(
    {
        "not_ready": PaymentIntent("pi_sandbox_not_ready", ANY_AMOUNT, "eur", True, "requires_action", None, "-"),
        "amount_mismatch": PaymentIntent("pi_sandbox_wrong_amount", 1, "eur", True, "requires_capture", None, "-"),
    }
)
_MAGIC = {intent.id: intent for intent in MAGIC_INTENTS.values()}


class ProviderError(Exception):
    """The provider rejects a request or declines a card."""

    def __init__(self, status: int, code: str, message: str, *, param: str = "", decline: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        kind = "card_error" if status == HTTPStatus.PAYMENT_REQUIRED else "invalid_request_error"
        error = {"type": kind, "code": code, "message": message, "param": param or None, "decline_code": decline}
        self.body = {"error": {name: value for name, value in error.items() if value is not None}}


class PaymentProvider:
    """The payment provider: its records, the methods that the service uses, and the routes for clients."""

    def __init__(
        self,
        clock: SandboxClock,
        tokens: frozenset[str],
        intent_prefix: str,
        method_prefix: Callable[[], str] = lambda: "pm_",
    ) -> None:
        self._clock = clock
        self._tokens = tokens
        self._intent_prefix = intent_prefix
        self._method_prefix = method_prefix
        self._methods: BoundedTable[PaymentMethod] = BoundedTable()
        self._intents: BoundedTable[PaymentIntent] = BoundedTable()
        self._used: set[str] = set()
        self._lock = threading.Lock()

    # For the service

    def method(self, reference: str) -> PaymentMethod | None:
        """Return a payment method by id: a created one, or that of a test card."""
        card = _BY_METHOD.get(reference)
        if card is None:
            return self._methods.get(reference)
        year = self._clock.now().year + 3
        return PaymentMethod(reference, card.brand, card.number[-4:], 12, year, card.outcome, card.code, 0)

    def intent(self, reference: str) -> PaymentIntent | None:
        """Return a payment intent by id."""
        return _MAGIC.get(reference) or self._intents.get(reference)

    def capture(self, reference: str) -> bool:
        """Capture a payment intent; return False if it is not in the state requires_capture."""

        if reference in _MAGIC:
            return _MAGIC[reference].status == "requires_capture"
        try:
            self._intents.change(reference, PaymentIntent.capture)
        except LookupError:
            return False
        return True

    def use_once(self, reference: str) -> bool:
        """Record that a created payment method was charged; return False if it was charged before."""
        if reference in _BY_METHOD:
            return True
        with self._lock:
            fresh = reference not in self._used
            self._used.add(reference)
        return fresh

    # For clients

    def respond(
        self, authorization: str, method: str, path: str, reference: str | None, form: Mapping[str, str]
    ) -> dict[str, Any]:
        """Return the body of a successful response; ``path`` is relative to ``/v1/``. Raises `ProviderError`."""
        self._authenticate(authorization)
        return self._result(method, path, reference, form)

    def _result(self, verb: str, path: str, reference: str | None, form: Mapping[str, str]) -> dict[str, Any]:
        if path.startswith("payment_methods"):
            return (self._create_method(form) if reference is None else self._known_method(reference)).document()
        if reference is None:
            return self._create_intent(form).document()
        if verb == "GET":
            return self._known_intent(reference).document()
        return self._confirm_intent(reference, form).document()

    def _authenticate(self, header: str) -> None:
        scheme, _, credentials = header.partition(" ")
        token = credentials
        if scheme.lower() == "basic":
            try:
                token = base64.b64decode(credentials, validate=True).decode().partition(":")[0]
            except (binascii.Error, UnicodeDecodeError):
                token = ""
        if token not in self._tokens:
            raise ProviderError(401, "api_key_invalid", "Invalid API Key provided")

    def _create_method(self, form: Mapping[str, str]) -> PaymentMethod:
        if form.get("type") != "card":
            raise _missing("type") if "type" not in form else _invalid("type", "type must be card")
        for name in ("card[number]", "card[exp_month]", "card[exp_year]"):
            if not form.get(name):
                raise _missing(name)
        number, month, year = form["card[number]"], form["card[exp_month]"], form["card[exp_year]"]
        if not _is_card_number(number):
            message = "Your card number is incorrect."
            raise ProviderError(402, "incorrect_number", message, param="card[number]")
        if not _is_digits(month) or not 1 <= int(month) <= 12:  # noqa: PLR2004
            raise ProviderError(402, "invalid_expiry_month", "Invalid month.", param="card[exp_month]")
        now = self._clock.now()
        if not _is_digits(year) or (int(year), int(month)) < (now.year, now.month):
            raise ProviderError(402, "invalid_expiry_year", "Invalid year.", param="card[exp_year]")
        security = form.get("card[cvc]", "123")
        if not _is_digits(security) or len(security) not in _SECURITY_DIGITS:
            raise ProviderError(402, "invalid_cvc", "Invalid security code.", param="card[cvc]")
        card = _BY_NUMBER.get(number, CARDS[0])
        created = PaymentMethod(
            _new_id(self._method_prefix()),
            card.brand,
            number[-4:],
            int(month),
            int(year),
            card.outcome,
            card.code,
            int(now.timestamp()),
        )
        return self._methods.put(created.id, created)

    def _create_intent(self, form: Mapping[str, str]) -> PaymentIntent:
        amount, currency = form.get("amount"), form.get("currency")
        if amount is None or currency is None:
            raise _missing("currency" if amount else "amount")
        if not _is_digits(amount) or int(amount) < 1:
            raise _invalid("amount", "amount must be a whole number of cents")
        if currency.lower() != "eur":
            raise _invalid("currency", "only eur is accepted")
        if form.get("capture_method", "automatic") not in {"automatic", "automatic_async", "manual"}:
            raise _invalid("capture_method", "capture_method must be automatic or manual")
        method = self._known_method(form["payment_method"]) if form.get("payment_method") else None
        reference = _new_id(self._intent_prefix)
        intent = PaymentIntent(
            id=reference,
            amount=int(amount),
            currency="eur",
            manual_capture=form.get("capture_method") == "manual",
            status="requires_confirmation" if method else "requires_payment_method",
            method=method,
            secret=f"{reference}_secret_{secrets.token_hex(12)}",
            created=int(self._clock.now().timestamp()),
        )
        if form.get("confirm") == "true":
            intent = intent.confirm(None)
        return self._intents.put(intent.id, intent)

    def _confirm_intent(self, reference: str, form: Mapping[str, str]) -> PaymentIntent:
        method = self._known_method(form["payment_method"]) if form.get("payment_method") else None
        self._known_intent(reference)
        return self._intents.change(reference, lambda intent: intent.confirm(method))

    def _known_method(self, reference: str) -> PaymentMethod:
        found = self.method(reference)
        if found is None:
            raise ProviderError(404, "resource_missing", "No such PaymentMethod", param="id")
        return found

    def _known_intent(self, reference: str) -> PaymentIntent:
        found = self.intent(reference)
        if found is None:
            raise ProviderError(404, "resource_missing", "No such payment_intent", param="intent")
        return found


def _new_id(prefix: str) -> str:
    return prefix + secrets.token_hex(12)


def _missing(name: str) -> ProviderError:
    return ProviderError(400, "parameter_missing", f"Missing required param: {name}.", param=name)


def _invalid(name: str, message: str) -> ProviderError:
    return ProviderError(400, "parameter_invalid", message, param=name)


def _is_digits(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < _DIGITS.stop


def _is_card_number(text: str) -> bool:
    """Say whether the digits could be a card number (Luhn's check digit)."""
    if not _is_digits(text) or len(text) not in _DIGITS:
        return False
    digits = [int(each) for each in reversed(text)]
    return (sum(digits[::2]) + sum(sum(divmod(2 * each, 10)) for each in digits[1::2])) % 10 == 0
