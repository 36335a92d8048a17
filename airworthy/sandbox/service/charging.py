"""Charging a card through the payment provider, for orders of v4 and bookings of v3 and v2."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from airworthy.sandbox.service.service import SandboxService

# Electronic commerce indicators of 3-D Secure.
_FAILED: Final = {"07", "00"}
_ATTEMPTED: Final = {"06", "01"}
_MASTERCARD: Final = "02"


@dataclass(frozen=True, slots=True)
class CardRejections:
    """The names under which an interface rejects a card payment.

    The authentication was only ``attempted``, the payment was ``declined``, it needs verification (``unverified``), or
    the payment method is ``unknown``, in dialects that check it (None: as if it were declined).
    """

    attempted: str
    declined: str
    unverified: str
    unknown: str | None = None


def authentication_failed(secure: Mapping[str, Any] | None) -> bool:
    """Return whether the results of 3-D Secure, if there are any, show a failed authentication."""
    return secure is not None and secure["electronic_commerce_indicator"] in _FAILED


def charge_card(service: SandboxService, body: Mapping[str, Any], names: CardRejections) -> None:
    """Charge the payment method of a request body; raises `Rejected` under one of the names."""
    secure, reference = body.get("three_d_secure"), body.get("payment_method", "")
    indicator = None if secure is None else secure["electronic_commerce_indicator"]
    method = service.provider.method(reference)
    if indicator in _ATTEMPTED:
        service.reject(names.attempted)
    if indicator == _MASTERCARD and method is not None and method.brand != "mastercard":
        is_declined = service.choices.v4.mastercard_indicators == "declined"
        service.reject(names.declined if is_declined else "indicator-mismatch")
    if method is None:
        if service.choices.v4.unknown_payment_reference != "accepted":
            service.reject(names.unknown or names.declined)
        return
    if method.outcome == "declined":
        service.reject(names.declined)
    if method.outcome == "verification" and secure is None:
        service.reject(names.unverified)
    if not service.provider.use_once(reference) and service.choices.v4.payment_method_reuse == "refused":
        service.reject(names.declined)
