"""The requests of v2 and v3 whose members are validated: each is accepted first."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from http import HTTPStatus

from airworthy.contract.findings.finding import Finding
from airworthy.suite.outcomes import NotApplicable, Untested
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import BookingClient
from conformance.v3.booking_request_client import CreatedBookingRequests
from conformance.v3.flight_client import Flight, FlightCriteria
from conformance.v3.request_bodies import Interface
from conformance.v4.request_bodies import PassengerCounts
from conformance.validation import AcceptedRequest, RepeatableRequest

# The part of the shortest lifetime of a booking request after which it is replaced.
_USED_LIFE = 1 / 2
# The last passenger gets the wrong values; other scenarios change a single one.
_PARTY = PassengerCounts(2)
# The last of two booking requests does, too; one with a choice of luggage is enough in v2.
_BOOKED: Mapping[Interface, int] = {"v2": 1, "v3": 2}


def accepted_requests(client: BookingClient) -> Mapping[str, tuple[str, Callable[[], AcceptedRequest]]]:
    """Return the requests by name: the operation of each, and a function that has it accepted."""
    return {
        "a flight search in v2": ("searchFlightsV2", partial(_flight_search, client, "v2")),
        "a booking request in v2": ("createRequestsV2", partial(_booking_request, client, "v2")),
        "a booking in v2": ("createBookingsV2", partial(_booking, client, "v2")),
        "a booking with customer data in v2": ("createBookingsV2", partial(_booking, client, "v2", "customer_data")),
        "a flight search in v3": ("searchFlights", partial(_flight_search, client, "v3")),
        "a round-trip fare search in v3": ("searchRoundTrips", partial(_round_trip_search, client)),
        "a booking request in v3": ("createRequests", partial(_booking_request, client, "v3")),
        "a booking in v3": ("createBookings", partial(_booking, client, "v3")),
    }


def _flight_search(client: BookingClient, interface: Interface) -> AcceptedRequest:
    draft = client.search_draft(FlightCriteria(interface)).with_query(seats="1")
    return RepeatableRequest(client.found(draft).draft)


def _round_trip_search(client: BookingClient) -> AcceptedRequest:
    search = client.round_trip_draft("regular")
    back = date.fromisoformat(search.query["start"]) + timedelta(days=7)
    draft = search.with_query(seats="1", returnStart=back.isoformat(), returnEnd=(back + timedelta(days=3)).isoformat())
    return RepeatableRequest(client.found(draft).draft)


def _booking_request(client: BookingClient, interface: Interface) -> AcceptedRequest:
    criteria = FlightCriteria(interface)
    client.requested(criteria)
    return _BookingRequest(client, criteria)


def _booking(client: BookingClient, interface: Interface, below: str = "") -> AcceptedRequest:
    criteria = FlightCriteria(interface)
    # What is checked with a card may not be checked on deposit: the customer is missing once with each.
    on_deposit = below and client.credentials(interface).self_psp
    by = "self_psp" if on_deposit else client.usual(criteria)
    if by == "a payment method" and client.service.profile.has_capability("three_d_secure"):
        by = "a payment method and three_d_secure 2.2.0"
    client.booked(criteria, count=_BOOKED[interface])
    return _Booking(client, criteria, by, below)


@dataclass
class _BookingRequest(AcceptedRequest):
    """A booking request for a flight, which is replaced when it was requested."""

    client: BookingClient
    criteria: FlightCriteria
    below: str = ""
    _flight: Flight | None = field(default=None, init=False)
    _draft: RequestDraft | None = field(default=None, init=False)

    def draft(self) -> RequestDraft:
        """Return the booking request for the flight that is in use."""
        if self._draft is None:
            try:
                self._flight = self.client.flight(self.criteria, _PARTY, bag="checked")
            except (NotApplicable, Untested):
                self._flight = self.client.flight(self.criteria, _PARTY)
            self._draft = self.client.request_draft(self.criteria.interface, [self._flight], _PARTY)
        return self._draft

    def renew(self) -> None:
        """Use another flight."""
        self._draft = None

    def note(self, response: ParsedResponse) -> None:
        """Use another flight after a request that the service accepted."""
        if response.succeeded:
            self.renew()

    def may_leave_out(self, pointer: str) -> bool:
        """Return whether the flight needs no travel documents, where a member is about one (OPEN-85)."""
        return _needs_no_document(pointer, self._flight)


@dataclass
class _Booking(AcceptedRequest):
    """The booking of a booking request, which is replaced when it grows old or may have been aborted."""

    client: BookingClient
    criteria: FlightCriteria
    by: str
    below: str = ""
    _requested: CreatedBookingRequests | None = field(default=None, init=False)
    _draft: RequestDraft | None = field(default=None, init=False)
    _is_ended_by_rejections: bool = field(default=False, init=False)

    def draft(self) -> RequestDraft:
        """Return the booking of the booking request that is in use."""
        if self._draft is None or self._requested is None or self._is_old(self._requested):
            self._requested = self._request()
            draft = self.client.booking(self._requested, self.by)
            self._draft = bodies.with_complete_customer_data(draft, is_company=False) if self.below else draft
        return self._draft

    def note(self, response: ParsedResponse) -> None:
        """Use another booking request where this one is booked or may have been aborted by a failed payment."""
        if response.status != HTTPStatus.BAD_REQUEST or self._is_ended_by_rejections:
            self.renew()

    def renew(self) -> None:
        """Use another booking request."""
        self._draft = None

    def may_leave_out(self, pointer: str) -> bool:
        """Return whether the flight needs no travel documents, where a member is about one (OPEN-85)."""
        return _needs_no_document(pointer, self._requested.flights[0] if self._requested else None)

    def finish(self) -> Finding | None:
        """Book the request that was rejected with every wrong value, to show that the values caused the rejections."""
        if self._draft is None and not self._is_ended_by_rejections:
            return None
        response = self.client.service.send(self.draft())
        if response.succeeded:
            return None
        if self._is_ended_by_rejections:
            raise Untested("the service rejects a booking without wrong values, too")
        # What ends a booking request is not listed completely: a rejected booking may, too.
        self._is_ended_by_rejections = True
        self.renew()
        return Finding(
            rule="V23-BOOKINGS-CORRECTED",
            kind="violation",
            side="response",
            pointer="status",
            message="the service does not book a booking request after it rejected wrong bookings of it",
            expected="a booking",
            actual=f"status {response.status}",
            exchange=response.exchange.id,
            soft=True,
        )

    def _request(self) -> CreatedBookingRequests:
        count = _BOOKED[self.criteria.interface]
        if count > 1:
            return self.client.request(self.criteria, count=count, party=_PARTY)
        try:
            return self.client.request(self.criteria, party=_PARTY, bag="checked")
        except (NotApplicable, Untested):
            return self.client.request(self.criteria, party=_PARTY)

    def _is_old(self, requested: CreatedBookingRequests) -> bool:
        age = (self.client.service.clock.now() - requested.response.exchange.started).total_seconds()
        return age > self.client.service.profile.lifetimes.request_seconds_min * _USED_LIFE


def _needs_no_document(pointer: str, flight: Flight | None) -> bool:
    is_document = pointer.rpartition("/")[2] in bodies.TRAVEL_DOCUMENT
    return not is_document or (flight is not None and flight.get("need_apis") is False)
