"""A client of the service for one organisation, for v4, v3 and v2.

Scenarios share resources that they only read, so that a full run makes few orders and bookings. A scenario that changes
a resource creates its own. If a resource cannot be created, the scenario is untested, and the failure counts as a
violation of the rule that requires the service to create it.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar, cast

from airworthy.contract import Contract
from airworthy.contract.findings.root_causes import NOT_OF_THE_SERVICE
from airworthy.contract.http.exchange import Exchange
from airworthy.contract.http.operations import Operation
from airworthy.suite.outcomes import NotApplicable, Outcome, SeatsGone, expect, expect_situation, prerequisite
from airworthy.suite.processes import Share
from airworthy.target.client import NOT_GIVEN, Client, InconclusiveError
from airworthy.target.clock import TargetClock
from airworthy.target.profile import KeyForm, Organisation, Profile, TokenCredentials, V4Credentials
from conformance.capabilities import CapabilityRequirements
from conformance.histories import Histories
from conformance.parsed_response import ParsedResponse, expect_status
from conformance.payments import PaymentFields
from conformance.request_draft import RequestDraft

Resource = TypeVar("Resource")
# The responses of shared resources stay in memory for the whole run.
_MAX_SHARED_BYTES = 16 * 1024 * 1024
# What a route of the profile has instead of flights that can be booked.
SOLD_OUT = "has flights that are sold out"

Credentials = V4Credentials | TokenCredentials
Cause = Callable[[str, Exchange], None]
"""Raises an outcome if it is the reason for an unexpected response to a request of an operation."""


@dataclass(frozen=True, slots=True)
class _Shared:
    """A shared resource, or the outcome of its failed creation, with the capabilities that it needs.

    ``size`` is the number of bytes in the responses of its creation.
    """

    resource: Any
    capabilities: tuple[str, ...]
    size: int


@dataclass(eq=False, repr=False)
class ServiceClient:
    """Sends requests with one organisation's key, and keeps the resources that scenarios share.

    ``followers`` receive each response, ``causes`` may explain an unexpected one. ``documented_uses`` are the
    operations: each use sends a documented request and raises `PrerequisiteFailed` with the operation's own rule if the
    service does not accept it. ``histories`` has what happened to the orders and bookings.
    """

    profile: Profile
    organisation: Organisation
    client: Client
    payments: PaymentFields
    clock: TargetClock
    contract: Contract
    share: Share = field(default_factory=Share)
    followers: list[Callable[[ParsedResponse], None]] = field(default_factory=list, init=False)
    causes: list[Cause] = field(default_factory=list, init=False)
    documented_uses: dict[str, Callable[[], object]] = field(default_factory=dict, init=False)
    histories: Histories = field(default_factory=Histories, init=False)
    # The operations whose unexpected responses are being explained.
    _explained: set[str] = field(default_factory=set, init=False)
    _shared: dict[Hashable, _Shared] = field(default_factory=dict, init=False)
    _post_forms: dict[str, KeyForm] = field(default_factory=dict, init=False)
    _received: int = field(default=0, init=False)

    @property
    def needs(self) -> CapabilityRequirements:
        """The check of the capabilities that scenarios need."""
        return self.payments.needs

    @property
    def v4(self) -> V4Credentials:
        """The organisation's credentials for v4. Raises NotApplicable if the profile has none."""
        if self.organisation.v4 is None:
            raise NotApplicable("the profile has no credentials for v4: [v4] key")
        self._expect_own("v4", self.organisation.v4, self.profile.organisation.v4)
        return self.organisation.v4

    def _expect_own(self, version: str, own: Credentials, first: Credentials | None) -> None:
        """Continue unless a second organisation is the first: a customer code identifies the distributor."""
        if self.organisation is not self.profile.organisation and first is not None:
            is_another = own.customer_code.reveal() != first.customer_code.reveal()
            key = f"second_organisation.{version}"
            expect_situation(is_another, key, "has the customer code of the first organisation")

    def send(self, draft: RequestDraft, **options: Any) -> ParsedResponse:
        """Send a draft with the organisation's key. ``options`` are arguments of `Client.send`, such as another key."""
        if "key" in options:
            return self._send(draft, **options)
        response = self._send(draft, key=self.authorization(draft), **options)
        version = draft.path.split("/")[1]
        if response.status != 401 or draft.method != "POST" or version == "v4" or version in self._post_forms:
            return response
        # The form of the token in a POST is not documented (OPEN-18): if the service rejects one form, try the other.
        credentials = self.token(version)
        other: KeyForm = "bare" if credentials.post_key_form == "bearer" else "bearer"
        retried = self._send(draft, key=replace(credentials, post_key_form=other).authorization("POST"), **options)
        self._post_forms[version] = credentials.post_key_form if retried.status == 401 else other
        return response if retried.status == 401 else retried

    def _send(self, draft: RequestDraft, **options: Any) -> ParsedResponse:
        json = NOT_GIVEN if draft.body is None else draft.body
        response = ParsedResponse(
            self.client.send(draft.method, draft.path, query=draft.query, json=json, body=draft.raw, **options)
        )
        self._received += len(response.content)
        self.histories.record(draft, response)
        for follow in (self.payments.follow, *self.followers):
            follow(response)
        if response.status in NOT_OF_THE_SERVICE:
            # The service may have processed the request, so sending it again could create a second order.
            raise InconclusiveError(f"a gateway responded instead of the service with status {response.status}")
        return response

    def authorization(self, draft: RequestDraft) -> str:
        """Return the Authorization of a request: the bare key for v4, the token in its form for v2 and v3.

        Raises NotApplicable if the profile has no credentials for the interface.
        """
        version = draft.path.split("/")[1]
        if version == "v4":
            return self.v4.key.reveal()
        credentials = self.token(version)
        form = self._post_forms.get(version, credentials.post_key_form)
        return replace(credentials, post_key_form=form).authorization(draft.method)

    def scheme(self, draft: RequestDraft) -> str:
        """Return what precedes the key or token in the Authorization of a request: a key may contain spaces itself."""
        version = draft.path.split("/")[1]
        own = self.v4.key if version == "v4" else self.token(version).token
        return self.authorization(draft).removesuffix(own.reveal())

    def token(self, version: str) -> TokenCredentials:
        """Return the organisation's credentials for v2 or v3. Raises NotApplicable if the profile has none."""
        found = self.organisation.tokens.get(version)
        if found is None:
            raise NotApplicable(f"the profile has no credentials for {version}: [{version}] token")
        self._expect_own(version, found, self.profile.organisation.tokens.get(version))
        return found

    def operation(self, draft: RequestDraft) -> Operation | None:
        """Return the documented operation of a request."""
        return self.contract.operation(draft.method, f"{self.profile.base_url}{draft.path}")

    def explain(self, exchange: Exchange) -> None:
        """Raise the outcome that explains an unexpected response; return if the service violates the running rule.

        An operation that never works violates its own rule, whatever rule the response was to show. Its documented use
        is shared, so that it costs requests only once.
        """
        operation = self.contract.operation(exchange.request.method, exchange.request.url)
        if exchange.response is None or operation is None:
            return
        for cause in (self.payments.explain, *self.causes):
            cause(operation.id, exchange)
        if ParsedResponse(exchange).succeeded or operation.id in self._explained:
            return
        self._explained.add(operation.id)
        try:
            self.documented_uses.get(operation.id, lambda: None)()
        finally:
            self._explained.discard(operation.id)

    def send_required(self, draft: RequestDraft, reason: str, rule: str, *members: str) -> ParsedResponse:
        """Send a request on which the scenario depends, and return its successful response.

        The response must contain ``members``. Other violations are left to the contract.

        Raises:
            PrerequisiteFailed: with ``reason`` and ``rule``, if the response is not successful or lacks a member.
        """
        return self.require_success(self.send(draft), reason, rule, *members)

    def require_success(self, response: ParsedResponse, reason: str, rule: str, *members: str) -> ParsedResponse:
        """Return a response on which the scenario depends. Raise as `send_required` does."""
        if not response.succeeded:
            self.explain(response.exchange)
        with prerequisite(reason, rule=_owner(response, rule), exchange=response.exchange):
            expect_status(response, response.succeeded, "the service must accept a documented request", "status 200")
            expect(
                response.body is not None,
                "the response to a documented request must be JSON",
                expected="a JSON body",
                actual="a body that cannot be read as JSON" if response.content else "no body",
                exchange=response.exchange,
            )
            for name in members:
                response.expect(
                    response.member(name),
                    f"the response must contain {name}",
                    expected=f"a value of {name}",
                    actual="none",
                    pointer=f"/{name}",
                )
        return response

    def once(self, key: Hashable, create: Callable[[], Resource]) -> Resource:
        """Return the shared resource for ``key``, which is created once. If its creation failed, raise that outcome.

        The running scenario needs the same capabilities as the resource. If the responses of the target are large, the
        oldest resources are no longer shared, so that they do not fill the memory.
        """
        if key in self._shared:
            self.needs.note(*self._shared[key].capabilities)
        else:
            noted = self.needs.noted()
            before, received = len(noted), self._received
            created: Any
            try:
                created = create()
            except SeatsGone:
                raise
            except Outcome as outcome:
                created = _without_frames(outcome)
            self._shared[key] = _Shared(created, tuple(noted[before:]), self._received - received)
            self._limit_shared()
        resource = self._shared[key].resource
        if isinstance(resource, Outcome):
            raise resource.with_traceback(None)
        return cast("Resource", resource)

    def route_key(self, situation: str) -> str:
        """Return the key of the profile that names the route of a situation: ``routes.regular``."""
        return f"routes.{self.profile.route_name(situation)}"

    def sold_out(self, situation: str, response: ParsedResponse | None = None) -> SeatsGone:
        """Return the outcome of a scenario whose flights are no longer available.

        If a ``response`` says so that has another cause, raise that outcome.
        """
        if response is not None:
            self.explain(response.exchange)
            if not response.rejected:
                return SeatsGone(f"the service responds with status {response.status} to a documented request")
        exchange = response.exchange if response else None
        return SeatsGone(f"[{self.route_key(situation)}] of the profile {SOLD_OUT}", exchange)

    def works_elsewhere(self, situation: str, attempt: Callable[[str], object]) -> bool:
        """Return whether an ``attempt`` succeeds on any other route of the same interface, so that it is the route."""
        own, is_of_flights = self.profile.route_name(situation), situation.startswith("flights_")
        return any(
            self.succeeds(partial(attempt, name))
            for name in self.profile.routes
            if name != own and name.startswith("flights_") == is_of_flights
        )

    @staticmethod
    def succeeds(attempt: Callable[[], object]) -> bool:
        """Return what an ``attempt`` returns, or False if it ends with an outcome."""
        try:
            return bool(attempt())
        except (Outcome, AssertionError):
            return False

    def search_anew(self) -> None:
        """Forget what searches have found, and the offers of these."""
        self._shared = {key: each for key, each in self._shared.items() if not _is_found(key)}

    def try_anew(self) -> None:
        """Forget what could not be created, so that it is tried again."""
        self._shared = {key: each for key, each in self._shared.items() if not isinstance(each.resource, Outcome)}

    def _limit_shared(self) -> None:
        size = sum(each.size for each in self._shared.values())
        for key in [key for key, each in self._shared.items() if not isinstance(each.resource, Outcome)][:-1]:
            if size <= _MAX_SHARED_BYTES:
                return
            size -= self._shared.pop(key).size

    def forget(self, resource: object) -> None:
        """Stop sharing a resource that a scenario has changed."""
        self._shared = {key: shared for key, shared in self._shared.items() if shared.resource is not resource}


def _is_found(key: Hashable) -> bool:
    return isinstance(key, tuple) and key[0] in ("search", "offer", "flights", "round trips")


def _without_frames(outcome: Outcome) -> Outcome:
    """Return an outcome without tracebacks, which would keep the local variables of the steps in memory."""
    error: BaseException | None = outcome
    while error:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__
    return outcome


def _owner(response: ParsedResponse, rule: str) -> str:
    """Return the rule that the service violates by rejecting a request: the rule about keys for status 401."""
    if response.status != 401:
        return rule
    return "V4-AUTH-KEY" if "/v4/" in response.exchange.request.url else "V23-AUTH-KEY"
