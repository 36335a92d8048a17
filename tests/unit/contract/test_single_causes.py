"""What is wrong with one place of a message is said once, however many rules are about it."""

from dataclasses import replace

import pytest

from airworthy.contract import Contract
from unit.contract.examples import (
    ANSWERED,
    BASE,
    FARE,
    HEADERS,
    OFFER,
    SENT,
    Change,
    Judge,
    changed,
    exchange,
    put,
    refused,
)

CARD = "4242424242424242"
BAG = "selectedBaggage[0].outboundSegmentBaggageSelection[0]"
SECTION = "outboundSegment.sections[0]"


def test_a_card_number_is_worse_than_the_form_of_its_place(found: Judge) -> None:
    sent = SENT["confirmOrder"] | {"payment_method": CARD}
    assert found(refused(exchange("confirmOrder", sent=sent))) == [("request", "V4-CARD-DATA", "/payment_method")]
    read = exchange("getOrder", url=f"{BASE}/order/{CARD}")
    assert found(refused(read, 404, "Not Found")) == [("request", "V4-CARD-DATA", "path")]


def test_a_fare_that_is_no_id_is_of_no_offer_anyway(found: Judge) -> None:
    made = refused(exchange("createOrder", url=f"{BASE}/order?offerId={OFFER}&fareId=cheapest"))
    seen = exchange("getOffer"), exchange("getFares", answered={"fares": [{"id": FARE}]})
    assert found(*seen, made) == [("request", "V4-ORDER-ID-FORM", "query:fareId")]


def test_a_body_that_is_no_json_need_not_be_declared_as_json(found: Judge) -> None:
    headers = tuple(each for each in HEADERS if each[0] != "Content-Type")
    made = refused(exchange("searchOffers", sent=b"adults=1&children=0", headers=headers))
    assert found(made) == [("request", "V4-SEARCH-REQUIRED", "")]


@pytest.mark.parametrize(
    ("operation", "change", "rule", "pointer"),
    [
        ("createOrder", put(f"{BAG}.kilosPerPiece", "20"), "V4-ORDER-BAGGAGE-ECHO", "kilosPerPiece"),
        ("createOrder", put(f"{BAG}.type", "BOX"), "V4-ORDER-BAGGAGE-ECHO", "type"),
        ("createOrder", put("selectedBaggage[0].passengerNumber", None), "V4-ORDER-BAGGAGE-ECHO", "passengerNumber"),
        ("createOrder", put(f"offer.{SECTION}.flightNumber", "IB123"), "V4-SECTION-FLIGHT-NUMBER", "flightNumber"),
        ("getOffer", put(f"{SECTION}.departureDate", "2027-03-14 10:00:00"), "V4-SECTION-TIMES", "departureDate"),
    ],
)
def test_what_has_not_its_form_is_not_compared(
    found: Judge, operation: str, change: Change, rule: str, pointer: str
) -> None:
    made = exchange(operation, answered=changed(ANSWERED[operation], change))
    ((_, broken, where),) = found(exchange("getOffer"), made)
    assert (broken, where.rpartition("/")[2]) == (rule, pointer)


@pytest.mark.parametrize("kind", ["CHILD", "INFANT"])
def test_a_type_of_an_earlier_revision_is_not_missing_as_well(contract: Contract, kind: str) -> None:
    sent = changed(SENT["searchOffers"], put({"CHILD": "children", "INFANT": "infants"}[kind], 1))
    prices = ANSWERED["searchOffers"]["offers"][0]["fare"]["passengerPricingByPassengerType"]
    path = f"offers[0].fare.passengerPricingByPassengerType.{kind}"
    answer = changed(ANSWERED["searchOffers"], put(path, prices["adult"]))
    (finding,) = contract.judge(exchange("searchOffers", sent=sent, answered=answer))
    assert (finding.drift, finding.pointer.rpartition("/")[2]) == ("earlier-revision", kind)


def test_the_reservation_of_another_order_is_said_once(found: Judge) -> None:
    other = put("orderId", "00000000-0000-4000-8000-000000000000")
    read = exchange("findReservation", answered=changed(ANSWERED["findReservation"], other))
    assert found(exchange("createOrder"), exchange("confirmOrder"), read) == [
        ("response", "V4-RESERVATION-BY-ORDER", "/orderId")
    ]


def test_what_a_browser_asks_by_itself_is_no_call_of_the_client(contract: Contract) -> None:
    made = exchange("searchOffers", sent=b"", headers=(("Access-Control-Request-Method", "POST"),))
    asked = replace(made, request=replace(made.request, method="OPTIONS"))
    assert contract.judge(asked) == []
    plain = replace(asked, request=replace(asked.request, headers=()))
    assert [finding.drift for finding in contract.judge(plain)] == ["unknown-operation"]
