"""Steps that create two or more bookings of v2 and v3 at the same time."""

from dataclasses import replace

from airworthy.contract.http.transaction import member
from conformance.parsed_response import shown_statuses
from conformance.scenario_context import ScenarioContext
from conformance.simultaneous import send_at_once
from conformance.step_table import then, when
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_request_client import CreatedBookingRequests
from conformance.v3.flight_client import FlightCriteria
from conformance.v3.request_bodies import INTERFACE, Interface
from conformance.v4.request_bodies import PassengerCounts


@when("the client creates four bookings of the second one at once, two of them of both", "V23-BOOKINGS-ONCE")
def _book_four_times(context: ScenarioContext) -> None:
    pending = context.booking_requests
    context.v3.booked_by(context.flight_criteria, context.v3.usual(context.flight_criteria))
    drafts = [context.v3.booking(pending) for _ in range(4)]
    drafts[::2] = [bodies.of_one_request(each, pending.requests[-1]["id"]) for each in drafts[::2]]
    read = context.v3.search_draft(context.flight_criteria)
    context.together = send_at_once(context.service, drafts, read)
    context.response = next((response for response in context.together if response.succeeded), context.together[0])


@when(rf"the client searches, requests, books and retrieves flights in {INTERFACE}, two at the same time each")
def _create_two_bookings(context: ScenarioContext, interface: Interface) -> None:
    client, criteria = context.service, FlightCriteria(interface)
    # Shows how the service writes passengers (OPEN-10, OPEN-83).
    context.v3.booked(criteria)
    searches = [context.v3.search_draft(each) for each in (criteria, replace(criteria, back=True))]
    send_at_once(client, searches, searches[0])
    parties = PassengerCounts(1), PassengerCounts(2)
    chosen = [([context.v3.flight(criteria, each)], each) for each in parties]
    drafts = [context.v3.request_draft(interface, *each) for each in chosen]
    responses = send_at_once(client, drafts)
    held = [
        CreatedBookingRequests(criteria, draft, response, flights, party)
        for draft, response, (flights, party) in zip(drafts, responses, chosen, strict=True)
        if response.succeeded
    ]
    booked = send_at_once(client, [context.v3.booking(each) for each in held])
    references = [str(member(each.array("bookings")[0], "cp_reference")) for each in booked if each.array("bookings")]
    send_at_once(client, [bodies.get_bookings(interface, each) for each in references])
    context.together, context.response = responses, responses[0]


@then("at most one booking succeeds")
def _at_most_one_booking_succeeds(context: ScenarioContext) -> None:
    """Count those that book the second booking request: a service may book the first one without it (OPEN-97)."""
    second = str(context.booking_requests.requests[-1]["id"])
    booked = [
        {str(member(each, "request_id")) for each in response.array("bookings")} or {second}
        for response in context.together
        if response.succeeded
    ]
    succeeded = sum(second in each for each in booked)
    context.last_response.expect(
        succeeded <= 1,
        "at most one of several simultaneous bookings of one booking request may succeed",
        expected=f"at most 1 success of {len(context.together)}",
        actual=shown_statuses(context.together),
    )
