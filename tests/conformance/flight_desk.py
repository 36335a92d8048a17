"""The desk for v2 and v3 as far as it searches: flights and round-trip fares, page by page."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import partial
from typing import Any

from airworthy.suite.outcomes import Untested
from airworthy.target.profile import TokenCredentials
from conformance import flight_bodies as bodies
from conformance.answer import Answer
from conformance.bodies import Party
from conformance.desk import Desk
from conformance.draft import Draft
from conformance.flight_bodies import Interface, Kind

Flight = Mapping[str, Any]

_WINDOWS_SEARCHED = 6
_WINDOW = 3
_PAGES_READ = 100
# Routes that are about something which a service may not have at all.
_CAPABILITIES = ("connecting", "round_trip_fares")


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

    @property
    def flights(self) -> list[Any]:
        """The flights of the answer."""
        return self.answer.array("results")

    @property
    def fares(self) -> list[Any]:
        """The round-trip fares of the answer."""
        return self.answer.array("fares")


@dataclass(eq=False, repr=False)
class FlightDesk:
    """One organisation's desk for v2 and v3 that searches flights."""

    desk: Desk
    _flights: dict[tuple[Asked, Party, Kind | None], Iterator[Flight]] = field(default_factory=dict, init=False)

    # Who asks

    def credentials(self, interface: Interface) -> TokenCredentials:
        """Return the organisation's credentials. Raises NotApplicable where the profile has none for the interface."""
        return self.desk.token(interface)

    def customer_code(self, interface: Interface) -> str:
        """Return the organisation's customer code."""
        return self.credentials(interface).customer_code.reveal()

    @property
    def today(self) -> date:
        """The day by the target's clock."""
        return self.desk.clock.now().date()

    # Search

    def search_draft(self, asked: Asked, window: int = 0) -> Draft:
        """Build the search of a situation, some windows later. Raises Untested where the profile names no route."""
        if asked.situation in _CAPABILITIES:
            self.desk.needs(asked.situation)
        route = self.desk.profile.route(asked.route)
        if route is None:
            raise Untested(f"the profile names no route for this situation: [routes.{asked.route}]")
        self.credentials(asked.interface)
        ends = (route.destination, route.origin) if asked.back else (route.origin, route.destination)
        first = route.return_date(self.today) if asked.back else route.departure_date(self.today)
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
        self.desk.needs(*(f"{kind}_bags" for kind in (bag,) if kind))
        self.desk.needs(*(kind for kind in ("children", "infants") if getattr(party, kind)))
        self.search_with_flights(asked)
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
