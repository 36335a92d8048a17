"""Random conversations with v4: offers, orders and reservations."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import strategies
from hypothesis.stateful import Bundle, initialize, multiple, rule

from airworthy.contract.conversation.limits import BOOKING_REQUEST_SHORTEST_LIFETIME
from conformance.explore.random_conversation import (
    BY_CARD,
    FOREIGN,
    PARTY,
    SECOND,
    TIMES,
    WAY,
    Choices,
    ExploredService,
    RandomConversation,
    WayToPay,
    at_once,
    chosen,
    described,
    ways_to_pay,
)
from conformance.v4 import request_bodies as bodies
from conformance.v4.offer_client import OfferCriteria, StoredOffer
from conformance.v4.order_client import CreatedOrder, OrderClient
from conformance.v4.request_bodies import OrderOptions, PassengerCounts, PaymentMethod

# How long a new order must remain open; the documents name no time (OPEN-71).
_FRESH = BOOKING_REQUEST_SHORTEST_LIFETIME
_BAGS = chosen("bags")
# The bags that an order may have, by how a step tells them.
_SELECTIONS = {
    "": OrderOptions(),
    " with a bag": OrderOptions(bags=1),
    " with two bags": OrderOptions(bags=2),
    " with a bag for everybody": OrderOptions(bags=1, whose="every"),
    " with a cabin bag": OrderOptions(bags=1, kinds=("CABIN",)),
    " with a bag each way": OrderOptions(bags=1, ways=("outbound", "inbound")),
}
_READS = ("order", "reservation by the order", "reservation")


def choices(service: ExploredService) -> Choices:
    """Return what a service offers."""

    def fields(words: str) -> object:
        if words == "balance" and not any(each.v4.balance or each.lacks_balance for each in service.clients):
            return service.client.needs("balance")
        return service.client.payments.fields(words, 100.0)

    sells = service.profile.has_capability
    return {
        "party": service.parties(),
        "way": ways_to_pay(fields, "balance", intents=True),
        "trip": [False, True] if sells("round_trips") else [False],
        "bags": list(_SELECTIONS)[: None if sells("baggage") else 1],
    }


class V4Conversation(RandomConversation):
    """A conversation about offers, orders and reservations."""

    offers: Bundle[StoredOffer] = Bundle("offers")
    orders: Bundle[CreatedOrder] = Bundle("orders")

    def __init__(self, service: ExploredService, offered: Choices) -> None:
        super().__init__(service, offered)
        self._of_second = set[str]()

    @initialize(target=offers, party=PARTY, round_trip=chosen("trip"), second=SECOND)
    def first_offer(self, party: PassengerCounts, round_trip: bool, second: bool) -> Any:
        """Begin with an offer: nothing else is possible without one."""
        return self._store(party, round_trip, second)

    @rule(target=offers, party=PARTY, round_trip=chosen("trip"), second=SECOND)
    def store_offer(self, party: PassengerCounts, round_trip: bool, second: bool) -> Any:
        """Store an offer of a search."""
        return self._store(party, round_trip, second)

    def _store(self, party: PassengerCounts, round_trip: bool, second: bool) -> Any:
        client, who = self.actor(second)
        trip = "a round trip" if round_trip else "a one-way trip"
        stored: list[StoredOffer] = []
        # The itinerary may no longer be sold (OPEN-56).
        with self.step(f"{who} stores an offer of {trip} for {described(party)}"):
            stored.append(client.store(OfferCriteria(party=party, round_trip=round_trip)))
        if client is self.service.second:
            self._of_second |= {each.id for each in stored}
        return multiple(*stored)

    def _acts(self, offer: StoredOffer, foreign: bool = False) -> tuple[OrderClient, str]:
        """Return the client of the organisation that stored an offer, or of the other one, with its name."""
        return self.actor(foreign != (offer.id in self._of_second))

    @rule(offer=offers, foreign=FOREIGN, baggage=strategies.booleans())
    def read_offer(self, offer: StoredOffer, foreign: bool, baggage: bool) -> None:
        """Read the fares or the baggage options of an offer."""
        draft, what = (bodies.get_baggage, "baggage options") if baggage else (bodies.get_fares, "fares")
        self.send(f"retrieves the {what} of the offer", draft(offer.id), self._acts(offer, foreign))

    # Hypothesis leaves out some rules of each conversation: what is needed most is in two of them.

    @rule(target=orders, offer=offers, bags=_BAGS, times=TIMES)
    def order_for_card(self, offer: StoredOffer, bags: str, times: int) -> Any:
        """Create an order that is to be paid by card."""
        return self._order(offer, "card" if self.service.profile.has_capability("card") else "balance", bags, times)

    @rule(target=orders, offer=offers, bags=_BAGS, times=TIMES)
    def order_for_balance(self, offer: StoredOffer, bags: str, times: int) -> Any:
        """Create an order that is to be paid from the balance, unless it is not known whether the organisation may."""
        client, _ = self._acts(offer)
        is_known = client.v4.balance or client.lacks_balance
        return self._order(offer, "balance" if is_known else client.usual_payment, bags, times)

    def _order(self, offer: StoredOffer, payment: PaymentMethod, bags: str, times: int) -> Any:
        (client, who), created = self._acts(offer), list[CreatedOrder]()
        # A one-way offer need not list bags for the way back (OPEN-58).
        bags = bags if offer.criteria.round_trip or "inbound" not in _SELECTIONS[bags].ways else ""
        options = replace(_SELECTIONS[bags], payment=payment)
        # A service may reject a cabin bag, or that of an infant (OPEN-65).
        is_usual = options.kinds == ("CHECK_IN",) and options.whose == "first"
        is_needed = times == 1 and is_usual and self._is_first_order(offer)
        # Without balance payment, the order may be rejected already (OPEN-53).
        is_needed = is_needed and (payment == "card" or client.v4.balance)
        text = f"{who} creates an order from the offer{bags}, paid by {payment}{at_once(times)}"
        with self.step(text, needed=is_needed):
            draft = client.order_request(offer, options)
            response = self.sent(client, draft, times)
            self.needed(response, is_needed, "the service does not accept an order of a stored offer", "V4-ORDER-OPENS")
            if response.succeeded and isinstance(response.member("id"), str):
                created.append(CreatedOrder(draft, response, offer, options))
        return multiple(*created)

    def _is_first_order(self, offer: StoredOffer) -> bool:
        """Whether an offer is certainly live, and has no order yet: a second one is open (OPEN-73)."""
        seen = self.service.conversation.v4.offer(offer.id)
        age = self.service.client.clock.now() - offer.response.exchange.started
        return seen is not None and not seen.orders and age < self.service.profile.lifetimes.offer * 0.9

    @rule(order=orders, foreign=FOREIGN, times=TIMES)
    def confirm_as_ordered(self, order: CreatedOrder, foreign: bool, times: int) -> None:
        """Confirm an order in the plain way of its payment method."""
        words = "balance" if order.options.payment == "balance" else BY_CARD
        self._confirm(order, WayToPay(words, succeeds=True), foreign, times)

    @rule(order=orders, way=WAY, foreign=FOREIGN, times=TIMES)
    def confirm(self, order: CreatedOrder, way: WayToPay, foreign: bool, times: int) -> None:
        """Confirm an order in one of the ways to pay."""
        self._confirm(order, way, foreign, times)

    def _confirm(self, order: CreatedOrder, payment: WayToPay, foreign: bool, times: int) -> None:
        client, who = self._acts(order.stored, foreign)
        by = "balance" if payment.words == "balance" else "card"
        is_paid = payment.succeeds and order.options.payment == by and (by == "card" or client.v4.balance)
        is_needed = is_paid and not foreign and self._is_fresh(order)
        must_fail = "" if foreign else payment.rule_of_failure("v4")
        if by == "balance" and not foreign and client.lacks_balance:
            must_fail = "V4-CONFIRM-BALANCE-ENABLED"
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

    @rule(order=orders, foreign=FOREIGN, what=strategies.sampled_from(_READS))
    def read_order(self, order: CreatedOrder, foreign: bool, what: str) -> None:
        """Read an order, or its reservation by either id."""
        seen = self.service.conversation.v4.order(order.id)
        reservation = seen.reservation if seen else None
        drafts = {
            "order": bodies.get_order(order.id),
            "reservation by the order": bodies.find_reservation(order.id),
            "reservation": bodies.get_reservation(reservation) if reservation else bodies.get_order(order.id),
        }
        text = f"retrieves the {what if reservation or what != 'reservation' else 'order'}"
        self.send(text, drafts[what], self._acts(order.stored, foreign))

    @rule(offer=offers, late=strategies.booleans())
    def time_passes(self, offer: StoredOffer, late: bool) -> None:  # noqa: ARG002  there must be something to age
        """Let offers become almost too old, or too old."""
        lifetime = self.service.profile.lifetimes.offer_seconds
        self.wait(lifetime + 60 if late else lifetime * 0.9)
