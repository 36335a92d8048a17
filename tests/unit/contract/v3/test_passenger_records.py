"""Passenger records and customer data in responses of v2 and v3."""

import pytest

from airworthy.contract import Contract
from unit.contract.examples import Finder, changed, put
from unit.contract.judging import weighed
from unit.contract.v3.v3_examples import LOCATOR, RECORD, RETURNED, exchange


@pytest.mark.parametrize(("other", "broken"), [(1, True), (2, False)])
def test_passenger_records_have_the_same_id(found: Finder, other: int, broken: bool) -> None:
    records = [RECORD, RECORD | {"id": other}]
    returned = changed(RETURNED["getBookings"], put("bookings[0].passengers", records))
    expected = [("response", "V23-PASSENGER-RECORD", "/bookings/0/passengers")]
    assert found(exchange("getBookings", returned=returned)) == (expected if broken else [])


@pytest.mark.parametrize(
    ("before", "warns"), [({"status": "CONFIRMED", "pnr_airline": LOCATOR}, True), ({"status": "CHANGED"}, False)]
)
def test_confirmed_booking_awaits_its_locator_again(
    whole_contract: Contract, before: dict[str, str], warns: bool
) -> None:
    booking = RETURNED["getBookings"]["bookings"][0]
    first = exchange("getBookings", returned={"bookings": [booking | before]})
    again = exchange(
        "getBookings", returned={"bookings": [booking | {"status": "AWAITING_PNR_AIRLINE", "pnr_airline": None}]}
    )
    found = [("V23-LOCATOR", "/bookings/0/status", True)]
    assert weighed(whole_contract, first, again) == (found if warns else [])
