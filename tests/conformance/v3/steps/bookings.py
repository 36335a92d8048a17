"""Steps that create bookings of v2 and v3."""

from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final

from airworthy.suite.outcomes import NotApplicable, Untested, comparisons, prerequisite
from conformance.parsed_response import shown_statuses
from conformance.payments import WAY
from conformance.request_draft import RequestDraft
from conformance.scenario_context import WHO, ScenarioContext
from conformance.step_table import given, then, when
from conformance.steps.responses import expect_not_server_error, expect_rejection
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import CreatedBookings, expect_one
from conformance.v3.booking_request_client import CreatedBookingRequests
from conformance.v3.flight_client import Flight, FlightCriteria
from conformance.v3.request_bodies import INTERFACE, Interface
from conformance.v3.requested_flights import GONE
from conformance.v3.steps.booking_requests import NUMBERS, prepare_booking_request
from conformance.v4.request_bodies import PassengerCounts

_FLIGHTS_WITH_LUGGAGE = 3
# As long as a hash that a client may use for tracing.
_LONG_ID = 64
_PAYMENT_ERRORS = (HTTPStatus.PAYMENT_REQUIRED, HTTPStatus.UNPROCESSABLE_ENTITY)

# Bookings that the service would accept

_WITH = r"(?P<many> of two booking requests)?(?: with (?P<extra>3D Secure results|a payment method|customer data))?"


@given(rf"a booking in {INTERFACE}{_WITH} that the service would accept")
def _a_booking_that_would_be_accepted(
    context: ScenarioContext, interface: Interface, extra: str | None = None, many: str | None = None
) -> None:
    criteria = FlightCriteria(interface)
    by = "a payment method and three_d_secure 2.2.0" if extra == "3D Secure results" else "a payment method"
    context.v3.booked_by(criteria, by)
    requested = context.v3.any_request(criteria, 2 if many else 1)
    context.keep_requested(requested)
    context.draft = context.v3.booking(requested, by if extra == "a payment method" else context.v3.usual(criteria, by))
    if extra == "customer data":
        context.draft = bodies.with_complete_customer_data(context.draft, is_company=False)


# Creation

# What a booking violates where its booking request has ended.
_ENDED: Final = ("V3-BOOKINGS-CANCELLED", "V23-REQUEST-LIFETIME", "V23-BOOKINGS-PAYMENT-FAILS", "V23-BOOKINGS-ONCE")
_ACCEPTED: Final[Mapping[str, str]] = {
    "sold_out_at_booking": "has flights that can be booked",
    "price_moves": "has flights that can be booked at the price of their booking request",
}


@when(
    rf"{WHO} creates a booking(?P<data> with customer data)?"
    rf"(?: paid by (?P<by>self_psp|{WAY})| of both booking requests)?",
    *_ENDED,
)
def _create_booking(context: ScenarioContext, who: str, data: str | None, by: str | None) -> None:
    one, pending = context.v3, context.booking_requests
    if who == "second organisation":
        one = context.v3.of(context.second_organisation)
    else:
        one.expect_payable(pending.interface, by or "")
        if by not in (None, "self_psp", "a payment method"):
            # A rejection shows something only if the service accepts other payments.
            one.booked(FlightCriteria(pending.interface))
    draft = one.booking(pending, by)
    draft = bodies.with_customer_data(draft) if data else draft
    response = context.send(draft, one.service)
    if response.succeeded:
        context.booked = CreatedBookings(pending, draft, response)
    instead = _ACCEPTED.get(pending.criteria.situation)
    if instead and response.succeeded and response.array("bookings"):
        one.expect_elsewhere(pending.criteria, lambda each: one.book_anything(each).status in GONE, instead)


@when("the second organisation books on deposit with the customer code of the first one")
def _book_with_the_code_of_the_first(context: ScenarioContext) -> None:
    code = context.v3.customer_code(context.booking_requests.interface)
    context.send(context.request.with_value("customer_code", code), context.second_organisation)


@when("the client books the pending booking request together with one that it creates afterwards")
def _book_with_a_later_request(context: ScenarioContext) -> None:
    pending = context.booking_requests
    later = context.v3.request(pending.criteria, party=pending.party)
    draft = bodies.with_another_request(context.v3.booking(pending), later.requests[0])
    if context.send(draft).rejected:
        raise NotApplicable("the service does not book two booking requests that were created one by one (OPEN-98)")


@when("the second organisation books a booking request of its own together with it")
def _book_with_one_of_another(context: ScenarioContext) -> None:
    pending, second = context.booking_requests, context.v3.of(context.second_organisation)
    own = second.request(pending.criteria, party=pending.party)
    draft = bodies.with_another_request(second.booking(own), pending.requests[0])
    context.send(draft, second.service)


@then("the service should not book it")
def _booking_should_leave_it_out(context: ScenarioContext) -> None:
    """Warn if all are booked; a service may book the own one (OPEN-97)."""
    expect_not_server_error(context)
    if len(context.last_response.array("bookings")) > 1:
        context.warn("the service books a booking request of another organisation together with an own one")


@when("the client books another booking request with the same external id")
def _book_with_the_same_external_id(context: ScenarioContext) -> None:
    external_id = context.request.body["external_id"]
    draft = context.v3.booking(context.v3.any_request(context.booking_requests.criteria))
    context.send(draft.with_value("external_id", external_id))


@when("the second organisation books another booking request with the same external id")
def _book_with_the_external_id_of_the_first(context: ScenarioContext) -> None:
    """Book with an id that the organisation has not used itself, and whose other use it cannot know."""
    second = context.v3.of(context.second_organisation)
    draft = second.booking(second.request(FlightCriteria(context.flight_criteria.interface)))
    context.send(draft.with_value("external_id", context.created_bookings.draft.body["external_id"]), second.service)


@when("the client creates a booking on deposit, where it may", *_ENDED)
def _book_on_deposit(context: ScenarioContext) -> None:
    if context.v3.credentials(context.booking_requests.interface).self_psp:
        context.send(context.v3.booking(context.booking_requests, "self_psp"))


@when(
    r"the client creates a booking of the (?P<which>first|second) booking request only"
    r"(?P<with_long_id>, with a long external id)?",
    *_ENDED,
)
def _book_one_of_two_requests(context: ScenarioContext, which: str, with_long_id: str | None) -> None:
    """Book the second one on deposit where that is possible, as the first is paid by card, both as one trip."""
    pending = context.booking_requests
    on_deposit = which == "second" and context.v3.credentials(pending.interface).self_psp
    draft = context.v3.booking(pending, "self_psp" if on_deposit else None)
    external_id = f"trip-{pending.requests[0]['id']}"
    draft = draft.with_value("external_id", external_id.ljust(_LONG_ID, "0") if with_long_id else external_id)
    draft = bodies.of_one_request(draft, pending.requests[("first", "second").index(which)]["id"])
    context.together = (*context.together, context.send(draft))


@then("the service rejects at least one of both with 403 Forbidden")
def _an_aborted_request_of_two_is_forbidden(context: ScenarioContext) -> None:
    """Expect 403 for an aborted booking request, and warn if the payment aborted only one of them (OPEN-97)."""
    context.last_response.expect(
        HTTPStatus.FORBIDDEN in [response.status for response in context.together],
        "the service must reject the booking of an aborted booking request with 403 Forbidden",
        expected="status 403 for at least one of two booking requests",
        actual=shown_statuses(context.together),
    )
    if booked := [each for each in context.together if each.succeeded]:
        context.warn("a failed payment for two booking requests aborts only one of them", booked[0].exchange)


@then("the service should not book what it rejected as a payment")
def _a_failed_payment_aborts(context: ScenarioContext) -> None:
    attempted, again = context.together
    comparisons.add()
    if attempted.status in _PAYMENT_ERRORS and again.succeeded:
        context.warn("the service books a booking request after it rejected a payment for it", again.exchange)


@when("the client books the same booking request without 3D Secure results", "V23-BOOKINGS-PAYMENT-FAILS")
def _book_without_3d_secure(context: ScenarioContext) -> None:
    attempted, pending = context.last_response, context.booking_requests
    context.together = (attempted, context.send(context.v3.booking(pending)))


@then("the service rejects the request with 403 Forbidden if the payment failed before")
def _aborted_request_is_forbidden(context: ScenarioContext) -> None:
    attempted, again = context.together
    comparisons.add()
    if attempted.status != HTTPStatus.BAD_REQUEST:
        expect_rejection(again, "Forbidden")


@when(r"the client books the booking request in (?P<other>v2|v3)")
def _book_in_interface(context: ScenarioContext, other: Interface) -> None:
    requested = replace(context.booking_requests, criteria=FlightCriteria(other))
    context.send(context.v3.booking(requested))


@when(rf"the client books a family in {INTERFACE} whose members send some of the optional fields each")
def _book_some_optional_fields(context: ScenarioContext, interface: Interface) -> None:
    criteria, party, flights = FlightCriteria(interface), context.v3.family, list[Flight]()

    def make() -> RequestDraft:
        flight = context.v3.flight_that(criteria, lambda each: each.get("need_apis") is False, party=party)
        if flight is None:
            raise NotApplicable("every flight requires travel documents")
        flights[:] = [flight]
        draft = context.v3.request_draft(interface, flights, party)
        return bodies.with_some_optional_fields(draft) if interface == "v3" else draft

    draft, response = context.v3.send_available(make)
    context.v3.require_requested(interface, response, "requests")
    requested = CreatedBookingRequests(criteria, draft, response, flights, party)
    booking = context.v3.booking(requested)
    booking = bodies.with_some_optional_fields(booking) if interface == "v2" else booking
    context.keep_booked(CreatedBookings(requested, booking, context.send(booking)))


@when(r"the client creates a booking of (?P<number>three|four) booking requests")
def _book_requests(context: ScenarioContext, number: str) -> None:
    """Book the pending booking request together with others."""
    pending, draft = context.booking_requests, context.request
    for _ in range(NUMBERS[number] - 1):
        other = context.v3.request(pending.criteria, party=pending.party)
        draft = bodies.with_another_request(draft, other.requests[0])
    context.send(draft)


@when("the client creates a booking of an unknown booking request")
def _book_unknown_request(context: ScenarioContext) -> None:
    unknown = {**context.booking_requests.requests[0], "id": bodies.UNKNOWN_ID}
    context.send(bodies.of_one_request(bodies.with_another_request(context.request, unknown), bodies.UNKNOWN_ID))


@then("the service books it, or rejects it because its card is not a Mastercard")
def _the_service_books_with_a_mastercard(context: ScenarioContext) -> None:
    response = context.last_response
    # A service may reject Mastercard's indicator with a card of another brand (OPEN-52).
    if response.rejected and context.service.payments.lacks_mastercard():
        return
    expect_one(response, "booking", "the service must book with a full authentication of a Mastercard (indicator 02)")


@when("the client requests a flight and books it, both with an unknown customer code")
def _request_and_book_with_an_unknown_code(context: ScenarioContext) -> None:
    """The booking request may be rejected already, or not (OPEN-90); it does not make the code known."""
    criteria, party, unknown = context.flight_criteria, PassengerCounts(), f"{bodies.UNKNOWN_CUSTOMER}-TWICE"
    flight = context.v3.flight(criteria)
    draft = context.v3.request_draft(criteria.interface, [flight], party).with_value("customer_code", unknown)
    requested = CreatedBookingRequests(criteria, draft, context.send(draft), [flight], party)
    if requested.response.succeeded and requested.are_usable(1):
        context.send(context.v3.booking(requested).with_value("customer_code", unknown))


# Luggage of v2


@when("the client sends the request with luggage of another booking request")
def _send_request_with_luggage_of_another_request(context: ScenarioContext) -> None:
    luggage = dict(context.request.body["luggage"])
    options: list[Any] = next(iter(luggage.values()), [])
    context.send(context.request.with_value("luggage", luggage | {str(bodies.UNKNOWN_ID): options}))


@when("the client books a booking request with 2 pieces of luggage for one passenger")
def _book_too_much_luggage(context: ScenarioContext) -> None:
    """Send them for each luggage option in turn, of a flight with several of them if one is found soon."""
    for _ in range(_FLIGHTS_WITH_LUGGAGE):
        requested = context.v3.request(context.flight_criteria, bag="checked")
        draft = context.v3.booking(requested)
        key, options = next(iter(draft.body["luggage"].items()))
        if len(options) > 1:
            break
    with prerequisite(
        "a booking request has no luggage options", rule="V2-REQUESTS-ANSWER", exchange=requested.response.exchange
    ):
        assert options
    for at in range(len(options)):
        context.send(draft.with_value(f"luggage.{key}[{at}].quantity", 2))


@when(
    "the client books two booking requests "
    "(?P<how>without luggage|with 2 pieces of luggage for one passenger|with luggage without a price)"
    " for the second one"
)
def _book_other_luggage_for_the_second(context: ScenarioContext, how: str) -> None:
    criteria = context.flight_criteria
    requested = context.v3.request(criteria, count=2, bag="checked")
    draft = context.v3.booking(requested)
    second = str(requested.requests[1]["id"])
    last = len(draft.body["luggage"][second]) - 1
    if last < 0:
        raise Untested("the second of two flights has no luggage options")
    options = f"luggage.{second}"
    match how:
        case "without luggage":
            draft = draft.without(options)
        case "with luggage without a price":
            draft = draft.without(f"{options}[{last}].price")
        case _:
            draft = draft.with_value(f"{options}[{last}].quantity", 2)
    context.send(draft)


# Any operation


@given(rf"a request of (?P<operation>\w+) in {INTERFACE} that the service accepts")
def _a_request_of_an_operation(context: ScenarioContext, operation: str, interface: Interface) -> None:
    criteria = FlightCriteria(interface)
    context.flights = criteria
    match operation.removesuffix("V2"):
        case "searchFlights" | "searchRoundTrips" as search:
            is_trip = search == "searchRoundTrips"
            found = context.v3.round_trips("regular") if is_trip else context.v3.search(criteria)
            context.draft, context.response = found.draft, found.response
        case "createRequests":
            prepare_booking_request(context, interface)
        case "cancelRequest":
            context.draft = bodies.cancel_request(context.v3.any_request(criteria).requests[0]["id"])
        case "createBookings":
            _a_booking_that_would_be_accepted(context, interface)
        case _:
            context.draft = bodies.get_bookings(interface, context.v3.booked(criteria).reference)


@when("the client sends the request with the bare token")
def _send_request_with_the_bare_token(context: ScenarioContext) -> None:
    token = context.v3.credentials(context.flight_criteria.interface).token.reveal()
    context.response = context.service.send(context.request, key=token)
