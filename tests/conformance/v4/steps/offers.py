"""Steps that search and store offers, and use offers and orders of a certain age."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import Any, Final

from airworthy.contract.bodies.applications import has_content
from airworthy.contract.http.transaction import member
from airworthy.suite import ages
from airworthy.suite.outcomes import NotApplicable, Untested, expect_situation
from airworthy.target.ageing import Ageing
from conformance.parsed_response import ParsedResponse
from conformance.passenger_counts import PARTY, parse_party
from conformance.request_draft import RequestDraft
from conformance.scenario_context import ScenarioContext
from conformance.step_table import given, then, when
from conformance.steps.responses import expect_not_server_error, expect_success
from conformance.v4.offer_client import (
    ATTEMPTS_TO_STORE,
    GONE,
    FoundItinerary,
    OfferClient,
    OfferCriteria,
    flown_by,
    seats_of,
)
from conformance.v4.request_bodies import PassengerCounts

_ROUTES = {
    "between cities": "city",
    "of connecting flights": "connecting",
    "without paid baggage": "no_baggage",
}


def criteria(kind: str | None, route: str | None, party: str | None) -> OfferCriteria:
    """Return the criteria that the words of a step describe."""
    return OfferCriteria(
        route=_ROUTES.get(route or "", "round_trip" if kind else "regular"),
        party=parse_party(party) if party else PassengerCounts(),
        round_trip=bool(kind),
    )


_WAYS = ("outboundSegmentOptions", "inboundSegmentOptions")
_SEARCH = rf"a (?P<kind>round-trip )?search(?: (?P<route>between cities)| for (?P<party>{PARTY}))?"


@given(_SEARCH + r" that (?:the service accepts|(?P<finds>finds offers))")
@when(rf"(?:the client sends )?{_SEARCH}(?P<finds> finds offers)?")
def _a_search(context: ScenarioContext, kind: str, route: str, party: str, finds: str | None) -> None:
    context.criteria = criteria(kind, route, party)
    # A search between cities that never finds anything shows nothing of how the service reads their codes.
    must_find = finds or route == "between cities"
    found = (context.service.search_with_offers if must_find else context.service.search)(context.criteria)
    context.draft, context.response = found.draft, found.response


@when("the client searches a round trip between the cities")
def _a_round_trip_between_cities(context: ScenarioContext) -> None:
    context.service.needs("round_trips")
    round_trip = replace(context.criteria, round_trip=True)
    # A service may reject a route that it does not serve (OPEN-55).
    if not context.service.way_back(round_trip):
        raise NotApplicable("a search for the way back between the cities finds no offers")
    context.send(context.service.search_request(round_trip))


@when("the client searches a round trip that returns on the day of its departure")
def _search_a_day_trip(context: ScenarioContext) -> None:
    context.service.needs("round_trips")
    draft = context.service.search(OfferCriteria(round_trip=True)).draft
    day = draft.body["outboundSegment"]["departureDate"]
    context.send(draft.with_value("inboundSegment.departureDate", day))


@given(rf"an? (?P<kind>round-trip )?offer request(?: for (?P<party>{PARTY}))? that the service accepts")
def _an_offer_request(context: ScenarioContext, kind: str, party: str) -> None:
    context.keep_stored(context.service.stored(criteria(kind, None, party)))
    context.draft = context.offer.draft


_OFFER = (
    rf"a(?:n| stored)? (?P<kind>round-trip )?offer"
    rf"(?: for (?P<party>{PARTY})| (?P<route>of connecting flights|without paid baggage))?"
)


@when(f"the client requests {_OFFER}")
@given(_OFFER)
def _a_stored_offer(context: ScenarioContext, kind: str | None, route: str | None, party: str | None) -> None:
    context.keep_stored(context.service.stored(criteria(kind, route, party)))


@when("the client requests another offer")
def _store_another_offer(context: ScenarioContext) -> None:
    # For other passengers, as the service may return the same id again (OPEN-73).
    context.service.store(OfferCriteria(party=PassengerCounts(adults=2)))


@when("the client requests an offer that requires identification")
def _a_stored_offer_that_wants_identification(context: ScenarioContext) -> None:
    context.keep_stored(context.service.stored(OfferCriteria(route="identification_required")))
    information = context.last_response.member("providerAdditionalPassengerInformationByPassengerType")
    is_required = member(information, "adult", "providerIdentificationTypeOptions") != []
    expect_situation(is_required, "routes.identification_required", "has offers without identification types")


# The parties in the words of the features, the largest first.
_PARTIES: Final[Mapping[str, Sequence[PassengerCounts]]] = {
    "9 adults": [PassengerCounts(9)],
    "1 adult and at most 8 children": [PassengerCounts(1, count) for count in range(8, 0, -1)],
    "at most 9 adults with an infant each": [PassengerCounts(count, 0, count) for count in (9, 5, 2)],
}


@given(f"an itinerary with seats for (?P<parties>{'|'.join(_PARTIES)})")
def _an_itinerary_with_seats(context: ScenarioContext, parties: str) -> None:
    """Find an itinerary for the first party that the service sells to: it may limit their sum (OPEN-55)."""
    *larger, smallest = _PARTIES[parties]
    for party in larger:
        with suppress(Untested):
            _find_seats(context, party)
            return
    _find_seats(context, smallest)


def _find_seats(context: ScenarioContext, party: PassengerCounts) -> None:
    context.criteria = OfferCriteria(party=party)
    context.service.sells(context.criteria)
    context.service.stored(OfferCriteria())
    itinerary = next(_with_seats(context.service, context.criteria), None)
    if itinerary is None:
        raise Untested("a search on [routes.regular] finds no offers with seats for all passengers")
    context.draft = context.service.offer_request(context.criteria, itinerary)


def _with_seats(service_client: OfferClient, what: OfferCriteria) -> Iterator[FoundItinerary]:
    """Yield what a search for a party finds, first what shows enough seats: a service may count no further."""
    needed = what.party.adults + what.party.children
    for is_enough, later in product((True, False), range(5)):
        for each in service_client.search(what, later).itineraries:
            seats = seats_of(each.offer)
            if (seats is None or seats >= needed) == is_enough:
                yield each


@given(r"an itinerary (?P<what>that is sold out|whose price changes) by the time of Get Offer")
def _an_itinerary_of_a_situation(context: ScenarioContext, what: str) -> None:
    context.criteria = OfferCriteria(route="sold_out" if what == "that is sold out" else "price_changed")
    found = context.service.itinerary(context.criteria)
    context.shown, context.draft = found.offer, context.service.offer_request(context.criteria, found)


@when("the client requests the offer of that itinerary")
def _request_offer(context: ScenarioContext) -> None:
    for attempt, draft in enumerate(_offer_requests(context), 1):
        context.response = context.service.send(draft)
        if context.response.succeeded or (attempt >= ATTEMPTS_TO_STORE and context.response.status not in GONE):
            break
    if context.shown is not None and context.last_response.succeeded and context.last_response.member("id"):
        _expect_situation_of(context.shown, context.criteria.route, context.last_response)


def _expect_situation_of(shown: Mapping[str, Any], route: str, response: ParsedResponse) -> None:
    """Continue if a stored offer shows what its route is named for: a search without seats, another price."""
    if route == "sold_out":
        expect_situation(seats_of(shown) == 0, "routes.sold_out", "has flights that Get Offer still sells")
    else:
        before, now = member(shown, "fare", "price", "totalAmount"), response.member("cheapestFare")
        has_changed = before != member(now, "totalPrice", "amount")
        expect_situation(has_changed, "routes.price_changed", "has flights whose price does not change")


@when("the second organisation requests the same flights")
def _request_the_same_flights(context: ScenarioContext) -> None:
    code = context.second_organisation.v4.customer_code.reveal()
    response = context.second_organisation.send(context.offer.draft.with_value("customerCode", code))
    if response.member("id") == context.offer.id:
        raise NotApplicable("offers of the same flights have the same id (OPEN-73)")


def _offer_requests(context: ScenarioContext) -> Iterator[RequestDraft]:
    """Yield the request of the scenario, then those of other flights.

    An itinerary may be sold out since the search, or not be sold to the party (OPEN-56).
    """
    yield context.request
    requested = flown_by(context.request.body)
    if context.criteria.route == "regular":
        context.service.search_anew()
        for itinerary in _with_seats(context.service, context.criteria):
            if not flown_by(itinerary.offer) <= requested:
                requested |= flown_by(itinerary.offer)
                yield context.service.offer_request(context.criteria, itinerary)


# Responses


@then(r"the response contains (?P<no>no )?offers")
def _response_contains_offers(context: ScenarioContext, no: str | None) -> None:
    expect_success(context)
    offers = context.last_response.member("offers")
    if offers == [] and not no:
        # The same search finds the same offers as long as they are not sold out (OPEN-77).
        accepted = context.service.search_with_offers(context.criteria).draft
        if not context.service.send(accepted).array("offers"):
            raise context.service.sold_out(context.criteria.route)
    context.last_response.expect(
        isinstance(offers, list) and bool(offers) != bool(no),
        "a search in another travel class must not find offers" if no else "a search in ECONOMY must find offers",
        expected="an empty array" if no else "offers",
        actual=f"{len(offers)} offers" if isinstance(offers, list) else "offers is not an array",
        pointer="/offers",
    )


@then("the response should contain no baggage options")
def _response_should_contain_no_baggage_options(context: ScenarioContext) -> None:
    expect_not_server_error(context)
    fares = context.last_response.array("fareBaggageOptions")
    if any(has_content(each.get(way)) for each in fares for way in _WAYS):
        context.warn("the service returns the baggage options of another organisation's offer")


@then("the response contains an empty array of fares")
def _response_contains_no_fares(context: ScenarioContext) -> None:
    expect_success(context)
    fares = context.last_response.member("fares")
    context.last_response.expect(
        fares == [],
        "the service must return an empty array of fares",
        expected="fares: []",
        actual=f"{len(fares)} fares" if isinstance(fares, list) else "fares is not an array",
        pointer="/fares",
    )


# Resources of a certain age


@when("more than 30 minutes have passed since the offer was stored")
def _the_offer_ages(context: ScenarioContext, ageing: Ageing) -> None:
    expired = ages.due("an offer stored more than 30 minutes ago", context.service.profile.lifetimes)
    ageing.age_further("an offer stored almost 30 minutes ago", expired)
