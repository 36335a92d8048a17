"""Planned conversations, in which circumstances come together in every combination of two or three."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from covertable import make

from airworthy.suite.capture import Capture
from airworthy.suite.conversation_steps import judged_step
from conformance.v4.request_bodies import PassengerCounts

Circumstances = Mapping[str, Sequence[Any]]
"""The values of each circumstance of a conversation, by its name."""
Circumstance = Mapping[str, Any]
"""One value of each circumstance."""
_MOST_PASSENGERS = 4


@dataclass(eq=False)
class PlannedConversations:
    """Judges planned conversations as steps of a scenario, and tells the first one that shows a violation.

    ``count`` is the number of those that have sent something.
    """

    capture: Capture
    count: int = 0
    _told: list[str] = field(default_factory=list)
    _has_told: bool = False
    _has_sent: bool = False

    def begin_conversation(self) -> None:
        """Begin another conversation."""
        self._told, self._has_sent = [], False

    def tell(self, text: str) -> None:
        """Tell something that happens without an exchange."""
        self._told.append(text)

    @contextmanager
    def step(self, text: str, *, needed: bool = False) -> Iterator[list[str]]:
        """Judge what a block sends as one step: see `judged_step`."""
        words = [text]
        with judged_step(self.capture, needed=needed) as judged:
            yield words
        self.tell("".join(words))
        self.count += bool(judged.exchanges) and not self._has_sent
        self._has_sent = self._has_sent or bool(judged.exchanges)
        self.capture.findings += judged.own
        if self.capture.violations and not self._has_told:
            self._has_told = True
            self.capture.steps += self._told


class Planned(Protocol):
    """A conversation whose circumstances are planned."""

    def converse(self, circumstances: Circumstance) -> None:
        """Have the conversation."""

    def wait(self, seconds: float) -> None:
        """Let time pass, if the clock of the service can be moved."""

    def look(self) -> None:
        """Retrieve everything that the conversation has created."""


@dataclass(frozen=True, slots=True)
class CoveringPlan:
    """Conversations in which so many circumstances as its ``strength`` come together in every combination.

    From each of the ``bases``, which are the plainest circumstances but for some, each other one is changed alone, too:
    what differs in one respect only may be taken for the same.
    """

    circumstances: Circumstances
    begin: Callable[[], Planned]
    strength: int
    bases: Sequence[Mapping[str, int]] = ()

    @property
    def sizes(self) -> Mapping[str, int]:
        """The number of values of each circumstance."""
        return {name: len(values) for name, values in self.circumstances.items()}

    @property
    def combinations(self) -> Iterable[Mapping[str, int]]:
        """The circumstances of each conversation, as the places of their values."""
        places = {name: range(size) for name, size in self.sizes.items()}
        rows: list[Mapping[str, int]] = [*make(places, strength=self.strength)]
        alone = (
            {**dict.fromkeys(places, 0), **base, name: place}
            for base in self.bases
            for name in places.keys() - base.keys()
            for place in places[name]
        )
        return list({tuple(sorted(each.items())): each for each in (*alone, *rows)}.values())

    def converse(self, circumstances: Mapping[str, int]) -> Planned:
        """Begin a conversation in some circumstances, have it, and return it."""
        conversation = self.begin()
        conversation.converse({name: self.circumstances[name][place] for name, place in circumstances.items()})
        return conversation


def follow(plans: Iterable[CoveringPlan], later: float) -> None:
    """Have all conversations of some plans, and look at all of them again ``later``."""
    had = [plan.converse(each) for plan in plans for each in plan.combinations]
    had[-1].wait(later)
    for each in had:
        each.look()


def parties(offered: Sequence[PassengerCounts]) -> list[PassengerCounts]:
    """Return the small parties that a service sells to: one passenger, and several of different types if it may be."""
    small = [each for each in dict.fromkeys(offered) if len(each.types) <= _MOST_PASSENGERS]
    mixed = [each for each in small if each.children or each.infants]
    return [small[0], *(mixed or small[1:])]
