"""What an order flies, against what its offer has shown."""

import pytest

from airworthy.contract import Contract, Conversation
from unit.contract.examples import RETURNED, Change, changed, exchange, put

SECTION = "offer.outboundSegment.sections[0]"

Said = list[tuple[str, str, bool]]


def said(contract: Contract, operation: str, *changes: Change) -> Said:
    """Return rule, place and softness of what is found in a response, after the offer was seen."""
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
def test_an_order_arrives_and_is_flown_as_offered(
    contract: Contract, operation: str, name: str, value: str, soft: bool
) -> None:
    place = "/" + SECTION.replace(".", "/").replace("[0]", "/0")
    assert said(contract, operation, put(f"{SECTION}.{name}", value)) == [("V4-ORDER-OFFER", f"{place}/{name}", soft)]
