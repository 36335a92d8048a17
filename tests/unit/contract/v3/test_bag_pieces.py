"""A booking has the bags that were requested, as far as both show their pieces."""

import pytest

from airworthy.contract.conversation.v3.bag_pieces import booked_bags, pieces
from unit.contract.examples import RETURNED, Change, changed, drop, exchange, put
from unit.contract.judging import last_findings, weighed
from unit.contract.v3.v3_examples import CABIN, CHECKED, FLIGHT, HEAVY

BOOKED = RETURNED["createBookings"]["bookings"][0]["bags"]


def test_pieces_are_counted_by_kind_and_weight() -> None:
    bags = {"checked": [CHECKED, CHECKED | {"quantity": 1.0}, HEAVY | {"quantity": 0}], "cabin": [CABIN, CABIN]}
    assert pieces(bags) == frozenset({("checked", 3), ("cabin", 2)})
    assert pieces({"checked": [], "cabin": []}) == frozenset()


@pytest.mark.parametrize(
    "bags",
    [
        None,
        {},
        [],
        {"checked": {"weight": 20}},
        {"checked": [{"weight": 20}]},
        {"cabin": [{"weight": 10}]},
        {"checked": [CHECKED] * 1000},
    ],
)
def test_pieces_that_cannot_be_compared(bags: object) -> None:
    assert pieces(bags) is None


def test_booked_bags_may_be_listed_by_flight() -> None:
    for bags in (BOOKED, {"7": BOOKED}):
        # A booking of v3 may also have the luggage of v2 (OPEN-46).
        assert booked_bags({"flight_id": 7, "bags": bags, "luggage": []}, "v3") == BOOKED
    assert pieces(booked_bags({"flight_id": 7, "bags": {"8": BOOKED}}, "v3")) is None


@pytest.mark.parametrize(
    ("change", "warns"),
    [
        (put("bags", {str(FLIGHT): BOOKED}), False),
        (put("bags", BOOKED | {"cabin": [CABIN | {"quantity": 0}]}), False),
        (put("bags.cabin", [CABIN]), True),
    ],
)
def test_booking_has_the_bags_of_its_booking_request(change: Change, warns: bool) -> None:
    made = changed(RETURNED["createBookings"]["bookings"][0], change)
    booking = exchange("createBookings", returned={"bookings": [made]})
    expected = [("V23-BOOKINGS-AS-REQUESTED", "/bookings/0/bags", True)] * warns
    assert weighed(exchange("createRequests"), booking) == expected
    assert last_findings(booking) == []


def test_luggage_is_compared_with_what_was_sent_only() -> None:
    returned = put("bookings[0].luggage[0].quantity", 2)
    made = exchange("createBookingsV2", sent=drop("luggage"), returned=returned)
    assert "V23-BOOKINGS-AS-REQUESTED" not in [each.rule for each in last_findings(made)]
