"""Requests of v4 with a defect of several members, of their query, path, headers or body, and allowed requests."""

import pytest

from unit.contract.examples import FARE, OFFER, SENT, THREE_D, Change, drop, exchange, put, rejected
from unit.contract.judging import found, weighed

SECTION = "outboundSegment.sections[0]"
PERSON = "passengers[0]"
PAPER = "passengers[0].identification"


@pytest.mark.parametrize(
    ("operation", "changes"),
    [
        ("searchOffers", [put("adults", 9), put("children", 9), put("infants", 9)]),
        ("searchOffers", [put("adults", 2.0)]),
        ("searchOffers", [put("outboundSegment.departureDate", "2028-02-29")]),
        ("searchOffers", [put("outboundSegment.origin.code", "mad")]),
        ("getOffer", [put(f"{SECTION}.flightNumber", "0012"), put(f"{SECTION}.marketingCarrierCode", "U2")]),
        ("createOrder", [put(f"{PERSON}.identification.expirationDate", "2026-11-02")]),
        ("createOrder", [put("selectedBaggage[0].inboundSegmentBaggageSelection", None)]),
        ("createOrder", [put("customerContact.carrierPortalCredentials", {"username": "u", "password": "p"})]),
        ("confirmOrder", [put("three_d_secure", THREE_D | {"electronic_commerce_indicator": "01"})]),
        ("confirmOrder", [drop("payment_method"), put("paymentMethod", {"balance": True, "card": False})]),
    ],
)
def test_allowed_request_has_no_findings(operation: str, changes: list[Change]) -> None:
    assert found(rejected(exchange(operation, sent=(*changes,)))) == []


def test_null_payment_method_has_one_finding() -> None:
    body = {"paymentMethod": {"card": True}, "payment_intent_id": "pi_1", "payment_method": None}
    assert found(rejected(exchange("confirmOrder", sent=body))) == [
        ("request", "V4-CONFIRM-PAYMENT-METHOD-PREFIX", "/payment_method")
    ]


@pytest.mark.parametrize(("intent", "warns"), [("pm_1", True), ("pi_1", False), ("1", False)])
def test_payment_method_is_sent_as_a_payment_intent(intent: str, warns: bool) -> None:
    sent = {"paymentMethod": {"card": True}, "payment_intent_id": intent}
    wrong = ("V4-CONFIRM-ONE-PAYMENT-REFERENCE", "/payment_intent_id", True)
    assert weighed(exchange("confirmOrder", sent=sent)) == [wrong] * warns


@pytest.mark.parametrize(("key", "broken"), [("Token key-1", True), ("ApiKey key-1", True), (" key-1 ", False)])
def test_key_with_a_prefix(key: str, broken: bool) -> None:
    made = exchange("getOrder", headers=(("Authorization", key), ("Accept", "application/json")))
    assert weighed(made) == ([("V4-CURRENT-REVISION", "header:Authorization", True)] if broken else [])


@pytest.mark.parametrize(("born", "broken"), [("2025-11-01", False), ("2024-11-03", False), ("2022-01-01", True)])
def test_infant_is_too_old(born: str, broken: bool) -> None:
    infant = put("passengers[0].type", "infant"), put("passengers[0].birthDate", born)
    places = found(rejected(exchange("createOrder", sent=infant)))
    assert places == [("request", "V4-ORDER-INFANT-AGE", "/passengers/0/birthDate")] * broken


@pytest.mark.parametrize(
    ("numbers", "broken"), [((1, 2), False), ((0, 1), False), ((2, 1), False), ((1, 3), True), ((1, 1), True)]
)
def test_passenger_numbers_are_not_consecutive(numbers: tuple[int, int], broken: bool) -> None:
    person = SENT["createOrder"]["passengers"][0]
    people = put("passengers", [person | {"number": each} for each in numbers])
    bags = put(
        "selectedBaggage", [{"passengerNumber": each, "outboundSegmentBaggageSelection": []} for each in numbers]
    )
    places = found(rejected(exchange("createOrder", sent=(people, bags))))
    assert places == [("request", "V4-ORDER-PASSENGER-NUMBERS", "/passengers")] * broken


def test_service_may_accept_a_birth_date_document_without_number() -> None:
    places = found(exchange("createOrder", sent=put(PAPER, {"type": "BIRTH_DATE"})))
    assert {place[:2] for place in places if place[2] == "status"} == set()
    assert ("request", "V4-ORDER-IDENTIFICATION", "/passengers/0/identification/identificationNumber") in places


# Envelopes


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (f"fareId={FARE}", [("V4-ORDER-QUERY", "query:offerId")]),
        (f"offerId={OFFER}", [("V4-ORDER-QUERY", "query:fareId")]),
        ("", [("V4-ORDER-QUERY", "query:offerId"), ("V4-ORDER-QUERY", "query:fareId")]),
        (f"offerId=4711&fareId={FARE}", [("V4-ORDER-ID-FORM", "query:offerId")]),
        (f"offerId={OFFER.upper()}&fareId={FARE}", []),
        (f"offerId={OFFER}&fareId={FARE}&customerCode=X", [("V4-CUSTOMER-CODE-PLACE", "query:customerCode")]),
        (f"offerId={OFFER}&fareId={FARE}&seats=2", [("V4-UNKNOWN-FIELDS", "query:seats")]),
        (f"offerId={OFFER}&fareId={FARE}&x=4242424242424242", [("V4-CARD-DATA", "query:x")]),
    ],
)
def test_create_order_query(query: str, expected: list[tuple[str, str]]) -> None:
    made = rejected(exchange("createOrder", url=f"https://service.example/v4/order?{query}"))
    assert [place[1:] for place in found(made)] == expected


def test_get_order_with_an_id_that_is_not_a_uuid() -> None:
    made = rejected(exchange("getOrder", url="https://service.example/v4/order/latest"), 404, "Not Found")
    assert found(made) == [("request", "V4-ORDER-ID-FORM", "path")]
