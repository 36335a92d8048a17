"""Patterns of wrong requests of v4: requests that the service accepts."""

from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from pytest_bdd import parsers

from airworthy.suite.outcomes import NotApplicable, Untested, expect
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.scenario_context import ScenarioContext
from conformance.step_table import given
from conformance.v4 import request_bodies as bodies
from conformance.v4.offer_client import OfferCriteria, StoredOffer
from conformance.v4.order_client import CreatedOrder, OrderClient
from conformance.v4.request_bodies import OrderOptions, PassengerCounts, Way
from conformance.v4.steps.order_responses import expect_no_reservation
from conformance.validation import AcceptedRequest, RepeatableRequest

_BOTH_WAYS: Final[tuple[Way, Way]] = ("outbound", "inbound")
_AS_PATTERN = "that the service accepts, as the pattern of (?:wrong|further) requests"


@given(parsers.re(rf"a (?P<kind>one-way|round-trip) search {_AS_PATTERN}"))
def _a_search(service_client: OrderClient, context: ScenarioContext, kind: str) -> None:
    found = service_client.search_with_offers(OfferCriteria(round_trip=kind == "round-trip"))
    context.pattern = RepeatableRequest(found.draft, "inboundSegment" if kind == "round-trip" else "")


@given(parsers.re(rf"a (?P<kind>one-way|round-trip) offer request {_AS_PATTERN}"))
def _an_offer_request(service_client: OrderClient, context: ScenarioContext, kind: str) -> None:
    if kind == "round-trip":
        stored = service_client.stored(OfferCriteria(round_trip=True))
        context.pattern = RepeatableRequest(stored.draft, "inboundSegment")
        return
    # Every section is validated, not only the first; the service may sell no connecting flights.
    for criteria in (OfferCriteria(route="connecting"), OfferCriteria()):
        with suppress(NotApplicable, Untested):
            context.pattern = RepeatableRequest(service_client.stored(criteria).draft)
            return
    raise Untested("no offer was stored")


@given(parsers.re(f"an order of two passengers {_AS_PATTERN}"))
def _an_order(service_client: OrderClient, context: ScenarioContext) -> None:
    payment = service_client.usual_payment
    # The service may sell no checked bags or round trips, and its offers may list no identification.
    for passport, bags, ways in product((True, False), (1, 0), (_BOTH_WAYS, _BOTH_WAYS[:1])):
        options = OrderOptions(payment=payment, passport=passport, bags=bags, ways=ways, whose="every")
        trip = OfferCriteria(round_trip=ways == _BOTH_WAYS, party=PassengerCounts(adults=2))
        criteria = service_client.criteria_for(options, trip)
        with suppress(NotApplicable, Untested):
            service_client.ordered(criteria, options)
            context.pattern = _Order(service_client, criteria, options)
            return
    raise Untested("no order was accepted")


@given(parsers.re(f"a confirmation {_AS_PATTERN}"))
def _a_confirmation(service_client: OrderClient, context: ScenarioContext) -> None:
    by = "balance" if service_client.usual_payment == "balance" else "a payment method"
    if by != "balance" and service_client.profile.has_capability("three_d_secure"):
        by = "a payment method and three_d_secure 2.2.0"
    service_client.booked(by)
    context.pattern = _Confirmation(service_client, by)


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

    def finish(self) -> bool:
        """Fail if the offer is no longer for sale: it is kept for 30 minutes, whatever orders were rejected."""
        reason = "the service does not create an order from an offer for which it has rejected other orders"
        self.client.send_required(self.draft(), reason, "V4-ORDER-OPENS", "id")
        self.client.forget(self._stored)
        return True


@dataclass
class _Confirmation(AcceptedRequest):
    """The confirmation of an open order, which is replaced as soon as it is no longer open (OPEN-51)."""

    client: OrderClient
    by: str
    _ordered: CreatedOrder | None = field(default=None, init=False)
    _draft: RequestDraft | None = field(default=None, init=False)

    def draft(self) -> RequestDraft:
        """Return the confirmation of the open order."""
        if self._ordered is None or self._draft is None:
            self._ordered = self.client.order(OfferCriteria(), OrderOptions(payment=self.client.usual_payment))
            self._draft = self.client.confirmation(self._ordered, self.by)
        return self._draft

    def note(self, response: ParsedResponse) -> None:
        """Read the order, which must not be booked by a rejected confirmation; replace it unless it is still open."""
        assert self._ordered is not None
        if response.succeeded:
            self._ordered = None
            return
        read = self.client.send(bodies.get_order(self._ordered.id))
        expect(
            read.member("status") != "BOOKED" and not read.member("reservationId"),
            "a rejected confirmation must not book the order",
            expected="an order that is not BOOKED, without a reservation",
            actual=f"status {read.shown('status')}",
            pointer="/status",
            exchange=read.exchange,
        )
        if read.member("status") != "OPEN":
            self.finish()
            self._ordered = None

    def finish(self) -> bool:
        """Fail if the rejected confirmations have created a reservation."""
        if self._ordered is not None:
            expect_no_reservation(self.client, self._ordered.id)
        return True
