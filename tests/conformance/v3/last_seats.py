"""Booking requests that hold the last seats of a flight."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import itemgetter

from airworthy.contract.bodies.body import skim
from airworthy.contract.http.transaction import member
from airworthy.suite.outcomes import NotApplicable, Untested
from conformance.parsed_response import ParsedResponse
from conformance.v3.booking_client import BookingClient
from conformance.v3.booking_request_client import CreatedBookingRequests
from conformance.v3.flight_client import Flight, FlightCriteria
from conformance.v3.request_bodies import Interface
from conformance.v3.requested_flights import GONE, seats_needed
from conformance.v4.request_bodies import PassengerCounts

# So many seats at most are left on a flight of the route.
SEATS = 9
ROUTE = "[routes.flights_last_seats]"
# A flight of a search may no longer have its seats (OPEN-37).
_ATTEMPTS = 6


def request_last_seats(
    client: BookingClient, interface: Interface, *, is_second: bool = False, has_children: bool = False
) -> CreatedBookingRequests:
    """Request the seats that a search shows; it may show too few (OPEN-37), but the flight has at most nine.

    If the flight ``is_second``, it is requested together with another one, unless there is none for as many. A party
    that ``has_children`` has one adult, if the service sells to children and accepts so many.
    """
    has_children = has_children and client.service.profile.has_capability("children")
    if "flights_last_seats" not in client.service.profile.routes:
        raise NotApplicable(f"the profile names no route with the last seats of a flight: {ROUTE}")
    # Shows how the service writes passengers (OPEN-10, OPEN-83).
    client.requested(FlightCriteria(interface))
    criteria = FlightCriteria(interface, "last_seats")
    for seats, flight in flights_with_few_seats(client, criteria):
        others = another_flight(client, interface, PassengerCounts(seats)) if is_second else []
        for party in (*[PassengerCounts(1, seats - 1)] * has_children, PassengerCounts(seats)):
            requested = client.try_request(criteria, [*others, flight], party)
            if requested.response.succeeded:
                return replace(requested, flights=[flight])
        # A service may request two flights of one trip only, the way out and the way back (OPEN-98).
        is_second = is_second and requested.response.status in GONE
    raise Untested(f"no flight of a search on {ROUTE} shows one to nine seats and can be requested for as many")


def flights_with_few_seats(client: BookingClient, criteria: FlightCriteria) -> Sequence[tuple[int, Flight]]:
    """Return the seats that a search shows of some flights, with the flights.

    Those with the most seats come first: the sooner more than nine are given away.
    """
    flights = [client.flight(criteria) for _ in range(_ATTEMPTS)]
    shown = [(seats, flight) for flight in flights if isinstance(seats := flight.get("available_seats"), int)]
    return sorted((each for each in shown if 0 < each[0] <= SEATS), key=itemgetter(0), reverse=True)


def another_flight(client: BookingClient, interface: Interface, party: PassengerCounts) -> list[Flight]:
    """Return a flight that a party can request together with another one, if there is any."""
    try:
        return [client.flight(FlightCriteria(interface), party)]
    except Untested:
        return []


def hold_all_seats(client: BookingClient, interface: Interface) -> CreatedBookingRequests:
    """Request the last seats of a flight until the service rejects a booking request; return the first ones."""
    held = request_last_seats(client, interface)
    for _ in range(SEATS):
        response = client.service.send(held.draft)
        if response.rejected:
            return held
    raise Untested("the service did not reject a booking request for seats that are held")


def hold_seats_one_by_one(client: BookingClient, interface: Interface) -> Sequence[CreatedBookingRequests]:
    """Request the last seats of a flight one after the other until none is left; return at least two booking requests.

    Raises NotApplicable if no flight has two seats left.
    """
    criteria, party = FlightCriteria(interface, "last_seats"), PassengerCounts()
    for _, flight in flights_with_few_seats(client, criteria):
        held: list[CreatedBookingRequests] = []
        while len(held) <= SEATS:
            requested = client.try_request(criteria, [flight], party)
            if not requested.response.succeeded:
                break
            held.append(requested)
        if len(held) > 1:
            return held
    raise NotApplicable(f"no flight of a search on {ROUTE} has two seats left")


def seats_given(responses: Iterable[ParsedResponse]) -> int:
    """Return for how many passengers a service accepts booking requests, each counted once."""
    identifiers, seats = set[str](), 0
    for response in responses:
        created = {str(member(each, "id")) for each in response.array("requests")} - identifiers
        identifiers |= created
        seats += seats_needed(skim(response.exchange.request.body)) if created else 0
    return seats
