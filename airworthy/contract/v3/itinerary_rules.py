"""Rules of v3 and v2 on one flight, in every response, that JSON Schema cannot express (OPEN-37)."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import permutations

from airworthy.contract.body import Json, Pointer
from airworthy.contract.coded_rules import transaction_rule
from airworthy.contract.conversation.v3 import BOOKINGS, REQUESTS, RETRIEVALS, SEARCHES
from airworthy.contract.defect import Defect
from airworthy.contract.transaction import Transaction, day, items, member

# Across the date line a flight arrives on the day before its departure, in local time.
FURTHEST_BACK = timedelta(days=1)
MOST_SEGMENTS = 3
# Zones reach from UTC-12 to UTC+14, in steps of a quarter of an hour.
WIDEST_ZONES = timedelta(hours=26)
SMALLEST_ZONE = timedelta(minutes=15)
LENGTH_OF_A_TIME = len("2027-03-14 09:30:00")
LENGTH_OF_A_CODE = len("MAD")


@transaction_rule("V23-FLIGHT-ITINERARY", "response", *SEARCHES, "searchRoundTrips", *REQUESTS, *BOOKINGS, *RETRIEVALS)
def itinerary(transaction: Transaction) -> Iterator[Defect]:
    """A flight starts with its first segment and ends with its last, and its segments follow one another.

    The documents do not say in which order segments are listed: any order in which they follow one another will do.
    Nor do they name the zone of the times, so that times that may differ by their zone only warn (v3, Flight).
    """
    for place, flight in _flights(transaction.delivered):
        segments = items(flight, "segments")
        if not segments or len(segments) != len(flight["segments"]) or _is_sound(flight, segments):
            continue
        if any(_is_sound(flight, list(order)) for order in permutations(segments) if len(segments) <= MOST_SEGMENTS):
            continue
        ends = (
            ("origin", "departure_date", segments[0], "first"),
            ("destination", "arrival_date", segments[-1], "last"),
        )
        for airport, time, segment, which in ends:
            own, of_segment = _code(flight, airport), _code(segment, airport)
            if own and of_segment and own != of_segment:
                text = f"the {airport} of a flight differs from that of its {which} segment"
                yield Defect((*place, airport), text, "the airport of the segment", "another airport")
            own, of_segment = _time(flight, time), _time(segment, time)
            if own and of_segment and own != of_segment:
                text = f"{time} of a flight differs from that of its {which} segment"
                yield Defect(
                    (*place, time),
                    text,
                    "the time of the segment",
                    "another time",
                    soft=_are_in_two_zones(own, of_segment),
                )
        for index, segment in enumerate(segments):
            yield from _order(segments[index - 1] if index else None, segment, (*place, "segments", index))


@transaction_rule("V23-FLIGHT-FIELDS", "response", *SEARCHES)
def tax_is_included(transaction: Transaction) -> Iterator[Defect]:
    """The taxes included in the price of a flight are not more than the price."""
    for index, flight in enumerate(items(transaction.delivered, "results")):
        tax, price = flight.get("included_airport_tax"), flight.get("price")
        if isinstance(tax, int | float) and isinstance(price, int | float) and tax > price >= 0:
            text, place = "included_airport_tax of a flight is more than its price", ("results", index)
            yield Defect((*place, "included_airport_tax"), text, "at most the price", "more than the price")


def _flights(delivered: Json) -> Iterator[tuple[Pointer, dict[str, Json]]]:
    for array in ("results", "flights"):
        for index, flight in enumerate(items(delivered, array)):
            yield (array, index), flight
    for array, names in (("requests", ("flight",)), ("bookings", ("flight", "final_flight"))):
        for index, each in enumerate(items(delivered, array)):
            for name in names:
                if isinstance(each.get(name), dict):
                    yield (array, index, name), each[name]


def _order(before: Json, segment: Json, place: Pointer) -> Iterator[Defect]:
    departs, arrives, landed = _time(segment, "departure_date"), _time(segment, "arrival_date"), ""
    leaves, lands = day(departs[:10]), day(arrives[:10])
    if leaves and lands and lands < leaves - FURTHEST_BACK:
        text = "a segment arrives days before it departs"
        yield Defect((*place, "arrival_date"), text, "a time after departure_date", "an earlier time")
    if _code(before, "destination") == _code(segment, "origin") != "":
        # Both times are local to the same airport, so they can be compared.
        landed = _time(before, "arrival_date")
    if landed and departs and departs < landed:
        text = "a segment departs before the previous one arrives"
        yield Defect((*place, "departure_date"), text, "a time after that arrival", "an earlier time")


def _is_sound(flight: Json, segments: list[dict[str, Json]]) -> bool:
    """Return whether segments in this order make up a flight; that is so of nearly all of them as listed."""
    for airport, time, segment in (
        ("origin", "departure_date", segments[0]),
        ("destination", "arrival_date", segments[-1]),
    ):
        for own, of_segment in (
            (_code(flight, airport), _code(segment, airport)),
            (_time(flight, time), _time(segment, time)),
        ):
            if own and of_segment and own != of_segment:
                return False
    pairs = zip([None, *segments], segments, strict=False)
    return not any(defect for before, segment in pairs for defect in _order(before, segment, ()))


def _are_in_two_zones(one: str, other: str) -> bool:
    """Return whether two times may be the same moment in two zones: the documents do not name the zone of either."""
    try:
        apart = abs(datetime.fromisoformat(one) - datetime.fromisoformat(other))
    except ValueError:
        return False
    return apart <= WIDEST_ZONES and apart % SMALLEST_ZONE == timedelta()


def _code(value: Json, airport: str) -> str:
    code = member(value, airport, "iata_code")
    return code.upper() if isinstance(code, str) and len(code) == LENGTH_OF_A_CODE else ""


def _time(value: Json, name: str) -> str:
    """Return a time in its documented format, which sorts by time, or an empty string for others."""
    time = member(value, name)
    is_time = isinstance(time, str) and len(time) == LENGTH_OF_A_TIME and "T" not in time and day(time[:10])
    return str(time) if is_time else ""
