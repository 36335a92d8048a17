"""POST bookings and GET bookings: from requests to tickets, and what becomes of them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

from airworthy.sandbox.payment_provider.charging import Problem, card_problems, has_failed
from airworthy.sandbox.service import SandboxRequest, SandboxResponse, SandboxService
from airworthy.sandbox.states import Booking, BookingRequest, InvalidTransition, new_locator
from airworthy.sandbox.v3.booking_requests import Bags, check_gender, fits, number, own_request, read_person, whole
from airworthy.sandbox.v3.flights import left
from airworthy.sandbox.v3.responses import seated_price
from airworthy.sandbox.v4.responses import Json

_LOCATOR_DELAYS = {"an hour": timedelta(hours=1), "three hours": timedelta(hours=3), "at once": timedelta()}
_CARD_REFUSALS: Mapping[Problem, str] = {
    "attempted": "secure-attempted",
    "declined": "card-declined",
    "unverified": "card-unverified",
}
_PAIR = 2


# Creation


def create_bookings(service: SandboxService, call: SandboxRequest) -> Json:
    """POST bookings of v3: pay for requests, whose passengers and bags are known."""
    body = call.body
    if body["customer_code"] != call.organisation.customer_code:
        service.reject("customer-unknown")
    check_gender(service, body["gender"])
    by_card = check_payment(service, call)
    requests = [own_request(service, call, int(each)) for each in body["request_ids"]]
    check_pairing(service, requests)
    return {"bookings": booked(service, call, requests, by_card)}


def create_bookings_v2(service: SandboxService, call: SandboxRequest) -> SandboxResponse:
    """POST bookings of v2: pay for requests, and name the passengers and their luggage."""
    body = call.body
    check_customer(service, call)
    if not body["passengers"]:
        service.reject(f"passengers-none@{call.operation}")
    check_gender(service, body["gender"])
    for each in body["passengers"]:
        read_person(service, each)
    by_card = check_payment(service, call)
    ids = [number(service, call, each, "request-unknown") for each in body["requests"]]
    requests = [own_request(service, call, each) for each in ids]
    check_pairing(service, requests)
    if len(requests) > _PAIR and service.choices.third_booking == 409:  # noqa: PLR2004 - the choice is the status
        service.reject("requests-three")
    if body["luggage"].keys() != {str(each.id) for each in requests}:
        service.reject("luggage-keys")
    named = [
        replace(each, passengers=tuple(body["passengers"]), bags=chosen_luggage(service, each, body))
        for each in requests
    ]
    return SandboxResponse(service.choices.created_status, {"bookings": booked(service, call, named, by_card)})


def check_customer(service: SandboxService, call: SandboxRequest) -> None:
    """Refuse a v2 booking without a customer, or with one that is not known."""
    body, choices = call.body, service.choices
    has_code, has_data = "customer_code" in body, "customer_data" in body
    if not has_code and not has_data:
        service.reject("customer-missing")
    if has_code and has_data and choices.both_customers not in {"code counts", "data count"}:
        service.reject("customer-twice")
    counts = has_code and not (has_data and choices.both_customers == "data count")
    if counts and body["customer_code"] != call.organisation.customer_code:
        service.reject("customer-unknown")


def check_pairing(service: SandboxService, requests: list[BookingRequest]) -> None:
    """Refuse requests that do not go together, where the dialect does, and a booking of none."""
    if not requests:
        raise service.rejection("ids-none")
    alike = {(repr(each.passengers and each.passengers[0]["last_name"]), each.customer_code) for each in requests}
    repeated = len({each.id for each in requests}) < len(requests)
    if service.choices.unlike_requests != "accepted" and (len(alike) > 1 or repeated):
        service.reject("requests-unlike")


def chosen_luggage(service: SandboxService, request: BookingRequest, body: Json) -> Bags:
    """Return the luggage that v2 was sent for a request; raises `Rejected` for breaches of its rules."""
    listed = service.v3_resources.options(request.flight, "checked")
    wanted = []
    for sent in body["luggage"].get(str(request.id), ()):
        option = next((each for each in listed if fits(each, sent)), None)
        quantity = whole(service, sent["quantity"], "luggage-quantity")
        if option is None:
            if service.choices.unknown_bag != "ignored":
                service.reject("bags-unknown")
            continue
        wanted.append(option | {"quantity": quantity})
    if len(wanted) < len(listed) and service.choices.luggage_listed != "as wished":
        service.reject("luggage-listed")
    if sum(each["quantity"] for each in wanted) > len(body["passengers"]):
        service.reject("luggage-quantity")
    return {"checked": wanted}


def booked(service: SandboxService, call: SandboxRequest, requests: list[BookingRequest], by_card: bool) -> list[Json]:
    """Claim requests, pay for them, and return their bookings as answers; raises `Rejected`."""
    with claimed(service, requests):
        going = still_there(service, call, requests)
        if by_card:
            pay(service, call.body, going)
        bookings = tuple(new_bookings(service, call, going, by_card))
        for each in going:
            service.book.requests.change(each.id, BookingRequest.book)
            service.book.seats.settle(each, booked=True)
    for reference in {each.reference for each in bookings}:
        together = tuple(each for each in bookings if each.reference == reference)
        service.book.bookings.put((call.version, reference), together)
        service.post.send(together)
    answers, made = service.v3_resources, service.clock.now()
    return [answers.booking(each, left(service, each.request.flight), made) for each in bookings]


@contextmanager
def claimed(service: SandboxService, requests: list[BookingRequest]) -> Iterator[None]:
    """Hold the claim on all requests, or on none; what a refusal leaves claimed is pending again."""
    held: list[int] = []
    try:
        for request in requests:
            claim(service, request)
            held.append(request.id)
        yield
    finally:
        for each in held:
            service.book.requests.change(each, BookingRequest.release)


def claim(service: SandboxService, request: BookingRequest) -> None:
    """Claim a request for this one booking; raises `Rejected`."""
    try:
        service.policy.claim_request(service.book.requests, request.id, service.clock.now())
    except InvalidTransition as status:
        service.reject(f"request-{status}")
        service.book.requests.change(request.id, BookingRequest.reclaim)


def still_there(service: SandboxService, call: SandboxRequest, requests: list[BookingRequest]) -> list[BookingRequest]:
    """Return the requests whose flights can still be had at their price; raises `Rejected`."""
    gone = {}
    for each in requests:
        name = "flight-gone" if each.flight.situation.gone_at_booking else "price-moved"
        if each.flight.situation.gone_at_booking or each.flight.situation.price_moves:
            gone[each.id] = f"{name}@{call.operation}"
    left_over = [each for each in requests if each.id not in gone]
    if gone and not (left_over and service.choices.partly_gone == "the rest is booked"):
        for name in gone.values():
            service.reject(name)
        return requests
    return left_over


# Payment


def check_payment(service: SandboxService, call: SandboxRequest) -> bool:
    """Return whether a booking is paid by card, and not on deposit; raises `Rejected`."""
    body, choices = call.body, service.choices
    secure = body.get("three_d_secure")
    if secure is not None:
        if choices.transaction_id_type == "string" and not isinstance(secure["transaction_id"], str):
            service.reject("transaction-id")
        if has_failed(secure):
            service.reject("secure-failed")
    if body.get("self_psp") is True:
        if not call.organisation.self_psp:
            service.reject("self-psp-unauthorized")
        if ("payment_method" in body or secure is not None) and choices.self_psp_with_card != "deposit":
            service.reject("self-psp-with-card")
        return False
    if "self_psp" not in body and call.organisation.self_psp and choices.self_psp_left_out != "pays by card":
        service.reject("self-psp-missing")
    return True


def pay(service: SandboxService, body: Json, requests: list[BookingRequest]) -> None:
    """Charge the card; where that fails, abort the requests and raise `Rejected`."""
    problems = (_CARD_REFUSALS[each] for each in card_problems(service, body))
    problem = next((each for each in problems if not service.seams.tolerates(each)), None)
    if problem is None:
        return
    if service.policy.aborts:
        for each in requests:
            service.book.requests.change(each.id, BookingRequest.abort)
            service.book.seats.settle(each, booked=False)
    method = service.provider.method(body.get("payment_method", ""))
    rejection = service.rejection(problem)
    rejection.body["code"] = (method and method.code) or "card_declined"
    raise rejection


# Bookings


def new_bookings(
    service: SandboxService, call: SandboxRequest, requests: list[BookingRequest], by_card: bool
) -> Iterator[Booking]:
    """Yield the bookings of paid requests, which share one reference."""
    choices, now = service.choices, service.clock.now()
    delay = service.policy.locator_delay
    delay = _LOCATOR_DELAYS[choices.locator_after] if delay is None else delay
    first = requests[0].flight.itinerary.route
    reference, another = f"CP{new_locator()}", f"CP{new_locator()}"
    for at, request in enumerate(requests):
        is_other = at >= _PAIR and choices.third_booking == "other reference"
        special = request.flight.situation
        prices = service.v3_resources.bag_fees(request.bags)
        price = seated_price(request) + sum(prices.values())
        fee = round(price * request.flight.card_fee) if by_card else 0
        yield Booking(
            id=next(service.book.booking_ids),
            request=request,
            reference=another if is_other else reference,
            wishes=call.body,
            passengers=tuple(numbered(service, request)),
            bags=request.bags,
            bag_prices=prices,
            card_fee=fee,
            total=price + fee,
            direction="return" if at and request.flight.itinerary.route == first[::-1] else "outward",
            paired=len(requests) > 1,
            created=now,
            confirmed=now if special.charter else now + delay,
            changed=now if special.schedule_change else None,
        )


def numbered(service: SandboxService, request: BookingRequest) -> Iterator[Mapping[str, Any]]:
    """Yield the passengers of a request, each under a number of its own."""
    for each in request.passengers:
        yield {**each, "id": next(service.book.passenger_ids)}


# Retrieval


def get_bookings(service: SandboxService, call: SandboxRequest) -> Json:
    """GET bookings: the bookings that share a reference, as they are by now."""
    organisation, now = call.organisation, service.clock.now()
    reference = call.query.get("cp_reference")
    if not reference:
        raise service.rejection(f"{call.operation}:query/cp_reference:required", "cp_reference")
    bookings = service.book.bookings.get((call.version, reference))
    if bookings is None or bookings[0].request.organisation != organisation.name:
        return unknown(service, call)
    answers = service.v3_resources
    return {
        "bookings": [
            answers.booking(each, left(service, each.request.flight), now, retrieved=True) for each in bookings
        ]
    }


def unknown(service: SandboxService, call: SandboxRequest) -> Json:
    """Answer for a reference that does not exist: with no bookings, or not at all."""
    name = f"reference-unknown@{call.operation}"
    if service.choices.reference_unknown != "empty":
        raise service.rejection(name)
    service.denies(name)
    return {"bookings": []}
