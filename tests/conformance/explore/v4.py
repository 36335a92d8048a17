"""Random conversations with v4: offers, orders and reservations."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from hypothesis import strategies
from hypothesis.stateful import Bundle, multiple, rule

from airworthy.contract.conversation.limits import BOOKING_REQUEST_SHORTEST_LIFETIME
from conformance.explore.random_conversation import (
    BY_CARD,
    SECOND,
    TIMES,
    ExploredService,
    Payment,
    RandomConversation,
    at_once,
    described,
    payments,
)
from conformance.request_draft import RequestDraft
from conformance.v4 import request_bodies as bodies
from conformance.v4.offer_client import OfferCriteria, StoredOffer
from conformance.v4.order_client import CreatedOrder, OrderClient
from conformance.v4.request_bodies import OrderOptions

_WAYS = (*payments(BY_CARD, intents=True), Payment("balance", succeeds=True))
# How long a new order must remain open; the documents name no time (OPEN-71).
_FRESH = BOOKING_REQUEST_SHORTEST_LIFETIME
_MORE = strategies.integers(0, 63)


@dataclass(frozen=True, slots=True)
class V4Choices:
    """What the profile offers: groups of passengers and ways to pay."""

    parties: list[Any]
    ways: list[Payment]

    @classmethod
    def of(cls, service: ExploredService) -> "V4Choices":
        """Return what a service offers."""

        def fields(words: str) -> object:
            if words == "balance" and not service.client.v4.balance:
                return service.client.needs("balance")
            return service.client.payments.fields(words, 100.0)

        return cls(service.parties(), service.usable(_WAYS, fields))


class V4Conversation(RandomConversation):
    """A conversation about offers, orders and reservations."""

    offers: Bundle[StoredOffer] = Bundle("offers")
    orders: Bundle[CreatedOrder] = Bundle("orders")

    def __init__(self, service: ExploredService, choices: V4Choices) -> None:
        super().__init__(service)
        self.choices = choices

    @rule(target=offers, party=_MORE, round_trip=strategies.booleans())
    def store_offer(self, party: int, round_trip: bool) -> Any:
        """Store an offer of a search."""
        counts = self.choices.parties[party % len(self.choices.parties)]
        criteria = OfferCriteria(party=counts, round_trip=round_trip)
        trip = "a round trip" if round_trip else "a one-way trip"
        stored: list[StoredOffer] = []
        with self.step(f"the client stores an offer of {trip} for {described(counts)}", needed=True):
            stored.append(self.service.client.store(criteria))
        return multiple(*stored)

    @rule(offer=offers, second=SECOND)
    def read_fares(self, offer: StoredOffer, second: bool) -> None:
        """Read the fares of an offer."""
        self._send("retrieves the fares of the offer", bodies.get_fares(offer.id), second)

    @rule(offer=offers, second=SECOND)
    def read_baggage(self, offer: StoredOffer, second: bool) -> None:
        """Read the baggage options of an offer."""
        self._send("retrieves the baggage options of the offer", bodies.get_baggage(offer.id), second)

    @rule(target=orders, offer=offers, balance=strategies.booleans(), bags=strategies.integers(0, 2))
    def create_order(self, offer: StoredOffer, balance: bool, bags: int) -> Any:
        """Create an order from an offer."""
        client, created = self.service.client, list[CreatedOrder]()
        payment: bodies.PaymentMethod = "balance" if balance and client.v4.balance else "card"
        payment = payment if client.profile.has_capability("card") else client.usual_payment
        bags = bags if client.profile.has_capability("baggage") else 0
        options = OrderOptions(payment=payment, bags=bags)
        is_needed = self._is_first_order(offer)
        with_bags = f" with {bags} bags" if bags else ""
        with self.step(f"the client creates an order from the offer{with_bags}, paid by {payment}", needed=is_needed):
            draft = client.order_request(offer, options)
            response = client.send(draft)
            self.needed(response, is_needed, "the service does not accept an order of a stored offer", "V4-ORDER-OPENS")
            if response.succeeded and isinstance(response.member("id"), str):
                created.append(CreatedOrder(draft, response, offer, options))
        return multiple(*created)

    def _is_first_order(self, offer: StoredOffer) -> bool:
        """Whether an offer is certainly live, and has no order yet: a second one is open (OPEN-73)."""
        seen = self.service.conversation.v4.offer(offer.id)
        age = self.service.client.clock.now() - offer.response.exchange.started
        return seen is not None and not seen.orders and age < self.service.profile.lifetimes.offer * 0.9

    @rule(order=orders, way=_MORE, second=SECOND, times=TIMES)
    def confirm(self, order: CreatedOrder, way: int, second: bool, times: int) -> None:
        """Confirm an order in one of the ways to pay."""
        payment = self.choices.ways[way % len(self.choices.ways)]
        client, who = self._actor(second)
        is_needed = payment.succeeds and not second and self._is_fresh(order)
        is_needed = is_needed and order.options.payment == ("balance" if payment.words == "balance" else "card")
        with self.step(f"{who} confirms the order by {payment!r}{at_once(times)}", needed=is_needed):
            draft = payment.applied(self.service.client.confirmation(order, payment.words))
            response = self.sent(client, draft, times)
            reason = "a documented confirmation does not book the order"
            self.needed(response, is_needed, reason, "V4-CONFIRM-BOOKS", "reservationId")

    def _is_fresh(self, order: CreatedOrder) -> bool:
        """Whether an order is new, was never confirmed, and no order of its offer was (OPEN-05, OPEN-71, OPEN-73)."""
        seen = self.service.conversation.v4.order(order.id)
        offer = self.service.conversation.v4.offer(order.stored.id)
        age: timedelta = self.service.client.clock.now() - order.response.exchange.started
        is_alone = offer is not None and len(offer.orders) == 1 and not offer.booked
        return seen is not None and not seen.attempted and is_alone and age < _FRESH

    @rule(order=orders, second=SECOND)
    def read_order(self, order: CreatedOrder, second: bool) -> None:
        """Read an order."""
        self._send("retrieves the order", bodies.get_order(order.id), second)

    @rule(order=orders, second=SECOND)
    def find_reservation(self, order: CreatedOrder, second: bool) -> None:
        """Read the reservation of an order, which has one if it is booked."""
        self._send("retrieves the reservation by the order", bodies.find_reservation(order.id), second)

    @rule(order=orders, second=SECOND)
    def read_reservation(self, order: CreatedOrder, second: bool) -> None:
        """Read a reservation by its id."""
        seen = self.service.conversation.v4.order(order.id)
        if seen is not None and seen.reservation:
            self._send("retrieves the reservation", bodies.get_reservation(seen.reservation), second)

    @rule(offer=offers, late=strategies.booleans())
    def time_passes(self, offer: StoredOffer, late: bool) -> None:  # noqa: ARG002  there must be something to age
        """Let offers become almost too old, or too old."""
        lifetime = self.service.profile.lifetimes.offer_seconds
        self.wait(lifetime + 60 if late else lifetime * 0.9)

    def _actor(self, second: bool) -> tuple[OrderClient, str]:
        if second and self.service.second:
            return self.service.second, "the second organisation"
        return self.service.client, "the client"

    def _send(self, text: str, draft: RequestDraft, second: bool) -> None:
        client, who = self._actor(second)
        with self.step(f"{who} {text}"):
            client.send(draft)
