"""A client of v2 and v3 that searches flights and round-trip fares, page by page."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from airworthy.contract.conversation.v3.journeys import journey
from airworthy.suite.outcomes import Untested
from airworthy.target.profile import TokenCredentials
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.service_client import ServiceClient
from conformance.v3 import request_bodies as bodies
from conformance.v3.request_bodies import BagKind, Interface
from conformance.v4.request_bodies import PassengerCounts

Flight = Mapping[str, Any]

_WINDOWS_SEARCHED = 6
_WINDOW = 3
_PAGES_READ = 100
# So many flights of the way back are looked at.
_FLIGHTS_BACK = 150
# Situations that need a capability which a service may lack.
_CAPABILITIES = ("connecting", "round_trip_fares")
_BAG_KINDS: tuple[BagKind, ...] = ("checked", "cabin")
_KINDS = {
    "connecting": "connecting flights",
    "no_infants": "flights without infant tickets",
    "no_bags": "flights without bags",
}


@dataclass(frozen=True, slots=True)
class FlightCriteria:
    """The flights that a scenario needs: interface, situation, and whether they include the return flight."""

    interface: Interface
    situation: str = "regular"
    back: bool = False

    @property
    def route(self) -> str:
        """The profile's name for the route."""
        return f"flights_{self.situation}"


class FlightSearchResult(NamedTuple):
    """A search for flights or round-trip fares, and its response."""

    draft: RequestDraft
    response: ParsedResponse

    @property
    def flights(self) -> list[Any]:
        """The flights in the response."""
        return self.response.array("results")

    @property
    def fares(self) -> list[Any]:
        """The round-trip fares in the response."""
        return self.response.array("fares")


@dataclass(eq=False, repr=False)
class FlightClient:
    """Searches flights with one organisation's token."""

    service: ServiceClient
    _flights: dict[tuple[FlightCriteria, PassengerCounts, BagKind | None], Iterator[Flight]] = field(
        default_factory=dict, init=False
    )

    # Credentials

    def credentials(self, interface: Interface) -> TokenCredentials:
        """Return the organisation's credentials. Raises NotApplicable if the profile has none for the interface."""
        return self.service.token(interface)

    def customer_code(self, interface: Interface) -> str:
        """Return the organisation's customer code."""
        return self.credentials(interface).customer_code.reveal()

    @property
    def today(self) -> date:
        """The day by the target's clock."""
        return self.service.clock.now().date()

    # Search

    def search_draft(self, criteria: FlightCriteria, window: int = 0) -> RequestDraft:
        """Build the search of a situation, some windows later. Raises Untested if the profile names no route."""
        # Without the interface, it does not matter that the profile names no route.
        self.credentials(criteria.interface)
        if criteria.situation in _CAPABILITIES:
            self.service.needs(criteria.situation)
        route = self.service.profile.route(criteria.route)
        if route is None:
            raise Untested(f"the profile names no route for this situation: [routes.{criteria.route}]")
        ends = (route.destination, route.origin) if criteria.back else (route.origin, route.destination)
        first = route.return_date(self.today) if criteria.back else route.departure_date(self.today)
        start = first + timedelta(days=window * (_WINDOW + 1))
        return bodies.search_flights(criteria.interface, *ends, start, _WINDOW)

    def search(self, criteria: FlightCriteria, window: int = 0) -> FlightSearchResult:
        """Search once for each kind and window; the service must accept the search."""

        def make() -> FlightSearchResult:
            draft = self.search_draft(criteria, window)
            response = self.service.send(draft)
            # Later days may be too far in the future, as in v4 (OPEN-55), or have no data (v3, Errors, 404).
            if window and response.rejected:
                return FlightSearchResult(draft, response)
            return self.found(draft, response)

        return self.service.once(("flights", criteria, window), make)

    def found(self, draft: RequestDraft, response: ParsedResponse | None = None) -> FlightSearchResult:
        """Return a documented search, which is sent unless a ``response`` is given; the service must accept it."""
        reason, rule = "the service did not accept a documented flight search", "V23-FLIGHTS-ANSWER"
        if draft.operation == "searchRoundTrips":
            reason, rule = (
                "the service did not accept a documented search for round-trip fares",
                "V3-ROUND-TRIPS-ANSWER",
            )
        response = response or self.service.send(draft)
        return FlightSearchResult(draft, self.service.require_success(response, reason, rule))

    def search_with_flights(self, criteria: FlightCriteria) -> FlightSearchResult:
        """Search window after window until flights of this kind are found. Raises Untested if none are.

        Return the first page with such flights, as those before it may even be empty (OPEN-80), beside the search
        without its cursor, which belongs to no other search.
        """
        for window in range(_WINDOWS_SEARCHED):
            for found in self._pages_of(criteria, window):
                if any(_fits(flight, criteria) for flight in found.flights):
                    return found._replace(draft=found.draft.with_query(next_page_id=None))
        kind, key = _KINDS.get(criteria.situation, "flights"), self.service.route_key(criteria.route)
        raise Untested(f"a search on [{key}] finds no {kind} in {_WINDOWS_SEARCHED} windows")

    def flight(
        self, criteria: FlightCriteria, party: PassengerCounts | None = None, bag: BagKind | None = None
    ) -> Flight:
        """Return the next flight of the coming weeks, round and round, so that each use has another one.

        It has seats for the party, sells to its infants, and sells that kind of ``bag``. Raises Untested if there is
        none, NotApplicable if the profile says why.
        """
        party = party or PassengerCounts()
        self.service.needs(*(f"{kind}_bags" for kind in (bag,) if kind))
        self.service.needs(*(kind for kind in ("children", "infants") if getattr(party, kind)))
        self.search_with_flights(criteria)
        key = (criteria, party, bag)
        circle = self._flights.setdefault(key, self._circle(*key))
        try:
            return self._chosen(circle, criteria)
        except Exception:
            # A generator that has raised is exhausted: the next call must raise the same error.
            del self._flights[key]
            raise

    def _chosen(self, flights: Iterator[Flight], _criteria: FlightCriteria) -> Flight:
        return next(flights)

    def _circle(self, criteria: FlightCriteria, party: PassengerCounts, bag: BagKind | None) -> Iterator[Flight]:
        while True:
            found = 0
            for window in range(_WINDOWS_SEARCHED):
                for page in self._pages_of(criteria, window):
                    for flight in _spread(page.flights):
                        if _suits(flight, criteria, party, bag):
                            found += 1
                            yield flight
            if not found:
                kind = f"with {bag} bags" if bag else f"with seats{party.described}"
                raise Untested(f"a search on [{self.service.route_key(criteria.route)}] finds no flights {kind}")

    def _pages_of(self, criteria: FlightCriteria, window: int) -> Iterator[FlightSearchResult]:
        """Read a search page by page, each page once, and only as far as flights are needed."""
        page = self.search(criteria, window)
        cursors: set[str] = set()
        for number in range(1, _PAGES_READ):
            yield page
            cursor = str(page.response.member("next_page_id") or "")
            # A cursor that repeats leads to no other flights.
            if not cursor or cursor in cursors:
                return
            cursors.add(cursor)
            draft = page.draft.with_query(next_page_id=cursor)
            page = self.service.once(("flights", criteria, window, number), partial(self._page, draft))

    def _page(self, draft: RequestDraft) -> FlightSearchResult:
        return FlightSearchResult(draft, self.service.send(draft))

    def search_anew(self) -> None:
        """Forget what searches of all interfaces have found."""
        self.service.search_anew()
        self._flights.clear()

    def together(
        self, criteria: FlightCriteria, count: int, party: PassengerCounts | None = None, bag: BagKind | None = None
    ) -> list[Flight]:
        """Return flights that one party can take: the way out, the way back, and so on."""
        first = self.flight(criteria, party, bag)
        back = self._way_back(first, criteria, party, bag) if count > 1 else []
        return [first, *back, *(self.flight(criteria, party, bag) for _ in range(count - 1 - len(back)))]

    def _way_back(
        self, outward: Flight, criteria: FlightCriteria, party: PassengerCounts | None, bag: BagKind | None
    ) -> list[Flight]:
        """Return a flight of the way back, if there is any, and one after the way out, if there is one."""
        found: list[Flight] = []
        try:
            while len(found) < _FLIGHTS_BACK and not _is_after(found[-1:], outward):
                found.append(self.flight(replace(criteria, back=True), party, bag))
        except Untested:
            return []
        return found[-1:]

    def pages(self, draft: RequestDraft, response: ParsedResponse | None = None) -> list[ParsedResponse]:
        """Read the pages of a search, the first of which may be known, until the last or one that repeats."""
        pages = [response or self.service.send(draft)]
        while (cursor := pages[-1].member("next_page_id")) and len(pages) < _PAGES_READ and not _is_repeated(pages):
            pages.append(self.service.send(draft.with_query(next_page_id=str(cursor))))
        return pages

    def round_trip_draft(self, situation: str) -> RequestDraft:
        """Build a search for round-trip fares on the route of a situation."""
        flights = self.search_draft(FlightCriteria("v3", situation))
        return replace(flights, operation="searchRoundTrips", path="/v3/roundTrips")

    def round_trips(self, situation: str) -> FlightSearchResult:
        """Search for round-trip fares on the route of a situation; the service must accept the search.

        Return the first page with fares, or the first one if there are none: it may be empty (OPEN-80).
        """

        def make() -> FlightSearchResult:
            found = self.found(self.round_trip_draft(situation))
            pages = self.pages(*found) if not found.fares else [found.response]
            return found._replace(response=next((each for each in pages if each.array("fares")), found.response))

        return self.service.once(("round trips", situation), make)

    def flights_of_fares(self, found: FlightSearchResult) -> Iterator[list[Flight]]:
        """Yield the flights of each fare that one-way searches find. Raises Untested if there are only other fares."""
        missed, is_any = None, False
        for fare in found.fares:
            try:
                flights = self.flights_of(found, fare)
            except Untested as outcome:
                missed = outcome
                continue
            is_any = True
            yield flights
        if missed and not is_any:
            raise missed

    def flights_of(self, found: FlightSearchResult, fare: Mapping[str, Any]) -> list[Flight]:
        """Return the flights of a round-trip fare with their bags, which only one-way searches show."""
        return [self._flight_of(found, fare[name]) for name in ("outward_id", "return_id")]

    def _flight_of(self, found: FlightSearchResult, identifier: Any) -> Flight:
        query = found.draft.query
        start = date.fromisoformat(query["start"])
        known = (each for each in found.response.array("flights") if each.get("id") == identifier)
        shown: dict[str, Any] = next(known, {})
        day = str(shown.get("departure_date", ""))[:10]
        days = [date.fromisoformat(day)] if day else [start + timedelta(days=later) for later in (0, 4, 7, 8)]
        ways = ((query["origin"], query["destination"]), (query["destination"], query["origin"]))
        for (origin, destination), first in product(ways, days):
            draft = bodies.search_flights("v3", origin, destination, first)
            listed = self.service.once(("flights", origin, destination, first), partial(self._listed, draft))
            same = [each for each in listed if each.get("id") == identifier]
            # Each search may give a flight another id.
            alike = [each for each in listed if shown and journey(each) == journey(shown)]
            for flight in (*same, *alike):
                return {**flight, "id": identifier}
        raise Untested("no one-way search of the same days finds a flight of the fare (OPEN-95)")

    def _listed(self, draft: RequestDraft) -> list[Flight]:
        return [flight for page in self.pages(*self.found(draft)) for flight in page.array("results")]


def _is_repeated(pages: Sequence[ParsedResponse]) -> bool:
    """Return whether the last page equals an earlier one, cursor included: following the cursors then never ends.

    Duplicates and empty pages are open (OPEN-80), so only a page that is the same in every byte counts.
    """
    last = pages[-1]
    has_results = bool(last.array("results") or last.array("fares"))
    return has_results and any(last.content == earlier.content for earlier in pages[:-1])


def _is_after(later: Sequence[Flight], earlier: Flight) -> bool:
    """Return whether flights depart after the arrival of another one, by the times that a search shows."""
    return bool(later) and all(str(each.get("departure_date")) > str(earlier.get("arrival_date")) for each in later)


def _spread(flights: Sequence[Flight]) -> Iterator[Flight]:
    """Yield flights so that neighbours are apart, because those of a whole day may be sold out."""
    step = len(flights) // (_WINDOW + 1) or 1
    for first in range(step):
        yield from flights[first::step]


def _suits(flight: Any, criteria: FlightCriteria, party: PassengerCounts, bag: BagKind | None) -> bool:
    """Whether a flight, as the search shows it, can be requested for a party, with a kind of bag."""
    if not isinstance(flight, Mapping):
        return False
    seats = flight.get("available_seats")
    is_sold_out = isinstance(seats, int) and seats < party.adults + party.children
    if is_sold_out and criteria.situation != "sold_out_at_request":
        return False
    if party.infants and flight.get("infant_price") is None:
        return False
    return not bag or bool(bodies.options(flight, criteria.interface, bag))


def _fits(flight: Any, criteria: FlightCriteria) -> bool:
    """Return whether a flight shows the situation that a scenario needs."""
    if not isinstance(flight, Mapping):
        return True
    match criteria.situation:
        case "connecting":
            return len(flight.get("segments") or ()) > 1
        case "no_infants":
            return flight.get("infant_price") is None
        case "no_bags":
            return not any(bodies.options(flight, criteria.interface, kind) for kind in _BAG_KINDS)
        case _:
            return True
