"""Payment methods and payment intents as values, with the transitions of an intent, and the provider's errors."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any, Literal, Self

Outcome = Literal["accepted", "declined", "verification"]
IntentStatus = Literal[
    "requires_payment_method", "requires_confirmation", "requires_action", "requires_capture", "succeeded", "canceled"
]
_CONFIRMABLE: tuple[IntentStatus, ...] = ("requires_payment_method", "requires_confirmation", "requires_action")
_CANCELABLE: tuple[IntentStatus, ...] = (*_CONFIRMABLE, "requires_capture")


class ProviderError(Exception):
    """The provider rejects a request or declines a card.

    ``intent`` is the payment intent that it is about, if any; ``allow`` lists the methods of the path with status 405.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        param: str = "",
        decline: str | None = None,
        kind: str = "",
        intent: "PaymentIntent | None" = None,
        allow: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        self.status, self.intent, self.allow = status, intent, allow
        kind = kind or ("card_error" if status == HTTPStatus.PAYMENT_REQUIRED else "invalid_request_error")
        error = {"type": kind, "code": code, "message": message, "param": param, "decline_code": decline}
        self.body = {"error": {name: value for name, value in error.items() if value}}


@dataclass(frozen=True, slots=True)
class PaymentMethod:
    """A card stored by the provider, for the account with a token. Of its number only the last four digits are kept."""

    id: str
    brand: str
    last4: str
    month: int
    year: int
    outcome: Outcome
    code: str | None
    created: int
    account: str = field(default="", repr=False)
    metadata: Mapping[str, str] = field(default_factory=dict)

    def document(self, _: str) -> dict[str, Any]:
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
            "metadata": dict(self.metadata),
        }


@dataclass(frozen=True, slots=True)
class PaymentIntent:
    """A payment of ``amount`` cents in one of its states.

    ``challenge`` is the id of the 3-D Secure challenge, ``return_url`` where the browser continues after it.
    ``failure`` says why the last attempt to pay failed, as the members of the provider's error.
    """

    id: str
    amount: int
    currency: str
    manual_capture: bool
    status: IntentStatus
    method: PaymentMethod | None
    secret: str = field(repr=False)
    created: int = 0
    account: str = field(default="", repr=False)
    description: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    received: int = 0
    challenge: str = field(default="", repr=False)
    return_url: str | None = field(default=None, repr=False)
    failure: Mapping[str, str] | None = None
    canceled_at: int | None = None
    cancellation_reason: str | None = None

    def confirm(self, method: PaymentMethod | None, challenge: str, return_url: str | None) -> Self:
        """Return the confirmed payment; ``failure`` is set if the card is declined. Raises `ProviderError`.

        ``method`` replaces the payment method, ``return_url`` the address of the payment, unless they are None. The
        result has the challenge if the card needs verification.
        """
        self._require("confirmed", _CONFIRMABLE)
        method = method or self.method
        if method is None:
            raise ProviderError(400, "parameter_missing", "A payment method is required", intent=self)
        if method.outcome == "declined":
            return self._failed("card_declined", "Your card was declined.", method.code)
        intent = replace(self, method=method, return_url=return_url or self.return_url, failure=None)
        if method.outcome == "verification":
            return replace(intent, status="requires_action", challenge=challenge)
        return intent._paid()  # noqa: SLF001 - the same class

    def authenticate(self, *, succeeded: bool) -> Self:
        """Return the payment after its 3-D Secure challenge."""
        if succeeded:
            return self._paid()
        message = "The provided PaymentMethod has failed authentication."
        return self._failed("payment_intent_authentication_failure", message)

    def capture(self, amount: int | None = None) -> Self:
        """Return the captured payment, of a part of the amount unless it is None; raises `ProviderError`."""
        self._require("captured", ("requires_capture",))
        if amount is not None and amount > self.amount:
            message = "The amount to capture is greater than the amount that can be captured"
            raise ProviderError(400, "amount_too_large", message, param="amount_to_capture", intent=self)
        return replace(self, status="succeeded", received=self.amount if amount is None else amount)

    def cancel(self, now: int, reason: str | None) -> Self:
        """Return the canceled payment; raises `ProviderError`."""
        self._require("canceled", _CANCELABLE)
        return replace(self, status="canceled", challenge="", canceled_at=now, cancellation_reason=reason)

    def update(self, method: PaymentMethod | None, terms: Mapping[str, Any], notes: Mapping[str, Any]) -> Self:
        """Return the payment with other members; raises `ProviderError`.

        ``method`` and ``terms`` change what is paid, which has to be confirmed (again); ``notes`` do not.
        """
        changed = replace(self, **notes)
        if not method and not terms:
            return changed
        self._require("updated", _CONFIRMABLE)
        method = method or self.method
        status: IntentStatus = "requires_confirmation" if method else "requires_payment_method"
        return replace(changed, method=method, status=status, challenge="", **terms)

    def document(self, provider_url: str) -> dict[str, Any]:
        """Return the provider's object; ``provider_url`` is where clients and browsers reach the provider."""
        return {
            "id": self.id,
            "object": "payment_intent",
            "amount": self.amount,
            "amount_capturable": self.amount if self.status == "requires_capture" else 0,
            "amount_received": self.received,
            "canceled_at": self.canceled_at,
            "cancellation_reason": self.cancellation_reason,
            "capture_method": "manual" if self.manual_capture else "automatic",
            "client_secret": self.secret,
            "confirmation_method": "automatic",
            "created": self.created,
            "currency": self.currency,
            "customer": None,
            "description": self.description,
            "last_payment_error": {"type": "card_error", **self.failure} if self.failure else None,
            "latest_charge": None,
            "livemode": False,
            "metadata": dict(self.metadata),
            "next_action": self._next_action(provider_url),
            "payment_method": self.method.id if self.method else None,
            "payment_method_types": ["card"],
            "status": self.status,
        }

    def _next_action(self, provider_url: str) -> dict[str, Any] | None:
        if self.status != "requires_action":
            return None
        if not self.challenge:
            return {"type": "use_stripe_sdk"}
        page = {"url": f"{provider_url}/3d-secure/{self.challenge}", "return_url": self.return_url}
        return {"type": "redirect_to_url", "redirect_to_url": page}

    def _paid(self) -> Self:
        if self.manual_capture:
            return replace(self, status="requires_capture", challenge="")
        return replace(self, status="succeeded", challenge="", received=self.amount)

    def _failed(self, code: str, message: str, decline: str | None = None) -> Self:
        failure = {"code": code, "message": message} | ({"decline_code": decline} if decline else {})
        return replace(self, status="requires_payment_method", method=None, challenge="", failure=failure)

    def _require(self, participle: str, statuses: tuple[IntentStatus, ...]) -> None:
        if self.status not in statuses:
            message = (
                f"This PaymentIntent could not be {participle} because it has a status of {self.status}. Only a "
                f"PaymentIntent with one of the following statuses may be {participle}: {', '.join(statuses)}."
            )
            raise ProviderError(400, "payment_intent_unexpected_state", message, intent=self)
