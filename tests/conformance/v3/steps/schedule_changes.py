"""Steps that retrieve a booking of v2 or v3 whose schedule has changed."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_bdd import parsers

from airworthy.contract import wording
from airworthy.contract.transaction import items, member
from airworthy.suite.outcomes import Untested, expect
from airworthy.target.ageing import Ageing
from airworthy.target.profile import Profile
from conformance.fixtures import RuleCheck
from conformance.scenario_context import ScenarioContext
from conformance.service_client import ServiceClient
from conformance.step_table import given, then, when
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import CreatedBookings
from conformance.v3.request_bodies import INTERFACE, Interface

# Where a segment shows a changed key.
_SHOWN: Mapping[str, tuple[str, ...]] = {
    "origin_airport": ("origin", "iata_code"),
    "destination_airport": ("destination", "iata_code"),
    "departure_date": ("departure_date",),
    "arrival_date": ("arrival_date",),
}
# The other parts of a segment that a schedule change can list.
_NUMBER = (("marketing_carrier_flight_number",), ("marketing_carrier", "iata_code"))
_SUFFIXES = frozenset(
    (
        *(*_SHOWN, "flight_number", "airline_name", "airline_iata_code"),
        *(f"{end}_{name}" for end in ("origin", "destination") for name in ("timezone", "terminal_label")),
    )
)
_KEY = re.compile(r"segment_([0-9]+)_(\w+)")


@given(parsers.re(rf"(?P<what>a booking in {INTERFACE} whose schedule changed a while ago)"))
def _a_changed_booking(ageing: Ageing, context: ScenarioContext, what: str, interface: Interface) -> None:
    booked = ageing.aged(what)
    assert isinstance(booked, CreatedBookings), interface
    context.keep_booked(booked)


@when("the client retrieves the booking")
def _the_client_retrieves_the_booking(service_client: ServiceClient, context: ScenarioContext) -> None:
    booked = context.created_bookings
    context.response = service_client.send_required(
        bodies.get_bookings(booked.requested.interface, booked.reference),
        "the service does not return a booking",
        "V23-LOOK-UP",
        "bookings",
    )


def _bookings(context: ScenarioContext) -> list[dict[str, Any]]:
    return [each for each in context.last_response.array("bookings") if isinstance(each, dict)]


@then("the original flight is the flight that was booked")
def _the_original_flight_stays(context: ScenarioContext) -> None:
    made = {booking["id"]: booking for booking in context.created_bookings.bookings}
    for booking in _bookings(context):
        before = _segments(made.get(booking.get("id"), {}), "flight")
        expect(
            not before or before == _segments(booking, "flight"),
            "flight of a booking must stay the flight that was booked",
            expected="the flight in the response to Create Bookings",
            actual="another flight",
            pointer="/bookings/0/flight",
            exchange=context.last_response.exchange,
        )


@then("a flight that differs from the original is listed as a schedule change")
def _a_changed_flight_is_listed(context: ScenarioContext, profile: Profile) -> None:
    bookings = _bookings(context)
    for booking in bookings:
        expect(
            not _differs(booking) or _changes(booking),
            "a booking whose final_flight differs from flight must list a schedule change",
            expected="an entry of flight_changes",
            actual="none",
            pointer="/bookings/0/flight_changes",
            exchange=context.last_response.exchange,
        )
        missing = _differing(booking) - _listed(booking)
        expect(
            not missing,
            "flight_changes of a booking must list what differs between flight and final_flight",
            expected="every changed key in an entry of flight_changes",
            actual=f"no {', '.join(sorted(missing))}",
            pointer="/bookings/0/flight_changes",
            exchange=context.last_response.exchange,
        )
    if any(_changes(booking) for booking in bookings):
        return
    after = profile.lifetimes.schedule_change_seconds
    if after is None:
        raise Untested(
            "no booking on [routes.flights_schedule_change] lists a schedule change yet: the profile does not name "
            "[lifetimes] schedule_change_seconds"
        )
    expect(
        False,
        "a booking must list the schedule change of its flight",
        expected=f"an entry of flight_changes within {after:g} seconds, as the profile says",
        actual="none",
        pointer="/bookings/0/flight_changes",
        exchange=context.last_response.exchange,
    )


@then("the original and the current flight have the values of its schedule changes")
def _the_flights_have_the_values_of_the_changes(context: ScenarioContext) -> None:
    for booking in _bookings(context):
        _expect_values(context, booking, "flight", "oldFlight")
        # The effect of a change that the passenger declined is not documented (OPEN-13).
        if all(change.get("status") != "REFUSED" for change in _changes(booking)):
            _expect_values(context, booking, "final_flight", "newFlight")
        _expect_times_of_the_segments(context, booking)


def _expect_times_of_the_segments(context: ScenarioContext, booking: Mapping[str, Any]) -> None:
    """Fail unless the current flight starts and ends with its segments, where the original flight does."""
    for end, name, place in (("origin", "departure_date", 0), ("destination", "arrival_date", -1)):
        original, current = (_end(booking, each, end, name, place) for each in ("flight", "final_flight"))
        # The zone of a flight's own times is open (OPEN-80), but it is one for both flights.
        is_alike = original[0] == original[1] is not None and original[2] == current[2]
        expect(
            not is_alike or current[0] == current[1],
            f"{name} of final_flight must be that of its {'first' if place == 0 else 'last'} segment",
            expected="the time of the segment, as in flight",
            actual="another time",
            pointer=f"/bookings/0/final_flight/{name}",
            exchange=context.last_response.exchange,
        )


def _end(booking: Mapping[str, Any], flight: str, end: str, name: str, place: int) -> tuple[Any, Any, Any]:
    """Return a time of a flight and of its first or last segment, and the time zone of the segment's airport."""
    segments = items(booking, flight, "segments")
    segment = segments[place] if segments else None
    return member(booking, flight, name), member(segment, name), member(segment, end, "timezone")


def _expect_values(context: ScenarioContext, booking: Mapping[str, Any], name: str, side: str) -> None:
    """Fail unless a flight has a value of each key that the schedule changes list on one side."""
    segments = items(booking, name, "segments")
    for key, values in _listed_values(booking, side).items():
        number, suffix = _parts(key)
        if suffix not in _SHOWN or not 0 < number <= len(segments):
            continue
        shown = member(segments[number - 1], *_SHOWN[suffix])
        # The order of several changes is not documented (OPEN-13), so any of the values may be the last one.
        expect(
            shown is None or shown in values,
            f"{name} of a booking must have the {suffix} of its schedule changes",
            expected=f"a value of {side}",
            actual="another value",
            pointer=f"/bookings/0/{name}",
            exchange=context.last_response.exchange,
        )


@then("every schedule change lists its keys by segment")
def _keys_are_listed_by_segment(context: ScenarioContext, rule_check: RuleCheck) -> None:
    for booking in _bookings(context):
        most = max(len(items(booking, name, "segments")) for name in ("flight", "final_flight"))
        for key in (key for change in _changes(booking) for part in _parts_of(change) for key in part):
            number, suffix = _parts(key)
            # The number of segments in between is not known after several changes (OPEN-94).
            is_beyond = number > most > 0 and suffix in _SUFFIXES and len(_changes(booking)) == 1
            expect(
                key not in _SUFFIXES and not is_beyond,
                "a changed key must name a segment of the flight; only need_apis concerns the whole trip",
                expected=f"segment_1 to segment_{most}",
                actual=wording.shown(key),
                pointer="/bookings/0/flight_changes/0/data",
                exchange=context.last_response.exchange,
            )
    rule_check.check_rule("V23-FLIGHT-CHANGES")


def _changes(booking: Mapping[str, Any]) -> list[dict[str, Any]]:
    return items(booking, "flight_changes")


def _parts_of(change: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the objects that may have changed keys; flight_id and keys may be in any of them (OPEN-94)."""
    data = change.get("data")
    for part in (data, member(data, "oldFlight"), member(data, "newFlight")):
        if isinstance(part, dict):
            yield part


def _listed_values(booking: Mapping[str, Any], side: str) -> dict[str, list[Any]]:
    values: dict[str, list[Any]] = {}
    for change in _changes(booking):
        listed = member(change, "data", side)
        for key, value in listed.items() if isinstance(listed, dict) else ():
            if value is not None:
                values.setdefault(key, []).append(value)
    return values


def _parts(key: str) -> tuple[int, str]:
    """Return the number of the segment and the rest of a changed key, 0 for a key without a segment."""
    found = _KEY.fullmatch(key)
    return (int(found[1]), found[2]) if found else (0, key)


def _segments(booking: Mapping[str, Any], name: str) -> list[tuple[Any, ...]]:
    return [
        tuple(member(each, *path) for path in (*_SHOWN.values(), *_NUMBER)) for each in items(booking, name, "segments")
    ]


def _listed(booking: Mapping[str, Any]) -> set[str]:
    return {_parts(key)[1] for change in _changes(booking) for part in _parts_of(change) for key in part}


def _differing(booking: Mapping[str, Any]) -> set[str]:
    """Return the suffixes of changed keys in which flights of equally many segments differ."""
    original, current = (items(booking, name, "segments") for name in ("flight", "final_flight"))
    if len(original) != len(current):
        return set()
    pairs = list(zip(original, current, strict=True))
    return {
        suffix
        for suffix, path in _SHOWN.items()
        if any(member(before, *path) != member(after, *path) for before, after in pairs)
    }


def _differs(booking: Mapping[str, Any]) -> bool:
    original, current = _segments(booking, "flight"), _segments(booking, "final_flight")
    return bool(original) and bool(current) and original != current
