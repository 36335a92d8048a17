"""Steps that book requests in v2 and v3 and look the bookings up."""

import secrets
import unicodedata
from dataclasses import replace
from functools import partial
from typing import Any

from pytest_bdd import given, parsers, then, when

from airworthy.suite.outcomes import NotApplicable, Untested, expect, prerequisite
from airworthy.target.ageing import Ageing
from airworthy.target.client import together
from conformance import flight_bodies as bodies
from conformance.answer import Answer
from conformance.bodies import Party
from conformance.desk import Desk
from conformance.fixtures import Announce, Warn
from conformance.flight_bodies import Interface, Kind
from conformance.flight_desk import GONE, Asked, Booked, FlightDesk, Requested
from conformance.payments import WAY
from conformance.scene import Scene

_INTERFACE = "(?P<interface>v2|v3)"


def _keep(scene: Scene, requested: Requested) -> None:
    scene.asked = scene.asked or Asked(requested.interface)
    scene.requested, scene.answer = requested, requested.answer


def _keep_booked(scene: Scene, booked: Booked) -> None:
    _keep(scene, booked.requested)
    scene.booked, scene.draft, scene.answer = booked, booked.draft, booked.answer


# What is pending


@given("a pending request in v2")
def _a_pending_request_in_v2(flight_desk: FlightDesk, scene: Scene) -> None:
    _keep(scene, flight_desk.request(Asked("v2")))


@given("a request in v3 whose payment failed")
def _a_request_whose_payment_failed(flight_desk: FlightDesk, scene: Scene) -> None:
    requested = flight_desk.request(Asked("v3"))
    answer = flight_desk.desk.send(flight_desk.booking(requested, "a card that is declined"))
    with prerequisite("a declined card books", rule="V23-BOOKINGS-PAYMENT-FAILS", exchange=answer.exchange):
        assert answer.refused
    _keep(scene, requested)


@given(parsers.re(rf"two pending requests in {_INTERFACE}"))
def _two_pending_requests(flight_desk: FlightDesk, scene: Scene, interface: Interface) -> None:
    _keep(scene, flight_desk.request(Asked(interface), count=2))


@given(parsers.re(rf"a pending request in {_INTERFACE} for a flight (?P<what>that is sold out|whose price moves) .+"))
def _a_pending_request_of_a_situation(flight_desk: FlightDesk, scene: Scene, interface: Interface, what: str) -> None:
    situation = {"that is sold out": "sold_out_at_booking"}.get(what, "price_moves")
    flight_desk.booked(Asked(interface))
    _keep(scene, flight_desk.request(Asked(interface, situation)))


@given(parsers.re(rf"a pending request of the second organisation in {_INTERFACE}"))
def _a_pending_request_of_the_second(
    flight_desk: FlightDesk, second_desk: Desk, scene: Scene, interface: Interface
) -> None:
    # That an authorized organization can book on deposit is what binds the refusal to its cause.
    flight_desk.booked(Asked(interface), "self_psp") if flight_desk.credentials(interface).self_psp else None
    second = FlightDesk(second_desk, flight_desk.known_words)
    if second.credentials(interface).self_psp:
        raise NotApplicable("the profile says that the second organisation books on deposit, too")
    scene.second = True
    _keep(scene, second.request(Asked(interface)))


@given(parsers.re(rf"(?P<what>a request in {_INTERFACE} made (?:almost 3|more than 5) minutes ago)"))
def _an_aged_request(ageing: Ageing, scene: Scene, what: str, interface: Interface) -> None:
    requested = ageing.aged(what)
    assert isinstance(requested, Requested), interface
    _keep(scene, requested)


@given(parsers.re(rf"(?P<what>a booking in {_INTERFACE} made more than two hours ago)"))
def _an_aged_booking(ageing: Ageing, scene: Scene, what: str, interface: Interface) -> None:
    booked = ageing.aged(what)
    assert isinstance(booked, Booked), interface
    _keep_booked(scene, booked)


# What could be booked

_WITH = r"(?: with (?P<extra>3D Secure results|a payment method|customer data))?"


@given(parsers.re(rf"a booking in {_INTERFACE}{_WITH} that the service would accept"))
def _a_booking_that_would_be_accepted(flight_desk: FlightDesk, scene: Scene, interface: Interface, extra: str) -> None:
    asked = Asked(interface)
    by = "a payment method and three_d_secure 2.2.0" if extra == "3D Secure results" else "a payment method"
    flight_desk.booked(asked, by)
    requested = flight_desk.request(asked)
    _keep(scene, requested)
    scene.draft = flight_desk.booking(requested, by if extra == "a payment method" else flight_desk.usual(asked, by))
    if extra == "customer data":
        scene.draft = bodies.with_customer_data(scene.draft)


# What is booked


_OF = r"(?: of (?:(?P<family>a family)|(?P<two>two requests))| with a (?P<bag>checked|cabin) bag)?"


@given(parsers.re(rf"a booking in {_INTERFACE}{_OF}"))
def _a_booking(  # noqa: PLR0917  a step takes what its sentence names
    flight_desk: FlightDesk, scene: Scene, interface: Interface, family: str, two: str, bag: Kind | None
) -> None:
    party = flight_desk.family if family else Party()
    _keep_booked(scene, flight_desk.booked(Asked(interface), count=2 if two else 1, party=party, bag=bag))


@given(parsers.re(rf"a booking of a charter flight in {_INTERFACE}"))
def _a_booking_of_a_charter_flight(flight_desk: FlightDesk, scene: Scene, interface: Interface) -> None:
    _keep_booked(scene, flight_desk.booked(Asked(interface, "charter")))


@given(parsers.re(rf"a booking in {_INTERFACE} whose schedule has changed"))
def _a_booking_that_has_changed(flight_desk: FlightDesk, scene: Scene, interface: Interface) -> None:
    _keep_booked(scene, flight_desk.booked(Asked(interface, "schedule_change")))


# Booking


@when(parsers.re(rf"(?:it is|they are) booked(?: by (?P<by>self_psp|{WAY})| together)?"))
def _it_is_booked(
    flight_desk: FlightDesk, second_desk_or_none: Desk | None, scene: Scene, expects_request_finding: Announce, by: str
) -> None:
    expects_request_finding(
        "V3-BOOKINGS-CANCELLED", "V23-REQUEST-LIFETIME", "V23-BOOKINGS-PAYMENT-FAILS", "V23-BOOKINGS-ONCE"
    )
    one = flight_desk
    if scene.second and second_desk_or_none:
        one = FlightDesk(second_desk_or_none, flight_desk.known_words)
    pending = scene.pending
    if by == "self_psp" and not scene.second and not one.credentials(pending.interface).self_psp:
        raise NotApplicable("the profile says that the organisation does not book on deposit")
    way = by or "a payment method"
    scene.draft = one.booking(pending, way if by else one.usual(scene.flights, way))
    scene.answer = one.desk.send(scene.draft)


@when(parsers.re(r"it is booked in (?P<other>v2|v3)"))
def _it_is_booked_in(flight_desk: FlightDesk, scene: Scene, other: Interface) -> None:
    requested = replace(scene.pending, asked=Asked(other))
    scene.draft = flight_desk.booking(requested, flight_desk.usual(requested.asked, "a payment method"))
    scene.answer = flight_desk.desk.send(scene.draft)


@when("its request is booked again")
def _its_request_is_booked_again(flight_desk: FlightDesk, scene: Scene, expects_request_finding: Announce) -> None:
    expects_request_finding("V23-BOOKINGS-ONCE")
    requested = scene.bookings.requested
    by = flight_desk.usual(scene.flights, "a payment method")
    scene.draft = flight_desk.booking(requested, by)
    scene.answer = flight_desk.desk.send(scene.draft)


@when("it is booked five times at once")
def _it_is_booked_five_times(flight_desk: FlightDesk, scene: Scene, expects_request_finding: Announce) -> None:
    expects_request_finding("V23-BOOKINGS-ONCE")
    by = flight_desk.usual(scene.flights, "a payment method")
    flight_desk.booked(scene.flights)
    drafts = [flight_desk.booking(scene.pending, by) for _ in range(5)]
    scene.together = tuple(together([partial(flight_desk.desk.send, draft) for draft in drafts]))
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
def _it_is_sent_for_requests(flight_desk: FlightDesk, scene: Scene, number: str) -> None:
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


def _with_luggage(flight_desk: FlightDesk, scene: Scene, change: Any) -> None:
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
def _it_is_sent_without_a_field_of_a_luggage_option(flight_desk: FlightDesk, scene: Scene, field: str) -> None:
    _with_luggage(flight_desk, scene, lambda options: options[0].pop(field))
    scene.answer = flight_desk.desk.send(scene.request)


@when("it is sent with 2 pieces of a luggage option")
def _it_is_sent_with_too_much_luggage(flight_desk: FlightDesk, scene: Scene) -> None:
    _with_luggage(flight_desk, scene, lambda options: options[0].update({"quantity": 2}))
    scene.answer = flight_desk.desk.send(scene.request)


# Looking up


@when("it is looked up")
def _it_is_looked_up(desk: Desk, scene: Scene) -> None:
    booked = scene.bookings
    scene.answer = desk.send(bodies.get_bookings(booked.requested.interface, booked.reference))


@when("both ways are booked and looked up")
def _both_ways_are_booked_and_looked_up(flight_desk: FlightDesk, scene: Scene) -> None:
    pending = scene.pending
    with prerequisite("a fare is not held", rule="V3-REQUESTS-FARE-TYPE", exchange=pending.answer.exchange):
        assert pending.answer.succeeded
    draft = flight_desk.booking(pending, flight_desk.usual(pending.asked, "a payment method"))
    answer = flight_desk.desk.send(draft)
    # What was held may be gone even so, or its price has moved.
    if answer.status in GONE:
        raise Untested("the round-trip fare that was held is gone when it is booked")
    with prerequisite("a fare is not booked", rule="V23-BOOKINGS-BOOK", exchange=answer.exchange):
        assert answer.succeeded
    scene.booked = Booked(pending, draft, answer)
    scene.answer = flight_desk.desk.send(bodies.get_bookings("v3", scene.bookings.reference))


@when(parsers.re(r"it is looked up in (?P<other>v2|v3)"))
def _it_is_looked_up_in(desk: Desk, scene: Scene, other: Interface) -> None:
    scene.answer = desk.send(bodies.get_bookings(other, scene.bookings.reference))


@when("it is looked up without a reference")
def _it_is_looked_up_without_a_reference(desk: Desk, scene: Scene) -> None:
    draft = bodies.get_bookings(scene.bookings.requested.interface, "")
    scene.draft = draft.asking(cp_reference=None)
    scene.answer = desk.send(scene.draft)


@when("an unknown reference is looked up")
def _an_unknown_reference_is_looked_up(desk: Desk, scene: Scene) -> None:
    unknown = f"ZZ{secrets.token_hex(4).upper()}"
    scene.answer = desk.send(bodies.get_bookings(scene.bookings.requested.interface, unknown))


@when(parsers.re(rf"a trip is searched, requested, booked and looked up in {_INTERFACE}"))
def _a_tour(flight_desk: FlightDesk, scene: Scene, interface: Interface) -> None:
    scene.together = flight_desk.tour(interface)
    scene.answer = scene.together[-1]


# What came


def _bookings(answer: Answer) -> list[Any]:
    bookings = answer.member("bookings")
    return bookings if isinstance(bookings, list) else []


@then("it is booked")
@then("they are booked")
def _it_was_booked(scene: Scene) -> None:
    answer, wanted = scene.last, len(scene.pending.requests)
    bookings = _bookings(answer)
    expect(
        answer.succeeded and len(bookings) == wanted and all(booking.get("cp_reference") for booking in bookings),
        "a paid request becomes a booking with a reference",
        expected=f"status 200 with {wanted} booking(s)",
        actual=f"status {answer.status} with {len(bookings)} booking(s)",
        pointer="/bookings" if answer.succeeded else "status",
        exchange=answer.exchange,
    )


@then("its booking is found")
def _its_booking_is_found(scene: Scene) -> None:
    made = {booking["id"] for booking in scene.bookings.bookings}
    found = {booking.get("id") for booking in _bookings(scene.last)}
    expect(
        scene.last.succeeded and made <= found,
        "a booking is found by its reference",
        expected="the bookings that were made",
        actual=f"status {scene.last.status} with {len(found)} booking(s)",
        pointer="/bookings",
        exchange=scene.last.exchange,
    )


@then("the way out is outward and the way back is return")
def _the_ways_have_their_types(scene: Scene) -> None:
    out, back = (flight["id"] for flight in scene.pending.flights)
    types = {booking.get("flight_id"): booking.get("type") for booking in _bookings(scene.last)}
    expect(
        types.get(out) in ("outward", None) and types.get(back) in ("return", None),
        "the bookings of a round trip say which way they are",
        expected="outward, return",
        actual=f"{types.get(out)}, {types.get(back)}",
        pointer="/bookings",
        exchange=scene.last.exchange,
    )


@then("it is the booking that was made")
def _it_is_the_booking_that_was_made(scene: Scene) -> None:
    made = {booking["id"]: booking for booking in scene.bookings.bookings}
    for booking in _bookings(scene.last):
        before = made.get(booking.get("id"), {})
        for name in (*_FIGURES, *_TEXTS):
            # How booker data are normalised is open (OPEN-38), and so is what may be null (OPEN-48).
            then, now = _comparable(before.get(name)), _comparable(booking.get(name))
            expect(
                then == now or None in (then, now),
                f"a booking has to be found with the {name} that it was made with",
                expected="the value that the booking was answered with",
                actual="another value",
                pointer="/bookings",
                exchange=scene.last.exchange,
            )


_FIGURES = ("price", "total_price", "passenger_count", "infant_count")
_TEXTS = ("first_name", "last_name", "email")


def _comparable(value: Any) -> Any:
    """A figure to the cent; a text by its plain letters and digits."""
    if isinstance(value, str):
        letters = unicodedata.normalize("NFKD", value).casefold()
        return "".join(each for each in letters if each.isascii() and each.isalnum())
    return round(value, 2) if isinstance(value, int | float) else None


@then("its passengers are counted")
def _its_passengers_are_counted(scene: Scene) -> None:
    party = scene.pending.party
    seated = party.adults + party.children
    for booking in _bookings(scene.last):
        # Whether infants are among the passengers is open (OPEN-82).
        counted = booking.get("passenger_count") in (seated, seated + party.infants)
        expect(
            counted and booking.get("infant_count") == party.infants,
            "a booking counts the passengers that it was made for",
            expected=f"{seated} passengers, or {seated + party.infants} with infants, and {party.infants} infants",
            actual=f"{booking.get('passenger_count')} passengers and {booking.get('infant_count')} infants",
            pointer="/bookings/0/passenger_count",
            exchange=scene.last.exchange,
        )


@then(parsers.re(r"it has its (?P<kind>checked|cabin) bag"))
def _it_has_its_bag(scene: Scene, kind: str) -> None:
    is_v2 = scene.pending.interface == "v2"
    for booking in _bookings(scene.last):
        listed = booking.get("luggage") if is_v2 else (booking.get("bags") or {}).get(kind)
        with prerequisite("the bags of a booking cannot be read", rule=_BAGS_OF[is_v2], exchange=scene.last.exchange):
            quantities = [option["quantity"] for option in listed or ()]
        expect(
            sum(quantities) == 1,
            "a booking lists its bags as they were booked",
            expected="one bag",
            actual=f"{sum(quantities)} bags",
            pointer="/bookings/0/luggage" if is_v2 else f"/bookings/0/bags/{kind}",
            exchange=scene.last.exchange,
        )


_BAGS_OF = {True: "V2-BOOKING-LUGGAGE", False: "V23-BOOKING-FIELDS"}


@then("no booking is delivered")
def _no_booking_is_delivered(scene: Scene) -> None:
    expect(
        scene.last.status < 500 and not (scene.last.succeeded and _bookings(scene.last)),
        "a reference that does not exist delivers no booking",
        expected="no booking",
        actual=f"status {scene.last.status} with {len(_bookings(scene.last))} booking(s)",
        pointer="/bookings",
        exchange=scene.last.exchange,
    )


@then("it should be confirmed with a record locator")
def _it_should_be_confirmed(scene: Scene, warn: Warn) -> None:
    for booking in _bookings(scene.last):
        if booking.get("status") == "AWAITING_PNR_AIRLINE" or not booking.get("pnr_airline"):
            warn(f"after two hours the booking is {booking.get('status')}", scene.last.exchange)


@then("it should be confirmed at once")
def _it_should_be_confirmed_at_once(scene: Scene, warn: Warn) -> None:
    for booking in scene.bookings.bookings:
        if booking.get("status") != "CONFIRMED":
            warn(f"the charter flight's booking is {booking.get('status')}", scene.bookings.answer.exchange)


@given(parsers.re(rf"a request of (?P<operation>\w+) in {_INTERFACE} that the service answers"))
def _a_request_of_an_operation(flight_desk: FlightDesk, scene: Scene, operation: str, interface: Interface) -> None:
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
def _it_is_sent_with_the_bare_token(flight_desk: FlightDesk, scene: Scene) -> None:
    token = flight_desk.credentials(scene.flights.interface).token.reveal()
    scene.answer = flight_desk.desk.send(scene.request, key=token)
