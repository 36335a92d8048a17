"""Rules of v3 and v2 on searches and on the deprecated verification that JSON Schema cannot express."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import lru_cache
from itertools import chain
from operator import itemgetter

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.moments import moment
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.v3.bag_pieces import KINDS
from airworthy.contract.conversation.v3.journeys import AIRPORTS, JOURNEY, Journey, journey, other_journey
from airworthy.contract.conversation.v3.memory import SEARCHES, WAYS, identifier, listed_flights
from airworthy.contract.http.transaction import Transaction, day, whole
from airworthy.contract.rules.agreements import compared
from airworthy.contract.rules.coded_rules import conversation_rule, number_of, transaction_rule
from airworthy.contract.v3.search_windows import (
    LONGEST_WINDOW,
    DateWindow,
    first_day,
    is_way_back_stated,
    outward_window,
    requested_window,
    return_window,
)

LONGEST_SPAN, SUMMER_TIME = timedelta(days=LONGEST_WINDOW + 1), timedelta(hours=1)
MOST_DIGITS = 6
# Services may count no further: that available_seats is the exact number is not documented (OPEN-37).
COUNTED_SEATS = 9
# Hours of UTC that are the next day in a zone 14 hours ahead, and the day before in a zone 12 hours behind.
LAST_HOURS_OF_A_DAY, FIRST_HOURS_OF_A_DAY = "10", "12"
Route = tuple[str | None, str | None]
FLIGHTS = ("results/*", "flights/*")


# Date windows


@transaction_rule("V23-FLIGHTS-WINDOW", "request", *SEARCHES)
def flights_window(transaction: Transaction) -> Iterator[Defect]:
    """The last day is at most three days after the first, which is today by default."""
    yield from _invalid_window(transaction, "start", "end")


@transaction_rule("V3-ROUND-TRIPS-WINDOW", "request", "searchRoundTrips")
def round_trips_window(transaction: Transaction) -> Iterator[Defect]:
    """Each direction has a window of at most three days; only explicit windows are compared (OPEN-79)."""
    for first, last in (("start", "end"), ("returnStart", "returnEnd")):
        if transaction.url.query_value(first) is not None:
            yield from _invalid_window(transaction, first, last)


@conversation_rule("V23-FLIGHTS-WINDOW", "response", *SEARCHES, each="", about="results/*/departure_date")
def flights_leave_in_the_window(found: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """On every page flights depart on the requested days, and at most three days after the first."""
    within = requested_window(transaction, "start", "end") if _has_filters(transaction, conversation) else None
    for flight in found.each("results/*") if within else ():
        yield from _outside(flight, within)


@conversation_rule("V23-FLIGHTS-DEFAULT-WINDOW", "response", *SEARCHES)
def flights_leave_in_the_default_window(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Without dates, all flights depart within four days, whichever day is today in the time zone of the service."""
    has_dates = any(transaction.url.query_value(name) for name in ("start", "end"))
    flights = [] if has_dates or not _has_filters(transaction, conversation) else transaction.response.each("results/*")
    moments = [(moment(each.get("departure_date")), each) for each in flights]
    departures = sorted(
        ((leaves.replace(tzinfo=None), flight) for leaves, flight in moments if leaves), key=itemgetter(0)
    )
    for leaves, flight in departures[-1:]:
        span = leaves - departures[0][0]
        if span >= LONGEST_SPAN:
            text, expected = "a flight departs after the default window", f"at most {LONGEST_WINDOW} days after today"
            actual, soft = leaves.date().isoformat(), span < LONGEST_SPAN + SUMMER_TIME
            yield flight.defect(text, expected, actual, "departure_date", soft=soft)


def _flights_of_fares(transaction: Transaction, conversation: Conversation) -> Iterator[tuple[Node, DateWindow]]:
    """Yield the flights of fares with their windows; those back only if the search states a day of the way back."""
    windows = {"outward_id": outward_window(transaction)}
    if is_way_back_stated(transaction):
        windows["return_id"] = return_window(transaction)
    for name, window in windows.items() if _has_filters(transaction, conversation) else ():
        yield from ((flight, window) for flight in _flights_named(transaction, name) if window)


@conversation_rule("V3-ROUND-TRIPS-WINDOW", "response", "searchRoundTrips", about=number_of(_flights_of_fares))
def fares_leave_in_their_windows(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The flights of a fare depart within the windows of the search."""
    for flight, window in _flights_of_fares(transaction, conversation):
        yield from _outside(flight, window)


@conversation_rule("V3-ROUND-TRIPS-DEFAULT-WINDOW", "response", "searchRoundTrips")
def fares_return_in_the_default_window(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Without dates for the return flight, it departs from start + 1 day to end + 1 day."""
    if not is_way_back_stated(transaction) and _has_filters(transaction, conversation):
        window = return_window(transaction)
        for flight in _flights_named(transaction, "return_id"):
            yield from _outside(flight, window)


def _flights_named(transaction: Transaction, name: str) -> Iterator[Node]:
    """Yield the flights on a page that its fares name under ``outward_id`` or ``return_id``, unless exchanged."""
    exchanged = [fare.place for fare in _exchanged_fares(transaction)]
    fares = transaction.response.each("fares/*")
    ids = {identifier(fare.get(name)) for fare in fares if fare.place not in exchanged}
    return (flight for flight in transaction.response.each("flights/*") if identifier(flight.get("id")) in ids)


# Flights


def _results_for_seats(transaction: Transaction, _conversation: Conversation) -> int:
    found = [*transaction.response.each("results/*"), *transaction.response.each("fares/*")]
    return len(found) if transaction.url.query_value("seats") else 0


@conversation_rule("V23-FLIGHTS-SEATS", "response", *SEARCHES, "searchRoundTrips", about=_results_for_seats)
def flights_have_the_seats(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Flights and fares have the requested seats, on every page."""
    if _has_filters(transaction, conversation):
        yield from _too_few_seats(transaction)


@transaction_rule("V3-ROUND-TRIPS-ANSWER", "response", "searchRoundTrips", each="flights/*/bags")
def flights_without_bags(bags: Node, _transaction: Transaction) -> Iterator[Defect]:
    """The flights of a round-trip fare search have no bags, which null or empty arrays may show."""
    for options in (bags / kind for kind in KINDS):
        if isinstance(options.value, list) and options.value:
            text = "a flight of a round-trip fare search has bags"
            yield options.defect(text, "no bags", wording.shown(options.value))
            return


@conversation_rule("V23-FLIGHTS-ROUTE", "response", *SEARCHES, each="", about="results/*")
def flights_fly_the_route(found: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """On every page flights have the requested airports. Another one in their city only warns (OPEN-78)."""
    for flight in found.each("results/*") if _has_filters(transaction, conversation) else ():
        yield from _off_the_route(flight, _requested_route(transaction), transaction)


def _flights_of_fares_with_routes(transaction: Transaction, conversation: Conversation) -> Iterator[tuple[Node, Route]]:
    there = _requested_route(transaction)
    for name, route in (("outward_id", there), ("return_id", there[::-1])):
        if _has_filters(transaction, conversation):
            yield from ((flight, route) for flight in _flights_named(transaction, name))


@conversation_rule(
    "V3-ROUND-TRIPS-ROUTE", "response", "searchRoundTrips", about=number_of(_flights_of_fares_with_routes)
)
def fares_fly_there_and_back(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The outward flight of a fare flies the requested route, the return flight the opposite one (OPEN-78).

    Only flights on the page of their fare are compared (OPEN-95).
    """
    for flight, route in _flights_of_fares_with_routes(transaction, conversation):
        yield from _off_the_route(flight, route, transaction)


@conversation_rule("V3-ROUND-TRIPS-ROUTE", "response", "searchRoundTrips")
def fares_name_the_way_there_first(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The outward flight of a fare is not its return flight, nor the reverse."""
    for fare in _exchanged_fares(transaction) if _has_filters(transaction, conversation) else ():
        text = "outward_id and return_id of a round-trip fare are exchanged"
        yield fare.defect(text, "the flight that flies the requested route", "the flight back", "outward_id")


@conversation_rule("V23-FLIGHT-FIELDS", "response", *SEARCHES, "searchRoundTrips")
def an_id_is_of_one_flight(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The id of a flight identifies it in every search.

    Only warns: search data are cached (OPEN-37), and a test system that starts anew may count from 1 again.
    """
    for flight, key, flies in (flight for path in FLIGHTS for flight in listed_flights(transaction, path)):
        known = conversation.v3.flight(transaction.url.version, key)
        name = other_journey(known.journey, flies) if known else ""
        if known and name:
            text = f"a flight and the one that another search showed under the same id differ in {name}"
            values = journey_values(transaction, flight, name, known.journey, "the same value")
            yield flight.defect(text, *values, name, soft=True)


def journey_values(
    transaction: Transaction, flight: Node, name: str, known: Journey, otherwise: str
) -> tuple[str, str]:
    """Return what a flight was shown with in one member of its journey, and what it has there now."""
    path = (*flight.place, name, "iata_code") if name in AIRPORTS else (*flight.place, name)
    before, now = (each[JOURNEY.index(name)] for each in (known, journey(flight.value)))
    return compared(transaction, path, before, now, otherwise)


@transaction_rule("V23-FLIGHT-FIELDS", "response", *SEARCHES, "searchRoundTrips")
def a_flight_of_each_id(transaction: Transaction) -> Iterator[Defect]:
    """One response shows one flight under an id; the same flight may be listed twice (OPEN-37, OPEN-80)."""
    for path in FLIGHTS:
        shown: dict[str, Journey] = {}
        for flight, key, flies in listed_flights(transaction, path):
            if key and other_journey(shown.setdefault(key, flies), flies):
                text, expected = "two flights of a response have the same id", "an id for each flight"
                yield flight.defect(text, expected, "the same id twice", "id")


# The verification


@transaction_rule("V3-VERIFY-DEPRECATED", "request", "verifyFlight")
def verification_is_deprecated(transaction: Transaction) -> Iterator[Defect]:
    """flights/verify is deprecated: a warning until the day that its maintenance ends, then an error (OPEN-40)."""
    operation = transaction.url.operation
    if operation is None or operation.unmaintained is None:
        return
    over = transaction.started.date() >= operation.unmaintained
    when = f"{operation.unmaintained.day} {operation.unmaintained:%B %Y}"
    yield Defect(
        (),
        f"the request uses flights/verify, which is deprecated and {'was' if over else 'is'} maintained until {when}",
        expected="flights or roundTrips, then requests, then bookings",
        actual="flights/verify",
        where="path",
        soft=not over,
        tolerable=True,
        deprecated=not over,
    )


@transaction_rule("V3-VERIFY-INFANTS", "request", "verifyFlight", each="passengers")
def verified_infants(passengers: Node, _transaction: Transaction) -> Iterator[Defect]:
    """A verification has no more infants than adults. Whether a service rejects more is open (OPEN-84)."""
    adults, infants = whole(passengers.get("adults")), whole(passengers.get("infants"))
    if adults is not None and infants is not None and infants > adults:
        most, number = wording.shown(adults), wording.shown(infants)
        text = f"there are more infants ({number}) than adults ({most})"
        yield passengers.defect(text, f"at most {most}", number, "infants", tolerable=True)


@transaction_rule("V3-VERIFY-ANSWER", "response", "verifyFlight", each="infant_price")
def infant_price_for_infants(price: Node, transaction: Transaction) -> Iterator[Defect]:
    """A verification has an infant price for infants only; null is accepted (OPEN-96)."""
    infants = whole(transaction.request.get("passengers", "infants") or 0)
    if infants and "infant_price" not in transaction.delivered:
        yield price.defect("infant_price is missing, but infants were requested", "a price", "missing")
    if infants == 0 and isinstance(transaction.sent, dict) and price.value is not None:
        text = "the response has an infant_price, but no infants were requested"
        yield price.defect(text, "no infant_price", wording.shown(price.value))


# Helpers


def _requested_route(transaction: Transaction) -> Route:
    return transaction.url.query_value("origin"), transaction.url.query_value("destination")


@lru_cache(maxsize=1)
def _exchanged_fares(transaction: Transaction) -> tuple[Node, ...]:
    """Return the fares on a page whose outward flight flies back, and later than their return flight flies there."""
    flights = {identifier(flight.get("id")): flight for flight in transaction.response.each("flights/*")}
    requested = [(code or "").upper() for code in _requested_route(transaction)]
    exchanged = []
    for fare in transaction.response.each("fares/*"):
        there, back = (flights.get(identifier(fare.get(f"{way}_id"))) for way in WAYS)
        if there and back and _route(back) == requested == _route(there)[::-1]:
            leaves, returns = (moment(each.get("departure_date")) for each in (there, back))
            if leaves and returns and leaves.replace(tzinfo=None) > returns.replace(tzinfo=None):
                exchanged.append(fare)
    return tuple(exchanged)


def _route(flight: Node) -> list[str]:
    return [str(flight.get(name, "iata_code")).upper() for name in AIRPORTS]


def _off_the_route(flight: Node, route: Route, transaction: Transaction) -> Iterator[Defect]:
    """Yield the airports of a flight that differ from its route.

    Only warns of an airport that may be in the same city (OPEN-78), unless the flight flies the opposite way.
    """
    flies = [flight.get(name, "iata_code") for name in AIRPORTS]
    for name, requested, flown in zip(AIRPORTS, route, flies, strict=True):
        if requested and isinstance(flown, str) and flown.upper() != requested.upper():
            is_opposite = _route(flight) == [(code or "").upper() for code in reversed(route)]
            city = _city(flight / name)
            is_elsewhere = city != "" and city not in _cities(transaction).get(requested.upper(), {city})
            expected, actual = wording.shown(requested), wording.shown(flown)
            text = f"the {name} of a flight is {actual}, but {expected} was requested"
            soft = not (is_opposite or is_elsewhere)
            yield flight.defect(text, expected, actual, f"{name}/iata_code", soft=soft)


@lru_cache(maxsize=1)
def _cities(transaction: Transaction) -> Mapping[str, frozenset[str]]:
    """Return the cities in which the flights of a response show each airport."""
    found: dict[str, frozenset[str]] = {}
    flights = chain.from_iterable(transaction.response.each(each) for each in FLIGHTS)
    for end in (flight / name for flight in flights for name in AIRPORTS):
        code, city = end.get("iata_code"), _city(end)
        if isinstance(code, str) and city:
            found[code.upper()] = found.get(code.upper(), frozenset()) | {city}
    return found


def _city(location: Node) -> str:
    name = location.get("city_name")
    return name.casefold() if isinstance(name, str) else ""


def _too_few_seats(transaction: Transaction) -> Iterator[Defect]:
    """Yield the results with fewer seats than requested.

    Only warns if all of them show the same small number: v3, Resources and their fields / Flight, does not say that
    the number is exact.
    """
    requested = transaction.url.query_value("seats") or ""
    if not (requested.isascii() and requested.isdigit() and len(requested) <= MOST_DIGITS):
        return
    for array, noun in (("results", "flight"), ("fares", "fare"), ("flights", "flight")):
        found = transaction.response.each(f"{array}/*")
        shown = [whole(each.get("available_seats")) for each in found]
        may_be_capped = len(set(shown)) == 1 and int(requested) > COUNTED_SEATS
        for each, seats in zip(found, shown, strict=True):
            if seats is not None and seats < int(requested):
                text = f"a {noun} has {wording.shown(seats)} available seats, but {int(requested)} were requested"
                expected, soft = f"at least {int(requested)}", may_be_capped and seats <= COUNTED_SEATS
                yield each.defect(text, expected, wording.shown(seats), "available_seats", soft=soft)


def _continues(transaction: Transaction) -> bool:
    """Return whether a request continues a search: then other parameters may not count (OPEN-80)."""
    return transaction.url.query_value("next_page_id") is not None


def _has_filters(transaction: Transaction, conversation: Conversation) -> bool:
    """Return whether the parameters of a request count: on a further page only those of its search do (OPEN-80)."""
    return not _continues(transaction) or conversation.v3.is_further_page(transaction)


def _invalid_window(transaction: Transaction, first: str, last: str) -> Iterator[Defect]:
    """Yield a defect for a window that ends too early or too late, which a service may also shorten (OPEN-78)."""
    start, end = first_day(transaction, first), day(transaction.url.query_value(last))
    if start is None or end is None or _continues(transaction) or transaction.url.query_value(first) == "":
        return
    before, after = end.toordinal() < start[0], end.toordinal() > start[1] + LONGEST_WINDOW
    if before or after:
        wrong = f"before {first}" if before else f"more than {LONGEST_WINDOW} days after {first}"
        expected = f"from {first} to {LONGEST_WINDOW} days after it"
        text, actual = f"{last} is {wrong}", end.isoformat()
        yield Defect((), text, expected, actual, where=f"query:{last}", tolerable=True)


def _outside(flight: Node, window: DateWindow | None) -> Iterator[Defect]:
    """Yield that a flight departs outside of a window, softly unless it does so in every time zone.

    The documents do not say whether the time is local or UTC (v3, Flight), which may be another day.
    """
    departs = flight.get("departure_date")
    leaves = day(departs[:10]) if isinstance(departs, str) else None
    if window is not None and leaves is not None and not window.first <= leaves.toordinal() <= window.last:
        days, hour = leaves.toordinal(), departs[11:13]
        is_eve = days == window.first - 1 and hour >= LAST_HOURS_OF_A_DAY
        is_morning_after = days == window.last + 1 and hour < FIRST_HOURS_OF_A_DAY
        text, actual = "a flight departs outside the requested days", leaves.isoformat()
        soft = is_eve or is_morning_after
        yield flight.defect(text, "a day in the requested window", actual, "departure_date", soft=soft)
