"""A client of v4 that searches and stores offers."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import chain, product
from typing import Any
from uuid import UUID

from airworthy.contract.http.exchange import Exchange
from airworthy.contract.http.transaction import member
from airworthy.suite.outcomes import Untested, expect, expect_situation, prerequisite
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.service_client import SOLD_OUT, ServiceClient
from conformance.v4 import request_bodies as bodies
from conformance.v4.request_bodies import PassengerCounts, SearchedTrip, SearchPlace

# The part of its life after which a shared offer is replaced.
_SHARED_LIFE = 2 / 3
_DAYS_SEARCHED = 10
# An offer of an itinerary that was used before may have the id of the earlier one, and other fares (OPEN-73).
_DAYS_USED = 3 * _DAYS_SEARCHED
ATTEMPTS_TO_STORE = 6
_MOST_SKIPPED = 200
_FLIGHT = ("departureDate", "flightNumber", "marketingCarrierCode")
# One flight may be sold under several marketing carriers.
_FLOWN = ("departureDate", "origin", "destination", "operatingCarrierCode")
Flight = tuple[str, ...]
"""What identifies a flight."""
# Routes that are about something which a service may not have at all.
_KINDS = {"connecting": "offers of connecting flights"}
# The status codes for an itinerary that is no longer sold (OPEN-56), or whose offer is no longer available (OPEN-06).
GONE = (400, 404, 409, 410, 422)
_CAPABILITIES = {"city": "cities", "connecting": "connecting", "identification_required": "identification"}


@dataclass(frozen=True, slots=True)
class OfferCriteria:
    """The kind of offer that a scenario needs."""

    route: str = "regular"
    party: PassengerCounts = field(default_factory=PassengerCounts)
    round_trip: bool = False


@dataclass(frozen=True, slots=True)
class FoundItinerary:
    """An offer of a search, the exchange that contains it, and the day of the way back that was searched, if any."""

    offer: Mapping[str, Any]
    exchange: Exchange
    back: str | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A search and its response."""

    draft: RequestDraft
    response: ParsedResponse

    @property
    def itineraries(self) -> list[FoundItinerary]:
        """The offers in the response."""
        back = (self.draft.body.get("inboundSegment") or {}).get("departureDate")
        return [FoundItinerary(offer, self.response.exchange, back) for offer in self.response.array("offers")]


@dataclass(frozen=True, slots=True)
class StoredOffer:
    """An offer stored by Get Offer: the request, the response, and the offer of the search that was requested.

    ``fare`` is the id of a chosen fare, empty for the cheapest one.
    """

    draft: RequestDraft
    response: ParsedResponse
    criteria: OfferCriteria
    found: Mapping[str, Any]
    generation: int
    fare: str = ""

    @property
    def id(self) -> str:
        """The id of the stored offer."""
        return str(self.response.body["id"])

    @property
    def fare_id(self) -> str:
        """The id of its chosen or cheapest fare."""
        return self.fare or str(self.response.body["cheapestFare"]["id"])

    def lists(self, payment: str) -> bool:
        """Return whether its payment options have an entry for a payment method, or are empty (OPEN-36)."""
        listed = [member(each, "type") for each in self.response.array("paymentOptions")]
        return not listed or payment in listed


@dataclass(eq=False, repr=False)
class OfferClient(ServiceClient):
    """A client that searches and stores offers."""

    _itineraries: dict[OfferCriteria, Iterator[FoundItinerary]] = field(default_factory=dict, init=False)
    _sold: set[OfferCriteria] = field(default_factory=set, init=False)
    # How often flights may have been sold out, or were not sold to a party.
    _gone: defaultdict[OfferCriteria, Counter[Flight]] = field(default_factory=lambda: defaultdict(Counter), init=False)

    def __post_init__(self) -> None:
        """Know how to use the operations."""
        self.documented_uses |= {
            "searchOffers": lambda: self.search(OfferCriteria()),
            "getOffer": lambda: self.stored(OfferCriteria()),
        }

    @property
    def _customer_code(self) -> str:
        return self.v4.customer_code.reveal()

    # Search

    def trip(self, criteria: OfferCriteria, later: int = 0) -> SearchedTrip:
        """Return the trip that the profile's route asks for, a number of days later.

        Raises Untested if the profile names no route for this situation, NotApplicable if it declares it absent.
        """
        if criteria.route in _CAPABILITIES:
            self.needs(_CAPABILITIES[criteria.route])
        route = self.profile.route(criteria.route)
        if route is None:
            raise Untested(f"the profile names no route for this situation: [routes.{criteria.route}]")
        if criteria.route == "city":
            expect_situation("CITY" in (route.origin_type, route.destination_type), "routes.city", "names no city")
        today = self.clock.now().date()
        days = timedelta(days=later)
        return SearchedTrip(
            SearchPlace(route.origin, route.origin_type),
            SearchPlace(route.destination, route.destination_type),
            route.departure_date(today) + days,
            route.return_date(today) + days if criteria.round_trip else None,
        )

    def search_request(self, criteria: OfferCriteria, later: int = 0) -> RequestDraft:
        """Build a Search request."""
        return bodies.search_offers(self.trip(criteria, later), criteria.party, self._customer_code)

    def search(self, criteria: OfferCriteria, later: int = 0) -> SearchResult:
        """Search once for each kind of search and day; the service must accept it.

        Where it accepts plain searches but not this one, it violates the rule about the special part of this one.
        """

        def make() -> SearchResult:
            draft = self.search_request(criteria, later)
            rule = "V4-SEARCH-OFFERS"
            if criteria != OfferCriteria():
                self.search(OfferCriteria())
                rule = _special(criteria, "SEARCH") or rule
            response = self.send(draft)
            # A day that follows may be too far in the future (OPEN-55).
            if later and response.rejected:
                return SearchResult(draft, response)
            # A service that accepts the search without an inbound segment violates the rule that it may be null.
            is_null = draft.body["inboundSegment"] is None and not response.succeeded
            if is_null and self.send(draft.without("inboundSegment")).succeeded:
                rule = "V4-SEARCH-INBOUND-NULL"
            return SearchResult(
                draft, self.require_success(response, "the service did not accept a documented search", rule)
            )

        return self.once(("search", criteria, later), make)

    def search_with_offers(self, criteria: OfferCriteria) -> SearchResult:
        """Search day after day until offers of this kind are found. Raises Untested if none are."""
        self.sells(criteria)
        for later in range(_DAYS_SEARCHED):
            found = self.search(criteria, later)
            if any(_fits(itinerary, criteria) for itinerary in found.itineraries):
                return found
        if criteria.party != PassengerCounts():
            self.search_with_offers(replace(criteria, party=PassengerCounts()))
        kind = _KINDS.get(criteria.route, "offers") + criteria.party.described
        raise Untested(f"a search on [{self.route_key(criteria.route)}] finds no {kind} in {_DAYS_SEARCHED} days")

    def sells(self, criteria: OfferCriteria) -> None:
        """Continue if the target sells to such a party; NotApplicable if the profile says that it does not."""
        party = criteria.party
        needed = {"round_trips": criteria.round_trip, "children": party.children, "infants": party.infants}
        self.needs(*(capability for capability, is_needed in needed.items() if is_needed))

    def itinerary(self, criteria: OfferCriteria) -> FoundItinerary:
        """Return the next offer of the coming days, round and round, so that each use has another itinerary."""
        self.search_with_offers(criteria)
        circle = self._itineraries.setdefault(criteria, self._circle(criteria))
        try:
            return next(circle)
        except Exception:
            # What has raised is at its end: the next to ask shall hear the same.
            del self._itineraries[criteria]
            raise

    def _circle(self, criteria: OfferCriteria) -> Iterator[FoundItinerary]:
        while True:
            for is_own, later in product(self.share.rounds, range(_DAYS_USED)):
                for itinerary in self.search(criteria, later).itineraries:
                    flights = sorted(flights_of(itinerary.offer))
                    if _fits(itinerary, criteria) and is_own == self.share.contains(flights):
                        yield itinerary

    # Get Offer

    def offer_request(self, criteria: OfferCriteria, itinerary: FoundItinerary) -> RequestDraft:
        """Build the Get Offer request for an offer of a search."""
        outbound = sections_of(itinerary.offer, "outboundSegment")
        draft = self._offer_draft(criteria, outbound, None)
        reason = "an offer of the search has no usable sections"
        with prerequisite(reason, rule="V4-SECTION-FIELDS", exchange=itinerary.exchange):
            expect(
                draft,
                "the sections of an offer must be as documented",
                expected="documented sections",
                actual="other sections",
                pointer="/offers",
                exchange=itinerary.exchange,
            )
        if criteria.round_trip:
            # OPEN-02: the structure of an inbound segment is not described.
            inbound = sections_of(itinerary.offer, "inboundSegment")
            draft = self._offer_draft(criteria, outbound, inbound) if inbound else None
            draft = draft or self._offer_draft(criteria, outbound, self.way_back(criteria, itinerary.back))
        if not draft:
            raise Untested(f"a search on [{self.route_key(criteria.route)}] finds no flights for the way back")
        return draft

    def _offer_draft(
        self, criteria: OfferCriteria, outbound: list[Any], inbound: list[Any] | None
    ) -> RequestDraft | None:
        """Build a Get Offer request from sections of a response, None if they give no documented request."""
        try:
            draft = bodies.get_offer(outbound, inbound, criteria.party, self._customer_code)
        except (LookupError, TypeError):
            return None
        return draft if self.is_documented(draft) else None

    def is_documented(self, draft: RequestDraft) -> bool:
        """Return whether the body of a request is as documented."""
        operation = self.operation(draft)
        return bool(operation and operation.request and operation.request.is_valid(draft.body))

    def way_back(self, criteria: OfferCriteria, day: str | None = None) -> list[Any]:
        """Search the way back of a round trip by itself, and return the sections of an offer, none if none is found.

        ``day`` is that of the profile unless given.
        """
        trip = self.trip(criteria)
        back = date.fromisoformat(day) if day else trip.back
        assert back is not None
        draft = bodies.search_offers(
            SearchedTrip(trip.destination, trip.origin, back), criteria.party, self._customer_code
        )
        found = SearchResult(draft, self.send(draft)).itineraries
        gone = self._gone[criteria]
        chosen = min(found, key=lambda each: sum(gone[flight] for flight in flown_by(each.offer)), default=None)
        return sections_of(chosen.offer, "outboundSegment") if chosen else []

    def store(self, criteria: OfferCriteria) -> StoredOffer:
        """Store an offer of an itinerary that was not used before, as far as there are any.

        An itinerary may be sold out since the search, or not be sold to the party (OPEN-56): a few are tried, and then
        all flights of a search. Raises Untested if all of them are sold out but others were not.
        """
        most = ATTEMPTS_TO_STORE * (2 if criteria.round_trip else 1)
        few = (self._unsold_itinerary(criteria) for _ in range(most))
        for attempt, found in enumerate(chain(few, self._untried(criteria)), 1):
            draft = self.offer_request(criteria, found)
            response = self.send(draft)
            stored = StoredOffer(draft, response, criteria, found.offer, self.clock.generation)
            if response.succeeded or (attempt >= most and response.status not in GONE):
                break
            self._gone[criteria].update(flown_by(draft.body))
        if not response.succeeded:
            rule = self._blamed_for(criteria, response)
            self.require_success(response, "the service did not store any offer of the search", rule)
        with prerequisite("a stored offer has no id", rule="V4-OFFER-FIELDS", exchange=stored.response.exchange):
            UUID(stored.id)
        with prerequisite(
            "a stored offer has no fare", rule="V4-OFFER-CHEAPEST-FARE", exchange=stored.response.exchange
        ):
            UUID(stored.fare_id)
        self._sold.add(criteria)
        return stored

    def _blamed_for(self, criteria: OfferCriteria, response: ParsedResponse) -> str:
        """Return the rule that the service violates by storing no offer of this kind; Untested if it is the route."""
        plain = OfferCriteria(criteria.route)
        if response.status in GONE:
            key = self.route_key(criteria.route)
            if criteria in self._sold:
                raise self.sold_out(criteria.route)
            is_sold_out = criteria == plain and self.works_elsewhere(criteria.route, self._is_sold_on)
            expect_situation(not is_sold_out, key, SOLD_OUT)
        if criteria != plain:
            self.stored(plain)
        return _special(criteria, "OFFER") or "V4-OFFER-FIELDS"

    def _is_sold_on(self, route: str) -> bool:
        """Return whether Get Offer sells one of the first offers that a search finds on a route."""
        criteria = OfferCriteria(route)
        drafts = (self.offer_request(criteria, self.itinerary(criteria)) for _ in range(ATTEMPTS_TO_STORE))
        return any(self.send(draft).succeeded for draft in drafts)

    def search_anew(self) -> None:
        """Forget what searches have found, and the offers of these."""
        super().search_anew()
        self._itineraries.clear()

    def _unsold_itinerary(self, criteria: OfferCriteria) -> FoundItinerary:
        """Return the next offer, preferably one without flights that may be sold out."""
        following = (self.itinerary(criteria) for _ in range(_MOST_SKIPPED))
        return next(
            (each for each in following if flown_by(each.offer).isdisjoint(self._gone[criteria])), None
        ) or self.itinerary(criteria)

    def _untried(self, criteria: OfferCriteria) -> Iterator[FoundItinerary]:
        """Yield the offers of a search with a flight that Get Offer has not rejected for such a party."""
        for each in self.search_with_offers(criteria).itineraries:
            if _fits(each, criteria) and not flown_by(each.offer) <= self._gone[criteria].keys():
                yield each

    def stored(self, criteria: OfferCriteria) -> StoredOffer:
        """Return a live offer that scenarios share because they only read it."""
        key = ("offer", criteria)
        stored = self.once(key, lambda: self.store(criteria))
        if not self._live(stored):
            self.forget(stored)
            stored = self.once(key, lambda: self.store(criteria))
        return stored

    def _live(self, stored: StoredOffer) -> bool:
        age = (self.clock.now() - stored.response.exchange.started).total_seconds()
        return stored.generation == self.clock.generation and age < self.profile.lifetimes.offer_seconds * _SHARED_LIFE


def seats_of(offer: Mapping[str, Any]) -> int | None:
    """Return the seats that all sections of an offer's outbound segment have; None where the service does not say."""
    sections = sections_of(offer, "outboundSegment")
    shown = [each.get("availableSeats") if isinstance(each, Mapping) else None for each in sections]
    known = [each for each in shown if isinstance(each, int)]
    return min(known) if known and known == shown else None


def sections_of(trip: Any, way: str) -> list[Any]:
    """Return the sections of the outbound or inbound segment of a trip, as far as there are any."""
    segment = trip.get(way) if isinstance(trip, Mapping) else None
    sections = segment.get("sections") if isinstance(segment, Mapping) else None
    return sections if isinstance(sections, list) else []


def flights_of(trip: Any, names: tuple[str, ...] = _FLIGHT) -> set[Flight]:
    """Return the flights of an offer of a search or of a Get Offer request."""
    sections = [*sections_of(trip, "outboundSegment"), *sections_of(trip, "inboundSegment")]
    return {tuple(str(each.get(name)) for name in names) for each in sections if isinstance(each, Mapping)}


def flown_by(trip: Any) -> set[Flight]:
    """Return the flights of a trip, whatever carrier sells them."""
    return flights_of(trip, _FLOWN)


def _fits(itinerary: FoundItinerary, criteria: OfferCriteria) -> bool:
    """Return whether an offer is of the kind that a scenario needs."""
    return criteria.route != "connecting" or len(sections_of(itinerary.offer, "outboundSegment")) > 1


def _special(criteria: OfferCriteria, request: str) -> str:
    """Return the rule of what makes a request other than a plain one, or "" where there is none."""
    if criteria.round_trip:
        return f"V4-{request}-TRIP-TYPE"
    if criteria.route == "city":
        return f"V4-{request}-LOCATION"
    if criteria.party.infants:
        return f"V4-{request}-INFANTS"
    return f"V4-{request}-CHILDREN" if criteria.party.children else ""
