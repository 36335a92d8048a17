"""Faults in Search Offers."""

from typing import Any
from uuid import uuid4

from airworthy.sandbox.faults.changes import change, edit_responses, put, remove, when, with_status
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.kinds import accepts, crashes, rejects, rejects_with
from airworthy.sandbox.model.geography import airports_of

_ANOTHER_DAY = "2031-05-05T10:00:00"
_PRICING = "passengerPricingByPassengerType"
_LONDON = frozenset(airport.code for airport in airports_of("LON", "CITY"))


def _types(body: dict[str, Any]) -> set[str]:
    """Return the types of the locations of a search."""
    return {body["outboundSegment"][end]["type"] for end in ("origin", "destination")}


def _first_to_the_last(sections: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [sections[0] | {"destination": sections[-1]["destination"]}, *sections[1:]]


def _with_another_way_back(offers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add an offer with inbound flights on another day to those of a round trip."""
    others = [
        offer | {"id": str(uuid4()), "inboundSegment": {"sections": [each | {"departureDate": _ANOTHER_DAY}]}}
        for offer in offers[-1:]
        if offer.get("inboundSegment")
        for each in offer["inboundSegment"]["sections"]
    ]
    return offers + others


FAULTS: tuple[Fault, ...] = (
    Fault(
        "search-not-from-airports-of-a-city",
        "V4-SEARCH-CITIES",
        "The service finds flights from London, but none from its airports",
        rewrite=edit_responses(
            "searchOffers",
            put("/offers", []),
            to=when("searchOffers", lambda body: body["outboundSegment"]["origin"]["code"] in _LONDON),
        ),
        verdict="warning",
        reason="OPEN-77: how many offers a search returns is not documented",
    ),
    Fault(
        "offer-other-flights-back",
        "V4-SEARCH-ITINERARY",
        "The service stores round-trip offers with other inbound flights than requested",
        rewrite=edit_responses("getOffer", put("/inboundSegment/sections/*/flightNumber", "1")),
        verdict="warning",
        reason="The documents do not say explicitly that an offer has the requested flights",
    ),
    rejects(
        "search-not-nine-infants",
        "V4-SEARCH-INFANTS",
        "a search for nine adults and nine infants",
        when("searchOffers", infants=9),
    ),
    rejects_with(
        "search-incomplete-422",
        "V4-SEARCH-REQUIRED",
        422,
        "a search without customerCode",
        "searchOffers:/customerCode:required",
    ),
    accepts("search-ten-adults", "V4-SEARCH-ADULTS", "a search for ten adults", "searchOffers:/adults:maximum"),
    rejects_with(
        "search-adults-422", "V4-SEARCH-ADULTS", 422, "a search for ten adults", "searchOffers:/adults:maximum"
    ),
    rejects("search-not-nine-adults", "V4-SEARCH-ADULTS", "a search for nine adults", when("searchOffers", adults=9)),
    rejects_with(
        "search-children-conflict",
        "V4-SEARCH-CHILDREN",
        409,
        "a search for ten children",
        "searchOffers:/children:maximum",
    ),
    rejects(
        "search-not-eight-children",
        "V4-SEARCH-CHILDREN",
        "a search for eight children",
        when("searchOffers", children=8),
    ),
    accepts(
        "search-more-infants",
        "V4-SEARCH-INFANTS",
        "a search with more infants than adults",
        "infants-over-adults@searchOffers",
    ),
    crashes(
        "search-infants-crash",
        "V4-SEARCH-INFANTS",
        "a search with more infants than adults",
        "infants-over-adults@searchOffers",
    ),
    rejects(
        "search-fewer-infants",
        "V4-SEARCH-INFANTS",
        "a search with as many infants as adults",
        when("searchOffers", lambda body: body["infants"] == body["adults"]),
    ),
    rejects_with(
        "search-trip-type-404",
        "V4-SEARCH-TRIP-TYPE",
        404,
        "an invalid tripType of a search",
        "searchOffers:/tripType:[te]*",
    ),
    rejects(
        "search-one-way-only",
        "V4-SEARCH-TRIP-TYPE",
        "searches for round trips",
        when("searchOffers", lambda body: body["tripType"] == "ROUND_TRIP"),
    ),
    rejects(
        "search-round-trip-adults",
        "V4-SEARCH-TRIP-TYPE",
        "searches for a round trip with children",
        when("searchOffers", lambda body: body["children"] > 0, tripType="ROUND_TRIP"),
    ),
    rejects_with(
        "search-code-404", "V4-SEARCH-LOCATION", 404, "a location code of four letters", "searchOffers:*/code:pattern"
    ),
    rejects(
        "search-city-with-airport",
        "V4-SEARCH-LOCATION",
        "searches between a city and an airport",
        when("searchOffers", lambda body: _types(body) == {"CITY", "AIRPORT"}),
    ),
    rejects(
        "search-cities-one-way",
        "V4-SEARCH-LOCATION",
        "searches for a round trip between cities",
        when("searchOffers", lambda body: body["tripType"] == "ROUND_TRIP" and "CITY" in _types(body)),
    ),
    rejects(
        "search-airports-only",
        "V4-SEARCH-LOCATION",
        "searches from a city",
        when("searchOffers", lambda body: body["outboundSegment"]["origin"]["type"] == "CITY"),
    ),
    rejects_with(
        "search-date-422",
        "V4-SEARCH-DEPARTURE-DATE",
        422,
        "a departureDate in another format",
        "searchOffers:/outboundSegment/departureDate:[tp]*",
    ),
    accepts(
        "search-round-trip-without-inbound",
        "V4-SEARCH-INBOUND",
        "a search for a round trip without inboundSegment",
        "inbound-missing@searchOffers",
    ),
    crashes(
        "search-inbound-crash",
        "V4-SEARCH-INBOUND",
        "a search for a round trip without inboundSegment",
        "inbound-missing@searchOffers",
    ),
    rejects(
        "search-inbound-never-null",
        "V4-SEARCH-INBOUND-NULL",
        "a search whose inboundSegment is null",
        when("searchOffers", lambda body: body.get("inboundSegment", 0) is None),
    ),
    Fault(
        "search-sells-business",
        "V4-SEARCH-TRAVEL-CLASS",
        "The service responds with offers to a search for a travel class other than ECONOMY",
        tolerates=("search-class",),
    ),
    rejects_with(
        "search-rejects-business",
        "V4-SEARCH-TRAVEL-CLASS",
        400,
        "a search for a travel class other than ECONOMY",
        "search-class",
    ),
    Fault(
        "search-class-required",
        "V4-SEARCH-TRAVEL-CLASS",
        "The service requires travelClass in a search",
        rejects=when("searchOffers", lambda body: "travelClass" not in body),
    ),
    Fault(
        "search-edge-crashes",
        "V4-SEARCH-EDGE-CASES",
        "The service responds with 500 to a search that cannot find offers",
        rewords={"search-edge": with_status(500)},
    ),
    Fault(
        "offers-bare",
        "V4-SEARCH-OFFERS",
        "The service responds to a search with an array instead of an object",
        rewrite=edit_responses("searchOffers", change("", lambda body: body["offers"])),
    ),
    Fault(
        "search-offer-without-id",
        "V4-SEARCH-OFFER-FIELDS",
        "The service responds to a search with offers that have no id",
        rewrite=edit_responses("searchOffers", remove("/offers/*/id")),
    ),
    Fault(
        "search-inbound-dropped",
        "V4-SEARCH-ROUND-TRIP",
        "The service responds to a round-trip search with offers that have no inboundSegment",
        rewrite=edit_responses("searchOffers", remove("/offers/*/inboundSegment")),
    ),
    Fault(
        "search-inbound-null",
        "V4-SEARCH-ROUND-TRIP",
        "The service responds to every search with inboundSegment set to null",
        rewrite=edit_responses("searchOffers", put("/offers/*/inboundSegment", None)),
    ),
    Fault(
        "search-priced-for-one",
        "V4-SEARCH-PASSENGER-COUNT",
        "The service prices found fares for one passenger of each type",
        rewrite=edit_responses("searchOffers", put(f"/offers/*/fare/{_PRICING}/*/numberOfPassengers", 1)),
    ),
    Fault(
        "search-priced-without-infant",
        "V4-SEARCH-PASSENGER-COUNT",
        "The service responds to a search with fares that have no price for infants",
        rewrite=edit_responses("searchOffers", remove(f"/offers/*/fare/{_PRICING}/infant")),
    ),
    Fault(
        "search-other-day",
        "V4-SEARCH-ITINERARY",
        "The service responds to a search with offers that depart on another day",
        rewrite=edit_responses("searchOffers", put("/offers/*/outboundSegment/sections/*/departureDate", _ANOTHER_DAY)),
    ),
    Fault(
        "search-other-day-back",
        "V4-SEARCH-ITINERARY",
        "The service responds to a round-trip search with an offer that flies back on another day",
        rewrite=edit_responses("searchOffers", change("/offers", _with_another_way_back)),
        verdict="warning",
        reason="OPEN-02: the structure of the inbound segment is not documented",
    ),
    Fault(
        "search-sections-to-one-airport",
        "V4-SEARCH-ITINERARY",
        "The service responds to a search with offers whose first section ends at their destination",
        rewrite=edit_responses("searchOffers", change("/offers/*/outboundSegment/sections", _first_to_the_last)),
    ),
    Fault(
        "search-other-origin",
        "V4-SEARCH-ITINERARY",
        "The service responds to a search with offers that depart from another airport",
        rewrite=edit_responses("searchOffers", put("/offers/*/outboundSegment/sections/*/origin", "HEL")),
    ),
)
