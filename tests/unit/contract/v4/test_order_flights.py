"""The flights of an order compared with those of its offer."""

import pytest

from airworthy.contract import Contract, Conversation
from unit.contract.examples import RETURNED, Change, changed, exchange, put

SECTION = "offer.outboundSegment.sections[0]"

Findings = list[tuple[str, str, bool]]


def found(contract: Contract, operation: str, *changes: Change) -> Findings:
    """Return rule, pointer and softness of the findings on a response that follows Get Offer."""
    conversation = Conversation()
    seen = [exchange("getOffer")]
    if operation != "createOrder":
        seen.append(exchange("createOrder"))
    assert [contract.judge(each, conversation) for each in seen] == [[] for _ in seen]
    made = exchange(operation, returned=changed(RETURNED[operation], *changes), name="2")
    return [(finding.rule, finding.pointer, finding.soft) for finding in contract.judge(made, conversation)]


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
