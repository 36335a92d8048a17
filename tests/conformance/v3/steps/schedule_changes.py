"""Steps that retrieve bookings of v2 and v3 whose schedule changed."""

from airworthy.contract.http.transaction import member
from airworthy.suite.outcomes import Untested
from airworthy.target.ageing import DAY, Ageing
from conformance.parsed_response import ParsedResponse
from conformance.scenario_context import ScenarioContext
from conformance.step_table import then, when
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import BookingClient, CreatedBookings
from conformance.v3.request_bodies import Interface


@when("a day passes, where the clock can be moved")
def _a_day_passes(ageing: Ageing) -> None:
    ageing.pass_time("a booking whose schedule changed", DAY)


@then("the booking lists the schedule change of its flight")
def _the_schedule_change_is_listed(ageing: Ageing, context: ScenarioContext) -> None:
    reason = "the service does not return a booking"
    context.service.require_success(context.last_response, reason, "V23-LOOK-UP", "bookings")
    is_listed = _lists_a_change(context.last_response)
    after = context.service.profile.lifetimes.schedule_change_seconds
    if not is_listed and after is None:
        raise Untested(
            "no booking on [routes.flights_schedule_change] lists a schedule change yet: the profile does not name "
            "[lifetimes] schedule_change_seconds"
        )
    if not is_listed and not _has_another_flight(context.last_response):
        context.v3.expect_elsewhere(
            context.booking_requests.criteria,
            lambda each: _has_changed(context.v3, ageing, each.interface),
            "has flights whose schedule does not change",
        )
    context.last_response.expect(
        is_listed,
        "a booking must list the schedule change of its flight",
        expected=f"an entry of flight_changes within {after} seconds, as the profile says",
        actual="none",
        pointer="/bookings/0/flight_changes",
    )


def _has_changed(booking_client: BookingClient, ageing: Ageing, interface: Interface) -> bool:
    booked = ageing.aged(f"a booking in {interface} whose schedule changed a while ago")
    assert isinstance(booked, CreatedBookings)
    return _lists_a_change(booking_client.service.send(bodies.get_bookings(interface, booked.reference)))


def _has_another_flight(response: ParsedResponse) -> bool:
    bookings = response.array("bookings")
    return any(member(each, "flight", "segments") != member(each, "final_flight", "segments") for each in bookings)


def _lists_a_change(response: ParsedResponse) -> bool:
    return any(member(booking, "flight_changes") for booking in response.array("bookings"))
