"""The ways in which random conversations pay, and how each of them must fail."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any

from airworthy.suite.outcomes import Outcome
from conformance.request_draft import RequestDraft
from conformance.v4.request_bodies import three_d_secure

BY_CARD, INTENT = "a payment method", "a payment intent"
AUTHENTICATED = f"{BY_CARD} and three_d_secure 2.2.0"
_OTHER_KINDS = (INTENT, "balance", "self_psp")
DECLINED, UNVERIFIED = "a card that is declined", "a card that needs verification"
_FAILURES_OF_V4 = {
    "is declined": ("V4-CONFIRM-REJECTED", HTTPStatus.UNPROCESSABLE_ENTITY),
    "needs verification": ("V4-CONFIRM-NOT-READY", HTTPStatus.NOT_ACCEPTABLE),
    "is not ready": ("V4-CONFIRM-NOT-READY", HTTPStatus.NOT_ACCEPTABLE),
    "was cancelled": ("V4-CONFIRM-NOT-READY", None),
    "amount": ("V4-CONFIRM-AMOUNT", HTTPStatus.UNPROCESSABLE_ENTITY),
}
# The indicators that must fail, with the version and the card: the first one that the profile gives.
_INDICATED = (
    ("06", "1.0.2", BY_CARD),
    ("06", "2.1.0", UNVERIFIED, BY_CARD),
    ("01", "1.0.2", BY_CARD),
    ("01", "2.1.0", "a Mastercard", BY_CARD),
    ("07", "1.0.2", BY_CARD),
    ("00", "2.1.0", BY_CARD),
)
_INTENTS = (
    "that is not ready to capture",
    "that needs verification",
    "that was cancelled",
    "of a slightly larger amount",
    "of a slightly smaller amount",
)

Failure = tuple[str, HTTPStatus | None]
"""The rule by which a payment must fail (none: an empty string), and the documented status of the rejection."""
Fields = Callable[[str], Mapping[str, Any]]
"""Returns the members of a confirmation or booking that is paid in some way."""


@dataclass(frozen=True, slots=True)
class WayToPay:
    """A way to pay, in the words of `PaymentFields`, and whether the documents say that it succeeds.

    ``indicator`` replaces the one of its 3D Secure results, and ``also`` is a member that only a card payment has.
    """

    words: str
    succeeds: bool = False
    indicator: str = ""
    also: str = ""

    def __repr__(self) -> str:
        """Return the words of the features for it."""
        with_indicator = f" with indicator {self.indicator}" if self.indicator else ""
        return f"{self.words}{with_indicator}{f' and also {self.also}' if self.also else ''}"

    @property
    def kind(self) -> object:
        """What it has in common with others."""
        by = self.words if self.words in _OTHER_KINDS else "intent" if INTENT in self.words else "card"
        return by, self.succeeds, bool(self.indicator), bool(self.also)

    def failure(self, interface: str) -> Failure:
        """Return how a service must reject it, or no rule if the contract judges that.

        v3 and v2 may book without the verification of a card.
        """
        failures: Mapping[str, Failure] = (
            _FAILURES_OF_V4 if interface == "v4" else {"is declined": ("V23-BOOKINGS-PAYMENT-FAILS", None)}
        )
        known = (failure for words, failure in failures.items() if words in self.words and not self.indicator)
        return next(known, ("", None))

    def applied(self, draft: RequestDraft, fields: Fields) -> RequestDraft:
        """Return a confirmation or booking with the indicator, or with the other member."""
        if self.also:
            value = three_d_secure() if self.also == "three_d_secure" else fields(BY_CARD)[self.also]
            draft = draft.with_value(self.also, value)
        name = "three_d_secure.electronic_commerce_indicator"
        return draft.with_value(name, self.indicator) if self.indicator else draft


def ways_to_pay(fields: Fields, *more: str, intents: bool, only: Collection[str] = ()) -> list[WayToPay]:
    """Return the ways to pay for which the profile gives the ``fields``, the ones that succeed first.

    ``only`` limits them to the plain ones with some words.
    """
    others = [*more, *[INTENT] * intents]
    with_results = (f"{BY_CARD} and three_d_secure {version}" for version in ("2.2.0", "2.1.0", "1.0.2"))
    good = [BY_CARD, *others, *with_results]
    # Versions other than that of the scenarios: a service may treat only one of them well.
    bad = [DECLINED, UNVERIFIED, f"{DECLINED} and three_d_secure 1.0.2"]
    bad += [f"{INTENT} {each}" for each in _INTENTS if intents]
    fields = cache(fields)
    indicated = (
        next((each for each in ways if _is_usable(each, fields)), ways[-1])
        for ways in (
            [WayToPay(f"{card} and three_d_secure {version}", indicator=indicator) for card in cards]
            for indicator, version, *cards in _INDICATED
        )
    )
    mixed = (WayToPay(each, also=name) for each in others for name in ("three_d_secure", "payment_method"))
    ways = [*(WayToPay(each, succeeds=True) for each in good), *map(WayToPay, bad), *indicated, *mixed]
    ways = [each for each in ways if repr(each) in only] if only else ways
    return [each for each in ways if _is_usable(each, fields)]


def _is_usable(way: WayToPay, fields: Fields) -> bool:
    try:
        return all(fields(each) is not None for each in (way.words, AUTHENTICATED if way.also else way.words))
    except (Outcome, AssertionError):
        return False
