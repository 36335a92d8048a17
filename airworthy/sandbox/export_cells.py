"""One flight as a line of the export: its cells by column, in the words of one dialect."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import zip_longest
from typing import Final

from airworthy.sandbox.choices import Choices
from airworthy.sandbox.geography import AIRPORTS
from airworthy.sandbox.inventory import BaggageOption, Itinerary, Section
from airworthy.sandbox.timetable import Flight

Cells = dict[str, str]
"""One line of a file: its cells by column."""

_DAY: Final = "%d.%m.%Y"
_TIME: Final = "%H:%M"
_ORDINALS: Final = ("First", "Second", "Third")
_TAX_SHARE: Final = 0.22
_MANY: Final = 9


class ExportCells:
    """Makes lines of flights; the columns are named as in ``schemas/export``."""

    def __init__(self, choices: Choices) -> None:
        self._choices = choices

    def route(self, flight: Flight) -> Cells:
        """Return what the routes file says of a flight."""
        origin, destination = map(self._code, flight.itinerary.route)
        day = flight.departure.strftime(_DAY)
        return {"departureAirport": origin, "arrivalAirport": destination, "departureDate": day}

    def flight(self, flight: Flight, seats: int) -> Cells:
        """Return what the flights file says of a flight with so many free seats."""
        sections = flight.itinerary.sections
        quoted = self._choices.export_quoting == "a semicolon in quotes"
        return {
            **self.route(flight),
            **self._carriers("marketingAirlineCode", "operatingAirlineCode", sections[0]),
            **self._numbers("marketingFlightNumber", "operatingFlightNumber", sections[0]),
            "bookingClass": flight.booking_class,
            "classOfService": "economy",
            "availableSeats": self._seats(seats),
            "fareType": self._choices.export_fare_type,
            **dict(self._amounts("Adult", flight.price)),
            **dict(self._amounts("Child", flight.price)),
            **dict(self._amounts("Infant", flight.infant_price)),
            "currency": self._code("EUR"),
            "journeyDuration": self._duration(flight.itinerary),
            "overNight": self._overnight(flight),
            "stops": self._stops(sections),
            **dict(self._segments(sections, flight.booking_class)),
            **dict(self._baggage(flight.bags("CHECK_IN"))),
            "checkInFee": self._money(0),
            "airportCheckInFee": self._money(0),
            "creditCardFee": self._money(round(flight.price * flight.card_fee)),
            "combinationGroup": "",
            "flightKey": str(flight.id),
            "tariffClass": "Básica; sin cambios" if quoted else "Básica",
        }

    def _code(self, code: str) -> str:
        return code if self._choices.export_codes == "capital letters" else code.lower()

    def _carriers(self, marketing: str, operating: str, section: Section) -> Cells:
        return {marketing: self._code(section.marketing), operating: self._code(section.operating)}

    def _numbers(self, marketing: str, operating: str, section: Section) -> Cells:
        number = str(section.number) if self._choices.flight_numbers == "plain" else f"{section.number:04}"
        return {marketing: number, operating: number}

    def _money(self, cents: int) -> str:
        mark = "." if self._choices.export_decimal == "point" else ","
        return f"{cents // 100}{mark}{cents % 100:02}"

    def _seats(self, seats: int) -> str:
        is_told = {"numbers": True, "stars": False, "stars from nine on": seats < _MANY}
        return str(seats) if is_told[self._choices.export_seats] else "*"

    def _amounts(self, who: str, price: int | None) -> Iterator[tuple[str, str]]:
        """Yield what a passenger pays; nothing where nobody of that age is sold a seat."""
        tax = round((price or 0) * _TAX_SHARE)
        base = (price or 0) - tax
        total = base + tax if self._choices.export_total == "base and supplement" else round(base + tax, -2)
        for name, cents in (("baseFareAmount", base), ("supplementSumAmount", tax), ("totalFareAmount", total)):
            yield f"{name}{who}", "" if price is None else self._money(cents)

    def _duration(self, itinerary: Itinerary) -> str:
        start, end = itinerary.sections[0], itinerary.sections[-1]
        zones = timedelta(hours=AIRPORTS[end.destination].utc_offset - AIRPORTS[start.origin].utc_offset)
        minutes = round((end.arrival - start.departure - zones).total_seconds() / 60)
        match self._choices.export_duration:
            case "HH:mm":
                return f"{minutes // 60:02}:{minutes % 60:02}"
            case "minutes":
                return str(minutes)
            case _:
                return f"PT{minutes // 60}H{minutes % 60}M"

    def _overnight(self, flight: Flight) -> str:
        words = {
            "0 or 1": ("0", "1"),
            "true or false": ("false", "true"),
            "Y or N": ("N", "Y"),
            "+1 or empty": ("", "+1"),
        }
        return words[self._choices.export_overnight][flight.arrival.date() > flight.departure.date()]

    def _stops(self, sections: Sequence[Section]) -> str:
        via = [self._code(each.destination) for each in sections[:-1]]
        return str(len(via)) if self._choices.export_stops == "number" else ",".join(via)

    def _segments(self, sections: Sequence[Section], booking_class: str) -> Iterator[tuple[str, str]]:
        """Yield the cells of all three segments; what stands in those of unused ones is the dialect's."""
        used = self._segment(sections[0], booking_class)
        unused = used if self._choices.export_unused == "as the first segment" else dict.fromkeys(used, "")
        for ordinal, section in zip_longest(_ORDINALS, sections):
            cells = self._segment(section, booking_class) if section else unused
            yield from ((f"segment{ordinal}{name}", cell) for name, cell in cells.items())

    def _segment(self, section: Section, booking_class: str) -> Cells:
        return {
            "DepartureAirport": self._code(section.origin),
            "ArrivalAirport": self._code(section.destination),
            **self._carriers("MarketingAirlineCode", "OperatingAirlineCode", section),
            **self._numbers("MarketingFlightNumber", "OperatingFlightNumber", section),
            "DepartureTime": section.departure.strftime(_TIME),
            "ArrivalTime": section.arrival.strftime(_TIME),
            "BookingClass": booking_class,
            "ClassofService": "economy",
        }

    def _baggage(self, options: Sequence[BaggageOption]) -> Iterator[tuple[str, str]]:
        """Yield weight and price of up to three checked bags."""
        nothing = ("", "") if self._choices.export_no_bag == "empty" else ("0", self._money(0))
        for ordinal, option in zip_longest(_ORDINALS, options):
            weight, amount = (str(option.kilos), self._money(option.price)) if option else nothing
            yield f"baggage{ordinal}Weight", weight
            yield f"baggage{ordinal}Amount", amount
