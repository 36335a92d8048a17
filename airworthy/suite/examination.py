"""The examination of a target by one process: each exchange is judged, recorded and assigned to its scenario."""

import base64
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from airworthy.contract.findings.finding import Finding
from airworthy.contract.http.exchange import Exchange
from airworthy.errors import StorageError
from airworthy.report.results import weigh
from airworthy.suite.capture import Capture, count_reactions
from airworthy.suite.interrupts import Interrupts
from airworthy.target.client import Client, sequential_ids
from airworthy.target.clock import TargetClock, clock_control, clock_reader
from airworthy.target.ledger import BookingLimitError, Ledger, LiveBookingError, created_kind
from airworthy.target.profile import Organisation, Profile
from airworthy.target.rate_limiter import RateLimiter
from airworthy.target.retries import RunBudget, is_rejected_by_throttling
from airworthy.target.secret import Secret
from airworthy.target.transport import BASE_URL

_OUTSIDE: Final = "outside of any scenario"
_MAX_VIOLATING_EXCHANGES: Final = 1_000
_MAX_BODY_BYTES: Final = 16 * 1024

ExchangeJudge = Callable[[Exchange, Capture], list[Finding]]
"""Returns the findings of an exchange, and adds to the capture the rules that were applied and the steps taken."""


class Examination:
    """Receives each exchange once, from any thread.

    Args:
        judge: returns the findings of an exchange; never raises.
        keep: writes an exchange to the evidence.
        ledger: records what the exchanges create at the target.

    ``capture`` is that of the running scenario. ``violations`` are those of the session so far, and
    ``violating_exchanges`` their exchanges by id; both are bounded. ``unjudged`` contains the first response that could
    not be judged, if any. ``bookings_left`` is how many bookings an exploration may still make. ``storage_error`` is
    set once a file of the run could not be written; after that, no request is sent.
    """

    def __init__(self, judge: ExchangeJudge, keep: Callable[[Exchange, Capture], None], ledger: Ledger) -> None:
        self.ledger = ledger
        self.violations: list[Finding] = []
        self.unjudged: list[Finding] = []
        self.violating_exchanges: dict[str, Exchange] = {}
        self.capture = Capture(_OUTSIDE)
        self.storage_error: StorageError | None = None
        self.bookings_left = math.inf
        self._mistaken_requests: dict[str, Finding] = {}
        self._judge = judge
        self._keep = keep
        self._lock = threading.Lock()

    def begin(self, scenario: str, rules: frozenset[str], *, explores: bool = False) -> Capture:
        """Start a scenario, or a conversation of an exploration, and return its capture."""
        self.capture = Capture(
            scenario,
            rules,
            earlier_violations=self.violations,
            unjudged=self.unjudged,
            violating_exchanges=self.violating_exchanges,
            mistaken_requests=self._mistaken_requests,
            explores=explores,
        )
        return self.capture

    def leave(self) -> None:
        """End a scenario: the exchanges that follow belong to a test that is not the suite's."""
        self.capture = Capture(_OUTSIDE)

    def receive(self, exchange: Exchange) -> None:
        """Record an exchange, judge it, and add it to the capture of the running scenario.

        Raises:
            StorageError: the exchange could not be recorded.
        """
        with Interrupts.held(), self._lock:
            # The ledger comes first, because the user needs it to clean up.
            try:
                self.ledger.record(exchange, self.capture.scenario)
                self._keep(exchange, self.capture)
            except StorageError as error:
                self.storage_error = self.storage_error or error
                raise
            if is_rejected_by_throttling(exchange.response):
                # If the request is sent again, it is counted again.
                self.bookings_left += self._bookings(exchange.request.method, exchange.request.url)
            findings = self._judge(exchange, self.capture)
            count_reactions(exchange, findings, self.capture.applied)
            if self.capture.scenario == _OUTSIDE:
                return
            self.capture.exchanges.append(_without_large_bodies(exchange))
            self.capture.findings.extend(findings)
            about_response = [each for each in findings if each.side == "response"]
            if mistakes := self.capture.unexpected_among(findings):
                self._mistaken_requests[exchange.id] = mistakes[0]
            if not self.unjudged:
                self.unjudged += [each for each in about_response if weigh(each) == "untested"][:1]
            violations = [each for each in about_response if weigh(each) == "failed"]
            if violations and len(self.violating_exchanges) < _MAX_VIOLATING_EXCHANGES:
                self.violations += violations
                self.violating_exchanges[exchange.id] = _without_large_bodies(exchange)

    def count_booking(self, method: str, path: str) -> None:
        """Count a request of an exploration that may book. Raise `BookingLimitError` if there are enough of them."""
        if self._bookings(method, path) > self.bookings_left:
            raise BookingLimitError
        self.bookings_left -= self._bookings(method, path)

    def _bookings(self, method: str, path: str) -> int:
        may_book = self.capture.explores and created_kind(method, path) in ("confirmation", "booking")
        return 1 if may_book else 0

    def check_storage(self) -> None:
        """Raise the `StorageError` that stops the run, if there is one."""
        if self.storage_error:
            raise self.storage_error


@dataclass
class Connections:
    """The clients of one examination, and the target's clock. ``second`` and ``provider`` may be None."""

    clock: TargetClock
    run_budget: RunBudget
    client: Client
    second: Client | None = None
    provider: Client | None = None
    _clock_client: Client | None = field(default=None, repr=False)

    def close(self) -> None:
        """Close all connections."""
        for each in (self.client, self.second, self.provider, self._clock_client):
            if each:
                each.close()


def connect(
    profile: Profile,
    examination: Examination,
    *,
    allow_live_bookings: bool = False,
    prefix: str = "x",
    shared: Path | None = None,
    pause: Callable[[float], None] = time.sleep,
) -> Connections:
    """Return the clients for a profile.

    Args:
        profile: the target's.
        examination: receives the exchanges.
        allow_live_bookings: whether requests that book may be sent to a production environment.
        prefix: the start of each exchange id.
        shared: the folder by which several processes share the target's clock and ``max_rps``.
        pause: sleeps until a request may be sent, or a throttled one again.
    """
    run_budget = RunBudget()
    pace = RateLimiter(profile.max_rps, pause, shared)
    clock_client = profile.advance_url and Client(
        profile.advance_url,
        ca_bundle=profile.ca_bundle,
        timeout=profile.timeout_seconds,
        address_key="[clock] advance_url",
    )
    clock = TargetClock(
        clock_control(clock_client) if clock_client else None,
        shared / "clock" if shared else None,
        clock_reader(clock_client) if clock_client else None,
    )
    clock.adopt()
    identifiers = sequential_ids(prefix)

    def guard(method: str, path: str) -> None:
        examination.check_storage()
        if profile.environment == "production" and not allow_live_bookings and created_kind(method, path):
            raise LiveBookingError
        examination.count_booking(method, path)

    def client(base_url: str, key: Secret | None, address_key: str = BASE_URL) -> Client:
        return Client(
            base_url,
            key=key,
            ca_bundle=profile.ca_bundle,
            timeout=profile.timeout_seconds,
            address_key=address_key,
            rate_limiter=pace,
            run_budget=run_budget,
            now=clock.now,
            ids=identifiers,
            before=guard,
            pause=pause,
            listeners=[examination.receive],
        )

    payment = profile.payment
    second = profile.second_organisation
    return Connections(
        clock,
        run_budget,
        client(profile.base_url, _v4_key(profile.organisation)),
        client(profile.base_url, _v4_key(second)) if second else None,
        client(payment.url, _basic(payment.token), "[payment] url") if payment.url and payment.token else None,
        clock_client or None,
    )


def _without_large_bodies(exchange: Exchange) -> Exchange:
    """Return an exchange without a large response body, which is in the evidence and would fill the memory here."""
    response = exchange.response
    if response and len(response.body or b"") > _MAX_BODY_BYTES:
        response = replace(response, body=None)
    return replace(exchange, response=response)


def _v4_key(organisation: Organisation) -> Secret | None:
    # The Authorization of v3 and v2 depends on the method, so their callers pass it with each request.
    return organisation.v4.key if organisation.v4 else None


def _basic(token: Secret) -> Secret:
    encoded = base64.b64encode(f"{token.reveal()}:".encode()).decode()
    return Secret(f"Basic {encoded}", token.name.lstrip("$"))
