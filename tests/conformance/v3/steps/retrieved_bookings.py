"""Steps that retrieve bookings of v2 and v3 and compare them with their creation."""

import secrets
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from pytest_bdd import parsers

from airworthy.contract.transaction import member
from airworthy.suite.outcomes import Untested, expect, prerequisite
from airworthy.target.ageing import Ageing
from conformance.fixtures import RecordWarning
from conformance.scenario_context import ScenarioContext
from conformance.service_client import ServiceClient
from conformance.step_table import given, then, when
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import GONE, BookingClient, CreatedBookings
from conformance.v3.flight_client import FlightCriteria
from conformance.v3.request_bodies import INTERFACE, BagKind, Interface
from conformance.v4.request_bodies import PassengerCounts

# What is booked

_OF = r"(?: of (?:(?P<family>a family)|(?P<two>two requests))| with a (?P<bag>checked|cabin) bag)?"


@given(parsers.re(rf"a booking in {INTERFACE}{_OF}"))
def _a_booking(  # noqa: PLR0917  a step takes what its sentence names
    booking_client: BookingClient,
    context: ScenarioContext,
    interface: Interface,
    family: str,
    two: str,
    bag: BagKind | None,
) -> None:
    party = booking_client.family if family else PassengerCounts()
    context.keep_booked(booking_client.booked(FlightCriteria(interface), count=2 if two else 1, party=party, bag=bag))


@given(parsers.re(rf"a booking of a charter flight in {INTERFACE}"))
def _a_booking_of_a_charter_flight(
    booking_client: BookingClient, context: ScenarioContext, interface: Interface
) -> None:
    context.keep_booked(booking_client.booked(FlightCriteria(interface, "charter")))


@given(parsers.re(rf"a booking in {INTERFACE} whose schedule has changed"))
def _a_booking_that_has_changed(booking_client: BookingClient, context: ScenarioContext, interface: Interface) -> None:
    context.keep_booked(booking_client.booked(FlightCriteria(interface, "schedule_change")))


@given(parsers.re(rf"(?P<what>a booking in {INTERFACE} made more than two hours ago)"))
def _an_aged_booking(ageing: Ageing, context: ScenarioContext, what: str, interface: Interface) -> None:
    booked = ageing.aged(what)
    assert isinstance(booked, CreatedBookings), interface
    context.keep_booked(booked)


# Looking up


@when("it is looked up")
def _it_is_looked_up(service_client: ServiceClient, context: ScenarioContext) -> None:
    booked = context.created_bookings
    context.response = service_client.send(bodies.get_bookings(booked.requested.interface, booked.reference))


@when(parsers.re(r"it is looked up in (?P<other>v2|v3)"))
def _it_is_looked_up_in(service_client: ServiceClient, context: ScenarioContext, other: Interface) -> None:
    context.response = service_client.send(bodies.get_bookings(other, context.created_bookings.reference))


@when("it is looked up without a reference")
def _it_is_looked_up_without_a_reference(service_client: ServiceClient, context: ScenarioContext) -> None:
    draft = bodies.get_bookings(context.created_bookings.requested.interface, "")
    context.draft = draft.with_query(cp_reference=None)
    context.response = service_client.send(context.draft)


@when("an unknown reference is looked up")
def _an_unknown_reference_is_looked_up(service_client: ServiceClient, context: ScenarioContext) -> None:
    unknown = f"ZZ{secrets.token_hex(4).upper()}"
    context.response = service_client.send(bodies.get_bookings(context.created_bookings.requested.interface, unknown))


@when("both ways are booked and looked up")
def _both_ways_are_booked_and_looked_up(booking_client: BookingClient, context: ScenarioContext) -> None:
    pending = context.booking_requests
    with prerequisite("a fare is not held", rule="V3-REQUESTS-FARE-TYPE", exchange=pending.response.exchange):
        assert pending.response.succeeded
    draft = booking_client.booking(pending, booking_client.usual(pending.criteria, "a payment method"))
    response = booking_client.service.send(draft)
    # What was held may be gone even so, or its price has moved.
    if response.status in GONE:
        raise Untested("the round-trip fare that was held is gone when it is booked")
    with prerequisite("a fare is not booked", rule="V23-BOOKINGS-BOOK", exchange=response.exchange):
        assert response.succeeded
    context.booked = CreatedBookings(pending, draft, response)
    context.response = booking_client.service.send(bodies.get_bookings("v3", context.created_bookings.reference))


# Responses


@then("it is booked")
@then("they are booked")
def _it_was_booked(context: ScenarioContext) -> None:
    response, wanted = context.last_response, len(context.booking_requests.requests)
    bookings = response.array("bookings")
    expect(
        response.succeeded and len(bookings) == wanted and all(booking.get("cp_reference") for booking in bookings),
        "a paid booking request must become a booking with a reference",
        expected=f"status 200 with {wanted} booking(s)",
        actual=f"status {response.status} with {len(bookings)} booking(s)",
        pointer="/bookings" if response.succeeded else "status",
        exchange=response.exchange,
    )


@then("it is booked, or refused because its card is not a Mastercard")
def _it_is_booked_or_its_card_refused(service_client: ServiceClient, context: ScenarioContext) -> None:
    # A service may refuse Mastercard's indicator with a card of another brand (OPEN-52).
    if not (context.last_response.refused and service_client.payments.lacks_mastercard()):
        _it_was_booked(context)


@then("its booking is found")
def _its_booking_is_found(context: ScenarioContext) -> None:
    made = {booking["id"] for booking in context.created_bookings.bookings}
    found = {booking.get("id") for booking in context.last_response.array("bookings")}
    expect(
        context.last_response.succeeded and made <= found,
        "the service must return a booking by its reference",
        expected="the bookings that were made",
        actual=f"status {context.last_response.status} with {len(found)} booking(s)",
        pointer="/bookings",
        exchange=context.last_response.exchange,
    )


@then("the way out is outward and the way back is return")
def _the_ways_have_their_types(context: ScenarioContext) -> None:
    out, back = (flight["id"] for flight in context.booking_requests.flights)
    types = {booking.get("flight_id"): booking.get("type") for booking in context.last_response.array("bookings")}
    expect(
        types.get(out) in ("outward", None) and types.get(back) in ("return", None),
        "the bookings of a round trip must have the types outward and return",
        expected="outward, return",
        actual=f"{types.get(out)}, {types.get(back)}",
        pointer="/bookings",
        exchange=context.last_response.exchange,
    )


@then("it is the booking that was made")
def _it_is_the_booking_that_was_made(context: ScenarioContext) -> None:
    _as_made(context, (*_FIGURES, *_TEXTS, *_FLIGHT))


@then("its original flight is the one that was booked")
def _its_original_flight_is_the_one_that_was_booked(context: ScenarioContext) -> None:
    _as_made(context, _FLIGHT)


def _as_made(context: ScenarioContext, names: Iterable[str]) -> None:
    made = {booking["id"]: booking for booking in context.created_bookings.bookings}
    for booking in context.last_response.array("bookings"):
        before = made.get(booking.get("id"), {})
        for name in names:
            # How booker data are normalised is open (OPEN-38), and so is what may be null (OPEN-48).
            then, now = (_comparable(member(each, *name.split("."))) for each in (before, booking))
            expect(
                then == now or None in (then, now),
                f"a retrieved booking must have the {name} that it was created with",
                expected="the value in the response to Create Bookings",
                actual="another value",
                pointer="/bookings",
                exchange=context.last_response.exchange,
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
def _its_passengers_are_those_who_were_named(context: ScenarioContext) -> None:
    bookings = context.created_bookings
    named = (bookings.draft if bookings.requested.interface == "v2" else bookings.requested.draft).body["passengers"]
    for booking in context.last_response.array("bookings"):
        records = [each for each in booking.get("passengers") or () if isinstance(each, dict)]
        if not all(isinstance(record.get(name), str) for record in records for name in NAMES):
            # What is no name at all the contract says of it.
            continue
        expect(
            all(any(_is_named(record, passenger) for record in records) for passenger in named),
            "a booking must contain each passenger by name",
            expected="the names that were sent, in any letter case",
            actual="other names",
            pointer="/bookings/0/passengers",
            exchange=context.last_response.exchange,
        )


def _is_named(record: dict[str, Any], passenger: dict[str, Any]) -> bool:
    """Whether a record is of a passenger; titles, middle names, letter case and accents do not count."""
    return all(_comparable(passenger[name]) in _comparable(record[name]) for name in NAMES)


@then("its passengers are counted")
def _its_passengers_are_counted(context: ScenarioContext) -> None:
    party = context.booking_requests.party
    seated = party.adults + party.children
    for booking in context.last_response.array("bookings"):
        # Whether infants are among the passengers is open (OPEN-82).
        counted = booking.get("passenger_count") in (seated, seated + party.infants)
        expect(
            counted and booking.get("infant_count") == party.infants,
            "a booking must contain the number of its passengers",
            expected=f"{seated} passengers, or {seated + party.infants} with infants, and {party.infants} infants",
            actual=f"{booking.get('passenger_count')} passengers and {booking.get('infant_count')} infants",
            pointer="/bookings/0/passenger_count",
            exchange=context.last_response.exchange,
        )


def _bags_of_a_kind(booking: Mapping[str, Any], kind: str) -> Any:
    """Return the bags of a booking of v3, which may be keyed by the id of its flight as in the booking request."""
    bags = booking.get("bags") or {}
    own = member(bags, str(member(booking, "flight_id")))
    return (bags if own is None else own).get(kind)


@then(parsers.re(r"it has its (?P<kind>checked|cabin) bag"))
def _it_has_its_bag(context: ScenarioContext, warn: RecordWarning, kind: str) -> None:
    is_v2 = context.booking_requests.interface == "v2"
    held = {str(request["id"]): member(request, "bags_fee", kind) for request in context.booking_requests.requests}
    for booking in context.last_response.array("bookings"):
        listed = booking.get("luggage") if is_v2 else _bags_of_a_kind(booking, kind)
        with prerequisite(
            "the bags of a booking cannot be read", rule=_BAGS_OF[is_v2], exchange=context.last_response.exchange
        ):
            quantities = [option["quantity"] for option in listed or ()]
        expect(
            sum(quantities) == 1,
            "a booking must list the bags that were booked",
            expected="one bag",
            actual=f"{sum(quantities)} bags",
            pointer="/bookings/0/luggage" if is_v2 else f"/bookings/0/bags/{kind}",
            exchange=context.last_response.exchange,
        )
        # A request holds the prices of its bags; which difference is acceptable even so is not written.
        fees = held.get(str(booking.get("request_id"))), member(booking, "bags_fee", kind)
        if None not in fees and _comparable(fees[0]) != _comparable(fees[1]):
            warn(
                f"the {kind} bag of a booking and of its booking request differ in price",
                context.last_response.exchange,
            )


_BAGS_OF = {True: "V2-BOOKING-LUGGAGE", False: "V23-BOOKING-FIELDS"}


@then("no booking is delivered")
def _no_booking_is_delivered(context: ScenarioContext) -> None:
    expect(
        context.last_response.status < 500
        and not (context.last_response.succeeded and context.last_response.array("bookings")),
        "the service must not return a booking for an unknown reference",
        expected="no booking",
        actual=f"status {context.last_response.status} with {len(context.last_response.array('bookings'))} booking(s)",
        pointer="/bookings",
        exchange=context.last_response.exchange,
    )


@then("it should be confirmed with a record locator")
def _it_should_be_confirmed(context: ScenarioContext, warn: RecordWarning) -> None:
    for booking in context.last_response.array("bookings"):
        if booking.get("status") == "AWAITING_PNR_AIRLINE" or not booking.get("pnr_airline"):
            warn(f"after two hours the booking is {booking.get('status')}", context.last_response.exchange)


@then("it should be confirmed at once")
def _it_should_be_confirmed_at_once(context: ScenarioContext, warn: RecordWarning) -> None:
    for booking in context.created_bookings.bookings:
        if booking.get("status") != "CONFIRMED":
            warn(f"the charter flight's booking is {booking.get('status')}", context.created_bookings.response.exchange)
