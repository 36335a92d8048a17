"""Steps that book requests in v2 and v3."""

from dataclasses import replace
from functools import partial
from typing import Any

from pytest_bdd import given, parsers, then, when

from airworthy.suite.outcomes import NotApplicable, expect, prerequisite
from airworthy.target.client import run_concurrently
from conformance import flight_bodies as bodies
from conformance.bodies import Party
from conformance.booking_desk import BookingDesk
from conformance.desk import Desk
from conformance.fixtures import Announce
from conformance.flight_bodies import INTERFACE, Interface
from conformance.flight_desk import Asked
from conformance.payments import WAY
from conformance.scene import Scene

# What could be booked

_WITH = r"(?: with (?P<extra>3D Secure results|a payment method|customer data))?"


@given(parsers.re(rf"a booking in {INTERFACE}{_WITH} that the service would accept"))
def _a_booking_that_would_be_accepted(flight_desk: BookingDesk, scene: Scene, interface: Interface, extra: str) -> None:
    asked = Asked(interface)
    by = "a payment method and three_d_secure 2.2.0" if extra == "3D Secure results" else "a payment method"
    flight_desk.booked(asked, by)
    requested = flight_desk.request(asked)
    scene.keep_requested(requested)
    scene.draft = flight_desk.booking(requested, by if extra == "a payment method" else flight_desk.usual(asked, by))
    if extra == "customer data":
        scene.draft = bodies.with_customer_data(scene.draft)


# Booking


@when(parsers.re(rf"(?:it is|they are) booked(?: by (?P<by>self_psp|{WAY})| together)?"))
def _it_is_booked(
    flight_desk: BookingDesk, second_desk_or_none: Desk | None, scene: Scene, expects_request_finding: Announce, by: str
) -> None:
    expects_request_finding(
        "V3-BOOKINGS-CANCELLED", "V23-REQUEST-LIFETIME", "V23-BOOKINGS-PAYMENT-FAILS", "V23-BOOKINGS-ONCE"
    )
    one = flight_desk
    if scene.second and second_desk_or_none:
        one = BookingDesk(second_desk_or_none, flight_desk.known_words)
    pending = scene.pending
    if by == "self_psp" and not scene.second and not one.credentials(pending.interface).self_psp:
        raise NotApplicable("the profile says that the organisation does not book on deposit")
    way = by or "a payment method"
    scene.draft = one.booking(pending, way if by else one.usual(scene.flights, way))
    scene.answer = one.desk.send(scene.draft)


@when(parsers.re(r"it is booked in (?P<other>v2|v3)"))
def _it_is_booked_in(flight_desk: BookingDesk, scene: Scene, other: Interface) -> None:
    requested = replace(scene.pending, asked=Asked(other))
    scene.draft = flight_desk.booking(requested, flight_desk.usual(requested.asked, "a payment method"))
    scene.answer = flight_desk.desk.send(scene.draft)


@when("its request is booked again")
def _its_request_is_booked_again(flight_desk: BookingDesk, scene: Scene, expects_request_finding: Announce) -> None:
    expects_request_finding("V23-BOOKINGS-ONCE")
    requested = scene.bookings.requested
    by = flight_desk.usual(scene.flights, "a payment method")
    scene.draft = flight_desk.booking(requested, by)
    scene.answer = flight_desk.desk.send(scene.draft)


@when("it is booked five times at once")
def _it_is_booked_five_times(flight_desk: BookingDesk, scene: Scene, expects_request_finding: Announce) -> None:
    expects_request_finding("V23-BOOKINGS-ONCE")
    by = flight_desk.usual(scene.flights, "a payment method")
    flight_desk.booked(scene.flights)
    drafts = [flight_desk.booking(scene.pending, by) for _ in range(5)]
    scene.together = tuple(run_concurrently([partial(flight_desk.desk.send, draft) for draft in drafts]))
    scene.answer = next((answer for answer in scene.together if answer.succeeded), scene.together[0])


@then("it is booked once at most")
def _it_is_booked_once_at_most(scene: Scene) -> None:
    succeeded = sum(answer.succeeded for answer in scene.together)
    expect(
        succeeded <= 1,
        "of simultaneous bookings of one request at most one may succeed",
        expected="1 success among five",
        actual=f"{succeeded} successes, statuses {sorted(answer.status for answer in scene.together)}",
        pointer="status",
        exchange=scene.last.exchange,
    )


@when(parsers.re(r"it is sent for (?P<number>three|four) requests"))
def _it_is_sent_for_requests(flight_desk: BookingDesk, scene: Scene, number: str) -> None:
    count = {"three": 3, "four": 4}[number]
    requested = [flight_desk.request(scene.flights) for _ in range(count)]
    ids = [each.requests[0]["id"] for each in requested]
    name = "request_ids" if scene.flights.interface == "v3" else "requests"
    draft = scene.request.setting(name, ids)
    if scene.flights.interface == "v2":
        luggage = {key: value for each in requested for key, value in bodies.luggage(each.requests).items()}
        draft = draft.setting("luggage", luggage)
    scene.draft = draft
    scene.answer = flight_desk.desk.send(draft)


@when("it is sent for an unknown request")
def _it_is_sent_for_an_unknown_request(desk: Desk, scene: Scene) -> None:
    unknown = bodies.UNKNOWN_ID
    if scene.flights.interface == "v3":
        scene.draft = scene.request.setting("request_ids", [unknown])
    else:
        options: list[Any] = next(iter(scene.request.body["luggage"].values()), [])
        scene.draft = scene.request.setting("requests", [unknown]).setting("luggage", {str(unknown): options})
    scene.answer = desk.send(scene.draft)


# Luggage of v2


def _with_luggage(flight_desk: BookingDesk, scene: Scene, change: Any) -> None:
    """Change the first luggage option of a booking whose flight has some."""
    asked = scene.flights
    requested = flight_desk.request(asked, bag="checked")
    draft = flight_desk.booking(requested, flight_desk.usual(asked, "a payment method"))
    luggage = {key: [dict(option) for option in options] for key, options in draft.body["luggage"].items()}
    options: list[Any] = next(iter(luggage.values()), [])
    with prerequisite(
        "a request has no luggage options", rule="V2-REQUESTS-ANSWER", exchange=requested.answer.exchange
    ):
        change(options)
    scene.draft = draft.setting("luggage", luggage)


@when("it is sent with luggage of another request")
def _it_is_sent_with_luggage_of_another_request(desk: Desk, scene: Scene) -> None:
    luggage = dict(scene.request.body["luggage"])
    options: list[Any] = next(iter(luggage.values()), [])
    scene.draft = scene.request.setting("luggage", luggage | {str(bodies.UNKNOWN_ID): options})
    scene.answer = desk.send(scene.draft)


@when(parsers.re(r"it is sent without (?P<field>weight|price|quantity) of a luggage option"))
def _it_is_sent_without_a_field_of_a_luggage_option(flight_desk: BookingDesk, scene: Scene, field: str) -> None:
    _with_luggage(flight_desk, scene, lambda options: options[0].pop(field))
    scene.answer = flight_desk.desk.send(scene.request)


@when("it is sent with 2 pieces of a luggage option")
def _it_is_sent_with_too_much_luggage(flight_desk: BookingDesk, scene: Scene) -> None:
    _with_luggage(flight_desk, scene, lambda options: options[0].update({"quantity": 2}))
    scene.answer = flight_desk.desk.send(scene.request)


# Any operation


@when(parsers.re(rf"a trip is searched, requested, booked and looked up in {INTERFACE}"))
def _a_tour(flight_desk: BookingDesk, scene: Scene, interface: Interface) -> None:
    scene.together = flight_desk.tour(interface)
    scene.answer = scene.together[-1]


@given(parsers.re(rf"a request of (?P<operation>\w+) in {INTERFACE} that the service answers"))
def _a_request_of_an_operation(flight_desk: BookingDesk, scene: Scene, operation: str, interface: Interface) -> None:
    asked = Asked(interface)
    scene.asked = asked
    match operation.removesuffix("V2"):
        case "searchFlights":
            found = flight_desk.search(asked)
            scene.draft, scene.answer = found.draft, found.answer
        case "searchRoundTrips":
            found = flight_desk.round_trips("regular")
            scene.draft, scene.answer = found.draft, found.answer
        case "createRequests":
            pattern = flight_desk.requested(asked)
            flights = [flight_desk.flight(asked)]
            scene.requested = replace(pattern, flights=flights)
            scene.draft = flight_desk.request_draft(interface, flights, Party())
        case "cancelRequest":
            scene.draft = bodies.cancel_request(flight_desk.request(asked).requests[0]["id"])
        case "createBookings":
            flight_desk.booked(asked)
            scene.draft = flight_desk.booking(flight_desk.request(asked), flight_desk.usual(asked, "a payment method"))
        case _:
            booked = flight_desk.booked(asked)
            scene.draft = bodies.get_bookings(interface, booked.reference)


@when("it is sent with the bare token")
def _it_is_sent_with_the_bare_token(flight_desk: BookingDesk, scene: Scene) -> None:
    token = flight_desk.credentials(scene.flights.interface).token.reveal()
    scene.answer = flight_desk.desk.send(scene.request, key=token)
