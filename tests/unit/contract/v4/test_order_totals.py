"""The total prices of orders of one offer, and the prices of their baggage."""

import pytest

from airworthy.contract import Exchange
from unit.contract.examples import BAG as PIECE
from unit.contract.examples import RETURNED, Change, drop, exchange, money, put
from unit.contract.judging import found, weighed

BAG = "selectedBaggage[0].outboundSegmentBaggageSelection[0]"


def priced(
    total: float, *both: Change, pieces: int = 1, method: str = "card", each: float = 23.5, name: str = "1"
) -> Exchange:
    """Return an order; ``both`` are further changes of the request and of the response."""
    bag, paid = PIECE | {"numberOfPieces": pieces}, put("paymentMethod", {method: True})
    price = put(BAG, bag | {"pricePerPiece": money(each)}), put("totalPrice", money(total))
    number = put("id", f"c7a1b2d3-1c2b-4d5e-8f90-00000000000{name}")
    return exchange("createOrder", sent=(put(BAG, bag), paid, *both), returned=(number, *price, paid, *both), name=name)


TOTAL = ("response", "V4-ORDER-TOTAL-BAGGAGE", "/totalPrice/amount")


@pytest.mark.parametrize(
    ("method", "first", "second", "broken"),
    [
        ("balance", 200.0, 247.0, False),
        ("balance", 200.0, 247.01, False),
        ("balance", 200.0, 247.02, False),
        ("balance", 200.0, 247.03, True),
        ("balance", 200.0, 200.0, True),
        ("balance", 200.0, 223.5, True),
        ("balance", 200.0, 257.0, True),
        ("card", 200.0, 247.0, False),
        ("card", 200.0, 247.94, False),
        ("card", 200.0, 230.0, True),
    ],
)
def test_order_total_does_not_rise_by_the_price_of_the_baggage(
    method: str, first: float, second: float, broken: bool
) -> None:
    without, with_bags = priced(first, pieces=0, method=method), priced(second, pieces=2, method=method, name="2")
    assert found(exchange("getOffer"), without, with_bags) == ([TOTAL] if broken else [])
    assert found(exchange("getOffer"), with_bags, without) == ([TOTAL] if broken else [])
    assert found(without, with_bags) == []


@pytest.mark.parametrize(("total", "broken"), [(270.0, False), (271.0, False), (272.0, True), (269.0, True)])
def test_totals_in_whole_euros_may_be_rounded_to_these(total: float, broken: bool) -> None:
    without, with_bags = (
        priced(each, pieces=pieces, method="balance", each=35.25, name=name)
        for each, pieces, name in ((200.0, 0, "1"), (total, 2, "2"))
    )
    assert found(exchange("getOffer"), without, with_bags) == ([TOTAL] if broken else [])


@pytest.mark.parametrize(
    ("card", "pieces", "warns"),
    [
        (200.74, 0, False),
        (200.5, 0, True),
        (201.5, 0, True),
        (200.0, 0, True),
        (199.0, 0, True),
        (200.74, 1, False),
        (201.2, 1, False),
        (200.5, 1, True),
        (200.0, 1, True),
    ],
)
def test_order_total_by_card_includes_the_fee(card: float, pieces: int, warns: bool) -> None:
    """The displayed fee is 0.74; baggage may add to it."""
    orders = [priced(card, pieces=pieces), priced(200, pieces=pieces, method="balance", name="2")]
    for first, second in (orders, reversed(orders)):
        found = weighed(exchange("getOffer"), first, second)
        assert found == [("V4-ORDER-TOTAL-CARD-FEE", "/totalPrice/amount", True)] * warns


def test_order_total_without_a_displayed_fee() -> None:
    shown = put("paymentOptions", [{"type": "card"}, {"type": "balance"}])
    orders = [priced(200), priced(200, method="balance", name="2")]
    assert found(exchange("getOffer", returned=shown), *orders) == []


@pytest.mark.parametrize(
    ("total", "pieces", "method", "warns"),
    [
        (83.88, 2, "card", False),
        (83.86, 2, "card", True),
        (50.0, 2, "card", True),
        (50.0, 2, "balance", True),
        (36.88, 0, "card", False),
        (36.86, 0, "card", True),
    ],
)
def test_order_total_is_at_least_its_parts(total: float, pieces: int, method: str, warns: bool) -> None:
    """The fare of the offer costs 36.88, a piece 23.50."""
    order, place = priced(total, pieces=pieces, method=method), "/totalPrice/amount"
    assert weighed(exchange("getOffer"), order) == [("V4-ORDER-TOTAL-BAGGAGE", place, True)] * warns
    assert weighed(order) == []


def test_fare_of_a_resident_may_cost_less() -> None:
    resident = put("passengers[0].localityCodeOfResidency", "070407")
    assert found(exchange("getOffer"), priced(50.0, pieces=2)) == [TOTAL]
    assert found(exchange("getOffer"), priced(50.0, resident, pieces=2)) == []


PRICE = "/selectedBaggage/0/outboundSegmentBaggageSelection/0/pricePerPiece/amount"
LISTED = "fareBaggageOptions[0].outboundSegmentOptions"


@pytest.mark.parametrize(("each", "broken"), [(23.5, False), (23.504, False), (24.5, True)])
def test_price_per_piece_is_that_of_the_baggage_option(each: float, broken: bool) -> None:
    seen = exchange("getOffer"), exchange("getBaggage")
    assert found(*seen, priced(300, each=each)) == ([("response", "V4-BAGGAGE-PRICE", PRICE)] if broken else [])
    assert found(priced(300, each=each)) == []


def test_price_per_piece_of_one_of_several_equal_options() -> None:
    listed = RETURNED["getBaggage"]["fareBaggageOptions"][0]["outboundSegmentOptions"]
    both = put(LISTED, [*listed, listed[0] | {"pricePerPiece": money(70)}])
    assert found(exchange("getOffer"), exchange("getBaggage", returned=both), priced(300, each=70)) == []


def test_price_per_piece_of_an_item() -> None:
    seen = exchange("getOffer"), exchange("getBaggage")
    changes = drop(f"{BAG}.pricePerPiece"), put("selectedBaggage[0].pricePerPiece", money(24.5))
    assert found(*seen, exchange("createOrder", returned=changes)) == [
        ("response", "V4-BAGGAGE-PRICE", "/selectedBaggage/0/pricePerPiece/amount")
    ]


BOTH_WAYS = [put(f"selectedBaggage[0].{way}SegmentBaggageSelection", [PIECE]) for way in ("outbound", "inbound")]


def both_ways(*changes: Change) -> Exchange:
    """Return an order with a piece of 15 kg in each direction, whose item has the price."""
    return exchange("createOrder", sent=(*BOTH_WAYS,), returned=(*BOTH_WAYS, *changes), after=2)


@pytest.mark.parametrize(
    ("each", "back", "broken"), [(23.5, 23.5, False), (47, 23.5, False), (38, 23.5, True), (38, 30, False)]
)
def test_price_per_piece_of_an_item_with_both_directions(each: float, back: float, broken: bool) -> None:
    """The price of the item is for one direction or for both; with two prices it is not known for which."""
    option = RETURNED["getBaggage"]["fareBaggageOptions"][0]["outboundSegmentOptions"][0]
    listed = put("fareBaggageOptions[0].inboundSegmentOptions", [option | {"pricePerPiece": money(back)}])
    seen = exchange("getOffer"), exchange("getBaggage", returned=listed, after=1)
    made = both_ways(put("selectedBaggage[0].pricePerPiece", money(each)), put("totalPrice", money(500)))
    place = ("response", "V4-BAGGAGE-PRICE", "/selectedBaggage/0/pricePerPiece/amount")
    assert [one for one in found(*seen, made) if one[1] == place[1]] == ([place] if broken else [])


@pytest.mark.parametrize(("total", "broken"), [(23, True), (24, False)])
def test_order_total_is_at_least_the_price_of_an_item_with_both_directions(total: float, broken: bool) -> None:
    made = both_ways(put("selectedBaggage[0].pricePerPiece", money(23.5)), put("totalPrice", money(total)))
    assert found(made) == ([TOTAL] if broken else [])
