"""Faults in Search Offers."""

from typing import Any
from uuid import uuid4

from airworthy.sandbox.faults.changes import change, edit_responses, put, remove, rename, when, with_status
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.geography import airports_of

_ANOTHER_DAY = "2031-05-05T10:00:00"
_PRICING = "passengerPricingByPassengerType"
_LONDON = frozenset(airport.code for airport in airports_of("LON", "CITY"))


def _types(body: dict[str, Any]) -> set[str]:
    """Return the types of the locations of a search."""
    return {body["outboundSegment"][end]["type"] for end in ("origin", "destination")}


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
    Fault(
        "search-not-nine-infants",
        "V4-SEARCH-INFANTS",
        "The service rejects a search for nine adults and nine infants",
        rejects=when("searchOffers", infants=9),
    ),
    Fault(
        "search-without-customer",
        "V4-SEARCH-REQUIRED",
        "The service accepts a search without customerCode",
        tolerates=("searchOffers:/customerCode:*",),
    ),
    Fault(
        "search-without-segment",
        "V4-SEARCH-REQUIRED",
        "The service accepts a search without outboundSegment",
        tolerates=("searchOffers:/outboundSegment:required",),
    ),
    Fault(
        "search-incomplete-422",
        "V4-SEARCH-REQUIRED",
        "The service rejects a search without customerCode with 422",
        rewords={"searchOffers:/customerCode:required": with_status(422)},
    ),
    Fault(
        "search-ten-adults",
        "V4-SEARCH-ADULTS",
        "The service accepts a search for ten adults",
        tolerates=("searchOffers:/adults:maximum",),
    ),
    Fault(
        "search-no-adults",
        "V4-SEARCH-ADULTS",
        "The service accepts a search without any adult",
        tolerates=("searchOffers:/adults:minimum",),
    ),
    Fault(
        "search-adults-as-text",
        "V4-SEARCH-ADULTS",
        "The service accepts a string as the number of adults in a search",
        tolerates=("searchOffers:/adults:type",),
    ),
    Fault(
        "search-adults-422",
        "V4-SEARCH-ADULTS",
        "The service rejects a search for ten adults with 422",
        rewords={"searchOffers:/adults:maximum": with_status(422)},
    ),
    Fault(
        "search-not-nine-adults",
        "V4-SEARCH-ADULTS",
        "The service rejects a search for nine adults",
        rejects=when("searchOffers", adults=9),
    ),
    Fault(
        "search-ten-children",
        "V4-SEARCH-CHILDREN",
        "The service accepts a search for ten children",
        tolerates=("searchOffers:/children:maximum",),
    ),
    Fault(
        "search-minus-one-child",
        "V4-SEARCH-CHILDREN",
        "The service accepts a search for -1 children",
        tolerates=("searchOffers:/children:minimum",),
    ),
    Fault(
        "search-children-conflict",
        "V4-SEARCH-CHILDREN",
        "The service rejects a search for ten children with 409",
        rewords={"searchOffers:/children:maximum": with_status(409)},
    ),
    Fault(
        "search-not-eight-children",
        "V4-SEARCH-CHILDREN",
        "The service rejects a search for eight children",
        rejects=when("searchOffers", children=8),
    ),
    Fault(
        "search-more-infants",
        "V4-SEARCH-INFANTS",
        "The service accepts a search with more infants than adults",
        tolerates=("infants-over-adults@searchOffers",),
    ),
    Fault(
        "search-minus-one-infant",
        "V4-SEARCH-INFANTS",
        "The service accepts a search for -1 infants",
        tolerates=("searchOffers:/infants:minimum",),
    ),
    Fault(
        "search-infants-crash",
        "V4-SEARCH-INFANTS",
        "The service responds to a search with more infants than adults with 500",
        rewords={"infants-over-adults@searchOffers": with_status(500)},
    ),
    Fault(
        "search-fewer-infants",
        "V4-SEARCH-INFANTS",
        "The service rejects a search with as many infants as adults",
        rejects=when("searchOffers", lambda body: body["infants"] == body["adults"]),
    ),
    Fault(
        "search-any-trip-type",
        "V4-SEARCH-TRIP-TYPE",
        "The service treats any tripType of a search as ONE_WAY",
        tolerates=("searchOffers:/tripType:[te]*",),
    ),
    Fault(
        "search-trip-type-404",
        "V4-SEARCH-TRIP-TYPE",
        "The service rejects an invalid tripType of a search with 404",
        rewords={"searchOffers:/tripType:[te]*": with_status(404)},
    ),
    Fault(
        "search-one-way-only",
        "V4-SEARCH-TRIP-TYPE",
        "The service rejects searches for round trips",
        rejects=when("searchOffers", lambda body: body["tripType"] == "ROUND_TRIP"),
    ),
    Fault(
        "search-round-trip-adults",
        "V4-SEARCH-TRIP-TYPE",
        "The service rejects searches for a round trip with children",
        rejects=when("searchOffers", lambda body: body["children"] > 0, tripType="ROUND_TRIP"),
    ),
    Fault(
        "search-any-code",
        "V4-SEARCH-LOCATION",
        "The service accepts any string as a location code",
        tolerates=("searchOffers:*/code:pattern",),
    ),
    Fault(
        "search-any-location-type",
        "V4-SEARCH-LOCATION",
        "The service treats any location type as AIRPORT",
        tolerates=("searchOffers:*/type:enum",),
    ),
    Fault(
        "search-without-location-type",
        "V4-SEARCH-LOCATION",
        "The service accepts a location without type",
        tolerates=("searchOffers:*/type:required",),
    ),
    Fault(
        "search-code-404",
        "V4-SEARCH-LOCATION",
        "The service rejects a location code of four letters with 404",
        rewords={"searchOffers:*/code:pattern": with_status(404)},
    ),
    Fault(
        "search-city-with-airport",
        "V4-SEARCH-LOCATION",
        "The service rejects searches between a city and an airport",
        rejects=when("searchOffers", lambda body: _types(body) == {"CITY", "AIRPORT"}),
    ),
    Fault(
        "search-cities-one-way",
        "V4-SEARCH-LOCATION",
        "The service rejects searches for a round trip between cities",
        rejects=when("searchOffers", lambda body: body["tripType"] == "ROUND_TRIP" and "CITY" in _types(body)),
    ),
    Fault(
        "search-airports-only",
        "V4-SEARCH-LOCATION",
        "The service rejects searches from a city",
        rejects=when("searchOffers", lambda body: body["outboundSegment"]["origin"]["type"] == "CITY"),
    ),
    Fault(
        "search-any-date",
        "V4-SEARCH-DEPARTURE-DATE",
        "The service accepts any string as departureDate of a search",
        tolerates=("searchOffers:/outboundSegment/departureDate:pattern",),
    ),
    Fault(
        "search-date-422",
        "V4-SEARCH-DEPARTURE-DATE",
        "The service rejects a departureDate in another format with 422",
        rewords={"searchOffers:/outboundSegment/departureDate:[tp]*": with_status(422)},
    ),
    Fault(
        "search-round-trip-without-inbound",
        "V4-SEARCH-INBOUND",
        "The service accepts a search for a round trip without inboundSegment",
        tolerates=("inbound-missing@searchOffers",),
    ),
    Fault(
        "search-inbound-crash",
        "V4-SEARCH-INBOUND",
        "The service responds to a search for a round trip without inboundSegment with 500",
        rewords={"inbound-missing@searchOffers": with_status(500)},
    ),
    Fault(
        "search-inbound-without-date",
        "V4-SEARCH-INBOUND",
        "The service accepts an inboundSegment without departureDate",
        tolerates=("searchOffers:/inboundSegment/departureDate:required",),
    ),
    Fault(
        "search-inbound-never-null",
        "V4-SEARCH-INBOUND-NULL",
        "The service rejects a search whose inboundSegment is null",
        rejects=when("searchOffers", lambda body: body.get("inboundSegment", 0) is None),
    ),
    Fault(
        "search-sells-business",
        "V4-SEARCH-TRAVEL-CLASS",
        "The service responds with offers to a search for a travel class other than ECONOMY",
        tolerates=("search-class",),
    ),
    Fault(
        "search-rejects-business",
        "V4-SEARCH-TRAVEL-CLASS",
        "The service rejects a search for a travel class other than ECONOMY with 400",
        rewords={"search-class": with_status(400)},
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
        "offers-by-id",
        "V4-SEARCH-OFFERS",
        "The service responds with offers as an object whose keys are ids",
        rewrite=edit_responses("searchOffers", change("/offers", lambda offers: {each["id"]: each for each in offers})),
    ),
    Fault(
        "offers-null",
        "V4-SEARCH-OFFERS",
        "The service responds with null instead of an empty list of offers",
        rewrite=edit_responses("searchOffers", change("/offers", lambda offers: offers or None)),
    ),
    Fault(
        "search-offer-without-id",
        "V4-SEARCH-OFFER-FIELDS",
        "The service responds to a search with offers that have no id",
        rewrite=edit_responses("searchOffers", remove("/offers/*/id")),
    ),
    Fault(
        "search-offer-without-payment",
        "V4-SEARCH-OFFER-FIELDS",
        "The service responds to a search with offers that have no paymentOptions",
        rewrite=edit_responses("searchOffers", remove("/offers/*/paymentOptions")),
    ),
    Fault(
        "search-offer-fare-renamed",
        "V4-SEARCH-OFFER-FIELDS",
        "The service names the fare of a found offer cheapestFare instead of fare",
        rewrite=edit_responses("searchOffers", rename("/offers/*", "fare", "cheapestFare")),
    ),
    Fault(
        "search-fare-without-price",
        "V4-SEARCH-FARE",
        "The service responds to a search with fares that have no price",
        rewrite=edit_responses("searchOffers", remove("/offers/*/fare/price")),
    ),
    Fault(
        "search-fare-baggage-list",
        "V4-SEARCH-FARE",
        "The service responds to a search with includedBaggage as an array",
        rewrite=edit_responses("searchOffers", put("/offers/*/fare/includedBaggage", [])),
    ),
    Fault(
        "search-fare-price-text",
        "V4-SEARCH-FARE",
        "The service responds to a search with totalAmount as a string",
        rewrite=edit_responses("searchOffers", change("/offers/*/fare/price/totalAmount", str)),
    ),
    Fault(
        "search-fare-without-source",
        "V4-SEARCH-FARE",
        "The service responds to a search with prices that have no sourceAmount",
        rewrite=edit_responses("searchOffers", remove("/offers/*/fare/price/sourceAmount")),
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
        "search-other-origin",
        "V4-SEARCH-ITINERARY",
        "The service responds to a search with offers that depart from another airport",
        rewrite=edit_responses("searchOffers", put("/offers/*/outboundSegment/sections/*/origin", "HEL")),
    ),
)
