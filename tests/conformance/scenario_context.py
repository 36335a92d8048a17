"""The state that the steps of one scenario share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from airworthy.contract.http.exchange import Exchange
from conformance.documented_values import SentPositives
from conformance.export.content_export import ExportUnderTest, SearchedRow
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.service_client import ServiceClient
from conformance.v3.booking_client import CreatedBookingRequests, CreatedBookings
from conformance.v3.flight_client import FlightCriteria
from conformance.v4.offer_client import OfferCriteria, StoredOffer
from conformance.v4.order_client import CreatedOrder
from conformance.validation import SentNegative

RecordedStep = tuple[Literal["given", "when", "then"], Callable[[], None]]
"""The keyword of a step, and a call of its function."""


@dataclass(slots=True)
class ScenarioContext:
    """The request to be sent, the last response, and the resources that they are about.

    Steps set the fields and read the properties, which fail if no earlier step has set the field.

    ``shown`` is an offer or a flight of a search on the route of a situation.
    ``second`` says that the second organisation acts, ``together`` holds the responses to several requests, and
    ``orders`` those that are confirmed at the same time.
    ``flights``, ``requested``, ``booked``, ``pages`` and ``drafts`` (searches to compare) belong to v2 and v3,
    ``export`` and ``searched_rows`` to the content export, ``negatives`` and ``positives`` to the validation of
    requests.
    ``exchanges`` is synthetic traffic, for scenarios about the mistakes of clients. ``steps`` have run so far,
    ``is_repeated`` says that they ran again.
    """

    criteria: OfferCriteria = field(default_factory=OfferCriteria)
    draft: RequestDraft | None = None
    response: ParsedResponse | None = None
    shown: Mapping[str, Any] | None = None
    stored: StoredOffer | None = None
    order: CreatedOrder | None = None
    orders: list[CreatedOrder] = field(default_factory=list)
    second: bool = False
    together: tuple[ParsedResponse, ...] = ()
    exchanges: list[Exchange] = field(default_factory=list)
    flights: FlightCriteria | None = None
    requested: CreatedBookingRequests | None = None
    booked: CreatedBookings | None = None
    pages: list[ParsedResponse] = field(default_factory=list)
    drafts: list[RequestDraft] = field(default_factory=list)
    export: ExportUnderTest | None = None
    searched_rows: list[SearchedRow] = field(default_factory=list)
    negatives: list[SentNegative] = field(default_factory=list)
    positives: SentPositives = field(default_factory=SentPositives)
    steps: list[RecordedStep] = field(default_factory=list)
    is_repeated: bool = False

    def begin_again(self) -> None:
        """Forget everything but the steps, which are about to run once more."""
        fresh = ScenarioContext(steps=self.steps, is_repeated=True)
        for each in fields(self):
            setattr(self, each.name, getattr(fresh, each.name))

    def send(self, client: ServiceClient, draft: RequestDraft) -> ParsedResponse:
        """Send a request that the steps after this one are about, and return its response."""
        self.draft = draft
        self.response = client.send(draft)
        return self.response

    def keep_requested(self, requested: CreatedBookingRequests) -> None:
        """Continue the scenario with booking requests of v2 or v3."""
        self.flights = self.flights or FlightCriteria(requested.interface)
        self.requested, self.response = requested, requested.response

    def keep_booked(self, booked: CreatedBookings) -> None:
        """Continue the scenario with bookings of v2 or v3."""
        self.keep_requested(booked.requested)
        self.booked, self.draft, self.response = booked, booked.draft, booked.response

    @property
    def request(self) -> RequestDraft:
        """The request that is about to be sent."""
        assert self.draft is not None, "no step has prepared a request"
        return self.draft

    @property
    def last_response(self) -> ParsedResponse:
        """The response to the last request."""
        assert self.response is not None, "no step has received a response"
        return self.response

    @property
    def flight_criteria(self) -> FlightCriteria:
        """The criteria by which flights of v2 or v3 were searched."""
        assert self.flights is not None, "no step has searched flights"
        return self.flights

    @property
    def booking_requests(self) -> CreatedBookingRequests:
        """The booking requests that the scenario is about."""
        assert self.requested is not None, "no step has created a booking request"
        return self.requested

    @property
    def created_bookings(self) -> CreatedBookings:
        """The bookings that the scenario is about."""
        assert self.booked is not None, "no step has created a booking"
        return self.booked

    @property
    def content_export(self) -> ExportUnderTest:
        """The content export that the scenario is about."""
        assert self.export is not None, "no step has read the content export"
        return self.export

    @property
    def offer(self) -> StoredOffer:
        """The stored offer that the scenario is about."""
        assert self.stored is not None, "no step has stored an offer"
        return self.stored

    @property
    def ordered(self) -> CreatedOrder:
        """The order that the scenario is about."""
        assert self.order is not None, "no step has created an order"
        return self.order
