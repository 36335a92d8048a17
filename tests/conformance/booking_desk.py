"""The desk for v2 and v3 as far as it books: requests that hold seats for a few minutes, and bookings of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

from airworthy.contract.transaction import member
from airworthy.suite.outcomes import Untested, prerequisite
from conformance import flight_bodies as bodies
from conformance.answer import Answer
from conformance.bodies import Party
from conformance.draft import Draft
from conformance.flight_bodies import DATE_FORMATS, GENDERS, Interface, Kind, Vocabulary
from conformance.flight_desk import Asked, Flight, FlightDesk

_ATTEMPTS = 4
# A search is indicative (OPEN-37): a flight may be gone, or be known no more (OPEN-20).
GONE = (404, 409)
# With which status a way to write is refused is open (OPEN-29): with none that says something else.
_UNDERSTOOD = (401, 402, 403, *GONE)


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
        """The requests of the answer, in the order of their flights: which one they are answered in is not written."""
        places = {str(flight.get("id")): place for place, flight in enumerate(self.flights)}
        return sorted(
            self.answer.array("requests"),
            key=lambda each: places.get(str(member(each, "flight", "id")), len(places)),
        )


@dataclass(frozen=True, slots=True)
class Booked:
    """Bookings that the service made of requests."""

    requested: Requested
    draft: Draft
    answer: Answer

    @property
    def bookings(self) -> list[Any]:
        """The bookings of the answer."""
        return self.answer.array("bookings")

    @property
    def reference(self) -> str:
        """The reference that the bookings share."""
        return str(self.bookings[0]["cp_reference"])


@dataclass(eq=False, repr=False)
class BookingDesk(FlightDesk):
    """A desk that requests and books the flights that it has found."""

    # How each interface writes what the documents leave open, as soon as it is known.
    known_words: dict[Interface, Vocabulary] = field(default_factory=dict)
    # The ids of flights whose seats this desk holds or has held.
    _taken: set[Any] = field(default_factory=set, init=False)

    def words(self, interface: Interface) -> Vocabulary:
        """Return how the service writes what the documents leave open, as far as is known."""
        return self.known_words.get(interface) or Vocabulary(self.credentials(interface).date_format)

    @property
    def family(self) -> Party:
        """Several passengers, of as many types as the service sells to."""
        sells = self.desk.profile.has_capability
        return Party(2, int(sells("children")), int(sells("infants")))

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
        for date_format, genders in product(formats, GENDERS) if _is_not_understood(answer) else ():
            self.known_words[interface] = Vocabulary(date_format, genders)
            another = make()
            answered = self.desk.send(another)
            if not _is_not_understood(answered):
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
        authorized = self.credentials(interface).self_psp
        if by == "self_psp":
            if authorized:
                self.desk.needs.note("self_psp")
            return {"self_psp": True}
        fields = self.desk.payments.fields(by, 0)[1]
        # An authorized organisation may have to say that it does not book on deposit (OPEN-26).
        return {**fields, "self_psp": False} if authorized else fields

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
        no_cards = by == "a payment method" and not self.desk.profile.has_capability("card")
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


def _is_not_understood(answer: Answer) -> bool:
    """Whether a refusal may be about how something is written."""
    return answer.refused and answer.status not in _UNDERSTOOD
