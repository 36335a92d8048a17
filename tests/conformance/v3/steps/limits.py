"""Steps that use the limits and the optional members of v2 and v3."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, Final

from airworthy.contract.http.transaction import items, whole
from airworthy.suite.outcomes import NotApplicable, Untested, comparisons, prerequisite
from conformance.parsed_response import shown_statuses
from conformance.request_draft import RequestDraft
from conformance.scenario_context import ScenarioContext
from conformance.step_table import given, then, when
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import CreatedBookings, expect_one
from conformance.v3.booking_request_client import CreatedBookingRequests
from conformance.v3.flight_client import Flight, FlightCriteria
from conformance.v3.request_bodies import INTERFACE, Interface
from conformance.v3.requested_flights import GONE
from conformance.v4.request_bodies import PassengerCounts

_INFANTS: Final = PassengerCounts(2, 0, 2)
_RESTARTS: Final = 3
# The rule that forbids to book it, and what it is.
_UNUSABLE: Final = {
    "an unknown one": ("V23-BOOKINGS-UNKNOWN-REQUEST", "an unknown booking request"),
    "that of the paid booking": ("V23-BOOKINGS-ONCE", "a booking request that is booked already"),
    "the cancelled one": ("V3-BOOKINGS-CANCELLED", "a cancelled booking request"),
    "the expired one": ("V23-REQUEST-LIFETIME", "an expired booking request"),
    "the one whose payment failed": ("V23-BOOKINGS-PAYMENT-FAILS", "a booking request whose payment failed"),
    "the one whose flight is gone": ("V23-BOOKINGS-CONFLICT", "a booking request whose flight is gone"),
}


@given(rf"flights in {INTERFACE} that are sold to infants")
def _flights_for_infants(context: ScenarioContext, interface: Interface) -> None:
    context.flights = FlightCriteria(interface)
    # Shows how the service writes passengers (OPEN-10, OPEN-83).
    context.v3.requested(context.flights)


@when("the client requests one for two adults and two infants")
def _the_client_requests_for_infants(context: ScenarioContext) -> None:
    criteria = context.flight_criteria

    def make() -> RequestDraft:
        return context.v3.request_draft(criteria.interface, [context.v3.flight(criteria, _INFANTS)], _INFANTS)

    context.draft, context.response = context.v3.send_available(make)


@when("the client books it, if it was accepted")
def _the_client_books_for_infants(context: ScenarioContext) -> None:
    """Book two infants, in v2 before the adults, so that neither a count of one nor the order identifies them."""
    criteria = context.flight_criteria
    requested = CreatedBookingRequests(criteria, context.request, context.last_response, (), _INFANTS)
    if not requested.requests:
        raise NotApplicable("the service accepts no booking request for two infants (OPEN-84)")
    draft = context.v3.booking(requested)
    if "passengers" in draft.body:
        draft = draft.with_value("passengers", draft.body["passengers"][::-1])
    response = context.service.send(draft)
    if not response.array("bookings"):
        raise NotApplicable("the service does not book two infants (OPEN-84)")
    context.keep_booked(CreatedBookings(requested, draft, response))


@then("the service accepts a new booking request, unless the flight is gone")
def _the_service_accepts_a_new_booking_request(context: ScenarioContext) -> None:
    if context.last_response.status in GONE:
        comparisons.add()
        context.warn("the flight of a cancelled booking request is gone")
    else:
        expect_one(context.last_response, "booking request", "the service must accept a documented booking request")


@when("the client requests its flight again")
def _the_client_requests_its_flight_again(context: ScenarioContext) -> None:
    """Request the flight of a cancelled booking request; if it is no longer available, cancel and request another."""

    def again(cancelled: CreatedBookingRequests) -> RequestDraft:
        return context.v3.request_draft("v3", cancelled.flights, cancelled.party)

    if context.send(again(context.booking_requests)).status in GONE:
        context.draft, context.response = context.v3.send_available(lambda: again(context.v3.cancelled()))


@when("the client requests its flight again and books it")
def _the_client_restarts_the_flow(context: ScenarioContext) -> None:
    """Request the flight or, if it is gone, that of another booking request whose payment failed, and book it."""
    ended = context.booking_requests
    for number in range(_RESTARTS):
        ended = context.v3.declined(ended.criteria) if number else ended
        new = context.v3.try_request(ended.criteria, ended.flights, ended.party)
        context.draft, context.response = new.draft, new.response
        if new.response.succeeded and new.are_usable(1):
            context.send(context.v3.booking(new))
            return
        # Whether the seats of the booking request are free at once is not documented.
        if (whole(ended.flights[0].get("available_seats")) or 0) >= 2 * len(ended.party.types):
            context.together += (new.response,)


@then("the service books the flight, unless it is gone")
def _the_service_books_the_flight_anew(context: ScenarioContext) -> None:
    comparisons.add()
    context.last_response.expect(
        len(context.together) < _RESTARTS,
        "no flight can be requested again after a payment failed, although the search shows seats for others",
        expected=f"a new booking request of one of {_RESTARTS} flights",
        actual=shown_statuses(context.together),
    )
    is_booked = context.request.operation.startswith("createBookings")
    if is_booked and context.last_response.status not in GONE:
        expect_one(context.last_response, "booking", "the service must book a new booking request of the same flight")


@when("the client cancels the second of two booking requests and books the first")
def _the_client_cancels_one_and_books_the_other(context: ScenarioContext) -> None:

    def make() -> RequestDraft:
        requested = context.v3.cancelled(count=2)
        context.keep_requested(requested)
        return bodies.of_one_request(context.v3.booking(requested), requested.requests[0]["id"])

    context.draft, context.response = context.v3.send_available(make)


@when("the client sends a booking with an unknown customer code, and then with its own")
def _the_client_corrects_a_customer_code(context: ScenarioContext) -> None:
    def spoil(draft: RequestDraft) -> RequestDraft:
        return draft.with_value("customer_code", bodies.UNKNOWN_CUSTOMER)

    _correct(context, [spoil], "V23-BOOKINGS-CUSTOMER-UNKNOWN", "an unknown customer code")


@when(
    rf"the client books a pending booking request together with (?P<other>{'|'.join(_UNUSABLE)}), "
    "and then without it"
)
def _the_client_leaves_out_an_unusable_request(context: ScenarioContext, other: str) -> None:
    rule, mistake = _UNUSABLE[other]
    context.capture.expected.add(rule)
    [known] = context.booking_requests.requests
    unusable = {**known, "id": bodies.UNKNOWN_ID} if other == "an unknown one" else known
    first, last = (partial(bodies.with_another_request, request=unusable, is_first=each) for each in (True, False))

    def last_of_two(draft: RequestDraft) -> RequestDraft:
        listed = draft.body.get("request_ids") or draft.body["requests"]
        return last(bodies.of_one_request(draft, listed[0]))

    # The last of three, too, in v2. A service may reject any three (OPEN-19), so that two show more.
    mistakes: list[Callable[[RequestDraft], RequestDraft]] = [last_of_two, first]
    if context.flight_criteria.interface == "v2":
        # What is checked for a customer code may not be checked where the customer is described.
        mistakes += [last, lambda draft: last_of_two(bodies.with_customer_data(draft))]
    _correct(context, mistakes, rule, mistake, unusable)


def _correct(
    context: ScenarioContext,
    mistakes: Sequence[Callable[[RequestDraft], RequestDraft]],
    rule: str,
    mistake: str,
    unusable: Mapping[str, Any] | None = None,
) -> None:
    """Send a booking with each mistake, then without one. If a mistake is accepted, the service violates ``rule``.

    A service may book the pending booking requests without the ``unusable`` one (OPEN-97).
    """
    criteria = FlightCriteria(context.flight_criteria.interface)
    by = context.v3.usual(criteria)
    # Requests for other passengers or customers may be rejected for that alone (OPEN-98).
    like = context.booking_requests if unusable else None
    request = partial(
        context.v3.request,
        criteria,
        count=bodies.MOST_TOGETHER[criteria.interface] - 1,
        party=like.party if like else None,
        names_customer=like is None or "customer_code" in like.draft.body,
    )
    # What is checked with a card may not be checked on deposit.
    ways = [by, "self_psp"] if context.v3.credentials(criteria.interface).self_psp else [by]

    def make() -> RequestDraft:
        pending = request()
        # Nothing is paid by what is rejected, so that the payment of one booking will do.
        right = [context.v3.booking(pending, way) for way in dict.fromkeys(ways)]
        for draft, spoil in product(right, mistakes):
            response = context.service.send(spoil(draft))
            booked = [booking.get("request_id") for booking in items(response.body, "bookings")]
            if unusable and booked and unusable["id"] not in booked:
                raise NotApplicable("the service books the pending booking request without the other one")
            text = f"a booking with {mistake} is not rejected"
            with prerequisite(text, rule=rule, exchange=response.exchange):
                assert response.rejected
        # With another payment method: whether one can be used again is open (OPEN-100), and so is when it is charged.
        return context.v3.booking(pending, by)

    context.draft, context.response = context.v3.send_available(make)


@then("the service should (?:book the other|still book the) booking request")
def _the_service_books_the_other_request(context: ScenarioContext) -> None:
    """A conflict counts, too: it happened to each of several flights that the booking requests held."""
    comparisons.add()
    if not context.last_response.array("bookings"):
        text = "the service does not book a booking request that no documented transition ended"
        context.warn(f"{text}: status {context.last_response.status}")


@when("the client books a flight for two passengers with two pieces of luggage")
def _the_client_books_two_pieces_of_luggage(context: ScenarioContext) -> None:
    criteria, party = context.flight_criteria, PassengerCounts(2)
    requested = context.v3.request(criteria, party=party, bag="checked")
    draft = context.v3.booking(requested)
    luggage = {key: [dict(option) for option in options] for key, options in draft.body["luggage"].items()}
    options = next((each for each in luggage.values() if each), None)
    if options is None:
        raise Untested("a booking request has no luggage options")
    # The quantity of an option may be the most pieces that can be chosen (OPEN-81).
    most = bodies.options(requested.requests[0].get("flight") or {}, "v2", "checked")[0].get("quantity")
    is_limited = most == 1 and len(options) > 1
    for option in options[: 2 if is_limited else 1]:
        option["quantity"] = 1 if is_limited else 2
    context.send(draft.with_value("luggage", luggage))


@when("the client books two flights with a piece of luggage for each passenger")
def _the_client_books_luggage_on_two_flights(context: ScenarioContext) -> None:
    criteria, flights = context.flight_criteria, list[Flight]()

    def make() -> RequestDraft:
        flights[:] = context.v3.flights_with_bags(criteria)
        return context.v3.request_draft("v2", flights, PassengerCounts())

    draft, response = context.v3.send_available(make, 2)
    context.v3.require_requested("v2", response, "requests")
    requested = CreatedBookingRequests(criteria, draft, response, flights, PassengerCounts(), pieces=bodies.ONE)
    context.keep_requested(requested)
    response = context.send(context.v3.booking(requested))
    if response.status in GONE:
        raise context.service.sold_out(criteria.route, response)


@then("the service books the flight")
def _the_service_books_the_flight(context: ScenarioContext) -> None:
    response = context.last_response
    # Prices and seats may have changed since the booking request, which is a conflict.
    if response.status in GONE:
        raise context.service.sold_out(context.flight_criteria.route, context.last_response)
    expect_one(response, "booking", "the service must book a documented booking with all optional members")
