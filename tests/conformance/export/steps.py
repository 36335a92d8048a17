"""Steps about the content export: its files are read once, and each rule takes its own findings from what was found."""

from pytest_bdd import parsers

from airworthy.suite.capture import Capture
from airworthy.suite.outcomes import NotApplicable
from conformance.export.content_export import ExportRow, ExportUnderTest, SearchedRow
from conformance.fixtures import RecordWarning
from conformance.scenario_context import ScenarioContext
from conformance.step_table import given, then, when
from conformance.v3 import request_bodies as bodies
from conformance.v3.flight_client import FlightClient, FlightSearchResult
from conformance.v3.request_bodies import INTERFACE, Interface

_LOOKED_FOR = 4


@given("the content export")
def _the_content_export(context: ScenarioContext, content_export: ExportUnderTest) -> None:
    context.export = content_export


@given("the content export, with a customer that has specific distribution rules")
def _the_content_export_of_customers(context: ScenarioContext, content_export: ExportUnderTest) -> None:
    if not content_export.expected.customers:
        raise NotApplicable("the profile names no customer with specific distribution rules: [export] customers")
    context.export = content_export


@then("the export keeps this rule")
def _the_export_keeps_this_rule(context: ScenarioContext, scenario_capture: Capture, warn: RecordWarning) -> None:
    for rule in scenario_capture.rules:
        for each in context.content_export.keeps(rule):
            warn(each)


# The live search


@when(parsers.re(rf"some of its (?P<kind>routes|flights) are searched in {INTERFACE}"))
def _some_are_searched(context: ScenarioContext, booking_client: FlightClient, kind: str, interface: Interface) -> None:
    booking_client.credentials(interface)
    sample = context.content_export.sample(kind, interface, booking_client.today, _LOOKED_FOR)
    context.searched_rows = [_searched(booking_client, interface, each) for each in sample]


def _searched(booking_client: FlightClient, interface: Interface, offered: ExportRow) -> SearchedRow:
    """Search the day of a row and the next, all pages of it: the end of a window may be exclusive (OPEN-78)."""
    draft = bodies.search_flights(interface, offered.origin, offered.destination, offered.day, 1)
    response = booking_client.service.send(draft)
    pages = booking_client.pages(FlightSearchResult(draft, response)) if response.succeeded else [response]
    return SearchedRow(offered, pages)


@then("each search finds flights")
def _each_search_finds_flights(context: ScenarioContext, warn: RecordWarning) -> None:
    for each in context.searched_rows:
        if not each.flights:
            warn(f"the export offers {each.offered}: {_missed(each)}", each.pages[0].exchange)


@then("each search finds the flight")
def _each_search_finds_the_flight(context: ScenarioContext, warn: RecordWarning) -> None:
    for each in context.searched_rows:
        if each.same is None:
            warn(f"the export offers {each.offered}: {_missed(each)}", each.pages[0].exchange)


def _missed(sought: SearchedRow) -> str:
    if not sought.pages[0].succeeded:
        return f"the search failed with status {sought.pages[0].status}"
    return f"the search finds {len(sought.flights)} flights, not this one" if sought.flights else "the search is empty"
