"""Steps that create and cancel booking requests of v2 and v3."""

from dataclasses import replace

from airworthy.contract.http.transaction import member
from airworthy.suite import ages
from airworthy.suite.outcomes import NotApplicable, comparisons, expect_situation
from airworthy.target.ageing import Ageing
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.scenario_context import WHO, ScenarioContext
from conformance.step_table import given, then, when
from conformance.steps.responses import expect_not_server_error
from conformance.v3 import request_bodies as bodies
from conformance.v3.flight_client import FlightCriteria, FlightSearchResult
from conformance.v3.request_bodies import INTERFACE, BagKind, Interface
from conformance.v3.requested_flights import GONE
from conformance.v4.request_bodies import PassengerCounts

NUMBERS = {"three": 3, "four": 4}

# Creation

_BOOKING_REQUEST = (
    rf"a booking request in {INTERFACE}"
    r"(?: for (?P<many>two) flights| with a (?P<bag>checked) bag| for (?P<family>a family))?"
)


@given(_BOOKING_REQUEST + " that the service accepts")
@when("the client creates " + _BOOKING_REQUEST)
def prepare_booking_request(
    context: ScenarioContext,
    interface: Interface,
    many: str | None = None,
    bag: BagKind | None = None,
    family: str | None = None,
) -> None:
    criteria = FlightCriteria(interface)
    party = context.v3.family if family else PassengerCounts()
    count = 2 if many else 1
    pattern = context.v3.requested(criteria, count, party, bag)
    context.flights, context.requested, context.response = criteria, pattern, pattern.response
    # The draft has flights that were not requested before, so only the change of a step can make it wrong.
    flights = [context.v3.flight(criteria, party, bag)] if bag else context.v3.together(criteria, count, party)
    context.requested = replace(pattern, flights=flights)
    context.draft = context.v3.request_draft(interface, flights, party, {bag: bodies.ONE} if bag else None)


@given(rf"a booking request in {INTERFACE} for (?:a flight that|(?P<two>two flights, of which the last)) is sold out")
def _a_booking_request_that_is_sold_out(context: ScenarioContext, interface: Interface, two: str | None) -> None:
    criteria, regular = FlightCriteria(interface, "sold_out_at_request"), FlightCriteria(interface)
    context.v3.requested(regular)
    context.flights, context.shown = criteria, context.v3.flight(criteria)
    others = [context.v3.flight(regular)] if two else []
    context.draft = context.v3.request_draft(interface, [*others, context.shown], PassengerCounts())


@when("the client sends the request")
def _send_request(context: ScenarioContext) -> None:
    context.response = context.service.send(context.request)
    if context.response.rejected and context.response.status not in GONE:
        _expect_any_pair(context)
    is_accepted = context.response.succeeded and context.response.array("requests")
    if is_accepted and context.shown is not None and context.shown.get("available_seats") != 0:
        context.v3.expect_elsewhere(
            context.flight_criteria,
            lambda each: context.v3.request_anything(each).status in GONE,
            "has flights that can be requested",
        )


def _expect_any_pair(context: ScenarioContext) -> None:
    """Continue if the service requests two flights that are not the way out and the way back of a trip (OPEN-98)."""
    criteria, party = FlightCriteria(context.flight_criteria.interface), PassengerCounts()
    ids = context.request.body.get("flight_ids") or context.request.body.get("flights") or ()
    if len(ids) < 2:
        return
    flights = [context.v3.flight(criteria) for _ in ids]
    if context.service.send(context.v3.request_draft(criteria.interface, flights, party)).rejected:
        raise NotApplicable("the service does not request two flights that are not a way out and a way back (OPEN-98)")


@when(r"the client creates a booking request for (?P<number>three|four) flights")
def _request_flights(context: ScenarioContext, number: str) -> None:
    criteria, party, count = context.flight_criteria, context.booking_requests.party, NUMBERS[number]

    def make() -> RequestDraft:
        return context.v3.request_draft(criteria.interface, context.v3.together(criteria, count), party)

    context.draft, context.response = context.v3.send_available(make, count)


@when(
    r"the client creates a booking request for (?:an unknown flight|(?P<many>as many flights as it may),"
    r" of which the last is unknown)"
)
def _request_unknown_flight(context: ScenarioContext, many: str | None) -> None:
    criteria, pattern = context.flight_criteria, context.booking_requests
    known = context.v3.together(criteria, bodies.MOST_TOGETHER[criteria.interface] - 1) if many else []
    unknown = {**pattern.flights[0], "id": bodies.UNKNOWN_ID}
    draft = context.v3.request_draft(criteria.interface, [*known, unknown], pattern.party)
    response = context.send(draft)
    if response.rejected and response.status not in GONE:
        _expect_any_pair(context)


@when("the client creates a booking request for the first fare")
def _request_first_fare(context: ScenarioContext) -> None:
    requested = context.v3.request_fare(FlightSearchResult(context.request, context.last_response))
    response = requested.response if requested else context.last_response
    if requested is None or response.status in GONE:
        raise context.service.sold_out("flights_round_trip_fares", response)
    context.keep_requested(requested)


@then("the passengers should be counted as adults, children and infants")
def _the_passengers_are_counted_by_age(context: ScenarioContext) -> None:
    """Compare each count; the passengers are of no age that may be either, but the ages are open (OPEN-84)."""
    party = context.booking_requests.party
    expected = {"adults": party.adults, "children": party.children, "infants": party.infants}
    for request in context.last_response.array("requests"):
        counted = {name: member(request, "passengers", name) for name in expected}
        comparisons.add()
        if all(isinstance(each, int) for each in counted.values()) and counted != expected:
            context.warn(f"the passengers of a booking request are counted as {counted}, expected {expected}")


# Pending booking requests


@given(rf"(?:a|(?P<two>two)) pending booking requests? in {INTERFACE}")
def _a_pending_request(context: ScenarioContext, two: str | None, interface: Interface) -> None:
    context.keep_requested(context.v3.any_request(FlightCriteria(interface), 2 if two else 1))


@given(rf"a booking request in {INTERFACE} whose payment failed")
def _a_request_whose_payment_failed(context: ScenarioContext, interface: Interface) -> None:
    context.keep_requested(context.v3.declined(FlightCriteria(interface)))


@given(
    rf"a pending booking request in {INTERFACE} for a flight (?P<what>that is sold out|whose price changes)"
    r" by the time of booking"
)
def _a_pending_request_of_a_situation(context: ScenarioContext, interface: Interface, what: str) -> None:
    situation = {"that is sold out": "sold_out_at_booking"}.get(what, "price_moves")
    context.v3.booked(FlightCriteria(interface))
    context.keep_requested(context.v3.request(FlightCriteria(interface, situation)))


@given(rf"a booking request in {INTERFACE} whose flight was gone when the client booked it")
def _a_request_whose_flight_was_gone(context: ScenarioContext, interface: Interface) -> None:
    context.v3.booked(FlightCriteria(interface))
    requested = context.v3.request(FlightCriteria(interface, "sold_out_at_booking"))
    response = context.service.send(context.v3.booking(requested))
    expect_situation(response.status in GONE, "routes.flights_sold_out_at_booking", "has flights that can be booked")
    context.keep_requested(requested)


@given(rf"(?:a|(?P<two>two)) pending booking requests? of the second organisation in {INTERFACE}")
def _a_pending_request_of_the_second(context: ScenarioContext, interface: Interface, two: str | None) -> None:
    second = context.v3.of(context.second_organisation)
    # The rejection proves something only where an authorized organisation can book on deposit.
    if context.v3.credentials(interface).self_psp:
        context.v3.booked_by(FlightCriteria(interface), "self_psp")
    if second.credentials(interface).self_psp:
        raise NotApplicable("the profile says that the second organisation also books on deposit")
    context.keep_requested(second.request(FlightCriteria(interface), count=2 if two else 1))


@when(
    "the client makes mistakes in its booking, requests its flight again, and another organisation tries to book it",
    "V2-BOOKINGS-REQUIRED",
    "V3-BOOKINGS-REQUIRED",
)
def _use_it_in_vain(context: ScenarioContext) -> None:
    pending = context.booking_requests
    draft = context.v3.booking(pending)
    for wrong in (draft.without("first_name"), draft.with_value("customer_code", bodies.UNKNOWN_CUSTOMER)):
        context.response = context.service.send(wrong)
    context.service.send(context.v3.request_draft(pending.interface, pending.flights, pending.party))
    if context.second:
        context.second.send(context.v3.of(context.second).booking(pending))


@when("more than 5 minutes have passed since the booking request was made")
def _the_booking_request_ages(ageing: Ageing, context: ScenarioContext) -> None:
    interface = context.booking_requests.interface
    expired = ages.due(
        f"a booking request in {interface} made more than 5 minutes ago", context.service.profile.lifetimes
    )
    ageing.age_further(f"another booking request in {interface} made almost 3 minutes ago", expired)


# Cancellation


@given("a booking request in v3 for a trip that the service accepts")
def _a_trip_that_is_accepted(context: ScenarioContext) -> None:
    """Request a round-trip fare if there is any, and prepare the same request for other passengers."""
    trip = context.v3.request_trip("v3")
    context.keep_requested(trip)
    draft = context.v3.request_draft("v3", trip.flights, trip.party)
    context.draft = draft.with_value("fare_type", trip.draft.body["fare_type"])


@given("a cancelled booking request in v3")
def _a_cancelled_request(context: ScenarioContext) -> None:
    context.keep_requested(context.v3.cancelled())


@when(f"{WHO} cancels (?P<which>the|an unknown) booking request")
def _cancel_booking_request(context: ScenarioContext, who: str, which: str) -> None:
    identifier = context.booking_requests.requests[0]["id"] if which == "the" else bodies.UNKNOWN_ID
    context.send(bodies.cancel_request(identifier), context.client_of(who))


@then("the cancellation should fail")
def _the_cancellation_should_fail(context: ScenarioContext) -> None:
    expect_not_server_error(context)
    if context.last_response.succeeded and context.last_response.member("success") is True:
        context.warn("the service cancels a booking request of another organisation")


@then("the cancellation succeeds")
def _the_cancellation_succeeds(context: ScenarioContext) -> None:
    _expect_cancelled(context.last_response, cancelled=True)


@then("the cancellation fails")
def _the_cancellation_does_not_succeed(context: ScenarioContext) -> None:
    _expect_cancelled(context.last_response, cancelled=False)


def _expect_cancelled(response: ParsedResponse, *, cancelled: bool) -> None:
    response.expect(
        (response.succeeded and response.member("success") is True) == cancelled and response.status < 500,
        "the service must cancel a pending booking request"
        if cancelled
        else "the service must cancel pending booking requests only",
        expected="status 200, success true" if cancelled else "no success",
        actual=f"status {response.status}, success {response.shown('success')}",
        pointer="/success",
    )
