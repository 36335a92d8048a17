"""The cells of a line of the export, as one dialect writes them."""

import math
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import Final

from airworthy.sandbox.dialects.choices import Choices
from airworthy.sandbox.model.inventory import TAX_SHARE, BaggageOption, Itinerary, Section
from airworthy.sandbox.resources.v3.itineraries import duration
from airworthy.sandbox.resources.v3.timetable import Flight

Cells = dict[str, str]
"""One line of a file: its cells by column."""

_ORDINALS: Final = ("First", "Second", "Third")
_OF_SEGMENT: Final = (
    *("DepartureAirport", "ArrivalAirport", "MarketingAirlineCode", "OperatingAirlineCode", "MarketingFlightNumber"),
    *("OperatingFlightNumber", "DepartureTime", "ArrivalTime", "BookingClass", "ClassofService"),
)
# A large export has millions of lines: compute what they have in common once.
_SEGMENTS: Final = tuple(tuple(f"segment{ordinal}{name}" for name in _OF_SEGMENT) for ordinal in _ORDINALS)
_AMOUNTS: Final = {
    who: (f"baseFareAmount{who}", f"supplementSumAmount{who}", f"totalFareAmount{who}")
    for who in ("Adult", "Child", "Infant")
}
_OVERNIGHT: Final = {
    "0 or 1": ("0", "1"),
    "true or false": ("false", "true"),
    "Y or N": ("N", "Y"),
    "+1 or empty": ("", "+1"),
}
# The numbers of free seats from which the export shows a star.
_MOST_SHOWN_SEATS: Final = {"numbers": math.inf, "stars": 0, "stars from nine on": 9}


class ExportCells:
    """Builds the lines of the export from flights; ``schemas/export`` names the columns."""

    def __init__(self, choices: Choices) -> None:
        self._choices = choices

    def route(self, flight: Flight) -> Cells:
        """Return the cells of a flight in the routes file."""
        origin, destination = map(self._code, flight.itinerary.route)
        leaves = flight.itinerary.departure
        day = f"{leaves.day:02}.{leaves.month:02}.{leaves.year}"
        return {"departureAirport": origin, "arrivalAirport": destination, "departureDate": day}

    def flight(self, flight: Flight, seats: int) -> Cells:
        """Return the cells of a flight in the flights file; ``seats`` is the number of free seats."""
        sections = flight.itinerary.sections
        number = self._number(sections[0])
        is_overnight = flight.itinerary.arrival.date() > flight.itinerary.departure.date()
        quoted = self._choices.export.quoting == "a semicolon in quotes"
        return {
            **self.route(flight),
            "marketingAirlineCode": self._code(sections[0].marketing),
            "marketingFlightNumber": number,
            "operatingAirlineCode": self._code(sections[0].operating),
            "operatingFlightNumber": number,
            "bookingClass": flight.booking_class,
            "classOfService": "economy",
            "availableSeats": str(seats) if seats < _MOST_SHOWN_SEATS[self._choices.export.seats] else "*",
            "fareType": self._choices.export.fare_type,
            **self._amounts("Adult", flight.price),
            **self._amounts("Child", flight.price),
            **self._amounts("Infant", flight.infant_price),
            "currency": self._code("EUR"),
            "journeyDuration": self._duration(flight.itinerary),
            "overNight": _OVERNIGHT[self._choices.export.overnight][is_overnight],
            "stops": self._stops(sections),
            **self._segments(sections, flight.booking_class),
            **dict(self._baggage(flight.bags("CHECK_IN"))),
            "checkInFee": self._money(0),
            "airportCheckInFee": self._money(0),
            "creditCardFee": self._money(round(flight.price * flight.card_fee)),
            "combinationGroup": "",
            "flightKey": str(flight.id),
            "tariffClass": "Básica; sin cambios" if quoted else "Básica",
        }

    def _code(self, code: str) -> str:
        return code if self._choices.export.codes == "capital letters" else code.lower()

    def _number(self, section: Section) -> str:
        return str(section.number) if self._choices.v4.flight_numbers == "plain" else f"{section.number:04}"

    def _money(self, cents: int) -> str:
        mark = "." if self._choices.export.decimal == "point" else ","
        return f"{cents // 100}{mark}{cents % 100:02}"

    def _amounts(self, who: str, price: int | None) -> Cells:
        """Return the amounts of one passenger type; empty cells if the flight does not sell it."""
        if price is None:
            return dict.fromkeys(_AMOUNTS[who], "")
        tax = round(price * TAX_SHARE)
        total = price if self._choices.export.total == "base and supplement" else round(price, -2)
        return dict(zip(_AMOUNTS[who], map(self._money, (price - tax, tax, total)), strict=True))

    def _duration(self, itinerary: Itinerary) -> str:
        text = duration(itinerary.departure, itinerary.arrival, *itinerary.route)
        hours, minutes = map(int, text.split(":"))
        forms = {"HH:mm": text, "minutes": str(60 * hours + minutes), "ISO 8601": f"PT{hours}H{minutes}M"}
        return forms[self._choices.export.duration]

    def _stops(self, sections: Sequence[Section]) -> str:
        via = [self._code(each.destination) for each in sections[:-1]]
        return str(len(via)) if self._choices.export.stops == "number" else ",".join(via)

    def _segments(self, sections: Sequence[Section], booking_class: str) -> Cells:
        """Return the cells of all three segments; the dialect fills those of unused segments."""
        used = [self._segment(each, booking_class) for each in sections]
        unused = used[0] if self._choices.export.unused == "as the first segment" else ("",) * len(_OF_SEGMENT)
        cells: Cells = {}
        for names, segment in zip_longest(_SEGMENTS, used, fillvalue=unused):
            cells.update(zip(names, segment, strict=True))
        return cells

    def _segment(self, section: Section, booking_class: str) -> tuple[str, ...]:
        number = self._number(section)
        return (
            *map(self._code, (section.origin, section.destination, section.marketing, section.operating)),
            *(number, number, _time(section.departure), _time(section.arrival), booking_class, "economy"),
        )

    def _weight(self, kilos: int) -> str:
        return str(kilos) if self._choices.export.weight == "number" else f"{kilos} kg"

    def _baggage(self, options: Sequence[BaggageOption]) -> Iterator[tuple[str, str]]:
        nothing = ("", "") if self._choices.export.no_bag == "empty" else ("0", self._money(0))
        for ordinal, option in zip_longest(_ORDINALS, options):
            weight, amount = (self._weight(option.kilos), self._money(option.price)) if option else nothing
            yield f"baggage{ordinal}Weight", weight
            yield f"baggage{ordinal}Amount", amount


def _time(moment: datetime) -> str:
    return moment.isoformat()[11:16]
