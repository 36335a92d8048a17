"""The service behind its interfaces: what a call passes through before and after its handler."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from http import HTTPStatus
from typing import Any
from uuid import UUID

import orjson

from airworthy.sandbox import request_bodies
from airworthy.sandbox.clock import SandboxClock
from airworthy.sandbox.dialects.choices import Choices
from airworthy.sandbox.faults.fault import Seams
from airworthy.sandbox.inventory import Inventory
from airworthy.sandbox.organisations import BY_KEY, ORGANISATIONS, SandboxOrganisation
from airworthy.sandbox.payment_provider.provider import PaymentProvider
from airworthy.sandbox.policy import Policy
from airworthy.sandbox.rejections import Rejected, error_body, open_body, rejected
from airworthy.sandbox.states import SandboxStore
from airworthy.sandbox.v3.confirmation_email import ConfirmationMailer
from airworthy.sandbox.v3.responses import V3Resources
from airworthy.sandbox.v3.timetable import Timetable
from airworthy.sandbox.v3.tokens import token_holder
from airworthy.sandbox.v4.responses import Json, V4Resources

LARGEST_BODY = 65_536
_THROTTLED = 150


class SupplierFailure(Exception):  # noqa: N818 - shown as 500
    """The supplier cannot be reached."""


@dataclass(frozen=True, slots=True)
class SandboxResponse:
    """What goes back: a JSON document, or bytes with their own content type."""

    status: int
    body: Any
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class SandboxRequest:
    """One request to a documented operation."""

    service: "SandboxService"
    version: str
    operation: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    headers: Mapping[str, str]
    raw: bytes

    @cached_property
    def organisation(self) -> SandboxOrganisation:
        """Whose key or token was sent; raises `Rejected` without a right one."""
        sent = self.headers.get("authorization", "")
        return self.service.authenticate(sent) if self.version == "v4" else token_holder(self.service, self, sent)

    @cached_property
    def body(self) -> Json:
        """The request body, checked against its schema; raises `Rejected`."""
        return self.service.read(self)


Handler = Callable[["SandboxService", SandboxRequest], Json | SandboxResponse]


class SandboxService:
    """One running service: its choices, its memory, its clock, and the faults that are switched on."""

    def __init__(self, choices: Choices, policy: Policy, seed: int, seams: Seams, post: ConfirmationMailer) -> None:
        self.choices = choices
        self.seed = seed
        self.clock = SandboxClock()
        self.book = SandboxStore()
        self.answers = V4Resources(choices)
        self.inventory = Inventory(seed, digits=choices.carriers == "digits too")
        self.timetable = Timetable(self.inventory)
        self.v3_resources = V3Resources(choices)
        self.post = post
        tokens = frozenset(each.provider_token for each in ORGANISATIONS)
        self.provider = PaymentProvider(
            self.clock, tokens, choices.intent_prefix, lambda: self.policy.payment_method_prefix
        )
        self._policy = policy
        self.seams = seams
        self._seen = 0
        self._lock = threading.Lock()

    @property
    def policy(self) -> Policy:
        """What the documents fix, as the faults that are switched on have it."""
        return replace(self._policy, **self.seams.policy)

    # Refusing

    def rejection(self, name: str, detail: str = "") -> Rejected:
        """Return the refusal of that name, to be raised where nothing else can be answered."""
        return self.seams.reworded(rejected(name, self.choices, detail))

    def reject(self, name: str, detail: str = "") -> None:
        """Refuse by name. Returns, as if nothing were wrong, only where a fault tolerates just that."""
        if not self.seams.tolerates(name):
            raise self.rejection(name, detail)

    def denies(self, name: str) -> bool:
        """Say whether a call gets the empty answer that the documents name instead of a refusal.

        False where a fault tolerates it; raises `Rejected` where a fault refuses it all the same.
        """
        if self.seams.rewords(name):
            raise self.rejection(name)
        return not self.seams.tolerates(name)

    # The way of a call

    def answer(self, handler: Handler, call: SandboxRequest) -> SandboxResponse:
        """Answer a call to a documented operation; never raises."""
        throttled = self._throttled()
        if throttled is not None:
            return throttled
        try:
            self._check_headers(call)
            self._check(call)
            for fault in self.seams.objections(call):
                raise self.rejection(f"objection:{fault}")
            found = handler(self, call)
            answer = found if isinstance(found, SandboxResponse) else SandboxResponse(200, found)
        except Rejected as rejection:
            answer = self._refusal(rejection, call.version)
        except SupplierFailure:
            return self._server_fault()
        finished = replace(answer, body=self.answers.finish(answer.body))
        return self.seams.rewrite(call, finished)

    def reject_path(self, name: str, version: str = "v4") -> SandboxResponse:
        """Answer a request that no operation takes."""
        answer = self._refusal(self.rejection(name), version)
        return replace(answer, body=self.answers.finish(answer.body))

    def _refusal(self, rejection: Rejected, version: str) -> SandboxResponse:
        """Return a refusal as an answer: v4's body is documented, any other is the dialect's."""
        # A fault may have made a success of it.
        is_open = version != "v4" and rejection.status >= HTTPStatus.BAD_REQUEST
        return SandboxResponse(rejection.status, open_body(rejection.body, self.choices) if is_open else rejection.body)

    def _check(self, call: SandboxRequest) -> None:
        """Check the key and the body, in the dialect's order; the rest is checked by the handler.

        Where the resource comes first, the handler is the first to look at the body.
        """
        checks = {
            "key first": ("organisation", "body"),
            "body first": ("body", "organisation"),
            "resource first": ("organisation",),
        }
        for each in checks[self.choices.order_of_checks]:
            if each != "body" or call.operation in request_bodies.OPERATIONS:
                getattr(call, each)

    def _check_headers(self, call: SandboxRequest) -> None:
        accept = call.headers.get("accept", "*/*").lower()
        if self.choices.other_accept != "ignored" and not any(
            each in accept for each in ("json", "*/*", "application/*")
        ):
            self.reject("accept")
        if call.operation in request_bodies.OPERATIONS and self.choices.other_content_type != "ignored":
            kind = call.headers.get("content-type", "").partition(";")[0].strip().lower()
            if kind != "application/json":
                self.reject("content-type")
        is_elsewhere = call.version == "v4" and "customerCode" in call.query
        if is_elsewhere and self.choices.customer_code_elsewhere != "ignored":
            self.reject("customer-code-elsewhere")

    def authenticate(self, header: str) -> SandboxOrganisation:
        """Return the organisation whose key stands in an Authorization header; raises `Rejected`."""
        if not header:
            self.reject("key-missing")
            return ORGANISATIONS[0]
        scheme, _, rest = header.partition(" ")
        if scheme.lower() == "bearer" and rest.strip() in BY_KEY:
            if self.choices.bearer != "accepted":
                self.reject("key-prefixed")
            return BY_KEY[rest.strip()]
        if header not in BY_KEY:
            self.reject("key-wrong")
        return BY_KEY.get(header, ORGANISATIONS[0])

    def read(self, call: SandboxRequest) -> Json:
        """Return a call's body, checked against its schema; raises `Rejected`."""
        if len(call.raw) > LARGEST_BODY:
            raise self.rejection("body-too-large")
        try:
            sent = orjson.loads(call.raw)
        except orjson.JSONDecodeError:
            raise self.rejection("body-not-json") from None
        return request_bodies.checked(self, call.operation, sent)

    def identifier(self, text: str, name: str = "id-malformed") -> str:
        """Return an id of a path or query in the form it is kept; raises `Rejected` for anything but a UUID."""
        try:
            return str(UUID(text))
        except ValueError:
            raise self.rejection(name) from None

    # What is not about one operation

    def _throttled(self) -> SandboxResponse | None:
        """Answer every so many requests with "too many", where the dialect does."""
        if self.choices.throttling == "none":
            return None
        with self._lock:
            self._seen += 1
            if self._seen % _THROTTLED:
                return None
        status = 503 if self.choices.throttling == "503" else 429
        headers = {} if self.choices.throttling == "429" else {"Retry-After": "0"}
        return SandboxResponse(
            status, self.answers.finish(error_body(status, "Too many requests", self.choices)), headers
        )

    def _server_fault(self) -> SandboxResponse:
        bodies_by_choice: dict[str, Any] = {
            "v4": error_body(500, "The supplier cannot be reached", self.choices),
            "text": b"Internal Server Error",
            "empty": b"",
        }
        return SandboxResponse(500, bodies_by_choice[self.choices.server_fault_body])
