"""One id does not identify two offers, orders or reservations."""

from typing import Any

import pytest

from airworthy.contract import Exchange
from unit.contract.examples import FARE, OFFER, ORDER, RESERVATION, RETURNED, SENT, Change, changed, drop, exchange, put
from unit.contract.judging import found
from unit.contract.v4.test_order_rules import order_from

OTHER = "00000000-0000-4000-8000-000000000000"
NUMBER = "outboundSegment.sections[0].flightNumber"
ANOTHER_FLIGHT = put(NUMBER, "77")
BACK: Any = SENT["getOffer"]["outboundSegment"]
THERE_AND_BACK = put("tripType", "ROUND_TRIP"), put("inboundSegment", BACK)
IGNORED_WAY_BACK = put("inboundSegment", BACK)
ANOTHER_TIME = put("outboundSegment.sections[0].departureDate", "2035-03-14T23:00:00")


def search_with(*second: Change) -> Exchange:
    offer: Any = RETURNED["searchOffers"]["offers"][0]
    return exchange("searchOffers", returned={"offers": [offer, changed(offer, *second)]})


@pytest.mark.parametrize(
    ("second", "broken"),
    [
        ((ANOTHER_FLIGHT,), True),
        ((ANOTHER_FLIGHT, put("id", OTHER)), False),
        ((drop(NUMBER),), False),
        ((put("inboundSegment", RETURNED["searchOffers"]["offers"][0]["outboundSegment"]),), True),
    ],
)
def test_offers_of_a_search(second: tuple[Change, ...], broken: bool) -> None:
    place = ("response", "V4-IDENTIFIERS", "/offers/1/id")
    assert (place in found(search_with(*second))) is broken


@pytest.mark.parametrize(
    ("asked", "returned", "broken"),
    [
        (ANOTHER_FLIGHT, ANOTHER_FLIGHT, True),
        (ANOTHER_TIME, ANOTHER_TIME, False),
        (put("infants", 1), None, False),
        (THERE_AND_BACK, put("inboundSegment", BACK), True),
        (IGNORED_WAY_BACK, None, False),
    ],
)
def test_stored_offers(asked: object, returned: Change | None, broken: bool) -> None:
    again = exchange("getOffer", sent=asked, returned=(*([returned] if returned else []),), after=1)
    assert (("response", "V4-IDENTIFIERS", "/id") in found(exchange("getOffer"), again)) is broken


@pytest.mark.parametrize(
    ("offer", "fare", "broken"), [(OFFER, FARE, False), (OTHER, FARE, True), (OFFER.upper(), OTHER, True)]
)
def test_orders(offer: str, fare: str, broken: bool) -> None:
    places = found(exchange("createOrder"), order_from(offer, fare))
    assert (("response", "V4-IDENTIFIERS", "/id") in places) is broken


@pytest.mark.parametrize(("status", "broken"), [("OPEN", True), ("BOOKED", False)])
def test_order_with_the_id_of_a_booked_one(status: str, broken: bool) -> None:
    again = exchange("createOrder", returned=put("status", status), name="3", after=2)
    places = found(exchange("createOrder"), exchange("confirmOrder", after=1), again)
    assert (("response", "V4-IDENTIFIERS", "/id") in places) is broken


@pytest.mark.parametrize(("order", "broken"), [(ORDER, False), (ORDER.upper(), False), (OTHER, True)])
def test_reservations(order: str, broken: bool) -> None:
    url = f"https://service.example/v4/order/{order}/confirm"
    booked = changed(RETURNED["confirmOrder"], put("id", order), put("reservationId", RESERVATION.upper()))
    places = found(exchange("getOrder"), exchange("confirmOrder", url=url, returned=booked, name="2", after=1))
    assert (("response", "V4-IDENTIFIERS", "/reservationId") in places) is broken
