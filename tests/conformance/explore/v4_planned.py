"""Planned conversations with v4, about the circumstances in which orders are confirmed."""

from collections.abc import Sequence
from functools import partial

from airworthy.target.ageing import MINUTE
from conformance.explore.planned import Circumstance, Circumstances, CoveringPlan, parties
from conformance.explore.random_conversation import (
    BY_CARD,
    DECLINED,
    FOREIGN,
    INTENT,
    LATE,
    UNVERIFIED,
    Choices,
    ExploredService,
    WayToPay,
)
from conformance.explore.v4 import READS, ConfirmationPlan, OrderPlan, V4Conversation, choices
from conformance.v4.offer_client import OfferCriteria
from conformance.v4.order_client import CreatedOrder

_WAYS = (BY_CARD, INTENT, "balance", UNVERIFIED)
_TRIPS = (("regular", False), ("regular", True), ("connecting", False), ("identification_required", False))
"""The situations of the offers, and whether they are round trips."""
_MOST_ROUTES = 3
_BAGS = (
    "",
    " with a bag for the second passenger",
    " with a bag each way",
    " with two bags of each option each way for everybody",
)
# What happens to the order before it is confirmed, or to its offer before it is ordered, and what happens after that.
_EXPIRES = "the offer expires"
_BEFORE = (
    "",
    "its payment fails",
    "its payment needs verification",
    "the offer is ordered again",
    "others try to use it",
)
_AFTER = ("", "the same confirmation", "another payment", "the offer is ordered again")


def _of_searches(service: ExploredService, offered: Choices) -> Circumstances:
    """Return the circumstances of searches that a service offers."""
    return {
        "party": [*parties(offered["party"]), offered["party"][-1]],
        "situation": [*dict.fromkeys(offered["situation"])][:_MOST_ROUTES],
        "trip": offered["trip"],
        "is_second": [False, True] if service.second else [False],
    }


def _of_orders(service: ExploredService, offered: Choices) -> Circumstances:
    """Return the circumstances of orders that a service offers."""
    may_wait = service.can_wait
    return {
        "trip": [each for each in _TRIPS if each[0] in offered["situation"] and each[1] in offered["trip"]],
        "before": [*_BEFORE, *[_EXPIRES] * may_wait],
        "way": offered["way"],
        "party": parties(offered["party"]),
        "bags": [each for each in _BAGS if each in offered["bags"]],
        "after": _AFTER,
        "is_late": [False, True][: 1 + may_wait],
        "is_second": [False, True] if service.second else [False],
        "is_other_fare": [False, True],
    }


def plans(service: ExploredService, strength: int) -> Sequence[CoveringPlan]:
    """Plan searches, and confirmations of orders."""
    offered = choices(service, _WAYS)
    return (
        CoveringPlan(_of_searches(service, offered), partial(PlannedOfferSearch, service, offered), strength),
        CoveringPlan(_of_orders(service, offered), partial(PlannedOrders, service, offered), strength),
    )


class PlannedOfferSearch(V4Conversation):
    """A planned search of offers."""

    def converse(self, circumstances: Circumstance) -> None:
        """Search."""
        criteria = OfferCriteria(circumstances["situation"], circumstances["party"], circumstances["trip"])
        self.search_offers(criteria, circumstances["is_second"])

    def look(self) -> None:
        """Do nothing: a search creates nothing."""


class PlannedOrders(V4Conversation):
    """A planned conversation about an order."""

    def converse(self, circumstances: Circumstance) -> None:
        """Store an offer, order it, and confirm the order."""
        self.situation, round_trip = circumstances["trip"]
        self.party = circumstances["party"]
        self.create_offer(round_trip=round_trip, second=circumstances["is_second"])
        if not self.offers:
            return
        offer, lifetime = self.offers[0], self.service.profile.lifetimes.offer_seconds
        payments = self.payments(self._acts(offer).client)
        payment = payments[-1] if circumstances["way"].words == "balance" else payments[0]
        plan = OrderPlan(offer, payment, circumstances["bags"], is_other_fare=circumstances["is_other_fare"])
        if circumstances["before"] == _EXPIRES:
            self.wait(lifetime + MINUTE)
        self.create_order(plan)
        if not self.orders:
            return
        order = self.orders[0]
        self._happens(circumstances["before"], order, plan)
        if circumstances["is_late"]:
            self.wait(lifetime * LATE)
        self.confirm_order(ConfirmationPlan(order, circumstances["way"]))
        self._happens(circumstances["after"], order, plan)
        for other in self.orders[1:]:
            self.confirm_order(ConfirmationPlan(other, self.plain_way(other)))
        self.look()

    def look(self) -> None:
        """Retrieve the orders, and the reservations of those that are booked."""
        for each in self.orders:
            seen = self.service.conversation.v4.order(each.id)
            self.retrieve_order(each, what=READS if seen and seen.reservation else READS[:1])

    def _happens(self, what: str, order: CreatedOrder, plan: OrderPlan) -> None:
        plain = self.plain_way(order)
        match what:
            case "its payment fails":
                self.confirm_order(ConfirmationPlan(order, WayToPay(DECLINED)))
            case "its payment needs verification":
                self.confirm_order(ConfirmationPlan(order, WayToPay(UNVERIFIED)))
            case "another payment":
                self.confirm_order(ConfirmationPlan(order, plain))
            case "the offer is ordered again":
                self.create_order(plan)
            case "others try to use it":
                self.retrieve_order(order, FOREIGN)
                self.confirm_order(ConfirmationPlan(order, plain, how=FOREIGN))
            case "the same confirmation":
                self.send_again()
