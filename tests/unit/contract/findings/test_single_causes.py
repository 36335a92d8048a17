"""One root cause produces one finding, even if several rules are about it."""

import pytest

from exchange_parts import changed_request
from unit.contract.examples import BASE, FARE, HEADERS, OFFER, RETURNED, Change, changed, drop, exchange, put, rejected
from unit.contract.judging import found, last_findings, on_response

CARD = "4242424242424242"
SECTION = "outboundSegment.sections[0]"


def test_card_number_hides_the_defect_of_its_member() -> None:
    confirmation = exchange("confirmOrder", sent=put("payment_method", CARD))
    assert found(rejected(confirmation)) == [("request", "V4-CARD-DATA", "/payment_method")]
    read = exchange("getOrder", url=f"{BASE}/v4/order/{CARD}")
    assert found(rejected(read, 404, "Not Found")) == [("request", "V4-CARD-DATA", "path")]


def test_fare_id_that_is_not_a_uuid_has_one_finding() -> None:
    made = rejected(exchange("createOrder", url=f"{BASE}/v4/order?offerId={OFFER}&fareId=cheapest"))
    seen = exchange("getOffer"), exchange("getFares", returned={"fares": [{"id": FARE}]})
    assert found(*seen, made) == [("request", "V4-ORDER-ID-FORM", "query:fareId")]


def test_warning_about_a_section_with_a_malformed_member() -> None:
    made = rejected(exchange("getOffer", sent=put(f"{SECTION}.flightNumber", "IB123")))
    place = "/outboundSegment/sections/0/flightNumber"
    assert found(exchange("searchOffers"), made) == [("request", "V4-OFFER-FLIGHT-NUMBER", place)]


@pytest.mark.parametrize(
    ("operation", "change", "warns"),
    [
        ("searchOffers", drop("customerCode"), True),
        ("searchOffers", put("adults", "1"), True),
        ("searchOffers", put("adults", 0), False),
        ("confirmOrder", put("payment_method", 1), False),
    ],
)
def test_rejection_of_a_malformed_request_as_a_payment_error(operation: str, change: Change, warns: bool) -> None:
    malformed = exchange(operation, sent=change)
    as_payment_error = rejected(malformed, 422, "Unprocessable Entity")
    assert on_response(as_payment_error) == [("V4-BAD-REQUEST", "status", True)] * warns
    assert {finding.side for finding in last_findings(rejected(malformed))} == {"request"}


def test_body_that_is_not_json_hides_its_content_type() -> None:
    headers = tuple(each for each in HEADERS if each[0] != "Content-Type")
    made = rejected(exchange("searchOffers", sent=b"adults=1&children=0", headers=headers))
    assert found(made) == [("request", "V4-SEARCH-REQUIRED", "")]


@pytest.mark.parametrize("kind", ["CHILD", "INFANT"])
def test_passenger_type_of_an_earlier_revision_is_not_missing(kind: str) -> None:
    sent = put({"CHILD": "children", "INFANT": "infants"}[kind], 1)
    prices = RETURNED["searchOffers"]["offers"][0]["fare"]["passengerPricingByPassengerType"]
    path = f"offers[0].fare.passengerPricingByPassengerType.{kind}"
    (finding,) = last_findings(exchange("searchOffers", sent=sent, returned=put(path, prices["adult"])))
    assert (finding.drift, finding.pointer.rpartition("/")[2]) == ("earlier-revision", kind)


def test_cors_preflight_is_not_judged() -> None:
    made = exchange("searchOffers", sent=b"", headers=(("Access-Control-Request-Method", "POST"),))
    request = changed_request(made, method="OPTIONS")
    assert last_findings(request) == []
    plain = changed_request(request, headers=())
    assert [finding.drift for finding in last_findings(plain)] == ["unknown-operation"]


def test_same_defect_in_many_items_is_one_finding() -> None:
    offers = [changed(RETURNED["searchOffers"]["offers"][0], drop("fare")) for _ in range(50)]
    (finding,) = last_findings(exchange("searchOffers", returned={"offers": offers}))
    assert finding.message == "fare is missing from an offer (and 49 more locations)"
    assert finding.pointer == "/offers/0/fare"
