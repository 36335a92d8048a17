from itertools import chain

import pytest

from airworthy.contract import Contract, Exchange
from airworthy.traffic import GoLive
from conformance.v4 import samples

from .material import booked, responding

CONTRACT = Contract.load(("v2", "v3", "v4"))
ALONE = {"adults": 1, "children": 0, "infants": 0}
FAMILY = {"adults": 2, "children": 1, "infants": 1}
BAGS = ["with checked bags", "without checked bags"]
RETRIEVED = "bookings retrieved"
CABIN = ["with cabin bags", "without cabin bags"]


def seen(*exchanges: Exchange, golive: GoLive | None = None) -> GoLive:
    golive = golive or GoLive()
    for each in exchanges:
        url = CONTRACT.resolve(each.request.method, each.request.url)
        assert url
        golive.observe(each, url)
    return golive


def done(golive: GoLive) -> list[str]:
    return [item.name for item in golive.progress() if item.done]


def required(golive: GoLive) -> list[str]:
    return [item.name for item in golive.progress() if item.required]


def test_booking_covers_the_items_of_its_booking_request() -> None:
    golive = seen(*booked("v3", FAMILY, checked=2))

    assert done(golive) == ["several adults", "infants", "with checked bags", "without cabin bags", RETRIEVED]
    assert {item.exchange for item in golive.progress() if item.done} == {"sample-2-4711", "sample-3-4711"}
    assert required(golive) == ["several adults", "infants", *BAGS, *CABIN, RETRIEVED]


def test_several_bookings_cover_the_list() -> None:
    golive = seen(*booked("v3", FAMILY, checked=1), *booked("v3", ALONE, cabin=1, request=4712, later=600))

    assert done(golive) == required(golive)


def test_v2_bookings_cover_checked_bags_only() -> None:
    golive = seen(*booked("v2", FAMILY, checked=1), *booked("v2", ALONE, request=4712, later=600))

    assert done(golive) == required(golive) == ["several adults", "infants", *BAGS, RETRIEVED]


def test_v4_has_no_items() -> None:
    golive = seen(*samples.conversation())

    assert required(golive) == done(golive) == []


def test_booking_request_and_rejected_booking_cover_nothing() -> None:
    search, request, booking, _ = booked("v3", FAMILY, checked=1)

    assert done(seen(search, request)) == []
    assert done(seen(search, request, responding(booking, {"error": "no"}, 402))) == []
    assert done(seen(search, request, responding(booking, {"bookings": []}))) == []


def test_booking_without_its_booking_request_covers_nothing() -> None:
    _, _, booking, _ = booked("v3", FAMILY, checked=1)

    assert done(seen(booking)) == []


def test_retrieval_counts_only_after_its_booking() -> None:
    search, request, booking, retrieval = booked("v3", FAMILY, checked=1)

    assert RETRIEVED not in done(seen(search, request, booking))
    assert RETRIEVED not in done(seen(retrieval))
    assert RETRIEVED not in done(seen(booking, responding(retrieval, {"bookings": []})))
    assert done(seen(booking, retrieval)) == [RETRIEVED]


def test_minimum_number_of_adults_and_infants() -> None:
    three = GoLive(adults=3, infants=2)

    assert done(seen(*booked("v3", FAMILY), golive=three)) == ["without checked bags", "without cabin bags", RETRIEVED]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_merged_lists_keep_the_first_booking(order: tuple[int, int]) -> None:
    parts = [booked("v3", FAMILY, checked=1), booked("v3", FAMILY, checked=1, request=4712, later=600)]
    merged = GoLive()
    for index in order:
        merged.merge(seen(*parts[index]))

    assert merged.progress() == seen(*chain(*parts)).progress()
    assert merged.progress()[0].exchange == "sample-2-4711"
