"""The service behind its interfaces: what happens to a request before and after its handler."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from email.message import EmailMessage
from http import HTTPStatus
from itertools import count
from typing import Any, Final, Protocol, TypeVar
from uuid import UUID

from airworthy.sandbox.dialects.choices import Choices
from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.http.rejections import (
    Rejected,
    documented_success,
    error_body,
    is_rejected,
    open_body,
    rejection_of,
)
from airworthy.sandbox.http.rendering import finished
from airworthy.sandbox.model.clock import SandboxClock
from airworthy.sandbox.model.export_file import ExportFile
from airworthy.sandbox.model.inventory import Inventory
from airworthy.sandbox.model.policy import Policy
from airworthy.sandbox.model.seats import SeatHolds
from airworthy.sandbox.model.tables import BoundedTable
from airworthy.sandbox.payment_provider.provider import PaymentProvider
from airworthy.sandbox.resources.v3.confirmation_email import ConfirmationMailer
from airworthy.sandbox.resources.v3.responses import V3Resources
from airworthy.sandbox.resources.v3.states import Booking, BookingRequest
from airworthy.sandbox.resources.v3.timetable import Timetable
from airworthy.sandbox.resources.v4.responses import V4Resources
from airworthy.sandbox.resources.v4.states import Offer, Order, Reservation

# In dialects that throttle, every request whose number is a multiple of this one is throttled.
_THROTTLED = {"429 often": 25}
_THROTTLED_RARELY = 150
MAX_EMAILS: Final = 100


class ResponseLost(Exception):  # noqa: N818 - a situation of the sandbox; the response is 504
    """The request had its effect, but the response does not reach the client."""


class SupplierFailure(Exception):  # noqa: N818 - a situation of the sandbox; the response is 500
    """The supplier cannot be reached."""


Handler = Callable[["SandboxService", SandboxRequest], Json | SandboxResponse]
Record = TypeVar("Record", Offer, Order, BookingRequest)
Claimable = TypeVar("Claimable", Order, BookingRequest)


class SandboxStore:
    """The records of one running service, in memory."""

    def __init__(self) -> None:
        self.offers: BoundedTable[Offer] = BoundedTable()
        self.orders: BoundedTable[Order] = BoundedTable()
        self.reservations: BoundedTable[Reservation] = BoundedTable()
        # For dialects that repeat ids: the id returned earlier, by the requested item.
        self.repeated_ids: BoundedTable[str] = BoundedTable()
        self.booking_requests: BoundedTable[BookingRequest] = BoundedTable()
        self.seats = SeatHolds()
        # All bookings with one reference, by version and reference.
        self.bookings: BoundedTable[tuple[Booking, ...]] = BoundedTable()
        # Confirmation e-mails, by version and reference of the booking.
        self.emails: BoundedTable[EmailMessage] = BoundedTable(MAX_EMAILS)
        self.request_ids, self.booking_ids, self.passenger_ids = count(700_001), count(300_001), count(900_001)


class _Hooks(Protocol):
    """Through which the behaviour of the service is changed from outside: see `FaultHooks`."""

    names: list[str]
    policy: Mapping[str, Any]

    def tolerates(self, name: str) -> bool: ...
    def reworded(self, rejected: Rejected) -> Rejected: ...
    def accepted_body(self, operation: str, body: Any) -> Any: ...  # noqa: ANN401 - any JSON
    def handle(
        self, handler: Handler, service: "SandboxService", request: SandboxRequest
    ) -> Json | SandboxResponse: ...
    def repair(self, service: "SandboxService", request: SandboxRequest, rejected: Rejected) -> bool: ...
    def rewrite(self, request: SandboxRequest, response: SandboxResponse) -> SandboxResponse: ...
    def export(self, files: tuple[ExportFile, ...]) -> tuple[ExportFile, ...]: ...


class SandboxService:
    """A running service: its choices, store, clock and hooks."""

    def __init__(
        self,
        choices: Choices,
        policy: Policy,
        seed: int,
        hooks: _Hooks,
        mailer: ConfirmationMailer,
        *,
        clock: SandboxClock | None = None,
    ) -> None:
        self.choices = choices
        self.seed = seed
        self.hooks = hooks
        self.mailer = mailer
        self.clock = clock or SandboxClock()
        self.store = SandboxStore()
        self.inventory = Inventory(
            seed, digits=choices.v4.carriers == "digits too", few_seats=choices.v4.seats_on_sale == "one or two"
        )
        self.timetable = Timetable(self.inventory)
        self.v4_resources = V4Resources(choices)
        self.v3_resources = V3Resources(choices)
        self.provider = PaymentProvider(self.clock, choices.v4.intent_prefix, lambda: self.policy.payment_method_prefix)
        self._policy = policy
        self._requests = 0
        self._lock = threading.Lock()

    @property
    def policy(self) -> Policy:
        """The fixed rules, with the members that hooks replace."""
        return replace(self._policy, **self.hooks.policy)

    # What handlers use

    def reject(self, name: str, detail: str = "") -> None:
        """Reject the request under a name from the table of rejections, with a detail for the message.

        Returns only if a hook tolerates what is wrong with the request, or the dialect does.
        """
        if not self.hooks.tolerates(name) and is_rejected(name, self.choices):
            raise self.rejection(name, detail)

    def rejection(self, name: str, detail: str = "") -> Rejected:
        """Return the exception that rejects the request, for a handler that cannot go on."""
        rejected = rejection_of(name, self.choices, detail)
        reworded = self.hooks.reworded(rejected)
        success = documented_success(name, self.choices)
        if success is not None and reworded is rejected:
            return Rejected(name, HTTPStatus.OK, success, rejected.reason)
        reworded.reason = rejected.reason
        return reworded

    def own(self, request: SandboxRequest, found: Record | None, unknown: str, foreign: str) -> Record:
        """Return a record; rejects a request for one that does not exist, or belongs to another organisation."""
        if found is None:
            raise self.rejection(unknown)
        if found.organisation != request.organisation.name:
            self.reject(foreign)
        return found

    def update(self, record: Claimable, transition: Callable[[Claimable], Claimable]) -> Claimable:
        """Replace a stored record with what ``transition`` returns, settle its seats, and return it."""
        table: BoundedTable[Any] = self.store.orders if isinstance(record, Order) else self.store.booking_requests
        updated: Claimable = self.policy.update(table, record.id, transition)
        self.store.seats.settle(updated)
        return updated

    def identifier(self, text: str) -> str:
        """Return a UUID from the path or query in its stored form; raises `Rejected` for any other text."""
        try:
            return str(UUID(text))
        except ValueError:
            raise self.rejection("id-malformed") from None

    # Handling a request

    def respond(self, handler: Handler, request: SandboxRequest) -> SandboxResponse:
        """Return the response to a request for a documented operation; never raises."""
        throttled = self._throttled(request)
        if throttled is not None:
            return throttled
        try:
            result = self._handled(handler, request)
            response = result if isinstance(result, SandboxResponse) else SandboxResponse(HTTPStatus.OK, result)
        except Rejected as rejected:
            response = self._rejection_response(rejected, request.version)
        except SupplierFailure:
            return self._internal_error()
        except ResponseLost:
            return SandboxResponse(HTTPStatus.GATEWAY_TIMEOUT, b"Gateway Timeout")
        return self.hooks.rewrite(request, self._finished(response))

    def reject_path(self, name: str, version: str = "v4", allow: str = "") -> SandboxResponse:
        """Return the response to a request that matches no documented operation; ``allow`` lists those of its path."""
        return self._finished(self._rejection_response(self.rejection(name), version, allow))

    def _handled(
        self, handler: Handler, request: SandboxRequest, repaired: frozenset[str] = frozenset()
    ) -> Json | SandboxResponse:
        try:
            self._check(request)
            return self.hooks.handle(handler, self, request)
        except Rejected as rejected:
            if rejected.name in repaired or not self.hooks.repair(self, request, rejected):
                raise
            return self._handled(handler, request, repaired | {rejected.name})

    def _check(self, request: SandboxRequest) -> None:
        """Check headers, credentials and body in the dialect's order.

        In the order "resource first", the handler is the first to read the body.
        """
        self._check_headers(request)
        order = self.choices.http.order_of_checks
        if order == "body first" and request.has_body:
            _ = request.body
        _ = request.organisation
        if order == "key first" and request.has_body:
            _ = request.body

    def _check_headers(self, request: SandboxRequest) -> None:
        accept = request.headers.get("accept", "*/*").lower()
        if not any(each in accept for each in ("json", "*/*", "application/*")):
            self.reject("accept", "expected the header Accept: application/json")
        content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if request.has_body and content_type != "application/json":
            self.reject("content-type", "expected the header Content-Type: application/json")
        if request.version == "v4" and "customerCode" in request.query:
            self.reject("customer-code-elsewhere")

    def _rejection_response(self, rejected: Rejected, version: str, allow: str = "") -> SandboxResponse:
        """Return a rejection as a response: the documents define its body in v4, the dialect in v3 and v2."""
        is_open = version != "v4" and rejected.status >= HTTPStatus.BAD_REQUEST
        body = open_body(rejected.body, self.choices) if is_open else rejected.body
        # RFC 9110 requires this header, which may be empty.
        headers = {"Allow": allow} if rejected.status == HTTPStatus.METHOD_NOT_ALLOWED else {}
        return SandboxResponse(rejected.status, body, headers, rejected)

    def _finished(self, response: SandboxResponse) -> SandboxResponse:
        return replace(response, body=finished(response.body, self.choices))

    # Responses that are independent of the operation

    def _throttled(self, request: SandboxRequest) -> SandboxResponse | None:
        # A client cannot know whether a request with status 503 was processed, so it does not create anything again.
        throttling = self.choices.http.throttling
        if throttling == "none" or (throttling == "503" and request.has_body):
            return None
        with self._lock:
            self._requests += 1
            if self._requests % _THROTTLED.get(throttling, _THROTTLED_RARELY):
                return None
        status = 503 if throttling == "503" else 429
        headers = {} if throttling == "429" else {"Retry-After": "0"}
        body = error_body(status, "Too many requests", self.choices)
        return SandboxResponse(status, finished(body, self.choices), headers)

    def _internal_error(self) -> SandboxResponse:
        bodies: dict[str, Any] = {
            "v4": error_body(500, "The supplier cannot be reached", self.choices),
            "text": b"Internal Server Error",
            "empty": b"",
        }
        return SandboxResponse(500, bodies[self.choices.v4.server_fault_body])
