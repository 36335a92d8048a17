"""Random conversations with v4: offers, orders and reservations."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from hypothesis import strategies

from airworthy.contract.conversation.limits import BOOKING_REQUEST_SHORTEST_LIFETIME
from airworthy.contract.http.transaction import member
from conformance.explore.random_conversation import (
    BY_CARD,
    FLAW,
    FOREIGN,
    INTENT,
    SECOND,
    TIMES,
    Choices,
    Draw,
    ExploredService,
    Move,
    RandomConversation,
    WayToPay,
    at_once,
    described,
    one_of,
    ways_to_pay,
)
from conformance.v4 import request_bodies as bodies
from conformance.v4.offer_client import OfferCriteria, StoredOffer
from conformance.v4.order_client import CreatedOrder, OrderClient
from conformance.v4.request_bodies import OrderOptions, PaymentMethod

# How long a new order must remain open; the documents name no time (OPEN-71).
_FRESH = BOOKING_REQUEST_SHORTEST_LIFETIME
# The bags that an order may have, by how a step tells them.
_SELECTIONS = {
    "": OrderOptions(),
    " with a bag": OrderOptions(bags=1),
    " with two bags": OrderOptions(bags=2),
    " with a bag for everybody": OrderOptions(bags=1, whose="every"),
    " with a cabin bag": OrderOptions(bags=1, kinds=("CABIN",)),
    " with a bag each way": OrderOptions(bags=1, ways=("outbound", "inbound")),
}
# With more of them, less would happen to each.
_MOST_OFFERS, _MOST_ORDERS = 2, 2
_READS_OF_AN_OFFER = ((bodies.get_fares, "fares"), (bodies.get_baggage, "baggage options"))
_READS = ("order", "reservation by the order", "reservation")


def _total(order: CreatedOrder) -> object:
    return member(order.response.body, "totalPrice", "amount")


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

    def __init__(self, service: ExploredService, offered: Choices) -> None:
        super().__init__(service, offered)
        self.offers, self.orders = list[StoredOffer](), list[CreatedOrder]()
        self._of_second = set[str]()

    def moves(self) -> Sequence[Move]:
        """Return what may happen."""
        return [*[self.confirm, self.read_order, self.order] * 2, self.store_offer, self.read_offer]

    def is_possible(self, move: Move) -> bool:
        """Return whether a move is possible now."""
        live = sum(map(self._is_live, self.offers))
        needs: dict[Move, bool] = {
            self.store_offer: live < _MOST_OFFERS,
            self.read_offer: bool(self.offers),
            self.order: bool(self.offers) and len(self.orders) < _MOST_ORDERS,
            self.confirm: bool(self.orders),
            self.read_order: bool(self.orders),
        }
        return needs.get(move, super().is_possible(move))

    def store_offer(self, draw: Draw) -> None:
        """Store an offer of a search."""
        party, round_trip = self.draw_choice(draw, "party"), self.draw_choice(draw, "trip")
        client, who = self.actor(draw(SECOND))
        trip = "a round trip" if round_trip else "a one-way trip"
        # The itinerary may no longer be sold (OPEN-56).
        with self.step(f"{who} stores an offer of {trip} for {described(party)}"):
            self.offers.append(client.store(OfferCriteria(party=party, round_trip=round_trip)))
            if client is self.service.second:
                self._of_second.add(self.offers[-1].id)

    def _acts(self, offer: StoredOffer, foreign: bool = False) -> tuple[OrderClient, str]:
        """Return the client of the organisation that stored an offer, or of the other one, with its name."""
        return self.actor(foreign != (offer.id in self._of_second))

    def read_offer(self, draw: Draw) -> None:
        """Read the fares or the baggage options of an offer."""
        offer = draw(one_of(self.offers))
        read, what = draw(strategies.sampled_from(_READS_OF_AN_OFFER))
        self.send(f"retrieves the {what} of the offer", read(offer.id), self._acts(offer, draw(FOREIGN)))

    def order(self, draw: Draw) -> None:
        """Create an order."""
        offer, times, flaw = draw(one_of(self.offers)), draw(TIMES), draw(FLAW)
        client, who = self._acts(offer)
        payments: list[PaymentMethod] = [client.usual_payment]
        # That an organisation may not pay from its balance shows only if it tries to.
        payments += ["balance"] if client.v4.balance or client.lacks_balance else []
        payment, bags = draw(strategies.sampled_from(payments)), self.draw_choice(draw, "bags")
        # A one-way offer need not list bags for the way back (OPEN-58).
        bags = bags if offer.criteria.round_trip or "inbound" not in _SELECTIONS[bags].ways else ""
        options = replace(_SELECTIONS[bags], payment=payment)
        # A service may reject a cabin bag, or that of an infant (OPEN-65).
        is_usual = options.kinds == ("CHECK_IN",) and options.whose == "first"
        is_needed = times == 1 and flaw is None and is_usual and self._is_first_order(offer)
        # Without balance payment, the order may be rejected already (OPEN-53).
        is_needed = is_needed and (payment == "card" or client.v4.balance)
        text = f"{who} creates an order from the offer{bags}, paid by {payment}{at_once(times)}"
        with self.step(text, needed=is_needed) as words:
            draft = self.flawed(client.order_request(offer, options), flaw, words)
            response = self.sent(client, draft, times)
            self.needed(response, is_needed, "the service does not accept an order of a stored offer", "V4-ORDER-OPENS")
            if response.succeeded and isinstance(response.member("id"), str):
                self.orders.append(CreatedOrder(draft, response, offer, options))

    def _is_first_order(self, offer: StoredOffer) -> bool:
        """Whether an offer is live, and certainly has no order yet: a second one is open (OPEN-73)."""
        seen = self.service.conversation.v4.offer(offer.id)
        return seen is not None and not seen.orders and self._is_live(offer)

    def _is_live(self, offer: StoredOffer) -> bool:
        age = self.service.client.clock.now() - offer.response.exchange.started
        return age < self.service.profile.lifetimes.offer * 0.9

    def confirm(self, draw: Draw) -> None:
        """Confirm an order."""
        order, foreign, times, flaw = draw(one_of(self.orders)), draw(FOREIGN), draw(TIMES), draw(FLAW)
        plain = WayToPay("balance" if order.options.payment == "balance" else BY_CARD, succeeds=True)
        payment = self.draw_way(draw, plain)
        # The amount of a payment intent may be that of another order.
        is_own_amount = payment.words != INTENT or self.service.client.payments.has_reusable_intent()
        priced = order if is_own_amount else draw(one_of(self.orders))
        client, who = self._acts(order.stored, foreign)
        by = "balance" if payment.words == "balance" else "card"
        is_same_amount = _total(priced) == _total(order)
        is_paid = payment.succeeds and order.options.payment == by and (by == "card" or client.v4.balance)
        is_documented = not foreign and flaw is None
        is_needed = is_paid and is_documented and is_same_amount and self._is_fresh(order)
        must_fail = payment.rule_of_failure("v4") if is_same_amount else "V4-CONFIRM-AMOUNT"
        if by == "balance" and client.lacks_balance:
            must_fail = "V4-CONFIRM-BALANCE-ENABLED"
        must_fail = must_fail if is_documented else ""
        amount = "" if is_same_amount else " of the amount of another order"
        text = f"{who} confirms the order by {payment!r}{amount}{at_once(times)}"
        with self.step(text, needed=is_needed or bool(must_fail)) as words:
            draft = payment.applied(client.confirmation(order, payment.words, priced))
            response = self.sent(client, self.flawed(draft, flaw, words), times)
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

    def read_order(self, draw: Draw) -> None:
        """Read an order, or its reservation by either id."""
        order, foreign, what = draw(one_of(self.orders)), draw(FOREIGN), draw(strategies.sampled_from(_READS))
        seen = self.service.conversation.v4.order(order.id)
        reservation = seen.reservation if seen else None
        drafts = {
            "order": bodies.get_order(order.id),
            "reservation by the order": bodies.find_reservation(order.id),
            "reservation": bodies.get_reservation(reservation) if reservation else bodies.get_order(order.id),
        }
        text = f"retrieves the {what if reservation or what != 'reservation' else 'order'}"
        self.send(text, drafts[what], self._acts(order.stored, foreign))

    def time_passes(self, draw: Draw) -> None:
        """Let offers become almost too old, or too old."""
        lifetime = self.service.profile.lifetimes.offer_seconds
        self.wait(lifetime + 60 if draw(strategies.booleans()) else lifetime * 0.9)
