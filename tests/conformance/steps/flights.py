"""Steps that search flights and round-trip fares in v2 and v3."""

from datetime import date, timedelta

from pytest_bdd import given, parsers, then, when

from airworthy.suite.outcomes import Untested, expect
from conformance import flight_bodies as bodies
from conformance.answer import Answer
from conformance.desk import Desk
from conformance.fixtures import Announce
from conformance.flight_bodies import INTERFACE, Interface
from conformance.flight_desk import Asked, FlightDesk, FoundFlights
from conformance.scene import Scene

_PAGE = 100
_SITUATIONS = {
    "for connecting flights": "connecting",
    "for flights without infants": "no_infants",
    "for flights without bags": "no_bags",
}
_SEARCH = rf"a flight search in {INTERFACE}(?: (?P<what>{'|'.join(_SITUATIONS)}))? that "


def _keep(scene: Scene, asked: Asked, found: FoundFlights) -> None:
    scene.asked, scene.draft, scene.answer = asked, found.draft, found.answer


@given(parsers.re(_SEARCH + "the service answers"))
def _a_flight_search(flight_desk: FlightDesk, scene: Scene, interface: Interface, what: str) -> None:
    asked = Asked(interface, _SITUATIONS.get(what or "", "regular"))
    _keep(scene, asked, flight_desk.search(asked))


@given(parsers.re(_SEARCH + "finds flights"))
def _a_flight_search_that_finds(flight_desk: FlightDesk, scene: Scene, interface: Interface, what: str) -> None:
    asked = Asked(interface, _SITUATIONS.get(what or "", "regular"))
    _keep(scene, asked, flight_desk.search_with_flights(asked))


@given(parsers.re(rf"a flight search in {INTERFACE} that finds more than 100 flights"))
def _a_flight_search_that_finds_many(flight_desk: FlightDesk, scene: Scene, interface: Interface) -> None:
    asked = Asked(interface, "many")
    found = flight_desk.search_with_flights(asked)
    if not found.answer.member("next_page_id") and len(found.flights) <= _PAGE:
        raise Untested("a search on [routes.flights_many] finds no more than 100 flights")
    _keep(scene, asked, found)


@given("a round-trip fare search that the service answers")
def _a_round_trip_search(flight_desk: FlightDesk, scene: Scene) -> None:
    _keep(scene, Asked("v3"), flight_desk.round_trips("regular"))


@given("a round-trip fare search that finds fares")
def _a_round_trip_search_that_finds_fares(flight_desk: FlightDesk, scene: Scene) -> None:
    found = flight_desk.round_trips("round_trip_fares")
    if not found.fares:
        raise Untested("a search on [routes.flights_round_trip_fares] finds no special fares")
    _keep(scene, Asked("v3", "round_trip_fares"), found)


@given("a round-trip fare search where there are no special fares")
def _a_round_trip_search_without_fares(flight_desk: FlightDesk, scene: Scene) -> None:
    _keep(scene, Asked("v3", "no_fares"), flight_desk.round_trips("no_fares"))


@when(parsers.re(r'it is sent with the parameter (?P<parameter>\w+) set to "(?P<value>[^"]*)"'))
def _it_is_sent_with_the_parameter(desk: Desk, scene: Scene, parameter: str, value: str) -> None:
    scene.draft = scene.request.asking(**{parameter: value})
    scene.answer = desk.send(scene.draft)


@when(parsers.re(r"it is sent for a window of (?P<days>\d+) days"))
def _it_is_sent_for_a_window(desk: Desk, scene: Scene, days: str) -> None:
    end = date.fromisoformat(scene.request.query["start"]) + timedelta(days=int(days))
    scene.draft = scene.request.asking(end=end.isoformat())
    scene.answer = desk.send(scene.draft)


@when("it is sent without a window")
def _it_is_sent_without_a_window(desk: Desk, scene: Scene) -> None:
    scene.draft = scene.request.asking(start=None, end=None)
    scene.answer = desk.send(scene.draft)


@when("it is sent with the customer code")
def _it_is_sent_with_the_customer_code(flight_desk: FlightDesk, scene: Scene) -> None:
    scene.draft = scene.request.asking(customerCode=flight_desk.customer_code(scene.flights.interface))
    scene.answer = flight_desk.desk.send(scene.draft)


@when("it is sent for a way back after seven days")
def _it_is_sent_for_a_way_back(desk: Desk, scene: Scene) -> None:
    start = date.fromisoformat(scene.request.query["start"]) + timedelta(days=7)
    scene.draft = scene.request.asking(returnStart=start.isoformat(), returnEnd=(start + timedelta(days=3)).isoformat())
    scene.answer = desk.send(scene.draft)


@when("all its pages are read")
def _all_its_pages_are_read(flight_desk: FlightDesk, scene: Scene) -> None:
    scene.pages = flight_desk.pages(FoundFlights(scene.request, scene.last))
    scene.answer = scene.pages[-1]


@when("its first flight is verified")
def _its_first_flight_is_verified(flight_desk: FlightDesk, scene: Scene, expects_request_finding: Announce) -> None:
    flight_desk.desk.needs("verify")
    expects_request_finding("V3-VERIFY-DEPRECATED")
    flights = scene.last.member("results")
    scene.draft = bodies.verify_flight(flights[0]["id"], flight_desk.customer_code("v3"))
    scene.answer = flight_desk.desk.send(scene.draft)


@then("every page holds at most 100 results")
def _every_page_holds_at_most_100(scene: Scene) -> None:
    for page in scene.pages:
        results = page.array("results") or page.array("fares")
        expect(
            page.succeeded and len(results) <= _PAGE,
            "a page holds at most 100 results",
            expected="at most 100",
            actual=f"status {page.status}, {len(results)} results",
            pointer="/results",
            exchange=page.exchange,
        )


@then("the pages come to an end")
def _the_pages_come_to_an_end(scene: Scene) -> None:
    goes_on = bool(scene.pages[-1].member("next_page_id"))
    if goes_on and not _shown_on(scene.pages[-1:]) <= _shown_on(scene.pages[:-1]):
        raise Untested(f"the search has not come to its end after {len(scene.pages)} pages, each with something new")
    expect(
        not goes_on,
        "the cursor leads to an end",
        expected="next_page_id null on the last page",
        actual=f"a further cursor after {len(scene.pages)} pages, which lead round and round",
        pointer="/next_page_id",
        exchange=scene.pages[-1].exchange,
    )


def _shown_on(pages: list[Answer]) -> set[str]:
    """What pages show: flights by their ids, fares by those of both their flights."""
    shown = (each for page in pages for each in page.array("results") or page.array("fares"))
    return {str([each.get(name) for name in ("id", "outward_id", "return_id")]) for each in shown}
