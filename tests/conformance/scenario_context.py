"""The state that the steps of one scenario share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Generic, Literal, TypeVar

from airworthy.contract.http.exchange import Exchange
from airworthy.suite.capture import Capture
from airworthy.suite.outcomes import Untested
from conformance.documented_values import SentPositives
from conformance.export.content_export import ExportUnderTest, SearchedRow
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.service_client import ServiceClient
from conformance.v3.booking_client import BookingClient, CreatedBookings
from conformance.v3.booking_request_client import CreatedBookingRequests
from conformance.v3.flight_client import FlightCriteria
from conformance.v4.offer_client import OfferCriteria, StoredOffer
from conformance.v4.order_client import CreatedOrder, OrderClient
from conformance.validation import SentNegative

WHO: Final = "the (?P<who>client|second organisation)"
"""Who acts in a sentence: see `ScenarioContext.client_of`."""

RecordedStep = tuple[Literal["given", "when", "then"], Callable[[], None]]
"""The keyword of a step, and a call of its function."""


T = TypeVar("T")


class Needed(Generic[T]):
    """What an earlier step has put into a field; it fails with a message if none has."""

    def __init__(self, field: str, missing: str) -> None:
        self._field, self._missing = field, missing

    def __get__(self, context: "ScenarioContext", _: object) -> T:
        """Return the value of the field."""
        found: T | None = getattr(context, self._field)
        assert found is not None, self._missing
        return found


@dataclass(slots=True)
class ScenarioContext:
    """The clients of the scenario, the request to be sent, the last response, and the resources that they are about.

    Steps set the fields and read the properties, which fail if no earlier step has set the field.

    ``service`` is the organisation's client, ``v3`` the same for v3 and v2, and ``second`` that of the second
    organisation, if the profile has one. ``capture`` records the scenario.

    ``shown`` is an offer or a flight of a search on the route of a situation.
    ``is_of_second`` says that the second organisation acts, ``together`` holds the responses to several requests, and
    ``orders`` those that are confirmed at the same time.
    ``flights``, ``requested``, ``booked``, ``pages`` and ``drafts`` (searches to compare) belong to v2 and v3,
    ``export`` and ``searched_rows`` to the content export, ``negatives`` and ``positives`` to the validation of
    requests.
    ``exchanges`` is synthetic traffic, for scenarios about the mistakes of clients. ``steps`` have run so far,
    ``is_repeated`` says that they ran again.
    """

    service: OrderClient
    v3: BookingClient
    second: OrderClient | None
    capture: Capture
    criteria: OfferCriteria = field(default_factory=OfferCriteria)
    draft: RequestDraft | None = None
    response: ParsedResponse | None = None
    shown: Mapping[str, Any] | None = None
    stored: StoredOffer | None = None
    order: CreatedOrder | None = None
    orders: list[CreatedOrder] = field(default_factory=list)
    is_of_second: bool = False
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
        kept = self.service, self.v3, self.second, self.capture
        fresh = ScenarioContext(*kept, steps=self.steps, is_repeated=True)
        for each in fields(self):
            setattr(self, each.name, getattr(fresh, each.name))

    def send(self, draft: RequestDraft, client: ServiceClient | None = None) -> ParsedResponse:
        """Send a request that the steps after this one are about, and return its response."""
        self.draft = draft
        self.response = (client or self.service).send(draft)
        return self.response

    @property
    def second_organisation(self) -> OrderClient:
        """The client of the second organisation. Raises Untested if the profile has none."""
        if self.second is None:
            raise Untested("the profile names no second organisation: [second_organisation]")
        return self.second

    def client_of(self, who: str) -> OrderClient:
        """Return the client of the organisation that acts in a sentence."""
        return self.second_organisation if who == "second organisation" else self.service

    @property
    def owner(self) -> OrderClient:
        """The client of the organisation whose order the scenario is about."""
        return self.second_organisation if self.is_of_second else self.service

    def warn(self, message: str, exchange: Exchange | None = None) -> None:
        """Record that a soft check of the last response, or of another exchange, failed. The scenario continues."""
        self.capture.warn(message, exchange or (self.response.exchange if self.response else None))

    def observe(self, open_id: str, question: str, value: object) -> None:
        """Record what the service does, by its last response, where the documents are silent."""
        self.capture.observe(open_id, question, value, self.response.exchange if self.response else None)

    def keep_stored(self, stored: StoredOffer) -> None:
        """Continue the scenario with an offer of v4."""
        self.criteria, self.stored, self.response = stored.criteria, stored, stored.response

    def keep_ordered(self, order: CreatedOrder) -> None:
        """Continue the scenario with an order of v4."""
        self.order, self.stored, self.response = order, order.stored, order.response

    def keep_requested(self, requested: CreatedBookingRequests) -> None:
        """Continue the scenario with booking requests of v2 or v3."""
        self.flights = self.flights or FlightCriteria(requested.interface)
        self.requested, self.draft, self.response = requested, requested.draft, requested.response

    def keep_booked(self, booked: CreatedBookings) -> None:
        """Continue the scenario with bookings of v2 or v3."""
        self.keep_requested(booked.requested)
        self.booked, self.draft, self.response = booked, booked.draft, booked.response

    request = Needed[RequestDraft]("draft", "no step has prepared a request")
    """The request that is about to be sent."""
    last_response = Needed[ParsedResponse]("response", "no step has received a response")
    """The response to the last request."""
    flight_criteria = Needed[FlightCriteria]("flights", "no step has searched flights")
    """The criteria by which flights of v2 or v3 were searched."""
    booking_requests = Needed[CreatedBookingRequests]("requested", "no step has created a booking request")
    """The booking requests that the scenario is about."""
    created_bookings = Needed[CreatedBookings]("booked", "no step has created a booking")
    """The bookings that the scenario is about."""
    content_export = Needed[ExportUnderTest]("export", "no step has read the content export")
    """The content export that the scenario is about."""
    offer = Needed[StoredOffer]("stored", "no step has stored an offer")
    """The stored offer that the scenario is about."""
    ordered = Needed[CreatedOrder]("order", "no step has created an order")
    """The order that the scenario is about."""
