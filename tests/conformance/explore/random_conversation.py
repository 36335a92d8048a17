"""What random conversations with every interface have in common: who acts, how a step is told, and the clock."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from http import HTTPStatus
from itertools import count
from typing import Any, Protocol

from hypothesis import strategies
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from airworthy.contract import Conversation
from airworthy.errors import AirworthyError
from airworthy.suite.conversation_steps import NotRejectedError
from airworthy.suite.outcomes import ExpectationError, Untested
from airworthy.target.ageing import DAY, MINUTE, duration
from airworthy.target.profile import Profile
from conformance.explore.drawing import Changes, Draw, changed, mostly
from conformance.explore.ways_to_pay import WayToPay
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.v4.order_client import OrderClient
from conformance.v4.request_bodies import PassengerCounts

# Often several passengers, because a service may treat only the first one well; every type up to its limit.
_PARTIES = (
    *[PassengerCounts()] * 3,
    *[PassengerCounts(2)] * 2,
    PassengerCounts(1, 1),
    PassengerCounts(1, 0, 1),
    PassengerCounts(2, 1, 1),
    PassengerCounts(2, 2, 2),
    PassengerCounts(9),
    PassengerCounts(1, 9),
    PassengerCounts(9, 0, 9),
)
_DAYS_BETWEEN_SEARCHES = 7
_REMEMBERED = 6
_NEEDED = {"way": "a way to pay", "situation": "a route with flights ([routes.flights_regular])"}
_WRONG_KEY = "airworthy-nobody-0123456789abcdef"
WITHOUT_KEY, WRONG_KEY, FOREIGN = " without a key", " with a wrong key", "foreign"

Move = Callable[[Draw], None]
"""Does something in a conversation, and draws what is open about it."""
Choices = Mapping[str, Sequence[Any]]
"""What the profile of a service offers, by the name of what is chosen from it; the simplest choice is the first."""


class Narrator(Protocol):
    """Judges and tells the steps of conversations, as `Exploration` does."""

    def begin_conversation(self) -> None:
        """Begin another conversation."""

    def tell(self, text: str) -> None:
        """Tell something that happens without an exchange."""

    def step(self, text: str, *, needed: bool = False) -> AbstractContextManager[list[str]]:
        """Judge what a block sends as one step, which ``text`` and the words that the block adds tell."""


@dataclass(eq=False)
class ExploredService:
    """The service with which conversations are had, and the clients of its organisations."""

    narrator: Narrator
    client: OrderClient
    second: OrderClient | None
    conversation: Conversation
    can_wait: bool = field(init=False)
    # Each conversation has other round-trip fares, because the flights of those before may be taken.
    fares: Iterator[int] = field(default_factory=count)
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
        sold = [each for each in ("adults", "children", "infants") if self.profile.has_capability(each)]
        return [each for each in _PARTIES if sum(getattr(each, name) for name in sold) == len(each.types)]

    @property
    def clients(self) -> list[OrderClient]:
        """The clients of its organisations."""
        return [self.client, *([self.second] if self.second else ())]

    def begin(self) -> None:
        """Forget what earlier conversations could not create, and search results whose flights may have departed."""
        today = self.client.clock.now().date()
        is_new_day = self._searched is None or (today - self._searched).days >= _DAYS_BETWEEN_SEARCHES
        self._searched = today if is_new_day else self._searched
        for each in self.clients:
            each.try_anew()
            if is_new_day:
                each.search_anew()


def explored_service(
    narrator: Narrator, interface: str, client: OrderClient, second: OrderClient | None, conversation: Conversation
) -> ExploredService:
    """Return a service with the second organisation, if that may use the interface."""
    is_usable = second and second.succeeds(lambda: second.v4 if interface == "v4" else second.token(interface))
    return ExploredService(narrator, client, second if is_usable else None, conversation)


def require_beginning(offered: Choices) -> None:
    """Raise `Untested` if a profile lacks what every conversation chooses from."""
    if lacking := [what for name, what in _NEEDED.items() if not offered.get(name, (None,))]:
        raise Untested(f"no conversation could begin: the profile lacks {' and '.join(lacking)}")


@dataclass(frozen=True, slots=True)
class Actor:
    """Who sends a request: the client of an organisation, its name in the steps, and how it uses its key."""

    client: OrderClient
    name: str
    key: str = ""

    def send(self, draft: RequestDraft) -> ParsedResponse:
        """Send a request, perhaps without a key or with a wrong one."""
        if not self.key:
            return self.client.send(draft)
        scheme, separator, _ = self.client.authorization(draft).rpartition(" ")
        return self.client.send(draft, key=None if self.key == WITHOUT_KEY else f"{scheme}{separator}{_WRONG_KEY}")

    def rejected(self, response: ParsedResponse, rule: str, *, is_done: bool, status: HTTPStatus | None = None) -> None:
        """Require that a request has not been done, if a rule says so; unless the profile names the wrong payment.

        With a ``status``, a rejection must have this one.
        """
        has_wrong_status = status is not None and response.rejected and response.status != status
        if not rule or not (is_done or has_wrong_status):
            return
        self.client.payments.explain("", response.exchange)
        expected = "a rejection" if status is None else f"status {status.value}"
        actual, exchange = f"status {response.status}", response.exchange
        expectation = ExpectationError("", expected=expected, actual=actual, pointer="status", exchange=exchange)
        what = "a wrong key" if rule.endswith("KEY") else "a payment that must fail"
        text = f"the service accepts {what}" if is_done else f"{what} is rejected with another status than documented"
        raise NotRejectedError(text, rule, expectation)

    def needed(self, response: ParsedResponse, is_needed: bool, reason: str, rule: str, *members: str) -> None:
        """Require the success of a request that the documents say the service must accept."""
        if is_needed:
            self.client.require_success(response, reason, rule, *members)


Sent = tuple[str, Actor, RequestDraft]
"""What a step tells, who sends its request, and the request."""


class RandomConversation(RuleBasedStateMachine):
    """A conversation whose steps Hypothesis draws.

    It has a single rule: Hypothesis would leave out some of several in each conversation, and hardly any bug shows
    without most of them. Its passengers and its route are drawn once, so that it comes further with them.
    """

    def __init__(self, service: ExploredService, choices: Choices) -> None:
        service.narrator.begin_conversation()
        super().__init__()
        self.service, self.choices = service, choices
        # There is nothing yet that grows old.
        self._has_waited = True
        self._text, self._changing = "", list[Sent]()
        self.repeated: Sent | None = None
        service.begin()

    @initialize(data=strategies.data())
    def choose(self, data: strategies.DataObject) -> None:
        """Draw what the conversation is about."""
        self.party: PassengerCounts = self.draw_choice(data.draw, "party")
        self.situation: str = self.draw_choice(data.draw, "situation")

    def moves(self) -> Sequence[Move]:
        """Return what may happen, what is needed most several times: always the same, so that steps can be left out."""
        raise NotImplementedError

    def is_possible(self, move: Move) -> bool:
        """Return whether a move is possible now. To wait twice shows nothing that waiting once does not."""
        if move == self.repeat:
            return bool(self._changing)
        return move != self.time_passes or (self.service.can_wait and not self._has_waited)

    def time_passes(self, draw: Draw) -> None:
        """Let something grow old."""
        raise NotImplementedError

    def repeat(self, draw: Draw) -> None:
        """Send one of the last requests that may have changed something once more, exactly as it was."""
        text, actor, draft = draw(strategies.sampled_from(self._changing[: -_REMEMBERED - 1 : -1]))
        with self.step(f"once more: {text}"):
            actor.send(draft)

    def send_again(self) -> None:
        """Send the last request that may have changed something once more, exactly as it was, and keep it for later."""
        self.repeated = text, actor, draft = self._changing[-1]
        with self.step(f"once more: {text}"):
            actor.send(draft)

    def send_late(self) -> None:
        """Send what was sent again once more, long afterwards, if anything was."""
        if self.repeated:
            self._changing.append(self.repeated)
            self.send_again()
            self.repeated = None

    @rule(data=strategies.data())
    def go_on(self, data: strategies.DataObject) -> None:
        """Do one of the moves that are possible.

        The simplest one does nothing: Hypothesis shortens by it, and has the simplest conversation in every round.
        """
        moves = [None, *self.moves(), self.time_passes, self.repeat]
        move = data.draw(strategies.sampled_from(moves).filter(lambda each: each is None or self.is_possible(each)))
        if move is not None:
            self._has_waited = move == self.time_passes
            move(data.draw)

    def draw_choice(self, draw: Draw, name: str) -> Any:
        """Draw one of the choices that the profile offers."""
        return draw(strategies.sampled_from(self.choices[name]))

    def draw_way(self, draw: Draw, plain: WayToPay) -> WayToPay:
        """Draw a way to pay: often the plain one, and each kind of others as often as any other."""
        kinds: dict[object, list[WayToPay]] = {}
        for each in self.choices["way"]:
            kinds.setdefault(each.kind, []).append(each)
        return draw(strategies.sampled_from(draw(strategies.sampled_from([*[[plain]] * 4, *kinds.values()]))))

    def step(self, text: str, *, needed: bool = False) -> AbstractContextManager[list[str]]:
        """Judge what a block sends as one step."""
        self._text = text
        return self.service.narrator.step(text, needed=needed)

    def deliver(
        self, actor: Actor, draft: RequestDraft, words: list[str], changes: Changes = (), times: int = 1
    ) -> tuple[RequestDraft, ParsedResponse]:
        """Send a request, and return it with its response.

        With ``changes``, send it with one of them after the other instead, until the service accepts it: the contract
        says whether it may.
        """
        operation = self.service.client.operation(draft)
        if not changes or operation is None:
            return draft, self.sent(actor, draft, times)
        for places in changes:
            body, change = changed(operation, draft.body, places)
            words.append(change)
            last = replace(draft, body=body)
            response = self.sent(actor, last, 1)
            if response.succeeded:
                break
        return last, response

    def send(self, text: str, actor: Actor, *drafts: RequestDraft) -> None:
        """Send requests as one step, whatever their responses are."""
        with self.step(f"{actor.name} {text}{actor.key}"):
            for each in drafts:
                self.sent(actor, each, 1)

    def actor(self, second: bool, how: str = "") -> Actor:
        """Return who acts for an organisation, or for the other one if ``how`` is `FOREIGN`."""
        if self.service.second and second != (how == FOREIGN):
            return Actor(self.service.second, "the second organisation", how.removeprefix(FOREIGN))
        return Actor(self.service.client, "the client", how.removeprefix(FOREIGN))

    def sent(self, actor: Actor, draft: RequestDraft, times: int) -> ParsedResponse:
        """Send a request once, or several times at the same moment, and return the first response that succeeds."""
        if draft.method == "POST" and not draft.path.endswith("/search"):
            self._changing.append((self._text, actor, draft))
        if times == 1:
            responses = [actor.send(draft)]
        else:
            responses = actor.client.client.send_at_once([partial(actor.send, draft) for _ in range(times)])
        response = next((each for each in responses if each.succeeded), responses[0])
        rule = "V4-AUTH-WRONG-KEY" if draft.path.startswith("/v4") else "V23-AUTH-WRONG-KEY"
        actor.rejected(response, rule if actor.key == WRONG_KEY else "", is_done=response.succeeded)
        return response

    def until_before_midnight(self, earlier: float = 0.0) -> float:
        """Return the seconds until two minutes before midnight (UTC), or ``earlier``: what is created ages over it."""
        return (self.service.client.clock.until_midnight() - 2 * MINUTE - earlier) % DAY

    def wait(self, seconds: float) -> None:
        """Move the clock of the target, if it has one. A conversation never waits."""
        if not self.service.can_wait:
            return
        self.service.narrator.tell(f"{duration(seconds)} pass")
        try:
            self.service.client.clock.advance(seconds)
        except AirworthyError:
            self.service.can_wait = False


def at_once(times: int) -> str:
    """Return how a step tells that its request is sent several times."""
    return "" if times == 1 else " twice at once"


def described(party: PassengerCounts) -> str:
    """Return the passengers in words."""
    children, infants = (party.children, "child", "children"), (party.infants, "infant", "infants")
    counts = ((party.adults, "adult", "adults"), children, infants)
    return ", ".join(f"{number} {one if number == 1 else several}" for number, one, several in counts if number)


CERTAIN, LATE = 0.9, 0.85
"""The parts of a lifetime until which a resource is certainly usable, and to which a conversation lets it grow old."""
TIMES = mostly(1, 2, times=7)
SECOND = mostly(False, True)
"""Whether the second organisation creates something."""
HOW = mostly("", FOREIGN, FOREIGN, WITHOUT_KEY, WRONG_KEY, times=16)
"""How somebody acts: as the organisation to which a resource belongs, as another one, or as nobody."""
