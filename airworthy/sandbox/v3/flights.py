"""GET flights, GET roundTrips and POST flights/verify: what leads to a request."""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import blake2b
from itertools import product
from typing import TypeVar

from airworthy.sandbox.geography import AIRPORTS
from airworthy.sandbox.inventory import SOLD_AHEAD, Passengers, day_of
from airworthy.sandbox.schemas import schema_violations
from airworthy.sandbox.service import SandboxRequest, SandboxResponse, SandboxService, SupplierFailure
from airworthy.sandbox.v3.timetable import Flight, infant_price, is_fare
from airworthy.sandbox.v4.responses import ABSENT, Json

Found = TypeVar("Found")

_DEFAULT_WINDOW = timedelta(days=3)
_A_DAY = timedelta(days=1)
_LAST_MAINTAINED = date(2026, 9, 24)
_WRONG_BY = 1.1
_TAX_SHARE = 0.22
# Of the flights of an ordinary route, this share is gone where the dialect's cache is old.
_GONE = 3


@dataclass(frozen=True, slots=True)
class DepartureWindow:
    """Days of departure, the first and the last; none where the last is before the first."""

    first: date
    last: date

    @property
    def length(self) -> timedelta:
        """How far the last day is from the first."""
        return self.last - self.first


NOTHING = DepartureWindow(date.max, date.max - _A_DAY)

# Search


def search_flights(service: SandboxService, call: SandboxRequest) -> Json:
    """GET flights of v3 and v2: a page of one-way flights of a route that leave in a window."""
    organisation = call.organisation
    origin, destination = route(service, call)
    window = outward_window(service, call)
    seats = asked_seats(service, call)
    code = call.query.get("customerCode")
    is_unknown = call.version == "v3" and code is not None and code != organisation.customer_code
    if is_unknown and service.choices.customer_unknown_at_search != "ignored":
        service.reject("customer-unknown-at-search")
    flights = found_flights(service, origin, destination, window, seats)
    page, cursor = paged(service, call, in_order(service, flights))
    shown = [service.v3_resources.flight(each, left(service, each), call.version, found=True) for each in page]
    return {"results": shown, "next_page_id": cursor}


def route(service: SandboxService, call: SandboxRequest) -> tuple[str, str]:
    """Return the airports that are asked for; raises `Rejected` where one is missing."""
    ends = []
    for name, default in (("origin", "MAD"), ("destination", "PMI")):
        if not call.query.get(name):
            service.reject(f"{call.operation}:query/{name}:required", name)
        ends.append(call.query.get(name) or default)
    return ends[0].upper(), ends[1].upper()


def asked_day(service: SandboxService, call: SandboxRequest, name: str) -> date | None:
    """Return the day in a parameter, None where it is left out; raises `Rejected` for anything else."""
    text = call.query.get(name)
    if text is None:
        return None
    if schema_violations("v3/query.json#/$defs/day", text):
        service.reject(f"{call.operation}:query/{name}:pattern", name)
        return None
    return day_of(text)


def asked_seats(service: SandboxService, call: SandboxRequest) -> int:
    """Return how many seats are asked for, 0 where the parameter is left out; raises `Rejected` for anything else."""
    text = call.query.get("seats", "0")
    if not (text.removeprefix("-").isdecimal() and text.isascii() and len(text) < 10):  # noqa: PLR2004
        service.reject(f"{call.operation}:query/seats:type", "seats")
        return 0
    return int(text)


def outward_window(service: SandboxService, call: SandboxRequest) -> DepartureWindow:
    """Return the window of a search; raises `Rejected` where the dialect refuses what was asked for."""
    today = service.clock.now().date()
    first = asked_day(service, call, "start") or today
    last = asked_day(service, call, "end") or after(first, _DEFAULT_WINDOW)
    if last < first or first < today:
        if service.choices.odd_search != "empty":
            service.reject("search-odd")
        first = max(first, today)
    return shortened(service, DepartureWindow(first, last), service.choices.long_window, "window-too-long")


def return_window(service: SandboxService, call: SandboxRequest, outward: DepartureWindow) -> DepartureWindow:
    """Return the window of the way back; raises `Rejected` where the dialect refuses what was asked for."""
    first = asked_day(service, call, "returnStart") or after(outward.first, _A_DAY)
    asked = asked_day(service, call, "returnEnd")
    last = asked or after(outward.last, _A_DAY)
    if last < first or first < outward.first:
        if service.choices.return_window == "shortened" and asked is None and first >= outward.first:
            return DepartureWindow(first, first)
        if service.choices.return_window not in {"empty", "shortened"}:
            service.reject("return-window")
        return NOTHING
    return shortened(service, DepartureWindow(first, last), service.choices.return_window, "return-window")


def shortened(service: SandboxService, window: DepartureWindow, manner: str | int, name: str) -> DepartureWindow:
    """Return a window that is no longer than it may be; raises `Rejected` where the dialect refuses a longer one."""
    if window.length <= service.policy.longest_window:
        return window
    if manner == "empty":
        return NOTHING
    if manner != "shortened":
        service.reject(name)
    return DepartureWindow(window.first, after(window.first, service.policy.longest_window))


def after(day: date, time: timedelta) -> date:
    """Return a later day, or the last that there is."""
    return min(day, date.max - time) + time


def found_flights(
    service: SandboxService, origin: str, destination: str, window: DepartureWindow, seats: int
) -> list[Flight]:
    """Return the flights for sale of a route in a window with enough free seats, by departure."""
    known = origin in AIRPORTS and destination in AIRPORTS and AIRPORTS[origin].city != AIRPORTS[destination].city
    if not known:
        if service.choices.odd_search != "empty":
            service.reject("search-odd")
        return []
    today = service.clock.now().date()
    is_left_out = service.choices.window_end == "left out" and window.length
    last = min(window.last - (_A_DAY if is_left_out else timedelta()), today + SOLD_AHEAD)
    flights = [
        each
        for each in service.timetable.between(origin, destination, max(window.first, today + _A_DAY), last)
        if left(service, each) >= max(1, seats)
    ]
    if any(each.situation.supplier_fails for each in flights):
        raise SupplierFailure
    return flights


def left(service: SandboxService, flight: Flight) -> int:
    """Return how many seats of a flight are free."""
    return service.book.seats.left(flight, service.clock.now())


def in_order(service: SandboxService, flights: list[Flight]) -> list[Flight]:
    """Return flights in the order of the dialect."""
    return sorted(flights, key=lambda each: each.price) if service.choices.flight_order == "price" else flights


# Pages


def paged(service: SandboxService, call: SandboxRequest, found: Sequence[Found]) -> tuple[Sequence[Found], str | None]:
    """Return the page that a call's cursor points at, and the cursor of the next page."""
    size = service.policy.page_size // (2 if service.choices.pages == "half full" else 1)
    begin = position(service, call)
    end = begin + size
    page = found[begin:end]
    if end >= len(found) and service.policy.pages_end:
        return page, None
    following = end - 1 if service.choices.pages == "overlapping" else end
    return page, cursor(call, following % max(1, len(found)))


def cursor(call: SandboxRequest, begin: int) -> str:
    """Return the cursor of a call's search that points at a result."""
    return base64.urlsafe_b64encode(f"{begin}.{search_digest(call)}".encode()).decode()


def search_digest(call: SandboxRequest) -> str:
    """Return a digest of what a call searches, its cursor left out."""
    asked = sorted((name, value) for name, value in call.query.items() if name != "next_page_id")
    return blake2b(repr((call.operation, asked)).encode(), digest_size=6).hexdigest()


def position(service: SandboxService, call: SandboxRequest) -> int:
    """Return where the page begins that a cursor points at; raises `Rejected` where the dialect refuses it."""
    sent = call.query.get("next_page_id")
    if sent is None:
        return 0
    try:
        begin, _, digest = base64.urlsafe_b64decode(sent.encode()).decode().partition(".")
        at = int(begin)
    except (binascii.Error, ValueError):
        at, digest = 0, ""
    if digest != search_digest(call):
        if service.choices.foreign_cursor == 400:  # noqa: PLR2004 - the choice is the status
            service.reject("cursor-foreign")
        if service.choices.foreign_cursor == "first page":
            return 0
    return max(0, at)


# Round-trip fares


def search_round_trips(service: SandboxService, call: SandboxRequest) -> Json:
    """GET roundTrips of v3: a page of special fares for two flights, with these flights."""
    _ = call.organisation
    origin, destination = route(service, call)
    out = outward_window(service, call)
    back = return_window(service, call, out) if out is not NOTHING else NOTHING
    seats = asked_seats(service, call)
    outward = found_flights(service, origin, destination, out, seats)
    homeward = found_flights(service, destination, origin, back, seats)
    pairs = [each for each in product(in_order(service, outward), homeward) if is_fare(*each)]
    page, following = paged(service, call, pairs)
    shown = page if service.choices.fare_flights == "on the page" else pairs if position(service, call) == 0 else ()
    flights = {each.id: each for pair in shown for each in pair}
    answers = service.v3_resources
    return {
        "fares": [answers.fare(*pair, min(left(service, each) for each in pair)) for pair in page],
        "flights": [
            answers.flight(each, left(service, each), "v3", found=True, bags=False) for each in flights.values()
        ],
        "next_page_id": following,
    }


# Verification


def verify_flight(service: SandboxService, call: SandboxRequest) -> SandboxResponse:
    """POST flights/verify of v3: price and seats from the supplier; deprecated, and no longer maintained."""
    body, choices = call.body, service.choices
    counts = body["passengers"]
    passengers = Passengers(*(int(counts.get(kind, 0)) for kind in ("adults", "children", "infants")))
    if passengers.infants > passengers.adults:
        service.reject(f"infants-over-adults@{call.operation}")
    if min(passengers.counts().values()) < 0:
        service.reject("counts-impossible")
    flight = flight_for_sale(service, call, body["flight_id"])
    factor = 1.0
    if service.clock.now().date() > _LAST_MAINTAINED and choices.verification != "right":
        if choices.verification != "wrong":
            service.reject("flight-unmaintained")
        factor = _WRONG_BY
    price = round(flight.price * factor)
    total = price * (passengers.adults + passengers.children) + infant_price(price) * passengers.infants
    fee = round(total * flight.card_fee) if choices.verified_total == "with fee" else 0
    without = None if choices.verified_infant_price == "null" else ABSENT
    told = {
        "price": price / 100,
        "currency": "EUR",
        "infant_price": infant_price(price) / 100 if passengers.infants else without,
        "total_price": (total + fee) / 100,
        "included_airport_tax": round(price * _TAX_SHARE) / 100,
    }
    return SandboxResponse(choices.verified_status, told)


def flight_for_sale(service: SandboxService, call: SandboxRequest, number: float | str) -> Flight:
    """Return the flight of a number that a client sent, if it can still be had; raises `Rejected`."""
    flight = service.timetable.find(int(number))
    if flight is None:
        raise service.rejection(f"flight-unknown@{call.operation}")
    if flight.situation.supplier_fails:
        raise SupplierFailure
    if not service.inventory.sold_on(flight.departure.date(), service.clock.now().date()):
        raise service.rejection(f"flight-gone@{call.operation}")
    is_old_news = service.choices.cached == "some gone" and not flight.situation.name and flight.id % _GONE == 0
    if flight.situation.gone_at_request or is_old_news:
        service.reject(f"flight-gone@{call.operation}")
    return flight
