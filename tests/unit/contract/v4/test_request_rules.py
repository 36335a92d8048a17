"""Requests of v4 with one defect have one finding."""

import pytest

from airworthy.contract import Contract
from unit.contract.examples import SENT, Change, Finder, changed, drop, exchange, put, rejected
from unit.contract.judging import weighed

ROUND = put("tripType", "ROUND_TRIP")
BACK = {
    "origin": {"code": "PMI", "type": "AIRPORT"},
    "destination": {"code": "MAD", "type": "CITY"},
    "departureDate": "2027-03-21",
}
THREE_D = {
    "version": "2.2.0",
    "electronic_commerce_indicator": "05",
    "cryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=",
    "transaction_id": "f25084f0-5b16-4c0a-ae5d-b24808a95e4b",
}
NO_CODES: list[object] = ["MA", "MADR", "M4D", "", "MAD\n", "МАД", {}]
NO_DATES: list[object] = [
    *("14/03/2027", "2027-3-14", "20270314", "2027-02-29", "2027-04-31", "2027-03-14\n", ""),
    None,
    {},
]
NO_METHODS: list[object] = [{}, {"card": True, "balance": True}, {"card": False}, None, []]
SECTION = "outboundSegment.sections[0]"
PERSON = "passengers[0]"
PAPER = "passengers[0].identification"
BAG = "selectedBaggage[0].outboundSegmentBaggageSelection[0]"

SEARCH = [
    (drop("adults"), "V4-SEARCH-REQUIRED", "/adults"),
    (drop("children"), "V4-SEARCH-REQUIRED", "/children"),
    (drop("infants"), "V4-SEARCH-REQUIRED", "/infants"),
    (drop("tripType"), "V4-SEARCH-REQUIRED", "/tripType"),
    (drop("customerCode"), "V4-SEARCH-REQUIRED", "/customerCode"),
    (drop("outboundSegment"), "V4-SEARCH-REQUIRED", "/outboundSegment"),
    (drop("outboundSegment.origin"), "V4-SEARCH-REQUIRED", "/outboundSegment/origin"),
    (put("customerCode", {}), "V4-SEARCH-REQUIRED", "/customerCode"),
    (put("travelClass", 1), "V4-SEARCH-REQUIRED", "/travelClass"),
    (put("outboundSegment", None), "V4-SEARCH-REQUIRED", "/outboundSegment"),
    (put("outboundSegment", "MAD"), "V4-SEARCH-REQUIRED", "/outboundSegment"),
    *[(put("adults", value), "V4-SEARCH-ADULTS", "/adults") for value in (0, 10, -1, 1.5, "two", None, True)],
    *[(put("children", value), "V4-SEARCH-CHILDREN", "/children") for value in (-1, 10, 1.5, "none", None)],
    *[(put("infants", value), "V4-SEARCH-INFANTS", "/infants") for value in (-1, 2, 10, 0.5, "none", None)],
    *[(put("tripType", value), "V4-SEARCH-TRIP-TYPE", "/tripType") for value in ("MULTI_CITY", "", 1, None)],
    (drop("outboundSegment.origin.code"), "V4-SEARCH-LOCATION", "/outboundSegment/origin/code"),
    (drop("outboundSegment.destination.type"), "V4-SEARCH-LOCATION", "/outboundSegment/destination/type"),
    *[
        (put("outboundSegment.origin.code", value), "V4-SEARCH-LOCATION", "/outboundSegment/origin/code")
        for value in NO_CODES
    ],
    (put("outboundSegment.origin.type", "STATION"), "V4-SEARCH-LOCATION", "/outboundSegment/origin/type"),
    (put("outboundSegment.origin", "MAD"), "V4-SEARCH-LOCATION", "/outboundSegment/origin"),
    *[
        (put("outboundSegment.departureDate", value), "V4-SEARCH-DEPARTURE-DATE", "/outboundSegment/departureDate")
        for value in NO_DATES
    ],
    (ROUND, "V4-SEARCH-INBOUND", "/inboundSegment"),
    (put("inboundSegment", BACK), "V4-SEARCH-INBOUND", "/inboundSegment"),
]
ROUND_SEARCH = [
    (drop("inboundSegment"), "V4-SEARCH-INBOUND", "/inboundSegment"),
    (put("inboundSegment", None), "V4-SEARCH-INBOUND", "/inboundSegment"),
    (put("inboundSegment", "PMI"), "V4-SEARCH-INBOUND", "/inboundSegment"),
    (drop("inboundSegment.origin"), "V4-SEARCH-INBOUND", "/inboundSegment/origin"),
    (drop("inboundSegment.departureDate"), "V4-SEARCH-INBOUND", "/inboundSegment/departureDate"),
    (drop("inboundSegment.origin.code"), "V4-SEARCH-LOCATION", "/inboundSegment/origin/code"),
    (put("inboundSegment.destination.type", "STATION"), "V4-SEARCH-LOCATION", "/inboundSegment/destination/type"),
    (put("inboundSegment.departureDate", "x"), "V4-SEARCH-DEPARTURE-DATE", "/inboundSegment/departureDate"),
]
OFFER_REQUEST = [
    (drop("customerCode"), "V4-OFFER-REQUIRED", "/customerCode"),
    (drop("outboundSegment.sections"), "V4-OFFER-REQUIRED", "/outboundSegment/sections"),
    (put("outboundSegment.sections", {}), "V4-OFFER-REQUIRED", "/outboundSegment/sections"),
    (put("adults", 10), "V4-OFFER-ADULTS", "/adults"),
    (put("children", 10), "V4-OFFER-CHILDREN", "/children"),
    (put("infants", 2), "V4-OFFER-INFANTS", "/infants"),
    (put("tripType", "MULTI_CITY"), "V4-OFFER-TRIP-TYPE", "/tripType"),
    (ROUND, "V4-OFFER-INBOUND", "/inboundSegment"),
    (put("inboundSegment", {"sections": []}), "V4-OFFER-INBOUND", "/inboundSegment"),
    (put("travelClass", "BUSINESS"), "V4-OFFER-REQUIRED", "/travelClass"),
    (put(f"{SECTION}.travelClass", "FIRST"), "V4-OFFER-SECTION", "/outboundSegment/sections/0/travelClass"),
    (drop(f"{SECTION}.origin"), "V4-OFFER-SECTION", "/outboundSegment/sections/0/origin"),
    (put(f"{SECTION}.destination", "PMII"), "V4-OFFER-SECTION", "/outboundSegment/sections/0/destination"),
    *[
        (put(f"{SECTION}.departureDate", value), "V4-OFFER-SECTION", "/outboundSegment/sections/0/departureDate")
        for value in ("2027-03-14", "2027-03-14T10:00:00+02:00", "2027-03-14T24:00:00", "2027-03-14T10:00:00Z", None)
    ],
    (
        put(f"{SECTION}.operatingCarrierCode", "IBE"),
        "V4-OFFER-SECTION",
        "/outboundSegment/sections/0/operatingCarrierCode",
    ),
    (drop(f"{SECTION}.flightNumber"), "V4-OFFER-SECTION", "/outboundSegment/sections/0/flightNumber"),
    *[
        (put(f"{SECTION}.flightNumber", value), "V4-OFFER-FLIGHT-NUMBER", "/outboundSegment/sections/0/flightNumber")
        for value in ("12345", "", "IB12", "12\n", "١٢", None, 12)
    ],
]
ORDER = [
    (drop("passengers"), "V4-ORDER-REQUIRED", "/passengers"),
    (put("passengers", {}), "V4-ORDER-REQUIRED", "/passengers"),
    (put("customerContact", []), "V4-ORDER-CONTACT", "/customerContact"),
    (drop(f"{PERSON}.name"), "V4-ORDER-PASSENGER", "/passengers/0/name"),
    (put(f"{PERSON}.number", 1.5), "V4-ORDER-PASSENGER", "/passengers/0/number"),
    (put(f"{PERSON}.middleName", {}), "V4-ORDER-PASSENGER", "/passengers/0/middleName"),
    (put(f"{PERSON}.type", "senior"), "V4-ORDER-PASSENGER-TYPE", "/passengers/0/type"),
    (put(f"{PERSON}.title", "DR"), "V4-ORDER-TITLE", "/passengers/0/title"),
    (put(f"{PERSON}.gender", "M"), "V4-ORDER-GENDER", "/passengers/0/gender"),
    (put(f"{PERSON}.birthDate", "14/03/1990"), "V4-ORDER-BIRTH-DATE", "/passengers/0/birthDate"),
    (drop(f"{PAPER}.issueCountryCode"), "V4-ORDER-IDENTIFICATION", "/passengers/0/identification/issueCountryCode"),
    (put(f"{PAPER}.type", "DRIVING_LICENCE"), "V4-ORDER-IDENTIFICATION", "/passengers/0/identification/type"),
    (put(f"{PAPER}.expirationDate", "x"), "V4-ORDER-IDENTIFICATION", "/passengers/0/identification/expirationDate"),
    (
        put(f"{PAPER}.expirationDate", "2026-11-01"),
        "V4-ORDER-IDENTIFICATION-EXPIRY",
        "/passengers/0/identification/expirationDate",
    ),
    (
        put(f"{PAPER}.issueCountryCode", "ESP"),
        "V4-ORDER-COUNTRY-CODES",
        "/passengers/0/identification/issueCountryCode",
    ),
    (put(f"{PERSON}.nationalityCountryCode", "E"), "V4-ORDER-COUNTRY-CODES", "/passengers/0/nationalityCountryCode"),
    (put(f"{PERSON}.phone", {"countryCode": "ESP"}), "V4-ORDER-COUNTRY-CODES", "/passengers/0/phone/countryCode"),
    (put(f"{PERSON}.phone", {"number": {}}), "V4-ORDER-PHONE", "/passengers/0/phone/number"),
    (put("customerContact.phone", []), "V4-ORDER-PHONE", "/customerContact/phone"),
    (drop("customerContact.phone.number"), "V4-ORDER-PHONE", "/customerContact/phone/number"),
    (drop("customerContact.zipCode"), "V4-ORDER-CONTACT", "/customerContact/zipCode"),
    (put("customerContact.gender", "OTHER"), "V4-ORDER-CONTACT", "/customerContact/gender"),
    (drop("selectedBaggage"), "V4-ORDER-REQUIRED", "/selectedBaggage"),
    (put("selectedBaggage", {}), "V4-ORDER-BAGGAGE-SELECTION", "/selectedBaggage"),
    (put("selectedBaggage", []), "V4-ORDER-BAGGAGE-PER-PASSENGER", "/selectedBaggage"),
    (put("selectedBaggage[0].passengerNumber", 2), "V4-ORDER-BAGGAGE-PER-PASSENGER", "/selectedBaggage"),
    (
        drop(f"{BAG}.kilosPerPiece"),
        "V4-ORDER-BAGGAGE-SELECTION",
        "/selectedBaggage/0/outboundSegmentBaggageSelection/0/kilosPerPiece",
    ),
    (
        put(f"{BAG}.type", "HOLD"),
        "V4-ORDER-BAGGAGE-SELECTION",
        "/selectedBaggage/0/outboundSegmentBaggageSelection/0/type",
    ),
    *[(put("paymentMethod", value), "V4-ORDER-PAYMENT-METHOD", "/paymentMethod") for value in NO_METHODS],
    (put("paymentMethod", {"card": "visa"}), "V4-ORDER-PAYMENT-METHOD", "/paymentMethod/card"),
    (put(f"{PERSON}.number", 7), "V4-ORDER-BAGGAGE-PER-PASSENGER", "/selectedBaggage"),
]
CONFIRMATION = [
    (drop("paymentMethod"), "V4-CONFIRM-REQUIRED", "/paymentMethod"),
    (put("paymentMethod", {"card": True, "balance": True}), "V4-CONFIRM-REQUIRED", "/paymentMethod"),
    (put("paymentMethod", {}), "V4-CONFIRM-REQUIRED", "/paymentMethod"),
    (drop("payment_method"), "V4-CONFIRM-ONE-PAYMENT-REFERENCE", ""),
    (put("payment_intent_id", "pi_1"), "V4-CONFIRM-ONE-PAYMENT-REFERENCE", ""),
    (put("payment_method", "card_1"), "V4-CONFIRM-PAYMENT-METHOD-PREFIX", "/payment_method"),
    (put("payment_method", {}), "V4-CONFIRM-PAYMENT-METHOD-PREFIX", "/payment_method"),
    (put("payment_method", None), "V4-CONFIRM-PAYMENT-METHOD-PREFIX", "/payment_method"),
    (put("paymentMethod", {"balance": True}), "V4-CONFIRM-BALANCE-ALONE", "/payment_method"),
    (put("three_d_secure", THREE_D | {"version": "2.3.1"}), "V4-CONFIRM-3DS-VERSION", "/three_d_secure/version"),
    (put("three_d_secure", {**THREE_D, "version": None}), "V4-CONFIRM-3DS-VERSION", "/three_d_secure/version"),
    *[
        (
            put("three_d_secure", THREE_D | {"electronic_commerce_indicator": value}),
            rule,
            "/three_d_secure/electronic_commerce_indicator",
        )
        for value, rule in (
            ("03", "V4-CONFIRM-3DS-INDICATOR"),
            ("5", "V4-CONFIRM-3DS-INDICATOR"),
            (5, "V4-CONFIRM-3DS-INDICATOR"),
            ("07", "V4-CONFIRM-3DS-FAILED"),
            ("00", "V4-CONFIRM-3DS-FAILED"),
        )
    ],
    *[
        (
            put("three_d_secure", THREE_D | {"cryptogram": value}),
            "V4-CONFIRM-3DS-CRYPTOGRAM",
            "/three_d_secure/cryptogram",
        )
        for value in ("AAECAwQFBgcICQoLDA0ODxAREg=", "AAECAwQFBgcICQoLDA0ODxAREh!=", "", None)
    ],
    (put("three_d_secure", {"version": "2.2.0"}), "V4-CONFIRM-3DS-FIELDS", "/three_d_secure/cryptogram"),
]
CASES = [
    *[("searchOffers", (change,), rule, pointer) for change, rule, pointer in SEARCH],
    *[
        ("searchOffers", (ROUND, put("inboundSegment", BACK), change), rule, pointer)
        for change, rule, pointer in ROUND_SEARCH
    ],
    *[("getOffer", (change,), rule, pointer) for change, rule, pointer in OFFER_REQUEST],
    *[("createOrder", (change,), rule, pointer) for change, rule, pointer in ORDER],
    *[("confirmOrder", (change,), rule, pointer) for change, rule, pointer in CONFIRMATION],
]


@pytest.mark.parametrize(
    ("operation", "changes", "rule", "pointer"),
    CASES,
    ids=[f"{operation}-{rule}-{index}" for index, (operation, _, rule, _) in enumerate(CASES)],
)
def test_wrong_request_has_one_finding(
    found: Finder, operation: str, changes: tuple[Change, ...], rule: str, pointer: str
) -> None:
    made = rejected(exchange(operation, sent=changed(SENT[operation], *changes)))
    places = found(made)
    assert ("request", rule, pointer) in places
    if rule != "V4-CONFIRM-3DS-FIELDS":
        assert places == [("request", rule, pointer)]


@pytest.mark.parametrize(
    ("operation", "changes"),
    [
        ("searchOffers", [put("adults", 9), put("children", 9), put("infants", 9)]),
        ("searchOffers", [put("adults", 2.0)]),
        ("searchOffers", [drop("travelClass"), drop("inboundSegment")]),
        ("searchOffers", [ROUND, put("inboundSegment", BACK)]),
        ("searchOffers", [put("outboundSegment.departureDate", "2028-02-29")]),
        ("searchOffers", [put("outboundSegment.origin.code", "mad")]),
        ("getOffer", [put(f"{SECTION}.flightNumber", "0012"), put(f"{SECTION}.marketingCarrierCode", "U2")]),
        ("getOffer", [put(f"{SECTION}.travelClass", "ECONOMY"), put("travelClass", "ECONOMY")]),
        ("createOrder", [drop(f"{PERSON}.identification"), drop(f"{PERSON}.birthDate")]),
        ("createOrder", [put(f"{PERSON}.identification.expirationDate", "2026-11-02")]),
        ("createOrder", [put(f"{PERSON}.number", 0), put("selectedBaggage[0].passengerNumber", 0)]),
        ("createOrder", [put("paymentMethod", {"card": True, "balance": False})]),
        ("createOrder", [put(f"{BAG}.numberOfPieces", 0)]),
        ("createOrder", [put("selectedBaggage[0].outboundSegmentBaggageSelection", [])]),
        ("createOrder", [put("selectedBaggage[0].inboundSegmentBaggageSelection", None)]),
        ("createOrder", [put("customerContact.carrierPortalCredentials", {"username": "u", "password": "p"})]),
        ("createOrder", [put("customerContact.email", "no address"), put("customerContact.phone.number", "+34 600")]),
        ("confirmOrder", [put("three_d_secure", THREE_D)]),
        ("confirmOrder", [put("three_d_secure", THREE_D | {"electronic_commerce_indicator": "01"})]),
        ("confirmOrder", [drop("payment_method"), put("payment_intent_id", "anything")]),
        ("confirmOrder", [drop("payment_method"), put("paymentMethod", {"balance": True, "card": False})]),
    ],
)
def test_allowed_request_has_no_findings(found: Finder, operation: str, changes: list[Change]) -> None:
    assert found(rejected(exchange(operation, sent=changed(SENT[operation], *changes)))) == []


def test_three_d_secure_without_payment_method(found: Finder) -> None:
    body = {"paymentMethod": {"card": True}, "payment_intent_id": "pi_1", "three_d_secure": THREE_D}
    made = rejected(exchange("confirmOrder", sent=body))
    assert found(made) == [("request", "V4-CONFIRM-3DS-WITH-PAYMENT-METHOD", "/three_d_secure")]


def test_balance_payment_with_provider_fields(found: Finder) -> None:
    body = {"paymentMethod": {"balance": True}, "three_d_secure": THREE_D, "payment_intent_id": "pi_1"}
    places = {pointer for _, rule, pointer in found(rejected(exchange("confirmOrder", sent=body)))}
    assert places == {"/three_d_secure", "/payment_intent_id"}


def test_null_payment_method_has_one_finding(found: Finder) -> None:
    body = {"paymentMethod": {"card": True}, "payment_intent_id": "pi_1", "payment_method": None}
    assert found(rejected(exchange("confirmOrder", sent=body))) == [
        ("request", "V4-CONFIRM-PAYMENT-METHOD-PREFIX", "/payment_method")
    ]


@pytest.mark.parametrize(("key", "broken"), [("Token key-1", True), ("ApiKey key-1", True), (" key-1 ", False)])
def test_key_with_a_prefix(contract: Contract, key: str, broken: bool) -> None:
    made = exchange("getOrder", headers=(("Authorization", key), ("Accept", "application/json")))
    assert weighed(contract, made) == ([("V4-CURRENT-REVISION", "header:Authorization", True)] if broken else [])


@pytest.mark.parametrize("kind", ["child", "infant"])
def test_child_or_infant_without_birth_date(found: Finder, kind: str) -> None:
    sent = changed(SENT["createOrder"], put("passengers[0].type", kind), drop("passengers[0].birthDate"))
    assert found(rejected(exchange("createOrder", sent=sent))) == [
        ("request", "V4-ORDER-BIRTH-DATE", "/passengers/0/birthDate")
    ]


@pytest.mark.parametrize(("born", "broken"), [("2025-11-01", False), ("2024-11-03", False), ("2022-01-01", True)])
def test_infant_is_too_old(found: Finder, born: str, broken: bool) -> None:
    sent = changed(SENT["createOrder"], put("passengers[0].type", "infant"), put("passengers[0].birthDate", born))
    places = found(rejected(exchange("createOrder", sent=sent)))
    assert places == ([("request", "V4-ORDER-INFANT-AGE", "/passengers/0/birthDate")] if broken else [])


@pytest.mark.parametrize(
    ("numbers", "broken"), [((1, 2), False), ((0, 1), False), ((2, 1), False), ((1, 3), True), ((1, 1), True)]
)
def test_passenger_numbers_are_not_consecutive(found: Finder, numbers: tuple[int, int], broken: bool) -> None:
    person = SENT["createOrder"]["passengers"][0]
    sent = changed(
        SENT["createOrder"],
        put("passengers", [person | {"number": number} for number in numbers]),
        put(
            "selectedBaggage",
            [{"passengerNumber": number, "outboundSegmentBaggageSelection": []} for number in numbers],
        ),
    )
    places = found(rejected(exchange("createOrder", sent=sent)))
    assert places == ([("request", "V4-ORDER-PASSENGER-NUMBERS", "/passengers")] if broken else [])


@pytest.mark.parametrize("operation", ["createOrder", "confirmOrder"])
def test_customer_code_in_another_operation(found: Finder, operation: str) -> None:
    sent = changed(SENT[operation], put("customerCode", "AGENCY1"))
    assert found(rejected(exchange(operation, sent=sent))) == [("request", "V4-CUSTOMER-CODE-PLACE", "/customerCode")]


@pytest.mark.parametrize(
    ("value", "broken"),
    [
        ("4242424242424242", True),
        ("4242 4242 4242 4242 12/29", True),
        ("card 5555-5555-5555-4444", True),
        ("378282246310005", True),
        ("6011111111111117", True),
        (4242424242424242, True),
        ("9999 9999 9999 9999", True),
        ("4242424242424241", False),
        ("+34 600 123 456", False),
        ("0034600123456", False),
        ("4915112345678", False),
        ("tok_4242424242424242", False),
        ("f25084f0-4242-4242-8424-424242424242", False),
        ("AAECAwQFBgcICQoLDA0ODxAREhM=", False),
    ],
)
def test_card_number_in_an_unknown_member(found: Finder, value: object, broken: bool) -> None:
    sent = changed(SENT["confirmOrder"], put("note", {"deep": [value]}))
    rules = [rule for _, rule, _ in found(rejected(exchange("confirmOrder", sent=sent)))]
    assert ("V4-CARD-DATA" in rules) is broken


def test_service_accepts_a_wrong_request(found: Finder) -> None:
    sent = changed(SENT["searchOffers"], put("outboundSegment.origin.code", "MADR"))
    assert ("response", "V4-SEARCH-LOCATION", "status") in found(exchange("searchOffers", sent=sent))


@pytest.mark.parametrize(
    "change",
    [
        put("passengers[0].middleName", None),
        put("passengers[0].phone", None),
        put("passengers[0].is_infant", False),
        put("customerCode", "X"),
        drop("passengers[0].number"),
    ],
)
def test_service_may_accept_a_wrong_optional_member(found: Finder, change: Change) -> None:
    places = found(exchange("createOrder", sent=changed(SENT["createOrder"], change)))
    tolerated = [place for place in places if place[0] == "response" and place[2] == "status"]
    assert tolerated == ([] if "number" not in str(places) else [("response", "V4-ORDER-PASSENGER", "status")])


def test_service_may_accept_a_birth_date_document_without_number(found: Finder) -> None:
    paper = {"type": "BIRTH_DATE"}
    places = found(exchange("createOrder", sent=changed(SENT["createOrder"], put(PAPER, paper))))
    assert {place[:2] for place in places if place[2] == "status"} == set()
    assert ("request", "V4-ORDER-IDENTIFICATION", "/passengers/0/identification/identificationNumber") in places


def test_server_error_for_a_wrong_request(found: Finder) -> None:
    sent = changed(SENT["searchOffers"], put("adults", 0))
    assert found(exchange("searchOffers", sent=sent, status=500, returned=b"oops")) == [
        ("request", "V4-SEARCH-ADULTS", "/adults"),
        ("response", "V4-NO-SERVER-FAULT", "status"),
    ]
    assert found(exchange("searchOffers", status=500, returned=b"oops")) == []
    assert found(exchange("searchOffers", sent=sent, status=503, returned=b"")) == [
        ("request", "V4-SEARCH-ADULTS", "/adults")
    ]
