"""Faults in Get Offer, Get Fares and Get Baggage."""

from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.making import (
    add,
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
    to_success,
    tolerating,
    when,
)

_PRICING = "passengerPricingByPassengerType"

FAULTS: tuple[Fault, ...] = (
    *of(
        "V4-OFFER-REQUIRED",
        tolerating("offer-without-customer", "An offer needs no customerCode", "getOffer:/customerCode:*"),
        tolerating(
            "offer-without-children",
            "An offer needs no children",
            "getOffer:/children:required",
            "getOffer:/infants:required",
        ),
        rewording(
            "offer-incomplete-422", "An incomplete request gives 422", "getOffer:/infants:required", to_status(422)
        ),
    ),
    *of(
        "V4-OFFER-ADULTS",
        tolerating("offer-ten-adults", "Ten adults are offered for", "getOffer:/adults:maximum"),
        tolerating("offer-no-adults", "No adult is offered for", "getOffer:/adults:minimum"),
        rewording("offer-adults-422", "Ten adults give 422", "getOffer:/adults:maximum", to_status(422)),
        objecting("offer-not-nine-adults", "Nine adults are refused", when("getOffer", holding(adults=9))),
    ),
    *of(
        "V4-OFFER-CHILDREN",
        tolerating("offer-ten-children", "Ten children are offered for", "getOffer:/children:maximum"),
        rewording("offer-children-422", "Ten children give 422", "getOffer:/children:maximum", to_status(422)),
        objecting(
            "offer-not-eight-children",
            "Eight children are refused",
            when("getOffer", holding(children=8)),
        ),
    ),
    *of(
        "V4-OFFER-INFANTS",
        tolerating("offer-more-infants", "More infants than adults are offered for", "infants-over-adults@getOffer"),
        tolerating("offer-minus-one-infant", "Minus one infant is offered for", "getOffer:/infants:minimum"),
        objecting(
            "offer-fewer-infants",
            "As many infants as adults are refused",
            when("getOffer", lambda body: body["infants"] == body["adults"]),
        ),
    ),
    *of(
        "V4-OFFER-TRIP-TYPE",
        tolerating("offer-any-trip-type", "Any trip type is taken for ONE_WAY", "getOffer:/tripType:[te]*"),
        rewording("offer-trip-type-404", "Another trip type gives 404", "getOffer:/tripType:[te]*", to_status(404)),
    ),
    *of(
        "V4-OFFER-INBOUND",
        tolerating(
            "offer-round-trip-without-inbound", "A round trip needs no inboundSegment", "inbound-missing@getOffer"
        ),
        rewording(
            "offer-inbound-crash",
            "A round trip without inboundSegment gives 500",
            "inbound-missing@getOffer",
            to_status(500),
        ),
        objecting(
            "offer-inbound-never-null",
            "A null inboundSegment is refused",
            when("getOffer", lambda body: body.get("inboundSegment", 0) is None),
        ),
    ),
    *of(
        "V4-OFFER-SECTION",
        tolerating("offer-section-unchecked", "Sections are not checked", "getOffer:*/sections/*/[!f]*:*"),
        tolerating("offer-any-carrier", "Any text is taken for a carrier", "getOffer:*CarrierCode:pattern"),
        tolerating("offer-any-time", "Any text is taken for a time", "getOffer:*Date:pattern"),
        tolerating("offer-without-arrival", "A section needs no arrivalDate", "getOffer:*/arrivalDate:required"),
        rewording("offer-section-404", "A wrong section gives 404", "getOffer:*/sections/*/[!f]*:*", to_status(404)),
        objecting(
            "offer-class-demanded",
            "A section needs a travelClass",
            when(
                "getOffer", lambda body: any("travelClass" not in each for each in body["outboundSegment"]["sections"])
            ),
        ),
    ),
    *of(
        "V4-OFFER-FLIGHT-NUMBER",
        tolerating(
            "offer-any-flight-number", "Any text is taken for a flight number", "getOffer:*/flightNumber:pattern"
        ),
        rewording(
            "offer-flight-number-404",
            "A wrong flight number gives 404",
            "getOffer:*/flightNumber:[tp]*",
            to_status(404),
        ),
    ),
    *of(
        "V4-OFFER-FIELDS",
        answering("offer-without-payment", "Offers lack paymentOptions", "getOffer", drop("/paymentOptions")),
        answering(
            "offer-fare-renamed",
            "cheapestFare is called fare",
            "getOffer",
            change("", lambda offer: offer | {"fare": offer["cheapestFare"]}),
            drop("/cheapestFare"),
        ),
        answering(
            "offer-without-information",
            "Offers lack the additional information",
            "getOffer",
            drop("/providerAdditionalPassengerInformationByPassengerType"),
        ),
    ),
    *of(
        "V4-OFFER-CHEAPEST-FARE",
        answering(
            "fare-without-total", "The cheapest fare lacks totalPrice", "getOffer", drop("/cheapestFare/totalPrice")
        ),
        answering(
            "fare-without-baggage",
            "The cheapest fare lacks includedBaggage",
            "getOffer",
            drop("/cheapestFare/includedBaggage"),
        ),
        answering(
            "fare-without-pricing", "The cheapest fare lacks its pricing", "getOffer", drop(f"/cheapestFare/{_PRICING}")
        ),
    ),
    *of(
        "V4-OFFER-INCLUDED-BAGGAGE",
        answering(
            "included-as-object",
            "includedBaggage is an object",
            "getOffer",
            put("/cheapestFare/includedBaggage", {"cabinBaggageQuantity": 1}),
        ),
        answering(
            "included-hand",
            "Included bags are of type HAND",
            "getOffer",
            put("/cheapestFare/includedBaggage/*/type", "HAND"),
        ),
        answering(
            "included-quantity-text",
            "quantity is a string",
            "getOffer",
            change("/cheapestFare/includedBaggage/*/quantity", str),
        ),
        answering(
            "included-weight-text",
            "weight is a string",
            "getOffer",
            add("/cheapestFare/includedBaggage/*", descriptor={"weight": "10kg"}),
        ),
    ),
    *of(
        "V4-OFFER-ADDITIONAL-INFORMATION",
        answering(
            "information-of-visas",
            "An identification type is VISA",
            "getOffer",
            put("/providerAdditionalPassengerInformationByPassengerType/*/providerIdentificationTypeOptions", ["VISA"]),
        ),
        answering(
            "information-as-text",
            "Required fields are a string",
            "getOffer",
            put(
                "/providerAdditionalPassengerInformationByPassengerType/*/providerRequiredAdditionalFields",
                "BIRTH_DATE",
            ),
        ),
        answering(
            "information-without-adult",
            "There is nothing about adults",
            "getOffer",
            drop("/providerAdditionalPassengerInformationByPassengerType/adult"),
        ),
    ),
    *of(
        "V4-OFFER-ROUND-TRIP",
        answering(
            "offer-inbound-dropped", "Round-trip offers lack inboundSegment", "getOffer", drop("/inboundSegment")
        ),
        answering("offer-inbound-null", "inboundSegment is always null", "getOffer", put("/inboundSegment", None)),
    ),
    *of(
        "V4-OFFER-PASSENGER-COUNT",
        answering(
            "offer-priced-for-one",
            "The fare is priced for one of each type",
            "getOffer",
            put(f"/cheapestFare/{_PRICING}/*/numberOfPassengers", 1),
        ),
    ),
    *of(
        "V4-OFFER-UNAVAILABLE",
        rewording("sold-out-crashes", "A sold-out itinerary gives 500", "itinerary-gone", to_status(500)),
        rewording("sold-out-answered", "A sold-out itinerary gives an empty success", "itinerary-gone", to_success({})),
        tolerating("sold-out-sold", "A sold-out itinerary is offered", "itinerary-gone"),
    ),
    *of(
        "V4-FARES-LIVE",
        objecting("fares-refused", "The fares of a live offer are Not Found", when("getFares"), 404),
        answering("fares-renamed", "fares is called items", "getFares", rename("", "fares", "items")),
    ),
    *of(
        "V4-FARES-MISSING",
        rewording("fares-missing-404", "The fares of a missing offer are Not Found", "fares-missing", to_status(404)),
        rewording(
            "fares-missing-null", "The fares of a missing offer are null", "fares-missing", to_success({"fares": None})
        ),
    ),
    *of(
        "V4-FARES-EXPIRED",
        tolerating("fares-after-expiry", "An expired offer still has fares", "fares-expired"),
        rewording("fares-expired-410", "The fares of an expired offer are Gone", "fares-expired", to_status(410)),
    ),
    *of(
        "V4-FARES-FOREIGN",
        tolerating("fares-for-all", "Everybody reads everybody's fares", "fares-foreign"),
        rewording("fares-foreign-403", "The fares of another user are Forbidden", "fares-foreign", to_status(403)),
    ),
    *of(
        "V4-BAGGAGE-OPTIONS",
        answering(
            "baggage-without-fare", "Baggage lacks its fareId", "getBaggage", drop("/fareBaggageOptions/*/fareId")
        ),
        answering(
            "baggage-without-price",
            "Options lack pricePerPiece",
            "getBaggage",
            drop("/fareBaggageOptions/*/outboundSegmentOptions/*/pricePerPiece"),
        ),
        answering(
            "baggage-kilos-text",
            "maxKilosPerPiece is a string",
            "getBaggage",
            change("/fareBaggageOptions/*/outboundSegmentOptions/*/maxKilosPerPiece", str),
        ),
        answering(
            "baggage-bare",
            "The answer is a bare array",
            "getBaggage",
            change("", lambda body: body["fareBaggageOptions"]),
        ),
        answering(
            "baggage-inbound-object",
            "inboundSegmentOptions is an object",
            "getBaggage",
            put("/fareBaggageOptions/*/inboundSegmentOptions", {}),
        ),
    ),
    *of(
        "V4-BAGGAGE-TYPE",
        answering(
            "baggage-hold",
            "Bags are of type HOLD",
            "getBaggage",
            put("/fareBaggageOptions/*/outboundSegmentOptions/*/type", "HOLD"),
        ),
        answering(
            "baggage-lower-case",
            "Types are in lower case",
            "getBaggage",
            change("/fareBaggageOptions/*/outboundSegmentOptions/*/type", str.lower),
        ),
    ),
    *of(
        "V4-BAGGAGE-UNKNOWN-OFFER",
        rewording(
            "baggage-unknown-400",
            "The baggage of an unknown offer gives 400",
            "offer-unknown@getBaggage",
            to_status(400),
        ),
        rewording(
            "baggage-unknown-empty",
            "The baggage of an unknown offer is empty",
            "offer-unknown@getBaggage",
            to_success({"fareBaggageOptions": []}),
        ),
    ),
)
