"""Responses of v4 with one defect have one finding."""

from dataclasses import replace

import pytest

from airworthy.contract import Contract, Response, ServiceAddress
from unit.contract.examples import (
    HEADERS,
    JSON,
    OPERATIONS,
    ORDER,
    POSTS,
    RETURNED,
    SENT,
    Change,
    Finder,
    changed,
    drop,
    error,
    exchange,
    money,
    pricing,
    put,
    rejected,
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
    ("searchOffers", put(f"{SEARCHED}.availableSeats", None), "V4-SECTION-AVAILABLE-SEATS", f"{FOUND}/availableSeats"),
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


def test_created_order_is_not_open(found: Finder) -> None:
    returned = changed(RETURNED["createOrder"], put("status", "FAILED"))
    assert found(exchange("createOrder", returned=returned)) == [("response", "V4-ORDER-OPENS", "/status")]


def test_confirmed_order_is_still_open(found: Finder) -> None:
    left_open = changed(RETURNED["createOrder"], put("status", "OPEN"))
    failed = changed(RETURNED["createOrder"], put("status", "FAILED"))
    assert found(exchange("confirmOrder", returned=left_open)) == [("response", "V4-CONFIRM-BOOKS", "/status")]
    assert found(exchange("confirmOrder", returned=failed)) == []


@pytest.mark.parametrize("indicator", ["06", "01"])
def test_order_is_booked_although_authentication_was_only_attempted(found: Finder, indicator: str) -> None:
    secure = {
        "version": "1.0.2",
        "electronic_commerce_indicator": indicator,
        "cryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=",
        "transaction_id": "xid",
    }
    made = exchange("confirmOrder", sent=SENT["confirmOrder"] | {"three_d_secure": secure})
    assert found(made) == [("response", "V4-CONFIRM-3DS-ATTEMPTED", "/status")]
    assert found(rejected(made, 422, "Unprocessable Entity")) == []


@pytest.mark.parametrize("operation", ["searchOffers", "getOffer"])
@pytest.mark.parametrize(
    ("requested", "priced", "kind"),
    [
        ((2, 0, 0), (1, 0, 0), "adult/numberOfPassengers"),
        ((1, 1, 0), (1, 0, 0), "child"),
        ((1, 0, 0), (1, 0, 1), "infant/numberOfPassengers"),
    ],
)
def test_fare_is_priced_for_other_passengers(
    found: Finder, operation: str, requested: tuple[int, int, int], priced: tuple[int, int, int], kind: str
) -> None:
    search = operation == "searchOffers"
    fare = "offers[0].fare" if search else "cheapestFare"
    rule = "V4-SEARCH-PASSENGER-COUNT" if search else "V4-OFFER-PASSENGER-COUNT"
    counts = zip(("adults", "children", "infants"), requested, strict=True)
    sent = changed(SENT[operation], *(put(name, count) for name, count in counts))
    path = f"{fare}.passengerPricingByPassengerType"
    made = exchange(operation, sent=sent, returned=changed(RETURNED[operation], put(path, pricing(*priced))))
    place = "/" + path.replace(".", "/").replace("[0]", "/0") + f"/{kind}"
    assert found(made) == [("response", rule, place)]
    assert (
        found(exchange(operation, sent=sent, returned=changed(RETURNED[operation], put(path, pricing(*requested)))))
        == []
    )


@pytest.mark.parametrize(
    ("departs", "origin", "broken"),
    [
        ("2027-03-14T11:20:00", "PMI", False),
        ("2027-03-14T10:30:00", "PMI", False),  # the clocks may have gone back
        ("2027-03-14T10:10:00", "PMI", True),
        ("2027-03-14T10:10:00", "IBZ", False),
        ("later", "PMI", False),
    ],
)
def test_section_departs_before_the_previous_one_arrives(
    contract: Contract, departs: str, origin: str, broken: bool
) -> None:
    first = RETURNED["searchOffers"]["offers"][0]["outboundSegment"]["sections"][0]
    second = first | {"origin": origin, "departureDate": departs, "arrivalDate": "2027-03-14T13:00:00"}
    returned = changed(RETURNED["searchOffers"], put("offers[0].outboundSegment.sections", [first, second]))
    found = [each.pointer for each in contract.judge(exchange("searchOffers", returned=returned)) if not each.soft]
    assert ("/offers/0/outboundSegment/sections/1/departureDate" in found) == (broken or departs == "later")


@pytest.mark.parametrize(("arrives", "broken"), [("2027-03-13T11:00:00", False), ("2027-03-13T09:59:00", True)])
def test_section_arrives_a_day_before_it_departs(found: Finder, arrives: str, broken: bool) -> None:
    """A flight across the date line arrives hours before it departs, in local time."""
    returned = changed(RETURNED["searchOffers"], put(f"{SEARCHED}.arrivalDate", arrives))
    expected = [("response", "V4-SEARCH-ITINERARY", f"{FOUND}/arrivalDate")] if broken else []
    assert found(exchange("searchOffers", returned=returned)) == expected


def test_round_trip_search_offer_without_inbound_segment(found: Finder) -> None:
    back = {**SENT["searchOffers"]["outboundSegment"]}
    sent = changed(SENT["searchOffers"], put("tripType", "ROUND_TRIP"), put("inboundSegment", back))
    assert found(exchange("searchOffers", sent=sent)) == [
        ("response", "V4-SEARCH-ROUND-TRIP", "/offers/0/inboundSegment")
    ]
    whatever = changed(RETURNED["searchOffers"], put("offers[0].inboundSegment", ["any", "form"]))
    assert found(exchange("searchOffers", sent=sent, returned=whatever)) == []


def test_round_trip_offer_without_inbound_segment(found: Finder) -> None:
    back = {**SENT["getOffer"]["outboundSegment"]}
    sent = changed(SENT["getOffer"], put("tripType", "ROUND_TRIP"), put("inboundSegment", back))
    returned = changed(RETURNED["getOffer"], drop("inboundSegment"))
    assert found(exchange("getOffer", sent=sent, returned=returned)) == [
        ("response", "V4-OFFER-ROUND-TRIP", "/inboundSegment")
    ]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        (put(f"{SEARCHED}.origin", "BCN"), f"{FOUND}/origin"),
        (put(f"{SEARCHED}.destination", "IBZ"), f"{FOUND}/destination"),
        (put(f"{SEARCHED}.departureDate", "2027-03-15T10:00:00"), f"{FOUND}/departureDate"),
    ],
)
def test_search_returns_another_itinerary(contract: Contract, change: Change, pointer: str) -> None:
    made = exchange("searchOffers", returned=changed(RETURNED["searchOffers"], change))
    found = [(finding.rule, finding.pointer, finding.soft) for finding in contract.judge(made)]
    assert found == [("V4-SEARCH-ITINERARY", pointer, False)]


def test_city_is_not_compared_with_an_airport(found: Finder) -> None:
    sent = changed(SENT["searchOffers"], put("outboundSegment.origin", {"code": "LON", "type": "CITY"}))
    assert found(exchange("searchOffers", sent=sent)) == []


@pytest.mark.parametrize(
    ("requested", "broken"), [("BUSINESS", True), ("FIRST", True), ("economy", False), ("X", False)]
)
def test_search_in_another_class_returns_offers(found: Finder, requested: str, broken: bool) -> None:
    sent = changed(SENT["searchOffers"], put("travelClass", requested))
    assert found(exchange("searchOffers", sent=sent)) == (
        [("response", "V4-SEARCH-TRAVEL-CLASS", "/offers")] if broken else []
    )
    assert found(exchange("searchOffers", sent=sent, returned={"offers": []})) == []


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        (put("travelClass", "BUSINESS"), True),
        (put("travelClass", "X"), False),
        (put("outboundSegment.departureDate", "2020-01-01"), False),
        (put("outboundSegment.destination.code", "mad"), False),
        (put("children", 9), False),
        (put("inboundSegment", SENT["searchOffers"]["outboundSegment"]), False),
        (put("promotion", "x"), False),
    ],
)
def test_search_in_another_class_is_rejected(contract: Contract, change: Change, broken: bool) -> None:
    sent = changed(SENT["searchOffers"], put("travelClass", "BUSINESS"), change)
    made = rejected(exchange("searchOffers", sent=sent))
    judged = [(each.rule, each.pointer, each.soft) for each in contract.judge(made) if each.side == "response"]
    assert judged == ([("V4-SEARCH-TRAVEL-CLASS", "status", True)] if broken else [])
    assert not [each for each in contract.judge(rejected(made, 404, "Not Found")) if each.side == "response"]


def test_other_payment_method_may_be_null(found: Finder) -> None:
    returned = changed(RETURNED["createOrder"], put("paymentMethod", {"card": True, "balance": None}))
    assert found(exchange("createOrder", returned=returned)) == []
    neither = changed(RETURNED["createOrder"], put("paymentMethod", {"card": None}))
    rule = "V4-ORDER-PAYMENT-METHOD-ECHO"
    assert found(exchange("createOrder", returned=neither)) == [("response", rule, "/paymentMethod")]


def test_country_code_may_change_letter_case(found: Finder) -> None:
    sent = changed(SENT["createOrder"], put("customerContact.countryCode", "es"))
    assert found(exchange("createOrder", sent=changed(sent, put("customerContact.phone.countryCode", "es")))) == []
    other = found(exchange("createOrder", sent=changed(sent, put("customerContact.countryCode", "fr"))))
    assert other == [("response", "V4-ORDER-CONTACT-ECHO", "/customerContact/countryCode")]


# Statuses and errors


@pytest.mark.parametrize("status", [201, 202, 204])
@pytest.mark.parametrize("operation", POSTS)
def test_success_status_is_not_200(found: Finder, operation: str, status: int) -> None:
    assert found(exchange(operation, status=status)) == [("response", "V4-SUCCESS-STATUS", "status")]


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (400, error(400, "Bad Request"), None),
        (400, error(400, "BAD REQUEST"), None),
        (422, error(422, "Unprocessable Entity"), None),
        (422, error(422, "Unprocessable Content"), None),
        (409, error(409, "Conflict"), None),
        (499, error(499, "Client Closed Request"), None),
        (404, error(400, "Not Found"), ("V4-ERROR-STATUS-CODE", "/statusCode")),
        (404, error(404, "not_found"), ("V4-ERROR-TEXT", "/error")),
        (404, {"statusCode": 404, "error": "Not Found"}, ("V4-ERROR-BODY", "/message")),
        (404, {"statusCode": "404", "error": "Not Found", "message": "x"}, ("V4-ERROR-BODY", "/statusCode")),
        (404, {"statusCode": 404, "error": "Not Found", "message": ["x"]}, ("V4-ERROR-BODY", "/message")),
        (401, [], ("V4-ERROR-BODY", "")),
        (401, b"<html>", ("V4-JSON-ANSWERS", "")),
        (401, b"", ("V4-JSON-ANSWERS", "")),
        (429, b"slow down", None),
        (500, b"<html>", None),
        (503, b"", None),
    ],
)
def test_error_responses(found: Finder, status: int, body: object, expected: tuple[str, str] | None) -> None:
    made = exchange("getOrder", status=status, returned=body)
    assert found(made) == ([("response", *expected)] if expected else [])


@pytest.mark.parametrize("operation", OPERATIONS)
def test_response_is_not_json(found: Finder, operation: str) -> None:
    assert found(exchange(operation, returned=b"<html>")) == [("response", "V4-JSON-ANSWERS", "")]


def test_json_with_another_content_type_only_warns(contract: Contract) -> None:
    made = exchange("searchOffers")
    assert made.response is not None
    named = replace(made, response=replace(made.response, headers=(("content-type", "text/html"),)))
    (finding,) = contract.judge(named)
    assert (finding.rule, finding.pointer, finding.soft) == ("V4-JSON-ANSWERS", "header:Content-Type", True)


def test_get_fares_responds_with_404_or_410(found: Finder) -> None:
    for status, text in ((404, "Not Found"), (410, "Gone")):
        assert found(rejected(exchange("getFares"), status, text)) == [("response", "V4-FARES-MISSING", "status")]
    malformed = exchange("getFares", url="https://service.example/v4/offer/4711/fares")
    assert found(rejected(malformed, 404, "Not Found")) == [("request", "V4-ORDER-ID-FORM", "path")]
    assert found(exchange("getFares", returned={"fares": []})) == []


def test_request_without_a_key_succeeds(found: Finder) -> None:
    made = exchange("getOrder", headers=HEADERS[1:])
    assert found(made) == [
        ("request", "V4-AUTH-KEY-SENT", "header:Authorization"),
        ("response", "V4-AUTH-MISSING-KEY", "status"),
    ]
    assert found(rejected(made, 403, "Forbidden")) == [("request", "V4-AUTH-KEY-SENT", "header:Authorization")]


def test_request_over_plain_http_succeeds(found: Finder) -> None:
    made = exchange("getOrder", url=f"http://service.example/v4/order/{ORDER}")
    sent = ("request", "V4-HTTPS-ONLY", "path")
    assert found(made) == [sent, ("response", "V4-HTTPS-ONLY", "status")]
    assert found(rejected(made, 403, "Forbidden")) == [sent]
    assert found(replace(made, response=Response(301, JSON, b""))) == [sent]
    behind_tls = Contract.load(service=ServiceAddress(allow_plain_http=True))
    assert behind_tls.judge(made) == []


def test_same_defect_in_many_items_is_one_finding(contract: Contract) -> None:
    offers = [changed(RETURNED["searchOffers"]["offers"][0], drop("fare")) for _ in range(50)]
    (finding,) = contract.judge(exchange("searchOffers", returned={"offers": offers}))
    assert finding.message == "fare is missing from an offer (and 49 more locations)"
    assert finding.pointer == "/offers/0/fare"


def test_price_per_piece_may_be_on_the_item(found: Finder) -> None:
    returned = changed(
        RETURNED["createOrder"], drop(f"{BAG}.pricePerPiece"), put("selectedBaggage[0].pricePerPiece", money(35))
    )
    assert found(exchange("createOrder", returned=returned)) == []


@pytest.mark.parametrize(
    ("sent", "returned", "broken"),
    [
        ("José", "JOSE", False),
        ("Núñez  Sol", "nunez sol", False),
        ("Nu\u0301n\u0303ez", "Núñez", False),
        ("Müller", "MUELLER", False),
        ("Müller", "Muller", False),
        ("O'Brien", "OBRIEN", False),
        ("Jean-Luc", "JEAN LUC", False),
        ("de la Cruz", "DELACRUZ", False),
        ("Müller", "MEULLER", True),
        ("José", "JosÃ©", True),
        ("José", "Jos?", True),
    ],
)
def test_name_in_another_spelling(contract: Contract, sent: str, returned: str, broken: bool) -> None:
    made = exchange(
        "createOrder",
        sent=changed(SENT["createOrder"], put("passengers[0].name", sent)),
        returned=changed(RETURNED["createOrder"], put("passengers[0].name", returned)),
    )
    found = [finding.rule for finding in contract.judge(made)]
    assert found == (["V4-ORDER-PASSENGERS-ECHO"] if broken else [])
