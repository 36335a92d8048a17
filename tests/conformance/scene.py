"""What the steps of one scenario hand to each other."""

from dataclasses import dataclass, field

from airworthy.contract.exchange import Exchange
from conformance.answer import Answer
from conformance.desk import Ordered, Stored, Wanted
from conformance.draft import Draft


@dataclass(slots=True)
class Scene:
    """The request that is about to be sent, the last answer, and what they are about.

    ``exchanges`` holds synthetic traffic, for the scenarios that check how a client's mistake is found.
    """

    wanted: Wanted = field(default_factory=Wanted)
    draft: Draft | None = None
    answer: Answer | None = None
    stored: Stored | None = None
    order: Ordered | None = None
    second: bool = False
    together: tuple[Answer, ...] = ()
    exchanges: list[Exchange] = field(default_factory=list)

    @property
    def request(self) -> Draft:
        """The request that is about to be sent."""
        assert self.draft is not None, "no step has prepared a request"
        return self.draft

    @property
    def last(self) -> Answer:
        """The answer that came last."""
        assert self.answer is not None, "no step has got an answer"
        return self.answer

    @property
    def offer(self) -> Stored:
        """The stored offer that the scenario is about."""
        assert self.stored is not None, "no step has stored an offer"
        return self.stored

    @property
    def ordered(self) -> Ordered:
        """The order that the scenario is about."""
        assert self.order is not None, "no step has created an order"
        return self.order
