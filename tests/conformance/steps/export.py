"""Steps about the content export: its files are read once, and each rule takes its own findings from what was found."""

from pytest_bdd import given, parsers, then, when

from airworthy.suite.capture import Capture
from airworthy.suite.outcomes import NotApplicable
from conformance import flight_bodies as bodies
from conformance.exports import ContentExport, Offered, Sought
from conformance.fixtures import Warn
from conformance.flight_bodies import INTERFACE, Interface
from conformance.flight_desk import FlightDesk, FoundFlights
from conformance.scene import Scene

_LOOKED_FOR = 4


@given("the content export")
def _the_content_export(scene: Scene, content_export: ContentExport) -> None:
    scene.export = content_export


@given("the content export, with a customer that has specific distribution rules")
def _the_content_export_of_customers(scene: Scene, content_export: ContentExport) -> None:
    if not content_export.expected.customers:
        raise NotApplicable("the profile names no customer with specific distribution rules: [export] customers")
    scene.export = content_export


@then("the export keeps this rule")
def _the_export_keeps_this_rule(scene: Scene, scenario_capture: Capture, warn: Warn) -> None:
    for rule in scenario_capture.rules:
        for each in scene.dropped.keeps(rule):
            warn(each)


# The live search


@when(parsers.re(rf"some of its (?P<kind>routes|flights) are searched in {INTERFACE}"))
def _some_are_searched(scene: Scene, flight_desk: FlightDesk, kind: str, interface: Interface) -> None:
    flight_desk.credentials(interface)
    sample = scene.dropped.sample(kind, interface, flight_desk.today, _LOOKED_FOR)
    scene.sought = [_searched(flight_desk, interface, each) for each in sample]


def _searched(flight_desk: FlightDesk, interface: Interface, offered: Offered) -> Sought:
    """Search the day of a row, all pages of it."""
    draft = bodies.search_flights(interface, offered.origin, offered.destination, offered.day, 0)
    answer = flight_desk.desk.send(draft)
    pages = flight_desk.pages(FoundFlights(draft, answer)) if answer.succeeded else [answer]
    return Sought(offered, pages)


@then("each search finds flights")
def _each_search_finds_flights(scene: Scene, warn: Warn) -> None:
    for each in scene.sought:
        if not each.flights:
            warn(f"the export offers {each.offered}: {_missed(each)}", each.pages[0].exchange)


@then("each search finds the flight")
def _each_search_finds_the_flight(scene: Scene, warn: Warn) -> None:
    for each in scene.sought:
        if each.same is None:
            warn(f"the export offers {each.offered}: {_missed(each)}", each.pages[0].exchange)


def _missed(sought: Sought) -> str:
    if not sought.pages[0].succeeded:
        return f"the search answers with status {sought.pages[0].status}"
    return f"the search finds {len(sought.flights)} flights, not this one" if sought.flights else "the search is empty"
