"""The payment provider's part, in test mode: the test cards, and the payments that the service charges.

Test cards decide what happens; ``provider.toml`` lists them. What clients can request is in `operations`.
"""

import threading
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from airworthy.sandbox.model.clock import SandboxClock
from airworthy.sandbox.model.organisations import ORGANISATIONS
from airworthy.sandbox.model.tables import BoundedTable, InvalidTransition
from airworthy.sandbox.payment_provider.records import Outcome, PaymentIntent, PaymentMethod, ProviderError

# A payment intent with this amount matches every order.
ANY_AMOUNT = 0


@dataclass(frozen=True, slots=True)
class Card:
    """A test card: the result of a payment with it, and the id of a payment method that always exists for it."""

    name: str
    number: str
    brand: str
    outcome: Outcome
    payment_method: str
    code: str | None = None


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
CARDS = tuple(Card(name, *row) for name, row in _TABLE.items())
BY_NUMBER: Mapping[str, Card] = {card.number: card for card in CARDS}
_BY_METHOD = {card.payment_method: card for card in CARDS}

# Payment intents that always exist, for clients that cannot create any.
MAGIC_INTENTS: Mapping[str, PaymentIntent] = {
    "not_ready": PaymentIntent("pi_sandbox_not_ready", ANY_AMOUNT, "eur", True, "requires_action", None, "-"),
    "amount_mismatch": PaymentIntent("pi_sandbox_wrong_amount", 1, "eur", True, "requires_capture", None, "-"),
}
_MAGIC = {intent.id: intent for intent in MAGIC_INTENTS.values()}


class PaymentProvider:
    """The payment methods and payment intents of all accounts, by id. The token of an account identifies it."""

    def __init__(self, clock: SandboxClock, intent_prefix: str, method_prefix: Callable[[], str]) -> None:
        self.clock = clock
        self.tokens = frozenset(each.provider_token for each in ORGANISATIONS)
        self.intent_prefix = intent_prefix
        self.method_prefix = method_prefix
        self.methods: BoundedTable[PaymentMethod] = BoundedTable()
        self.intents: BoundedTable[PaymentIntent] = BoundedTable()
        self._used: BoundedTable[bool] = BoundedTable()
        self._lock = threading.Lock()
        # The payment intent of each 3-D Secure challenge.
        self._challenges: BoundedTable[str] = BoundedTable()

    # For the service

    def method(self, reference: str) -> PaymentMethod | None:
        """Return a payment method by id: a created one, or that of a test card."""
        card = _BY_METHOD.get(reference)
        if card is None:
            return self.methods.get(reference)
        year = self.clock.now().year + 3
        return PaymentMethod(reference, card.brand, card.number[-4:], 12, year, card.outcome, card.code, 0)

    def intent(self, reference: str) -> PaymentIntent | None:
        """Return a payment intent by id."""
        return _MAGIC.get(reference) or self.intents.get(reference)

    def capture(self, reference: str) -> bool:
        """Capture a payment intent; return False if it is not in the state requires_capture."""
        if reference in _MAGIC:
            return _MAGIC[reference].status == "requires_capture"
        try:
            self.intents.change(reference, PaymentIntent.capture)
        except (KeyError, ProviderError):
            return False
        return True

    def use_once(self, reference: str) -> bool:
        """Record that a created payment method was charged; return False if it was charged before."""
        if reference in _BY_METHOD:
            return True
        with self._lock:
            fresh = self._used.get(reference) is None
            self._used.put(reference, True)
        return fresh

    # For clients

    def put_intent(self, intent: PaymentIntent) -> PaymentIntent:
        """Store a new payment intent."""
        return self._challengeable(self.intents.put(intent.id, intent))

    def change_intent(self, reference: str, transition: Callable[[PaymentIntent], PaymentIntent]) -> PaymentIntent:
        """Replace a payment intent with the result of a transition; one that always exists stays as it is."""
        if reference in _MAGIC:
            return transition(_MAGIC[reference])
        return self._challengeable(self.intents.change(reference, transition))

    def challenged(self, challenge: str) -> PaymentIntent | None:
        """Return the payment intent of a 3-D Secure challenge, whether the challenge is open or not."""
        return self.intents.get(self._challenges.get(challenge) or "")

    def complete_challenge(self, challenge: str, *, succeeded: bool) -> PaymentIntent | None:
        """Return the payment intent after its 3-D Secure challenge, or None if the challenge is over."""

        def completed(intent: PaymentIntent) -> PaymentIntent:
            if intent.challenge != challenge:
                raise InvalidTransition(intent.status)
            return intent.authenticate(succeeded=succeeded)

        try:
            return self.intents.change(self._challenges.get(challenge), completed)
        except (KeyError, InvalidTransition):
            return None

    def _challengeable(self, intent: PaymentIntent) -> PaymentIntent:
        if intent.challenge:
            self._challenges.put(intent.challenge, intent.id)
        return intent
