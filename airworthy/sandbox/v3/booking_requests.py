"""POST requests and the cancellation of a booking request, which holds seats and prices for some minutes."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any

from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.model.dates import FORMS, age, read_day
from airworthy.sandbox.model.inventory import PASSENGER_TYPES, Passengers
from airworthy.sandbox.model.tables import InvalidTransition
from airworthy.sandbox.resources.v3.responses import BAG_TYPES
from airworthy.sandbox.resources.v3.states import BookingRequest
from airworthy.sandbox.resources.v3.timetable import Flight, infant_price, is_fare, round_trip_price
from airworthy.sandbox.service.service import SandboxService
from airworthy.sandbox.v3.flights import flight_for_sale, seats_left

# Ages in whole years from which a passenger is a child or an adult.
_CHILD_AGE, _ADULT_AGE = 2, 12
_MAX_ID_DIGITS = 15
_MAX_COUNT = 99
# Booking requests of one call are created within this time.
_TOGETHER = timedelta(milliseconds=50)
CUSTOMER_CODE = "/customer_code: expected the customer code that belongs to the token"
"""The detail of a rejection of an unknown customer code."""
Bags = Mapping[str, list[Json]]


# v3


def create_requests(service: SandboxService, request: SandboxRequest) -> Json:
    """POST requests of v3: create a booking request for each flight, for passengers with their bags."""
    body = request.body
    check_customer(service, request, body["customer_code"])
    flights = [flight_for_sale(service, request, each) for each in body["flight_ids"]]
    if body["bags"].keys() != {str(each.id) for each in flights}:
        raise service.rejection("bags-keys", "/bags: expected the flight ids as keys")
    is_round_trip = body["fare_type"] == "round_trip"
    if is_round_trip and not (len(flights) == 2 and is_fare(*flights)):  # noqa: PLR2004 - outward and return flight
        service.reject("fare-none", "/fare_type: expected the flights of a round-trip fare, or one_way")
        is_round_trip = False
    booking_requests = []
    for flight in flights:
        passengers = tuple(
            with_type(service, each, flight, f"/passengers/{index}") for index, each in enumerate(body["passengers"])
        )
        types = Counter(each["type"] for each in passengers)
        counts = Passengers(*(types[each] for each in PASSENGER_TYPES))
        check_counts(service, request, flight, counts)
        if flight.situation.need_apis and not all(each.get("passport_number") for each in passengers):
            service.reject("passport-missing", "/passengers: expected a passport_number for each passenger")
        sent = body["bags"][str(flight.id)]
        bags = {kind: chosen_bags(service, flight, kind, sent.get(kind), counts) for kind in BAG_TYPES}
        booking_requests.append(
            new_booking_request(
                service, request, flight, counts, is_round_trip=is_round_trip, passengers=passengers, bags=bags
            )
        )
    if is_round_trip and service.choices.v3.round_trip_price == "on the way out":
        booking_requests = priced_on_the_way_out(*booking_requests)
    return {"requests": hold_seats(service, request, booking_requests)}


def priced_on_the_way_out(outward: BookingRequest, back: BookingRequest) -> list[BookingRequest]:
    """Return the two booking requests of a round trip, with the whole price on the first."""
    infants = None if outward.infant_price is None else outward.infant_price + (back.infant_price or 0)
    without = None if back.infant_price is None else 0
    both = replace(outward, price=outward.price + back.price, infant_price=infants)
    return [both, replace(back, price=0, infant_price=without)]


def with_type(service: SandboxService, passenger: Json, flight: Flight, pointer: str) -> Json:
    """Return the passenger at a pointer with the type that follows from the date of birth; raises `Rejected`."""
    born = read_person(service, passenger, pointer)
    at_departure = service.choices.v3.child_age == "at departure"
    years = age(born, flight.itinerary.departure.date() if at_departure else service.clock.now().date())
    kind = "infant" if years < _CHILD_AGE else "child" if years < _ADULT_AGE else "adult"
    return passenger | {"type": kind, "is_infant": kind == "infant"}


def read_person(service: SandboxService, passenger: Json, pointer: str) -> date:
    """Return the birth date of the passenger at a pointer; raises `Rejected` for genders and dates in other forms."""
    check_gender(service, passenger["gender"], f"{pointer}/gender")
    form = service.choices.v3.date_form_taken
    born = read_day(passenger["date_of_birth"], form)
    expiry = passenger.get("passport_expiry_date")
    accepted = ", ".join(FORMS) if form == "any" else form
    if born is None:
        raise service.rejection("date-malformed", f"{pointer}/date_of_birth: expected a date, as {accepted}")
    if expiry is not None and read_day(expiry, form) is None:
        raise service.rejection("date-malformed", f"{pointer}/passport_expiry_date: expected a date, as {accepted}")
    return born


def check_gender(service: SandboxService, gender: str, pointer: str) -> None:
    """Reject a gender in a form that the dialect does not accept; ``pointer`` leads to it."""
    accepted = service.choices.v3.gender_taken
    if accepted != "any" and gender not in accepted.split("/"):
        service.reject("gender-unknown", f"{pointer}: expected one of {accepted.replace('/', ', ')}")


def chosen_bags(
    service: SandboxService, flight: Flight, kind: str, sent: list[Json] | None, counts: Passengers
) -> list[Json]:
    """Return the bag options of one kind with the chosen quantities; raises `Rejected` for invalid options."""
    choices = service.choices
    listed = service.v3_resources.options(flight, kind)
    if sent is None and not listed:
        service.reject("bags-left-out", f"/bags/{flight.id}/{kind}: missing; expected an empty array")
    remaining = list(sent or ())
    chosen = []
    for option in listed:
        match = next((each for each in remaining if matches(option, each)), None)
        if match is None:
            detail = "expected every listed option, with quantity 0 when not wanted"
            service.reject("bags-listed", f"/bags/{flight.id}/{kind}: {detail}")
            continue
        remaining.remove(match)
        check_option(service, kind, option, match)
        chosen.append(option | {"quantity": whole_number(service, match["quantity"], "bags-quantity")})
    if remaining and choices.v3.unknown_bag != "ignored":
        service.reject("bags-unknown", f"/bags/{flight.id}/{kind}: expected listed options only")
    carrying = counts.adults + counts.children + (counts.infants if choices.v3.infants_bags == "counted" else 0)
    quantities = [each["quantity"] for each in chosen]
    detail = f"/bags/{flight.id}/{kind}: expected at most {carrying} bags"
    if max(quantities, default=0) > carrying:
        service.reject("bags-quantity", detail)
    elif sum(quantities) > carrying and choices.v3.bags_limit == "for a kind":
        service.reject("bags-together", detail)
    return chosen


def matches(option: Json, sent: Json) -> bool:
    """Return whether a client sent this option; a value that either side leaves out is not compared."""
    for name, own in option.items():
        value = sent.get(name)
        if name in {"quantity", "price"} or value is None:
            continue
        if isinstance(own, Mapping):
            if not all(value.get(part, size) == size for part, size in own.items()):
                return False
        elif isinstance(own, int | float) and value != own:
            return False
    return True


def check_option(service: SandboxService, kind: str, option: Json, sent: Json) -> None:
    """Reject an option without a value that the dialect requires, or with another price than the listed one."""
    needs = service.choices.v3.cabin_bag_needs
    members = {"dimensions and weight": {"dimensions", "weight"}, "what was listed": set(option) - {"price"}}
    needed = [name for name in members.get(needs, ()) if isinstance(option.get(name), int | float | Mapping)]
    if kind == "cabin" and not all(sent.get(name) is not None for name in needed):
        service.reject("cabin-bag-incomplete", f"/bags/*/cabin: expected {', '.join(needed)}")
    if service.choices.v3.bag_price_sent == "compared" and sent.get("price", option["price"]) != option["price"]:
        service.reject("bags-price", f"/bags/*/{kind}: expected the listed price {option['price']}")


def whole_number(service: SandboxService, quantity: float, name: str) -> int:
    """Return a number of bags; rejects a negative number or a fraction under ``name``."""
    if quantity < 0 or quantity != int(quantity):
        raise service.rejection(name, "quantity: expected a whole number that is not negative")
    return int(quantity)


# v2


def create_requests_v2(service: SandboxService, request: SandboxRequest) -> SandboxResponse:
    """POST requests of v2: create a booking request for each flight, for numbers of passengers."""
    body, choices = request.body, service.choices
    if "customer_code" in body:
        check_customer(service, request, body["customer_code"])
    ids = [id_number(service, request, each, "flight-unknown") for each in body["flights"]]
    if not ids:
        raise service.rejection("ids-none", "/flights: expected at least one flight id")
    flights = [flight_for_sale(service, request, each) for each in ids]
    numbers = [int(body["passengers"].get(kind, 0)) for kind in ("adults", "children", "infants")]
    if min(numbers) < 0 or max(numbers) > _MAX_COUNT:
        raise service.rejection("counts-impossible", f"/passengers: expected numbers from 0 to {_MAX_COUNT}")
    if not sum(numbers):
        service.reject("counts-none", "/passengers: expected at least one adult, child or infant")
        numbers[0] = 1
    counts = Passengers(*numbers)
    for flight in flights:
        check_counts(service, request, flight, counts)
    booking_requests = [new_booking_request(service, request, flight, counts) for flight in flights]
    return SandboxResponse(choices.v3.created_status, {"requests": hold_seats(service, request, booking_requests)})


def id_number(service: SandboxService, request: SandboxRequest, sent: float | str, name: str) -> int:
    """Return an id that v2 accepts as a number or, in some dialects, as text; raises `Rejected`, also as ``name``."""
    if isinstance(sent, str):
        service.reject("ids-as-text", "expected a number, got a string")
        if not is_number(sent):
            raise service.rejection(f"{name}@{request.operation}")
    return int(sent)


def is_number(text: str) -> bool:
    """Return whether a text is the decimal form of an id."""
    return text.isascii() and text.isdecimal() and len(text) <= _MAX_ID_DIGITS


# Both


def check_customer(service: SandboxService, request: SandboxRequest, code: str) -> None:
    """Reject an unknown customer code, in dialects that check it at POST requests."""
    if code != request.organisation.customer_code:
        service.reject("customer-unknown-at-request", CUSTOMER_CODE)


def check_counts(service: SandboxService, request: SandboxRequest, flight: Flight, counts: Passengers) -> None:
    """Reject infants on a flight without infant fares and, in some dialects, more infants than adults."""
    if counts.infants and flight.infant_price is None:
        service.reject(f"infants-unsold@{request.operation}")
    if counts.infants > counts.adults:
        service.reject("infants-many", f"/passengers: expected at most {counts.adults} infants")


def new_booking_request(
    service: SandboxService,
    request: SandboxRequest,
    flight: Flight,
    counts: Passengers,
    *,
    is_round_trip: bool = False,
    passengers: tuple[Mapping[str, Any], ...] = (),
    bags: Bags = MappingProxyType({}),
) -> BookingRequest:
    """Return a pending booking request with its prices, before its seats are held."""
    price = round_trip_price(flight.price) if is_round_trip else flight.price
    now = service.clock.now()
    lifetime = service.policy.request_lifetime or timedelta(minutes=service.choices.v3.request_minutes)
    return BookingRequest(
        id=next(service.store.request_ids),
        version=request.version,
        organisation=request.organisation.name,
        flight=flight,
        counts=counts,
        price=price,
        infant_price=None if flight.infant_price is None else infant_price(price),
        customer_code=request.body.get("customer_code"),
        created=now,
        expires=now + lifetime,
        passengers=passengers,
        bags=bags,
    )


def hold_seats(service: SandboxService, request: SandboxRequest, booking_requests: list[BookingRequest]) -> list[Json]:
    """Hold the seats of all booking requests, or of none, and return them as JSON; raises `Rejected`."""
    store, now = service.store, service.clock.now()
    for index, each in enumerate(booking_requests):
        if not store.seats.hold(each, now):
            for earlier in booking_requests[:index]:
                store.seats.free(earlier)
            raise service.rejection(f"flight-gone@{request.operation}")
    for each in booking_requests:
        store.booking_requests.put(each.id, each)
    resources, organisation = service.v3_resources, request.organisation
    seats = ((each, seats_left(service, each.flight)) for each in booking_requests)
    return [resources.booking_request(each, organisation, left, now) for each, left in seats]


def cancel_request(service: SandboxService, request: SandboxRequest) -> Json:
    """POST requests/{request_id}/cancel: cancel a pending booking request and free its seats."""
    sent = request.path["request_id"]
    if not is_number(sent):
        raise service.rejection("request-id-malformed")
    booking_request = own_booking_request(service, request, int(sent))
    now = service.clock.now()
    try:
        cancelled = service.update(booking_request, lambda found: found.cancel(now))
    except InvalidTransition:
        service.reject("request-not-pending")
    else:
        together = service.store.booking_requests if service.choices.v3.cancelled_together == "all" else ()
        for other in [found for key in together if (found := service.store.booking_requests.get(key))]:
            is_together = other.passengers == cancelled.passengers and other.created - cancelled.created < _TOGETHER
            if is_together and cancelled.created - other.created < _TOGETHER and other.status(now) == "pending":
                service.update(other, lambda found: found.cancel(now))
    return {"success": True}


def own_booking_request(service: SandboxService, request: SandboxRequest, number: int) -> BookingRequest:
    """Return a booking request that the organisation made in the same version; raises `Rejected`."""
    found = service.store.booking_requests.get(number)
    names = (f"request-{each}@{request.operation}" for each in ("unknown", "foreign"))
    return service.own(request, found if found and found.version == request.version else None, *names)
