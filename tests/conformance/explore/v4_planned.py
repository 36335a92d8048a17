"""Planned conversations with v4, about the circumstances in which orders are confirmed."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from airworthy.target.ageing import DAY, MINUTE
from conformance.explore.planned import Circumstance, Circumstances, CoveringPlan, parties
from conformance.explore.random_conversation import FOREIGN, LATE, Choices, ExploredService
from conformance.explore.v4 import READS, ConfirmationPlan, OrderPlan, V4Conversation, choices
from conformance.explore.ways_to_pay import AUTHENTICATED, BY_CARD, DECLINED, INTENT, UNVERIFIED, WayToPay
from conformance.v4.offer_client import OfferCriteria
from conformance.v4.order_client import CreatedOrder
from conformance.v4.request_bodies import PaymentMethod

_WAYS = (BY_CARD, INTENT, "balance", UNVERIFIED)
_WITH_DOCUMENTS = "identification_required"
_TRIPS = (("regular", False), ("regular", True), ("connecting", False), (_WITH_DOCUMENTS, False))
"""The situations of the offers, and whether they are round trips."""
_MOST_ROUTES = 3
# The segments of a search that depart a day later.
_DAYS_LATER = ("", "outboundSegment", "inboundSegment")
_BAGS = (
    "",
    " with a bag for the second passenger",
    " with a bag each way",
    " with three bags of each option each way for everybody",
)
# What happens to the order before it is confirmed, or to its offer before it is ordered, and what happens after that.
_EXPIRES = "the offer expires over midnight"
_BY_OTHERS = "others try to use it"
_BEFORE = ("it is read", "the offer is ordered again", _BY_OTHERS)
# What may end it.
_ENDS = ("its payment fails", "its payment needs verification")
_AFTER = (
    "the same confirmation",
    "other payments",
    "the offer is ordered again, and the payment fails",
    _BY_OTHERS,
)
_FEW = 2
# What grows old: the order before it is confirmed, or the offer before it is ordered, once it was stored again.
_AGEING = ("", "the order", "the offer, over midnight")
# The circumstances of a payment that must fail, which are fewer, because there are many such payments.
_OF_FAILURES: Circumstances = {
    "trip": _TRIPS[:2],
    "before": ("it is read", "its payment needs verification"),
    "bags": ("", " with a bag each way"),
    "after": ("", _BY_OTHERS),
    "ages": ("",),
    "is_second": (False,),
    "times": (1,),
}


def _of_searches(service: ExploredService, offered: Choices) -> Circumstances:
    """Return the circumstances of searches that a service offers."""
    return {
        "party": [*parties(offered["party"]), offered["party"][-1]],
        "situation": [*dict.fromkeys(offered["situation"])][:_MOST_ROUTES],
        "trip": offered["trip"],
        "later": _DAYS_LATER,
        "is_second": [False, True] if service.second else [False],
    }


def _of_orders(service: ExploredService, offered: Choices) -> Circumstances:
    """Return the circumstances of orders that a service offers."""
    may_wait = service.can_wait
    return {
        "trip": [each for each in _TRIPS if each[0] in offered["situation"] and each[1] in offered["trip"]],
        "before": [*_BEFORE, *_ENDS, *[_EXPIRES] * may_wait],
        "way": [each for each in offered["way"] if repr(each) in _WAYS],
        "party": parties(offered["party"]),
        "bags": [each for each in _BAGS if each in offered["bags"]],
        "after": _AFTER,
        "ages": _AGEING if may_wait else _AGEING[:1],
        "is_second": [False, True] if service.second else [False],
        "is_other_fare": [False, True],
        "times": [1, 2],
    }


def _of_failures(offered: Choices, of_orders: Circumstances) -> Circumstances:
    """Return the circumstances of payments that must fail, one of them by balance for an order to be paid by card."""
    by_balance = [WayToPay("balance")] * any(each.words == "balance" for each in offered["way"])
    few = {
        name: [each for each in values if each in ("", *of_orders[name])] or of_orders[name]
        for name, values in _OF_FAILURES.items()
    }
    ways = [*by_balance, *(each for each in offered["way"] if not each.succeeds)]
    return {**of_orders, **few, "way": ways, "party": of_orders["party"][:: len(of_orders["party"]) - 1 or 1]}


def plans(service: ExploredService, strength: int) -> Sequence[CoveringPlan]:
    """Plan searches, confirmations of orders and of those that have ended, and payments that must fail.

    What two circumstances do together does not show if a third one ends the order.
    """
    offered = choices(service)
    of_orders = _of_orders(service, offered)
    few = {name: of_orders[name][:_FEW] for name in ("bags", "after")}
    of_failures, orders = _of_failures(offered, of_orders), partial(PlannedOrders, service, offered)
    round_trips = [{"trip": place} for place in range(len(offered["trip"]))][-1:]
    searches = partial(PlannedOfferSearch, service, offered)
    return (
        CoveringPlan(_of_searches(service, offered), searches, strength, bases=round_trips),
        CoveringPlan({**of_orders, "before": _BEFORE}, orders, strength),
        CoveringPlan({**of_orders, **few, "before": of_orders["before"][len(_BEFORE) :]}, orders, strength),
        *[CoveringPlan(of_failures, orders, strength)] * bool(of_failures["way"]),
    )


class PlannedOfferSearch(V4Conversation):
    """A planned search of offers."""

    def converse(self, circumstances: Circumstance) -> None:
        """Search."""
        criteria = OfferCriteria(circumstances["situation"], circumstances["party"], circumstances["trip"])
        self.search_offers(criteria, circumstances["is_second"], later=circumstances["later"])

    def look(self) -> None:
        """Do nothing: a search creates nothing."""


class PlannedOrders(V4Conversation):
    """A planned conversation about an order."""

    _has_looked = False

    def converse(self, circumstances: Circumstance) -> None:
        """Store an offer, order it, and confirm the order."""
        self.situation, round_trip = circumstances["trip"]
        self.party = circumstances["party"]
        before, way, ages = circumstances["before"], circumstances["way"], circumstances["ages"]
        lifetime = self.service.profile.lifetimes.offer_seconds
        expires, almost = before == _EXPIRES, lifetime * LATE
        is_stored_again = ages == _AGEING[2] and not expires
        if is_stored_again or expires:
            self.wait(self.until_before_midnight(earlier=lifetime if expires else almost))
        self.create_offer(round_trip=round_trip, second=circumstances["is_second"])
        if not self.offers:
            return
        if before == _BY_OTHERS:
            self.store_for_others(self.offers[0])
        if is_stored_again:
            # Before midnight, too, the offer is live.
            self.create_order(OrderPlan(self.offers[0], self.payments(self._acts(self.offers[0]).client)[0]))
            self.orders.clear()
            self.wait(almost)
            self.store_once_more(self.offers[0])
        offer = self.with_another_fare(self.offers[-1]) if circumstances["is_other_fare"] else self.offers[-1]
        payments = self.payments(self._acts(offer).client)
        payment = payments[-1] if way.words == "balance" and (way.succeeds or way.also) else payments[0]
        plan = OrderPlan(offer, payment, circumstances["bags"])
        if is_stored_again or expires:
            self.wait(lifetime + 3 * MINUTE if expires else almost)
        self._create_orders(plan, is_late=expires and ages == _AGEING[1])
        if not self.orders:
            return
        order = self.orders[0]
        self._happens(before, order, plan)
        if ages == _AGEING[1]:
            self.wait(almost)
        self.confirm_order(ConfirmationPlan(order, way, times=circumstances["times"]))
        if self._is_booked(order):
            self.retrieve_order(order, what=READS[-1:])
        self._happens(circumstances["after"], order, plan)
        for other in self.orders[1:]:
            self.confirm_order(ConfirmationPlan(other, self.plain_way(other)))
        self.look()

    def _create_orders(self, plan: OrderPlan, *, is_late: bool) -> None:
        self.create_order(plan)
        if self.orders and plan.bags and (plan.offer.fare or len(self.party.types) > 1):
            # Of two orders that differ in their bags only, the totals differ by the price of these.
            self.create_order(replace(plan, bags=""))
            del self.orders[1:]
        if self.situation == _WITH_DOCUMENTS:
            # What is "in the future" may be decided by the day on which the service was started.
            self.create_order(replace(plan, has_expired=True))
        if is_late:
            # A day later, the time of day is that of a live offer.
            self.wait(DAY - self.service.profile.lifetimes.offer_seconds)
            self.create_order(plan)

    def look(self) -> None:
        """Retrieve the orders, and the reservations of booked ones; later, leave out the others, and confirm again."""
        for each in self.orders if not self._has_looked else filter(self._is_booked, self.orders):
            self.retrieve_order(each, what=READS if self._is_booked(each) else READS[:1])
        if self._has_looked:
            self.send_late()
        self._has_looked = True

    def _is_booked(self, order: CreatedOrder) -> bool:
        seen = self.service.conversation.v4.order(order.id)
        return seen is not None and seen.reservation is not None

    def _happens(self, what: str, order: CreatedOrder, plan: OrderPlan) -> None:
        match what:
            case "it is read":
                self.retrieve_order(order, what=READS[:1])
            case "its payment fails" | "its payment needs verification":
                card = DECLINED if what == "its payment fails" else UNVERIFIED
                self.confirm_order(ConfirmationPlan(order, WayToPay(card)))
            case "other payments":
                for way in self._other_ways(order):
                    self.confirm_order(ConfirmationPlan(order, way))
            case "the offer is ordered again":
                self.create_order(replace(plan, payment=self._other_payment(plan), same_passengers=order))
            case "the offer is ordered again, and the payment fails":
                self.create_order(plan)
                self.confirm_order(ConfirmationPlan(self.orders[-1], WayToPay(DECLINED)))
            case "others try to use it":
                if self._is_booked(order):
                    # What its owner has read may be in a cache.
                    self.retrieve_order(order)
                    self.retrieve_offer(plan.offer, FOREIGN)
                self.retrieve_order(order, FOREIGN)
                self.confirm_order(ConfirmationPlan(order, self.plain_way(order), how=FOREIGN))
                self.retrieve_order(order, what=READS[:1])
            case "the same confirmation":
                self.send_again()
                # While the offer is live, nothing else than the confirmation before rejects it.
                self.wait(self.service.profile.lifetimes.offer_seconds / 2)
                self.send_again()

    def _other_payment(self, plan: OrderPlan) -> PaymentMethod:
        """Return the other payment method than that of an order, so that their totals are compared, if there is one."""
        client = self._acts(plan.offer).client
        others = [each for each in self.payments(client) if each != plan.payment and client.v4.balance]
        return others[0] if others else plan.payment

    def _other_ways(self, order: CreatedOrder) -> Sequence[WayToPay]:
        """Return other ways to pay: by card with 3D Secure results, and by the other payment method, if it may."""
        others = (AUTHENTICATED, BY_CARD if order.options.payment == "balance" else "balance")
        return [each for each in self.choices["way"] if each.words in others] or [self.plain_way(order)]
