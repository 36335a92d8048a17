"""Steps that request the last seats of a flight until none is left."""

from contextlib import suppress
from datetime import timedelta

from airworthy.contract.conversation.v3.journeys import journey
from airworthy.contract.http.transaction import member
from airworthy.suite.outcomes import Untested, comparisons
from airworthy.target.ageing import DAY, MINUTE, Ageing
from conformance.parsed_response import expect_status
from conformance.request_draft import RequestDraft
from conformance.scenario_context import ScenarioContext
from conformance.simultaneous import send_at_once
from conformance.step_table import given, then, when
from conformance.v3 import request_bodies as bodies
from conformance.v3.flight_client import FlightCriteria
from conformance.v3.last_seats import (
    ROUTE,
    SEATS,
    another_flight,
    flights_with_few_seats,
    hold_all_seats,
    hold_seats_one_by_one,
    request_last_seats,
    seats_given,
)
from conformance.v3.request_bodies import INTERFACE, INTERFACES, Interface
from conformance.v3.requested_flights import GONE
from conformance.v4.request_bodies import PassengerCounts

_ONE = PassengerCounts(1)
_FLIGHTS_TAKEN = 3
_HALF_A_DAY = timedelta(hours=12)


@given(
    rf"a flight in {INTERFACE} with at most nine seats left"
    "(?:, requested (?:as (?P<second>the second of two flights)|for (?P<children>an adult and children)))?"
)
def _a_flight_with_few_seats(
    context: ScenarioContext, interface: Interface, second: str | None, children: str | None
) -> None:
    held = request_last_seats(context.v3, interface, is_second=bool(second), has_children=bool(children))
    context.keep_requested(held)


@given("a flight in v3 whose seats are held by booking requests")
def _a_flight_whose_seats_are_held(context: ScenarioContext) -> None:
    context.keep_requested(hold_all_seats(context.v3, "v3"))


@when("the client requests its seats again and again, and those of another such flight several times at once")
def _request_until_none_is_left(context: ScenarioContext) -> None:
    client, first, held = context.service, context.last_response, context.booking_requests
    identifiers = {request["id"] for request in held.requests}
    another = context.v3.flight(held.criteria)
    drafts = [
        context.v3.request_draft(held.interface, [another], held.party)
        for _ in range(1 + SEATS // len(held.party.types))
    ]
    context.together = send_at_once(client, drafts, context.v3.search(held.criteria).draft)
    for _ in range(SEATS):
        if len(held.requests) > 1:
            others = another_flight(context.v3, held.interface, held.party)
            context.draft = context.v3.request_draft(held.interface, [*others, *held.flights], held.party)
        context.response = client.send(context.request)
        if not context.response.succeeded:
            return
        identifiers |= {member(request, "id") for request in context.response.array("requests")}
    age = (client.clock.now() - first.exchange.started).total_seconds()
    if age > client.profile.lifetimes.request_seconds_min or len(identifiers) <= SEATS:
        raise Untested("a client cannot have ten pending booking requests for one flight")


@when("the client requests its seats until none is left, and books them")
def _request_and_book_all_seats(context: ScenarioContext) -> None:
    """Book a booking request together with an unknown one before: what is rejected gives no seats away."""
    client, first = context.service, context.booking_requests
    held, party = [first], first.party
    while seats_given(each.response for each in held) <= SEATS:
        client.send(bodies.with_another_request(context.v3.booking(held[-1]), {"id": bodies.UNKNOWN_ID}))
        requested = context.v3.try_request(first.criteria, first.flights, party)
        context.response = requested.response
        if requested.response.succeeded:
            held.append(requested)
        elif party == _ONE:
            break
        # Seats that are not held for each of several passengers are left for others.
        party = party if requested.response.succeeded else _ONE
    context.together = tuple(each.response for each in held)
    for requested in held if seats_given(context.together) <= SEATS else ():
        context.draft = context.v3.booking(requested)
        response = client.send(context.draft)
        if not response.succeeded:
            raise client.sold_out(held[0].criteria.route, response)


@when("the client requests and books as many seats again, as long as it can", "V23-BOOKINGS-ONCE", "V3-CANCEL-PENDING")
def _sell_again(ageing: Ageing, context: ScenarioContext) -> None:
    """Try to book and to cancel what is booked before, and let it grow older than a booking request.

    If the service rejects the whole party, request as many seats as its children have.
    """
    client, first = context.service, context.booking_requests
    booked, held = context.request, context.together[-1].array("requests")
    children = first.party.children
    while seats_given(context.together) <= SEATS:
        client.send(booked)
        if first.interface == "v3":
            client.send(bodies.cancel_request(held[0]["id"]))
        ageing.pass_time("bookings of all seats of a flight", client.profile.lifetimes.request_seconds_max + MINUTE)
        parties = (first.party, *[PassengerCounts(children)] * bool(children))
        tried = (context.v3.try_request(first.criteria, first.flights, each) for each in parties)
        requested = next((each for each in tried if each.response.succeeded), None)
        if requested is None:
            return
        booked, held = context.v3.booking(requested), requested.requests
        if not client.send(booked).succeeded:
            return
        context.together += (requested.response,)


@when("the client requests as many seats again")
def _request_once_more(context: ScenarioContext) -> None:
    context.response = context.service.send(context.request)


@when("the client requests as many seats again, or those of three such flights a day later")
def _request_seats_that_expired(ageing: Ageing, context: ScenarioContext) -> None:
    """Others may have bought the seats of one flight, or an airline may hold them for longer, but not all of them."""
    client, held = context.service, [context.booking_requests]
    if context.send(held[0].draft).status not in GONE:
        return
    with suppress(Untested):
        held += [request_last_seats(context.v3, held[0].interface) for _ in range(_FLIGHTS_TAKEN - 1)]
    before = client.clock.now()
    ageing.pass_time("booking requests for all seats of a flight", DAY)
    if client.clock.now() - before > _HALF_A_DAY:
        context.together = tuple(client.send(each.draft) for each in held)


@then("the seats are free again, unless others have bought them")
def _seats_are_free_again(context: ScenarioContext) -> None:
    statuses = [each.status for each in context.together if each.status in GONE]
    # That the last flight is sold out explains nothing: it was not when it was requested.
    context.booking_requests.response.expect(
        len(statuses) < _FLIGHTS_TAKEN,
        "the seats of three flights are still taken a day after the booking requests for them expired",
        expected="seats of one of the flights",
        actual=f"status {', '.join(map(str, statuses))}",
    )
    _a_request_should_be_accepted(context)


@when("the client requests all seats of other such flights together with unavailable flights, and then alone")
def _request_with_unavailable_flights(ageing: Ageing, context: ScenarioContext) -> None:
    """Stop at the first flight whose seats are free. If none is, try again as late as booking requests expire."""
    client, held, taken = context.service, context.booking_requests, list[RequestDraft]()
    few = [each for each in flights_with_few_seats(context.v3, held.criteria) if each[1] not in held.flights]
    gone = FlightCriteria(held.interface, "sold_out_at_request")
    unavailable = [context.v3.flight(gone)] if f"flights_{gone.situation}" in client.profile.routes else []
    for seats, flight in few[:_FLIGHTS_TAKEN]:
        party = PassengerCounts(seats)
        for other in ({**flight, "id": bodies.UNKNOWN_ID}, *unavailable):
            client.send(context.v3.request_draft(held.interface, [flight, other], party))
        draft = context.v3.request_draft(held.interface, [flight], party)
        if context.send(draft).status not in GONE:
            return
        taken.append(draft)
    ageing.pass_time("a rejected booking request", client.profile.lifetimes.request_seconds_max + MINUTE)
    context.together = tuple(client.send(each) for each in taken)


@then("no rejected booking request has held seats")
def _no_rejection_holds_seats(context: ScenarioContext) -> None:
    """Only warns of seats that do not become free: others may have had those of each flight meanwhile."""
    comparisons.add()
    if len(context.together) == _FLIGHTS_TAKEN and all(each.status in GONE for each in context.together):
        text = "the seats of three flights were gone once each was requested together with an unavailable flight"
        context.warn(text)
    freed = [each for each in context.together if each.succeeded]
    # Others may have had the seats of one flight meanwhile, but not those of several.
    next(iter(freed), context.last_response).expect(
        len(freed) < _FLIGHTS_TAKEN,
        "a booking request that was rejected because of another flight held seats until it would have expired",
        expected="free seats on one of three flights",
        actual="no free seats before, and free seats afterwards",
    )


@when("the client requests other such flights for an adult and children, and then for others")
def _request_for_children(context: ScenarioContext) -> None:
    """Request a flight for nine without regard to the seats that a search shows, which may be too few (OPEN-37).

    Then request all seats that it shows of another flight for a party, and whatever is left for others.
    """
    client, held = context.service, context.booking_requests
    client.needs("children")
    few = [each for each in flights_with_few_seats(context.v3, held.criteria) if each[1] not in held.flights]
    if not few:
        raise Untested(f"{ROUTE} has one flight only")
    for seats, flight in ((SEATS, few[-1][1]), few[0]):
        parties = (PassengerCounts(1, seats - 1), *[_ONE] * SEATS)
        context.together = ()
        for party in parties:
            context.draft = context.v3.request_draft(held.interface, [flight], party)
            context.together += (client.send(context.draft),)
            if not context.together[-1].succeeded or seats_given(context.together) > SEATS:
                break
        if seats_given(context.together) > SEATS:
            break
    context.response = context.together[-1]


@when(
    "the client requests all seats of another such flight one after the other, (?P<end>cancels|cannot pay for) one "
    "of them, and requests two"
)
def _end_one_of_several(context: ScenarioContext, end: str) -> None:
    """Request two as long as it is possible: only more than nine passengers certainly have too many seats."""
    client, interface = context.service, context.booking_requests.interface
    ended, *held = hold_seats_one_by_one(context.v3, interface)
    if end == "cancels":
        cancellation = bodies.cancel_request(ended.requests[0]["id"])
        client.send_required(cancellation, "a pending booking request could not be cancelled", "V3-CANCEL", "success")
    else:
        client.send(context.v3.booking(ended, "a card that is declined"))
    context.together = tuple(each.response for each in held)
    first = context.send(context.v3.request_draft(interface, ended.flights, PassengerCounts(2)))
    response = first
    while response.succeeded and seats_given(context.together) <= SEATS:
        context.together += (response,)
        response = client.send(context.v3.request_draft(interface, ended.flights, PassengerCounts(2)))
    context.response = first


@then("at most nine passengers have seats on the flight")
def _at_most_nine_passengers_have_seats(context: ScenarioContext) -> None:
    seats = seats_given(context.together)
    comparisons.add()
    context.together[-1].expect(
        seats <= SEATS,
        "the service must hold a seat for every adult and child of a booking request, and keep it once that is booked",
        expected=f"at most {SEATS} passengers on a flight with at most {SEATS} seats",
        actual=f"{seats} passengers",
    )


@when("the client cancels one of the booking requests and requests its seats again")
def _cancel_and_request_again(context: ScenarioContext) -> None:
    draft = bodies.cancel_request(context.booking_requests.requests[0]["id"])
    context.service.send_required(draft, "a pending booking request could not be cancelled", "V3-CANCEL", "success")
    context.response = context.service.send(context.request)


@then("the service rejects a booking request, as all seats are held")
def _a_request_is_rejected(context: ScenarioContext) -> None:
    response = context.last_response
    text = "the service must reject a booking request for seats that other booking requests hold"
    expect_status(response, response.rejected, text, "status 4xx")


@then("the service should let neither another organisation nor the other interface have them")
def _nobody_else_gets_seats(context: ScenarioContext) -> None:
    """Only warns: the documents do not say that organisations or interfaces share the seats of a flight."""
    held = context.booking_requests
    others = {"another organisation": (context.second, held.interface)} if context.second else {}
    others |= {
        each: (context.service, each)
        for each in INTERFACES
        if each in {*context.service.profile.versions} - {held.interface}
    }
    for who, (client, interface) in others.items():
        other = context.v3.of(client)
        found = other.search(FlightCriteria(interface, "last_seats")).flights
        flights = [each for each in found if journey(each) == journey(held.flights[0])][:1]
        comparisons.add(len(flights))
        if flights and (response := client.send(other.request_draft(interface, flights, held.party))).succeeded:
            context.warn(f"{who} gets seats that booking requests of {held.interface} hold", response.exchange)


@then("the service should accept a new booking request")
def _a_request_should_be_accepted(context: ScenarioContext) -> None:
    response = context.last_response
    if not context.requested and context.v3.requested_flights.may_explain(context.request, response):
        key = context.service.route_key(context.flight_criteria.route)
        raise Untested(f"[{key}] of the profile has no flight left that was not requested before")
    comparisons.add()
    if not response.array("requests"):
        context.warn(f"the service does not accept a booking request: status {response.status}", response.exchange)
