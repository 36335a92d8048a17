"""POST requests and their cancellation: seats and prices are held for some minutes."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any

from airworthy.sandbox.dates import age, read_day
from airworthy.sandbox.inventory import Passengers
from airworthy.sandbox.service import SandboxRequest, SandboxResponse, SandboxService
from airworthy.sandbox.states import BookingRequest, InvalidTransition, SeatHold
from airworthy.sandbox.v3.flights import flight_for_sale, left
from airworthy.sandbox.v3.responses import KINDS
from airworthy.sandbox.v3.timetable import Flight, infant_price, is_fare, together
from airworthy.sandbox.v4.responses import Json

_INFANT, _CHILD = 2, 12
_LONGEST_NUMBER = 15
Bags = Mapping[str, list[Json]]


# v3


def create_requests(service: SandboxService, call: SandboxRequest) -> Json:
    """POST requests of v3: one request for each flight, for passengers with their bags."""
    body = call.body
    check_customer(service, call, body["customer_code"])
    if not body["passengers"]:
        service.reject(f"passengers-none@{call.operation}")
    flights = [flight_for_sale(service, call, each) for each in body["flight_ids"]]
    check_keys(service, flights, body["bags"])
    is_fare_asked = body["fare_type"] == "round_trip"
    if is_fare_asked and not (len(flights) == 2 and is_fare(*flights)):  # noqa: PLR2004 - the way out and back
        if service.choices.no_such_fare != "one way":
            service.reject("fare-none")
        is_fare_asked = False
    wanted = []
    for flight in flights:
        passengers = [told_apart(service, each, flight) for each in body["passengers"]]
        counts = counted(each["type"] for each in passengers)
        check_counts(service, call, flight, counts)
        check_passports(service, flight, body["passengers"])
        bags = chosen_bags(service, flight, body["bags"].get(str(flight.id)), counts)
        travelling = tuple(passengers)
        wanted.append(
            new_request(service, call, flight, counts, is_round_trip=is_fare_asked, passengers=travelling, bags=bags)
        )
    return {"requests": held(service, call, wanted)}


def told_apart(service: SandboxService, passenger: Json, flight: Flight) -> Json:
    """Return a passenger with the type that the date of birth makes; raises `Rejected` for what it cannot read."""
    born = read_person(service, passenger)
    at_departure = service.choices.child_age == "at departure"
    years = age(born or date.min, flight.departure.date() if at_departure else service.clock.now().date())
    kind = "infant" if years < _INFANT else "child" if years < _CHILD else "adult"
    return passenger | {"type": kind, "is_infant": kind == "infant"}


def read_person(service: SandboxService, passenger: Json) -> date | None:
    """Return a passenger's day of birth; raises `Rejected` for genders and dates that the dialect does not take."""
    check_gender(service, passenger["gender"])
    form = service.choices.date_form_taken
    born = read_day(passenger["date_of_birth"], form)
    expiry = passenger.get("passport_expiry_date")
    if born is None or (expiry is not None and read_day(expiry, form) is None):
        service.reject("date-malformed")
    return born


def check_gender(service: SandboxService, gender: str) -> None:
    """Refuse a gender in words that the dialect does not take."""
    taken = service.choices.gender_taken
    if taken != "any" and gender not in taken.split("/"):
        service.reject("gender-unknown")


def counted(kinds: Iterable[str]) -> Passengers:
    """Return how many there are of each type."""
    several = list(kinds)
    return Passengers(*(several.count(kind) for kind in ("adult", "child", "infant")))


def check_passports(service: SandboxService, flight: Flight, passengers: Iterable[Json]) -> None:
    """Refuse passengers without passport data where the flight and the dialect demand it."""
    is_needed = flight.situation.need_apis and service.choices.passport_needed != "no"
    if is_needed and not all(each.get("passport_number") for each in passengers):
        service.reject("passport-missing")


# Bags of v3


def check_keys(service: SandboxService, flights: list[Flight], bags: Json) -> None:
    """Refuse bags that are not listed under the ids of the flights."""
    if bags and bags.keys() != {str(each.id) for each in flights}:
        service.reject("bags-keys")


def chosen_bags(service: SandboxService, flight: Flight, sent: Json | None, counts: Passengers) -> Bags:
    """Return a flight's options by kind with the quantities that were chosen; raises `Rejected` for breaches.

    None is where a fault lets the flight's key be missing: then nothing is chosen.
    """
    return {} if sent is None else {kind: chosen(service, flight, kind, sent.get(kind), counts) for kind in KINDS}


def chosen(
    service: SandboxService, flight: Flight, kind: str, sent: list[Json] | None, counts: Passengers
) -> list[Json]:
    """Return the options of one kind with the quantities that were chosen; raises `Rejected` for breaches."""
    choices = service.choices
    listed = service.v3_resources.options(flight, kind)
    if sent is None and not listed and choices.no_bags_sent != "anything":
        service.reject("bags-left-out")
    remaining = list(sent or ())
    wanted = []
    for option in listed:
        fitting = next((each for each in remaining if fits(option, each)), None)
        if fitting is None:
            service.reject("bags-listed")
            continue
        remaining.remove(fitting)
        check_option(service, kind, option, fitting)
        wanted.append(option | {"quantity": whole(service, fitting["quantity"])})
    if remaining and choices.unknown_bag != "ignored":
        service.reject("bags-unknown")
    carried = counts.adults + counts.children + (counts.infants if choices.infants_bags == "counted" else 0)
    if sum(each["quantity"] for each in wanted) > carried:
        service.reject("bags-quantity")
    return wanted


def fits(option: Json, sent: Json) -> bool:
    """Say whether a sent option is the one that was listed; what either leaves out is not compared."""
    for name, own in option.items():
        told = sent.get(name)
        if name in {"quantity", "price"} or told is None:
            continue
        if isinstance(own, Mapping):
            if not all(told.get(part, size) == size for part, size in own.items()):
                return False
        elif isinstance(own, int | float) and told != own:
            return False
    return True


def check_option(service: SandboxService, kind: str, option: Json, sent: Json) -> None:
    """Refuse an option that leaves out what the dialect demands, or has another price than was listed."""
    needs = service.choices.cabin_bag_needs
    members = {"dimensions and weight": {"dimensions", "weight"}, "what was listed": set(option) - {"price"}}
    needed = [name for name in members.get(needs, ()) if isinstance(option.get(name), int | float | Mapping)]
    if kind == "cabin" and not all(sent.get(name) is not None for name in needed):
        service.reject("cabin-bag-incomplete")
    if service.choices.bag_price_sent == "compared" and sent.get("price", option["price"]) != option["price"]:
        service.reject("bags-price")


def whole(service: SandboxService, quantity: float, name: str = "bags-quantity") -> int:
    """Return a number of bags; raises `Rejected` by a name for a part of a bag or fewer than none."""
    if quantity < 0 or quantity != int(quantity):
        service.reject(name)
    return max(0, int(quantity))


# v2


def create_requests_v2(service: SandboxService, call: SandboxRequest) -> SandboxResponse:
    """POST requests of v2: one request for each flight, for numbers of passengers."""
    body, choices = call.body, service.choices
    if "customer_code" in body:
        check_customer(service, call, body["customer_code"])
    ids = [number(service, call, each, "flight-unknown") for each in body["flights"]]
    if not ids:
        raise service.rejection("ids-none")
    flights = [flight_for_sale(service, call, each) for each in ids]
    numbers = [int(body["passengers"].get(kind, 0)) for kind in ("adults", "children", "infants")]
    if min(numbers) < 0 or max(numbers) > 99:  # noqa: PLR2004 - more than any aircraft has doors for
        service.reject("counts-impossible")
    if not sum(numbers):
        if choices.no_counts != "one adult":
            service.reject("counts-none")
        numbers[0] = 1
    counts = Passengers(*(min(99, max(0, each)) for each in numbers))
    for flight in flights:
        check_counts(service, call, flight, counts)
    wanted = [new_request(service, call, flight, counts) for flight in flights]
    return SandboxResponse(choices.created_status, {"requests": held(service, call, wanted)})


def number(service: SandboxService, call: SandboxRequest, sent: float | str, name: str) -> int:
    """Return an id that v2 was sent as a number or, where the dialect takes it, as text; raises `Rejected`."""
    if isinstance(sent, str):
        if service.choices.text_ids != "accepted":
            service.reject("ids-as-text")
        if not is_number(sent):
            raise service.rejection(f"{name}@{call.operation}")
    return int(sent)


def is_number(text: str) -> bool:
    """Say whether a text is the decimal form of an id."""
    return text.isascii() and text.isdecimal() and len(text) <= _LONGEST_NUMBER


# Both


def check_customer(service: SandboxService, call: SandboxRequest, code: str) -> None:
    """Refuse a customer code that is not known, where the dialect does so at requests."""
    if code != call.organisation.customer_code and service.choices.customer_unknown_at_request != "ignored":
        service.reject("customer-unknown-at-request")


def check_counts(service: SandboxService, call: SandboxRequest, flight: Flight, counts: Passengers) -> None:
    """Refuse infants where none are sold, and more of them than adults where the dialect does."""
    if counts.infants and flight.infant_price is None:
        service.reject(f"infants-unsold@{call.operation}")
    if counts.infants > counts.adults and service.choices.more_infants != "accepted":
        service.reject("infants-many")


def new_request(
    service: SandboxService,
    call: SandboxRequest,
    flight: Flight,
    counts: Passengers,
    *,
    is_round_trip: bool = False,
    passengers: tuple[Mapping[str, Any], ...] = (),
    bags: Bags = MappingProxyType({}),
) -> BookingRequest:
    """Return a pending request with its prices; its seats are not held yet."""
    price = together(flight.price) if is_round_trip else flight.price
    now = service.clock.now()
    lifetime = service.policy.request_lifetime or timedelta(minutes=service.choices.request_minutes)
    return BookingRequest(
        id=next(service.book.request_ids),
        version=call.version,
        organisation=call.organisation.name,
        flight=flight,
        counts=counts,
        price=price,
        infant_price=None if flight.infant_price is None else infant_price(price),
        customer_code=call.body.get("customer_code"),
        created=now,
        expires=now + lifetime,
        passengers=passengers,
        bags=bags,
    )


def held(service: SandboxService, call: SandboxRequest, requests: list[BookingRequest]) -> list[Json]:
    """Hold the seats of all requests, or of none, and return the requests as answers; raises `Rejected`."""
    book, now = service.book, service.clock.now()
    for at, request in enumerate(requests):
        seats = SeatHold(request.counts.adults + request.counts.children, request.expires)
        if not book.seats.hold(request.flight, request.id, seats, now):
            for earlier in requests[:at]:
                book.seats.settle(earlier, booked=False)
            raise service.rejection(f"flight-gone@{call.operation}")
    for request in requests:
        book.requests.put(request.id, request)
    answers = service.v3_resources
    return [answers.request(each, call.organisation, left(service, each.flight), now) for each in requests]


# Cancellation


def cancel_request(service: SandboxService, call: SandboxRequest) -> Json:
    """POST requests/{request_id}/cancel: give a pending request up, and its seats."""
    _ = call.organisation
    sent = call.path["request_id"]
    if not is_number(sent):
        raise service.rejection("request-id-malformed")
    request = own_request(service, call, int(sent))
    try:
        cancelled = service.book.requests.change(request.id, lambda found: found.cancel(service.clock.now()))
    except InvalidTransition:
        if service.choices.not_cancellable != "false":
            service.reject("request-not-pending")
        elif service.denies("request-not-pending"):
            return {"success": False}
    else:
        service.book.seats.settle(cancelled, booked=False)
    return {"success": True}


def own_request(service: SandboxService, call: SandboxRequest, request_id: int) -> BookingRequest:
    """Return a request of the caller's organisation, made in the same version; raises `Rejected`."""
    request = service.book.requests.get(request_id)
    if request is None or (request.version, request.organisation) != (call.version, call.organisation.name):
        raise service.rejection(f"request-unknown@{call.operation}")
    return request
