"""Rules of v3 and v2 on one flight, in every response, that JSON Schema cannot express (OPEN-37)."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import permutations, product
from typing import NamedTuple

from airworthy.contract.bodies.body import Json
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.moments import FURTHEST_BACK, FURTHEST_CLOCK_CHANGE, between
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.v3.journeys import AIRPORTS, LENGTH_OF_A_TIME
from airworthy.contract.conversation.v3.memory import BOOKINGS, REQUESTS, RETRIEVALS, SEARCHES
from airworthy.contract.http.transaction import Transaction, day, member
from airworthy.contract.rules.coded_rules import transaction_rule
from airworthy.contract.rules.forks import forks

MOST_SEGMENTS = 3
# The zones in use are at most this far apart from UTC and from one another in steps of this length.
FURTHEST_ZONE, ZONE_STEP = timedelta(hours=14), timedelta(minutes=15)
LATEST_CLOCK_CHANGE = "04:00:00"
LENGTH_OF_A_CODE = len("MAD")
_OF_AN_AIRPORT = ("city_name", "country_name", "timezone")


class _Leg(NamedTuple):
    """A flight or a segment with the ends and times that it shows: empty texts for what is not as documented."""

    node: Node
    origin: str
    destination: str
    departure_date: str
    arrival_date: str


def _flights_with_segments(transaction: Transaction, _conversation: Conversation) -> int:
    return sum(bool(flight.each("segments/*")) for flight in _flights(transaction))


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
    for flight in _flights(transaction):
        segments = [_leg(each) for each in flight.each("segments/*")]
        whole = _leg(flight)
        yield from _backwards(whole)
        if not segments or len(segments) != len(flight.value["segments"]):
            continue
        forked = tuple(forks([(each.origin, each.destination) for each in segments]))
        for index, end, what in forked:
            text = f"two segments of a flight {what}"
            yield segments[index].node.defect(text, "segments that follow one another", "the same airport", end)
        if forked or not any(_defects(whole, segments)):
            continue
        # A flight has at most three segments: more orders would only cost time.
        orders = permutations(segments) if len(segments) <= MOST_SEGMENTS else (segments,)
        found = ([*_defects(whole, order)] for order in orders)
        yield from min(found, key=lambda defects: (sum(not each.soft for each in defects), len(defects)))


def _leg(node: Node) -> _Leg:
    return _Leg(
        node,
        _code(node.value, "origin"),
        _code(node.value, "destination"),
        _time(node.value, "departure_date"),
        _time(node.value, "arrival_date"),
    )


def _defects(flight: _Leg, segments: Sequence[_Leg]) -> Iterator[Defect]:
    """Yield what is wrong with a flight whose segments are flown in this order; their zone is open (OPEN-80)."""
    first, last = segments[0], segments[-1]
    shifts = between(first.departure_date, flight.departure_date), between(last.arrival_date, flight.arrival_date)
    # The times of the flight may be in another zone than those of its segments; if only one of them differs, then the
    # other would have to be at a place in that zone.
    is_in_zone = all(shift is None or (abs(shift) <= FURTHEST_ZONE and not shift % ZONE_STEP) for shift in shifts)
    are_both_shifted = is_in_zone and all(shifts)
    for airport, own, of_segment, time, which, shift in (
        ("origin", flight.origin, first.origin, "departure_date", "first", shifts[0]),
        ("destination", flight.destination, last.destination, "arrival_date", "last", shifts[1]),
    ):
        if own and of_segment and own != of_segment:
            text = f"the {airport} of a flight differs from that of its {which} segment"
            yield flight.node.defect(text, "the airport of the segment", "another airport", airport)
        if shift and not are_both_shifted:
            text = f"{time} of a flight differs from that of its {which} segment"
            yield flight.node.defect(text, "the time of the segment", "another time", time, soft=is_in_zone)
    for before, segment in zip((None, *segments), segments, strict=False):
        yield from _out_of_order(before, segment)


@transaction_rule("V23-FLIGHT-FIELDS", "response", *SEARCHES, each="", about="results/*/included_airport_tax")
def tax_is_included(found: Node, _transaction: Transaction) -> Iterator[Defect]:
    """The taxes included in the price of a flight are not more than the price."""
    yield from _taxes_above(found, "results", "flight")


@transaction_rule("V3-ROUND-TRIP-FARE", "response", "searchRoundTrips", each="")
def tax_is_included_in_the_fare(found: Node, _transaction: Transaction) -> Iterator[Defect]:
    """The taxes included in the price of a fare or of one of its flights are not more than the price."""
    yield from _taxes_above(found, "fares", "fare")
    yield from _taxes_above(found, "flights", "flight")


@transaction_rule("V23-FLIGHT-PLACES", "response", *SEARCHES, "searchRoundTrips", *REQUESTS)
def an_airport_is_in_one_place(transaction: Transaction) -> Iterator[Defect]:
    """A response shows one city, country and time zone for an airport.

    Only warns: no sentence says so. Time zones are compared by their names, as their offsets change during the year.
    """
    shown: dict[tuple[str, str], str] = {}
    for flight in _flights(transaction):
        for holder, end, name in product((flight, *flight.each("segments/*")), AIRPORTS, _OF_AN_AIRPORT):
            code, value = _code(holder.value, end), holder.get(end, name)
            if not code or not value or not isinstance(value, str) or (name == "timezone" and "/" not in value):
                continue
            if shown.setdefault((code, name), value.casefold()) != value.casefold():
                text = f"a response shows two values as {name} of one airport"
                yield (holder / end).defect(text, "one value", "two values", name, soft=True)


def _taxes_above(found: Node, array: str, noun: str) -> Iterator[Defect]:
    for each in found.each(f"{array}/*"):
        tax, price = each.get("included_airport_tax"), each.get("price")
        if isinstance(tax, int | float) and isinstance(price, int | float) and tax > price >= 0:
            text = f"included_airport_tax of a {noun} is more than its price"
            yield each.defect(text, "at most the price", "more than the price", "included_airport_tax")


def _flights(transaction: Transaction) -> Iterator[Node]:
    found = transaction.response
    yield from (*found.each("results/*"), *found.each("flights/*"))
    for path, names in (("requests/*", ("flight",)), ("bookings/*", ("flight", "final_flight"))):
        for flight in (holder / name for holder in found.each(path) for name in names):
            if isinstance(flight.value, dict):
                yield flight


def _backwards(flight: _Leg) -> Iterator[Defect]:
    """Yield a defect for a flight that arrives before it departs, both in one time zone.

    The clocks of a zone may go back while it is in the air.
    """
    zone = flight.node.get("origin", "timezone")
    if zone is None or zone != flight.node.get("destination", "timezone"):
        return
    lasts = between(flight.departure_date, flight.arrival_date)
    # Days are compared for each segment.
    if lasts is not None and -FURTHEST_BACK < lasts <= -FURTHEST_CLOCK_CHANGE:
        text = "a flight within one time zone arrives before it departs"
        yield flight.node.defect(text, "a time after departure_date", "an earlier time", "arrival_date")


def _out_of_order(before: _Leg | None, segment: _Leg) -> Iterator[Defect]:
    leaves, lands = day(segment.departure_date[:10]), day(segment.arrival_date[:10])
    if leaves and lands and leaves - lands > FURTHEST_BACK:
        text = "a segment arrives days before it departs"
        yield segment.node.defect(text, "a time after departure_date", "an earlier time", "arrival_date")
    if before is None or not before.destination or not segment.origin:
        return
    if before.destination != segment.origin:
        zones = before.node.get("destination", "timezone"), segment.node.get("origin", "timezone")
        # Passengers may change airports within a city, which is in one zone.
        if all(zones) and zones[0] != zones[1]:
            text = "a segment does not depart where the previous one arrives"
            yield segment.node.defect(text, "the airport of that arrival", "an airport elsewhere", "origin", soft=True)
        return
    # Both times are local to the same airport, so they can be compared.
    departs, landed = segment.departure_date, before.arrival_date
    if landed and departs and departs < landed and not _may_be_later(departs, landed):
        text = "a segment departs before the previous one arrives"
        yield segment.node.defect(text, "a time after that arrival", "an earlier time", "departure_date")


def _may_be_later(time: str, other: str) -> bool:
    """Return whether a time at an airport can be after a greater one there: at night, its clocks may go back."""
    shift = between(time, other)
    return (
        shift is not None and shift < FURTHEST_CLOCK_CHANGE and other[-len(LATEST_CLOCK_CHANGE) :] < LATEST_CLOCK_CHANGE
    )


def _code(value: Json, airport: str) -> str:
    code = member(value, airport, "iata_code")
    return code.upper() if isinstance(code, str) and len(code) == LENGTH_OF_A_CODE else ""


def _time(value: Json, name: str) -> str:
    """Return a time in its documented format, which sorts by time, or an empty string for others."""
    time = member(value, name)
    is_time = isinstance(time, str) and len(time) == LENGTH_OF_A_TIME and "T" not in time and day(time[:10])
    return str(time) if is_time else ""
