"""What random conversations with every interface have in common: who acts, how a step is told, and the clock."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from hypothesis import strategies
from hypothesis.stateful import RuleBasedStateMachine

from airworthy.contract import Conversation
from airworthy.errors import AirworthyError
from airworthy.suite.exploration import Exploration
from airworthy.suite.outcomes import ExpectationError, Outcome, PrerequisiteFailed
from airworthy.target.ageing import duration
from airworthy.target.profile import Profile
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.service_client import ServiceClient
from conformance.v4.order_client import OrderClient
from conformance.v4.request_bodies import PassengerCounts

# Every passenger type up to its limit.
_PARTIES = (
    PassengerCounts(),
    PassengerCounts(2),
    PassengerCounts(1, 1),
    PassengerCounts(1, 0, 1),
    PassengerCounts(2, 2, 1),
    PassengerCounts(9),
    PassengerCounts(1, 9),
    PassengerCounts(9, 0, 9),
)
_DAYS_BETWEEN_SEARCHES = 7
BY_CARD = "a payment method"
_RULES_OF_V4 = {
    "is declined": "V4-CONFIRM-REJECTED",
    "needs verification": "V4-CONFIRM-NOT-READY",
    "is not ready": "V4-CONFIRM-NOT-READY",
    "was cancelled": "V4-CONFIRM-NOT-READY",
    "larger amount": "V4-CONFIRM-AMOUNT",
}


@dataclass(frozen=True, slots=True)
class WayToPay:
    """A way to pay, in the words of `PaymentFields`, and whether the documents say that it succeeds.

    ``indicator`` replaces the one of its 3D Secure results.
    """

    words: str
    succeeds: bool = False
    indicator: str = ""

    def __repr__(self) -> str:
        """Return the words of the features for it."""
        return f"{self.words} with indicator {self.indicator}" if self.indicator else self.words

    def rule_of_failure(self, interface: str) -> str:
        """Return the rule that a service violates by accepting it, or an empty string if the contract judges that.

        v3 and v2 may book without the verification of a card.
        """
        rules = _RULES_OF_V4 if interface == "v4" else {"is declined": "V23-BOOKINGS-PAYMENT-FAILS"}
        return next((rule for words, rule in rules.items() if words in self.words), "")

    def applied(self, draft: RequestDraft) -> RequestDraft:
        """Return a confirmation or booking with the indicator."""
        name = "three_d_secure.electronic_commerce_indicator"
        return draft.with_value(name, self.indicator) if self.indicator else draft


def payments(*plain: str, intents: bool) -> tuple[WayToPay, ...]:
    """Return the ways to pay that succeed, ``plain`` ones first, and those that do not."""
    with_results = f"{BY_CARD} and three_d_secure"
    good = (*plain, f"{with_results} 2.2.0", f"{with_results} 1.0.2", *(("a payment intent",) if intents else ()))
    bad: tuple[str, ...] = ("a card that is declined", "a card that needs verification")
    bad += ("a card that is declined and three_d_secure 2.2.0",)
    if intents:
        bad += tuple(f"a payment intent {each}" for each in ("that is not ready to capture", "that was cancelled"))
        bad += ("a payment intent of a slightly larger amount", "both a payment intent and a payment method")
    attempted = (WayToPay(f"{with_results} 2.2.0", indicator=each) for each in ("06", "01"))
    return (*(WayToPay(each, succeeds=True) for each in good), *map(WayToPay, bad), *attempted)


@dataclass(eq=False)
class ExploredService:
    """The service with which conversations are had: clients of its organisations, and what the profile offers."""

    exploration: Exploration
    client: OrderClient
    second: OrderClient | None
    conversation: Conversation
    can_wait: bool = field(init=False)
    _searched: Any = None

    def __post_init__(self) -> None:
        """Know whether the clock of the target can be moved."""
        self.can_wait = self.client.clock.movable

    @property
    def profile(self) -> Profile:
        """The profile of the target."""
        return self.client.profile

    def parties(self) -> list[PassengerCounts]:
        """Return the groups of passengers that the service sells to."""
        sells = self.profile.has_capability
        return [
            each
            for each in _PARTIES
            if (sells("children") or not each.children) and (sells("infants") or not each.infants)
        ]

    def usable(self, ways: Sequence[WayToPay], fields: Callable[[str], object]) -> list[WayToPay]:
        """Return the ways to pay for which the profile gives the ``fields``."""
        return [each for each in ways if self._can_pay(each, fields)]

    @staticmethod
    def _can_pay(way: WayToPay, fields: Callable[[str], object]) -> bool:
        try:
            fields(way.words)
        except (Outcome, AssertionError):
            return False
        return True

    def begin(self) -> None:
        """Forget what earlier conversations could not create, and search results whose flights may have departed."""
        self.client.try_anew()
        today = self.client.clock.now().date()
        if self._searched is None or (today - self._searched).days >= _DAYS_BETWEEN_SEARCHES:
            self._searched = today
            self.client.search_anew()


class RandomConversation(RuleBasedStateMachine):
    """A conversation whose steps Hypothesis draws."""

    def __init__(self, service: ExploredService) -> None:
        service.exploration.begin_conversation()
        super().__init__()
        self.service = service
        service.begin()

    @contextmanager
    def step(self, text: str, *, needed: bool = False) -> Iterator[None]:
        """Judge what the block sends as one step (see `Exploration.step`)."""
        with self.service.exploration.step(text, needed=needed):
            yield

    def sent(self, client: ServiceClient, draft: RequestDraft, times: int) -> ParsedResponse:
        """Send a request once, or several times at the same moment, and return the first response that succeeds."""
        if times == 1:
            return client.send(draft)
        responses = client.client.send_at_once([partial(client.send, draft) for _ in range(times)])
        return next((each for each in responses if each.succeeded), responses[0])

    def wait(self, seconds: float) -> None:
        """Move the clock of the target, if it has one. A conversation never waits."""
        if not self.service.can_wait:
            return
        self.service.exploration.tell(f"{duration(seconds)} pass")
        try:
            self.service.client.clock.advance(seconds)
        except AirworthyError:
            self.service.can_wait = False

    def unpaid(self, response: ParsedResponse, rule: str, *, is_paid: bool) -> None:
        """Require that a payment has failed, unless the profile names the wrong one."""
        if not rule or not is_paid:
            return
        self.service.client.payments.explain("", response.exchange)
        actual, exchange = f"status {response.status}", response.exchange
        expectation = ExpectationError(
            "", expected="a payment error", actual=actual, pointer="status", exchange=exchange
        )
        raise PrerequisiteFailed("the service accepts a payment that must fail", rule, expectation)

    def needed(self, responses: ParsedResponse, is_needed: bool, reason: str, rule: str, *members: str) -> None:
        """Require the success of a request that the documents say the service must accept."""
        if is_needed:
            self.service.client.require_success(responses, reason, rule, *members)


def at_once(times: int) -> str:
    """Return how a step tells that its request is sent several times."""
    return "" if times == 1 else " twice at once"


def described(party: PassengerCounts) -> str:
    """Return the passengers in words."""
    children, infants = (party.children, "child", "children"), (party.infants, "infant", "infants")
    counts = ((party.adults, "adult", "adults"), children, infants)
    return ", ".join(f"{number} {one if number == 1 else several}" for number, one, several in counts if number)


def mostly(usual: Any, *others: Any) -> strategies.SearchStrategy[Any]:
    """Return a strategy that draws the usual value three times of four."""
    return strategies.sampled_from([usual, usual, usual, *others])


TIMES = mostly(1, 2)
PARTY = strategies.sampled_from([0] * len(_PARTIES) + list(range(len(_PARTIES))))
"""The place of a group of passengers among those that the service sells to: often the first."""
SECOND = mostly(False, True)
"""Whether the second organisation acts."""
