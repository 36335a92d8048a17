"""The proxy's end of the judge: hands it what passes, and counts what it could not judge.

A case is handed over when the pipe has taken it: from then on it is judged and recorded even if the proxy is killed.
Where the pipe is full, whoever hands over waits: work in hand is bounded, and nothing is dropped. A judge that dies, or
takes nothing any more, is replaced; what it had in hand is a gap.
"""

import asyncio
import itertools
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from airworthy.proxy.connection import Connection
from airworthy.proxy.wire import Case, Judged, Message, Settings, Tally, Unfit, Verdict, Wire, Wish
from airworthy.traffic import Summary

PATIENCE: Final = 10.0
LONGEST_DRAIN: Final = 30.0
MOST_FRUITLESS: Final = 3

logger = logging.getLogger(__name__)

T = TypeVar("T")


class NoVerdictError(Exception):
    """The judge has said nothing on a case: it failed on it, died, or took too long; the message says which."""


@dataclass(slots=True)
class _Hands(Generic[T]):
    """What a judge has in hand: cases by number, questions by number, and how many exchanges it has not counted yet."""

    cases: dict[int, T] = field(default_factory=dict)
    asked: dict[int, asyncio.Future[Verdict | None]] = field(default_factory=dict)
    uncounted: int = 0

    def let_go(self, last: int) -> None:
        """Forget the cases up to a number."""
        for number in list(itertools.takewhile(lambda each: each <= last, self.cases)):
            del self.cases[number]


class JudgeProcess(Generic[T]):
    """A judge in a process of its own; belongs to the event loop that starts it.

    ``heard`` is called with each verdict that says something, and with what was handed over with its case, in the order
    of the traffic. ``summary`` counts everything that was seen, judged or not. ``patience`` (seconds) is how long the
    judge may take nothing, or owe an answer.
    """

    def __init__(self, heard: Callable[[T, Verdict], None], *, patience: float = PATIENCE) -> None:
        self.summary = Summary()
        self.restarts = 0
        self.settings = Settings()
        self.idle = "there is no judge"
        """Why nothing is judged; empty while it is."""
        self._heard = heard
        self.patience = patience
        self._numbers = itertools.count(1)
        self._hands: _Hands[T] = _Hands()
        self._connection: Connection | None = None
        self._fruitless = 0

    @property
    def pid(self) -> int | None:
        """The judge's process, None where there is none."""
        return self._connection.pid if self._connection else None

    def start(self, settings: Settings) -> None:
        """Start the judge; it gets ready while the first cases wait in the pipe."""
        self.settings = settings
        hands = self._hands = _Hands[T]()
        try:
            self._connection = Connection(lambda message: self._understand(hands, message), self._ended)
        except OSError as error:
            self._give_up(f"the judge's process cannot be started ({error.strerror})")
            return
        self.idle = ""
        self._connection.post(settings)

    async def see(self, wire: Wire, subject: T) -> None:
        """Hand over an exchange; returns when it is in the judge's hands, or counted as a gap."""
        await self._hand_over("see", wire, subject, next(self._numbers))

    async def tell(self, wire: Wire, subject: T) -> Verdict:
        """Hand over an exchange and return what is wrong with it. Raises `NoVerdictError`."""
        return await self._ask("tell", wire, subject)

    async def weigh(self, wire: Wire, subject: T) -> Verdict:
        """Return whether a request may go on; one that may is not counted yet. Raises `NoVerdictError`."""
        return await self._ask("weigh", wire, subject)

    def close(self, patience: float = LONGEST_DRAIN) -> None:
        """Let the judge finish what it has in hand; what it has not counted after ``patience`` seconds is a gap."""
        if self._connection:
            self._connection.drain(patience)
            self._leave(self.idle or "the judge had no time left for it")
        self.idle = "the proxy has shut down"

    async def _ask(self, wish: Wish, wire: Wire, subject: T) -> Verdict:
        number, hands = next(self._numbers), self._hands
        answer: asyncio.Future[Verdict | None] = asyncio.get_running_loop().create_future()
        hands.asked[number] = answer
        try:
            await self._hand_over(wish, wire, subject, number)
            if not self._connection and not answer.done():
                raise NoVerdictError(self.idle)
            verdict = await asyncio.wait_for(answer, self.patience)
        except TimeoutError:
            self._replace(hands, "the judge took too long")
            raise NoVerdictError("the judge took too long") from None
        finally:
            hands.asked.pop(number, None)
        if verdict is None or verdict.failed:
            raise NoVerdictError("the judge failed on it" if verdict else "the judge's process ended")
        return verdict

    async def _hand_over(self, wish: Wish, wire: Wire, subject: T, number: int) -> None:
        connection, hands = self._connection, self._hands
        if connection is None:
            if wish != "weigh":
                self.summary.count_unreadable(self.idle)
            return
        hands.cases[number] = subject
        hands.uncounted += wish != "weigh"
        taken = connection.post(Case(number, wish, wire))
        if taken is None:
            return
        try:
            await asyncio.wait_for(taken, self.patience)
        except TimeoutError:
            self._replace(hands, "the judge took nothing more")

    def _understand(self, hands: _Hands[T], message: Message) -> None:
        match message:
            case Verdict():
                # A request that is blocked counts with its verdict; one that goes on will, with its answer.
                hands.uncounted += message.blocked
                asked = hands.asked.get(message.number)
                if asked and not asked.done():
                    asked.set_result(message)
                if message.findings or message.progress:
                    self._heard(hands.cases[message.number], message)
            case Tally():
                self._fruitless = 0
                hands.uncounted -= message.summary.seen
                self.summary.merge(message.summary)
                hands.let_go(message.number)
            case Judged():
                hands.let_go(message.number)
            case Unfit():
                self._give_up(message.reason)
                self._replace(hands, message.reason)

    def _ended(self) -> None:
        self._replace(self._hands, "the judge's process ended")

    def _replace(self, hands: _Hands[T], reason: str) -> None:
        """Put another judge in the place of one that is of no use any more, and say what that costs."""
        if hands is not self._hands or not self._connection:
            return
        self._connection.kill()
        lost = self._leave(self.idle or reason)
        if self.idle:
            return
        self._fruitless += 1
        if self._fruitless > MOST_FRUITLESS:
            self._give_up(f"{reason}, {self._fruitless} times in a row")
            return
        self.restarts += 1
        text = "%s; %d exchanges were not judged. Another judge goes on, and knows nothing of what was before"
        logger.warning(text, reason, lost)
        self.start(self.settings)

    def _leave(self, reason: str) -> int:
        """Let go of the judge; return how many exchanges it has left uncounted: they are a gap."""
        self._connection = None
        for answer in self._hands.asked.values():
            if not answer.done():
                answer.set_result(None)
        lost = max(0, self._hands.uncounted)
        for _ in range(lost):
            self.summary.count_unreadable(reason)
        self._hands = _Hands()
        return lost

    def _give_up(self, reason: str) -> None:
        self.idle = reason
        logger.warning("nothing is judged from here on: %s", reason)
