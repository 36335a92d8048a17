"""A client of v2 and v3 that creates booking requests for the flights that it has found."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, product
from operator import itemgetter
from typing import Any

from airworthy.contract.http.transaction import member
from airworthy.suite.outcomes import NotApplicable, expect_situation, prerequisite
from conformance.kinds import Kinds, if_sold
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.service_client import SOLD_OUT
from conformance.v3 import request_bodies as bodies
from conformance.v3.flight_client import Flight, FlightClient, FlightCriteria, FlightSearchResult
from conformance.v3.request_bodies import (
    DATE_FORMATS,
    GENDERS,
    INTERFACES,
    ONE,
    BagKind,
    Bags,
    Interface,
    PersonNotation,
    Pieces,
)
from conformance.v3.requested_flights import GONE, RequestedFlights
from conformance.v4.request_bodies import PassengerCounts

_MOST_SKIPPED = 100
# Parties and bags; every party, and every kind of bag.
_KINDS: tuple[tuple[PassengerCounts, Bags], ...] = (
    (PassengerCounts(), {}),
    (PassengerCounts(3), {"checked": (3,)}),
    (PassengerCounts(1, 1), {"checked": ONE}),
    (PassengerCounts(2), {}),
    (PassengerCounts(2, 1, 1), {"cabin": (3,)}),
    (PassengerCounts(1, 0, 1), {}),
    (PassengerCounts(2, 2, 2), {}),
)
_FLIGHTS_TRIED = 20
_FARES = 4
# The status code for an unknown notation is not documented (OPEN-29), but these have another meaning.
_OTHER_REASONS = (401, 402, 403, *GONE)


def attempts(flights: int) -> int:
    """Return how many booking requests are tried: the more flights each has, the more likely one of them is gone."""
    return 8 * flights**2


@dataclass(frozen=True, slots=True)
class CreatedBookingRequests:
    """Booking requests that the service accepted, one for each flight, and the pieces of luggage of a v2 booking."""

    criteria: FlightCriteria
    draft: RequestDraft
    response: ParsedResponse
    flights: Sequence[Flight]
    party: PassengerCounts
    pieces: Pieces = ()

    @property
    def interface(self) -> Interface:
        """The interface that they were made in."""
        return self.criteria.interface

    @property
    def requests(self) -> list[Any]:
        """The booking requests of the response, in the order of their flights; the documents specify no order."""
        places = {str(flight.get("id")): place for place, flight in enumerate(self.flights)}
        return sorted(
            self.response.array("requests"),
            key=lambda each: places.get(str(member(each, "flight", "id")), len(places)),
        )

    def are_usable(self, count: int) -> bool:
        """Return whether the response has that number of them, each with an id."""
        found = self.requests
        return self.response.succeeded and len(found) == count and all(each["id"] is not None for each in found)


@dataclass(eq=False, repr=False)
class BookingRequestClient(FlightClient):
    """A client that creates booking requests."""

    # How each interface writes what the documents leave open, as soon as it is known.
    known_notations: dict[Interface, PersonNotation] = field(default_factory=dict)
    # Clients of several organisations share the seats.
    requested_flights: RequestedFlights = field(default_factory=RequestedFlights)
    _kinds: Kinds[tuple[PassengerCounts, Bags]] = field(default_factory=partial(Kinds, _KINDS), init=False)

    def notation(self, interface: Interface) -> PersonNotation:
        """Return how the service writes what the documents leave open, as far as is known."""
        given = self.credentials(interface)
        return self.known_notations.get(interface) or PersonNotation(given.date_format, given.genders)

    @property
    def family(self) -> PassengerCounts:
        """Several passengers, of as many types as the service sells to."""
        sells = self.service.profile.has_capability
        return PassengerCounts(2, int(sells("children")), int(sells("infants")))

    def send_available(self, make: Callable[[], RequestDraft], flights: int = 1) -> tuple[RequestDraft, ParsedResponse]:
        """Send the request that ``make`` builds. If its flights are no longer available, try a few others.

        ``flights`` is the number of flights that it names. Returns the last request and its response.
        """
        for _ in range(attempts(flights)):
            draft = make()
            response = self.service.send(draft)
            if response.status not in GONE:
                break
        return draft, response

    def _chosen(self, flights: Iterator[Flight], criteria: FlightCriteria) -> Flight:
        """Return the next flight, preferably one that was not requested before."""
        requested, passed = self.requested_flights, list[tuple[int, Flight]]()
        for flight in islice(flights, _MOST_SKIPPED):
            rank = requested.rank(requested.find(criteria.interface, flight))
            if rank == 0:
                return flight
            passed.append((rank, flight))
        return min(passed, key=itemgetter(0))[1]

    def flight_that(
        self,
        criteria: FlightCriteria,
        suits: Callable[[Flight], bool],
        *,
        party: PassengerCounts | None = None,
        bag: BagKind | None = None,
    ) -> Flight | None:
        """Return the next flight that ``suits``, or None if none of several does."""
        return next(filter(suits, (self.flight(criteria, party, bag) for _ in range(_FLIGHTS_TRIED))), None)

    def flights_with_bags(self, criteria: FlightCriteria) -> list[Flight]:
        """Return two flights with checked bags. Raises NotApplicable if there is only one."""
        first, second = self.together(criteria, 2, bag="checked")
        if second["id"] != first["id"]:
            return [first, second]
        another = self.flight_that(criteria, lambda each: each["id"] != first["id"], bag="checked")
        if another is None:
            raise NotApplicable("only one flight has checked bags")
        return [first, another]

    def request_draft(
        self,
        interface: Interface,
        flights: Sequence[Flight],
        party: PassengerCounts,
        bags: Bags | None = None,
    ) -> RequestDraft:
        """Build a booking request of flights for a party."""
        code = self.customer_code(interface)
        if interface == "v2":
            return bodies.create_requests_v2(flights, party, code)
        travellers = bodies.passengers(party, self.today, self.notation(interface))
        with prerequisite("a flight of the search has no usable bag options", rule="V3-FLIGHT-BAGS"):
            return bodies.create_requests(flights, travellers, code, bags=bags)

    def try_request(
        self,
        criteria: FlightCriteria,
        flights: Sequence[Flight],
        party: PassengerCounts,
        bags: Bags | None = None,
    ) -> CreatedBookingRequests:
        """Send a booking request of flights for a party, whatever the response is."""
        draft = self.request_draft(criteria.interface, flights, party, bags)
        return CreatedBookingRequests(criteria, draft, self.service.send(draft), flights, party)

    def any_request(self, criteria: FlightCriteria, count: int = 1) -> CreatedBookingRequests:
        """Create so many booking requests, of another kind each time, for a scenario to which any will do."""
        special = self._kinds.make(partial(self._request_if_sold, criteria, count), self.service.needs)
        return special or self.request(criteria, count=count)

    def _request_if_sold(
        self, criteria: FlightCriteria, count: int, kind: tuple[PassengerCounts, Bags]
    ) -> CreatedBookingRequests | None:
        party, bags = kind
        flights = self.together(criteria, count, party, next(iter(bags), None))
        requested = replace(self.try_request(criteria, flights, party, bags), pieces=bags.get("checked", ()))
        return requested if requested.are_usable(count) else None

    def request(
        self,
        criteria: FlightCriteria,
        *,
        count: int = 1,
        party: PassengerCounts | None = None,
        bag: BagKind | None = None,
        names_customer: bool = True,
    ) -> CreatedBookingRequests:
        """Create booking requests, which the service must accept; try a few flights, as some may be sold out.

        In v2 they need not name the customer (OPEN-23).
        """
        party = party or PassengerCounts()
        rule = f"{criteria.interface.upper()}-REQUESTS-ANSWER"
        for _ in range(attempts(count)):
            flights = self.together(criteria, count, party, bag)
            make = partial(self.request_draft, criteria.interface, flights, party, {bag: ONE} if bag else None)
            if criteria.interface == "v3":
                draft, response = self._understood("v3", make)
            else:
                draft = make() if names_customer else make().without("customer_code")
                response = self.service.send(draft)
            if response.status not in GONE:
                break
        if self.requested_flights.may_explain(draft, response):
            raise self.service.sold_out(criteria.route, response)
        if not response.succeeded and (count > 1 or party != PassengerCounts() or bag):
            # Without their special part, booking requests are accepted on this route.
            self.requested(criteria)
        else:
            self._expect_sold(criteria, response, self.request_anything)
        self.require_requested(criteria.interface, response)
        requested = CreatedBookingRequests(criteria, draft, response, flights, party)
        with prerequisite("a booking request has no id", rule=rule, exchange=response.exchange):
            assert len(requested.requests) == count
            assert all(request["id"] is not None for request in requested.requests)
        return requested

    def require_requested(self, interface: Interface, response: ParsedResponse, *members: str) -> None:
        """Require the success of a documented booking request. Raise as `ServiceClient.send_required` does."""
        reason = "the service did not accept a documented booking request"
        self.service.require_success(response, reason, f"{interface.upper()}-REQUESTS-ANSWER", *members)

    def _expect_sold(
        self, criteria: FlightCriteria, response: ParsedResponse, attempt: Callable[[FlightCriteria], ParsedResponse]
    ) -> None:
        """Raise Untested if the service rejects what it accepts on other routes, as flights there are sold."""
        if response.status not in GONE:
            return
        others = partial(FlightCriteria, criteria.interface)
        works = self.service.works_elsewhere(
            criteria.route, lambda name: attempt(others(name.removeprefix("flights_"))).succeeded
        )
        expect_situation(not works, self.service.route_key(criteria.route), SOLD_OUT)

    def request_anything(self, criteria: FlightCriteria) -> ParsedResponse:
        """Return the response to a booking request for the next flight, whatever it is."""
        return self.try_request(criteria, [self.flight(criteria)], PassengerCounts()).response

    def expect_elsewhere(self, criteria: FlightCriteria, shows: Callable[[FlightCriteria], bool], instead: str) -> None:
        """Raise Untested if a route does not show what it is named for, unless it does in the other interface."""
        versions = self.service.profile.versions
        others = [each for each in INTERFACES if each in versions and each != criteria.interface]
        is_shown = self.service.succeeds(lambda: any(shows(replace(criteria, interface=each)) for each in others))
        expect_situation(is_shown, self.service.route_key(criteria.route), instead)

    def _understood(
        self, interface: Interface, make: Callable[[], RequestDraft]
    ) -> tuple[RequestDraft, ParsedResponse]:
        """Send a request with personal data; if the first is rejected, try other notations (OPEN-10, OPEN-83).

        A rejection for another reason, such as a flight that is gone, shows nothing about the notation: a service may
        look for that first (OPEN-74).
        """
        draft = make()
        response = self.service.send(draft)
        if interface in self.known_notations or response.status in _OTHER_REASONS:
            return draft, response
        usual = self.notation(interface)
        self.known_notations[interface] = usual
        formats = dict.fromkeys((usual.date_format, *DATE_FORMATS))
        values = dict.fromkeys((usual.genders, *GENDERS))
        for date_format, genders in product(formats, values) if _is_not_understood(response) else ():
            self.known_notations[interface] = PersonNotation(date_format, genders)
            another = make()
            response = self.service.send(another)
            if response.status in _OTHER_REASONS:
                del self.known_notations[interface]
            if not _is_not_understood(response):
                return another, response
        self.known_notations[interface] = usual
        return draft, response

    def cancelled(self, count: int = 1) -> CreatedBookingRequests:
        """Create booking requests of v3 and cancel the last of them."""
        requested = self.any_request(FlightCriteria("v3"), count)
        draft = bodies.cancel_request(requested.requests[-1]["id"])
        self.service.send_required(
            draft, "the service did not cancel a pending booking request", "V3-CANCEL", "success"
        )
        return requested

    def request_fare(self, found: FlightSearchResult) -> CreatedBookingRequests | None:
        """Try to create booking requests of one of the round-trip fares that were found; None if there are none."""
        requested = None
        for flights in islice(self.flights_of_fares(found), _FARES):
            party = PassengerCounts()
            draft = self.request_draft("v3", flights, party).with_value("fare_type", "round_trip")
            criteria, response = FlightCriteria("v3", "round_trip_fares"), self.service.send(draft)
            requested = CreatedBookingRequests(criteria, draft, response, flights, party)
            # Fares are as indicative as flights are (OPEN-37).
            if response.status not in GONE:
                break
        return requested

    def request_trip(self, interface: Interface) -> CreatedBookingRequests:
        """Create two booking requests, of a round-trip fare if there is any."""

        def of_a_fare() -> CreatedBookingRequests | None:
            requested = self.request_fare(self.round_trips("round_trip_fares")) if interface == "v3" else None
            return requested if requested and requested.are_usable(2) else None

        return if_sold(of_a_fare, self.service.needs) or self.request(FlightCriteria(interface), count=2)

    def requested(
        self, criteria: FlightCriteria, count: int = 1, party: PassengerCounts | None = None, bag: BagKind | None = None
    ) -> CreatedBookingRequests:
        """Return requests that the service accepted once and that scenarios share as the pattern of their own."""
        return self.service.once(
            ("requested", criteria, count, party, bag),
            lambda: self.request(criteria, count=count, party=party, bag=bag),
        )


def _is_not_understood(response: ParsedResponse) -> bool:
    """Return whether the notation of personal data may have caused a rejection."""
    return response.rejected and response.status not in _OTHER_REASONS
