"""The requests of v4 whose members are validated: each is accepted first."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Final

from airworthy.suite.outcomes import NotApplicable, Untested
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.v4 import request_bodies as bodies
from conformance.v4.offer_client import OfferCriteria, StoredOffer
from conformance.v4.order_client import CreatedOrder, OrderClient
from conformance.v4.request_bodies import OrderOptions, PassengerCounts, Way
from conformance.v4.steps.order_responses import expect_no_reservation, expect_not_booked
from conformance.validation import AcceptedRequest, RepeatableRequest

_REJECTIONS_BETWEEN_READS: Final = 8
_BOTH_WAYS: Final[tuple[Way, Way]] = ("outbound", "inbound")
# A bag of each option, a checked one, or none.
_BAGS: Final = (OrderOptions(bags=1, kinds=(), whose="every"), OrderOptions(bags=1, whose="every"), OrderOptions())


def accepted_requests(client: OrderClient) -> Mapping[str, tuple[str, Callable[[], AcceptedRequest]]]:
    """Return the requests by name: the operation of each, and a function that has it accepted."""
    return {
        "a one-way search": ("searchOffers", partial(_search, client, round_trip=False)),
        "a round-trip search": ("searchOffers", partial(_search, client, round_trip=True)),
        "a one-way offer request": ("getOffer", partial(_offer_request, client)),
        "a round-trip offer request": ("getOffer", partial(_round_trip_offer_request, client)),
        "an order for a family": ("createOrder", partial(_order, client, most_infants=1)),
        "a confirmation": ("confirmOrder", partial(_confirmation, client)),
    }


def order_of_two_passengers(client: OrderClient) -> AcceptedRequest:
    """Have an order accepted whose last passenger, a child, may have any birthday: an infant would be too old."""
    return _order(client, most_infants=0)


def _party(client: OrderClient, infants: int = 0) -> PassengerCounts:
    """Return a party with a child or, if the service sells nothing to children, with another adult."""
    children = int(client.profile.has_capability("children"))
    return PassengerCounts(2 - children, children, infants)


def _search(client: OrderClient, *, round_trip: bool) -> AcceptedRequest:
    found = client.search_with_offers(OfferCriteria(round_trip=round_trip, party=_party(client)))
    return RepeatableRequest(found.draft, "inboundSegment" if round_trip else "")


def _offer_request(client: OrderClient) -> AcceptedRequest:
    # Every section is validated, not only the first; the service may sell no connecting flights.
    for route in ("connecting", "regular"):
        with suppress(NotApplicable, Untested):
            return RepeatableRequest(client.stored(OfferCriteria(route, _party(client))).draft)
    raise Untested("no offer was stored")


def _round_trip_offer_request(client: OrderClient) -> AcceptedRequest:
    criteria = OfferCriteria(round_trip=True, party=_party(client))
    return RepeatableRequest(client.stored(criteria).draft, "inboundSegment")


def _order(client: OrderClient, *, most_infants: int) -> AcceptedRequest:
    # The service may sell no checked bags or round trips, or nothing to infants, its offers may list no identification,
    # and it may reject several kinds of bags (OPEN-65).
    parties = range(most_infants, -1, -1)
    for passport, bags, ways, infants in product((True, False), _BAGS, (_BOTH_WAYS, _BOTH_WAYS[:1]), parties):
        options = replace(bags, payment=client.usual_payment, passport=passport, ways=ways)
        # A service may validate passengers of one type, or the first one, only.
        trip = OfferCriteria(round_trip=ways == _BOTH_WAYS, party=_party(client, infants))
        criteria = client.criteria_for(options, trip)
        with suppress(NotApplicable, Untested):
            client.ordered(criteria, options)
            return _Order(client, criteria, options)
    raise Untested("no order was accepted")


def _confirmation(client: OrderClient) -> AcceptedRequest:
    by = "balance" if client.usual_payment == "balance" else "a payment method"
    if by != "balance" and client.profile.has_capability("three_d_secure"):
        by = "a payment method and three_d_secure 2.2.0"
    client.booked(by)
    return _Confirmation(client, by)


@dataclass
class _Order(AcceptedRequest):
    """An order of a stored offer, which is replaced when it expires or when an order was created from it."""

    client: OrderClient
    criteria: OfferCriteria
    options: OrderOptions
    _stored: StoredOffer | None = field(default=None, init=False)
    _draft: RequestDraft | None = field(default=None, init=False)

    def draft(self) -> RequestDraft:
        """Return the order of the shared offer that is live."""
        stored = self.client.stored(self.criteria)
        if self._draft is None or stored is not self._stored:
            self._stored, self._draft = stored, self.client.order_request(stored, self.options)
        return self._draft

    def renew(self) -> None:
        """Use another offer: a second order of one offer may be rejected (OPEN-73)."""
        self.client.forget(self._stored)

    def note(self, response: ParsedResponse) -> None:
        """Use another offer after an accepted order."""
        if response.succeeded:
            self.renew()

    def may_leave_out(self, pointer: str) -> bool:
        """Return whether the offer does not require a field of its passengers."""
        return self._stored is None or not self.client.may_require(self._stored, pointer.replace("/", "."))

    def finish(self) -> None:
        """Fail if the offer is no longer for sale: it is kept for 30 minutes, whatever orders were rejected."""
        reason = "the service does not create an order from an offer for which it has rejected other orders"
        self.client.send_required(self.draft(), reason, "V4-ORDER-OPENS", "id")
        self.client.forget(self._stored)


@dataclass
class _Confirmation(AcceptedRequest):
    """The confirmation of an open order, which is replaced as soon as it is no longer open (OPEN-51)."""

    client: OrderClient
    by: str
    _ordered: CreatedOrder | None = field(default=None, init=False)
    _draft: RequestDraft | None = field(default=None, init=False)
    _rejections: int = field(default=0, init=False)

    def draft(self) -> RequestDraft:
        """Return the confirmation of the open order."""
        if self._ordered is None or self._draft is None:
            self._ordered = self.client.any_order(self.client.usual_payment)
            self._draft = self.client.confirmation(self._ordered, self.by)
        return self._draft

    def note(self, response: ParsedResponse) -> None:
        """Read the order after the first rejection and every few others; replace it unless it is still open."""
        self._rejections = 0 if response.succeeded else self._rejections + 1
        if response.succeeded:
            self._ordered = None
        elif self._rejections == 1 or not self._rejections % _REJECTIONS_BETWEEN_READS:
            self._read()

    def _read(self) -> None:
        """Read the order, which must not be booked by a rejected confirmation."""
        assert self._ordered is not None
        read = self.client.send(bodies.get_order(self._ordered.id))
        expect_not_booked(read, "a rejected confirmation must not book the order")
        if read.member("status") != "OPEN":
            expect_no_reservation(self.client, self._ordered.id)
            self._ordered, self._rejections = None, 0

    def finish(self) -> None:
        """Fail if the rejected confirmations have booked the order or created a reservation."""
        if self._ordered is not None:
            self._read()
        if self._ordered is not None:
            expect_no_reservation(self.client, self._ordered.id)
