"""Patterns of wrong requests of v2 and v3: requests that the service accepts."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from http import HTTPStatus

from pytest_bdd import parsers

from airworthy.suite.outcomes import NotApplicable, Untested
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.scenario_context import ScenarioContext
from conformance.step_table import given
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import BookingClient, CreatedBookingRequests
from conformance.v3.flight_client import Flight, FlightCriteria
from conformance.v3.request_bodies import INTERFACE, Interface
from conformance.v4.request_bodies import PassengerCounts
from conformance.validation import AcceptedRequest, RepeatableRequest

_AS_PATTERN = rf"in {INTERFACE} that the service accepts, as the pattern of (?:wrong|further) requests"
# The part of the shortest lifetime of a booking request after which it is replaced.
_USED_LIFE = 1 / 2
# The last passenger gets the wrong values; other scenarios change a single one.
_PARTY = PassengerCounts(2)


@given(parsers.re(rf"a flight search {_AS_PATTERN}"))
def _a_flight_search(booking_client: BookingClient, context: ScenarioContext, interface: Interface) -> None:
    draft = booking_client.search_draft(FlightCriteria(interface)).with_query(seats="1")
    booking_client.service.send_required(
        draft, "the service did not accept a documented flight search", "V23-FLIGHTS-ANSWER"
    )
    context.pattern = RepeatableRequest(draft)


@given(parsers.re(rf"a round-trip fare search {_AS_PATTERN}"))
def _a_round_trip_search(booking_client: BookingClient, context: ScenarioContext) -> None:
    search = booking_client.round_trip_draft("regular")
    back = date.fromisoformat(search.query["start"]) + timedelta(days=7)
    draft = search.with_query(seats="1", returnStart=back.isoformat(), returnEnd=(back + timedelta(days=3)).isoformat())
    reason = "the service did not accept a documented search for round-trip fares"
    booking_client.service.send_required(draft, reason, "V3-ROUND-TRIPS-ANSWER")
    context.pattern = RepeatableRequest(draft)


@given(parsers.re(rf"a booking request {_AS_PATTERN}"))
def _a_booking_request(booking_client: BookingClient, context: ScenarioContext, interface: Interface) -> None:
    criteria = FlightCriteria(interface)
    booking_client.requested(criteria)

    context.pattern = _BookingRequest(booking_client, criteria)


@given(parsers.re(rf"a booking (?P<described>with customer_data )?{_AS_PATTERN}"))
def _a_booking(
    booking_client: BookingClient, context: ScenarioContext, interface: Interface, described: str | None
) -> None:
    criteria = FlightCriteria(interface)
    by = booking_client.usual(criteria, "a payment method")
    if by == "a payment method" and booking_client.service.profile.has_capability("three_d_secure"):
        by = "a payment method and three_d_secure 2.2.0"
    booking_client.booked(criteria)
    context.pattern = _Booking(booking_client, criteria, by, "customer_data" if described else "")


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

    def finish(self) -> bool:
        """Book the request that was rejected with every wrong value, to show that the values caused the rejections."""
        if self._draft is None and not self._is_ended_by_rejections:
            return True
        if self.client.service.send(self.draft()).succeeded:
            return True
        if self._is_ended_by_rejections:
            raise Untested("the service rejects a booking without wrong values, too")
        # What ends a booking request is not listed completely: a rejected booking may, too.
        self._is_ended_by_rejections = True
        self.renew()
        return False

    def _request(self) -> CreatedBookingRequests:
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
