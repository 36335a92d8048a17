"""Steps that request flights in v2 and v3, and cancel what was requested."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from itertools import product
from typing import Any

from pytest_bdd import given, parsers, then, when

from airworthy.suite.outcomes import NotApplicable, Untested, expect, prerequisite
from airworthy.target.ageing import Ageing
from conformance import flight_bodies as bodies
from conformance.answer import Answer
from conformance.bodies import Party
from conformance.booking_desk import GONE, BookingDesk, Requested
from conformance.desk import Desk
from conformance.draft import Draft
from conformance.fixtures import Announce
from conformance.flight_bodies import INTERFACE, Interface, Kind
from conformance.flight_desk import Asked, FoundFlights
from conformance.scene import Scene

_ATTEMPTS = 4

# Requesting

_ACCEPTED = (
    rf"a booking request in {INTERFACE}"
    r"(?: for (?P<many>two) flights| with a (?P<bag>checked|cabin) bag| for (?P<family>a family))?"
    r" that the service accepts"
)
_COUNTS = {"two": 2}


@given(parsers.re(_ACCEPTED))
def _a_booking_request_that_is_accepted(  # noqa: PLR0917  a step takes what its sentence names
    flight_desk: BookingDesk, scene: Scene, interface: Interface, many: str, bag: Kind | None, family: str
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


@given(parsers.re(rf"a booking request in {INTERFACE} for a flight that is sold out"))
def _a_booking_request_that_is_sold_out(flight_desk: BookingDesk, scene: Scene, interface: Interface) -> None:
    asked = Asked(interface, "sold_out_at_request")
    flight_desk.requested(Asked(interface))
    scene.asked, scene.draft = asked, flight_desk.request_draft(interface, [flight_desk.flight(asked)], Party())


@when("it is sent")
def _it_is_sent(desk: Desk, scene: Scene) -> None:
    scene.answer = desk.send(scene.request)


_NUMBERS = {"no": 0, "three": 3, "four": 4}


@when(parsers.re(r"it is sent for (?P<number>no|three|four) flights"))
def _it_is_sent_for_flights(
    flight_desk: BookingDesk, scene: Scene, expects_request_finding: Announce, number: str
) -> None:
    # Bags are listed by flight: where there is no flight there is no bag either.
    expects_request_finding("V3-BAGS-NOT-EMPTY")
    asked, party = scene.flights, scene.pending.party
    _request_what_is_there(
        flight_desk,
        scene,
        lambda: flight_desk.request_draft(asked.interface, flight_desk.together(asked, _NUMBERS[number]), party),
    )


def _request_what_is_there(flight_desk: BookingDesk, scene: Scene, make: Callable[[], Draft]) -> None:
    """Send a request of flights; where one is gone since the search (OPEN-37), others are tried."""
    for _ in range(_ATTEMPTS):
        scene.draft = make()
        scene.answer = flight_desk.desk.send(scene.draft)
        if scene.answer.status not in GONE:
            return


@when("it is sent without what is optional")
def _it_is_sent_without_what_is_optional(flight_desk: BookingDesk, scene: Scene) -> None:
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
def _it_is_sent_without_a_customer_code(flight_desk: BookingDesk, scene: Scene) -> None:
    asked, party = scene.flights, scene.pending.party

    def make() -> Draft:
        draft = flight_desk.request_draft(asked.interface, [flight_desk.flight(asked)], party)
        return draft.leaving_out("customer_code")

    _request_what_is_there(flight_desk, scene, make)


@when("it is sent for an unknown flight")
def _it_is_sent_for_an_unknown_flight(flight_desk: BookingDesk, scene: Scene) -> None:
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


def _with_options(flight_desk: BookingDesk, scene: Scene, kind: Kind, change: Any) -> None:
    """Send the request for a flight that has options of a kind, with these changed."""
    flight = flight_desk.flight(scene.flights, bag=kind)
    draft = flight_desk.request_draft("v3", [flight], scene.pending.party)
    bags = json.loads(json.dumps(draft.body["bags"]))
    change(bags[str(flight["id"])][kind])
    scene.draft = draft.setting("bags", bags)
    scene.answer = flight_desk.desk.send(scene.draft)


@when(parsers.re(r"it is sent without one (?P<kind>checked|cabin) option"))
def _it_is_sent_without_one_option(flight_desk: BookingDesk, scene: Scene, kind: Kind) -> None:
    _with_options(flight_desk, scene, kind, lambda options: options.pop())


@when(parsers.re(r"it is sent without (?P<field>\w+) of a (?P<kind>checked|cabin) option"))
def _it_is_sent_without_a_field_of_an_option(flight_desk: BookingDesk, scene: Scene, field: str, kind: Kind) -> None:
    _with_options(flight_desk, scene, kind, lambda options: options[0].pop(field))


@when(parsers.re(r"it is sent with (?P<field>\w+) of a (?P<kind>checked|cabin) option set to (?P<value>.+)"))
def _it_is_sent_with_a_field_of_an_option(
    flight_desk: BookingDesk, scene: Scene, field: str, kind: Kind, value: str
) -> None:
    _with_options(flight_desk, scene, kind, lambda options: options[0].update({field: json.loads(value)}))


@when(parsers.re(r"it is sent with 2 bags of a (?P<kind>checked|cabin) option"))
def _it_is_sent_with_too_many_bags(flight_desk: BookingDesk, scene: Scene, kind: Kind) -> None:
    _with_options(flight_desk, scene, kind, lambda options: options[0].update({"quantity": 2}))


@when(parsers.re(r"it is sent without its (?P<kind>checked|cabin) bags"))
def _it_is_sent_without_its_bags(desk: Desk, flight_desk: BookingDesk, scene: Scene, kind: Kind) -> None:
    flight = flight_desk.flight(scene.flights, bag=kind)
    scene.draft = flight_desk.request_draft("v3", [flight], scene.pending.party).leaving_out(
        f"bags.{flight['id']}.{kind}"
    )
    scene.answer = desk.send(scene.draft)


@when("its first fare is requested")
def _its_first_fare_is_requested(flight_desk: BookingDesk, scene: Scene) -> None:
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


def _flight_of(flight_desk: BookingDesk, found: FoundFlights, identifier: Any) -> Any:
    """Find a flight of a fare with its bags, which the one-way searches show (both ways are searched)."""
    query = found.draft.query
    start = date.fromisoformat(query["start"])
    known = (each for each in found.answer.array("flights") if each.get("id") == identifier)
    shown: dict[str, Any] = next(known, {})
    day = str(shown.get("departure_date", ""))[:10]
    days = [date.fromisoformat(day)] if day else [start + timedelta(days=later) for later in (0, 4, 7, 8)]
    ways = ((query["origin"], query["destination"]), (query["destination"], query["origin"]))
    for (origin, destination), first in product(ways, days):
        draft = bodies.search_flights("v3", origin, destination, first)
        for page in flight_desk.pages(FoundFlights(draft, flight_desk.desk.send(draft))):
            for flight in page.array("results"):
                if flight.get("id") == identifier:
                    return flight
    raise Untested("a flight of the fare is in no one-way search of the same days (OPEN-95)")


# What is pending


@given(parsers.re(rf"a pending request in {INTERFACE}"))
def _a_pending_request(flight_desk: BookingDesk, scene: Scene, interface: Interface) -> None:
    scene.keep_requested(flight_desk.request(Asked(interface)))


@given("a request in v3 whose payment failed")
def _a_request_whose_payment_failed(flight_desk: BookingDesk, scene: Scene) -> None:
    requested = flight_desk.request(Asked("v3"))
    answer = flight_desk.desk.send(flight_desk.booking(requested, "a card that is declined"))
    with prerequisite("a declined card books", rule="V23-BOOKINGS-PAYMENT-FAILS", exchange=answer.exchange):
        assert answer.refused
    scene.keep_requested(requested)


@given(parsers.re(rf"two pending requests in {INTERFACE}"))
def _two_pending_requests(flight_desk: BookingDesk, scene: Scene, interface: Interface) -> None:
    scene.keep_requested(flight_desk.request(Asked(interface), count=2))


@given(parsers.re(rf"a pending request in {INTERFACE} for a flight (?P<what>that is sold out|whose price moves) .+"))
def _a_pending_request_of_a_situation(flight_desk: BookingDesk, scene: Scene, interface: Interface, what: str) -> None:
    situation = {"that is sold out": "sold_out_at_booking"}.get(what, "price_moves")
    flight_desk.booked(Asked(interface))
    scene.keep_requested(flight_desk.request(Asked(interface, situation)))


@given(parsers.re(rf"a pending request of the second organisation in {INTERFACE}"))
def _a_pending_request_of_the_second(
    flight_desk: BookingDesk, second_desk: Desk, scene: Scene, interface: Interface
) -> None:
    # That an authorized organization can book on deposit is what binds the refusal to its cause.
    if flight_desk.credentials(interface).self_psp:
        flight_desk.booked(Asked(interface), "self_psp")
    second = BookingDesk(second_desk, flight_desk.known_words)
    if second.credentials(interface).self_psp:
        raise NotApplicable("the profile says that the second organisation books on deposit, too")
    scene.second = True
    scene.keep_requested(second.request(Asked(interface)))


@given(parsers.re(rf"(?P<what>a request in {INTERFACE} made (?:almost 3|more than 5) minutes ago)"))
def _an_aged_request(ageing: Ageing, scene: Scene, what: str, interface: Interface) -> None:
    requested = ageing.aged(what)
    assert isinstance(requested, Requested), interface
    scene.keep_requested(requested)


# Cancelling


@given("a cancelled request in v3")
def _a_cancelled_request(flight_desk: BookingDesk, scene: Scene) -> None:
    requested = flight_desk.request(Asked("v3"))
    scene.keep_requested(requested)
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
