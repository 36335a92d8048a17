"""The desk for v4 as far as it sells: it searches, and stores offers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from airworthy.contract.exchange import Exchange
from airworthy.suite.outcomes import Untested, expect, prerequisite
from conformance import bodies
from conformance.answer import Answer
from conformance.bodies import Party, Place, Trip
from conformance.desk import Desk
from conformance.draft import Draft

# The part of its life after which a shared offer is replaced.
_SHARED_LIFE = 2 / 3
_DAYS_SEARCHED = 10
_ATTEMPTS_TO_STORE = 4
# Routes that are about something which a service may not have at all.
_CAPABILITIES = {"city": "cities", "connecting": "connecting"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What kind of offer a scenario asks for."""

    route: str = "regular"
    party: Party = field(default_factory=Party)
    round_trip: bool = False


@dataclass(frozen=True, slots=True)
class Itinerary:
    """An offer of a search, and the exchange that it came in."""

    offer: Mapping[str, Any]
    exchange: Exchange

    def sections(self, way: str) -> list[Any]:
        """The sections of its outbound or inbound segment, as far as there are any."""
        segment = self.offer.get(way) if isinstance(self.offer, Mapping) else None
        sections = segment.get("sections") if isinstance(segment, Mapping) else None
        return sections if isinstance(sections, list) else []


@dataclass(frozen=True, slots=True)
class Found:
    """A search that was answered with offers."""

    draft: Draft
    answer: Answer

    @property
    def itineraries(self) -> list[Itinerary]:
        """The offers of the answer."""
        return [Itinerary(offer, self.answer.exchange) for offer in self.answer.array("offers")]


@dataclass(frozen=True, slots=True)
class Stored:
    """An offer that Get Offer stored: its request, its answer, and the offer of the search that it came from."""

    draft: Draft
    answer: Answer
    wanted: Wanted
    found: Mapping[str, Any]
    generation: int

    @property
    def id(self) -> str:
        """The id of the stored offer."""
        return str(self.answer.body["id"])

    @property
    def fare_id(self) -> str:
        """The id of its cheapest fare."""
        return str(self.answer.body["cheapestFare"]["id"])


@dataclass(eq=False, repr=False)
class OfferDesk(Desk):
    """A desk that searches and stores offers."""

    _itineraries: dict[Wanted, Iterator[Itinerary]] = field(default_factory=dict, init=False)

    @property
    def _customer_code(self) -> str:
        return self.v4.customer_code.reveal()

    # Search

    def trip(self, wanted: Wanted, later: int = 0) -> Trip:
        """Return the trip that the profile's route asks for, a number of days later.

        Raises Untested where the profile names no route for this situation, NotApplicable where it declares it absent.
        """
        if wanted.route in _CAPABILITIES:
            self.needs(_CAPABILITIES[wanted.route])
        route = self.profile.route(wanted.route)
        if route is None:
            raise Untested(f"the profile names no route for this situation: [routes.{wanted.route}]")
        today = self.clock.now().date()
        days = timedelta(days=later)
        return Trip(
            Place(route.origin, route.origin_type),
            Place(route.destination, route.destination_type),
            route.departure_date(today) + days,
            route.return_date(today) + days if wanted.round_trip else None,
        )

    def search_request(self, wanted: Wanted, later: int = 0) -> Draft:
        """Build a Search request."""
        return bodies.search_offers(self.trip(wanted, later), wanted.party, self._customer_code)

    def search(self, wanted: Wanted, later: int = 0) -> Found:
        """Search once for each kind and day; the service has to answer.

        Where it answers plain searches but not this one, the rule of what is special about this one is broken.
        """

        def make() -> Found:
            draft = self.search_request(wanted, later)
            rule = "V4-SEARCH-OFFERS"
            if wanted != Wanted():
                self.search(Wanted())
                rule = _special(wanted, "SEARCH") or rule
            return Found(draft, self.needed(draft, "a documented search was not answered", rule))

        return self.once(("search", wanted, later), make)

    def search_with_offers(self, wanted: Wanted) -> Found:
        """Search day after day until something is found. Raises Untested where nothing is."""
        self.sells(wanted)
        for later in range(_DAYS_SEARCHED):
            found = self.search(wanted, later)
            if found.itineraries:
                return found
        raise _nothing_found(wanted)

    def sells(self, wanted: Wanted) -> None:
        """Go on where the target sells to such a party; NotApplicable where the profile says that it does not."""
        party = wanted.party
        asked = {"round_trips": wanted.round_trip, "children": party.children, "infants": party.infants}
        self.needs(*(capability for capability, is_asked in asked.items() if is_asked))

    def itinerary(self, wanted: Wanted) -> Itinerary:
        """Return the next offer of the coming days, round and round, so that each use has another itinerary."""
        self.search_with_offers(wanted)
        circle = self._itineraries.setdefault(wanted, self._circle(wanted))
        try:
            return next(circle)
        except Exception:
            # What has raised is at its end: the next to ask shall hear the same.
            del self._itineraries[wanted]
            raise

    def _circle(self, wanted: Wanted) -> Iterator[Itinerary]:
        while True:
            for later in range(_DAYS_SEARCHED):
                yield from self.search(wanted, later).itineraries

    # Get Offer

    def offer_request(self, wanted: Wanted, itinerary: Itinerary) -> Draft:
        """Build the Get Offer request for an offer of a search."""
        outbound = itinerary.sections("outboundSegment")
        asked = self._asked(wanted, outbound, None)
        reason = "an offer of the search names no sections that could be asked for"
        with prerequisite(reason, rule="V4-SECTION-FIELDS", exchange=itinerary.exchange):
            expect(
                asked,
                "the sections of an offer have to be as documented",
                expected="documented sections",
                actual="other sections",
                pointer="/offers",
                exchange=itinerary.exchange,
            )
        if wanted.round_trip:
            # OPEN-02: the structure of an inbound segment is not described.
            inbound = itinerary.sections("inboundSegment")
            asked = self._asked(wanted, outbound, inbound) if inbound else None
            asked = asked or self._asked(wanted, outbound, self._way_back(wanted))
        if not asked:
            raise Untested("the way back of the round trip has no flights of its own")
        return asked

    def _asked(self, wanted: Wanted, outbound: list[Any], inbound: list[Any] | None) -> Draft | None:
        """Build a Get Offer request of what was answered, None where that gives no documented request."""
        try:
            draft = bodies.get_offer(outbound, inbound, wanted.party, self._customer_code)
        except (LookupError, TypeError):
            return None
        operation = self.contract.operation(draft.method, f"{self.profile.base_url}{draft.path}")
        return draft if operation and operation.request and operation.request.fits(draft.body) else None

    def _way_back(self, wanted: Wanted) -> list[Any]:
        """Search the way back of a round trip by itself, and return the sections of an offer."""
        trip = self.trip(wanted)
        assert trip.back is not None
        draft = bodies.search_offers(Trip(trip.destination, trip.origin, trip.back), wanted.party, self._customer_code)
        found = Found(draft, self.send(draft)).itineraries
        return found[0].sections("outboundSegment") if found else []

    def store(self, wanted: Wanted) -> Stored:
        """Store an offer of an itinerary that was not used before, as far as there are any.

        An itinerary may be sold out since the search: a few are tried.
        """
        for _ in range(_ATTEMPTS_TO_STORE - 1):
            found = self.itinerary(wanted)
            draft = self.offer_request(wanted, found)
            stored = self._stored(draft, wanted, found, self.send(draft))
            if stored.answer.succeeded:
                break
        else:
            found = self.itinerary(wanted)
            draft = self.offer_request(wanted, found)
            rule = "V4-OFFER-FIELDS"
            if wanted != Wanted():
                self.stored(Wanted())
                rule = _special(wanted, "OFFER") or rule
            reason = "no offer of the search could be stored"
            stored = self._stored(draft, wanted, found, self.needed(draft, reason, rule))
        with prerequisite("a stored offer has no id", rule="V4-OFFER-FIELDS", exchange=stored.answer.exchange):
            UUID(stored.id)
        with prerequisite("a stored offer has no fare", rule="V4-OFFER-CHEAPEST-FARE", exchange=stored.answer.exchange):
            UUID(stored.fare_id)
        return stored

    def _stored(self, draft: Draft, wanted: Wanted, found: Itinerary, answer: Answer) -> Stored:
        return Stored(draft, answer, wanted, found.offer, self.clock.generation)

    def stored(self, wanted: Wanted) -> Stored:
        """Return a live offer that scenarios share because they only read it."""
        key = ("offer", wanted)
        stored = self.once(key, lambda: self.store(wanted))
        if not self._live(stored):
            self.forget(stored)
            stored = self.once(key, lambda: self.store(wanted))
        return stored

    def _live(self, stored: Stored) -> bool:
        age = (self.clock.now() - stored.answer.exchange.started).total_seconds()
        return stored.generation == self.clock.generation and age < self.profile.lifetimes.offer_seconds * _SHARED_LIFE


def _special(wanted: Wanted, request: str) -> str:
    """Return the rule of what makes a request other than a plain one, "" where there is none."""
    if wanted.round_trip:
        return f"V4-{request}-TRIP-TYPE"
    if wanted.route == "city":
        return f"V4-{request}-LOCATION"
    if wanted.party.infants:
        return f"V4-{request}-INFANTS"
    return f"V4-{request}-CHILDREN" if wanted.party.children else ""


def _nothing_found(wanted: Wanted) -> Untested:
    return Untested(f"a search on [routes.{wanted.route}] finds no offers for {wanted.party} in {_DAYS_SEARCHED} days")
