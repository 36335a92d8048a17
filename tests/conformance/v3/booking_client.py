"""A client of v2 and v3 that creates bookings."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from airworthy.contract.http.exchange import Exchange
from airworthy.suite.outcomes import NotApplicable, prerequisite
from conformance.kinds import if_sold
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.service_client import ServiceClient
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_request_client import BookingRequestClient, CreatedBookingRequests
from conformance.v3.flight_client import FlightCriteria
from conformance.v3.request_bodies import INTERFACES, BagKind, Interface
from conformance.v3.requested_flights import FlightSeatSearch
from conformance.v4.request_bodies import PassengerCounts


@dataclass(frozen=True, slots=True)
class CreatedBookings:
    """Bookings that the service created from booking requests."""

    requested: CreatedBookingRequests
    draft: RequestDraft
    response: ParsedResponse

    @property
    def bookings(self) -> list[Any]:
        """The bookings in the response."""
        return self.response.array("bookings")

    @property
    def reference(self) -> str:
        """The reference that the bookings share."""
        return str(self.bookings[0]["cp_reference"])


@dataclass(eq=False, repr=False)
class BookingClient(BookingRequestClient):
    """A client that creates booking requests and bookings."""

    def __post_init__(self) -> None:
        """Follow the responses to booking requests, and know how to use the operations."""
        if self.requested_flights.follow not in self.service.client.listeners:
            self.service.client.listeners.append(self.requested_flights.follow)
            self.service.causes += (FlightSeatSearch(self, self.requested_flights).explain, self._explain_deposit)
            self.service.documented_uses |= self._documented_uses()

    def of(self, service: ServiceClient) -> "BookingClient":
        """Return the client of another organisation, with what is known of the seats and of the notations."""
        return BookingClient(service, self.known_notations, self.requested_flights)

    def _documented_uses(self) -> dict[str, Callable[[], object]]:
        uses: dict[str, Callable[[], object]] = {
            "searchRoundTrips": lambda: self.round_trips("regular"),
            "cancelRequest": partial(self.service.once, "cancelled", self.cancelled),
        }
        for interface in INTERFACES:
            criteria, suffix = FlightCriteria(interface), "V2" if interface == "v2" else ""
            uses |= {
                f"searchFlights{suffix}": partial(self.search, criteria),
                f"createRequests{suffix}": partial(self.requested, criteria),
                f"createBookings{suffix}": partial(self.booked, criteria),
                f"getBookings{suffix}": partial(self.service.once, ("read", interface), partial(self._read, criteria)),
            }
        return uses

    def _read(self, criteria: FlightCriteria) -> ParsedResponse:
        draft = bodies.get_bookings(criteria.interface, self.booked(criteria).reference)
        return self.service.send_required(draft, "the service does not return a booking", "V23-LOOK-UP", "bookings")

    def book_anything(self, criteria: FlightCriteria, by: str | None = None) -> ParsedResponse:
        """Return the response to a booking of the next flight, whatever it is."""
        return self.service.send(self._booking(self.request(criteria), by or self.usual(criteria)))

    def _explain_deposit(self, _: str, exchange: Exchange) -> None:
        for each in INTERFACES:
            if each in self.service.organisation.tokens and self.credentials(each).self_psp:
                pay = partial(self.book_anything, FlightCriteria(each), "self_psp")
                self.service.payments.explain_deposit(each, exchange, pay)

    def payment(self, interface: Interface, by: str) -> dict[str, Any]:
        """Return the fields by which a booking is paid. Raises Untested or NotApplicable if that is not possible."""
        authorized = self.credentials(interface).self_psp
        if by == "self_psp":
            if authorized:
                self.service.needs.note("self_psp")
            return {"self_psp": True}
        fields = self.service.payments.fields(by, 0)[1]
        # An authorized organisation may have to say that it does not book on deposit (OPEN-26).
        return {**fields, "self_psp": False} if authorized else fields

    def booking(self, requested: CreatedBookingRequests, by: str | None = None) -> RequestDraft:
        """Build the booking of requests, paid in a way of `Payments` or by self_psp, or in the usual way."""
        if requested.interface == "v2" and "v2" not in self.known_notations:
            # Only v2 bookings contain persons, so only an accepted booking shows their notation.
            self.booked(FlightCriteria("v2"))
        return self._booking(requested, by or self.usual(requested.criteria))

    def _booking(self, requested: CreatedBookingRequests, by: str) -> RequestDraft:
        interface, requests = requested.interface, requested.requests
        code, notation, payment = self.customer_code(interface), self.notation(interface), self.payment(interface, by)
        if interface == "v3":
            return bodies.create_bookings(requests, code, notation, payment)
        travellers = bodies.passengers(requested.party, self.today, notation)
        with prerequisite("a booking request has no flight with luggage options", rule="V2-REQUESTS-ANSWER"):
            infants, pieces = requested.party.infants, requested.pieces
            return bodies.create_bookings_v2(
                requests, travellers, code, notation, payment, infants=infants, pieces=pieces
            )

    def booked(
        self,
        criteria: FlightCriteria,
        by: str = "a payment method",
        *,
        count: int = 1,
        party: PassengerCounts | None = None,
        bag: BagKind | None = None,
    ) -> CreatedBookings:
        """Return a booking that scenarios share because they only read it."""
        party = party or PassengerCounts()
        pieces = bodies.ONE if bag and criteria.interface == "v2" else ()

        def request() -> CreatedBookingRequests:
            return replace(self.request(criteria, count=count, party=party, bag=bag), pieces=pieces)

        book = partial(self._book, criteria.interface, request, self.usual(criteria, by))
        return self.service.once(("booked", criteria, by, count, party, bag), book)

    def declined(self, criteria: FlightCriteria) -> CreatedBookingRequests:
        """Create a booking request whose payment fails; the service must reject its booking."""
        # A rejection shows something only if the service accepts other payments.
        self.booked(criteria)
        requested = self.any_request(criteria)
        response = self.service.send(self.booking(requested, "a card that is declined"))
        reason = "a booking with a declined card succeeds"
        with prerequisite(reason, rule="V23-BOOKINGS-PAYMENT-FAILS", exchange=response.exchange):
            assert response.rejected
        return requested

    def expect_payable(self, interface: Interface, by: str) -> None:
        """Continue unless a booking is to be on deposit, and the organisation books none. Raises NotApplicable."""
        if by == "self_psp" and not self.credentials(interface).self_psp:
            raise NotApplicable("the profile says that the organisation does not book on deposit")

    def booked_by(self, criteria: FlightCriteria, by: str) -> CreatedBookings:
        """Return shared bookings, paid in a way of `Payments`: two where the service books two at once."""
        self.expect_payable(criteria.interface, by)
        pair = if_sold(partial(self.booked, criteria, by, count=2), self.service.needs)
        return pair or self.booked(criteria, by)

    def _book(self, interface: Interface, request: Callable[[], CreatedBookingRequests], by: str) -> CreatedBookings:
        """Book the booking requests that ``request`` creates; the service must accept the booking."""
        made: list[CreatedBookingRequests] = []

        def make() -> RequestDraft:
            # A rejected booking may have aborted its booking request: another try gets one of its own.
            made.append(request())
            return self._booking(made[-1], by)

        draft, response = self._understood(interface, make)
        if not response.succeeded and (
            made[-1].party != PassengerCounts() or len(made[-1].flights) > 1 or made[-1].pieces
        ):
            self.booked(made[-1].criteria, by)
        else:
            self._expect_sold(made[-1].criteria, response, self.book_anything)
        self.service.require_success(
            response, "the service rejected a documented booking", "V23-BOOKINGS-BOOK", "bookings"
        )
        booked = CreatedBookings(made[-1], draft, response)
        with prerequisite("a booking has no reference", rule="V23-BOOKING-FIELDS", exchange=response.exchange):
            assert booked.reference
        return booked

    def usual(self, criteria: FlightCriteria, by: str = "a payment method") -> str:
        """Return the payment for scenarios that need no particular one: on deposit if the service takes no cards."""
        no_cards = by == "a payment method" and not self.service.profile.has_capability("card")
        return "self_psp" if no_cards and self.credentials(criteria.interface).self_psp else by

    def use_every_operation(self, interface: Interface) -> tuple[ParsedResponse, ...]:
        """Use every operation of an interface once, as documented, and return the responses, which scenarios share."""
        return self.service.once(("tour", interface), lambda: self._tour(FlightCriteria(interface)))

    def _tour(self, criteria: FlightCriteria) -> tuple[ParsedResponse, ...]:
        booked = self.booked(criteria)
        # Reads are not prerequisites, so that one failed read does not hide the other responses.
        retrieved = self.service.send(bodies.get_bookings(criteria.interface, booked.reference))
        responses = [self.search_with_flights(criteria).response, booked.requested.response, booked.response, retrieved]
        if criteria.interface == "v3":
            responses.append(self.service.send(self.round_trip_draft("regular")))
        return tuple(responses)


def expect_one(response: ParsedResponse, noun: Literal["booking request", "booking"], message: str) -> None:
    """Fail with a message unless a response is a success with one booking request or one booking."""
    created = response.array("requests" if noun == "booking request" else "bookings")
    response.expect(
        response.succeeded and len(created) == 1,
        message,
        expected=f"status 200 with one {noun}",
        actual=f"status {response.status} with {len(created)} {noun}(s)",
    )
