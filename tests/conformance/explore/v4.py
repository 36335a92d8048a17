"""Random conversations with v4: offers, orders and reservations."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from typing import Any

from hypothesis import strategies

from airworthy.contract.conversation.limits import BOOKING_REQUEST_SHORTEST_LIFETIME
from airworthy.contract.http.transaction import member
from conformance.explore.drawing import CHANGES, TIMES_AND_CHANGES, Changes, Draw, changes_if, mostly, newest, one_of
from conformance.explore.random_conversation import (
    CERTAIN,
    FOREIGN,
    HOW,
    LATE,
    SECOND,
    Actor,
    Choices,
    ExploredService,
    Move,
    RandomConversation,
    at_once,
    described,
    require_beginning,
)
from conformance.explore.ways_to_pay import BY_CARD, INTENT, WayToPay, ways_to_pay
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
    " with three bags": OrderOptions(bags=3),
    " with a bag for the second passenger": OrderOptions(bags=1, whose="second"),
    " with a bag for everybody": OrderOptions(bags=1, whose="every"),
    " with a bag each way": OrderOptions(bags=1, ways=("outbound", "inbound")),
    " with a cabin bag": OrderOptions(bags=1, kinds=("CABIN",)),
    " with three bags of each option each way for everybody": OrderOptions(
        bags=3, kinds=(), ways=("outbound", "inbound"), whose="every"
    ),
}
# The routes whose offers are sold, the simplest one most often.
_ROUTES = ("regular", "regular", "regular", "connecting", "city", "identification_required", "birth_date_required")
_PLAIN_ROUTES, _MOST_SEATS = ("regular", "connecting"), 9
# With more of them, less would happen to each.
_MOST_OFFERS, _MOST_ORDERS = 2, 2
_READS_OF_AN_OFFER = (("fares",), ("baggage options",), ("fares", "baggage options"))
READS = ("order", "reservation by the order", "reservation")
_READS_OF_AN_ORDER = (*((each,) for each in READS), READS, READS)


def _total(order: CreatedOrder) -> object:
    return member(order.response.body, "totalPrice", "amount")


@dataclass(frozen=True, slots=True)
class OrderPlan:
    """How an order is created: from which offer, by whom, how often at once, and with which bags and passengers.

    ``has_expired``: the documents of all passengers expired two days ago.
    """

    offer: StoredOffer
    payment: PaymentMethod
    bags: str = ""
    how: str = ""
    times: int = 1
    changes: Changes = ()
    same_passengers: CreatedOrder | None = None
    has_expired: bool = False


@dataclass(frozen=True, slots=True)
class ConfirmationPlan:
    """How an order is confirmed; the amount of a payment intent is that of the order that is ``priced``."""

    order: CreatedOrder
    payment: WayToPay
    priced: CreatedOrder | None = None
    how: str = ""
    times: int = 1
    changes: Changes = ()


def choices(service: ExploredService, ways: Collection[str] = ()) -> Choices:
    """Return what a service offers. Raises `Untested` if the profile lacks what every conversation needs."""
    # The first order shows the number of the first passenger (OPEN-66).
    for client in service.clients:
        create = partial(client.ordered, OfferCriteria(), OrderOptions(payment=client.usual_payment))
        client.succeeds(create)

    def fields(words: str) -> Mapping[str, Any]:
        if words == "balance" and not any(each.v4.balance or each.lacks_balance for each in service.clients):
            service.client.needs("balance")
        return service.client.payments.fields(words, 100.0)[1]

    sells = service.profile.has_capability
    offered: Choices = {
        "party": service.parties(),
        "way": ways_to_pay(fields, "balance", intents=True, only=ways),
        "trip": [False, True] if sells("round_trips") else [False],
        "bags": list(_SELECTIONS)[: None if sells("baggage") else 1],
        "situation": [each for each in _ROUTES if each in service.profile.routes] or ["regular"],
    }
    require_beginning(offered)
    return offered


class V4Conversation(RandomConversation):
    """A conversation about offers, orders and reservations."""

    def __init__(self, service: ExploredService, offered: Choices) -> None:
        super().__init__(service, offered)
        self.offers, self.orders = list[StoredOffer](), list[CreatedOrder]()
        self._of_second, self._unusual = set[str](), set[str]()

    def moves(self) -> Sequence[Move]:
        """Return what may happen."""
        often = [self.confirm, self.read_order] * 3 + [self.order] * 2
        return [*often, self.store_offer, self.read_offer, self.store_again, self.search]

    def is_possible(self, move: Move) -> bool:
        """Return whether a move is possible now."""
        live = sum(map(self._is_live, self.offers))
        open_orders = sum(map(self._may_be_booked, self.orders))
        needs: dict[Move, bool] = {
            self.store_offer: live < _MOST_OFFERS,
            self.store_again: 0 < live <= _MOST_OFFERS,
            self.read_offer: bool(self.offers),
            self.search: bool(self.offers),
            self.order: bool(self.offers) and open_orders < _MOST_ORDERS,
            self.confirm: bool(self.orders),
            self.read_order: bool(self.orders),
        }
        return needs.get(move, super().is_possible(move))

    def search(self, draw: Draw) -> None:
        """Search offers."""
        criteria = OfferCriteria(self.situation, self.party, self.draw_choice(draw, "trip"))
        self.search_offers(criteria, draw(SECOND), draw(HOW), draw(CHANGES))

    def search_offers(
        self, criteria: OfferCriteria, second: bool, how: str = "", changes: Changes = (), later: str = ""
    ) -> None:
        """Search offers, of which one segment may depart a day ``later``."""
        actor = self.actor(second, how)
        day = f" with the {later} a day later" if later else ""
        with self.step(f"{actor.name} searches offers{day}{actor.key}") as words:
            draft = actor.client.search_request(criteria)
            self.deliver(actor, bodies.a_day_later(draft, later) if later else draft, words, changes)

    def store_offer(self, draw: Draw) -> None:
        """Store an offer of a search."""
        self.create_offer(round_trip=self.draw_choice(draw, "trip"), second=draw(SECOND))

    def create_offer(self, *, round_trip: bool, second: bool = False) -> None:
        """Store an offer of a search."""
        criteria, actor = OfferCriteria(self.situation, self.party, round_trip), self.actor(second)
        trip = "a round trip" if criteria.round_trip else "a one-way trip"
        route = "" if criteria.route == "regular" else f" ({criteria.route.replace('_', ' ')})"
        # A service may limit the sum of adults and children (OPEN-55).
        is_needed = criteria.route in _PLAIN_ROUTES and self.party.adults + self.party.children <= _MOST_SEATS
        with self.step(f"{actor.name} stores an offer of {trip} for {described(self.party)}{route}", needed=is_needed):
            self._keep(actor, actor.client.store(criteria))

    def store_again(self, draw: Draw) -> None:
        """Request a stored offer again, perhaps with a change: an itinerary may no longer be sold (OPEN-56)."""
        self.store_once_more(self._offer(draw), draw(HOW), draw(strategies.booleans().flatmap(changes_if)))

    def store_once_more(self, offer: StoredOffer, how: str = "", changes: Changes = ()) -> None:
        """Request a stored offer again."""
        actor = self._acts(offer, how)
        with self.step(f"{actor.name} stores the offer again{actor.key}") as words:
            _, response = self.deliver(actor, offer.draft, words, changes)
            if response.succeeded and not changes and isinstance(response.member("id"), str):
                self._keep(actor, replace(offer, response=response))

    def store_for_others(self, offer: StoredOffer) -> None:
        """Have the other organisation, if there is one, store the same itinerary: both offers are kept."""
        actor = self._acts(offer, FOREIGN)
        code = actor.client.v4.customer_code.reveal()
        self.send("stores the same itinerary", actor, offer.draft.with_value("customerCode", code))

    def _keep(self, actor: Actor, offer: StoredOffer) -> None:
        self.offers.append(offer)
        if actor.client is self.service.second:
            self._of_second.add(offer.id)

    def _acts(self, offer: StoredOffer, how: str = "") -> Actor:
        """Return who acts for the organisation that stored an offer, or for the other one."""
        return self.actor(offer.id in self._of_second, how)

    def read_offer(self, draw: Draw) -> None:
        """Read the fares or the baggage options of an offer."""
        what = draw(strategies.sampled_from(_READS_OF_AN_OFFER))
        self.retrieve_offer(self._offer(draw), draw(HOW), what)

    def retrieve_offer(self, offer: StoredOffer, how: str = "", what: Sequence[str] = _READS_OF_AN_OFFER[-1]) -> None:
        """Retrieve the fares and the baggage options of an offer, or only one of them."""
        drafts = {"fares": bodies.get_fares(offer.id), "baggage options": bodies.get_baggage(offer.id)}
        text = f"retrieves the {' and the '.join(what)} of the offer"
        self.send(text, self._acts(offer, how), *(drafts[each] for each in what))

    def order(self, draw: Draw) -> None:
        """Create an order."""
        offer, (times, changes) = self._offer(draw), draw(TIMES_AND_CHANGES)
        how, is_other_fare = draw(HOW), draw(mostly(False, True))
        payment = draw(strategies.sampled_from(self.payments(self._acts(offer, how).client)))
        bags = self.draw_choice(draw, "bags")
        offer = self.with_another_fare(offer) if is_other_fare else offer
        self.create_order(OrderPlan(offer, payment, bags, how, times, changes))

    @staticmethod
    def payments(client: OrderClient) -> list[PaymentMethod]:
        """Return the payment methods of the orders of an organisation, the usual one first."""
        # That an organisation may not pay from its balance shows only if it tries to.
        has_balance = client.v4.balance or client.lacks_balance
        return [client.usual_payment, "balance"] if has_balance else [client.usual_payment]

    def create_order(self, plan: OrderPlan) -> None:
        """Create an order."""
        offer, payment, how, times, bags = plan.offer, plan.payment, plan.how, plan.times, plan.bags
        actor = self._acts(offer, how)
        client = actor.client
        # A one-way offer need not list bags for the way back (OPEN-58).
        bags = bags if offer.criteria.round_trip or "inbound" not in _SELECTIONS[bags].ways else ""
        options = replace(_SELECTIONS[bags], payment=payment)
        # A service may reject a cabin bag, or that of an infant (OPEN-65).
        is_usual = options.kinds == ("CHECK_IN",) and options.whose == "first" and not offer.fare
        is_documented = not how and times == 1 and not plan.changes and not plan.has_expired
        is_needed = is_documented and is_usual and offer.criteria.route in _PLAIN_ROUTES and self._is_first_order(offer)
        # Without balance payment or an entry in the payment options, the order may be rejected (OPEN-53, OPEN-36).
        is_needed = is_needed and offer.lists(payment) and (payment == "card" or client.v4.balance)
        what = "an order for people of the same names" if plan.same_passengers else "an order"
        what += f" from the offer{' with another fare' if offer.fare else ''}"
        what += f"{' with expired documents' if plan.has_expired else ''}{bags}"
        text = f"{actor.name} creates {what}, paid by {payment}{at_once(times)}{actor.key}"
        with self.step(text, needed=is_needed) as words:
            draft = client.order_request(offer, options)
            if plan.same_passengers:
                draft = draft.with_value("passengers", bodies.namesakes(plan.same_passengers.draft))
            if plan.has_expired:
                draft = bodies.with_documents_until(draft, client.clock.now().date() - bodies.TWO_DAYS)
            draft, response = self.deliver(actor, draft, words, plan.changes, times)
            actor.needed(
                response, is_needed, "the service does not accept an order of a stored offer", "V4-ORDER-OPENS"
            )
            if response.succeeded and isinstance(response.member("id"), str):
                self.orders.append(CreatedOrder(draft, response, offer, options))
                self._unusual |= {self.orders[-1].id} if plan.changes or how else set()

    def with_another_fare(self, offer: StoredOffer) -> StoredOffer:
        """Return an offer with a fare that is not the cheapest, if it has one."""
        actor, others = self._acts(offer), list[str]()
        with self.step(f"{actor.name} retrieves the fares of the offer"):
            listed = actor.send(bodies.get_fares(offer.id)).array("fares")
            fares = [each.get("id") for each in listed if isinstance(each, dict)]
            others = [each for each in fares if isinstance(each, str) and each.lower() != offer.fare_id.lower()]
        return replace(offer, fare=others[-1]) if others else offer

    def _is_first_order(self, offer: StoredOffer) -> bool:
        """Whether an offer is live, and certainly has no order yet: a second one is open (OPEN-73)."""
        seen = self.service.conversation.v4.offer(offer.id)
        return seen is not None and not seen.orders and self._is_live(offer)

    def _is_live(self, offer: StoredOffer) -> bool:
        age = self.service.client.clock.now() - offer.response.exchange.started
        return age < self.service.profile.lifetimes.offer * CERTAIN

    def confirm(self, draw: Draw) -> None:
        """Confirm an order."""
        order, how, (times, changes) = self._order(draw, often=4), draw(HOW), draw(TIMES_AND_CHANGES)
        payment = self.draw_way(draw, self.plain_way(order))
        # The amount of a payment intent may be that of another order.
        is_own_amount = payment.words != INTENT or self.service.client.payments.has_reusable_intent()
        priced = order if is_own_amount else self._order(draw)
        self.confirm_order(ConfirmationPlan(order, payment, priced, how, times, changes))

    @staticmethod
    def plain_way(order: CreatedOrder) -> WayToPay:
        """Return the plainest way to pay for an order that succeeds."""
        return WayToPay("balance" if order.options.payment == "balance" else BY_CARD, succeeds=True)

    def confirm_order(self, plan: ConfirmationPlan) -> None:
        """Confirm an order."""
        order, payment, how, times = plan.order, plan.payment, plan.how, plan.times
        priced = plan.priced or order
        actor = self._acts(order.stored, how)
        client = actor.client
        by = "balance" if payment.words == "balance" else "card"
        is_same_amount = _total(priced) == _total(order)
        is_paid = payment.succeeds and order.options.payment == by and (by == "card" or client.v4.balance)
        is_documented = not (how or plan.changes or payment.also) and order.id not in self._unusual
        is_needed = is_paid and is_documented and is_same_amount and self._is_fresh(order)
        must_fail, status = (payment if is_same_amount else WayToPay("amount")).failure("v4")
        if by == "balance" and client.lacks_balance:
            must_fail, status = "V4-CONFIRM-BALANCE-ENABLED", HTTPStatus.FORBIDDEN
        must_fail = must_fail if is_documented else ""
        is_only_fault = order.options.payment == by and times == 1 and self._is_fresh(order)
        amount = "" if is_same_amount else " of the amount of another order"
        text = f"{actor.name} confirms the order by {payment!r}{amount}{at_once(times)}{actor.key}"
        with self.step(text, needed=is_needed) as words:
            draft = client.confirmation(order, payment.words, priced)
            draft = payment.applied(draft, lambda words: client.payments.fields(words, order.total)[1])
            _, response = self.deliver(actor, draft, words, plan.changes, times)
            is_done = response.member("status") == "BOOKED"
            actor.rejected(response, must_fail, is_done=is_done, status=status if is_only_fault else None)
            reason = "a documented confirmation does not book the order"
            actor.needed(response, is_needed, reason, "V4-CONFIRM-BOOKS", "reservationId")

    def _offer(self, draw: Draw) -> StoredOffer:
        """Draw an offer: live or expired, and with or without orders."""

        def state(offer: StoredOffer) -> object:
            seen = self.service.conversation.v4.offer(offer.id)
            return self._is_live(offer), seen and (bool(seen.orders), bool(seen.booked))

        return draw(one_of(self.offers, state))

    def _order(self, draw: Draw, often: int = 1) -> CreatedOrder:
        """Draw an order: of a live offer or an expired one, however its confirmations ended; open ones so ``often``."""

        def state(order: CreatedOrder) -> object:
            seen = self.service.conversation.v4.order(order.id)
            return self._is_live(order.stored), seen and (seen.booked is None, seen.declined, seen.attempted)

        found = newest(self.orders, state)
        return draw(strategies.sampled_from([*found, *filter(self._may_be_booked, found * (often - 1))]))

    def _is_fresh(self, order: CreatedOrder) -> bool:
        """Whether an order is new, was never confirmed, and no order of its offer was (OPEN-05, OPEN-71, OPEN-73)."""
        seen = self.service.conversation.v4.order(order.id)
        offer = self.service.conversation.v4.offer(order.stored.id)
        age: timedelta = self.service.client.clock.now() - order.response.exchange.started
        is_alone = offer is not None and len(offer.orders) == 1 and not offer.booked
        return seen is not None and not seen.attempted and is_alone and age < _FRESH

    def _may_be_booked(self, order: CreatedOrder) -> bool:
        seen = self.service.conversation.v4.order(order.id)
        return seen is not None and seen.booked is None and not seen.declined and self._is_live(order.stored)

    def read_order(self, draw: Draw) -> None:
        """Read an order, its reservation by either id, or all of it."""
        self.retrieve_order(self._order(draw), draw(HOW), draw(strategies.sampled_from(_READS_OF_AN_ORDER)))

    def retrieve_order(self, order: CreatedOrder, how: str = "", what: Sequence[str] = READS) -> None:
        """Retrieve an order, and its reservation by either id."""
        seen = self.service.conversation.v4.order(order.id)
        drafts = {"order": bodies.get_order(order.id), "reservation by the order": bodies.find_reservation(order.id)}
        if seen and seen.reservation:
            drafts["reservation"] = bodies.get_reservation(seen.reservation)
        read = [each for each in what if each in drafts] or ["order"]
        text = f"retrieves the {' and the '.join(read)}"
        self.send(text, self._acts(order.stored, how), *(drafts[each] for each in read))

    def time_passes(self, draw: Draw) -> None:
        """Let offers become almost too old, or too old, perhaps over midnight."""
        lifetime = self.service.profile.lifetimes.offer_seconds
        self.wait(draw(strategies.sampled_from([lifetime * LATE, lifetime + 60, self.until_before_midnight()])))
