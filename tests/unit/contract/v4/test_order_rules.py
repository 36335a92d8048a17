"""An order and the offer that it is created from, and its confirmations."""

from dataclasses import replace
from datetime import timedelta

import pytest

from airworthy.contract import Exchange
from airworthy.contract.conversation.limits import CLOCK_TOLERANCE
from airworthy.contract.conversation.v4.memory import OFFERS_OF_A_FARE
from exchange_parts import changed_response
from unit.contract.examples import BAG, FARE, OFFER, PASSENGER, SENT, dated, exchange, money, put, rejected
from unit.contract.judging import expect_mistake, found, last_findings, weighed

OTHER = "00000000-0000-4000-8000-000000000000"


def order_from(offer: str, fare: str) -> Exchange:
    """Return an order with ids in its query and response."""
    url = f"https://service.example/v4/order?offerId={offer}&fareId={fare}"
    return exchange("createOrder", url=url, returned=(put("offer.id", offer), put("offer.fare.id", fare)), after=1)


@pytest.mark.parametrize(("minutes", "broken"), [(29.9, False), (30.05, False), (31, True), (600, True)])
def test_create_order_with_an_expired_offer(minutes: float, broken: bool) -> None:
    late = exchange("createOrder", after=minutes, name="2")
    on_request = ("request", "V4-ORDER-EXPIRED-OFFER", "query:offerId")
    on_response = ("response", "V4-ORDER-EXPIRED-OFFER", "status")
    assert found(exchange("getOffer"), late) == ([on_request, on_response] if broken else [])
    is_live = minutes < 30 - CLOCK_TOLERANCE / timedelta(minutes=1)
    not_kept = [("response", "V4-OFFER-RETENTION", "status")] * is_live
    assert found(exchange("getOffer"), rejected(late, 404, "Not Found")) == ([on_request] if broken else not_kept)
    assert found(late) == []


@pytest.mark.parametrize(("recorded", "by_the_service", "broken"), [(45, 15, False), (45, 45, True), (15, 45, False)])
def test_offer_has_expired_only_if_both_clocks_say_so(recorded: float, by_the_service: float, broken: bool) -> None:
    late = dated(rejected(exchange("createOrder", after=recorded), 404, "Not Found"), by_the_service)
    judged = found(dated(exchange("getOffer"), 0), late)
    assert judged == ([("request", "V4-ORDER-EXPIRED-OFFER", "query:offerId")] if broken else [])


@pytest.mark.parametrize(("by_the_service", "broken"), [(25, True), (45, False)])
def test_offer_is_live_only_if_both_clocks_say_so(by_the_service: float, broken: bool) -> None:
    """The recorder's clock was two hours fast, and then set."""
    late = rejected(exchange("getBaggage", after=by_the_service - 120), 404, "Not Found")
    judged = found(dated(exchange("getOffer"), -120), dated(late, by_the_service - 120))
    assert judged == ([("response", "V4-OFFER-RETENTION", "status")] if broken else [])


def test_create_order_after_a_second_get_offer() -> None:
    assert found(exchange("getOffer"), exchange("getOffer", after=20), exchange("createOrder", after=45)) == []


def test_offer_may_be_renewed_by_a_get_offer_whose_response_was_not_seen() -> None:
    again = exchange("getOffer", after=20)
    unseen = changed_response(again, body=None) if again.response else again
    late = exchange("createOrder", after=45)
    expired = [("request", "V4-ORDER-EXPIRED-OFFER", "query:offerId"), ("response", "V4-ORDER-EXPIRED-OFFER", "status")]
    assert found(exchange("getOffer"), unseen, late, exchange("getFares", after=46)) == []
    assert found(exchange("getOffer"), replace(again, response=None), late) == []
    assert found(exchange("getOffer"), rejected(again, 404, "Not Found"), late) == expired


def test_get_fares_of_an_expired_offer() -> None:
    late = exchange("getFares", after=31)
    assert found(exchange("getOffer"), late) == [("response", "V4-FARES-EXPIRED", "/fares")]
    assert found(exchange("getOffer"), exchange("getFares", after=31, returned={"fares": []})) == []
    assert found(exchange("getOffer"), exchange("getFares", after=29)) == []


@pytest.mark.parametrize(("offers", "broken"), [(1, True), (OFFERS_OF_A_FARE - 1, True), (OFFERS_OF_A_FARE + 5, False)])
def test_fare_of_many_offers_may_belong_to_any_offer(offers: int, broken: bool) -> None:
    others = [
        exchange("getOffer", returned=(put("id", key), put("cheapestFare.id", OTHER)))
        for key in (f"00000000-0000-4000-8000-{number:012}" for number in range(offers))
    ]
    on_request = ("request", "V4-ORDER-FARE-OF-OFFER", "query:fareId")
    unknown = rejected(order_from(OFFER, OTHER), 422, "Unprocessable Entity")
    assert found(exchange("getOffer"), *others, unknown) == ([on_request] if broken else [])


def test_create_order_with_a_fare_that_get_fares_does_not_list() -> None:
    unknown = rejected(order_from(OFFER, OTHER), 404, "Not Found")
    assert found(exchange("getOffer"), unknown) == []
    assert found(exchange("getOffer"), exchange("getFares"), unknown) == [
        ("request", "V4-ORDER-FARE-OF-OFFER", "query:fareId")
    ]
    with_other_keys = [{"fare": {"key": FARE}}, {"fare": {"key": OTHER}}]
    for fares in (with_other_keys, [{"totalPrice": money(1)}]):
        assert found(exchange("getOffer"), exchange("getFares", returned={"fares": fares}), unknown) == []
    bags = exchange("getBaggage", returned=put("fareBaggageOptions[0].fareId", OTHER))
    assert found(exchange("getOffer"), bags, exchange("getFares"), unknown) == []


@pytest.mark.parametrize(("adults", "broken"), [(1, False), (2, True)])
def test_create_order_with_other_passengers_than_the_offer(adults: int, broken: bool) -> None:
    people = [PASSENGER | {"number": number} for number in range(1, adults + 1)]
    bags = [{"passengerNumber": number, "outboundSegmentBaggageSelection": []} for number in range(1, adults + 1)]
    sent = put("passengers", people), put("selectedBaggage", bags)
    made = rejected(exchange("createOrder", sent=sent), 422, "Unprocessable Entity")
    assert found(exchange("getOffer"), made) == [("request", "V4-ORDER-PASSENGER-COUNT", "/passengers")] * broken
    messages = [each.message for each in last_findings(exchange("getOffer"), made)]
    assert messages == (["the order is for 2 adults, but its offer is for 1 adult"] if broken else [])


def test_baggage_options_for_a_fare_that_get_fares_does_not_list() -> None:
    wrong = ("V4-BAGGAGE-FARES", "/fareBaggageOptions/0/fareId", True)
    shown = exchange("getBaggage", returned=put("fareBaggageOptions[0].fareId", OTHER))
    for fares, warns in (([{"id": FARE}], True), ([{"id": FARE}, {"id": OTHER}], False), ([{"name": "light"}], False)):
        seen = exchange("getOffer"), exchange("getFares", returned={"fares": fares})
        assert weighed(*seen, shown) == [wrong] * warns
    elsewhere = exchange("getOffer", returned=(put("id", OTHER), put("cheapestFare.id", OTHER)), name="2")
    assert weighed(exchange("getOffer"), elsewhere, shown) == [wrong]


@pytest.mark.parametrize(
    ("chosen", "places"),
    [
        ([{}, {}], []),
        ([{"numberOfPieces": 2}, {}], [""]),
        ([{"numberOfPieces": 2}, {"numberOfPieces": 0}], []),
        ([{"numberOfPieces": 3}], ["/0/numberOfPieces"]),
        ([{"type": "CABIN"}], ["/0/type"]),
    ],
)
def test_create_order_with_more_baggage_than_offered(chosen: list[dict[str, object]], places: list[str]) -> None:
    bags = put("selectedBaggage[0].outboundSegmentBaggageSelection", [BAG | each for each in chosen])
    judged = weighed(exchange("getOffer"), exchange("getBaggage"), rejected(exchange("createOrder", sent=bags)))
    at = "/selectedBaggage/0/outboundSegmentBaggageSelection"
    assert judged == [("V4-ORDER-BAGGAGE-MAXIMUM", f"{at}{place}", True) for place in places]


@pytest.mark.parametrize(("kind", "warns"), [("PASSPORT", False), ("NIF", False), ("NIE", True)])
def test_create_order_with_an_identification_type_that_is_not_offered(kind: str, warns: bool) -> None:
    made = exchange("createOrder", sent=put("passengers[0].identification.type", kind))
    found = weighed(exchange("getOffer"), rejected(made))
    place = "/passengers/0/identification/type"
    assert found == ([("V4-ORDER-IDENTIFICATION-OPTION", place, True)] if warns else [])


def test_order_of_a_fare_for_other_passengers() -> None:
    number = "offer.fare.passengerPricingByPassengerType.adult.numberOfPassengers"
    place = "/offer/fare/passengerPricingByPassengerType/adult/numberOfPassengers"
    other = exchange("createOrder", returned=put(number, 2), after=1)
    assert found(exchange("getOffer"), other) == [("response", "V4-ORDER-OFFER", place)]
    more = exchange("getOffer", sent=put("adults", 2))
    assert ("response", "V4-ORDER-OFFER", place) not in found(more, other)


def test_order_of_a_fare_without_the_price_of_a_child() -> None:
    pricing = "fare.passengerPricingByPassengerType.child"
    price = {"fareAmount": money(90), "taxAmount": money(9), "numberOfPassengers": 1}
    child = SENT["createOrder"]["passengers"][0] | {"number": 2, "type": "child", "birthDate": "2018-02-01"}
    family = [*SENT["createOrder"]["passengers"], child]
    baggage = [*SENT["createOrder"]["selectedBaggage"], {"passengerNumber": 2, "outboundSegmentBaggageSelection": []}]
    changes = put("passengers", family), put("selectedBaggage", baggage)
    offer = exchange("getOffer", sent=put("children", 1), returned=put(f"cheapestF{pricing[1:]}", price))
    for more, expected in (
        ([put(f"offer.{pricing}", price)], []),
        ([], [("response", "V4-ORDER-OFFER", "/offer/fare/passengerPricingByPassengerType/child")]),
    ):
        returned = (*changes, put("selectedBaggage[0].pricePerPiece", money(23.5)), *more)
        made = exchange("createOrder", sent=(*changes,), returned=returned, after=1)
        assert [each for each in found(offer, made) if each[1] == "V4-ORDER-OFFER"] == expected


@pytest.mark.parametrize(
    ("fares", "broken"),
    [
        ([(FARE, 36.88), (OTHER, 30)], True),
        ([(FARE, 36.88), (OTHER, 40)], False),
        # Prices of another kind, such as those of one passenger.
        ([(FARE, 18.44), (OTHER, 30)], False),
        ([(OTHER, 30)], False),
    ],
)
def test_fare_that_is_cheaper_than_the_cheapest(fares: list[tuple[str, float]], broken: bool) -> None:
    listed = exchange(
        "getFares", returned={"fares": [{"id": key, "totalPrice": money(price)} for key, price in fares]}, after=1
    )
    place = ("response", "V4-OFFER-CHEAPEST-FARE", "/fares/1/totalPrice/amount")
    assert (place in found(exchange("getOffer"), listed)) is broken


# Confirmations

BALANCE = {"balance": True}


def test_second_confirmation_succeeds() -> None:
    for before in ("confirmOrder", "getOrder"):
        again = exchange("confirmOrder", after=2, name="2")
        expect_mistake([exchange(before, after=1)], again, "V4-CONFIRM-ONCE", "path")
    failed = exchange("confirmOrder", returned=put("status", "FAILED"), after=2, name="2")
    assert ("response", "V4-CONFIRM-ONCE", "status") in found(exchange("confirmOrder", after=1), failed)


@pytest.mark.parametrize(("by_the_service", "broken"), [(2, False), (4, True)])
def test_order_was_booked_before_only_if_both_clocks_say_so(by_the_service: float, broken: bool) -> None:
    """The recorder's clock was set back after the confirmation, so that an order is read before it."""
    read, booking = dated(exchange("getOrder", after=1), 3), exchange("confirmOrder", after=2, name="2")
    both = [(side, "V4-CONFIRM-ONCE", place) for side, place in (("request", "path"), ("response", "status"))]
    assert found(exchange("createOrder"), read, dated(booking, by_the_service)) == (both if broken else [])


def test_simultaneous_confirmations_both_succeed() -> None:
    first = exchange("confirmOrder", elapsed=1.0)
    second = exchange("confirmOrder", after=0.005, elapsed=1.0, name="2")
    assert found(first, second) == [("response", "V4-CONFIRM-CONCURRENT", "status")]
    assert found(first, rejected(second, 409, "Conflict")) == []


def test_confirm_order_with_another_payment_method() -> None:
    made = exchange("confirmOrder", sent={"paymentMethod": BALANCE}, returned=put("paymentMethod", BALANCE), after=1)
    expect_mistake([exchange("createOrder")], made, "V4-CONFIRM-SAME-METHOD", "/paymentMethod", 422)
