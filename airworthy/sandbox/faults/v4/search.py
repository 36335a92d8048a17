"""Faults in Search Offers."""

from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.making import (
    answering,
    change,
    drop,
    holding,
    objecting,
    of,
    put,
    rename,
    rewording,
    to_status,
    tolerating,
    when,
)

_ANOTHER_DAY = "2031-05-05T10:00:00"
_PRICING = "passengerPricingByPassengerType"

FAULTS: tuple[Fault, ...] = (
    *of(
        "V4-SEARCH-REQUIRED",
        tolerating("search-without-customer", "A search needs no customerCode", "searchOffers:/customerCode:*"),
        tolerating(
            "search-without-segment", "A search needs no outboundSegment", "searchOffers:/outboundSegment:required"
        ),
        rewording(
            "search-incomplete-422",
            "An incomplete search gives 422",
            "searchOffers:/customerCode:required",
            to_status(422),
        ),
    ),
    *of(
        "V4-SEARCH-ADULTS",
        tolerating("search-ten-adults", "Ten adults are searched for", "searchOffers:/adults:maximum"),
        tolerating("search-no-adults", "No adult is searched for", "searchOffers:/adults:minimum"),
        tolerating("search-adults-as-text", "adults may be a string", "searchOffers:/adults:type"),
        rewording("search-adults-422", "Ten adults give 422", "searchOffers:/adults:maximum", to_status(422)),
        objecting("search-not-nine-adults", "Nine adults are refused", when("searchOffers", holding(adults=9))),
    ),
    *of(
        "V4-SEARCH-CHILDREN",
        tolerating("search-ten-children", "Ten children are searched for", "searchOffers:/children:maximum"),
        tolerating("search-minus-one-child", "Minus one child is searched for", "searchOffers:/children:minimum"),
        rewording(
            "search-children-conflict", "Ten children give 409", "searchOffers:/children:maximum", to_status(409)
        ),
        objecting(
            "search-not-eight-children",
            "Eight children are refused",
            when("searchOffers", holding(children=8)),
        ),
    ),
    *of(
        "V4-SEARCH-INFANTS",
        tolerating(
            "search-more-infants", "More infants than adults are searched for", "infants-over-adults@searchOffers"
        ),
        tolerating("search-minus-one-infant", "Minus one infant is searched for", "searchOffers:/infants:minimum"),
        rewording(
            "search-infants-crash",
            "More infants than adults give 500",
            "infants-over-adults@searchOffers",
            to_status(500),
        ),
        objecting(
            "search-fewer-infants",
            "As many infants as adults are refused",
            when("searchOffers", lambda body: body["infants"] == body["adults"]),
        ),
    ),
    *of(
        "V4-SEARCH-TRIP-TYPE",
        tolerating("search-any-trip-type", "Any trip type is taken for ONE_WAY", "searchOffers:/tripType:[te]*"),
        rewording(
            "search-trip-type-404", "Another trip type gives 404", "searchOffers:/tripType:[te]*", to_status(404)
        ),
        objecting(
            "search-one-way-only",
            "Round trips are refused",
            when("searchOffers", lambda body: body["tripType"] == "ROUND_TRIP"),
        ),
    ),
    *of(
        "V4-SEARCH-LOCATION",
        tolerating("search-any-code", "Any text is taken for a code", "searchOffers:*/code:pattern"),
        tolerating("search-any-location-type", "Any location type is taken for AIRPORT", "searchOffers:*/type:enum"),
        tolerating("search-without-location-type", "A location needs no type", "searchOffers:*/type:required"),
        rewording("search-code-404", "A code of four letters gives 404", "searchOffers:*/code:pattern", to_status(404)),
        objecting(
            "search-airports-only",
            "Cities are refused",
            when("searchOffers", lambda body: body["outboundSegment"]["origin"]["type"] == "CITY"),
        ),
    ),
    *of(
        "V4-SEARCH-DEPARTURE-DATE",
        tolerating(
            "search-any-date", "Any text is taken for a date", "searchOffers:/outboundSegment/departureDate:pattern"
        ),
        rewording(
            "search-date-422",
            "A date in another form gives 422",
            "searchOffers:/outboundSegment/departureDate:[tp]*",
            to_status(422),
        ),
    ),
    *of(
        "V4-SEARCH-INBOUND",
        tolerating(
            "search-round-trip-without-inbound", "A round trip needs no inboundSegment", "inbound-missing@searchOffers"
        ),
        rewording(
            "search-inbound-crash",
            "A round trip without inboundSegment gives 500",
            "inbound-missing@searchOffers",
            to_status(500),
        ),
        tolerating(
            "search-inbound-without-date",
            "The way back needs no date",
            "searchOffers:/inboundSegment/departureDate:required",
        ),
    ),
    *of(
        "V4-SEARCH-INBOUND-NULL",
        objecting(
            "search-inbound-never-null",
            "A null inboundSegment is refused",
            when("searchOffers", lambda body: body.get("inboundSegment", 0) is None),
        ),
    ),
    *of(
        "V4-SEARCH-TRAVEL-CLASS",
        tolerating("search-sells-business", "Another class finds offers", "search-class"),
        rewording("search-refuses-business", "Another class gives 400", "search-class", to_status(400)),
        objecting(
            "search-class-demanded",
            "A search needs a travelClass",
            when("searchOffers", lambda body: "travelClass" not in body),
        ),
    ),
    *of(
        "V4-SEARCH-EDGE-CASES",
        rewording("search-edge-crashes", "An impossible search gives 500", "search-edge", to_status(500)),
    ),
    *of(
        "V4-SEARCH-OFFERS",
        answering(
            "offers-bare", "A search answers a bare array", "searchOffers", change("", lambda body: body["offers"])
        ),
        answering(
            "offers-by-id",
            "offers is an object by id",
            "searchOffers",
            change("/offers", lambda offers: {each["id"]: each for each in offers}),
        ),
        answering(
            "offers-null", "No offers are null", "searchOffers", change("/offers", lambda offers: offers or None)
        ),
    ),
    *of(
        "V4-SEARCH-OFFER-FIELDS",
        answering("search-offer-without-id", "Offers lack their id", "searchOffers", drop("/offers/*/id")),
        answering(
            "search-offer-without-payment",
            "Offers lack paymentOptions",
            "searchOffers",
            drop("/offers/*/paymentOptions"),
        ),
        answering(
            "search-offer-fare-renamed",
            "fare is called cheapestFare",
            "searchOffers",
            rename("/offers/*", "fare", "cheapestFare"),
        ),
    ),
    *of(
        "V4-SEARCH-FARE",
        answering("search-fare-without-price", "Fares lack their price", "searchOffers", drop("/offers/*/fare/price")),
        answering(
            "search-fare-baggage-list",
            "includedBaggage is an array",
            "searchOffers",
            put("/offers/*/fare/includedBaggage", []),
        ),
        answering(
            "search-fare-price-text",
            "totalAmount is a string",
            "searchOffers",
            change("/offers/*/fare/price/totalAmount", str),
        ),
        answering(
            "search-fare-without-source",
            "Prices lack sourceAmount",
            "searchOffers",
            drop("/offers/*/fare/price/sourceAmount"),
        ),
    ),
    *of(
        "V4-SEARCH-ROUND-TRIP",
        answering(
            "search-inbound-dropped",
            "Round-trip offers lack inboundSegment",
            "searchOffers",
            drop("/offers/*/inboundSegment"),
        ),
        answering(
            "search-inbound-null",
            "inboundSegment is always null",
            "searchOffers",
            put("/offers/*/inboundSegment", None),
        ),
    ),
    *of(
        "V4-SEARCH-PASSENGER-COUNT",
        answering(
            "search-priced-for-one",
            "Fares are priced for one of each type",
            "searchOffers",
            put(f"/offers/*/fare/{_PRICING}/*/numberOfPassengers", 1),
        ),
        answering(
            "search-priced-without-infant",
            "Infants are not priced",
            "searchOffers",
            drop(f"/offers/*/fare/{_PRICING}/infant"),
        ),
    ),
    *of(
        "V4-SEARCH-ITINERARY",
        answering(
            "search-other-day",
            "Offers fly on another day",
            "searchOffers",
            put("/offers/*/outboundSegment/sections/*/departureDate", _ANOTHER_DAY),
        ),
        answering(
            "search-other-origin",
            "Offers fly from elsewhere",
            "searchOffers",
            put("/offers/*/outboundSegment/sections/*/origin", "HEL"),
        ),
    ),
)
