"""Faults in Get Offer."""

from typing import Any

from airworthy.sandbox.faults.changes import (
    change,
    edit_responses,
    put,
    remove,
    when,
    with_success,
)
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.kinds import accepts, crashes, rejects, rejects_with

_PRICING = "passengerPricingByPassengerType"


def _with_a_cheaper_fare(fares: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [*fares, fares[-1] | {"totalPrice": {"amount": 1.0, "currency": "EUR"}}]


FAULTS: tuple[Fault, ...] = (
    rejects_with(
        "offer-incomplete-422",
        "V4-OFFER-REQUIRED",
        422,
        "an offer request without infants",
        "getOffer:/infants:required",
    ),
    rejects_with(
        "offer-adults-422", "V4-OFFER-ADULTS", 422, "an offer request for ten adults", "getOffer:/adults:maximum"
    ),
    rejects("offer-not-nine-adults", "V4-OFFER-ADULTS", "an offer request for nine adults", when("getOffer", adults=9)),
    rejects_with(
        "offer-children-422",
        "V4-OFFER-CHILDREN",
        422,
        "an offer request for ten children",
        "getOffer:/children:maximum",
    ),
    rejects(
        "offer-not-eight-children",
        "V4-OFFER-CHILDREN",
        "an offer request for eight children",
        when("getOffer", children=8),
    ),
    accepts(
        "offer-more-infants",
        "V4-OFFER-INFANTS",
        "an offer request with more infants than adults",
        "infants-over-adults@getOffer",
    ),
    rejects(
        "offer-fewer-infants",
        "V4-OFFER-INFANTS",
        "an offer request with as many infants as adults",
        when("getOffer", lambda body: body["infants"] == body["adults"]),
    ),
    rejects_with(
        "offer-trip-type-404",
        "V4-OFFER-TRIP-TYPE",
        404,
        "an invalid tripType of an offer request",
        "getOffer:/tripType:[te]*",
    ),
    accepts(
        "offer-round-trip-without-inbound",
        "V4-OFFER-INBOUND",
        "an offer request for a round trip without inboundSegment",
        "inbound-missing@getOffer",
    ),
    crashes(
        "offer-inbound-crash",
        "V4-OFFER-INBOUND",
        "an offer request for a round trip without inboundSegment",
        "inbound-missing@getOffer",
    ),
    rejects(
        "offer-inbound-never-null",
        "V4-OFFER-FIELDS",
        "an offer request whose inboundSegment is null",
        when("getOffer", lambda body: body.get("inboundSegment", 0) is None),
    ),
    rejects_with(
        "offer-section-404",
        "V4-OFFER-SECTION",
        404,
        "an invalid section of an offer request",
        "getOffer:*/sections/*/[!f]*:*",
    ),
    Fault(
        "offer-class-required",
        "V4-OFFER-SECTION",
        "The service requires travelClass in every section of an offer request",
        rejects=when(
            "getOffer", lambda body: any("travelClass" not in each for each in body["outboundSegment"]["sections"])
        ),
    ),
    rejects_with(
        "offer-flight-number-404",
        "V4-OFFER-FLIGHT-NUMBER",
        404,
        "an invalid flight number in an offer request",
        "getOffer:*/flightNumber:[tp]*",
    ),
    Fault(
        "fare-not-cheapest",
        "V4-OFFER-CHEAPEST-FARE",
        "The service lists a fare that is cheaper than the cheapest fare of the offer",
        rewrite=edit_responses("getFares", change("/fares", _with_a_cheaper_fare)),
        verdict="warning",
        reason="OPEN-03: the documents do not show the response of Get Fares",
    ),
    Fault(
        "offer-inbound-dropped",
        "V4-OFFER-ROUND-TRIP",
        "The service responds with round-trip offers that have no inboundSegment",
        rewrite=edit_responses("getOffer", remove("/inboundSegment")),
    ),
    Fault(
        "offer-inbound-null",
        "V4-OFFER-ROUND-TRIP",
        "The service responds with inboundSegment set to null for every offer",
        rewrite=edit_responses("getOffer", put("/inboundSegment", None)),
    ),
    Fault(
        "offer-priced-for-one",
        "V4-OFFER-PASSENGER-COUNT",
        "The service prices the fare of an offer for one passenger of each type",
        rewrite=edit_responses("getOffer", put(f"/cheapestFare/{_PRICING}/*/numberOfPassengers", 1)),
    ),
    Fault(
        "offer-round-trip-infants",
        "V4-OFFER-PASSENGER-COUNT",
        "The service prices the fare of a round-trip offer for two infants, if there are any",
        rewrite=edit_responses(
            "getOffer",
            change(f"/cheapestFare/{_PRICING}/infant/numberOfPassengers", lambda count: count and 2),
            to=when("getOffer", tripType="ROUND_TRIP"),
        ),
    ),
    crashes("sold-out-crashes", "V4-OFFER-UNAVAILABLE", "an offer request for a sold-out itinerary", "itinerary-gone"),
    Fault(
        "sold-out-empty",
        "V4-OFFER-UNAVAILABLE",
        "The service responds to an offer request for a sold-out itinerary with 200 and an empty object",
        rewords={"itinerary-gone": with_success({})},
    ),
    Fault(
        "sold-out-sold",
        "V4-OFFER-UNAVAILABLE",
        "The service offers a sold-out itinerary",
        tolerates=("itinerary-gone",),
    ),
)
