"""The flights that booking requests of v2 and v3 name, and whether others may have taken their seats."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from airworthy.contract.bodies.body import skim
from airworthy.contract.conversation.v3.journeys import Journey, journey
from airworthy.contract.http.exchange import Exchange
from airworthy.contract.http.transaction import member
from airworthy.suite.processes import Share
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.v3 import request_bodies as bodies
from conformance.v3.flight_client import Flight, FlightClient
from conformance.v3.request_bodies import Interface

_SUCCEEDED = range(200, 300)
# The status codes for a flight that is no longer available (OPEN-37) or known (OPEN-20).
GONE = (404, 409)


@dataclass(slots=True)
class RequestedFlights:
    """The flights of accepted booking requests, and those that a rejected one found no longer available.

    A flight is known by its journey, because each search and each interface may give it another id. Each process first
    requests the flights of its own ``share``.
    """

    share: Share = field(default_factory=Share)
    held: set[Hashable] = field(default_factory=set)
    rejected: set[Hashable] = field(default_factory=set)
    # The interfaces that have accepted a booking request.
    _accepting: set[str] = field(default_factory=set)
    _journeys: dict[tuple[str, Hashable], Journey] = field(default_factory=dict)

    def find(self, interface: Interface, flight: Flight) -> Hashable:
        """Return what identifies a flight of a search, and remember it for booking requests that name its id."""
        flown = journey(flight)
        if all(flown):
            self._journeys[interface, flight.get("id")] = flown
        return self._known(interface, flight.get("id"))

    def follow(self, exchange: Exchange) -> None:
        """Note the response to a booking request."""
        is_request = exchange.request.method == "POST" and exchange.request.url.endswith("/requests")
        status = exchange.response.status if is_request and exchange.response is not None else None
        if status in _SUCCEEDED:
            self._accepting.add(_interface(exchange.request.url))
            taken = self._named(exchange.request.url, skim(exchange.request.body))
            self.held |= taken
            self.share.take(taken)
        elif status in GONE:
            self.rejected |= self._named(exchange.request.url, skim(exchange.request.body))

    def may_explain(self, draft: RequestDraft, response: ParsedResponse) -> bool:
        """Return whether seats that the suite has taken may be the reason for which a booking request is rejected.

        Seats of this process are none for an interface that has never accepted a booking request.
        """
        if response.status not in GONE:
            return False
        flights = self._named(draft.path, draft.body)
        held = self.held if _interface(draft.path) in self._accepting else set()
        return any(flight in held or self.share.is_taken(flight) for flight in flights)

    def rank(self, flight: Hashable) -> int:
        """Return 0 for a flight that nobody requested before, and more the less likely it is available."""
        if flight in self.rejected:
            return 3
        return 2 if flight in self.held else int(not self.share.contains(flight))

    def _named(self, url: str, body: Any) -> set[Hashable]:
        """Return the flights that a booking request names."""
        interface = _interface(url)
        ids = (member(body, "flight_ids") or member(body, "flights")) if isinstance(body, Mapping) else None
        found = [each for each in ids if isinstance(each, int | str)] if isinstance(ids, list) else []
        return {self._known(interface, each) for each in found}

    def journeys(self, url: str, body: Any) -> list[Journey]:
        """Return the flights that a booking request names, as far as a search has shown them."""
        return [each for each in self._journeys.values() if each in self._named(url, body)]

    def _known(self, interface: str, identifier: Any) -> Hashable:
        return self._journeys.get((interface, identifier), (interface, identifier))


@dataclass(frozen=True, slots=True)
class FlightSeatSearch:
    """Searches the flights of a rejected booking request again: others may have taken their seats (OPEN-37)."""

    client: FlightClient
    requested: RequestedFlights

    def explain(self, operation: str, exchange: Exchange) -> None:
        """Raise SeatsGone if a new search no longer finds a flight of a rejected booking request."""
        if ParsedResponse(exchange).status not in GONE or not operation.startswith("createRequests"):
            return
        body = skim(exchange.request.body)
        for flown in self.requested.journeys(exchange.request.url, body):
            if self._lacks_seats("v2" if operation.endswith("V2") else "v3", flown, seats_needed(body)):
                raise self.client.service.sold_out(self._route(flown))

    def _lacks_seats(self, interface: Interface, flown: Journey, needed: int) -> bool:
        origin, destination, departure, *_ = flown
        draft = bodies.search_flights(interface, origin, destination, date.fromisoformat(departure[:10]))
        pages = self.client.pages(draft)
        listed = [each for page in pages for each in page.array("results") if journey(each) == flown]
        seats = [each.get("available_seats") for each in listed]
        return pages[0].succeeded and all(isinstance(each, int) and each < needed for each in seats)

    def _route(self, flown: Journey) -> str:
        """Return the name of the route of a flight, in either direction."""
        routes = self.client.service.profile.routes
        names = [name for name, each in routes.items() if {each.origin, each.destination} == set(flown[:2])]
        return next((name for name in names if name.startswith("flights_")), "flights_regular")


def _interface(url: str) -> str:
    """Return the interface that the URL or path of a booking request belongs to."""
    return url.removesuffix("/requests").rpartition("/")[2]


def seats_needed(body: Any) -> int:
    """Return the number of seats that a booking request needs, with those of infants in v3."""
    passengers = member(body, "passengers")
    if isinstance(passengers, Mapping):
        return sum(each for name in ("adults", "children") if isinstance(each := passengers.get(name), int))
    return len(passengers) if isinstance(passengers, list) else 1
