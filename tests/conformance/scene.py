"""What the steps of one scenario hand to each other."""

from dataclasses import dataclass, field

from airworthy.contract.exchange import Exchange
from conformance.answer import Answer
from conformance.booking_desk import Booked, Requested
from conformance.draft import Draft
from conformance.exports import ContentExport, Sought
from conformance.flight_desk import Asked
from conformance.offer_desk import Stored, Wanted
from conformance.order_desk import Ordered


@dataclass(slots=True)
class Scene:
    """The request that is about to be sent, the last answer, and what they are about.

    ``asked``, ``requested``, ``booked`` and ``pages`` are those of v2 and v3.
    ``export`` is the content export, ``sought`` what of it was looked for.
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
    asked: Asked | None = None
    requested: Requested | None = None
    booked: Booked | None = None
    pages: list[Answer] = field(default_factory=list)
    export: ContentExport | None = None
    sought: list[Sought] = field(default_factory=list)

    def keep_requested(self, requested: Requested) -> None:
        """Go on with booking requests of v2 or v3."""
        self.asked = self.asked or Asked(requested.interface)
        self.requested, self.answer = requested, requested.answer

    def keep_booked(self, booked: Booked) -> None:
        """Go on with bookings of v2 or v3."""
        self.keep_requested(booked.requested)
        self.booked, self.draft, self.answer = booked, booked.draft, booked.answer

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
    def flights(self) -> Asked:
        """The flights of v2 or v3 that the scenario is about."""
        assert self.asked is not None, "no step has asked for flights"
        return self.asked

    @property
    def pending(self) -> Requested:
        """The booking requests that the scenario is about."""
        assert self.requested is not None, "no step has requested flights"
        return self.requested

    @property
    def bookings(self) -> Booked:
        """The bookings that the scenario is about."""
        assert self.booked is not None, "no step has booked"
        return self.booked

    @property
    def dropped(self) -> ContentExport:
        """The content export that the scenario is about."""
        assert self.export is not None, "no step has read the content export"
        return self.export

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
