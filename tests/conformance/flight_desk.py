"""The travel agent's desk for v2 and v3: flights, requests that hold seats for a few minutes, bookings.

As at the desk for v4, what is only read is shared and what a scenario changes is made for it alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from airworthy.suite.outcomes import NotApplicable, Untested, prerequisite
from airworthy.target.profile import TokenCredentials
from conformance import flight_bodies as bodies
from conformance.answer import Answer
from conformance.bodies import Party
from conformance.desk import Desk
from conformance.draft import Draft
from conformance.flight_bodies import GENDERS, Interface, Kind, Vocabulary

_WINDOWS_SEARCHED = 6
_WINDOW = 3
_PAGES_READ = 50


@dataclass(frozen=True, slots=True)
class Asked:
    """What kind of flights a scenario asks for: its interface and its situation."""

    interface: Interface
    situation: str = "regular"


@dataclass(frozen=True, slots=True)
class FoundFlights:
    """A flight search (or a search for round-trip fares) and its answer."""

    draft: Draft
    answer: Answer

    def _array(self, name: str) -> list[Any]:
        value = self.answer.member(name)
        return value if isinstance(value, list) else []

    @property
    def flights(self) -> list[Any]:
        """The flights of the answer."""
        return self._array("results")

    @property
    def fares(self) -> list[Any]:
        """The round-trip fares of the answer."""
        return self._array("fares")


@dataclass(frozen=True, slots=True)
class Requested:
    """Booking requests that the service accepted, one for each flight."""

    interface: Interface
    draft: Draft
    answer: Answer
    flights: Sequence[Mapping[str, Any]]
    party: Party

    @property
    def requests(self) -> list[Any]:
        """The requests of the answer."""
        requests = self.answer.member("requests")
        return requests if isinstance(requests, list) else []


@dataclass(frozen=True, slots=True)
class Booked:
    """Bookings that the service made of requests."""

    requested: Requested
    draft: Draft
    answer: Answer

    @property
    def bookings(self) -> list[Any]:
        """The bookings of the answer."""
        bookings = self.answer.member("bookings")
        return bookings if isinstance(bookings, list) else []

    @property
    def reference(self) -> str:
        """The reference that the bookings share."""
        return str(self.bookings[0]["cp_reference"])


class FlightDesk:
    """One organisation's desk for v2 and v3; what is common to all versions is the v4 desk's."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._flights: dict[Asked, Iterator[Mapping[str, Any]]] = {}
        self._genders = GENDERS[0]

    # Who asks

    def credentials(self, interface: Interface) -> TokenCredentials:
        """Return the organisation's credentials. Raises NotApplicable where the profile has none for the interface."""
        found = self.desk.organisation.v2 if interface == "v2" else self.desk.organisation.v3
        if found is None:
            raise NotApplicable(f"the profile has no credentials for {interface}: [{interface}] token")
        return found

    def customer_code(self, interface: Interface) -> str:
        """Return the organisation's customer code."""
        return self.credentials(interface).customer_code.reveal()

    def words(self, interface: Interface) -> Vocabulary:
        """Return how the service writes what the documents leave open, as far as is known."""
        return Vocabulary(self.credentials(interface).date_format, self._genders)

    @property
    def today(self) -> date:
        """The day by the target's clock."""
        return self.desk.clock.now().date()

    # Search

    def search_draft(self, asked: Asked, window: int = 0) -> Draft:
        """Build the search of a situation, some windows later. Raises Untested where the profile names no route."""
        name = f"flights_{asked.situation}"
        route = self.desk.profile.route(name)
        if route is None:
            raise Untested(f"the profile names no route for this situation: [routes.{name}]")
        start = route.departure(self.today) + timedelta(days=window * (_WINDOW + 1))
        self.credentials(asked.interface)
        return bodies.search_flights(asked.interface, route.origin, route.destination, start, _WINDOW)

    def search(self, asked: Asked, window: int = 0) -> FoundFlights:
        """Search once for each kind and window; the service has to answer."""

        def make() -> FoundFlights:
            draft = self.search_draft(asked, window)
            reason = "a documented flight search was not answered"
            return FoundFlights(draft, self.desk.needed(draft, reason, "V23-FLIGHTS-ANSWER"))

        return self.desk.once(("flights", asked, window), make)

    def search_with_flights(self, asked: Asked) -> FoundFlights:
        """Search window after window until something is found. Raises Untested where nothing is."""
        for window in range(_WINDOWS_SEARCHED):
            found = self.search(asked, window)
            if found.flights:
                return found
        raise _nothing_found(asked)

    def flights(self, asked: Asked) -> Iterator[Mapping[str, Any]]:
        """Go through the flights of the coming weeks, round and round, so that each use has another flight."""
        if asked not in self._flights:
            self._flights[asked] = self._circle(asked)
        return self._flights[asked]

    def _circle(self, asked: Asked) -> Iterator[Mapping[str, Any]]:
        while True:
            self.search_with_flights(asked)
            for window in range(_WINDOWS_SEARCHED):
                yield from self.search(asked, window).flights

    def pages(self, found: FoundFlights) -> list[Answer]:
        """Read the pages of a search to its end, a bounded number of them."""
        pages = [found.answer]
        while (cursor := pages[-1].member("next_page_id")) and len(pages) < _PAGES_READ:
            pages.append(self.desk.send(found.draft.asking(next_page_id=str(cursor))))
        return pages

    def round_trips(self, situation: str) -> FoundFlights:
        """Search for round-trip fares on the route of a situation; the service has to answer."""

        def make() -> FoundFlights:
            flights = self.search_draft(Asked("v3", situation))
            draft = replace(flights, operation="searchRoundTrips", path="/v3/roundTrips")
            reason = "a documented search for round-trip fares was not answered"
            return FoundFlights(draft, self.desk.needed(draft, reason, "V3-ROUND-TRIPS-ANSWER"))

        return self.desk.once(("round trips", situation), make)

    # Requests

    def request_draft(
        self,
        interface: Interface,
        flights: Sequence[Mapping[str, Any]],
        party: Party,
        bags: Mapping[Kind, int] | None = None,
    ) -> Draft:
        """Build a booking request of flights for a party."""
        code = self.customer_code(interface)
        if interface == "v2":
            return bodies.create_requests_v2(flights, party, code)
        travellers = bodies.passengers(party, self.today, self.words(interface))
        with prerequisite("a flight of the search cannot be requested", rule="V3-FLIGHT-BAGS"):
            return bodies.create_requests(flights, travellers, code, bags=bags)

    def request(
        self,
        asked: Asked,
        *,
        count: int = 1,
        party: Party | None = None,
        bags: Mapping[Kind, int] | None = None,
    ) -> Requested:
        """Have flights requested; the service has to accept. Some flights may be gone: a few are tried."""
        party = party or Party()
        rule = "V2-REQUESTS-ANSWER" if asked.interface == "v2" else "V3-REQUESTS-ANSWER"
        for _ in range(3):
            flights = [next(self.flights(asked)) for _ in range(count)]
            draft = self.request_draft(asked.interface, flights, party, bags)
            answer = self._learning_genders(asked, flights, party, bags, draft)
            if answer.succeeded:
                break
        else:
            answer = self.desk.needed(draft, "a documented booking request was not accepted", rule)
        requested = Requested(asked.interface, draft, answer, flights, party)
        with prerequisite("a booking request has no id", rule=rule, exchange=answer.exchange):
            assert len(requested.requests) == count
            assert all(request["id"] for request in requested.requests)
        return requested

    def _learning_genders(
        self,
        asked: Asked,
        flights: Sequence[Mapping[str, Any]],
        party: Party,
        bags: Mapping[Kind, int] | None,
        draft: Draft,
    ) -> Answer:
        """Send a request; where the very first is refused, try the other ways to write a gender (OPEN-83)."""
        answer = self.desk.send(draft)
        if asked.interface == "v2" or self.desk.knows("genders"):
            return answer
        for genders in GENDERS[1:]:
            if answer.status not in (400, 422):
                break
            self._genders = genders
            answer = self.desk.send(self.request_draft(asked.interface, flights, party, bags))
        if answer.succeeded:
            self.desk.once("genders", lambda: True)
        return answer

    def requested(self, asked: Asked, count: int = 1, party: Party | None = None, bag: Kind | None = None) -> Requested:
        """Return requests that the service accepted once and that scenarios share as the pattern of their own."""
        bags: dict[Kind, int] = {bag: 1} if bag else {}
        if bag and not any((flight.get("bags") or {}).get(bag) for flight in self.search_with_flights(asked).flights):
            raise Untested(f"the flights of [routes.flights_{asked.situation}] have no {bag} bags")
        return self.desk.once(
            ("requested", asked, count, party, bag), lambda: self.request(asked, count=count, party=party, bags=bags)
        )

    # Bookings

    def payment(self, interface: Interface, by: str) -> dict[str, Any]:
        """Return the fields by which a booking is paid. Raises Untested or NotApplicable where that is not possible."""
        if by == "self_psp":
            return {"self_psp": True}
        fields = self.desk.payments.fields(by, 0)[1]
        # An authorized organisation may have to say that it does not book on deposit (OPEN-26).
        return {**fields, "self_psp": False} if self.credentials(interface).self_psp else fields

    def booking(
        self, requests: Sequence[Mapping[str, Any]], requested: Requested, by: str, *, pieces: int = 0
    ) -> Draft:
        """Build the booking of requests, paid in a way that `Payments` knows or by self_psp."""
        interface = requested.interface
        code, words, payment = self.customer_code(interface), self.words(interface), self.payment(interface, by)
        if interface == "v3":
            return bodies.create_bookings(requests, code, words, payment)
        travellers = bodies.passengers(requested.party, self.today, words)
        with prerequisite("a request has no flight with luggage options", rule="V2-REQUESTS-ANSWER"):
            return bodies.create_bookings_v2(requests, travellers, code, words, payment, pieces=pieces)

    def book(self, requested: Requested, by: str, *, pieces: int = 0) -> Booked:
        """Book requests; the service has to book them."""
        draft = self.booking(requested.requests, requested, by, pieces=pieces)
        answer = self.desk.needed(draft, "a documented booking was not made", "V23-BOOKINGS-BOOK", "bookings")
        booked = Booked(requested, draft, answer)
        with prerequisite("a booking has no reference", rule="V23-BOOKING-FIELDS", exchange=answer.exchange):
            assert booked.reference
        return booked

    def booked(self, asked: Asked, by: str = "a payment method") -> Booked:
        """Return a booking that scenarios share because they only read it."""
        return self.desk.once(("booked", asked, by), lambda: self.book(self.request(asked), self.usual(asked, by)))

    def usual(self, asked: Asked, by: str) -> str:
        """Return how to pay where the scenario does not care: on deposit where the service takes no cards."""
        no_cards = by == "a payment method" and not self.desk.profile.offers("card")
        return "self_psp" if no_cards and self.credentials(asked.interface).self_psp else by

    def tour(self, interface: Interface) -> tuple[Answer, ...]:
        """Use every operation of an interface once, as documented, and return the answers; made once and shared."""
        return self.desk.once(("tour", interface), lambda: self._tour(Asked(interface)))

    def _tour(self, asked: Asked) -> tuple[Answer, ...]:
        booked = self.booked(asked)
        reason = "a booking was not found by its reference"
        looked_up = self.desk.needed(bodies.get_bookings(asked.interface, booked.reference), reason, "V23-LOOK-UP")
        answers = [self.search_with_flights(asked).answer, booked.requested.answer, booked.answer, looked_up]
        if asked.interface == "v3":
            answers.append(self.round_trips("regular").answer)
        return tuple(answers)


def _nothing_found(asked: Asked) -> Untested:
    name = f"routes.flights_{asked.situation}"
    return Untested(f"a search on [{name}] finds no flights in {_WINDOWS_SEARCHED} windows")
