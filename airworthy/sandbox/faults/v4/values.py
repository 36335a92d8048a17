"""Faults in the values that answers share: ids, money, sections, pricing."""

from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.making import ORDERS, add, answering, change, drop, of, put, rename

_OFFERED = "/outboundSegment/sections/*"
_PRICING = "/cheapestFare/passengerPricingByPassengerType"

FAULTS: tuple[Fault, ...] = (
    *of(
        "V4-IDENTIFIERS",
        answering("search-id-number", "Search offers are numbered", "searchOffers", put("/offers/*/id", "4711")),
        answering(
            "fare-id-short", "Fares of baggage have short ids", "getBaggage", put("/fareBaggageOptions/*/fareId", "F1")
        ),
        answering(
            "reservation-order-id",
            "A reservation's orderId has no dashes",
            "getReservation",
            change("/orderId", lambda text: text.replace("-", "")),
        ),
    ),
    *of(
        "V4-MONEY",
        answering(
            "payment-fee-bare", "The fee is a number", "searchOffers", put("/offers/*/paymentOptions/*/fee", 3.5)
        ),
        answering("amount-as-text", "Amounts are strings", "getOffer", change("/cheapestFare/totalPrice/amount", str)),
        answering(
            "money-as-number",
            "Money is a bare number",
            "getOrder",
            change("/totalPrice", lambda money: money["amount"]),
        ),
        answering("money-without-currency", "Money lacks its currency", ORDERS, drop("/totalPrice/currency")),
    ),
    *of(
        "V4-CURRENCY",
        answering("us-dollars", "Orders are in USD", ORDERS, put("/totalPrice/currency", "USD")),
        answering(
            "search-in-dollars", "Search prices are in USD", "searchOffers", put("/offers/*/fare/price/currency", "USD")
        ),
        answering(
            "currency-symbol",
            "The currency is a sign",
            "getBaggage",
            put("/fareBaggageOptions/*/outboundSegmentOptions/*/pricePerPiece/currency", "€"),
        ),
    ),
    *of(
        "V4-SECTION-FIELDS",
        answering(
            "section-without-carrier",
            "Sections lack their marketing carrier",
            "getOffer",
            drop(f"{_OFFERED}/marketingCarrierCode"),
        ),
        answering(
            "section-without-arrival", "Sections lack their arrival", "getOffer", drop(f"{_OFFERED}/arrivalDate")
        ),
        answering(
            "section-renamed", "flightNumber is called number", "getOffer", rename(_OFFERED, "flightNumber", "number")
        ),
    ),
    *of(
        "V4-SECTION-AIRPORTS",
        answering("airport-name", "Airports are names", "getOffer", put(f"{_OFFERED}/origin", "Madrid")),
        answering(
            "airport-four-letters", "Airports are ICAO codes", "getOffer", put(f"{_OFFERED}/destination", "LEBL")
        ),
    ),
    *of(
        "V4-SECTION-CARRIERS",
        answering(
            "carrier-three-letters",
            "Carriers are ICAO codes",
            "getOffer",
            put(f"{_OFFERED}/operatingCarrierCode", "IBE"),
        ),
        answering("carrier-empty", "Carriers are empty", "getOffer", put(f"{_OFFERED}/marketingCarrierCode", "")),
    ),
    *of(
        "V4-SECTION-TIMES",
        answering(
            "times-with-zone",
            "Times have a zone",
            "getOffer",
            change(f"{_OFFERED}/departureDate", lambda text: f"{text}Z"),
        ),
        answering(
            "times-without-seconds",
            "Times have no seconds",
            "getOffer",
            change(f"{_OFFERED}/arrivalDate", lambda text: text[:16]),
        ),
        answering(
            "times-at-24",
            "Midnight is 24 o'clock",
            "getOffer",
            change(f"{_OFFERED}/arrivalDate", lambda text: f"{text[:10]}T24:00:00"),
        ),
    ),
    *of(
        "V4-SECTION-FLIGHT-NUMBER",
        answering(
            "flight-number-with-carrier",
            "Flight numbers hold the carrier",
            "getOffer",
            change(f"{_OFFERED}/flightNumber", lambda text: f"IB{text}"),
        ),
        answering(
            "flight-number-integer", "Flight numbers are numbers", "getOffer", change(f"{_OFFERED}/flightNumber", int)
        ),
    ),
    *of(
        "V4-SECTION-TRAVEL-CLASS",
        answering("class-business", "Sections are in BUSINESS", "getOffer", put(f"{_OFFERED}/travelClass", "BUSINESS")),
    ),
    *of(
        "V4-SECTION-AVAILABLE-SEATS",
        answering(
            "seats-missing",
            "Search results lack availableSeats",
            "searchOffers",
            drop("/offers/*/outboundSegment/sections/*/availableSeats"),
        ),
        answering(
            "seats-as-text",
            "availableSeats is a string",
            "searchOffers",
            put("/offers/*/outboundSegment/sections/*/availableSeats", "9+"),
        ),
    ),
    *of(
        "V4-TECHNICAL-STOPS",
        answering("stops-as-number", "technicalStops is a number", "getOffer", add(_OFFERED, technicalStops=0)),
        answering(
            "stops-as-text",
            "technicalStops is a string",
            "searchOffers",
            add("/offers/*/outboundSegment/sections/*", technicalStops="none"),
        ),
    ),
    *of(
        "V4-PRICING",
        answering("pricing-without-adult", "Pricing lacks adult", "getOffer", drop(f"{_PRICING}/adult")),
        answering(
            "pricing-of-seniors",
            "Pricing has another type",
            "getOffer",
            change(_PRICING, lambda by_type: by_type | {"senior": by_type["adult"]}),
        ),
        answering(
            "pricing-without-tax",
            "Pricing lacks taxAmount",
            "searchOffers",
            drop("/offers/*/fare/passengerPricingByPassengerType/*/taxAmount"),
        ),
        answering(
            "pricing-count-as-text",
            "numberOfPassengers is a string",
            "getOffer",
            change(f"{_PRICING}/*/numberOfPassengers", str),
        ),
    ),
    *of(
        "V4-PAYMENT-OPTIONS",
        answering(
            "payment-by-voucher",
            "A payment option is a voucher",
            "getOffer",
            change("/paymentOptions", lambda options: [*options, {"type": "voucher"}]),
        ),
        answering(
            "payment-option-bare",
            "Payment options are strings",
            "getOffer",
            change("/paymentOptions/*", lambda option: option["type"]),
        ),
        answering(
            "payment-options-missing-type",
            "Payment options lack their type",
            "getOffer",
            drop("/paymentOptions/*/type"),
        ),
    ),
)
