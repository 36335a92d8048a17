"""Steps that send the parameters of a search for round-trip fares."""

from collections.abc import Mapping
from datetime import date, timedelta

from pytest_bdd import parsers

from airworthy.contract.bodies import wording
from airworthy.suite.outcomes import Untested
from conformance.parsed_response import ParsedResponse, expect_status
from conformance.scenario_context import ScenarioContext
from conformance.step_table import given, then, when
from conformance.v3.booking_client import BookingClient
from conformance.v3.flight_client import FlightCriteria, FlightSearchResult

_LONGEST = timedelta(days=3)


@given(parsers.re(r"a documented round-trip search(?P<with_fares> on a route with fares)?"))
def _a_documented_round_trip_search(
    booking_client: BookingClient, context: ScenarioContext, with_fares: str | None
) -> None:
    found = booking_client.round_trips("round_trip_fares" if with_fares else "regular")
    if with_fares and not found.fares:
        raise Untested("a search on [routes.flights_round_trip_fares] finds no special fares")
    context.flights, context.draft, context.response = FlightCriteria("v3"), found.draft, found.response


@when("the client sends it with a window of nine days there, then with one back", "V3-ROUND-TRIPS-WINDOW")
def _the_client_sends_long_windows(context: ScenarioContext) -> None:
    """Send one window that is too long at a time: to reject one is not to limit the other."""
    start = date.fromisoformat(context.request.query["start"])
    for end, return_end in ((9, 4), (3, 10)):
        days = {"end": end, "returnStart": 1, "returnEnd": return_end}
        dates = {name: (start + timedelta(days=later)).isoformat() for name, later in days.items()}
        context.drafts.append(context.request.with_query(**dates))


@then("no flight departs more than three days after the first day")
def _no_flight_departs_later(booking_client: BookingClient, context: ScenarioContext) -> None:
    for draft in context.drafts:
        response = booking_client.service.send(draft)
        text = "the service must not respond to a window that is too long with a 5xx status"
        expect_status(response, response.status < 500, text, "no 5xx")
        _expect_no_later_flight(booking_client.pages(FlightSearchResult(draft, response)), draft.query)


def _expect_no_later_flight(pages: list[ParsedResponse], query: Mapping[str, str]) -> None:
    latest = {
        name: (date.fromisoformat(query[first]) + _LONGEST).isoformat()
        for name, first in (("outward_id", "start"), ("return_id", "returnStart"))
    }
    flights = {flight.get("id"): flight for page in pages for flight in page.array("flights")}
    for page in pages:
        for fare, (name, last) in ((fare, each) for fare in page.array("fares") for each in latest.items()):
            departs = str(flights.get(fare.get(name), {}).get("departure_date", ""))[:10]
            page.expect(
                departs <= last,
                "a flight of a round-trip fare must depart at most three days after the first day of its window",
                expected=f"{last} at the latest",
                actual=wording.shown(departs),
                pointer="/fares",
            )
