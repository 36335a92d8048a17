"""Steps that compare searches of v2 and v3 that must agree, and send the parameters of round trips."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from itertools import chain, product
from typing import Any

from airworthy.contract.bodies import wording
from airworthy.contract.conversation.v3.journeys import journey
from airworthy.contract.http.transaction import day, member, whole
from airworthy.suite.outcomes import NotApplicable, Untested, comparisons, expect_situation, prerequisite
from conformance.parsed_response import ParsedResponse, expect_status
from conformance.request_draft import RequestDraft
from conformance.scenario_context import ScenarioContext
from conformance.step_table import given, then, when
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import BookingClient
from conformance.v3.flight_client import FlightCriteria
from conformance.v3.request_bodies import INTERFACE, Interface

_WINDOWS = 6
_DAY = timedelta(days=1)
# A search is read this often before a difference counts: results come from a cache and change (OPEN-37).
_READINGS = 2
_MOST_SEATS = 9


# Windows


@given(rf"a flight search in {INTERFACE} over several days")
def _a_search_over_several_days(context: ScenarioContext, interface: Interface) -> None:
    criteria = FlightCriteria(interface)
    for window in range(_WINDOWS):
        found = context.v3.search(criteria, window)
        if len(_days(found.flights)) > 1 or len(_days(_listed(context.v3.pages(*found)))) > 1:
            context.flights, context.draft, context.response = criteria, found.draft, found.response
            return
    key = context.service.route_key(criteria.route)
    raise Untested(f"a search on [{key}] finds flights on one day only")


@when("the client leaves out the last day, then both days")
def _the_client_leaves_out_the_days(context: ScenarioContext) -> None:
    dated = context.request
    today = context.v3.today
    near = dated.with_query(start=today.isoformat(), end=(today + 3 * _DAY).isoformat())
    context.drafts = [dated, dated.with_query(end=None), near, dated.with_query(start=None, end=None)]


@then("the service finds flights on the days of the explicit window")
def _the_default_window_is_the_explicit_one(context: ScenarioContext) -> None:
    dated, without_end, near, without_dates = context.drafts
    read = partial(_read_days, context.v3)
    _expect_same_days(read, dated, without_end, "end must be start + 3 days by default")
    today = context.v3.today

    def is_certain(day: str) -> bool:
        """Return whether a day is in the window or not, whichever day is today where the service is (OPEN-78)."""
        return day == f"{today + _DAY}" or day < f"{today - 2 * _DAY}"

    _expect_same_days(read, near, without_dates, "start must be today by default", is_certain)


def _expect_same_days(
    read: Callable[[RequestDraft], tuple[set[str], ParsedResponse]],
    explicit: RequestDraft,
    default: RequestDraft,
    message: str,
    is_certain: Callable[[str], bool] = bool,
) -> None:
    """Fail if a search finds flights on other days than the explicit search, in two readings."""
    for _ in range(_READINGS):
        days, response = read(explicit)
        found, response = read(default)
        days, found = set(filter(is_certain, days)), set(filter(is_certain, found))
        comparisons.add(len(days))
        if days == found:
            return
    response.expect(
        False,
        message,
        expected=f"flights on {', '.join(sorted(days)) or 'no day'}, as with explicit dates",
        actual=f"flights on {', '.join(sorted(found)) or 'no day'}",
        pointer="",
    )


def _read_days(
    booking_client: BookingClient, draft: RequestDraft, way: str = "outward_id"
) -> tuple[set[str], ParsedResponse]:
    """Return the days on which a search finds flights, over all its pages; of fares, those of one ``way``.

    The flights of fares may be on any page (OPEN-95).
    """
    found = booking_client.found(draft)
    pages = booking_client.pages(*found)
    chosen = {str(fare.get(way)) for page in pages for fare in page.array("fares")}
    listed = (each for page in pages for each in page.array("flights") if str(each.get("id")) in chosen)
    return _days(listed if draft.operation == "searchRoundTrips" else _listed(pages)), found.response


def _listed(pages: Iterable[ParsedResponse]) -> Iterator[Any]:
    return (flight for page in pages for flight in page.array("results"))


def _days(flights: Iterable[Any]) -> set[str]:
    return {str(flight.get("departure_date"))[:10] for flight in flights if isinstance(flight, Mapping)}


# Pages


@when("the client searches the flights of two of its days")
def _the_client_searches_two_days(context: ScenarioContext) -> None:
    # Those at the end of the first page: what a page leaves out would follow there.
    at_the_end = _days(context.last_response.array("results")[-1:])
    first = next(filter(None, map(day, at_the_end)), date.fromisoformat(context.request.query["start"]) + _DAY)
    shorter = context.request.with_query(start=first.isoformat(), end=(first + _DAY).isoformat())
    context.drafts = [context.request, shorter]


@then("every flight of these days should be on one of the pages")
def _every_flight_is_on_a_page(context: ScenarioContext) -> None:
    longer, shorter = context.drafts
    missing: set[Any] = set()
    for _ in range(_READINGS):
        pages = context.v3.pages(longer)
        expect_situation(len(pages) > 1, "routes.flights_many", "fits on one page")
        part = context.v3.pages(*context.v3.found(shorter))
        latest = max(_days(_listed(pages)), default="")
        # The last day may not be in the longer window (OPEN-78).
        flights = _flown(each for each in _listed(part) if max(_days([each]), default="") <= latest)
        listed = _flown(_listed(pages))
        if not flights:
            raise Untested(
                "a search on [routes.flights_many] finds no flights on the days at the end of its first page"
            )
        comparisons.add(len(flights))
        missing = flights - listed
        if not missing:
            return
    text = f"{len(missing)} of {len(flights)} flights of a shorter search are on none of {len(pages)} pages"
    context.warn(text, pages[-1].exchange)


def _flown(flights: Iterable[Any]) -> set[Any]:
    """Return what identifies each flight to a passenger: another search may show it under another id."""
    return {journey(flight) for flight in flights}


# Round trips


@given("a round-trip search with dates for the return flight")
def _a_round_trip_search_with_return_dates(context: ScenarioContext) -> None:
    context.draft = context.v3.round_trip_draft("round_trip_fares")


@when("the client leaves out the dates of the return flight")
def _the_client_leaves_out_the_return_dates(context: ScenarioContext) -> None:
    """Send two windows of the outward flight: by one of them, another default may lead to the same days."""
    start = date.fromisoformat(context.request.query["start"])
    for length in (_DAY, 2 * _DAY):
        days = {"end": start + length, "returnStart": start + _DAY, "returnEnd": start + length + _DAY}
        explicit = context.request.with_query(**{name: each.isoformat() for name, each in days.items()})
        context.drafts += [explicit, explicit.with_query(returnStart=None, returnEnd=None)]


@then("the service finds return flights on the same days")
def _the_return_flights_are_on_the_same_days(context: ScenarioContext) -> None:
    read = partial(_read_days, context.v3, way="return_id")
    for explicit, default in zip(context.drafts[::2], context.drafts[1::2], strict=True):
        if not read(explicit)[0]:
            raise Untested("a search on [routes.flights_round_trip_fares] shows no return flights of its fares")
        text = "returnStart must be start + 1 day and returnEnd end + 1 day by default"
        _expect_same_days(read, explicit, default, text)


@when("the client leaves out the last day of the outward flight, then all its days")
def _the_client_leaves_out_the_outward_dates(context: ScenarioContext) -> None:
    """Send dates for the return flight even so: how its defaults follow from others is open (OPEN-79)."""
    drafts = []
    for first in (date.fromisoformat(context.request.query["start"]), context.v3.today):
        days = {"start": first, "end": first + 3 * _DAY, "returnStart": first + _DAY, "returnEnd": first + 4 * _DAY}
        drafts.append(context.request.with_query(**{name: day.isoformat() for name, day in days.items()}))
    dated, near = drafts
    context.drafts = [dated, dated.with_query(end=None), near, near.with_query(start=None, end=None)]


# What a search leaves out


@when("the client searches for as many seats as the flight with the most has")
def _search_for_the_most_seats(context: ScenarioContext) -> None:
    found = _results(context.v3.search(context.flight_criteria).response)
    seats = max((whole(each.get("available_seats")) or 0 for each in found), default=0)
    context.draft = context.request.with_query(seats=str(seats))
    if context.send(context.request).rejected and seats > _MOST_SEATS:
        raise NotApplicable(f"the service rejects a search for more than {_MOST_SEATS} seats")


@then("the service finds flights if there were any with as many seats")
def _flights_with_enough_seats_are_found(context: ScenarioContext) -> None:
    seats = int(context.request.query["seats"])
    situation = context.flight_criteria.situation
    is_trip = context.request.operation == "searchRoundTrips"
    search = context.v3.round_trips(situation) if is_trip else context.v3.search(context.flight_criteria)
    unlimited, limited = search.response, context.last_response
    for _ in range(_READINGS):
        enough = [each for each in _results(unlimited) if (whole(each.get("available_seats")) or 0) >= seats]
        comparisons.add(len(enough))
        if _finds(context.v3, context.request, limited) or not enough:
            return
        unlimited = context.service.send(context.request.with_query(seats=None))
        limited = context.service.send(context.request)
    limited.expect(
        False,
        "a search for several seats must find the flights that have them",
        expected=f"some of {len(enough)} results with at least {seats} seats",
        actual="no results",
        pointer="",
    )


@then("the search should find something, if it does so without the customer code")
def _customer_code_hides_nothing(context: ScenarioContext) -> None:
    found = context.last_response
    for _ in range(_READINGS):
        comparisons.add()
        without = context.service.send(context.request.with_query(customerCode=None))
        if _finds(context.v3, context.request, found) or not _results(without):
            return
        found = context.service.send(context.request)
    context.warn(
        "a search with the organisation's customer code finds nothing, but finds something without it", found.exchange
    )


def _finds(client: BookingClient, draft: RequestDraft, response: ParsedResponse) -> bool:
    """Return whether a search has results on any page: the first one may be empty (OPEN-80)."""
    pages = client.pages(draft, response) if not _results(response) else [response]
    return any(map(_results, pages))


def _results(response: ParsedResponse) -> list[Any]:
    return response.array("results") or response.array("fares")


@when("the client searches the flights of a fare one way")
def _the_client_searches_both_ways(context: ScenarioContext) -> None:
    found = context.last_response
    # Fares may be on another page than their flights (OPEN-95), and a cursor may be used once only (OPEN-80).
    pages = context.v3.pages(context.request)
    listed = {each.get("id"): each for page in pages for each in page.array("flights")}
    fares = chain.from_iterable(page.array("fares") for page in pages)
    of_fares = ([listed.get(fare.get(way)) for way in ("outward_id", "return_id")] for fare in fares)
    flights = next((each for each in of_fares if all(each)), None)
    if flights is None:
        raise Untested("the flights of no fare of the search are on any of its pages")
    with prerequisite("the flights of a fare have no days", rule="V3-ROUND-TRIPS-ANSWER", exchange=found.exchange):
        context.drafts = [_search_for(each) for each in flights]


def _search_for(flight: Any) -> RequestDraft:
    origin, destination = (member(flight, end, "iata_code") for end in ("origin", "destination"))
    return bodies.search_flights("v3", origin, destination, date.fromisoformat(flight["departure_date"][:10]))


@then("the service should find flights there and back")
def _one_way_flights_are_found(context: ScenarioContext) -> None:
    for draft in context.drafts:
        found = context.v3.found(draft).response
        comparisons.add()
        pages = context.v3.pages(draft, found)
        is_empty = not any(page.array("results") for page in pages)
        if is_empty and not context.service.send(draft).array("results"):
            context.warn("a one-way search finds no flights on the route and day of a round-trip fare", found.exchange)


# Parameters of a search for round-trip fares


_LONGEST = timedelta(days=3)


@when("the client sends it with a window of nine days there, then with one back", "V3-ROUND-TRIPS-WINDOW")
def _the_client_sends_long_windows(context: ScenarioContext) -> None:
    """Send one window that is too long at a time: to reject one is not to limit the other."""
    start = date.fromisoformat(context.request.query["start"])
    for end, return_end in ((9, 4), (3, 10)):
        days = {"end": end, "returnStart": 1, "returnEnd": return_end}
        dates = {name: (start + timedelta(days=later)).isoformat() for name, later in days.items()}
        context.drafts.append(context.request.with_query(**dates))


@then("no flight departs more than three days after the first day")
def _no_flight_departs_later(context: ScenarioContext) -> None:
    for draft in context.drafts:
        response = context.service.send(draft)
        text = "the service must not respond to a window that is too long with a 5xx status"
        expect_status(response, response.status < 500, text, "no 5xx")
        _expect_no_later_flight(context.v3.pages(draft, response), draft.query)


def _expect_no_later_flight(pages: list[ParsedResponse], query: Mapping[str, str]) -> None:
    latest = {
        name: (date.fromisoformat(query[first]) + _LONGEST).isoformat()
        for name, first in (("outward_id", "start"), ("return_id", "returnStart"))
    }
    flights = {flight.get("id"): flight for page in pages for flight in page.array("flights")}
    for page in pages:
        for fare, (name, last) in product(page.array("fares"), latest.items()):
            departs = str(flights.get(fare.get(name), {}).get("departure_date", ""))[:10]
            page.expect(
                departs <= last,
                "a flight of a round-trip fare must depart at most three days after the first day of its window",
                expected=f"{last} at the latest",
                actual=wording.shown(departs),
                pointer="/fares",
            )
