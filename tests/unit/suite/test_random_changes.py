"""The changes of a request that explorations draw."""

import itertools
from datetime import date

import pytest

from airworthy.contract import Contract
from conformance.explore.drawing import changed
from conformance.request_draft import RequestDraft
from conformance.v3 import request_bodies as v3
from conformance.v4 import request_bodies as v4

COUPLE = v4.PassengerCounts(2)
FLIGHT = {"id": 7, "bags": {"checked": [{"weight": 20}, {"weight": 25}]}}
ORDER = v4.create_order("offer", "fare", COUPLE, v4.OrderOptions(), date(2026, 11, 2), documents=["PASSPORT"])
REQUESTS = v3.create_requests(
    [FLIGHT], v3.passengers(COUPLE, date(2026, 11, 2), v3.PersonNotation()), "AGENCY", bags={"checked": (2,)}
)


def changes_of(draft: RequestDraft) -> set[str]:
    operations = {each.id: each for each in Contract.load(("v4", "v3")).operations()}
    places = itertools.product(range(80), range(3), range(2))
    return {changed(operations[draft.operation], draft.body, each)[1] for each in places}


@pytest.mark.parametrize(
    ("draft", "some"),
    [
        (
            ORDER,
            {
                "/passengers/0/name (left out)",
                "/passengers/1/identification/expirationDate (in 1999)",
                "/selectedBaggage (an item fewer)",
            },
        ),
        (
            REQUESTS,
            {
                "/passengers/1/first_name (left out)",
                "/bags/7/checked/0/quantity (one more)",
                "/bags/7/checked/1 (left out)",
                "/flight_ids (an item twice)",
            },
        ),
    ],
    ids=["order", "booking requests"],
)
def test_every_member_of_every_item_is_changed(draft: RequestDraft, some: set[str]) -> None:
    assert {f", changed at {each}" for each in some} <= changes_of(draft)
