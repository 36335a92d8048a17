"""Flights, booking requests and bookings of v3 and v2, as earlier exchanges have shown them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from airworthy.contract.bodies.body import Json
from airworthy.contract.conversation.store import Seen
from airworthy.contract.conversation.v3.bag_options import CabinBagOption, Luggage
from airworthy.contract.conversation.v3.bag_pieces import Pieces
from airworthy.contract.conversation.v3.journeys import NO_JOURNEY, Journey
from airworthy.contract.conversation.v3.parties import COUNTS, Party
from airworthy.contract.http.transaction import AgeRange, Moment, Transaction, as_number, member, whole

Ended = Literal["cancelled", "booked", "aborted"]
Way = Literal["outward", "return"]


@dataclass(frozen=True, slots=True)
class SeenFlight(Seen):
    """A flight, as searches have shown it.

    Attributes:
        needs_documents: whether its passengers need travel documents.
        searched: whether a search showed its bags, which round-trip searches do not.
        checked, cabin: the bag options that every search showed.
        any_checked, any_cabin: the bag options that any search showed.
        journey: where and when it flies.
    """

    needs_documents: bool
    searched: bool = False
    checked: frozenset[float] = frozenset()
    cabin: frozenset[CabinBagOption] = frozenset()
    any_checked: frozenset[float] = frozenset()
    any_cabin: frozenset[CabinBagOption] = frozenset()
    journey: Journey = NO_JOURNEY


@dataclass(frozen=True, slots=True)
class HeldPrice:
    """The prices of a booking request, and for how many passengers and infants; ``card_fee`` is 0 without one."""

    price: float
    infant_price: float
    passengers: int
    infants: int
    card_fee: float = 0.0

    @classmethod
    def of(cls, request: Json) -> "HeldPrice | None":
        """Return the prices of a booking request in a response, or None if it does not show them."""
        price, infant_price = as_number(member(request, "price")), as_number(member(request, "infant_price"))
        counts = [whole(member(request, "passengers", name)) for name in COUNTS]
        if price is None or None in counts:
            return None
        adults, children, infants = (count or 0 for count in counts)
        card_fee = as_number(member(request, "cc_fee")) or 0.0
        return cls(price, infant_price or 0.0, adults + children, infants, max(card_fee, 0.0))

    @property
    def totals(self) -> tuple[float, ...]:
        """What the documents may mean by the price of the booking (OPEN-82).

        It is the price of one person or of all. A total includes the card fee when paying by card, and the card fee
        is a fraction or an amount.
        """
        most, infants = max(self.passengers, 1), self.infants * self.infant_price
        everyone = most + self.infants
        without_fee = (
            *(self.price * number for number in (1, self.passengers, everyone)),
            *(self.price / number for number in (most, everyone)),
            *(self.price * number + infants for number in (1, self.passengers)),
        )
        fee = self.card_fee
        return tuple(
            each
            for total in without_fee
            for each in (total, total + fee, total - fee, total * (1 + fee), total / (1 + fee))
        )

    @property
    def infant_totals(self) -> tuple[float, ...]:
        """What the documents may mean by the infant price of the booking: of one infant or of all (OPEN-82)."""
        return (self.infant_price, self.infant_price * self.infants, self.infant_price / max(self.infants, 1))


@dataclass(frozen=True, slots=True)
class DeclinedPayment:
    """A booking whose payment failed or may have failed.

    Attributes:
        terms: a digest of what it sent, apart from its card.
        requests: the ids of its booking requests.
        since: when it was rejected.
        failed: whether the response said that the payment failed.
        attempted: whether it was rejected because its authentication was only attempted.
    """

    terms: str
    requests: frozenset[str]
    since: Moment
    failed: bool
    attempted: bool


@dataclass(frozen=True, slots=True)
class SeenBookingRequest(Seen):
    """A booking request, and what became of it.

    Attributes:
        requested, created: start and end of the exchange that created it.
        flight: the id of its flight.
        passengers: the number of passengers, or None if it was not seen.
        caller: the digest of the key that created it.
        way: the direction within a round trip, if known.
        back: the booking request of the flight back that was requested after this one, if there is one.
        declined: a payment that failed or may have failed.
        attempted: whether a booking of it was sent.
        ended, since, exchange: how, when and in which exchange it ended.
        price: the prices that it holds.
        luggage: the luggage options of its flight, or None if the flight has no such array.
        pieces, weights: the bags that were requested in v3, and what the checked ones weigh.
        shown: its flight, as the response to its creation showed it.
        sent: the passengers that were sent with it in v3.
        stamp: its ``created_at``.
        bags_fee: what its checked and its cabin bags cost.
        party: the passengers that v2 counts, if known.
    """

    requested: datetime
    created: Moment
    needs_documents: bool = False
    flight: str = ""
    passengers: int | None = None
    caller: str = ""
    way: Way | None = None
    back: str = ""
    declined: DeclinedPayment | None = None
    attempted: bool = False
    ended: Ended | None = None
    since: Moment | None = None
    exchange: str = ""
    price: HeldPrice | None = None
    luggage: frozenset[Luggage] | None = None
    pieces: Pieces | None = None
    weights: tuple[float, ...] = ()
    shown: bytes = b""
    sent: bytes = b""
    stamp: datetime | None = None
    bags_fee: tuple[float | None, ...] = (None, None)
    party: Party | None = None

    @property
    def source(self) -> str:
        """The id of the exchange that ended the booking request, or else of the one that created it."""
        return self.exchange or self.shown_by

    def age(self, transaction: Transaction) -> AgeRange:
        """Return how old the booking request is in an exchange."""
        return transaction.age(self.requested, self.created)


@dataclass(frozen=True, slots=True)
class SeenBooking(Seen):
    """A booking, as the responses have shown it so far.

    Attributes:
        booked: when it was made.
        external_id: the external id that was sent with it.
        request: the id of its booking request.
        caller: the digest of the key that made it.
        reference: its reference in the letter case in which it was returned.
        pieces: the bags that were booked.
        shown: its members, each as the first response with a value showed it.
        statuses: the statuses seen so far.
    """

    booked: datetime | None = None
    external_id: str | None = None
    request: str = ""
    caller: str = ""
    reference: str = ""
    pieces: Pieces | None = None
    shown: bytes = b""
    statuses: frozenset[str] = frozenset()
