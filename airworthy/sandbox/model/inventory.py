"""The flights for sale: plausible, generated on request, and the same for a seed.

Prices are in cents; times of flights are local and naive, as in the documents.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from itertools import pairwise
from random import Random

from airworthy.sandbox.model.geography import AIRPORTS, CARRIERS, Airport, Carrier, kilometres
from airworthy.sandbox.model.situations import Situation, situation

SOLD_AHEAD = timedelta(days=330)
PASSENGER_TYPES = ("adult", "child", "infant")
_SHARE_OF_ADULT_PRICE = {"adult": 1.0, "child": 0.75, "infant": 0.1}
TAX_SHARE = 0.22
_CARD_FEE = 0.02
_OWN_FLIGHT_SHARE = 0.8
_STOP_SHARE = 0.05
_FEW_SEATS = (1, 2)


@dataclass(frozen=True, slots=True)
class Section:
    """One flight leg; ``stops`` are airports where it lands without a change of flight number."""

    origin: str
    destination: str
    departure: datetime
    arrival: datetime
    number: int
    marketing: str
    operating: str
    seats: int
    departure_terminal: str | None
    arrival_terminal: str | None
    stops: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Itinerary:
    """One to three sections that are sold together; ``price`` is for an adult, tax included."""

    sections: tuple[Section, ...]
    price: int

    @property
    def route(self) -> tuple[str, str]:
        """The first and the last airport."""
        return self.sections[0].origin, self.sections[-1].destination

    @property
    def departure(self) -> datetime:
        """The departure in local time."""
        return self.sections[0].departure

    @property
    def arrival(self) -> datetime:
        """The arrival in local time."""
        return self.sections[-1].arrival

    @property
    def seats(self) -> int:
        """The number of seats left on the fullest section."""
        return min(each.seats for each in self.sections)


@dataclass(frozen=True, slots=True)
class Passengers:
    """The number of passengers of each type."""

    adults: int
    children: int
    infants: int

    @property
    def seats(self) -> int:
        """The number of seats that they need: infants have none."""
        return self.adults + self.children

    def counts(self) -> Mapping[str, int]:
        """Return the number by passenger type."""
        return dict(zip(PASSENGER_TYPES, (self.adults, self.children, self.infants), strict=True))


@dataclass(frozen=True, slots=True)
class Trip:
    """The outbound itinerary of an offer and, for a round trip, the inbound itinerary."""

    outbound: Itinerary
    inbound: Itinerary | None = None

    @property
    def situation(self) -> Situation:
        """The situation of the outbound route."""
        return situation(*self.outbound.route)

    @property
    def price(self) -> int:
        """The price of an adult."""
        return self.outbound.price + (self.inbound.price if self.inbound else 0)


@dataclass(frozen=True, slots=True)
class BaggageOption:
    """A paid bag: at most ``pieces`` per passenger, of at most ``kilos`` each, for ``price`` per piece."""

    type: str
    pieces: int
    kilos: int
    price: int


CABIN_BAG = BaggageOption("CABIN", 1, 10, 1490)
CHECKED_BAGS = (BaggageOption("CHECK_IN", 2, 15, 2350), BaggageOption("CHECK_IN", 3, 23, 3199))


def baggage_options(trip: Trip) -> tuple[BaggageOption, ...]:
    """Return the paid options for one direction of a trip."""
    return (*CHECKED_BAGS, CABIN_BAG) if trip.situation.baggage else ()


def baggage_price(trip: Trip, kind: str, kilos: int) -> int:
    """Return the price of a piece: that of the smallest option that fits, otherwise the highest price."""
    fitting = (each.price for each in baggage_options(trip) if each.type == kind and each.kilos >= kilos)
    return min(fitting, default=max(each.price for each in CHECKED_BAGS))


def price_by_type(adult_price: int, passengers: Passengers) -> Mapping[str, int]:
    """Return the price for one passenger of each type, tax included."""
    return {each: round(adult_price * _SHARE_OF_ADULT_PRICE[each]) for each in passengers.counts()}


def total_price(adult_price: int, passengers: Passengers) -> int:
    """Return the price for all passengers, without baggage and payment fee."""
    prices = price_by_type(adult_price, passengers)
    return sum(prices[each] * number for each, number in passengers.counts().items())


def card_fee(trip: Trip, total: int) -> int:
    """Return the fee of an offer for payment by card."""
    return round(total * _CARD_FEE) if trip.situation.card_fee else 0


def day_of(text: str) -> date:
    """Return the day of a date or date-time that fits its schema; one that does not exist becomes the first of all."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return date.min


class Inventory:
    """The flights of one seed.

    ``digits`` includes carriers whose code contains a digit; with ``few_seats`` each flight has one or two seats.
    """

    def __init__(self, seed: int, *, digits: bool, few_seats: bool = False) -> None:
        self._seed, self._few_seats = seed, few_seats
        self._carriers = tuple(each for each in CARRIERS if digits or each.code.isalpha())
        self.itineraries = lru_cache(maxsize=4096)(self._itineraries)

    def sold_on(self, day: date, today: date) -> bool:
        """Return whether a day of departure is sold: from tomorrow on, for the coming months."""
        return today < day <= today + SOLD_AHEAD

    def _itineraries(self, origin: str, destination: str, day: date) -> tuple[Itinerary, ...]:
        special = situation(origin, destination)
        if not special.sold or AIRPORTS[origin].city == AIRPORTS[destination].city:
            return ()
        # The same seed must generate the same flights; nothing here is secret.
        chance = Random(f"{self._seed}/{origin}/{destination}/{day}")  # noqa: S311 - no secret
        number = special.daily or chance.randint(4, 6)
        several = (self._itinerary(chance, origin, destination, day, special) for _ in range(number))
        return tuple(sorted(several, key=lambda each: each.departure))

    def _itinerary(self, chance: Random, origin: str, destination: str, day: date, special: Situation) -> Itinerary:
        carrier = chance.choice(self._serving(origin, destination))
        legs = min(3, special.sections + chance.randint(0, 1)) if special.sections > 1 else special.sections
        legs = legs or chance.choice((1, 1, 1, 2))
        places = [AIRPORTS[each] for each in (origin, *_hubs(chance, carrier, origin, destination, legs), destination)]
        departure = datetime.combine(day, time(6)) + timedelta(minutes=5 * chance.randint(0, 12 * 12))
        sections: list[Section] = []
        # Both directions of a route have the same number of seats.
        room = special.seats or situation(destination, origin).seats
        if self._few_seats:
            room = chance.choice(_FEW_SEATS)
        for start, end in pairwise(places):
            section = self._section(chance, carrier, start, end, departure)
            sections.append(replace(section, seats=room or section.seats))
            departure = sections[-1].arrival + timedelta(minutes=5 * chance.randint(10, 24))
        distance = sum(kilometres(start, end) for start, end in pairwise(places))
        price = round((1900 + 5.5 * distance) * chance.uniform(0.8, 1.9))
        return Itinerary(tuple(sections), price)

    def _serving(self, origin: str, destination: str) -> tuple[Carrier, ...]:
        countries = {AIRPORTS[origin].country, AIRPORTS[destination].country}
        return tuple(each for each in self._carriers if AIRPORTS[each.hub].country in countries) or self._carriers

    def _section(self, chance: Random, carrier: Carrier, start: Airport, end: Airport, departure: datetime) -> Section:
        minutes = 5 * round((35 + kilometres(start, end) / 13) / 5)
        zones = timedelta(hours=end.utc_offset - start.utc_offset)
        operating = carrier if chance.random() < _OWN_FLIGHT_SHARE else chance.choice(self._carriers)
        return Section(
            origin=start.code,
            destination=end.code,
            departure=departure,
            arrival=departure + timedelta(minutes=minutes) + zones,
            number=chance.randint(1, 9999),
            marketing=carrier.code,
            operating=operating.code,
            seats=chance.randint(18, 96),
            departure_terminal=chance.choice(start.terminals) if start.terminals else None,
            arrival_terminal=chance.choice(end.terminals) if end.terminals else None,
            stops=_stops(chance, start, end),
        )

    def find(self, requested: list[Mapping[str, str | None]]) -> Itinerary | None:
        """Return the itinerary whose sections match the requested ones, if it is for sale.

        Each requested section has the documents' fields; None fits every value.
        """
        if not requested:
            return None
        for origin, destination, day in _candidates(requested):
            for itinerary in self.itineraries(origin, destination, day):
                if len(itinerary.sections) == len(requested) and all(map(_fits, itinerary.sections, requested)):
                    return itinerary
        return None


def _hubs(chance: Random, carrier: Carrier, origin: str, destination: str, legs: int) -> list[str]:
    """Return the airports of the connections, first the carrier's own hub."""
    cities = {AIRPORTS[origin].city, AIRPORTS[destination].city}
    hubs = [each.hub for each in CARRIERS if AIRPORTS[each.hub].city not in cities]
    others = chance.sample(sorted(set(hubs) - {carrier.hub}), 2)
    return [*([carrier.hub] if carrier.hub in hubs else []), *others][: legs - 1]


def _stops(chance: Random, start: Airport, end: Airport) -> tuple[str, ...]:
    """Return the technical stops of a section: rare, except on the route with this situation."""
    if not situation(start.code, end.code).technical_stop and chance.random() > _STOP_SHARE:
        return ()
    return (chance.choice(sorted(set(AIRPORTS) - {start.code, end.code})),)


def _candidates(requested: list[Mapping[str, str | None]]) -> Iterator[tuple[str, str, date]]:
    """Yield the routes and days on which a requested itinerary could be; all airports where one is not given."""
    origin, destination = requested[0]["origin"], requested[-1]["destination"]
    given = requested[0]["departureDate"] or requested[0]["arrivalDate"]
    if given is None:
        return
    day = day_of(given)
    for start in [origin] if origin else AIRPORTS:
        for end in [destination] if destination else AIRPORTS:
            if start in AIRPORTS and end in AIRPORTS:
                yield start, end, day


def _upper(code: str | None) -> str | None:
    return code and code.upper()


def _fits(section: Section, requested: Mapping[str, str | None]) -> bool:
    number = requested["flightNumber"]
    pairs = (
        (section.origin, requested["origin"]),
        (section.destination, requested["destination"]),
        (section.departure.isoformat(), requested["departureDate"]),
        (section.arrival.isoformat(), requested["arrivalDate"]),
        (section.marketing, _upper(requested["marketingCarrierCode"])),
        (section.operating, _upper(requested["operatingCarrierCode"])),
        (section.number, None if number is None else int(number)),
    )
    return all(value is None or value == own for own, value in pairs)
