"""Steps about what is booked in v2 and v3: it is looked up, and it is as it was made."""

import secrets
import unicodedata
from collections.abc import Iterable
from typing import Any

from pytest_bdd import given, parsers, then, when

from airworthy.contract.transaction import member
from airworthy.suite.outcomes import Untested, expect, prerequisite
from airworthy.target.ageing import Ageing
from conformance import flight_bodies as bodies
from conformance.bodies import Party
from conformance.booking_desk import GONE, Booked, BookingDesk
from conformance.desk import Desk
from conformance.fixtures import Warn
from conformance.flight_bodies import INTERFACE, Interface, Kind
from conformance.flight_desk import Asked
from conformance.scene import Scene

# What is booked

_OF = r"(?: of (?:(?P<family>a family)|(?P<two>two requests))| with a (?P<bag>checked|cabin) bag)?"


@given(parsers.re(rf"a booking in {INTERFACE}{_OF}"))
def _a_booking(  # noqa: PLR0917  a step takes what its sentence names
    flight_desk: BookingDesk, scene: Scene, interface: Interface, family: str, two: str, bag: Kind | None
) -> None:
    party = flight_desk.family if family else Party()
    scene.keep_booked(flight_desk.booked(Asked(interface), count=2 if two else 1, party=party, bag=bag))


@given(parsers.re(rf"a booking of a charter flight in {INTERFACE}"))
def _a_booking_of_a_charter_flight(flight_desk: BookingDesk, scene: Scene, interface: Interface) -> None:
    scene.keep_booked(flight_desk.booked(Asked(interface, "charter")))


@given(parsers.re(rf"a booking in {INTERFACE} whose schedule has changed"))
def _a_booking_that_has_changed(flight_desk: BookingDesk, scene: Scene, interface: Interface) -> None:
    scene.keep_booked(flight_desk.booked(Asked(interface, "schedule_change")))


@given(parsers.re(rf"(?P<what>a booking in {INTERFACE} made more than two hours ago)"))
def _an_aged_booking(ageing: Ageing, scene: Scene, what: str, interface: Interface) -> None:
    booked = ageing.aged(what)
    assert isinstance(booked, Booked), interface
    scene.keep_booked(booked)


# Looking up


@when("it is looked up")
def _it_is_looked_up(desk: Desk, scene: Scene) -> None:
    booked = scene.bookings
    scene.answer = desk.send(bodies.get_bookings(booked.requested.interface, booked.reference))


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


@when("both ways are booked and looked up")
def _both_ways_are_booked_and_looked_up(flight_desk: BookingDesk, scene: Scene) -> None:
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


# What came


@then("it is booked")
@then("they are booked")
def _it_was_booked(scene: Scene) -> None:
    answer, wanted = scene.last, len(scene.pending.requests)
    bookings = answer.array("bookings")
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
    found = {booking.get("id") for booking in scene.last.array("bookings")}
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
    types = {booking.get("flight_id"): booking.get("type") for booking in scene.last.array("bookings")}
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
    _as_made(scene, (*_FIGURES, *_TEXTS, *_FLIGHT))


@then("its original flight is the one that was booked")
def _its_original_flight_is_the_one_that_was_booked(scene: Scene) -> None:
    _as_made(scene, _FLIGHT)


def _as_made(scene: Scene, names: Iterable[str]) -> None:
    made = {booking["id"]: booking for booking in scene.bookings.bookings}
    for booking in scene.last.array("bookings"):
        before = made.get(booking.get("id"), {})
        for name in names:
            # How booker data are normalised is open (OPEN-38), and so is what may be null (OPEN-48).
            then, now = (_comparable(member(each, *name.split("."))) for each in (before, booking))
            expect(
                then == now or None in (then, now),
                f"a booking has to be found with the {name} that it was made with",
                expected="the value that the booking was answered with",
                actual="another value",
                pointer="/bookings",
                exchange=scene.last.exchange,
            )


NAMES = ("first_name", "last_name")
_FIGURES = (
    *("price", "infant_price", "total_price", "passenger_count", "infant_count"),
    *("bags_fee.checked", "bags_fee.cabin", "luggage_fee"),
)
# The original flight, whatever has become of it since.
_FLIGHT = ("flight.origin.iata_code", "flight.destination.iata_code", "flight.departure_date", "flight.arrival_date")
_TEXTS = ("first_name", "last_name", "email")


def _comparable(value: Any) -> Any:
    """A figure to the cent; a text by its plain letters and digits."""
    if isinstance(value, str):
        letters = unicodedata.normalize("NFKD", value).casefold()
        return "".join(each for each in letters if each.isascii() and each.isalnum())
    return round(value, 2) if isinstance(value, int | float) else None


@then("its passengers are those who were named")
def _its_passengers_are_those_who_were_named(scene: Scene) -> None:
    bookings = scene.bookings
    named = (bookings.draft if bookings.requested.interface == "v2" else bookings.requested.draft).body["passengers"]
    for booking in scene.last.array("bookings"):
        records = [each for each in booking.get("passengers") or () if isinstance(each, dict)]
        if not all(isinstance(record.get(name), str) for record in records for name in NAMES):
            # What is no name at all the contract says of it.
            continue
        expect(
            all(any(_is_named(record, passenger) for record in records) for passenger in named),
            "a booking has a record of each passenger by name",
            expected="the names that were sent, in whatever letters",
            actual="other names",
            pointer="/bookings/0/passengers",
            exchange=scene.last.exchange,
        )


def _is_named(record: dict[str, Any], passenger: dict[str, Any]) -> bool:
    """Whether a record is of a passenger; titles, middle names, letter case and accents do not count."""
    return all(_comparable(passenger[name]) in _comparable(record[name]) for name in NAMES)


@then("its passengers are counted")
def _its_passengers_are_counted(scene: Scene) -> None:
    party = scene.pending.party
    seated = party.adults + party.children
    for booking in scene.last.array("bookings"):
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
def _it_has_its_bag(scene: Scene, warn: Warn, kind: str) -> None:
    is_v2 = scene.pending.interface == "v2"
    held = {str(request["id"]): member(request, "bags_fee", kind) for request in scene.pending.requests}
    for booking in scene.last.array("bookings"):
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
        # A request holds the prices of its bags; which difference is acceptable even so is not written.
        fees = held.get(str(booking.get("request_id"))), member(booking, "bags_fee", kind)
        if None not in fees and _comparable(fees[0]) != _comparable(fees[1]):
            warn(f"the {kind} bag of a booking costs otherwise than its request held", scene.last.exchange)


_BAGS_OF = {True: "V2-BOOKING-LUGGAGE", False: "V23-BOOKING-FIELDS"}


@then("no booking is delivered")
def _no_booking_is_delivered(scene: Scene) -> None:
    expect(
        scene.last.status < 500 and not (scene.last.succeeded and scene.last.array("bookings")),
        "a reference that does not exist delivers no booking",
        expected="no booking",
        actual=f"status {scene.last.status} with {len(scene.last.array('bookings'))} booking(s)",
        pointer="/bookings",
        exchange=scene.last.exchange,
    )


@then("it should be confirmed with a record locator")
def _it_should_be_confirmed(scene: Scene, warn: Warn) -> None:
    for booking in scene.last.array("bookings"):
        if booking.get("status") == "AWAITING_PNR_AIRLINE" or not booking.get("pnr_airline"):
            warn(f"after two hours the booking is {booking.get('status')}", scene.last.exchange)


@then("it should be confirmed at once")
def _it_should_be_confirmed_at_once(scene: Scene, warn: Warn) -> None:
    for booking in scene.bookings.bookings:
        if booking.get("status") != "CONFIRMED":
            warn(f"the charter flight's booking is {booking.get('status')}", scene.bookings.answer.exchange)
