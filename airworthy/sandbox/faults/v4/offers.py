"""Faults in Get Offer, Get Fares and Get Baggage."""

from datetime import timedelta

from airworthy.sandbox.faults.changes import Json, change, increase, new_id, put, remove, rename, unwrap, when
from airworthy.sandbox.faults.table import (
    accepts,
    crashes,
    does,
    finds_by_beginning,
    rejects,
    rejects_with,
    requires,
    responds,
    rule,
    serves,
    sets,
    table,
    tolerates,
)

_PRICING = "passengerPricingByPassengerType"
_PRICE = "pricePerPiece/amount"


def _with_a_cheaper_fare(fares: Json) -> Json:
    return [*fares, fares[-1] | {"totalPrice": {"amount": 1.0, "currency": "EUR"}}]


FAULTS = table(
    rule("V4-OFFER-REQUIRED"),
    rejects_with("offer-incomplete-422: an offer request without infants", 422, "getOffer:/infants:required"),
    rule("V4-OFFER-ADULTS"),
    rejects_with("offer-adults-422: an offer request for ten adults", 422, "getOffer:/adults:maximum"),
    rejects("offer-not-nine-adults: an offer request for nine adults", when("getOffer", adults=9)),
    rule("V4-OFFER-CHILDREN"),
    rejects_with("offer-children-422: an offer request for ten children", 422, "getOffer:/children:maximum"),
    rejects("offer-not-eight-children: an offer request for eight children", when("getOffer", children=8)),
    rule("V4-OFFER-INFANTS"),
    accepts("offer-more-infants: an offer request with more infants than adults", "infants-over-adults@getOffer"),
    rejects(
        "offer-fewer-infants: an offer request with as many infants as adults",
        when("getOffer", lambda body: body["infants"] == body["adults"]),
    ),
    rule("V4-OFFER-TRIP-TYPE"),
    rejects_with("offer-trip-type-404: an invalid tripType of an offer request", 404, "getOffer:/tripType:[te]*"),
    rule("V4-OFFER-INBOUND"),
    accepts(
        "offer-round-trip-without-inbound: an offer request for a round trip without inboundSegment",
        "inbound-missing@getOffer",
    ),
    crashes(
        "offer-inbound-crash: an offer request for a round trip without inboundSegment", "inbound-missing@getOffer"
    ),
    rule("V4-OFFER-FIELDS"),
    rejects(
        "offer-inbound-never-null: an offer request whose inboundSegment is null", when("getOffer", inboundSegment=None)
    ),
    rule("V4-OFFER-SECTION"),
    rejects_with("offer-section-404: an invalid section of an offer request", 404, "getOffer:*/sections/*/[!f]*:*"),
    requires("getOffer:/outboundSegment/sections/*/travelClass", "offer-class-required"),
    rule("V4-OFFER-FLIGHT-NUMBER"),
    rejects_with(
        "offer-flight-number-404: an invalid flight number in an offer request", 404, "getOffer:*/flightNumber:[tp]*"
    ),
    rule("V4-OFFER-CHEAPEST-FARE", warns="OPEN-03: the documents do not show the response of Get Fares"),
    does(
        "fare-not-cheapest: lists a fare that is cheaper than the cheapest fare of the offer",
        change("getFares:/fares", _with_a_cheaper_fare),
    ),
    rule("V4-OFFER-ROUND-TRIP"),
    responds("offer-inbound-dropped", remove("getOffer:/inboundSegment")),
    responds("offer-inbound-null", put("getOffer:/inboundSegment", None)),
    rule("V4-OFFER-PASSENGER-COUNT"),
    responds("offer-priced-for-one", put(f"getOffer:/cheapestFare/{_PRICING}/*/numberOfPassengers", 1)),
    does(
        "offer-round-trip-infants: prices the fare of a round-trip offer for two infants, if there are any",
        change(f"getOffer:/cheapestFare/{_PRICING}/infant/numberOfPassengers", lambda count: count and 2),
        to=when("getOffer", tripType="ROUND_TRIP"),
    ),
    rule("V4-OFFER-UNAVAILABLE"),
    crashes("sold-out-crashes: an offer request for a sold-out itinerary", "itinerary-gone"),
    serves(
        "sold-out-empty: responds to an offer request for a sold-out itinerary with 200 and an empty object",
        "itinerary-gone",
        {},
    ),
    tolerates("sold-out-sold: offers a sold-out itinerary", "itinerary-gone"),
    rule("V4-OFFER-FOREIGN", warns="The documents do not say what another organisation may do"),
    tolerates("offers-ordered-by-all: creates orders from an offer for another organisation", "offer-foreign"),
    tolerates("baggage-for-all: returns the baggage options of an offer to another organisation", "baggage-foreign"),
    rule("V4-FARES-LIVE"),
    rejects("fares-rejected: Get Fares for an offer that is still valid", when("getFares"), 409),
    rule("V4-FARES-LIVE", warns="OPEN-03: the structure of the fares response is not documented"),
    responds("fares-renamed", rename("getFares:", "fares", "items")),
    rule("V4-FARES-MISSING"),
    rejects_with("fares-missing-404: Get Fares for an offer that does not exist", 404, "fares-missing"),
    finds_by_beginning("getFares"),
    serves(
        "fares-missing-null: responds with null fares to Get Fares for an offer that does not exist",
        "fares-missing",
        {"fares": None},
    ),
    rule("V4-FARES-EXPIRED"),
    tolerates("fares-after-expiry: responds with fares to Get Fares for an expired offer", "fares-expired"),
    rejects_with("fares-expired-410: Get Fares for an expired offer", 410, "fares-expired"),
    rule("V4-FARES-FOREIGN"),
    tolerates("fares-for-all: responds with the fares of offers that belong to another organisation", "fares-foreign"),
    rejects_with(
        "fares-foreign-403: Get Fares for an offer that belongs to another organisation", 403, "fares-foreign"
    ),
    rule("V4-BAGGAGE-OPTIONS"),
    responds("baggage-bare", unwrap("getBaggage:", "fareBaggageOptions")),
    rule("V4-BAGGAGE-UNKNOWN-OFFER"),
    rejects_with("baggage-unknown-400: Get Baggage for an unknown offer", 400, "offer-unknown@getBaggage"),
    finds_by_beginning("getBaggage"),
    serves(
        "baggage-unknown-empty: responds with an empty list to Get Baggage for an unknown offer",
        "offer-unknown@getBaggage",
        {"fareBaggageOptions": []},
    ),
    rule("V4-BAGGAGE-FARES", warns="OPEN-03: how Get Fares names the fares is not documented"),
    responds("baggage-of-other-fares", new_id("getBaggage:/fareBaggageOptions/*/fareId")),
    rule("V4-BAGGAGE-PRICE"),
    responds("baggage-other-price", increase(f"getBaggage:/fareBaggageOptions/*/outboundSegmentOptions/*/{_PRICE}", 1)),
    responds(
        "baggage-other-price-back", increase(f"getBaggage:/fareBaggageOptions/*/inboundSegmentOptions/*/{_PRICE}", 1)
    ),
    rule("V4-OFFER-RETENTION"),
    sets("offers-short-lived: keeps offers for 10 minutes", offer_lifetime=timedelta(minutes=10)),
    sets("offers-live-29-minutes: keeps offers for 29 minutes", offer_lifetime=timedelta(minutes=29)),
)
