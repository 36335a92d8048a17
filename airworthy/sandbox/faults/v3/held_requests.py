"""Faults in the seats that booking requests hold, and in what ends a booking request."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

from airworthy.sandbox.faults.changes import when
from airworthy.sandbox.faults.fault import Fault, Wrapper
from airworthy.sandbox.faults.kinds import rejects
from airworthy.sandbox.faults.updates import without_release
from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.http.rejections import Rejected
from airworthy.sandbox.model.organisations import ORGANISATIONS
from airworthy.sandbox.resources.v3.states import BookingRequest, RequestStatus
from airworthy.sandbox.service.service import Handler, SandboxService

_CREATED = ("createBookings", "createBookingsV2")
_CARD = ("payment_method", "three_d_secure")


def _sells_booked_seats(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Free the seats of a booking request that was booked."""
    response = handler(service, request)
    for each in _sent_requests(service, request) if request.operation in _CREATED else ():
        service.store.seats.free(each)
    return response


def _seats_adults_only(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Hold no seats for the children of a v2 booking request."""
    if request.operation != "createRequestsV2":
        return handler(service, request)
    children = request.body["passengers"].pop("children", 0)
    response = handler(service, request)
    requests = response.body["requests"] if isinstance(response, SandboxResponse) else []
    for each in requests:
        each["passengers"] = each["passengers"] | {"children": children}
    return response


def _checks_the_first_luggage_only(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Book no more luggage than passengers, but reject more only for the first booking request."""
    if request.operation == "createBookingsV2":
        most, luggage = len(request.body["passengers"]), request.body["luggage"]
        for options in (luggage.get(str(each), ()) for each in request.body["requests"][1:]):
            for option in options:
                option["quantity"] = min(option["quantity"], most)
    return handler(service, request)


def _cancels_the_first_only(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Leave a cancelled booking request pending that was created after another one of the same request."""
    response = handler(service, request)
    table = service.store.booking_requests
    cancelled = table.get(int(request.path["request_id"])) if request.operation == "cancelRequest" else None
    others = [table.get(key) for key in table] if cancelled else []
    if cancelled and any(
        each and each.passengers == cancelled.passengers and each.id < cancelled.id for each in others
    ):
        _become(service, cancelled, "pending")
    return response


def _reopens_on_deposit(status: RequestStatus) -> Wrapper:
    """Return a handler that takes booking requests of a status for pending when they are booked on deposit."""

    def handle(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
        is_on_deposit = request.operation in _CREATED and request.body.get("self_psp")
        for each in _sent_requests(service, request) if is_on_deposit else ():
            if each.status(service.clock.now()) == status:
                _become(service, each, "pending")
        return handler(service, request)

    return handle


def _checks_the_second_only(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Take the first of two booking requests for pending."""
    sent = _sent_requests(service, request) if request.operation in _CREATED else []
    for each in sent[:1] if len(sent) > 1 else ():
        _become(service, each, "pending")
    return handler(service, request)


def _books_for_the_authenticated(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Book with a declined card if there are 3-D Secure results."""
    if request.operation not in _CREATED or not request.body.get("three_d_secure"):
        return handler(service, request)
    try:
        return handler(service, request)
    except Rejected as rejected:
        if rejected.name != "card-declined":
            raise
        for each in _sent_requests(service, request):
            _become(service, each, "pending")
        request.body = {name: value for name, value in request.body.items() if name not in _CARD} | {"self_psp": True}
        return handler(service, request)


def _knows_customers_by_their_beginning(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Ignore what follows a known customer code."""
    if request.operation in _CREATED:
        sent = str(request.body.get("customer_code"))
        known = [each.customer_code for each in ORGANISATIONS if sent.startswith(each.customer_code)]
        request.body |= {"customer_code": known[0]} if known else {}
    return handler(service, request)


def _sent_requests(service: SandboxService, request: SandboxRequest) -> list[BookingRequest]:
    """Return the booking requests that a booking names."""
    sent: Any = json.loads(request.raw)
    keys = sent.get("request_ids", sent.get("requests")) if isinstance(sent, dict) else None
    found = (service.store.booking_requests.get(key) for key in keys or () if isinstance(key, int))
    return [each for each in found if each]


def _become(service: SandboxService, booking_request: BookingRequest, status: RequestStatus) -> None:
    expires = service.clock.now() + timedelta(minutes=1)
    service.store.booking_requests.change(
        booking_request.id,
        lambda found: replace(found, stored_status=status, claimed=False, expires=max(found.expires, expires)),
    )


def _has_two_of_one(options: list[Json]) -> bool:
    return any(option["quantity"] > 1 for option in options)


def _has_both_kinds(bags: Json) -> bool:
    return all(any(option["quantity"] for option in options) for options in bags.values())


def _keeps_pending_after(rejection: str) -> Wrapper:
    """Leave booking requests pending after the rejection of this name."""

    def wrapper(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
        try:
            return handler(service, request)
        except Rejected as rejected:
            for each in _sent_requests(service, request) if rejected.name == rejection else ():
                _become(service, each, "pending")
            raise

    return wrapper


def _books_the_first_only(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Leave all booking requests but the first pending after they were booked together."""
    response = handler(service, request)
    for each in _sent_requests(service, request)[1:] if request.operation in _CREATED else ():
        _become(service, each, "pending")
    return response


FAULTS: tuple[Fault, ...] = (
    Fault(
        "booked-seats-sold-again",
        "V23-REQUESTS-HOLD",
        "The service sells the seats of a booking again",
        wraps=_sells_booked_seats,
    ),
    Fault(
        "children-without-seats",
        "V23-REQUESTS-HOLD",
        "The service holds no seats for the children of a v2 booking request",
        wraps=_seats_adults_only,
    ),
    Fault(
        "attempt-stays-pending",
        "V23-BOOKINGS-PAYMENT-FAILS",
        "The service leaves a booking request pending after an authentication that was only attempted",
        wraps=_keeps_pending_after("secure-attempted"),
    ),
    Fault(
        "second-booked-again",
        "V23-BOOKINGS-ONCE",
        "The service books the second of two booking requests again that were booked together",
        wraps=_books_the_first_only,
    ),
    Fault(
        "aborted-booked-on-deposit",
        "V23-BOOKINGS-PAYMENT-FAILS",
        "The service books an aborted booking request on deposit",
        wraps=_reopens_on_deposit("aborted"),
    ),
    Fault(
        "booked-again-on-deposit",
        "V23-BOOKINGS-ONCE",
        "The service books a booking request again on deposit",
        wraps=_reopens_on_deposit("booked"),
    ),
    Fault(
        "cancelled-booked-on-deposit",
        "V3-BOOKINGS-CANCELLED",
        "The service books a cancelled booking request on deposit",
        wraps=_reopens_on_deposit("cancelled"),
    ),
    Fault(
        "expired-booked-on-deposit",
        "V23-REQUEST-LIFETIME",
        "The service books an expired booking request on deposit",
        wraps=_reopens_on_deposit("expired"),
    ),
    Fault(
        "first-of-two-reopened",
        "V3-BOOKINGS-CANCELLED",
        "The service books two booking requests although the first of them is cancelled",
        wraps=_checks_the_second_only,
    ),
    Fault(
        "declined-booked-with-authentication",
        "V23-BOOKINGS-PAYMENT-FAILS",
        "The service books with a declined card if there are 3-D Secure results",
        wraps=_books_for_the_authenticated,
    ),
    Fault(
        "customer-known-by-its-beginning",
        "V23-BOOKINGS-CUSTOMER-UNKNOWN",
        "The service accepts a known customer code that is followed by other text",
        wraps=_knows_customers_by_their_beginning,
    ),
    rejects(
        "booking-v2-not-secure-1",
        "V23-BOOKINGS-BOOK",
        "a v2 booking with the results of 3-D Secure 1.0.2",
        when("createBookingsV2", lambda body: (body.get("three_d_secure") or {}).get("version") == "1.0.2"),
    ),
    Fault(
        "rejected-booking-locks",
        "V23-BOOKINGS-CORRECTED",
        "The service does not book a booking request again after its booking with an unusable one was rejected",
        policy={"update": without_release},
        verdict="warning",
        reason="The documents do not say that nothing else ends a booking request (v3, States and transitions)",
    ),
    Fault(
        "second-not-cancelled",
        "V3-CANCEL-ONE",
        "The service does not cancel the second of two booking requests, though it says so",
        wraps=_cancels_the_first_only,
    ),
    Fault(
        "luggage-of-the-first-only",
        "V2-LUGGAGE",
        "The service accepts more luggage than passengers for the second of two booking requests",
        wraps=_checks_the_first_luggage_only,
    ),
    rejects(
        "luggage-of-one-piece",
        "V2-LUGGAGE",
        "a v2 booking with two pieces of a luggage option",
        when("createBookingsV2", lambda body: any(map(_has_two_of_one, body["luggage"].values()))),
    ),
    rejects(
        "bags-of-one-kind",
        "V3-BAGS-QUANTITY",
        "a booking request with checked and cabin bags",
        when("createRequests", lambda body: any(map(_has_both_kinds, body["bags"].values()))),
    ),
)
