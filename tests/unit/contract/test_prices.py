"""What an order costs and flies, against what its offer has shown."""

import pytest

from airworthy.contract import Contract, Journey

from .examples import ANSWERED, SENT, Change, changed, exchange, money, put

SECTION = "offer.outboundSegment.sections[0]"
ITEM = "selectedBaggage[0]"
CHOSEN = f"{ITEM}.outboundSegmentBaggageSelection[0]"

LISTED = put("fareBaggageOptions[0].outboundSegmentOptions[0].maxKilosPerPiece", 20)

Said = list[tuple[str, str, bool]]


def said(contract: Contract, operation: str, *changes: Change) -> Said:
    """Return rule, place and softness of what is found in an answer, after the offer and its baggage were seen."""
    journey = Journey()
    seen = [exchange("getOffer"), exchange("getBaggage", answered=changed(ANSWERED["getBaggage"], LISTED))]
    if operation != "createOrder":
        seen.append(exchange("createOrder"))
    assert [contract.judge(each, journey) for each in seen] == [[] for _ in seen]
    made = exchange(operation, answered=changed(ANSWERED[operation], *changes), name="2")
    return [(finding.rule, finding.pointer, finding.soft) for finding in contract.judge(made, journey)]


@pytest.mark.parametrize(
    ("operation", "name", "value", "soft"),
    [
        ("createOrder", "arrivalDate", "2027-03-14T11:25:00", False),
        ("createOrder", "operatingCarrierCode", "ZZ", False),
        ("createOrder", "marketingCarrierCode", "ZZ", False),
        ("getOrder", "arrivalDate", "2027-03-14T11:25:00", True),
    ],
)
def test_an_order_arrives_and_is_flown_as_offered(
    contract: Contract, operation: str, name: str, value: str, soft: bool
) -> None:
    place = "/" + SECTION.replace(".", "/").replace("[0]", "/0")
    assert said(contract, operation, put(f"{SECTION}.{name}", value)) == [("V4-ORDER-OFFER", f"{place}/{name}", soft)]


@pytest.mark.parametrize("operation", ["createOrder", "getOrder"])
def test_another_price_of_the_fare_warns(contract: Contract, operation: str) -> None:
    shown = ANSWERED["getOffer"]["cheapestFare"]["totalPrice"]["amount"]
    place = "offer.fare.totalPrice.amount"
    assert said(contract, operation, put(place, shown + 0.01)) == []
    dearer = put(place, shown + 5)
    assert said(contract, operation, dearer) == [("V4-ORDER-OFFER", "/offer/fare/totalPrice/amount", True)]
    other_fare = put("cheapestFare.id", "00000000-0000-4000-8000-000000000000")
    journey = Journey()
    contract.judge(exchange("getOffer", answered=changed(ANSWERED["getOffer"], other_fare)), journey)
    made = exchange(operation, answered=changed(ANSWERED[operation], dearer))
    assert contract.judge(made, journey) == []


@pytest.mark.parametrize("operation", ["createOrder", "getOrder"])
def test_another_price_of_a_bag_than_was_listed_warns(contract: Contract, operation: str) -> None:
    listed = ANSWERED["getBaggage"]["fareBaggageOptions"][0]["outboundSegmentOptions"][0]["pricePerPiece"]["amount"]
    dearer = money(listed + 1)
    on_selection = put(f"{CHOSEN}.pricePerPiece", dearer)
    assert said(contract, operation, on_selection) == [
        ("V4-ORDER-PRICE-PER-PIECE", "/selectedBaggage/0/outboundSegmentBaggageSelection/0/pricePerPiece/amount", True)
    ]
    without = [put(f"{CHOSEN}.pricePerPiece", None), put(f"{ITEM}.pricePerPiece", dearer)]
    assert said(contract, operation, *without) == [
        ("V4-ORDER-PRICE-PER-PIECE", "/selectedBaggage/0/pricePerPiece/amount", True)
    ]


def test_a_bag_that_is_not_listed_has_any_price(contract: Contract) -> None:
    chosen = changed(SENT["createOrder"], put(f"{CHOSEN}.kilosPerPiece", 7))
    answered = changed(
        ANSWERED["createOrder"], put(f"{CHOSEN}.kilosPerPiece", 7), put(f"{CHOSEN}.pricePerPiece", money(1))
    )
    journey = Journey()
    for seen in ("getOffer", "getBaggage"):
        contract.judge(exchange(seen), journey)
    assert contract.judge(exchange("createOrder", sent=chosen, answered=answered), journey) == []
