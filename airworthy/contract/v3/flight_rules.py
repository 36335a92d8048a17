"""The rules of v2 and v3 on searches and on the deprecated verification that JSON Schema cannot say."""

from collections.abc import Iterator
from dataclasses import dataclass

from airworthy.contract import wording
from airworthy.contract.body import Json
from airworthy.contract.coded_rules import journey_rule, message_rule
from airworthy.contract.conversation.v3 import SEARCHES, identifier
from airworthy.contract.conversation.v4 import Journey
from airworthy.contract.shape import Breach
from airworthy.contract.transaction import Message, day, items, member, whole

LONGEST_WINDOW = 3
MOST_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Window:
    """The days that were asked for, as ordinals: from ``first`` to ``last``, as far as they bind a service."""

    first: int
    last: int


# The windows of searches


@message_rule("V23-FLIGHTS-WINDOW", "request", *SEARCHES)
def flights_window(message: Message) -> Iterator[Breach]:
    """The last day is at most three days after the first, which is today where it is left out."""
    yield from _asked_wrongly("V23-FLIGHTS-WINDOW", message, "start", "end")


@message_rule("V3-ROUND-TRIPS-WINDOW", "request", "searchRoundTrips")
def round_trips_window(message: Message) -> Iterator[Breach]:
    """Each way has a window of at most three days; only explicit ones are compared (OPEN-79)."""
    for first, last in (("start", "end"), ("returnStart", "returnEnd")):
        if message.call.value(first) is not None:
            yield from _asked_wrongly("V3-ROUND-TRIPS-WINDOW", message, first, last)


@message_rule("V23-FLIGHTS-WINDOW", "response", *SEARCHES)
def flights_leave_in_the_window(message: Message) -> Iterator[Breach]:
    """No flight leaves outside the days that were asked for, or more than three days after the first of them."""
    if not _continues(message):
        yield from _outside_the_window(message)


@journey_rule("V23-FLIGHTS-WINDOW", "response", *SEARCHES)
def further_pages_keep_the_window(message: Message, journey: Journey) -> Iterator[Breach]:
    """The window holds of every page of a search."""
    if journey.trips.is_further_page(message):
        yield from _outside_the_window(message)


@message_rule("V3-ROUND-TRIPS-WINDOW", "response", "searchRoundTrips")
def fares_leave_in_their_windows(message: Message) -> Iterator[Breach]:
    """The flights of a fare leave within explicit windows; default ones are open (OPEN-79)."""
    flights = items(message.delivered, "flights")
    for name, first, last in (("outward_id", "start", "end"), ("return_id", "returnStart", "returnEnd")):
        explicit = message.call.value(first) is not None and message.call.value(last) is not None
        window = _window(message, first, last) if explicit and not _continues(message) else None
        ids = {identifier(fare.get(name)) for fare in items(message.delivered, "fares")} if window else set()
        for index, flight in enumerate(flights):
            if identifier(flight.get("id")) in ids:
                yield from _outside("V3-ROUND-TRIPS-WINDOW", flight, window, "flights", index)


# The flights that are found


@message_rule("V23-FLIGHTS-SEATS", "response", *SEARCHES, "searchRoundTrips")
def flights_have_the_seats(message: Message) -> Iterator[Breach]:
    """Flights and fares have the seats that were asked for."""
    if not _continues(message):
        yield from _too_few_seats(message)


@journey_rule("V23-FLIGHTS-SEATS", "response", *SEARCHES, "searchRoundTrips")
def further_pages_have_the_seats(message: Message, journey: Journey) -> Iterator[Breach]:
    """The seats that were asked for are those of every page of a search."""
    if journey.trips.is_further_page(message):
        yield from _too_few_seats(message)


@message_rule("V23-FLIGHTS-ROUTE", "response", *SEARCHES)
def flights_fly_the_route(message: Message) -> Iterator[Breach]:
    """Flights fly from and to the airports that were asked for. It only warns."""
    for name in () if _continues(message) else ("origin", "destination"):
        asked = message.call.value(name)
        for index, flight in enumerate(items(message.delivered, "results") if asked else ()):
            flown = member(flight, name, "iata_code")
            if flown != asked and isinstance(flown, str) and isinstance(asked, str) and flown.upper() != asked.upper():
                wanted, actual = wording.shown(asked), wording.shown(flown)
                text = f"a flight has the {name} {actual} where {wanted} was asked for"
                place = ("results", index, name, "iata_code")
                yield Breach("V23-FLIGHTS-ROUTE", place, text, wanted, actual, soft=True)


# The verification


@message_rule("V3-VERIFY-DEPRECATED", "request", "verifyFlight")
def verification_is_deprecated(message: Message) -> Iterator[Breach]:
    """Flights are no longer verified apart: a warning first, more from the day that it is not maintained (OPEN-40)."""
    operation = message.call.operation
    if operation is None or operation.unmaintained is None:
        return
    over = message.begun.date() >= operation.unmaintained
    when = f"{operation.unmaintained.day} {operation.unmaintained:%B %Y}"
    yield Breach(
        "V3-VERIFY-DEPRECATED",
        (),
        f"flights are verified apart, which {'has not been' if over else 'will not be'} maintained from {when} on",
        expected="flights or roundTrips, then requests, then bookings",
        actual="flights/verify",
        where="path",
        soft=not over,
        tolerable=True,
        deprecated=True,
    )


@message_rule("V3-VERIFY-INFANTS", "request", "verifyFlight")
def verified_infants(message: Message) -> Iterator[Breach]:
    """A verification is for no more infants than adults."""
    adults = whole(member(message.sent, "passengers", "adults"))
    infants = whole(member(message.sent, "passengers", "infants"))
    if adults is not None and infants is not None and infants > adults:
        text = f"{wording.shown(infants)} infants are more than {wording.shown(adults)} adults"
        place, expected = ("passengers", "infants"), f"at most {wording.shown(adults)}"
        yield Breach("V3-VERIFY-INFANTS", place, text, expected, wording.shown(infants), tolerable=True)


@message_rule("V3-VERIFY-ANSWER", "response", "verifyFlight")
def infant_price_for_infants(message: Message) -> Iterator[Breach]:
    """A verification has an infant price only with infants; null without is let pass (OPEN-96)."""
    infants = whole(member(message.sent, "passengers", "infants") or 0)
    price = member(message.delivered, "infant_price")
    if infants == 0 and isinstance(message.sent, dict) and price is not None:
        text = "an infant price is answered where no infants were asked for"
        yield Breach("V3-VERIFY-ANSWER", ("infant_price",), text, "no infant_price", wording.shown(price))


# What the rules share


def _outside_the_window(message: Message) -> Iterator[Breach]:
    window = _window(message, "start", "end")
    for index, flight in enumerate(items(message.delivered, "results") if window else ()):
        yield from _outside("V23-FLIGHTS-WINDOW", flight, window, "results", index)


def _too_few_seats(message: Message) -> Iterator[Breach]:
    text = message.call.value("seats") or ""
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        return
    for array, noun in (("results", "flight"), ("fares", "fare")):
        for index, found in enumerate(items(message.delivered, array)):
            seats = whole(found.get("available_seats"))
            if seats is not None and seats < int(text):
                said = f"a {noun} has {wording.shown(seats)} seats where {int(text)} were asked for"
                place = (array, index, "available_seats")
                yield Breach("V23-FLIGHTS-SEATS", place, said, f"at least {int(text)}", wording.shown(seats))


def _continues(message: Message) -> bool:
    """Whether a cursor stands for the search that it continues, whatever else is sent beside it (OPEN-80)."""
    return message.call.value("next_page_id") is not None


def _first_day(message: Message, name: str) -> tuple[int, int] | None:
    """Return the first day that was asked for, as an ordinal from and to: without one today, whatever the time zone."""
    text = message.call.value(name)
    if text:
        first = day(text)
        return (first.toordinal(), first.toordinal()) if first else None
    today = message.begun.date().toordinal()
    return today - 1, today + 1


def _asked_wrongly(rule: str, message: Message, first: str, last: str) -> Iterator[Breach]:
    start, end = _first_day(message, first), day(message.call.value(last))
    if start is None or end is None or _continues(message) or message.call.value(first) == "":
        return
    before, after = end.toordinal() < start[0], end.toordinal() > start[1] + LONGEST_WINDOW
    if before or after:
        wrong = f"before {first}" if before else f"more than {LONGEST_WINDOW} days after {first}"
        expected = f"from {first} to {LONGEST_WINDOW} days after it"
        text, actual = f"{last} is {wrong}", end.isoformat()
        yield Breach(rule, (), text, expected, actual, where=f"query:{last}", tolerable=True)


def _window(message: Message, first: str, last: str) -> Window | None:
    """Return the days in which flights may leave, None where the request does not say them in a form to rely on.

    A window that ends before it begins, or too late, may be shortened or moved to what the documents allow (OPEN-78).
    """
    start, text = _first_day(message, first), message.call.value(last)
    end = day(text)
    if start is None or (text and end is None):
        return None
    latest = start[1] + LONGEST_WINDOW
    asked = end.toordinal() if end else latest
    return Window(start[0], min(asked, latest) if asked >= start[0] else latest)


def _outside(rule: str, flight: Json, window: Window | None, array: str, index: int) -> Iterator[Breach]:
    departs = member(flight, "departure_date")
    leaves = day(departs[:10]) if isinstance(departs, str) else None
    if window is not None and leaves is not None and not window.first <= leaves.toordinal() <= window.last:
        text = "a flight leaves outside the days that were asked for"
        yield Breach(rule, (array, index, "departure_date"), text, "a day of the window", leaves.isoformat())
