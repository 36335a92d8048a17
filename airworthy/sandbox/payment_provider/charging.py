"""Charging a card that the client keeps with the payment provider: alike for orders of v4 and bookings of v3 and v2."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from airworthy.sandbox.service import SandboxService

Problem = Literal["attempted", "declined", "unverified"]
_FAILED: Final = {"07", "00"}
_ATTEMPTED: Final = {"06", "01"}


def has_failed(secure: Mapping[str, Any] | None) -> bool:
    """Whether the results of 3-D Secure, where there are any, are of an authentication that failed."""
    return secure is not None and secure["electronic_commerce_indicator"] in _FAILED


def card_problems(service: SandboxService, body: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield what keeps a card from being charged."""
    secure, reference = body.get("three_d_secure"), body.get("payment_method", "")
    method = service.provider.method(reference)
    if secure is not None and secure["electronic_commerce_indicator"] in _ATTEMPTED:
        yield "attempted"
    if method is None:
        if service.choices.unknown_payment_reference != "accepted":
            yield "declined"
        return
    if method.outcome == "declined":
        yield "declined"
    if method.outcome == "verification" and secure is None:
        yield "unverified"
    if not service.provider.use_once(reference) and service.choices.payment_method_reuse == "refused":
        yield "declined"
