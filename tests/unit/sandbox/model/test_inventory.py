"""The inventory: plausible itineraries that a seed determines and that sections identify."""

from collections.abc import Mapping
from datetime import date, timedelta

import pytest

from airworthy.sandbox.model.geography import airports_of
from airworthy.sandbox.model.inventory import (
    SOLD_AHEAD,
    Inventory,
    Section,
    Trip,
    baggage_options,
    baggage_price,
    day_of,
)
from airworthy.sandbox.model.situations import SITUATIONS

DAY = date(2027, 3, 14)


@pytest.fixture
def inventory() -> Inventory:
    return Inventory(7, digits=True)


def requested(section: Section) -> dict[str, str | None]:
    return {
        "origin": section.origin,
        "destination": section.destination,
        "departureDate": section.departure.isoformat(),
        "arrivalDate": section.arrival.isoformat(),
        "flightNumber": str(section.number),
        "operatingCarrierCode": section.operating,
        "marketingCarrierCode": section.marketing,
    }


def test_same_seed_has_the_same_flights() -> None:
    first, again, other = (Inventory(seed, digits=False).itineraries("MAD", "BCN", DAY) for seed in (1, 1, 2))

    assert first == again
    assert first != other


@pytest.mark.parametrize("digits", [False, True])
def test_carrier_codes_with_digits_are_a_setting(digits: bool) -> None:
    found = (Inventory(0, digits=digits).itineraries("LGW", "MXP", DAY + timedelta(days=ahead)) for ahead in range(20))
    sections = [section for itineraries in found for itinerary in itineraries for section in itinerary.sections]

    assert any(not section.operating.isalpha() for section in sections) is digits


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("origin", "BIO"),
        ("destination", "QQQ"),
        ("departureDate", "2027-03-14T00:00:01"),
        ("arrivalDate", "2027-03-15T00:00:00"),
        ("flightNumber", "0"),
        ("operatingCarrierCode", "ZZ"),
        ("marketingCarrierCode", "ZZ"),
    ],
)
def test_itinerary_is_not_found_with_another_value(inventory: Inventory, field: str, value: str) -> None:
    requested_sections: list[Mapping[str, str | None]] = [
        requested(section) | {field: value} for section in inventory.itineraries("MAD", "BCN", DAY)[0].sections
    ]

    assert inventory.find(requested_sections) is None


@pytest.mark.parametrize("field", ["origin", "destination", "departureDate", "flightNumber", "operatingCarrierCode"])
def test_missing_value_matches_any_itinerary(inventory: Inventory, field: str) -> None:
    itinerary = inventory.itineraries("MAD", "BCN", DAY)[0]

    assert inventory.find([requested(section) | {field: None} for section in itinerary.sections]) == itinerary


def test_flights_are_sold_from_tomorrow_for_months(inventory: Inventory) -> None:
    sold = [inventory.sold_on(DAY + timedelta(days=ahead), DAY) for ahead in (-1, 0, 1, SOLD_AHEAD.days)]

    assert sold == [False, False, True, True]
    assert not inventory.sold_on(DAY + SOLD_AHEAD + timedelta(days=1), DAY)


@pytest.mark.parametrize("name", list(SITUATIONS))
def test_every_situation_has_a_route_between_real_airports(inventory: Inventory, name: str) -> None:
    special = SITUATIONS[name]
    ends = [airports_of(code, special.type) for code in (special.origin, special.destination)]
    found = [inventory.itineraries(start.code, end.code, DAY) for start in ends[0] for end in ends[1]]

    assert all(ends)
    assert any(found) is special.sold


def test_technical_stop_is_at_another_airport(inventory: Inventory) -> None:
    special = SITUATIONS["technical_stop"]
    sections = [each.sections[0] for each in inventory.itineraries(special.origin, special.destination, DAY)]

    assert all(len(section.stops) == 1 for section in sections)
    assert not any({section.origin, section.destination} & set(section.stops) for section in sections)


def test_baggage_price_is_that_of_the_smallest_fitting_option(inventory: Inventory) -> None:
    regular = Trip(inventory.itineraries("MAD", "BCN", DAY)[0])

    assert baggage_price(regular, "CHECK_IN", 10) == baggage_price(regular, "CHECK_IN", 15)
    assert baggage_price(regular, "CHECK_IN", 16) == baggage_price(regular, "CHECK_IN", 23)
    assert baggage_price(regular, "CHECK_IN", 99) == max(option.price for option in baggage_options(regular))


def test_year_zero_is_read_as_the_earliest_date() -> None:
    assert day_of("0000-02-29") == date.min
    assert day_of("2027-03-14T10:00:00") == DAY
