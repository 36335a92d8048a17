"""Steps that search flights and round-trip fares in v2 and v3."""

from datetime import date, timedelta

from airworthy.suite.outcomes import Untested
from conformance.parsed_response import ParsedResponse
from conformance.scenario_context import ScenarioContext
from conformance.step_table import given, then, when
from conformance.v3 import request_bodies as bodies
from conformance.v3.flight_client import FlightCriteria, FlightSearchResult
from conformance.v3.request_bodies import INTERFACE, Interface

_PAGE = 100
_MOST_SEATS = 9
_SITUATIONS = {
    "for connecting flights": "connecting",
    "for flights without infants": "no_infants",
    "for flights without bags": "no_bags",
}
_DAYS_AHEAD = {"tomorrow": 1, "ten days from today": 10}
_IN = rf"in {INTERFACE}(?: (?P<what>{'|'.join(_SITUATIONS)}))?"


def _keep(context: ScenarioContext, criteria: FlightCriteria, found: FlightSearchResult) -> None:
    context.flights, context.draft, context.response = criteria, found.draft, found.response


@given(f"a flight search {_IN} that (?:the service accepts|(?P<finds>finds flights))")
@when(f"(?:the client searches flights|a flight search) {_IN}(?P<finds> finds flights)?")
def _a_flight_search(context: ScenarioContext, interface: Interface, what: str, finds: str | None) -> None:
    criteria = FlightCriteria(interface, _SITUATIONS.get(what or "", "regular"))
    _keep(context, criteria, (context.v3.search_with_flights if finds else context.v3.search)(criteria))


@given(rf"a flight search in {INTERFACE} that finds more than 100 flights")
def _a_search_that_finds_many(context: ScenarioContext, interface: Interface) -> None:
    criteria = FlightCriteria(interface, "many")
    found = context.v3.search_with_flights(criteria)
    if not found.response.member("next_page_id") and len(found.flights) <= _PAGE:
        raise Untested("a search on [routes.flights_many] finds no more than 100 flights")
    _keep(context, criteria, found)


@given("a documented round-trip search")
@when("the client searches round-trip fares")
def _a_round_trip_search(context: ScenarioContext) -> None:
    _keep(context, FlightCriteria("v3"), context.v3.round_trips("regular"))


@given("a round-trip fare search that finds fares")
@when("a round-trip fare search finds fares")
@when("the client searches round-trip fares on a route (?P<without>without special fares)")
def _a_round_trip_search_for_fares(context: ScenarioContext, without: str | None = None) -> None:
    situation, instead = ("no_fares", "special fares") if without else ("round_trip_fares", "no special fares")
    found = context.v3.round_trips(situation)
    if bool(found.fares) == bool(without):
        raise Untested(f"a search on [routes.flights_{situation}] finds {instead}")
    _keep(context, FlightCriteria("v3", situation), found)


@when(
    r'the client sends the request with the parameter (?P<parameter>\w+) set to "(?P<value>[^"]*)"',
    "V23-FLIGHTS-PARAMETERS",
)
def _send_with_parameter(context: ScenarioContext, parameter: str, value: str) -> None:
    context.send(context.request.with_query(**{parameter: value}))


@when("the client searches for more seats than the fullest flight has")
def _search_seats_of_most_flights(context: ScenarioContext) -> None:
    """Search for one seat more than the fullest flight of each way has, because a service may filter one way only.

    It may also filter the first page only, so that the flights of the last one count. More seats than one booking
    request can have are searched, too, but a service may reject them.
    """
    client, search = context.service, context.request
    pages = [_seats_of(page) for page in context.v3.pages(search, context.last_response)]
    # Where all flights have the same number, more seats would leave none.
    most = max(way[-1] for page in pages for way in page)
    seats = min(max(way[0] for way in pages[-1]) + 1, most)
    context.send(search.with_query(seats=str(min(seats, _MOST_SEATS))))
    if seats > _MOST_SEATS:
        more = search.with_query(seats=str(seats))
        response = client.send(more)
        if not response.rejected:
            context.draft, context.response = more, response


@when("the client searches for ten times the seats that any flight has")
def _search_more_seats(context: ScenarioContext) -> None:
    """Send every parameter that the interface has. If so many seats are rejected, search for one more than any has."""
    most, interface = _seats_of(context.last_response)[0][-1], context.flight_criteria.interface
    code = {"customerCode": context.v3.customer_code(interface)} if interface == "v3" else {}
    search = context.request.with_query(**code)
    if context.send(search.with_query(seats=str(10 * most + 1))).rejected:
        context.send(search.with_query(seats=str(most + 1)))


def _seats_of(response: ParsedResponse) -> list[list[int]]:
    """Return how many seats the flights of a search have, by way, the fewest first."""
    fares, flights = response.array("fares"), [*response.array("results"), *response.array("flights")]
    ways = [[fare.get(name) for fare in fares] for name in ("outward_id", "return_id")] if fares else [[]]
    shown = ([each.get("available_seats") for each in flights if not way or each.get("id") in way] for way in ways)
    return [sorted(seats for seats in each if isinstance(seats, int)) or [1] for each in shown]


@when(r"the client searches within a window of (?P<days>\d+) days(?P<all_pages>, to the last page)?")
def _search_window(context: ScenarioContext, days: str, all_pages: str | None) -> None:
    end = date.fromisoformat(context.request.query["start"]) + timedelta(days=int(days))
    search = context.request.with_query(end=end.isoformat())
    first = context.send(search)
    if all_pages:
        context.v3.pages(search, first)


@when(rf"the client searches (?:without a window|until (?P<until>{'|'.join(_DAYS_AHEAD)}))")
def _search_from_today(context: ScenarioContext, until: str | None) -> None:
    end = (context.v3.today + timedelta(days=_DAYS_AHEAD[until])).isoformat() if until else None
    context.send(context.request.with_query(start=None, end=end))


@when("the client sends the request with the customer code")
def _send_request_with_the_customer_code(context: ScenarioContext) -> None:
    code = context.v3.customer_code(context.flight_criteria.interface)
    context.send(context.request.with_query(customerCode=code))


@when("the client searches for a return flight seven days later")
def _search_return_flight(context: ScenarioContext) -> None:
    start = date.fromisoformat(context.request.query["start"]) + timedelta(days=7)
    days = {"returnStart": start.isoformat(), "returnEnd": (start + timedelta(days=3)).isoformat()}
    context.send(context.request.with_query(**days))


@when("the client retrieves all pages")
def _all_its_pages_are_read(context: ScenarioContext) -> None:
    # A cursor of an earlier scenario may have been used up, or too old (OPEN-80).
    request = context.request
    first = context.service.send(request)
    if first.rejected:
        # There may be no data so far ahead (v3, Errors, 404).
        request = request.with_query(returnStart=None, returnEnd=None)
        first = context.service.send(request)
    context.pages = context.v3.pages(request, first)
    context.response = context.pages[-1]


@when("the client verifies a flight", "V3-VERIFY-DEPRECATED")
def _verify_flight(context: ScenarioContext) -> None:
    """Verify the first flight that has seats."""
    context.service.needs("verify")
    flights = context.last_response.member("results")
    flight = next((each for each in flights if each.get("available_seats")), flights[0])
    context.send(bodies.verify_flight(flight["id"], context.v3.customer_code("v3")))


@then("every page contains at most 100 results")
def _every_page_holds_at_most_100(context: ScenarioContext) -> None:
    for page in context.pages:
        results = page.array("results") or page.array("fares")
        page.expect(
            page.succeeded and len(results) <= _PAGE,
            "a page must contain at most 100 results",
            expected="at most 100",
            actual=f"status {page.status}, {len(results)} results",
            pointer="/results",
        )


@then("the last page has no cursor")
def _the_pages_come_to_an_end(context: ScenarioContext) -> None:
    cursor = context.pages[-1].member("next_page_id")
    if cursor and not _shown_on(context.pages[-1:]) <= _shown_on(context.pages[:-1]):
        raise Untested(f"the search has not come to its end after {len(context.pages)} pages, each with something new")
    context.pages[-1].expect(
        not cursor,
        "the pages must come to an end",
        expected="next_page_id null on the last page",
        actual=f"a further cursor after {len(context.pages)} pages, which repeat earlier results",
        pointer="/next_page_id",
    )


def _shown_on(pages: list[ParsedResponse]) -> set[str]:
    """What pages show: flights by their ids, fares by those of both their flights."""
    shown = (each for page in pages for each in page.array("results") or page.array("fares"))
    return {str([each.get(name) for name in ("id", "outward_id", "return_id")]) for each in shown}
