"""Random conversations with v4: offers, orders and reservations."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from hypothesis import strategies
from hypothesis.stateful import Bundle, initialize, multiple, rule

from airworthy.contract.conversation.limits import BOOKING_REQUEST_SHORTEST_LIFETIME
from conformance.explore.random_conversation import (
    BY_CARD,
    PARTY,
    SECOND,
    TIMES,
    ExploredService,
    RandomConversation,
    WayToPay,
    at_once,
    described,
    payments,
)
from conformance.request_draft import RequestDraft
from conformance.v4 import request_bodies as bodies
from conformance.v4.offer_client import OfferCriteria, StoredOffer
from conformance.v4.order_client import CreatedOrder, OrderClient
from conformance.v4.request_bodies import OrderOptions, PaymentMethod

_WAYS = (*payments(BY_CARD, intents=True), WayToPay("balance", succeeds=True))
# How long a new order must remain open; the documents name no time (OPEN-71).
_FRESH = BOOKING_REQUEST_SHORTEST_LIFETIME
_MORE = strategies.integers(0, 63)
_MOST_PASSENGERS = 9
_BAGS = strategies.integers(0, 2)


@dataclass(frozen=True, slots=True)
class V4Options:
    """What the profile offers: groups of passengers and ways to pay."""

    parties: list[Any]
    ways: list[WayToPay]

    @classmethod
    def of(cls, service: ExploredService) -> "V4Options":
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

    def __init__(self, service: ExploredService, options: V4Options) -> None:
        super().__init__(service)
        self.options = options

    @initialize(target=offers, party=PARTY, round_trip=strategies.booleans())
    def first_offer(self, party: int, round_trip: bool) -> Any:
        """Begin with an offer: nothing else is possible without one."""
        return self._store(party, round_trip)

    @rule(target=offers, party=PARTY, round_trip=strategies.booleans())
    def store_offer(self, party: int, round_trip: bool) -> Any:
        """Store an offer of a search."""
        return self._store(party, round_trip)

    def _store(self, party: int, round_trip: bool) -> Any:
        counts = self.options.parties[party % len(self.options.parties)]
        criteria = OfferCriteria(party=counts, round_trip=round_trip)
        trip = "a round trip" if round_trip else "a one-way trip"
        stored: list[StoredOffer] = []
        # A service may limit the sum of the passengers (OPEN-55).
        is_needed = len(counts.types) <= _MOST_PASSENGERS
        with self.step(f"the client stores an offer of {trip} for {described(counts)}", needed=is_needed):
            stored.append(self.service.client.store(criteria))
        return multiple(*stored)

    @rule(offer=offers, second=SECOND, baggage=strategies.booleans())
    def read_offer(self, offer: StoredOffer, second: bool, baggage: bool) -> None:
        """Read the fares or the baggage options of an offer."""
        draft, what = (bodies.get_baggage, "baggage options") if baggage else (bodies.get_fares, "fares")
        self._send(f"retrieves the {what} of the offer", draft(offer.id), second)

    # Hypothesis leaves out some rules of each conversation: what is needed most is in two of them.

    @rule(target=orders, offer=offers, bags=_BAGS)
    def order_for_card(self, offer: StoredOffer, bags: int) -> Any:
        """Create an order that is to be paid by card."""
        return self._order(offer, "card" if self.service.profile.has_capability("card") else "balance", bags)

    @rule(target=orders, offer=offers, bags=_BAGS)
    def order_for_balance(self, offer: StoredOffer, bags: int) -> Any:
        """Create an order that is to be paid from the balance, if the organisation may."""
        client = self.service.client
        return self._order(offer, "balance" if client.v4.balance else client.usual_payment, bags)

    def _order(self, offer: StoredOffer, payment: PaymentMethod, bags: int) -> Any:
        client, created = self.service.client, list[CreatedOrder]()
        options = OrderOptions(payment=payment, bags=bags if client.profile.has_capability("baggage") else 0)
        with_bags = f" with {options.bags} bags" if options.bags else ""
        is_needed = self._is_first_order(offer)
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

    @rule(order=orders, second=SECOND, times=TIMES)
    def confirm_as_ordered(self, order: CreatedOrder, second: bool, times: int) -> None:
        """Confirm an order in the plain way of its payment method."""
        words = "balance" if order.options.payment == "balance" else BY_CARD
        self._confirm(order, WayToPay(words, succeeds=True), second, times)

    @rule(order=orders, way=_MORE, second=SECOND, times=TIMES)
    def confirm(self, order: CreatedOrder, way: int, second: bool, times: int) -> None:
        """Confirm an order in one of the ways to pay."""
        self._confirm(order, self.options.ways[way % len(self.options.ways)], second, times)

    def _confirm(self, order: CreatedOrder, payment: WayToPay, second: bool, times: int) -> None:
        client, who = self._actor(second)
        is_needed = payment.succeeds and not second and self._is_fresh(order)
        is_needed = is_needed and order.options.payment == ("balance" if payment.words == "balance" else "card")
        must_fail = "" if second else payment.rule_of_failure("v4")
        text = f"{who} confirms the order by {payment!r}{at_once(times)}"
        with self.step(text, needed=is_needed or bool(must_fail)):
            draft = payment.applied(self.service.client.confirmation(order, payment.words))
            response = self.sent(client, draft, times)
            self.unpaid(response, must_fail, is_paid=response.member("status") == "BOOKED")
            reason = "a documented confirmation does not book the order"
            self.needed(response, is_needed, reason, "V4-CONFIRM-BOOKS", "reservationId")

    def _is_fresh(self, order: CreatedOrder) -> bool:
        """Whether an order is new, was never confirmed, and no order of its offer was (OPEN-05, OPEN-71, OPEN-73)."""
        seen = self.service.conversation.v4.order(order.id)
        offer = self.service.conversation.v4.offer(order.stored.id)
        age: timedelta = self.service.client.clock.now() - order.response.exchange.started
        is_alone = offer is not None and len(offer.orders) == 1 and not offer.booked
        return seen is not None and not seen.attempted and is_alone and age < _FRESH

    @rule(order=orders, second=SECOND, what=strategies.integers(0, 2))
    def read_order(self, order: CreatedOrder, second: bool, what: int) -> None:
        """Read an order, or its reservation by either id."""
        seen = self.service.conversation.v4.order(order.id)
        if what == 0 or seen is None or not seen.reservation:
            self._send("retrieves the order", bodies.get_order(order.id), second)
        if what == 1:
            self._send("retrieves the reservation by the order", bodies.find_reservation(order.id), second)
        elif what == 2 and seen is not None and seen.reservation:
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
