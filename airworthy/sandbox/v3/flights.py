"""GET flights, GET roundTrips and POST flights/verify."""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import blake2b
from itertools import product
from typing import TypeVar

from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.http.rendering import ABSENT
from airworthy.sandbox.http.schemas import schema_violations
from airworthy.sandbox.model.geography import AIRPORTS
from airworthy.sandbox.model.inventory import SOLD_AHEAD, TAX_SHARE, Passengers, day_of
from airworthy.sandbox.resources.v3.timetable import Flight, infant_price, is_fare
from airworthy.sandbox.service.service import SandboxService, SupplierFailure

Item = TypeVar("Item")

# The documented length of a window without an end.
_DEFAULT_WINDOW = timedelta(days=3)
_DAY = timedelta(days=1)
_MAX_SEATS_DIGITS = 9
# POST flights/verify is deprecated and unmaintained from the next day on.
_LAST_MAINTAINED = date(2026, 9, 24)
# The factor by which an unmaintained verification misses the price, in the dialect in which it does.
_WRONG_PRICE_FACTOR = 1.1
# In the dialect with an outdated cache, one in so many ordinary flights is gone at the request.
_WITH_GONE = ("", "flights_regular")
_GONE_EVERY = 4
# A search of several days leaves out one in so many flights, in the dialect in which it does.
_LEFT_OUT_EVERY = 11


@dataclass(frozen=True, slots=True)
class DepartureWindow:
    """The first and the last day of departure; empty if the last day is before the first."""

    first: date
    last: date


EMPTY_WINDOW = DepartureWindow(date.max, date.max - _DAY)


def search_flights(service: SandboxService, request: SandboxRequest) -> Json:
    """GET flights of v3 and v2: return a page of the flights on a route that depart in a window."""
    organisation = request.organisation
    origin, destination = route(service, request)
    window = outward_window(service, request)
    seats = requested_seats(service, request)
    code = request.query.get("customerCode")
    if request.version == "v3" and code is not None and code != organisation.customer_code:
        detail = "query parameter customerCode: expected the customer code that belongs to the token"
        service.reject("customer-unknown-at-search", detail)
    flights = found_flights(service, origin, destination, window, seats)
    page, cursor = paged(service, request, in_order(service, flights))
    shown = [service.v3_resources.flight(each, seats_left(service, each), request.version, found=True) for each in page]
    return {"results": shown, "next_page_id": cursor}


def route(service: SandboxService, request: SandboxRequest) -> tuple[str, str]:
    """Return the requested origin and destination; raises `Rejected` if one is missing."""
    for name in ("origin", "destination"):
        if not request.query.get(name):
            detail = f"query parameter {name}: missing; expected an airport code such as MAD"
            raise service.rejection(f"{request.operation}:query/{name}:required", detail)
    return request.query["origin"].upper(), request.query["destination"].upper()


def requested_day(service: SandboxService, request: SandboxRequest, name: str) -> date | None:
    """Return the day in a query parameter, or None if it is left out; raises `Rejected` for an invalid day."""
    text = request.query.get(name)
    if text is None:
        return None
    if schema_violations("v3/query.json#/$defs/day", text):
        detail = f"query parameter {name}: expected a date (YYYY-MM-DD)"
        raise service.rejection(f"{request.operation}:query/{name}:pattern", detail)
    return day_of(text)


def requested_seats(service: SandboxService, request: SandboxRequest) -> int:
    """Return the requested number of seats, 0 if it is left out; raises `Rejected` for text that is not a number."""
    text = request.query.get("seats", "0")
    if not (text.removeprefix("-").isdecimal() and text.isascii() and len(text) <= _MAX_SEATS_DIGITS):
        raise service.rejection(f"{request.operation}:query/seats:type", "query parameter seats: expected a number")
    return int(text)


def outward_window(service: SandboxService, request: SandboxRequest) -> DepartureWindow:
    """Return the window of a search; raises `Rejected` for a window that the dialect does not accept."""
    today = service.clock.now().date()
    first = requested_day(service, request, "start") or today
    last = requested_day(service, request, "end") or after(first, _DEFAULT_WINDOW)
    if last < first or first < today:
        service.reject("search-odd", f"query parameter start: expected {today} or later, and end not before it")
        first = max(first, today)
    if last < first:
        return EMPTY_WINDOW
    if first == last and service.choices.v3.one_day_window != "searched":
        service.reject("one-day-window", "query parameter end: expected a day after start")
        return EMPTY_WINDOW
    return shortened(service, DepartureWindow(first, last), service.choices.v3.long_window, "window-too-long")


def return_window(service: SandboxService, request: SandboxRequest, outward: DepartureWindow) -> DepartureWindow:
    """Return the window of the return flight; raises `Rejected` for a window that the dialect does not accept."""
    first = requested_day(service, request, "returnStart") or after(outward.first, _DAY)
    requested = requested_day(service, request, "returnEnd")
    last = requested or after(outward.last, _DAY)
    if last < first or first < outward.first:
        if service.choices.v3.return_window == "shortened" and requested is None and first >= outward.first:
            return DepartureWindow(first, first)
        service.reject("return-window", "query parameter returnStart: expected a day from start to returnEnd")
        return EMPTY_WINDOW
    return shortened(service, DepartureWindow(first, last), service.choices.v3.return_window, "return-window")


def shortened(service: SandboxService, window: DepartureWindow, manner: str | int, name: str) -> DepartureWindow:
    """Return a window of at most the documented length; raises `Rejected` if the dialect does not shorten it."""
    if window.last - window.first <= service.policy.longest_window:
        return window
    if manner == "empty":
        return EMPTY_WINDOW
    service.reject(name, f"expected at most {service.policy.longest_window.days} days")
    return DepartureWindow(window.first, after(window.first, service.policy.longest_window))


def after(day: date, time: timedelta) -> date:
    """Return the day after a time has passed, at most the last day that Python supports."""
    return min(day, date.max - time) + time


def found_flights(
    service: SandboxService, origin: str, destination: str, window: DepartureWindow, seats: int
) -> list[Flight]:
    """Return the flights on a route that depart in a window and have enough free seats, by departure."""
    known = origin in AIRPORTS and destination in AIRPORTS and AIRPORTS[origin].city != AIRPORTS[destination].city
    if not known:
        service.reject("search-odd", "query parameters origin and destination: expected airports of two cities")
        return []
    today = service.clock.now().date()
    is_left_out = service.choices.v3.window_end == "left out" and window.first < window.last
    last = min(window.last - (_DAY if is_left_out else timedelta()), today + SOLD_AHEAD)
    flights = [
        each
        for each in service.timetable.between(origin, destination, max(window.first, today + _DAY), last)
        if service.v3_resources.shown_seats(seats_left(service, each)) >= max(1, seats)
    ]
    if any(each.situation.supplier_fails for each in flights):
        raise SupplierFailure
    if service.choices.v3.cached == "some left out" and window.last - window.first > _DAY:
        return [each for each in flights if each.id % _LEFT_OUT_EVERY]
    return flights


def seats_left(service: SandboxService, flight: Flight) -> int:
    """Return the number of free seats of a flight."""
    return service.store.seats.left(flight.itinerary, service.clock.now())


def in_order(service: SandboxService, flights: list[Flight]) -> list[Flight]:
    """Return flights in the dialect's order."""
    return sorted(flights, key=lambda each: each.price) if service.choices.v3.flight_order == "price" else flights


def paged(service: SandboxService, request: SandboxRequest, found: Sequence[Item]) -> tuple[Sequence[Item], str | None]:
    """Return the page to which the request's cursor points, and the cursor of the next page."""
    size = service.policy.page_size // (2 if service.choices.v3.pages == "half full" else 1)
    begin = position(service, request)
    if found and service.choices.v3.pages == "after an empty one" and "next_page_id" not in request.query:
        return found[:0], cursor(request, begin)
    end = begin + size
    is_last = end >= len(found)
    if is_last and begin < len(found) and service.choices.v3.last_page == "followed by an empty page":
        return found[begin:end], cursor(request, end)
    if is_last:
        return found[begin:end], "" if service.choices.v3.last_page == "with an empty cursor" else None
    return found[begin:end], cursor(request, end - 1 if service.choices.v3.pages == "overlapping" else end)


def cursor(request: SandboxRequest, begin: int) -> str:
    """Return the cursor that points to a result of the request's search, counted from 0."""
    return base64.urlsafe_b64encode(f"{begin}.{search_digest(request)}".encode()).decode()


def search_digest(request: SandboxRequest) -> str:
    """Return a digest of the search parameters, without the cursor."""
    parameters = sorted((name, value) for name, value in request.query.items() if name != "next_page_id")
    return blake2b(repr((request.operation, parameters)).encode(), digest_size=6).hexdigest()


def position(service: SandboxService, request: SandboxRequest) -> int:
    """Return the index of the first result on the requested page; raises `Rejected` for a cursor of another search."""
    sent = request.query.get("next_page_id")
    if sent is None:
        return 0
    try:
        begin, _, digest = base64.urlsafe_b64decode(sent.encode()).decode().partition(".")
        at = int(begin)
    except (binascii.Error, ValueError):
        at, digest = 0, ""
    if digest != search_digest(request):
        detail = "query parameter next_page_id: expected the cursor of the previous page of this search"
        service.reject("cursor-foreign", detail)
        if service.choices.v3.foreign_cursor == "first page":
            return 0
    return max(0, at)


def search_round_trips(service: SandboxService, request: SandboxRequest) -> Json:
    """GET roundTrips of v3: return a page of round-trip fares, with their flights."""
    origin, destination = route(service, request)
    out = outward_window(service, request)
    back = return_window(service, request, out) if out is not EMPTY_WINDOW else EMPTY_WINDOW
    seats = requested_seats(service, request)
    outward = found_flights(service, origin, destination, out, seats)
    returning = found_flights(service, destination, origin, back, seats)
    pairs = [each for each in product(in_order(service, outward), returning) if is_fare(*each)]
    page, following = paged(service, request, pairs)
    resources = service.v3_resources
    seats_shown = [min(resources.shown_seats(seats_left(service, each)) for each in pair) for pair in page]
    on_first_page = pairs if position(service, request) == 0 else ()
    shown = page if service.choices.v3.fare_flights == "on the page" else on_first_page
    flights = {each.id: each for pair in shown for each in pair}
    return {
        "fares": [resources.fare(*pair, left) for pair, left in zip(page, seats_shown, strict=True)],
        "flights": [
            resources.flight(each, seats_left(service, each), "v3", found=True, bags=False) for each in flights.values()
        ],
        "next_page_id": following,
    }


def verify_flight(service: SandboxService, request: SandboxRequest) -> SandboxResponse:
    """POST flights/verify of v3 (deprecated): return the price of a flight as the supplier knows it."""
    body, choices = request.body, service.choices
    counts = body["passengers"]
    passengers = Passengers(*(int(counts.get(kind, 0)) for kind in ("adults", "children", "infants")))
    if passengers.infants > passengers.adults:
        service.reject(f"infants-over-adults@{request.operation}", "/passengers/infants: more than adults")
    if min(passengers.counts().values()) < 0:
        service.reject("counts-impossible", "/passengers: expected numbers that are not negative")
    flight = flight_for_sale(service, request, body["flight_id"])
    factor = 1.0
    if service.clock.now().date() > _LAST_MAINTAINED and choices.v3.verification != "right":
        service.reject("flight-unmaintained")
        factor = _WRONG_PRICE_FACTOR
    price = round(flight.price * factor)
    total = price * passengers.seats + infant_price(price) * passengers.infants
    fee = round(total * flight.card_fee) if choices.v3.verified_total == "with fee" else 0
    without = None if choices.v3.verified_infant_price == "null" else ABSENT
    prices = {
        "price": price / 100,
        "currency": "EUR",
        "infant_price": infant_price(price) / 100 if passengers.infants else without,
        "total_price": (total + fee) / 100,
        "included_airport_tax": round(price * TAX_SHARE) / 100,
    }
    return SandboxResponse(choices.v3.verified_status, prices)


def flight_for_sale(service: SandboxService, request: SandboxRequest, number: float | str) -> Flight:
    """Return the flight with an id if it is still sold; raises `Rejected`."""
    flight = service.timetable.find(int(number))
    if flight is None:
        raise service.rejection(f"flight-unknown@{request.operation}")
    if flight.situation.supplier_fails:
        raise SupplierFailure
    if not service.inventory.sold_on(flight.itinerary.departure.date(), service.clock.now().date()):
        raise service.rejection(f"flight-gone@{request.operation}")
    may_be_gone = service.choices.v3.cached == "some sold out" and flight.situation.name in _WITH_GONE
    if flight.situation.gone_at_request or (may_be_gone and flight.id % _GONE_EVERY == 0):
        service.reject(f"flight-gone@{request.operation}")
    return flight
