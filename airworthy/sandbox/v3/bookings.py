"""POST bookings and GET bookings."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.http.rejections import FAILED_INDICATOR, Rejected
from airworthy.sandbox.model.tables import InvalidTransition, new_locator
from airworthy.sandbox.resources.v3.responses import fares_price
from airworthy.sandbox.resources.v3.states import Booking, BookingRequest
from airworthy.sandbox.service.charging import CardRejections, authentication_failed, charge_card
from airworthy.sandbox.service.service import Handler, ResponseLost, SandboxService
from airworthy.sandbox.v3.booking_requests import (
    CUSTOMER_CODE,
    Bags,
    check_gender,
    id_number,
    matches,
    own_booking_request,
    read_person,
    whole_number,
)
from airworthy.sandbox.v3.flights import seats_left

Requests = list[BookingRequest]
_LOCATOR_DELAYS = {"an hour": timedelta(hours=1), "three hours": timedelta(hours=3), "at once": timedelta()}
_CARD_REJECTIONS = CardRejections("secure-attempted", "card-declined", "card-unverified", "payment-method-unknown")
# The rejections after which the booking requests are aborted, in the dialect in which they are.
_ABORTING = ("customer-unknown", "request-booked")
# The most booking requests that v3 books at once: the way out and the way back.
_PAIR = 2


def aborting(handler: Handler) -> Handler:
    """Return a handler that aborts the booking requests of some rejected bookings, in the dialect that does so."""

    def handle(service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
        try:
            return handler(service, request)
        except Rejected as rejected:
            aborts = service.choices.v3.rejected_booking == "aborts it" and rejected.name in _ABORTING
            named = request.body["request_ids" if request.version == "v3" else "requests"] if aborts else []
            for each in (service.store.booking_requests.get(key) for key in named if isinstance(key, int)):
                if each and each.stored_status == "pending":
                    service.update(each, BookingRequest.abort)
            raise

    return handle


@aborting
def create_bookings(service: SandboxService, request: SandboxRequest) -> Json:
    """POST bookings of v3: pay for booking requests, which contain the passengers and bags."""
    body = request.body
    if body["customer_code"] != request.organisation.customer_code:
        service.reject("customer-unknown", CUSTOMER_CODE)
    check_gender(service, body["gender"], "/gender")
    by_card = is_paid_by_card(service, request)
    requested = [own_booking_request(service, request, int(each)) for each in body["request_ids"]]
    check_combination(service, requested)
    return {"bookings": book(service, request, requested, by_card)}


@aborting
def create_bookings_v2(service: SandboxService, request: SandboxRequest) -> SandboxResponse:
    """POST bookings of v2: pay for booking requests, for the passengers and luggage in the body."""
    body = request.body
    check_customer(service, request)
    check_gender(service, body["gender"], "/gender")
    for index, each in enumerate(body["passengers"]):
        read_person(service, each, f"/passengers/{index}")
    by_card = is_paid_by_card(service, request)
    ids = [id_number(service, request, each, "request-unknown") for each in body["requests"]]
    requested = [own_booking_request(service, request, each) for each in ids]
    check_combination(service, requested)
    if len(ids) > _PAIR:
        service.reject("requests-three", f"/requests: expected at most {_PAIR} booking request ids")
    if body["luggage"].keys() != {str(each) for each in ids}:
        service.reject("luggage-keys", "/luggage: expected the booking request ids as keys")
    passengers = tuple(body["passengers"])
    complete = [replace(each, passengers=passengers, bags=chosen_luggage(service, each, body)) for each in requested]
    return SandboxResponse(service.choices.v3.created_status, {"bookings": book(service, request, complete, by_card)})


def check_customer(service: SandboxService, request: SandboxRequest) -> None:
    """Reject a v2 booking without a customer, or with an unknown customer code."""
    body = request.body
    has_code, has_data = "customer_code" in body, "customer_data" in body
    if not has_code and not has_data:
        service.reject("customer-missing", "expected customer_code or customer_data")
    if has_code and has_data:
        service.reject("customer-twice", "expected either customer_code or customer_data")
    counts = has_code and not (has_data and service.choices.v3.both_customers == "data count")
    if counts and body["customer_code"] != request.organisation.customer_code:
        service.reject("customer-unknown", CUSTOMER_CODE)


def check_combination(service: SandboxService, requested: Requests) -> None:
    """Reject an empty list of booking requests and, in some dialects, booking requests that do not belong together."""
    if not requested:
        raise service.rejection("ids-none", "expected at least one booking request id")
    travellers = {(repr(each.passengers and each.passengers[0]["last_name"]), each.customer_code) for each in requested}
    is_repeated = len({each.id for each in requested}) < len(requested)
    if len(travellers) > 1 or is_repeated:
        service.reject("requests-unlike")


def chosen_luggage(service: SandboxService, booking_request: BookingRequest, body: Json) -> Bags:
    """Return the luggage in a v2 body for a booking request; raises `Rejected` for luggage that breaks a rule."""
    listed = service.v3_resources.options(booking_request.flight, "checked")
    chosen = []
    for sent in body["luggage"].get(str(booking_request.id), ()):
        option = next((each for each in listed if matches(each, sent)), None)
        quantity = whole_number(service, sent["quantity"], "luggage-quantity")
        if option is None:
            if service.choices.v3.unknown_bag != "ignored":
                service.reject("bags-unknown")
            continue
        chosen.append(option | {"quantity": quantity})
    if len(chosen) < len(listed):
        detail = "expected every listed option, with quantity 0 when not wanted"
        service.reject("luggage-listed", f"/luggage/{booking_request.id}: {detail}")
    if sum(each["quantity"] for each in chosen) > len(body["passengers"]):
        detail = f"expected at most {len(body['passengers'])} pieces"
        service.reject("luggage-quantity", f"/luggage/{booking_request.id}: {detail}")
    return {"checked": chosen}


def book(service: SandboxService, request: SandboxRequest, requested: Requests, by_card: bool) -> list[Json]:
    """Claim booking requests, charge the payment, and return the bookings as JSON; raises `Rejected`."""
    with claimed(service, pending(service, requested)) as usable:
        available = still_available(service, request, usable)
        if by_card:
            pay(service, request.body, available)
        bookings = tuple(new_bookings(service, request, available, by_card))
        for each in available:
            service.update(each, BookingRequest.book)
    for reference in {each.reference for each in bookings}:
        together = tuple(each for each in bookings if each.reference == reference)
        service.store.bookings.put((request.version, reference), together)
        email = service.mailer.send(together)
        if email is not None:
            service.store.emails.put((request.version, reference), email)
    if any(each.flight.situation.response_lost for each in available):
        raise ResponseLost
    return shown(service, bookings, retrieved=False)


def pending(service: SandboxService, requested: Requests) -> Requests:
    """Return the booking requests to be booked: in some dialects only those that are pending, if there are any."""
    if service.choices.v3.partly_gone != "the rest is booked":
        return requested
    now = service.clock.now()
    return [each for each in requested if each.status(now) == "pending"] or requested


@contextmanager
def claimed(service: SandboxService, requested: Requests) -> Iterator[Requests]:
    """Claim all booking requests, or none; those that are still claimed at the end are pending again.

    Raises `Rejected`.
    """
    succeeded: Requests = []
    now = service.clock.now()
    try:
        for each in requested:
            service.update(each, lambda found: found.claim(now))
            succeeded.append(each)
        yield succeeded
    except InvalidTransition as status:
        raise service.rejection(f"request-{status}") from None
    finally:
        for each in succeeded:
            service.update(each, BookingRequest.release)


def still_available(service: SandboxService, request: SandboxRequest, requested: Requests) -> Requests:
    """Return the booking requests whose flights are still sold at their price; raises `Rejected`."""
    rejections = {}
    for each in requested:
        if each.flight.situation.gone_at_booking:
            rejections[each.id] = f"flight-gone@{request.operation}"
        elif each.flight.situation.price_moves:
            rejections[each.id] = f"price-moved@{request.operation}"
    available = [each for each in requested if each.id not in rejections]
    if available and service.choices.v3.partly_gone == "the rest is booked":
        return available
    for name in rejections.values():
        service.reject(name)
    return requested


def is_paid_by_card(service: SandboxService, request: SandboxRequest) -> bool:
    """Return whether a booking is paid by card rather than on deposit; raises `Rejected` for invalid payment fields."""
    body = request.body
    secure = body.get("three_d_secure")
    if secure is not None:
        if service.choices.v3.transaction_id_type == "string" and not isinstance(secure["transaction_id"], str):
            service.reject("transaction-id", "/three_d_secure/transaction_id: expected a string")
        if authentication_failed(secure):
            service.reject("secure-failed", FAILED_INDICATOR)
    if body.get("self_psp") is True:
        if not request.organisation.self_psp:
            service.reject("self-psp-unauthorized")
        if "payment_method" in body or secure is not None:
            detail = "/self_psp: expected neither payment_method nor three_d_secure beside it"
            service.reject("self-psp-with-card", detail)
        return False
    if "self_psp" not in body and request.organisation.self_psp:
        service.reject("self-psp-missing", "/self_psp: missing; expected true or false")
    return True


def pay(service: SandboxService, body: Json, requested: Requests) -> None:
    """Charge the card; if that fails, abort the booking requests and raise `Rejected`."""
    try:
        charge_card(service, body, _CARD_REJECTIONS)
    except Rejected as rejected:
        is_each = service.choices.v3.declined_together == "aborts all"
        for each in requested if is_each else requested[:1]:
            service.update(each, BookingRequest.abort)
        method = service.provider.method(body.get("payment_method", ""))
        rejected.body["code"] = (method and method.code) or "card_declined"
        raise


def new_bookings(
    service: SandboxService, request: SandboxRequest, requested: Requests, by_card: bool
) -> Iterator[Booking]:
    """Yield the bookings of paid booking requests, which share one reference."""
    choices, now = service.choices, service.clock.now()
    delay = service.policy.locator_delay
    delay = _LOCATOR_DELAYS[choices.v3.locator_after] if delay is None else delay
    outward_route = requested[0].flight.itinerary.route
    reference, other_reference = f"CP{new_locator()}", f"CP{new_locator()}"
    for index, each in enumerate(requested):
        is_other = index >= _PAIR and choices.v3.third_booking == "other reference"
        bag_prices = service.v3_resources.bag_fees(each.bags)
        price = fares_price(each) + sum(bag_prices.values())
        fee = round(price * each.flight.card_fee) if by_card else 0
        is_return = index > 0 and each.flight.itinerary.route == outward_route[::-1]
        yield Booking(
            id=next(service.store.booking_ids),
            request=each,
            reference=other_reference if is_other else reference,
            details=request.body,
            passengers=tuple({**passenger, "id": next(service.store.passenger_ids)} for passenger in each.passengers),
            bags=each.bags,
            bag_prices=bag_prices,
            card_fee=fee,
            total=price + fee,
            direction="return" if is_return else "outward",
            paired=len(requested) > 1,
            created=now,
            confirmed=now if each.flight.situation.charter else now + delay,
            changed=now + service.policy.schedule_change_delay if each.flight.situation.schedule_change else None,
        )


def get_bookings(service: SandboxService, request: SandboxRequest) -> Json:
    """GET bookings: return the bookings with a reference in their current state."""
    reference = request.query.get("cp_reference")
    if not reference:
        raise service.rejection(f"{request.operation}:query/cp_reference:required", "cp_reference: missing")
    bookings = service.store.bookings.get((request.version, reference))
    if bookings is None:
        raise service.rejection(f"reference-unknown@{request.operation}")
    if bookings[0].request.organisation != request.organisation.name:
        service.reject(f"reference-foreign@{request.operation}")
    return {"bookings": shown(service, bookings, retrieved=True)}


def shown(service: SandboxService, bookings: Iterable[Booking], *, retrieved: bool) -> list[Json]:
    """Return bookings as JSON; ``retrieved`` is for GET bookings."""
    resources, now = service.v3_resources, service.clock.now()
    seats = ((each, seats_left(service, each.request.flight)) for each in bookings)
    return [resources.booking(each, left, now, retrieved=retrieved) for each, left in seats]
