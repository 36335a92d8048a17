"""Faults of a service that takes one resource, key or organisation for another, or confuses simultaneous requests."""

import time
from collections.abc import Callable

from airworthy.sandbox.faults.fault import Fault, Wrapper
from airworthy.sandbox.faults.updates import RACE_SECONDS
from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.http.rejections import Rejected
from airworthy.sandbox.service.service import Handler, SandboxService

_SILENT = "The documents do not say what another organisation may do"
_UNKNOWN_ID = {
    "getFares": "V4-FARES-MISSING",
    "getBaggage": "V4-BAGGAGE-UNKNOWN-OFFER",
    "createOrder": "V4-ORDER-UNKNOWN-OFFER",
    "confirmOrder": "V4-CONFIRM-UNKNOWN-ORDER",
    "getOrder": "V4-ORDER-UNKNOWN",
    "getReservation": "V4-RESERVATION-UNKNOWN",
    "findReservation": "V4-RESERVATION-UNKNOWN",
}
_BEGINNING = 24


def _compares_the_beginning_of_ids(operation: str) -> Wrapper:
    """Take an id for a known one that begins with the same 24 characters."""

    def known(service: SandboxService, sent: str) -> str:
        tables = (service.store.offers, service.store.orders, service.store.reservations)
        keys = (str(key) for table in tables for key in table)
        return next((key for key in keys if key[:_BEGINNING] == sent[:_BEGINNING]), sent)

    def handle(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
        if request.operation == operation:
            request.path = {name: known(service, value) for name, value in request.path.items()}
            request.query = {name: known(service, value) for name, value in request.query.items()}
        return handler(service, request)

    return handle


def _finds_references(matches: Callable[[str, str], bool]) -> Wrapper:
    """Take a reference for a known one that ``matches`` it."""

    def handle(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
        sent = request.query.get("cp_reference")
        if sent:
            known = (key[1] for key in service.store.bookings if isinstance(key, tuple) and key[0] == request.version)
            request.query["cp_reference"] = next((key for key in known if matches(key, sent)), sent)
        return handler(service, request)

    return handle


def _cancels_during_bookings(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Report the cancellation of a booking request that was pending when the cancellation arrived."""
    if request.operation != "cancelRequest":
        # Whichever request arrives first, the cancellation finds it pending and ends after the booking.
        if request.operation == "createBookings":
            time.sleep(RACE_SECONDS)
        return handler(service, request)
    found = service.store.booking_requests.get(int(request.path["request_id"]))
    was_pending = found is not None and found.stored_status == "pending"
    time.sleep(3 * RACE_SECONDS)
    try:
        return handler(service, request)
    except Rejected:
        if was_pending:
            return {"success": True}
        raise


def _reads_the_newest_reservation(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Respond to a confirmation with the reservation that was made last."""
    response = handler(service, request)
    if request.operation == "confirmOrder" and isinstance(response, dict) and response["status"] == "BOOKED":
        time.sleep(RACE_SECONDS)
        response["reservationId"] = service.store.reservations.newest(1)[0].id
    return response


def _forgets_bookings_before_orders(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Find no booking that was made before the newest booked order of v4."""
    if request.operation.startswith("getBookings"):
        booked = service.store.bookings.get((request.version, request.query.get("cp_reference")))
        orders = [service.store.orders.get(each.order) for each in service.store.reservations.newest(1)]
        if booked and any(order and order.created > booked[0].created for order in orders):
            return {"bookings": []}
    return handler(service, request)


def _foreign(name: str, rule: str, what: str, rejection: str) -> Fault:
    """Return a fault of a service that serves another organisation."""
    description = f"The service {what} another organisation"
    return Fault(name, rule, description, tolerates=(rejection,), verdict="warning", reason=_SILENT)


FAULTS: tuple[Fault, ...] = (
    *(
        Fault(
            f"id-beginning-{operation}",
            rule,
            f"The service compares only the first 24 characters of the ids in requests of {operation}",
            wraps=_compares_the_beginning_of_ids(operation),
        )
        for operation, rule in _UNKNOWN_ID.items()
    ),
    Fault(
        "reference-beginning",
        "V23-LOOK-UP-UNKNOWN",
        "The service finds bookings by the beginning of their reference",
        wraps=_finds_references(lambda known, sent: known.startswith(sent)),
    ),
    Fault(
        "reference-continued",
        "V23-LOOK-UP-UNKNOWN",
        "The service finds bookings by a text that begins with their reference",
        wraps=_finds_references(lambda known, sent: sent.startswith(known)),
    ),
    Fault(
        "reference-any-case",
        "V23-LOOK-UP-UNKNOWN",
        "The service ignores the letter case of references",
        wraps=_finds_references(lambda known, sent: known.lower() == sent.lower()),
        verdict="warning",
        reason="The documents do not say whether the letter case of a reference counts",
    ),
    Fault(
        "key-any-case",
        "V4-AUTH-WRONG-KEY",
        "The service ignores the letter case of keys",
        tolerates=("key-other-case",),
        verdict="warning",
        reason="The documents do not say whether the letter case of a key counts",
    ),
    Fault(
        "token-any-case",
        "V23-AUTH-WRONG-KEY",
        "The service ignores the letter case of tokens",
        tolerates=("token-other-case@*",),
        verdict="warning",
        reason="The documents do not say whether the letter case of a token counts",
    ),
    _foreign("offers-ordered-by-all", "V4-OFFER-FOREIGN", "creates orders from an offer for", "offer-foreign"),
    _foreign("baggage-for-all", "V4-OFFER-FOREIGN", "returns the baggage options of an offer to", "baggage-foreign"),
    _foreign("cancelled-by-all", "V23-FOREIGN", "cancels booking requests for", "request-foreign@cancelRequest"),
    _foreign("booked-by-all", "V23-FOREIGN", "books booking requests for", "request-foreign@createBookings*"),
    _foreign("bookings-for-all", "V23-FOREIGN", "returns bookings to", "reference-foreign@*"),
    Fault(
        "cancelled-during-booking",
        "V3-CANCEL-OR-BOOK",
        "The service confirms the cancellation of a booking request that it books at the same time",
        wraps=_cancels_during_bookings,
    ),
    Fault(
        "confirmed-with-newest-reservation",
        "V4-CONFIRM-SIMULTANEOUS",
        "The service responds to simultaneous confirmations with the same reservation",
        wraps=_reads_the_newest_reservation,
    ),
    Fault(
        "bookings-lost-to-orders",
        "V23-BESIDE-V4",
        "The service finds no booking that was made before an order was booked",
        wraps=_forgets_bookings_before_orders,
    ),
)
