"""Steps that compare booking requests and bookings of v2 and v3 with what they were created from, or sent with."""

from dataclasses import replace
from typing import Any

from airworthy.contract.http.transaction import as_number, member
from airworthy.suite.outcomes import NotApplicable, Untested, comparisons
from conformance.scenario_context import ScenarioContext
from conformance.simultaneous import expect_serial_outcome, send_at_once
from conformance.step_table import given, then, when
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import CreatedBookings
from conformance.v3.booking_request_client import CreatedBookingRequests, attempts
from conformance.v3.flight_client import FlightCriteria
from conformance.v3.request_bodies import INTERFACE, Interface
from conformance.v3.requested_flights import GONE
from conformance.v4.request_bodies import PassengerCounts

# Infants


@when("the client requests one of the flights without an infant price")
def _the_client_requests_a_flight_without_infants(context: ScenarioContext) -> None:
    """Request it for an infant, too: the contract judges what the service holds then."""
    context.keep_requested(context.v3.requested(context.flight_criteria))
    if context.service.profile.has_capability("infants"):
        held, party = context.booking_requests, PassengerCounts(1, 0, 1)
        context.service.send(context.v3.request_draft(held.interface, held.flights, party))


@given(rf"flights in {INTERFACE} on a route without infant tickets")
def _flights_without_infants(context: ScenarioContext, interface: Interface) -> None:
    context.flights = FlightCriteria(interface, "no_infants")
    context.response = context.v3.search(context.flights).response


@when("the client requests one that costs nothing for infants for an adult and an infant")
def _the_client_requests_a_free_flight(context: ScenarioContext) -> None:
    """If it is rejected, request it for the adult alone."""
    free = [each for each in context.last_response.array("results") if each.get("infant_price") == 0]
    for party in (PassengerCounts(1, 0, 1), PassengerCounts()) if free else ():
        draft = context.v3.request_draft(context.flight_criteria.interface, free[:1], party)
        context.together += (context.service.send(draft),)
        if context.together[-1].succeeded:
            return


@then("the service sells it")
def _the_service_sells_it(context: ScenarioContext) -> None:
    comparisons.add()
    if context.together:
        with_infant, last = context.together[0], context.together[-1]
        with_infant.expect(
            with_infant.succeeded or last.rejected,
            "a flight that is not sold to infants has an infant price of 0 in the search",
            expected="infant_price null, or a booking request for an infant",
            actual=f"infant_price 0, and status {with_infant.status}",
        )


# Bookings


@given(rf"a paid booking in {INTERFACE} of two flights with a checked bag on one of them")
def _a_paid_booking_with_one_bag(context: ScenarioContext, interface: Interface) -> None:
    criteria, party = FlightCriteria(interface), PassengerCounts()
    # Shows that the service books, and how it writes passengers (OPEN-10, OPEN-83).
    context.v3.booked(criteria)
    for _ in range(attempts(2)):
        flights = context.v3.together(criteria, 2, bag="checked")
        without, with_bag = flights
        draft = context.v3.request_draft(interface, flights, party)
        if interface == "v3":
            bags = draft.body["bags"] | {str(with_bag["id"]): bodies.bag_options(with_bag, {"checked": bodies.ONE})}
            draft = draft.with_value("bags", {flight: _reversed(bags[flight]) for flight in reversed(bags)})
        response = context.service.send(draft)
        if response.status not in GONE and without["id"] != with_bag["id"]:
            context.v3.require_requested(interface, response)
            requested = CreatedBookingRequests(criteria, draft, response, flights, party)
            paid = context.v3.booking(requested)
            if interface == "v2":
                of_bag = [each for each in requested.requests if member(each, "flight", "id") == with_bag["id"]]
                paid = paid.with_value("luggage", _reversed(paid.body["luggage"] | bodies.luggage(of_bag, bodies.ONE)))
            response = context.service.send(paid)
            if response.succeeded:
                context.keep_booked(CreatedBookings(requested, paid, response))
                return
    raise context.service.sold_out(criteria.route, response if response.rejected else None)


def _reversed(options: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return bag options in an order that is not that of the search: ids, weights and sizes identify them."""
    return {key: listed[::-1] for key, listed in reversed(options.items())}


@when("the client books its flight without bags")
def _the_flight_is_booked_without_bags(context: ScenarioContext) -> None:
    before = context.created_bookings.requested
    draft = context.v3.request_draft(before.interface, before.flights, before.party)
    response = context.service.send(draft)
    if not response.succeeded:
        # The next attempt needs a booking of another flight.
        context.service.forget(context.created_bookings)
        raise context.service.sold_out(before.criteria.route, response)
    requested = replace(before, draft=draft, response=response)
    payment = context.v3.usual(before.criteria)
    context.response = context.service.send(context.v3.booking(requested, payment))
    if not context.response.succeeded:
        raise context.service.sold_out(before.criteria.route, context.response)


@then("the total prices should differ by the fee of the bag")
def _the_totals_differ_by_the_fee(context: ScenarioContext) -> None:
    """Compare totals of the same price; the fee of the card may add to the difference (OPEN-82)."""
    other = next(iter(context.last_response.array("bookings")), None)
    with_bag, without = _amounts(context.created_bookings.bookings[0]), _amounts(other)
    if with_bag is None or without is None:
        raise Untested("two bookings of one flight do not show their prices, their totals and the fees of their bags")
    if with_bag[0] != without[0]:
        raise NotApplicable("two bookings of one flight have different prices (OPEN-37)")
    rises, fee = (round(more - less, 2) for more, less in zip(with_bag[1:], without[1:], strict=True))
    comparisons.add()
    if rises < fee:
        context.warn(f"a bag for {fee:.2f} raises the total price of a booking by {rises:.2f}")


def _amounts(booking: Any) -> tuple[float, float, float] | None:
    """Return the price, the total price and the fee of the bags of a booking, or None if it does not show them all."""
    is_v2 = member(booking, "luggage_fee") is not None
    fees = [("luggage_fee",)] if is_v2 else [("bags_fee", "checked"), ("bags_fee", "cabin")]
    shown = [as_number(member(booking, *path)) for path in (("price",), ("total_price",), *fees)]
    known = [each for each in shown if each is not None]
    return (known[0], known[1], sum(known[2:])) if known == shown else None


# Requests about a booking request at the same time


# Seconds; a service that takes longer gets the cancellation earlier.
_LONGEST_BOOKING = 10.0


@when(
    "the client cancels the booking request and books it at the same time", "V3-BOOKINGS-CANCELLED", "V3-CANCEL-PENDING"
)
def _cancel_and_book(context: ScenarioContext) -> None:
    pending = context.booking_requests
    # A rejection shows something only if the service accepts the same requests one at a time.
    booked = context.v3.booked(FlightCriteria("v3"))
    context.service.once("cancelled", context.v3.cancelled)
    drafts = (
        context.v3.booking(pending),
        bodies.cancel_request(pending.requests[0]["id"]),
    )
    # The cancellation arrives while the service is paying, if it takes as long as it did for another booking.
    half = min(booked.response.exchange.elapsed, _LONGEST_BOOKING) / 2
    read = bodies.get_bookings("v3", booked.reference)
    context.together = send_at_once(context.service, drafts, read, apart=half)
    context.response = context.together[-1]


@then("the booking request is either cancelled or booked")
def _it_is_either_cancelled_or_booked(context: ScenarioContext) -> None:
    booked, cancelled = context.together
    is_cancelled = cancelled.succeeded and cancelled.member("success") is True
    expect_serial_outcome(
        context.together,
        succeeded=[is_cancelled, bool(booked.array("bookings"))].count(True),
        allowed=1,
        message="the service must either cancel a booking request or book it",
        warn=context.warn,
    )
