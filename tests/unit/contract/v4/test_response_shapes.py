"""A response of v4 with one wrong member has one finding."""

import pytest

from airworthy.contract import Contract
from unit.contract.examples import (
    OPERATIONS,
    RETURNED,
    Change,
    Finder,
    changed,
    drop,
    exchange,
    put,
)

OTHER = "00000000-0000-4000-8000-000000000000"
SEARCHED = "offers[0].outboundSegment.sections[0]"
FOUND = "/offers/0/outboundSegment/sections/0"
FARE = "cheapestFare"
INFORMATION = "providerAdditionalPassengerInformationByPassengerType"
OPTION = "fareBaggageOptions[0].outboundSegmentOptions[0]"
BAG = "selectedBaggage[0].outboundSegmentBaggageSelection[0]"
BAG_AT = "/selectedBaggage/0/outboundSegmentBaggageSelection/0"
NO_TIMES: list[object] = ["2027-03-14", "2027-03-14T10:00:00Z", "2027-02-30T10:00:00", "2027-03-14T25:00:00", None]
SHAPES: list[tuple[str, Change, str, str]] = [
    ("searchOffers", drop("offers"), "V4-SEARCH-OFFERS", "/offers"),
    ("searchOffers", put("offers", {}), "V4-SEARCH-OFFERS", "/offers"),
    ("searchOffers", drop("offers[0].id"), "V4-SEARCH-OFFER-FIELDS", "/offers/0/id"),
    ("searchOffers", drop("offers[0].paymentOptions"), "V4-SEARCH-OFFER-FIELDS", "/offers/0/paymentOptions"),
    ("searchOffers", drop("offers[0].outboundSegment"), "V4-SEARCH-OFFER-FIELDS", "/offers/0/outboundSegment"),
    ("searchOffers", put("offers[0].id", "1"), "V4-IDENTIFIERS", "/offers/0/id"),
    ("searchOffers", drop("offers[0].fare.includedBaggage"), "V4-SEARCH-FARE", "/offers/0/fare/includedBaggage"),
    ("searchOffers", put("offers[0].fare.includedBaggage", []), "V4-SEARCH-FARE", "/offers/0/fare/includedBaggage"),
    ("searchOffers", drop("offers[0].fare.price.sourceAmount"), "V4-SEARCH-FARE", "/offers/0/fare/price/sourceAmount"),
    ("searchOffers", put("offers[0].fare.price.currency", "USD"), "V4-CURRENCY", "/offers/0/fare/price/currency"),
    ("searchOffers", drop(f"{SEARCHED}.flightNumber"), "V4-SECTION-FIELDS", f"{FOUND}/flightNumber"),
    ("searchOffers", put(f"{SEARCHED}.flightNumber", "12345"), "V4-SECTION-FLIGHT-NUMBER", f"{FOUND}/flightNumber"),
    ("searchOffers", put(f"{SEARCHED}.origin", "MADR"), "V4-SECTION-AIRPORTS", f"{FOUND}/origin"),
    (
        "searchOffers",
        put(f"{SEARCHED}.marketingCarrierCode", "IBE"),
        "V4-SECTION-CARRIERS",
        f"{FOUND}/marketingCarrierCode",
    ),
    ("searchOffers", put(f"{SEARCHED}.travelClass", "BUSINESS"), "V4-SECTION-TRAVEL-CLASS", f"{FOUND}/travelClass"),
    ("searchOffers", drop(f"{SEARCHED}.availableSeats"), "V4-SECTION-AVAILABLE-SEATS", f"{FOUND}/availableSeats"),
    ("searchOffers", put(f"{SEARCHED}.availableSeats", "9"), "V4-SECTION-AVAILABLE-SEATS", f"{FOUND}/availableSeats"),
    ("searchOffers", put(f"{SEARCHED}.technicalStops", "none"), "V4-TECHNICAL-STOPS", f"{FOUND}/technicalStops"),
    *[
        ("searchOffers", put(f"{SEARCHED}.arrivalDate", value), "V4-SECTION-TIMES", f"{FOUND}/arrivalDate")
        for value in NO_TIMES
    ],
    ("getOffer", drop("cheapestFare"), "V4-OFFER-FIELDS", "/cheapestFare"),
    ("getOffer", drop(INFORMATION), "V4-OFFER-FIELDS", f"/{INFORMATION}"),
    ("getOffer", drop(f"{FARE}.id"), "V4-OFFER-CHEAPEST-FARE", "/cheapestFare/id"),
    ("getOffer", drop(f"{FARE}.totalPrice"), "V4-OFFER-CHEAPEST-FARE", "/cheapestFare/totalPrice"),
    ("getOffer", put(f"{FARE}.totalPrice", 120), "V4-MONEY", "/cheapestFare/totalPrice"),
    ("getOffer", put(f"{FARE}.totalPrice.amount", "120"), "V4-MONEY", "/cheapestFare/totalPrice/amount"),
    ("getOffer", put(f"{FARE}.totalPrice.currency", "usd"), "V4-CURRENCY", "/cheapestFare/totalPrice/currency"),
    ("getOffer", put(f"{FARE}.includedBaggage", {}), "V4-OFFER-INCLUDED-BAGGAGE", "/cheapestFare/includedBaggage"),
    (
        "getOffer",
        put(f"{FARE}.includedBaggage[0].type", "HOLD"),
        "V4-OFFER-INCLUDED-BAGGAGE",
        "/cheapestFare/includedBaggage/0/type",
    ),
    (
        "getOffer",
        put(f"{FARE}.includedBaggage[0].descriptor.weight", "10"),
        "V4-OFFER-INCLUDED-BAGGAGE",
        "/cheapestFare/includedBaggage/0/descriptor/weight",
    ),
    (
        "getOffer",
        drop(f"{FARE}.passengerPricingByPassengerType.adult"),
        "V4-PRICING",
        "/cheapestFare/passengerPricingByPassengerType/adult",
    ),
    (
        "getOffer",
        put(f"{FARE}.passengerPricingByPassengerType.senior", {}),
        "V4-PRICING",
        "/cheapestFare/passengerPricingByPassengerType/senior",
    ),
    (
        "getOffer",
        drop(f"{INFORMATION}.adult.providerRequiredAdditionalFields"),
        "V4-OFFER-ADDITIONAL-INFORMATION",
        f"/{INFORMATION}/adult/providerRequiredAdditionalFields",
    ),
    (
        "getOffer",
        put(f"{INFORMATION}.adult.providerIdentificationTypeOptions", ["VISA"]),
        "V4-OFFER-ADDITIONAL-INFORMATION",
        f"/{INFORMATION}/adult/providerIdentificationTypeOptions/0",
    ),
    ("getOffer", put("paymentOptions[0].type", "cheque"), "V4-PAYMENT-OPTIONS", "/paymentOptions/0/type"),
    ("getOffer", put("paymentOptions[0].fee", 2.5), "V4-MONEY", "/paymentOptions/0/fee"),
    ("getFares", put("fares", {}), "V4-FARES-LIVE", "/fares"),
    ("getBaggage", drop("fareBaggageOptions"), "V4-BAGGAGE-OPTIONS", "/fareBaggageOptions"),
    (
        "getBaggage",
        drop(f"{OPTION}.maxKilosPerPiece"),
        "V4-BAGGAGE-OPTIONS",
        "/fareBaggageOptions/0/outboundSegmentOptions/0/maxKilosPerPiece",
    ),
    (
        "getBaggage",
        put(f"{OPTION}.type", "HOLD"),
        "V4-BAGGAGE-TYPE",
        "/fareBaggageOptions/0/outboundSegmentOptions/0/type",
    ),
    ("createOrder", drop("totalPrice"), "V4-ORDER-FIELDS", "/totalPrice"),
    ("createOrder", drop("offer.fare"), "V4-ORDER-FIELDS", "/offer/fare"),
    ("createOrder", drop("passengers[0].gender"), "V4-ORDER-FIELDS", "/passengers/0/gender"),
    ("createOrder", put("status", "PENDING"), "V4-ORDER-STATUS", "/status"),
    ("createOrder", put("reservationId", OTHER), "V4-ORDER-RESERVATION-ID", "/reservationId"),
    ("createOrder", put("offer.id", OTHER), "V4-ORDER-OFFER", "/offer/id"),
    ("createOrder", put("offer.fare.id", OTHER), "V4-ORDER-OFFER", "/offer/fare/id"),
    (
        "createOrder",
        put("passengers[0].birthDate", "1990-12-11"),
        "V4-ORDER-PASSENGERS-ECHO",
        "/passengers/0/birthDate",
    ),
    ("createOrder", put("passengers[0].name", "Eda"), "V4-ORDER-PASSENGERS-ECHO", "/passengers/0/name"),
    ("createOrder", drop("passengers[0].identification"), "V4-ORDER-PASSENGERS-ECHO", "/passengers/0/identification"),
    (
        "createOrder",
        put("passengers[0].identification.identificationNumber", "X"),
        "V4-ORDER-PASSENGERS-ECHO",
        "/passengers/0/identification/identificationNumber",
    ),
    ("createOrder", put("passengers[0].number", 2), "V4-ORDER-PASSENGERS-ECHO", "/passengers"),
    ("createOrder", put("customerContact.zipCode", "28014"), "V4-ORDER-CONTACT-ECHO", "/customerContact/zipCode"),
    ("createOrder", drop("customerContact.phone"), "V4-ORDER-CONTACT-ECHO", "/customerContact/phone"),
    ("createOrder", put("customerContact.phone.number", "6"), "V4-ORDER-CONTACT-ECHO", "/customerContact/phone/number"),
    ("createOrder", put("paymentMethod", {"balance": True}), "V4-ORDER-PAYMENT-METHOD-ECHO", "/paymentMethod"),
    ("createOrder", put("paymentMethod", {}), "V4-ORDER-PAYMENT-METHOD-ECHO", "/paymentMethod"),
    ("createOrder", put(f"{BAG}.numberOfPieces", 2), "V4-ORDER-BAGGAGE-ECHO", f"{BAG_AT}/numberOfPieces"),
    ("createOrder", drop(f"{BAG}.pricePerPiece"), "V4-ORDER-PRICE-PER-PIECE", "/selectedBaggage/0/pricePerPiece"),
    ("createOrder", put(f"{BAG}.pricePerPiece", 35), "V4-ORDER-PRICE-PER-PIECE", f"{BAG_AT}/pricePerPiece"),
    ("createOrder", put("totalPrice.amount", 34.5), "V4-ORDER-TOTAL-BAGGAGE", "/totalPrice/amount"),
    ("confirmOrder", drop("reservationId"), "V4-ORDER-RESERVATION-ID", "/reservationId"),
    ("confirmOrder", put("reservationId", None), "V4-ORDER-RESERVATION-ID", "/reservationId"),
    ("confirmOrder", put("reservationId", "AB12CD"), "V4-IDENTIFIERS", "/reservationId"),
    ("confirmOrder", put("id", OTHER), "V4-ORDER-READ", "/id"),
    ("getOrder", put("id", OTHER), "V4-ORDER-READ", "/id"),
    ("getReservation", drop("pnr"), "V4-RESERVATION-FIELDS", "/pnr"),
    ("getReservation", put("pnr", ""), "V4-RESERVATION-FIELDS", "/pnr"),
    ("getReservation", put("fare", []), "V4-RESERVATION-FIELDS", "/fare"),
    ("getReservation", drop("passengers[0].gender"), "V4-RESERVATION-PASSENGERS", "/passengers/0/gender"),
    ("getReservation", put("id", OTHER), "V4-RESERVATION-MATCHES-ORDER", "/id"),
    ("getReservation", put("email", "eda@example.com"), "V4-RESERVATION-MATCHES-ORDER", "/email"),
    ("findReservation", put("orderId", OTHER), "V4-RESERVATION-BY-ORDER", "/orderId"),
]


@pytest.mark.parametrize(
    ("operation", "change", "rule", "pointer"), SHAPES, ids=[f"{one[0]}-{one[2]}-{at}" for at, one in enumerate(SHAPES)]
)
def test_wrong_response_has_one_finding(found: Finder, operation: str, change: Change, rule: str, pointer: str) -> None:
    places = found(exchange(operation, returned=changed(RETURNED[operation], change)))
    assert places == [("response", rule, pointer)]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_conforming_conversation_has_no_findings(found: Finder, operation: str) -> None:
    upto = OPERATIONS[: OPERATIONS.index(operation) + 1]
    made = [exchange(each, name=str(at), after=at / 10) for at, each in enumerate(upto)]
    assert found(*made) == []


def test_same_defect_in_many_items_is_one_finding(contract: Contract) -> None:
    offers = [changed(RETURNED["searchOffers"]["offers"][0], drop("fare")) for _ in range(50)]
    (finding,) = contract.judge(exchange("searchOffers", returned={"offers": offers}))
    assert finding.message == "fare is missing from an offer (and 49 more locations)"
    assert finding.pointer == "/offers/0/fare"
