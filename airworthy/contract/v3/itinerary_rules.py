"""Rules of v3 and v2 on one flight, in every response, that JSON Schema cannot express (OPEN-37)."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import permutations

from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.moments import FURTHEST_BACK, FURTHEST_CLOCK_CHANGE
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.v3.journeys import LENGTH_OF_A_TIME
from airworthy.contract.conversation.v3.memory import BOOKINGS, REQUESTS, RETRIEVALS, SEARCHES
from airworthy.contract.http.transaction import Transaction, day, items, member
from airworthy.contract.rules.coded_rules import transaction_rule
from airworthy.contract.rules.forks import forks

MOST_SEGMENTS = 3
NumberedSegments = Sequence[tuple[int, dict[str, Json]]]
# The zones in use are at most this far apart from UTC and from one another in steps of this length.
FURTHEST_ZONE, ZONE_STEP = timedelta(hours=14), timedelta(minutes=15)
LATEST_CLOCK_CHANGE = "04:00:00"
LENGTH_OF_A_CODE = len("MAD")


def _flights_with_segments(transaction: Transaction, _conversation: Conversation) -> int:
    return sum(bool(items(flight, "segments")) for _, flight in _flights(transaction.delivered))


@transaction_rule(
    "V23-FLIGHT-ITINERARY",
    "response",
    *SEARCHES,
    "searchRoundTrips",
    *REQUESTS,
    *BOOKINGS,
    *RETRIEVALS,
    about=_flights_with_segments,
)
def itinerary(transaction: Transaction) -> Iterator[Defect]:
    """A flight starts with its first segment and ends with its last, and its segments follow one another.

    The documents name neither the order of the segments nor the time zone of the flight's own times (OPEN-80).
    """
    for place, flight in _flights(transaction.delivered):
        segments = items(flight, "segments")
        yield from _backwards(flight, place)
        if not segments or len(segments) != len(flight["segments"]):
            continue
        forked = tuple(forks([(_code(each, "origin"), _code(each, "destination")) for each in segments]))
        for index, end, what in forked:
            text = f"two segments of a flight {what}"
            yield Defect((*place, "segments", index, end), text, "segments that follow one another", "the same airport")
        if forked or _is_sound(flight, segments):
            continue
        listed = tuple(enumerate(segments))
        # A flight has at most three segments: more orders would only cost time.
        orders = permutations(listed) if len(listed) <= MOST_SEGMENTS else (listed,)
        found = ([*_defects(flight, order, place)] for order in orders)
        yield from min(found, key=lambda defects: (sum(not each.soft for each in defects), len(defects)))


def _defects(flight: dict[str, Json], segments: NumberedSegments, place: Pointer) -> Iterator[Defect]:
    """Yield what is wrong with a flight whose segments are flown in this order; their zone is open (OPEN-80)."""
    ends = (
        ("origin", "departure_date", segments[0][1], "first"),
        ("destination", "arrival_date", segments[-1][1], "last"),
    )
    shifts = [_shift(_time(flight, time), _time(segment, time)) for _, time, segment, _ in ends]
    # The times of the flight may be in another zone than those of its segments; if only one of them differs, then the
    # other would have to be at a place in that zone.
    is_in_zone = all(shift is None or (abs(shift) <= FURTHEST_ZONE and not shift % ZONE_STEP) for shift in shifts)
    are_both_shifted = is_in_zone and all(shifts)
    for (airport, time, segment, which), shift in zip(ends, shifts, strict=True):
        own, of_segment = _code(flight, airport), _code(segment, airport)
        if own and of_segment and own != of_segment:
            text = f"the {airport} of a flight differs from that of its {which} segment"
            yield Defect((*place, airport), text, "the airport of the segment", "another airport")
        if shift and not are_both_shifted:
            text = f"{time} of a flight differs from that of its {which} segment"
            yield Defect((*place, time), text, "the time of the segment", "another time", soft=is_in_zone)
    for (_, before), (index, segment) in zip(((-1, None), *segments), segments, strict=False):
        yield from _order(before, segment, (*place, "segments", index))


def _shift(own: str, of_segment: str) -> timedelta | None:
    """Return the difference of two times, or None if one is missing or invalid."""
    try:
        return datetime.fromisoformat(own) - datetime.fromisoformat(of_segment)
    except ValueError:
        return None


@transaction_rule("V23-FLIGHT-FIELDS", "response", *SEARCHES, about="results/*/included_airport_tax")
def tax_is_included(transaction: Transaction) -> Iterator[Defect]:
    """The taxes included in the price of a flight are not more than the price."""
    yield from _taxes_above(transaction, "results", "flight")


@transaction_rule("V3-ROUND-TRIP-FARE", "response", "searchRoundTrips")
def tax_is_included_in_the_fare(transaction: Transaction) -> Iterator[Defect]:
    """The taxes included in the price of a fare or of one of its flights are not more than the price."""
    yield from _taxes_above(transaction, "fares", "fare")
    yield from _taxes_above(transaction, "flights", "flight")


def _taxes_above(transaction: Transaction, array: str, noun: str) -> Iterator[Defect]:
    for index, found in enumerate(items(transaction.delivered, array)):
        tax, price = found.get("included_airport_tax"), found.get("price")
        if isinstance(tax, int | float) and isinstance(price, int | float) and tax > price >= 0:
            text = f"included_airport_tax of a {noun} is more than its price"
            yield Defect((array, index, "included_airport_tax"), text, "at most the price", "more than the price")


def _flights(delivered: Json) -> Iterator[tuple[Pointer, dict[str, Json]]]:
    for array in ("results", "flights"):
        for index, flight in enumerate(items(delivered, array)):
            yield (array, index), flight
    for array, names in (("requests", ("flight",)), ("bookings", ("flight", "final_flight"))):
        for index, each in enumerate(items(delivered, array)):
            for name in names:
                if isinstance(each.get(name), dict):
                    yield (array, index, name), each[name]


def _backwards(flight: dict[str, Json], place: Pointer) -> Iterator[Defect]:
    """Yield a defect for a flight that arrives before it departs, both in one time zone.

    The clocks of a zone may go back while it is in the air.
    """
    zone = member(flight, "origin", "timezone")
    if zone is None or zone != member(flight, "destination", "timezone"):
        return
    lasts = _shift(_time(flight, "arrival_date"), _time(flight, "departure_date"))
    # Days are compared for each segment.
    if lasts is not None and -FURTHEST_BACK < lasts <= -FURTHEST_CLOCK_CHANGE:
        text = "a flight within one time zone arrives before it departs"
        yield Defect((*place, "arrival_date"), text, "a time after departure_date", "an earlier time")


def _order(before: Json, segment: Json, place: Pointer) -> Iterator[Defect]:
    departs, arrives, landed = _time(segment, "departure_date"), _time(segment, "arrival_date"), ""
    leaves, lands = day(departs[:10]), day(arrives[:10])
    if leaves and lands and lands < leaves - FURTHEST_BACK:
        text = "a segment arrives days before it departs"
        yield Defect((*place, "arrival_date"), text, "a time after departure_date", "an earlier time")
    arrival, departure = _code(before, "destination"), _code(segment, "origin")
    zones = member(before, "destination", "timezone"), member(segment, "origin", "timezone")
    if arrival == departure != "":
        # Both times are local to the same airport, so they can be compared.
        landed = _time(before, "arrival_date")
    elif arrival and departure and all(zones) and zones[0] != zones[1]:
        # Passengers may change airports within a city, which is in one zone.
        text = "a segment does not depart where the previous one arrives"
        yield Defect((*place, "origin"), text, "the airport of that arrival", "an airport elsewhere", soft=True)
    if landed and departs and departs < landed and not _may_be_later(departs, landed):
        text = "a segment departs before the previous one arrives"
        yield Defect((*place, "departure_date"), text, "a time after that arrival", "an earlier time")


def _may_be_later(time: str, other: str) -> bool:
    """Return whether a time at an airport can be after a greater one there: at night, its clocks may go back."""
    shift = _shift(other, time)
    return (
        shift is not None and shift < FURTHEST_CLOCK_CHANGE and other[-len(LATEST_CLOCK_CHANGE) :] < LATEST_CLOCK_CHANGE
    )


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


def _code(value: Json, airport: str) -> str:
    code = member(value, airport, "iata_code")
    return code.upper() if isinstance(code, str) and len(code) == LENGTH_OF_A_CODE else ""


def _time(value: Json, name: str) -> str:
    """Return a time in its documented format, which sorts by time, or an empty string for others."""
    time = member(value, name)
    is_time = isinstance(time, str) and len(time) == LENGTH_OF_A_TIME and "T" not in time and day(time[:10])
    return str(time) if is_time else ""
