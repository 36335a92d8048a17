"""The flights of v3 and v2: the itineraries of the inventory, each with an id.

The id encodes route, day and index, so that the service does not have to store search results.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from airworthy.sandbox.model.geography import AIRPORTS
from airworthy.sandbox.model.inventory import (
    BaggageOption,
    Inventory,
    Itinerary,
    Passengers,
    Trip,
    baggage_options,
    price_by_type,
)
from airworthy.sandbox.model.situations import Situation, situation

_CARD_FEE = 0.03
_ROUND_TRIP_DISCOUNT = 0.85
_CODES = tuple(AIRPORTS)
_FIRST_DAY = date(2020, 1, 1)
# The limits of airports, days and flights a day in an id.
_AIRPORTS, _DAYS, _FLIGHTS = 64, 8192, 256


@dataclass(frozen=True, slots=True)
class Flight:
    """A flight with its id; prices are in cents."""

    id: int
    itinerary: Itinerary

    @property
    def situation(self) -> Situation:
        """The situation of its route."""
        return situation(*self.itinerary.route)

    @property
    def price(self) -> int:
        """The base fare of an adult or a child."""
        return self.itinerary.price

    @property
    def booking_class(self) -> str:
        """The booking class, one letter."""
        return "YBMH"[self.id % 4]

    @property
    def infant_price(self) -> int | None:
        """The fare of an infant, None if infants are not sold."""
        return infant_price(self.price) if self.situation.infants else None

    @property
    def card_fee(self) -> float:
        """The fee for payment by card, as a fraction of the price."""
        return _CARD_FEE if self.situation.card_fee else 0.0

    def bags(self, kind: str) -> tuple[BaggageOption, ...]:
        """Return the options of a kind of bag: CHECK_IN or CABIN."""
        return tuple(each for each in baggage_options(Trip(self.itinerary)) if each.type == kind)


def infant_price(price: int) -> int:
    """Return the fare of an infant whose adult pays ``price``."""
    return price_by_type(price, Passengers(0, 0, 1))["infant"]


def round_trip_price(price: int) -> int:
    """Return the price of a flight as half of a round-trip fare, in cents."""
    return round(price * _ROUND_TRIP_DISCOUNT)


def is_fare(outward: Flight, back: Flight) -> bool:
    """Return whether there is a round-trip fare for two flights."""
    return (
        outward.situation.round_trip_fares
        and outward.itinerary.route == back.itinerary.route[::-1]
        and outward.itinerary.arrival < back.itinerary.departure
    )


class Timetable:
    """The flights of an inventory."""

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory

    def find(self, number: int) -> Flight | None:
        """Return the flight with an id, or None."""
        rest, index = divmod(number, _FLIGHTS)
        rest, day = divmod(rest, _DAYS)
        origin, destination = divmod(rest, _AIRPORTS)
        if not (0 <= origin < len(_CODES) and destination < len(_CODES)):
            return None
        found = self._inventory.itineraries(_CODES[origin], _CODES[destination], _FIRST_DAY + timedelta(days=day))
        return Flight(number, found[index]) if index < len(found) else None

    def between(self, origin: str, destination: str, first: date, last: date) -> list[Flight]:
        """Return the flights of a route on the days from the first to the last, by departure."""
        number = _CODES.index(origin) * _AIRPORTS + _CODES.index(destination)
        days = ((first - _FIRST_DAY).days + ahead for ahead in range((last - first).days + 1))
        return [
            Flight((number * _DAYS + day) * _FLIGHTS + index, itinerary)
            for day in days
            for index, itinerary in enumerate(
                self._inventory.itineraries(origin, destination, _FIRST_DAY + timedelta(days=day))
            )
        ]
