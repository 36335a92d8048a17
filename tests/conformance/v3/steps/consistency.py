"""Steps that compare responses of v2 and v3 that must agree."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from pytest_bdd import parsers

from airworthy.contract.transaction import as_number, items, member
from airworthy.contract.v3.lasting_values import journey
from airworthy.suite.outcomes import Untested, comparisons, expect
from conformance.fixtures import RecordWarning
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.scenario_context import ScenarioContext
from conformance.step_table import given, then, when
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import BookingClient, CreatedBookingRequests, CreatedBookings
from conformance.v3.flight_client import Flight, FlightCriteria, FlightSearchResult
from conformance.v3.request_bodies import INTERFACE, BagKind, Interface
from conformance.v4.request_bodies import PassengerCounts

_WINDOWS = 6
_DAY = timedelta(days=1)
# A search is read this often before a difference counts: results come from a cache and change (OPEN-37).
_READINGS = 2


# Windows


@given(parsers.re(rf"a flight search in {INTERFACE} over several days"))
def _a_search_over_several_days(booking_client: BookingClient, context: ScenarioContext, interface: Interface) -> None:
    criteria = FlightCriteria(interface)
    for window in range(_WINDOWS):
        found = booking_client.search(criteria, window)
        if len(_days(found.flights)) > 1:
            context.flights, context.draft, context.response = criteria, found.draft, found.response
            return
    raise Untested(f"a search on [routes.{criteria.route}] finds flights on one day only")


@when("the client leaves out the last day, then both days")
def _the_client_leaves_out_the_days(booking_client: BookingClient, context: ScenarioContext) -> None:
    dated = context.request
    today = booking_client.today
    near = dated.with_query(start=today.isoformat(), end=(today + 3 * _DAY).isoformat())
    context.drafts = [dated, dated.with_query(end=None), near, dated.with_query(start=None, end=None)]


@then("the service finds flights on the days of the explicit window")
def _the_default_window_is_the_explicit_one(booking_client: BookingClient, context: ScenarioContext) -> None:
    dated, without_end, near, without_dates = context.drafts
    _expect_same_days(booking_client, dated, without_end, "end must be start + 3 days by default")
    # Today may be another day where the service is: tomorrow and the day after are in the window all the same.
    today = booking_client.today
    certain = {(today + _DAY).isoformat(), (today + 2 * _DAY).isoformat()}
    _expect_same_days(booking_client, near, without_dates, "start must be today by default", certain)


def _expect_same_days(
    booking_client: BookingClient,
    explicit: RequestDraft,
    default: RequestDraft,
    message: str,
    certain: set[str] | None = None,
) -> None:
    """Fail where a search finds flights on other days than the explicit search, in two readings."""
    for _ in range(_READINGS):
        days, response = _read_days(booking_client, explicit)
        found, response = _read_days(booking_client, default)
        if certain is not None:
            days, found = days & certain, found & certain
        comparisons.add(len(days))
        if days == found:
            return
    expect(
        False,
        message,
        expected=f"flights on {', '.join(sorted(days)) or 'no day'}, as with explicit dates",
        actual=f"flights on {', '.join(sorted(found)) or 'no day'}",
        pointer="/results",
        exchange=response.exchange,
    )


def _read_days(booking_client: BookingClient, draft: RequestDraft) -> tuple[set[str], ParsedResponse]:
    """Return the days on which a search finds flights, over all its pages."""
    response = booking_client.service.send_required(
        draft, "the service did not accept a documented flight search", "V23-FLIGHTS-ANSWER"
    )
    pages = booking_client.pages(FlightSearchResult(draft, response))
    return {day for page in pages for day in _days(page.array("results"))}, response


def _days(flights: Iterable[Any]) -> set[str]:
    return {str(flight.get("departure_date"))[:10] for flight in flights if isinstance(flight, Mapping)}


# Pages


@given(parsers.re(rf"a flight search in {INTERFACE} with many flights"))
def _a_search_with_many_flights(booking_client: BookingClient, context: ScenarioContext, interface: Interface) -> None:
    criteria = FlightCriteria(interface, "many")
    found = booking_client.search_with_flights(criteria)
    context.flights, context.draft, context.response = criteria, found.draft, found.response


@when("the client searches the flights of two of its days")
def _the_client_searches_two_days(context: ScenarioContext) -> None:
    first = date.fromisoformat(context.request.query["start"]) + _DAY
    # Both days are in the longer window, even where the last day of a window is not included (OPEN-78).
    shorter = context.request.with_query(start=first.isoformat(), end=(first + _DAY).isoformat())
    context.drafts = [context.request, shorter]


@then("every flight of these days is on one of the pages")
def _every_flight_is_on_a_page(booking_client: BookingClient, context: ScenarioContext) -> None:
    whole, shorter = context.drafts
    missing: set[Any] = set()
    for reading in range(_READINGS):
        first = context.last_response if not reading else booking_client.service.send(whole)
        pages = booking_client.pages(FlightSearchResult(whole, first))
        response = booking_client.service.send_required(
            shorter, "the service did not accept a documented flight search", "V23-FLIGHTS-ANSWER"
        )
        part = booking_client.pages(FlightSearchResult(shorter, response))
        flights, listed = _flown(part), _flown(pages)
        if not flights:
            raise Untested("a search on [routes.flights_many] finds no flights on the second and third day")
        comparisons.add(len(flights))
        missing = flights - listed
        if not missing:
            return
    expect(
        False,
        "the pages of a search must contain every flight of its days",
        expected=f"{len(flights)} flights of a shorter search",
        actual=f"{len(missing)} of them on none of {len(pages)} pages",
        pointer="/results",
        exchange=pages[-1].exchange,
    )


def _flown(pages: Iterable[ParsedResponse]) -> set[Any]:
    """Return what identifies each flight to a passenger: another search may show it under another id."""
    flights = (flight for page in pages for flight in page.array("results"))
    return {(journey(flight), *_flown_as(flight)) for flight in flights}


# Infants


@given(parsers.re(rf"a flight search in {INTERFACE} on a route without infant tickets"))
def _a_search_without_infants(booking_client: BookingClient, context: ScenarioContext, interface: Interface) -> None:
    criteria = FlightCriteria(interface, "no_infants")
    found = booking_client.search_with_flights(criteria)
    context.flights, context.draft, context.response = criteria, found.draft, found.response


@when("the client requests one of the flights without an infant price")
def _the_client_requests_a_flight_without_infants(booking_client: BookingClient, context: ScenarioContext) -> None:
    expect(
        any(flight.get("infant_price") is None for flight in context.last_response.array("results")),
        "infant_price of a flight must be null if infant tickets are not available",
        expected="null on [routes.flights_no_infants], as the profile says",
        actual="a price for every flight",
        pointer="/results/0/infant_price",
        exchange=context.last_response.exchange,
    )
    context.keep_requested(booking_client.requested(context.flight_criteria))


@then("the infant price of the booking request is null")
def _the_infant_price_is_null(context: ScenarioContext) -> None:
    searched = {str(flight["id"]): flight for flight in context.booking_requests.flights}
    for request in context.booking_requests.requests:
        shown = searched.get(str(member(request, "flight", "id")), {"infant_price": 0})
        expect(
            shown.get("infant_price") is not None or member(request, "infant_price") is None,
            "infant_price of a booking request must be null if infant tickets are not available",
            expected="null, as in the search",
            actual=request.get("infant_price"),
            pointer="/requests/0/infant_price",
            exchange=context.last_response.exchange,
        )


# Booking requests


@given(parsers.re(rf"an accepted booking request in {INTERFACE}"))
def _an_accepted_booking_request(booking_client: BookingClient, context: ScenarioContext, interface: Interface) -> None:
    context.keep_requested(booking_client.requested(FlightCriteria(interface)))


_SAME: Mapping[str, tuple[str, ...]] = {
    "origin": ("origin", "iata_code"),
    "destination": ("destination", "iata_code"),
    "departure_date": ("departure_date",),
}


@then("its flight has the airports and the departure of the search")
def _its_flight_is_that_of_the_search(context: ScenarioContext) -> None:
    searched = {str(flight["id"]): flight for flight in context.booking_requests.flights}
    for request in context.booking_requests.requests:
        flight = request.get("flight")
        shown = searched.get(str(member(flight, "id")), {})
        for name, path in _SAME.items():
            before, now = member(shown, *path), member(flight, *path)
            expect(
                None in (before, now) or before == now,
                f"{name} of the flight of a booking request must be that of the search",
                expected=before,
                actual=now,
                pointer="/requests/0/flight",
                exchange=context.last_response.exchange,
            )
        before, now = _flown_as(shown), _flown_as(flight)
        expect(
            len(before) != len(now) or before == now,
            "the flight numbers of a booking request must be those of the search",
            expected=", ".join(map(str, before)),
            actual=", ".join(map(str, now)),
            pointer="/requests/0/flight/segments",
            exchange=context.last_response.exchange,
        )


def _flown_as(flight: Any) -> list[Any]:
    """Return the marketing flight numbers of the segments, in any order (OPEN-80)."""
    return sorted(str(segment.get("marketing_carrier_flight_number")) for segment in items(flight, "segments"))


# Bookings


@given(parsers.re(rf"a paid booking in {INTERFACE}(?: with a (?P<bag>checked|cabin) bag)?"))
def _a_paid_booking(
    booking_client: BookingClient, context: ScenarioContext, interface: Interface, bag: BagKind | None
) -> None:
    context.keep_booked(booking_client.booked(FlightCriteria(interface), bag=bag))


@given("a paid booking in v3 of two flights with a checked bag on one of them")
def _a_paid_booking_with_a_bag_on_one_flight(booking_client: BookingClient, context: ScenarioContext) -> None:
    criteria, party = FlightCriteria("v3"), PassengerCounts()
    by = booking_client.usual(criteria, "a payment method")
    # Shows how the service writes passengers (OPEN-10, OPEN-83).
    booking_client.requested(criteria)
    for _ in range(_READINGS):
        flights = [booking_client.flight(criteria), booking_client.flight(criteria, bag="checked")]
        draft = booking_client.request_draft("v3", flights, party)
        bags = draft.body["bags"] | {str(flights[1]["id"]): bodies.bag_options(flights[1], {"checked": 1})}
        draft = draft.with_value("bags", bags)
        response = booking_client.service.send(draft)
        if response.succeeded and len(bags) == len(flights):
            requested = CreatedBookingRequests(criteria, draft, response, flights, party)
            paid = booking_client.booking(requested, by)
            booked = booking_client.service.send(paid)
            if booked.succeeded:
                context.keep_booked(CreatedBookings(requested, paid, booked))
                return
    raise Untested("two flights could not be booked together, one of them with a bag")


@then("its price is the price of its booking request")
def _its_price_is_that_of_the_request(context: ScenarioContext) -> None:
    """Compare the prices of one adult, for whom the price of a person and of all passengers is the same (OPEN-82)."""
    booked = context.created_bookings
    held = {str(request["id"]): request for request in booked.requested.requests}
    for booking in booked.bookings:
        request = held.get(str(booking.get("request_id")), {})
        before, now = request.get("price"), booking.get("price")
        if not all(isinstance(each, int | float) for each in (before, now)):
            continue
        # Whether either price includes the fee of the card, a fraction or an amount, is open (OPEN-82).
        fees = (request.get("cc_fee"), booking.get("cc_fee"))
        fee = max((each for each in fees if isinstance(each, int | float) and each > 0), default=0)
        possible = (before, before + fee, before - fee, before * (1 + fee), before / (1 + fee))
        expect(
            any(abs(now - each) < 0.02 for each in possible),
            "price of a booking must be the price that its booking request holds",
            expected=before,
            actual=now,
            pointer="/bookings/0/price",
            exchange=booked.response.exchange,
        )


@then("its status is one of a new booking")
def _its_status_is_one_of_a_new_booking(context: ScenarioContext) -> None:
    booked = context.created_bookings
    for booking in booked.bookings:
        # When a booking becomes CHANGED is open (OPEN-11); that a new one is CANCELED is not in the table of states.
        expect(
            booking.get("status") != "CANCELED",
            "a booking that was just paid must not be CANCELED",
            expected="AWAITING_PNR_AIRLINE or CONFIRMED",
            actual=booking.get("status"),
            pointer="/bookings/0/status",
            exchange=booked.response.exchange,
        )


@then("its bags are those that were requested")
def _its_bags_are_those_that_were_requested(context: ScenarioContext) -> None:
    booked = context.created_bookings
    for booking in booked.bookings:
        requested, listed = _requested_bags(booked, booking), _booked_bags(booking)
        if requested is None or listed is None:
            continue
        expect(
            requested == listed,
            "bags of a booking must be those that were requested, by weight",
            expected=", ".join(sorted(map(str, requested.elements()))),
            actual=", ".join(sorted(map(str, listed.elements()))) or "none",
            pointer="/bookings/0/luggage" if booked.requested.interface == "v2" else "/bookings/0/bags",
            exchange=booked.response.exchange,
        )


@then("its bags cost what its booking request holds")
def _its_bags_cost_what_was_held(context: ScenarioContext) -> None:
    booked = context.created_bookings
    held = {str(request["id"]): request.get("bags_fee") for request in booked.requested.requests}
    for index, booking in enumerate(booked.bookings):
        for kind in ("checked", "cabin"):
            before, now = member(held.get(str(booking.get("request_id"))), kind), member(booking, "bags_fee", kind)
            if all(isinstance(each, int | float) for each in (before, now)):
                expect(
                    abs(now - before) < 0.02,
                    f"bags_fee for the {kind} bags of a booking must be that of its booking request",
                    expected=before,
                    actual=now,
                    pointer=f"/bookings/{index}/bags_fee/{kind}",
                    exchange=booked.response.exchange,
                )


def _requested_bags(booked: CreatedBookings, booking: Mapping[str, Any]) -> Counter[Any] | None:
    if booked.requested.interface == "v2":
        return _pieces({"checked": items(booked.draft.body, "luggage", str(booking.get("request_id")))})
    sent = member(booked.requested.draft.body, "bags", str(booking.get("flight_id")))
    return _pieces(sent) if isinstance(sent, Mapping) else None


def _booked_bags(booking: Mapping[str, Any]) -> Counter[Any] | None:
    """Return the bags of a booking; the documents do not say whether v3 lists them under the id of the flight."""
    if "luggage" in booking:
        return _pieces({"checked": booking["luggage"]})
    bags = booking.get("bags")
    return _pieces(member(bags, str(booking.get("flight_id"))) or bags) if isinstance(bags, Mapping) else None


def _pieces(bags: Any) -> Counter[Any] | None:
    """Count pieces by kind and weight, None where an option has no quantity or weight to compare (OPEN-16)."""
    counted: Counter[Any] = Counter()
    for kind, options in bags.items() if isinstance(bags, Mapping) else ():
        for option in options if isinstance(options, list) else ():
            quantity, weight = member(option, "quantity"), member(option, "weight")
            if not isinstance(quantity, int):
                return None
            # The weight of a cabin bag may be left out (OPEN-16).
            label = f"{kind} {weight:g} kg" if kind == "checked" and isinstance(weight, int | float) else kind
            counted[label] += quantity
    return +counted


@when("the client books its flight without bags")
def _the_flight_is_booked_without_bags(booking_client: BookingClient, context: ScenarioContext) -> None:
    before = context.created_bookings.requested
    draft = booking_client.request_draft(before.interface, before.flights, before.party)
    response = booking_client.service.send(draft)
    if not response.succeeded:
        raise Untested("the flight of a booking could not be requested again")
    requested = replace(before, draft=draft, response=response)
    payment = booking_client.usual(before.criteria, "a payment method")
    context.response = booking_client.service.send(booking_client.booking(requested, payment))
    if not context.response.succeeded:
        raise Untested("the flight of a booking could not be booked again")


@then("the total prices should differ by the fee of the bag")
def _the_totals_differ_by_the_fee(context: ScenarioContext, warn: RecordWarning) -> None:
    """Compare totals of the same price; the fee of the card may add to the difference (OPEN-82)."""
    other = next(iter(context.last_response.array("bookings")), None)
    with_bag, without = _amounts(context.created_bookings.bookings[0]), _amounts(other)
    if with_bag is None or without is None or with_bag[0] != without[0]:
        raise Untested("two bookings of one flight do not show the same price, their totals and the fees of their bags")
    rises, fee = (round(more - less, 2) for more, less in zip(with_bag[1:], without[1:], strict=True))
    comparisons.add()
    if rises < fee:
        warn(f"a bag for {fee:.2f} raises the total price of a booking by {rises:.2f}", context.last_response.exchange)


def _amounts(booking: Any) -> tuple[float, float, float] | None:
    """Return the price, the total price and the fee of the bags of a booking, None if it does not show them all."""
    is_v2 = member(booking, "luggage_fee") is not None
    fees = [("luggage_fee",)] if is_v2 else [("bags_fee", "checked"), ("bags_fee", "cabin")]
    shown = [as_number(member(booking, *path)) for path in (("price",), ("total_price",), *fees)]
    known = [each for each in shown if each is not None]
    return (known[0], known[1], sum(known[2:])) if known == shown else None


# Round trips


@given("a round-trip search with dates for the return flight")
def _a_round_trip_search_with_return_dates(booking_client: BookingClient, context: ScenarioContext) -> None:
    draft = booking_client.round_trip_draft("round_trip_fares")
    start = date.fromisoformat(draft.query["start"])
    shorter = draft.with_query(end=(start + _DAY).isoformat())
    context.draft = shorter.with_query(returnStart=(start + _DAY).isoformat(), returnEnd=(start + 2 * _DAY).isoformat())


@when("the client leaves out the dates of the return flight")
def _the_client_leaves_out_the_return_dates(context: ScenarioContext) -> None:
    context.drafts = [context.request, context.request.with_query(returnStart=None, returnEnd=None)]


@then("the service finds return flights on the same days")
def _the_return_flights_are_on_the_same_days(booking_client: BookingClient, context: ScenarioContext) -> None:
    explicit, default = context.drafts
    for _ in range(_READINGS):
        days, _response = _return_days(booking_client, explicit)
        if not days:
            raise Untested("a search on [routes.flights_round_trip_fares] shows no return flights of its fares")
        found, response = _return_days(booking_client, default)
        comparisons.add(len(days))
        if days == found:
            return
    expect(
        False,
        "returnStart must be start + 1 day and returnEnd end + 1 day by default",
        expected=f"return flights on {', '.join(sorted(days))}, as with explicit dates",
        actual=f"return flights on {', '.join(sorted(found)) or 'no day'}",
        pointer="/fares",
        exchange=response.exchange,
    )


def _return_days(booking_client: BookingClient, draft: RequestDraft) -> tuple[set[str], ParsedResponse]:
    """Return the days of the return flights that the fares of a search name; flights may be on any page (OPEN-95)."""
    response = booking_client.service.send_required(
        draft, "the service did not accept a documented search for round-trip fares", "V3-ROUND-TRIPS-ANSWER"
    )
    pages = booking_client.pages(FlightSearchResult(draft, response))
    flights: dict[str, Flight] = {str(each.get("id")): each for page in pages for each in page.array("flights")}
    returning = {str(fare.get("return_id")) for page in pages for fare in page.array("fares")}
    return _days(flights[each] for each in returning if each in flights), response
