"""Steps that search flights and request them in v2 and v3."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from itertools import product
from typing import Any

from pytest_bdd import given, parsers, then, when

from airworthy.suite.outcomes import Untested, expect
from conformance import flight_bodies as bodies
from conformance.answer import Answer
from conformance.bodies import Party
from conformance.desk import Desk
from conformance.draft import Draft
from conformance.fixtures import Announce
from conformance.flight_bodies import Interface, Kind
from conformance.flight_desk import GONE, Asked, FlightDesk, FoundFlights, Requested
from conformance.scene import Scene

_PAGE = 100
_ATTEMPTS = 4
_SITUATIONS = {
    "for connecting flights": "connecting",
    "for flights without infants": "no_infants",
    "for flights without bags": "no_bags",
}
_SEARCH = rf"a flight search in (?P<interface>v2|v3)(?: (?P<what>{'|'.join(_SITUATIONS)}))? that "


def _keep(scene: Scene, asked: Asked, found: FoundFlights) -> None:
    scene.asked, scene.draft, scene.answer = asked, found.draft, found.answer


# Searching


@given(parsers.re(_SEARCH + "the service answers"))
def _a_flight_search(flight_desk: FlightDesk, scene: Scene, interface: Interface, what: str) -> None:
    asked = Asked(interface, _SITUATIONS.get(what or "", "regular"))
    _keep(scene, asked, flight_desk.search(asked))


@given(parsers.re(_SEARCH + "finds flights"))
def _a_flight_search_that_finds(flight_desk: FlightDesk, scene: Scene, interface: Interface, what: str) -> None:
    asked = Asked(interface, _SITUATIONS.get(what or "", "regular"))
    _keep(scene, asked, flight_desk.search_with_flights(asked))


@given(parsers.re(r"a flight search in (?P<interface>v2|v3) that finds more than 100 flights"))
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
    expects_request_finding("V3-VERIFY-DEPRECATED")
    flights = scene.last.member("results")
    scene.draft = bodies.verify_flight(flights[0]["id"], flight_desk.customer_code("v3"))
    scene.answer = flight_desk.desk.send(scene.draft)


@then("every page holds at most 100 results")
def _every_page_holds_at_most_100(scene: Scene) -> None:
    for page in scene.pages:
        results = page.member("results") or page.member("fares") or []
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
    shown = (each for page in pages for each in page.member("results") or page.member("fares") or [])
    return {str([each.get(name) for name in ("id", "outward_id", "return_id")]) for each in shown}


# Requesting

_ACCEPTED = (
    r"a booking request in (?P<interface>v2|v3)"
    r"(?: for (?P<many>two) flights| with a (?P<bag>checked|cabin) bag| for (?P<family>a family))?"
    r" that the service accepts"
)
_COUNTS = {"two": 2}


@given(parsers.re(_ACCEPTED))
def _a_booking_request_that_is_accepted(  # noqa: PLR0917  a step takes what its sentence names
    flight_desk: FlightDesk, scene: Scene, interface: Interface, many: str, bag: Kind | None, family: str
) -> None:
    asked = Asked(interface)
    party = flight_desk.family if family else Party()
    count = _COUNTS.get(many or "", 1)
    pattern = flight_desk.requested(asked, count, party, bag)
    scene.asked, scene.requested, scene.answer = asked, pattern, pattern.answer
    # The same for flights that were not requested before: what is changed in it is all that can be wrong with it.
    flights = [flight_desk.flight(asked, party, bag)] if bag else flight_desk.together(asked, count, party)
    scene.requested = replace(pattern, flights=flights)
    scene.draft = flight_desk.request_draft(interface, flights, party, {bag: 1} if bag else None)


@given(parsers.re(r"a booking request in (?P<interface>v2|v3) for a flight that is sold out"))
def _a_booking_request_that_is_sold_out(flight_desk: FlightDesk, scene: Scene, interface: Interface) -> None:
    asked = Asked(interface, "sold_out_at_request")
    flight_desk.requested(Asked(interface))
    scene.asked, scene.draft = asked, flight_desk.request_draft(interface, [flight_desk.flight(asked)], Party())


@when("it is sent")
def _it_is_sent(desk: Desk, scene: Scene) -> None:
    scene.answer = desk.send(scene.request)


_NUMBERS = {"no": 0, "three": 3, "four": 4}


@when(parsers.re(r"it is sent for (?P<number>no|three|four) flights"))
def _it_is_sent_for_flights(
    flight_desk: FlightDesk, scene: Scene, expects_request_finding: Announce, number: str
) -> None:
    # Bags are listed by flight: where there is no flight there is no bag either.
    expects_request_finding("V3-BAGS-NOT-EMPTY")
    asked, party = scene.flights, scene.pending.party
    _request_what_is_there(
        flight_desk,
        scene,
        lambda: flight_desk.request_draft(asked.interface, flight_desk.together(asked, _NUMBERS[number]), party),
    )


def _request_what_is_there(flight_desk: FlightDesk, scene: Scene, make: Callable[[], Draft]) -> None:
    """Send a request of flights; where one is gone since the search (OPEN-37), others are tried."""
    for _ in range(_ATTEMPTS):
        scene.draft = make()
        scene.answer = flight_desk.desk.send(scene.draft)
        if scene.answer.status not in GONE:
            return


@when("it is sent without what is optional")
def _it_is_sent_without_what_is_optional(flight_desk: FlightDesk, scene: Scene) -> None:
    if scene.request.operation.startswith("createBookings"):
        scene.draft = bodies.without_what_is_optional(scene.request)
        scene.answer = flight_desk.desk.send(scene.draft)
        return
    asked, party = scene.flights, scene.pending.party

    def make() -> Draft:
        flight = flight_desk.flight(asked)
        draft = flight_desk.request_draft(asked.interface, [flight], party)
        return bodies.without_what_is_optional(draft, passports=flight.get("need_apis") is not False)

    _request_what_is_there(flight_desk, scene, make)


@when("it is sent without a customer code")
def _it_is_sent_without_a_customer_code(flight_desk: FlightDesk, scene: Scene) -> None:
    asked, party = scene.flights, scene.pending.party

    def make() -> Draft:
        draft = flight_desk.request_draft(asked.interface, [flight_desk.flight(asked)], party)
        return draft.leaving_out("customer_code")

    _request_what_is_there(flight_desk, scene, make)


@when("it is sent for an unknown flight")
def _it_is_sent_for_an_unknown_flight(flight_desk: FlightDesk, scene: Scene) -> None:
    flight = {**scene.pending.flights[0], "id": bodies.UNKNOWN_ID}
    scene.draft = flight_desk.request_draft(scene.flights.interface, [flight], scene.pending.party)
    scene.answer = flight_desk.desk.send(scene.draft)


@when("it is sent without the bags of one flight")
def _it_is_sent_without_the_bags_of_one_flight(desk: Desk, scene: Scene) -> None:
    bags = dict(scene.request.body["bags"])
    bags.popitem()
    scene.draft = scene.request.setting("bags", bags)
    scene.answer = desk.send(scene.draft)


@when("it is sent with bags of another flight")
def _it_is_sent_with_bags_of_another_flight(desk: Desk, scene: Scene) -> None:
    bags = dict(scene.request.body["bags"])
    scene.draft = scene.request.setting("bags", bags | {str(bodies.UNKNOWN_ID): next(iter(bags.values()))})
    scene.answer = desk.send(scene.draft)


def _with_options(flight_desk: FlightDesk, scene: Scene, kind: Kind, change: Any) -> None:
    """Send the request for a flight that has options of a kind, with these changed."""
    flight = flight_desk.flight(scene.flights, bag=kind)
    draft = flight_desk.request_draft("v3", [flight], scene.pending.party)
    bags = json.loads(json.dumps(draft.body["bags"]))
    change(bags[str(flight["id"])][kind])
    scene.draft = draft.setting("bags", bags)
    scene.answer = flight_desk.desk.send(scene.draft)


@when(parsers.re(r"it is sent without one (?P<kind>checked|cabin) option"))
def _it_is_sent_without_one_option(flight_desk: FlightDesk, scene: Scene, kind: Kind) -> None:
    _with_options(flight_desk, scene, kind, lambda options: options.pop())


@when(parsers.re(r"it is sent without (?P<field>\w+) of a (?P<kind>checked|cabin) option"))
def _it_is_sent_without_a_field_of_an_option(flight_desk: FlightDesk, scene: Scene, field: str, kind: Kind) -> None:
    _with_options(flight_desk, scene, kind, lambda options: options[0].pop(field))


@when(parsers.re(r"it is sent with (?P<field>\w+) of a (?P<kind>checked|cabin) option set to (?P<value>.+)"))
def _it_is_sent_with_a_field_of_an_option(
    flight_desk: FlightDesk, scene: Scene, field: str, kind: Kind, value: str
) -> None:
    _with_options(flight_desk, scene, kind, lambda options: options[0].update({field: json.loads(value)}))


@when(parsers.re(r"it is sent with 2 bags of a (?P<kind>checked|cabin) option"))
def _it_is_sent_with_too_many_bags(flight_desk: FlightDesk, scene: Scene, kind: Kind) -> None:
    _with_options(flight_desk, scene, kind, lambda options: options[0].update({"quantity": 2}))


@when(parsers.re(r"it is sent without its (?P<kind>checked|cabin) bags"))
def _it_is_sent_without_its_bags(desk: Desk, flight_desk: FlightDesk, scene: Scene, kind: Kind) -> None:
    flight = flight_desk.flight(scene.flights, bag=kind)
    scene.draft = flight_desk.request_draft("v3", [flight], scene.pending.party).leaving_out(
        f"bags.{flight['id']}.{kind}"
    )
    scene.answer = desk.send(scene.draft)


@when("its first fare is requested")
def _its_first_fare_is_requested(flight_desk: FlightDesk, scene: Scene) -> None:
    found = FoundFlights(scene.request, scene.last)
    for fare in found.fares[:_ATTEMPTS]:
        flights = [_flight_of(flight_desk, found, fare[name]) for name in ("outward_id", "return_id")]
        draft = flight_desk.request_draft("v3", flights, Party())
        scene.draft = draft.setting("fare_type", "round_trip")
        scene.answer = flight_desk.desk.send(scene.draft)
        # Fares are as indicative as flights are (OPEN-37).
        if scene.answer.status not in GONE:
            asked = Asked("v3", "round_trip_fares")
            scene.requested = Requested(asked, scene.draft, scene.answer, flights, Party())
            return
    raise Untested("the fares on [routes.flights_round_trip_fares] are gone when they are requested")


def _flight_of(flight_desk: FlightDesk, found: FoundFlights, identifier: Any) -> Any:
    """Find a flight of a fare with its bags, which the one-way searches show (both ways are searched)."""
    query = found.draft.query
    start = date.fromisoformat(query["start"])
    known = (each for each in found.answer.member("flights") or () if each.get("id") == identifier)
    shown: dict[str, Any] = next(known, {})
    day = str(shown.get("departure_date", ""))[:10]
    days = [date.fromisoformat(day)] if day else [start + timedelta(days=later) for later in (0, 4, 7, 8)]
    ways = ((query["origin"], query["destination"]), (query["destination"], query["origin"]))
    for (origin, destination), first in product(ways, days):
        draft = bodies.search_flights("v3", origin, destination, first)
        for page in flight_desk.pages(FoundFlights(draft, flight_desk.desk.send(draft))):
            for flight in page.member("results") or []:
                if flight.get("id") == identifier:
                    return flight
    raise Untested("a flight of the fare is in no one-way search of the same days (OPEN-95)")


# Cancelling


@given("a pending request in v3")
def _a_pending_request(flight_desk: FlightDesk, scene: Scene) -> None:
    _have_requested(flight_desk, scene, Asked("v3"))


def _have_requested(flight_desk: FlightDesk, scene: Scene, asked: Asked, count: int = 1) -> Requested:
    requested = flight_desk.request(asked, count=count)
    scene.asked, scene.requested, scene.answer = asked, requested, requested.answer
    return requested


@given("a cancelled request in v3")
def _a_cancelled_request(flight_desk: FlightDesk, scene: Scene) -> None:
    requested = _have_requested(flight_desk, scene, Asked("v3"))
    draft = bodies.cancel_request(requested.requests[0]["id"])
    scene.answer = flight_desk.desk.needed(draft, "a pending request could not be cancelled", "V3-CANCEL")


def _cancel(desk: Desk, scene: Scene, identifier: Any) -> None:
    scene.draft = bodies.cancel_request(identifier)
    scene.answer = desk.send(scene.draft)


@when("it is cancelled")
def _it_is_cancelled(desk: Desk, scene: Scene) -> None:
    _cancel(desk, scene, scene.pending.requests[0]["id"])


@when("its request is cancelled")
def _its_request_is_cancelled(desk: Desk, scene: Scene) -> None:
    _cancel(desk, scene, scene.bookings.requested.requests[0]["id"])


@when("an unknown request is cancelled")
def _an_unknown_request_is_cancelled(desk: Desk, scene: Scene) -> None:
    _cancel(desk, scene, bodies.UNKNOWN_ID)


@then("the cancellation succeeds")
def _the_cancellation_succeeds(scene: Scene) -> None:
    _expect_cancelled(scene.last, cancelled=True)


@then("the cancellation does not succeed")
def _the_cancellation_does_not_succeed(scene: Scene) -> None:
    _expect_cancelled(scene.last, cancelled=False)


def _expect_cancelled(answer: Answer, *, cancelled: bool) -> None:
    expect(
        (answer.succeeded and answer.member("success") is True) == cancelled and answer.status < 500,
        "a pending request can be cancelled" if cancelled else "only a pending request can be cancelled",
        expected="success true" if cancelled else "no success",
        actual=f"status {answer.status}, success {answer.member('success')}",
        pointer="/success",
        exchange=answer.exchange,
    )
