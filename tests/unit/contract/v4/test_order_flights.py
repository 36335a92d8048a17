"""The flights of an order compared with those of its offer."""

import pytest

from airworthy.contract import Contract
from unit.contract.examples import RETURNED, Change, changed, exchange, put
from unit.contract.judging import Weighed, weighed

SECTION = "offer.outboundSegment.sections[0]"


def found(contract: Contract, operation: str, *changes: Change) -> Weighed:
    """Return rule, pointer and softness of the findings on a response that follows Get Offer."""
    seen = [exchange("getOffer"), *([] if operation == "createOrder" else [exchange("createOrder")])]
    made = exchange(operation, returned=changed(RETURNED[operation], *changes), name="2")
    return weighed(contract, *seen, made)


@pytest.mark.parametrize(
    ("operation", "name", "value", "soft"),
    [
        ("createOrder", "arrivalDate", "2027-03-14T11:25:00", False),
        ("createOrder", "operatingCarrierCode", "ZZ", False),
        ("createOrder", "marketingCarrierCode", "ZZ", False),
        ("getOrder", "arrivalDate", "2027-03-14T11:25:00", True),
    ],
)
def test_order_with_other_flights_than_its_offer(
    contract: Contract, operation: str, name: str, value: str, soft: bool
) -> None:
    place = "/" + SECTION.replace(".", "/").replace("[0]", "/0")
    assert found(contract, operation, put(f"{SECTION}.{name}", value)) == [("V4-ORDER-OFFER", f"{place}/{name}", soft)]
