"""The rules of v2 and v3 on searches and on the deprecated verification that JSON Schema cannot say."""

from collections.abc import Iterator
from dataclasses import dataclass

from airworthy.contract import wording
from airworthy.contract.body import Json
from airworthy.contract.coded_rules import conversation_rule, transaction_rule
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.v3 import SEARCHES, identifier
from airworthy.contract.defect import Defect
from airworthy.contract.transaction import Transaction, day, items, member, whole

LONGEST_WINDOW = 3
MOST_DIGITS = 6


@dataclass(frozen=True, slots=True)
class DateWindow:
    """The days that were asked for, as ordinals: from ``first`` to ``last``, as far as they bind a service."""

    first: int
    last: int


# The windows of searches


@transaction_rule("V23-FLIGHTS-WINDOW", "request", *SEARCHES)
def flights_window(transaction: Transaction) -> Iterator[Defect]:
    """The last day is at most three days after the first, which is today where it is left out."""
    yield from _asked_wrongly(transaction, "start", "end")


@transaction_rule("V3-ROUND-TRIPS-WINDOW", "request", "searchRoundTrips")
def round_trips_window(transaction: Transaction) -> Iterator[Defect]:
    """Each way has a window of at most three days; only explicit ones are compared (OPEN-79)."""
    for first, last in (("start", "end"), ("returnStart", "returnEnd")):
        if transaction.url.query_value(first) is not None:
            yield from _asked_wrongly(transaction, first, last)


@transaction_rule("V23-FLIGHTS-WINDOW", "response", *SEARCHES)
def flights_leave_in_the_window(transaction: Transaction) -> Iterator[Defect]:
    """No flight leaves outside the days that were asked for, or more than three days after the first of them."""
    if not _continues(transaction):
        yield from _outside_the_window(transaction)


@conversation_rule("V23-FLIGHTS-WINDOW", "response", *SEARCHES)
def further_pages_keep_the_window(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The window holds of every page of a search."""
    if conversation.v3.is_further_page(transaction):
        yield from _outside_the_window(transaction)


@transaction_rule("V3-ROUND-TRIPS-WINDOW", "response", "searchRoundTrips")
def fares_leave_in_their_windows(transaction: Transaction) -> Iterator[Defect]:
    """The flights of a fare leave within explicit windows; default ones are open (OPEN-79)."""
    flights = items(transaction.delivered, "flights")
    for name, first, last in (("outward_id", "start", "end"), ("return_id", "returnStart", "returnEnd")):
        explicit = transaction.url.query_value(first) is not None and transaction.url.query_value(last) is not None
        window = _window(transaction, first, last) if explicit and not _continues(transaction) else None
        ids = {identifier(fare.get(name)) for fare in items(transaction.delivered, "fares")} if window else set()
        for index, flight in enumerate(flights):
            if identifier(flight.get("id")) in ids:
                yield from _outside(flight, window, "flights", index)


# The flights that are found


@transaction_rule("V23-FLIGHTS-SEATS", "response", *SEARCHES, "searchRoundTrips")
def flights_have_the_seats(transaction: Transaction) -> Iterator[Defect]:
    """Flights and fares have the seats that were asked for."""
    if not _continues(transaction):
        yield from _too_few_seats(transaction)


@conversation_rule("V23-FLIGHTS-SEATS", "response", *SEARCHES, "searchRoundTrips")
def further_pages_have_the_seats(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The seats that were asked for are those of every page of a search."""
    if conversation.v3.is_further_page(transaction):
        yield from _too_few_seats(transaction)


@transaction_rule("V23-FLIGHTS-ROUTE", "response", *SEARCHES)
def flights_fly_the_route(transaction: Transaction) -> Iterator[Defect]:
    """Flights fly from and to the airports that were asked for. It only warns."""
    for name in () if _continues(transaction) else ("origin", "destination"):
        asked = transaction.url.query_value(name)
        for index, flight in enumerate(items(transaction.delivered, "results") if asked else ()):
            flown = member(flight, name, "iata_code")
            if flown != asked and isinstance(flown, str) and isinstance(asked, str) and flown.upper() != asked.upper():
                wanted, actual = wording.shown(asked), wording.shown(flown)
                text = f"a flight has the {name} {actual} where {wanted} was asked for"
                place = ("results", index, name, "iata_code")
                yield Defect(place, text, wanted, actual, soft=True)


# The verification


@transaction_rule("V3-VERIFY-DEPRECATED", "request", "verifyFlight")
def verification_is_deprecated(transaction: Transaction) -> Iterator[Defect]:
    """Flights are no longer verified apart: a warning first, more from the day that it is not maintained (OPEN-40)."""
    operation = transaction.url.operation
    if operation is None or operation.unmaintained is None:
        return
    over = transaction.started.date() >= operation.unmaintained
    when = f"{operation.unmaintained.day} {operation.unmaintained:%B %Y}"
    yield Defect(
        (),
        f"flights are verified apart, which {'has not been' if over else 'will not be'} maintained from {when} on",
        expected="flights or roundTrips, then requests, then bookings",
        actual="flights/verify",
        where="path",
        soft=not over,
        tolerable=True,
        deprecated=True,
    )


@transaction_rule("V3-VERIFY-INFANTS", "request", "verifyFlight")
def verified_infants(transaction: Transaction) -> Iterator[Defect]:
    """A verification is for no more infants than adults."""
    adults = whole(member(transaction.sent, "passengers", "adults"))
    infants = whole(member(transaction.sent, "passengers", "infants"))
    if adults is not None and infants is not None and infants > adults:
        text = f"{wording.shown(infants)} infants are more than {wording.shown(adults)} adults"
        place, expected = ("passengers", "infants"), f"at most {wording.shown(adults)}"
        yield Defect(place, text, expected, wording.shown(infants), tolerable=True)


@transaction_rule("V3-VERIFY-ANSWER", "response", "verifyFlight")
def infant_price_for_infants(transaction: Transaction) -> Iterator[Defect]:
    """A verification has an infant price only with infants; null without is let pass (OPEN-96)."""
    infants = whole(member(transaction.sent, "passengers", "infants") or 0)
    price = member(transaction.delivered, "infant_price")
    if infants == 0 and isinstance(transaction.sent, dict) and price is not None:
        text = "an infant price is answered where no infants were asked for"
        yield Defect(("infant_price",), text, "no infant_price", wording.shown(price))


# What the rules share


def _outside_the_window(transaction: Transaction) -> Iterator[Defect]:
    window = _window(transaction, "start", "end")
    for index, flight in enumerate(items(transaction.delivered, "results") if window else ()):
        yield from _outside(flight, window, "results", index)


def _too_few_seats(transaction: Transaction) -> Iterator[Defect]:
    text = transaction.url.query_value("seats") or ""
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        return
    for array, noun in (("results", "flight"), ("fares", "fare")):
        for index, found in enumerate(items(transaction.delivered, array)):
            seats = whole(found.get("available_seats"))
            if seats is not None and seats < int(text):
                said = f"a {noun} has {wording.shown(seats)} seats where {int(text)} were asked for"
                place = (array, index, "available_seats")
                yield Defect(place, said, f"at least {int(text)}", wording.shown(seats))


def _continues(transaction: Transaction) -> bool:
    """Whether a cursor stands for the search that it continues, whatever else is sent beside it (OPEN-80)."""
    return transaction.url.query_value("next_page_id") is not None


def _first_day(transaction: Transaction, name: str) -> tuple[int, int] | None:
    """Return the first day that was asked for, as an ordinal from and to: without one today, whatever the time zone."""
    text = transaction.url.query_value(name)
    if text:
        first = day(text)
        return (first.toordinal(), first.toordinal()) if first else None
    today = transaction.started.date().toordinal()
    return today - 1, today + 1


def _asked_wrongly(transaction: Transaction, first: str, last: str) -> Iterator[Defect]:
    start, end = _first_day(transaction, first), day(transaction.url.query_value(last))
    if start is None or end is None or _continues(transaction) or transaction.url.query_value(first) == "":
        return
    before, after = end.toordinal() < start[0], end.toordinal() > start[1] + LONGEST_WINDOW
    if before or after:
        wrong = f"before {first}" if before else f"more than {LONGEST_WINDOW} days after {first}"
        expected = f"from {first} to {LONGEST_WINDOW} days after it"
        text, actual = f"{last} is {wrong}", end.isoformat()
        yield Defect((), text, expected, actual, where=f"query:{last}", tolerable=True)


def _window(transaction: Transaction, first: str, last: str) -> DateWindow | None:
    """Return the days in which flights may leave, None where the request does not say them in a form to rely on.

    A window that ends before it begins, or too late, may be shortened or moved to what the documents allow (OPEN-78).
    """
    start, text = _first_day(transaction, first), transaction.url.query_value(last)
    end = day(text)
    if start is None or (text and end is None):
        return None
    latest = start[1] + LONGEST_WINDOW
    asked = end.toordinal() if end else latest
    return DateWindow(start[0], min(asked, latest) if asked >= start[0] else latest)


def _outside(flight: Json, window: DateWindow | None, array: str, index: int) -> Iterator[Defect]:
    departs = member(flight, "departure_date")
    leaves = day(departs[:10]) if isinstance(departs, str) else None
    if window is not None and leaves is not None and not window.first <= leaves.toordinal() <= window.last:
        text = "a flight leaves outside the days that were asked for"
        yield Defect((array, index, "departure_date"), text, "a day of the window", leaves.isoformat())
