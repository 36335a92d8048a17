"""The travel agent's desk for v2 and v3: flights, requests that hold seats for a few minutes, bookings.

As at the desk for v4, what is only read is shared and what a scenario changes is made for it alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from itertools import product
from typing import Any

from airworthy.suite.outcomes import Untested, prerequisite
from airworthy.target.profile import TokenCredentials
from conformance import flight_bodies as bodies
from conformance.answer import Answer
from conformance.bodies import Party
from conformance.capabilities import needs
from conformance.desk import Desk
from conformance.draft import Draft
from conformance.flight_bodies import DATE_FORMATS, GENDERS, Interface, Kind, Vocabulary

Flight = Mapping[str, Any]

_WINDOWS_SEARCHED = 6
_WINDOW = 3
_PAGES_READ = 100
_ATTEMPTS = 4
# A search is indicative (OPEN-37): a flight may be gone, or be known no more (OPEN-20).
GONE = (404, 409)
_NOT_UNDERSTOOD = (400, 422)


@dataclass(frozen=True, slots=True)
class Asked:
    """What kind of flights a scenario asks for: its interface, its situation, and whether they fly the way back."""

    interface: Interface
    situation: str = "regular"
    back: bool = False

    @property
    def route(self) -> str:
        """The profile's name for the route."""
        return f"flights_{self.situation}"


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

    asked: Asked
    draft: Draft
    answer: Answer
    flights: Sequence[Flight]
    party: Party

    @property
    def interface(self) -> Interface:
        """The interface that they were made in."""
        return self.asked.interface

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

    def __init__(self, desk: Desk, words: dict[Interface, Vocabulary] | None = None) -> None:
        self.desk = desk
        # How each interface writes what the documents leave open, as soon as it is known.
        self.known_words: dict[Interface, Vocabulary] = {} if words is None else words
        # The ids of flights whose seats this desk holds or has held.
        self._taken: set[Any] = set()
        self._flights: dict[tuple[Asked, Party, Kind | None], Iterator[Flight]] = {}

    # Who asks

    def credentials(self, interface: Interface) -> TokenCredentials:
        """Return the organisation's credentials. Raises NotApplicable where the profile has none for the interface."""
        return self.desk.token(interface)

    def customer_code(self, interface: Interface) -> str:
        """Return the organisation's customer code."""
        return self.credentials(interface).customer_code.reveal()

    def words(self, interface: Interface) -> Vocabulary:
        """Return how the service writes what the documents leave open, as far as is known."""
        return self.known_words.get(interface) or Vocabulary(self.credentials(interface).date_format)

    @property
    def today(self) -> date:
        """The day by the target's clock."""
        return self.desk.clock.now().date()

    @property
    def family(self) -> Party:
        """Several passengers, of as many types as the service sells to."""
        sells = self.desk.profile.offers
        return Party(2, int(sells("children")), int(sells("infants")))

    # Search

    def search_draft(self, asked: Asked, window: int = 0) -> Draft:
        """Build the search of a situation, some windows later. Raises Untested where the profile names no route."""
        if asked.situation in _CAPABILITIES:
            needs(self.desk.profile, _CAPABILITIES[asked.situation])
        route = self.desk.profile.route(asked.route)
        if route is None:
            raise Untested(f"the profile names no route for this situation: [routes.{asked.route}]")
        self.credentials(asked.interface)
        ends = (route.destination, route.origin) if asked.back else (route.origin, route.destination)
        first = route.way_back(self.today) if asked.back else route.departure(self.today)
        start = first + timedelta(days=window * (_WINDOW + 1))
        return bodies.search_flights(asked.interface, *ends, start, _WINDOW)

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

    def flight(self, asked: Asked, party: Party | None = None, bag: Kind | None = None) -> Flight:
        """Return the next flight of the coming weeks, round and round, so that each use has another one.

        It has seats for the party, sells to its infants, and sells that kind of ``bag``. Raises Untested where there is
        none, NotApplicable where the profile says why.
        """
        party = party or Party()
        needs(self.desk.profile, *(f"{kind}_bags" for kind in (bag,) if kind))
        needs(self.desk.profile, *(kind for kind in ("children", "infants") if getattr(party, kind)))
        key = (asked, party, bag)
        circle = self._flights.setdefault(key, self._circle(*key))
        try:
            return next(circle)
        except Exception:
            # What has raised is at its end: the next to ask shall hear the same.
            del self._flights[key]
            raise

    def _circle(self, asked: Asked, party: Party, bag: Kind | None) -> Iterator[Flight]:
        while True:
            self.search_with_flights(asked)
            found = 0
            for window in range(_WINDOWS_SEARCHED):
                for page in self._pages_of(asked, window):
                    for flight in FoundFlights(page.draft, page.answer).flights:
                        if _suits(flight, asked.interface, party, bag):
                            found += 1
                            yield flight
            if not found:
                wanted = f"with {bag} bags " if bag else ""
                raise Untested(f"a search on [routes.{asked.route}] finds no flights {wanted}for {party}")

    def _pages_of(self, asked: Asked, window: int) -> Iterator[FoundFlights]:
        """Read a search page by page, each page once, and only as far as flights are wanted."""
        page = self.search(asked, window)
        for number in range(1, _PAGES_READ):
            yield page
            cursor = page.answer.member("next_page_id")
            if not cursor:
                return
            draft = page.draft.asking(next_page_id=str(cursor))
            page = self.desk.once(("flights", asked, window, number), partial(self._page, draft))

    def _page(self, draft: Draft) -> FoundFlights:
        return FoundFlights(draft, self.desk.send(draft))

    def together(self, asked: Asked, count: int, party: Party | None = None) -> list[Flight]:
        """Return flights that one party can take: the way out, the way back, and so on."""
        if count < 2:
            return [self.flight(asked, party) for _ in range(count)]
        try:
            back = [self.flight(replace(asked, back=True), party)]
        except Untested:
            back = []
        return [self.flight(asked, party), *back, *(self.flight(asked, party) for _ in range(count - 1 - len(back)))]

    def pages(self, found: FoundFlights) -> list[Answer]:
        """Read the pages of a search to its end, a bounded number of them."""
        pages = [found.answer]
        while (cursor := pages[-1].member("next_page_id")) and len(pages) < _PAGES_READ:
            pages.append(self.desk.send(found.draft.asking(next_page_id=str(cursor))))
        return pages

    def round_trip_draft(self, situation: str) -> Draft:
        """Build a search for round-trip fares on the route of a situation."""
        flights = self.search_draft(Asked("v3", situation))
        return replace(flights, operation="searchRoundTrips", path="/v3/roundTrips")

    def round_trips(self, situation: str) -> FoundFlights:
        """Search for round-trip fares on the route of a situation; the service has to answer."""

        def make() -> FoundFlights:
            draft = self.round_trip_draft(situation)
            reason = "a documented search for round-trip fares was not answered"
            return FoundFlights(draft, self.desk.needed(draft, reason, "V3-ROUND-TRIPS-ANSWER"))

        return self.desk.once(("round trips", situation), make)

    # Requests

    def request_draft(
        self,
        interface: Interface,
        flights: Sequence[Flight],
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
        self, asked: Asked, *, count: int = 1, party: Party | None = None, bag: Kind | None = None
    ) -> Requested:
        """Have flights requested; the service has to accept. Some flights may be gone: a few are tried."""
        party = party or Party()
        rule = "V2-REQUESTS-ANSWER" if asked.interface == "v2" else "V3-REQUESTS-ANSWER"
        for _ in range(_ATTEMPTS):
            flights = [self.flight(asked, party, bag)] if bag else self.together(asked, count, party)
            make = partial(self.request_draft, asked.interface, flights, party, {bag: 1} if bag else None)
            if asked.interface == "v3":
                draft, answer = self._understood("v3", make)
            else:
                draft = make()
                answer = self.desk.send(draft)
            if answer.status not in GONE:
                break
        identifiers = {flight.get("id") for flight in flights}
        if answer.status in GONE and identifiers <= self._taken:
            raise Untested(f"no flight on [routes.{asked.route}] is left that was not requested before")
        self.desk.usable(answer, "a documented booking request was not accepted", rule)
        self._taken |= identifiers
        requested = Requested(asked, draft, answer, flights, party)
        with prerequisite("a booking request has no id", rule=rule, exchange=answer.exchange):
            assert len(requested.requests) == count
            assert all(request["id"] for request in requested.requests)
        return requested

    def _understood(self, interface: Interface, make: Callable[[], Draft]) -> tuple[Draft, Answer]:
        """Send a request about persons; where the very first is refused, try other ways to write (OPEN-10, OPEN-83)."""
        draft = make()
        answer = self.desk.send(draft)
        if interface in self.known_words:
            return draft, answer
        usual = self.words(interface)
        self.known_words[interface] = usual
        formats = dict.fromkeys((usual.date_format, *DATE_FORMATS))
        for date_format, genders in product(formats, GENDERS) if answer.status in _NOT_UNDERSTOOD else ():
            self.known_words[interface] = Vocabulary(date_format, genders)
            another = make()
            answered = self.desk.send(another)
            if answered.status not in _NOT_UNDERSTOOD:
                return another, answered
        self.known_words[interface] = usual
        return draft, answer

    def requested(self, asked: Asked, count: int = 1, party: Party | None = None, bag: Kind | None = None) -> Requested:
        """Return requests that the service accepted once and that scenarios share as the pattern of their own."""
        return self.desk.once(
            ("requested", asked, count, party, bag), lambda: self.request(asked, count=count, party=party, bag=bag)
        )

    # Bookings

    def payment(self, interface: Interface, by: str) -> dict[str, Any]:
        """Return the fields by which a booking is paid. Raises Untested or NotApplicable where that is not possible."""
        if by == "self_psp":
            return {"self_psp": True}
        fields = self.desk.payments.fields(by, 0)[1]
        # An authorized organisation may have to say that it does not book on deposit (OPEN-26).
        return {**fields, "self_psp": False} if self.credentials(interface).self_psp else fields

    def booking(self, requested: Requested, by: str, *, pieces: int = 0) -> Draft:
        """Build the booking of requests, paid in a way that `Payments` knows or by self_psp."""
        if requested.interface == "v2" and "v2" not in self.known_words:
            # Only a booking of v2 is about persons, and only what it accepts shows how they are written.
            self.booked(Asked("v2"))
        return self._booking(requested, by, pieces)

    def _booking(self, requested: Requested, by: str, pieces: int) -> Draft:
        interface, requests = requested.interface, requested.requests
        code, words, payment = self.customer_code(interface), self.words(interface), self.payment(interface, by)
        if interface == "v3":
            return bodies.create_bookings(requests, code, words, payment)
        travellers = bodies.passengers(requested.party, self.today, words)
        with prerequisite("a request has no flight with luggage options", rule="V2-REQUESTS-ANSWER"):
            return bodies.create_bookings_v2(
                requests, travellers, code, words, payment, infants=requested.party.infants, pieces=pieces
            )

    def booked(
        self,
        asked: Asked,
        by: str = "a payment method",
        *,
        count: int = 1,
        party: Party | None = None,
        bag: Kind | None = None,
    ) -> Booked:
        """Return a booking that scenarios share because they only read it."""
        party = party or Party()
        request = partial(self.request, asked, count=count, party=party, bag=bag)
        pieces = 1 if bag and asked.interface == "v2" else 0
        book = partial(self._book, asked.interface, request, self.usual(asked, by), pieces)
        return self.desk.once(("booked", asked, by, count, party, bag), book)

    def _book(self, interface: Interface, request: Callable[[], Requested], by: str, pieces: int) -> Booked:
        """Book what a call of ``request`` makes; the service has to book it."""
        made: list[Requested] = []

        def make() -> Draft:
            # A refused booking may have aborted its request: another try has one of its own.
            made.append(request())
            return self._booking(made[-1], by, pieces)

        draft, answer = self._understood(interface, make)
        self.desk.usable(answer, "a documented booking was not made", "V23-BOOKINGS-BOOK", "bookings")
        booked = Booked(made[-1], draft, answer)
        with prerequisite("a booking has no reference", rule="V23-BOOKING-FIELDS", exchange=answer.exchange):
            assert booked.reference
        return booked

    def usual(self, asked: Asked, by: str) -> str:
        """Return how to pay where the scenario does not care: on deposit where the service takes no cards."""
        no_cards = by == "a payment method" and not self.desk.profile.offers("card")
        return "self_psp" if no_cards and self.credentials(asked.interface).self_psp else by

    def tour(self, interface: Interface) -> tuple[Answer, ...]:
        """Use every operation of an interface once, as documented, and return the answers; made once and shared."""
        return self.desk.once(("tour", interface), lambda: self._tour(Asked(interface)))

    def _tour(self, asked: Asked) -> tuple[Answer, ...]:
        booked = self.booked(asked)
        # What is only read is left to the rules that own it, so that one unanswered read does not hide the others.
        looked_up = self.desk.send(bodies.get_bookings(asked.interface, booked.reference))
        answers = [self.search_with_flights(asked).answer, booked.requested.answer, booked.answer, looked_up]
        if asked.interface == "v3":
            answers.append(self.desk.send(self.round_trip_draft("regular")))
        return tuple(answers)


# Routes that are about something which a service may not have at all.
_CAPABILITIES = {"connecting": "connecting", "round_trip_fares": "round_trip_fares"}


def _suits(flight: Any, interface: Interface, party: Party, bag: Kind | None) -> bool:
    """Whether a flight, as the search shows it, can be requested for a party, with a kind of bag."""
    if not isinstance(flight, Mapping):
        return False
    seats = flight.get("available_seats")
    if isinstance(seats, int) and seats < party.adults + party.children:
        return False
    if party.infants and flight.get("infant_price") is None:
        return False
    return not bag or bool(bodies.options(flight, interface, bag))


def _nothing_found(asked: Asked) -> Untested:
    return Untested(f"a search on [routes.{asked.route}] finds no flights in {_WINDOWS_SEARCHED} windows")
