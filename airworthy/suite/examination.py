"""One process's examination of one target: every exchange is judged, kept as evidence and put to its scenario."""

import base64
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Protocol

from airworthy.contract.applications import Applications
from airworthy.contract.exchange import Exchange
from airworthy.contract.finding import Finding
from airworthy.errors import StorageError
from airworthy.report.results import weigh
from airworthy.suite.capture import Capture
from airworthy.target.client import Client, RateLimiter, sequential_ids
from airworthy.target.clock import TargetClock, clock_control, clock_reader
from airworthy.target.ledger import Ledger, LiveBookingError, created_kind
from airworthy.target.profile import Organisation, Profile
from airworthy.target.retries import MOST_RETRIES_OF_A_RUN, RetryBudget
from airworthy.target.secret import Secret

_REMEMBERED: Final = 1_000
_REMEMBERED_BYTES: Final = 16 * 1024


class ExchangeJudge(Protocol):
    """Returns the findings of an exchange."""

    def __call__(self, exchange: Exchange, applied: Applications) -> list[Finding]:
        """Return the findings, and add to ``applied`` how often each rule was applied; never raises."""


class Examination:
    """Receives each exchange once, from any thread.

    ``judge`` is the contract with the session's journey, ``keep`` writes evidence, ``ledger`` what is left behind.
    ``capture`` is the running scenario's. ``violations`` are those of the session so far, ``unjudged`` has the first
    response that could not be judged, and ``at_fault`` the exchanges with violations, by id (bounded). ``unwritten`` is
    why the files of the run could not be written;
    after that, nothing more is sent.
    """

    def __init__(self, judge: ExchangeJudge, keep: Callable[[Exchange, Capture], None], ledger: Ledger) -> None:
        self.ledger = ledger
        self.violations: list[Finding] = []
        self.unjudged: list[Finding] = []
        self.at_fault: dict[str, Exchange] = {}
        self.capture = Capture("outside of any scenario")
        self.unwritten: StorageError | None = None
        self._mistaken: dict[str, Finding] = {}
        self._judge = judge
        self._keep = keep
        self._lock = threading.Lock()

    def begin(self, scenario: str, rules: frozenset[str]) -> Capture:
        """Start a scenario and return its capture."""
        self.capture = Capture(
            scenario,
            rules,
            earlier=self.violations,
            unjudged=self.unjudged,
            at_fault=self.at_fault,
            mistaken=self._mistaken,
        )
        return self.capture

    def hear(self, exchange: Exchange) -> None:
        """Record an exchange, judge it, and put it to the running scenario.

        Raises:
            StorageError: the exchange could not be recorded.
        """
        with self._lock:
            # The ledger first: it is what somebody needs to clean up.
            try:
                self.ledger.record(exchange, self.capture.scenario)
                self._keep(exchange, self.capture)
            except StorageError as error:
                self.unwritten = self.unwritten or error
                raise
            findings = self._judge(exchange, self.capture.applied)
            self.capture.exchanges.append(_without_large_bodies(exchange))
            self.capture.findings.extend(findings)
            if mistakes := self.capture.unmeant(findings):
                self._mistaken[exchange.id] = mistakes[0]
            if not self.unjudged:
                self.unjudged += [each for each in findings if each.side == "response" and weigh(each) == "untested"][
                    :1
                ]
            violations = [each for each in findings if each.side == "response" and weigh(each) == "failed"]
            if violations and len(self.at_fault) < _REMEMBERED:
                self.violations += violations
                self.at_fault[exchange.id] = _without_large_bodies(exchange)

    def check_storage(self) -> None:
        """Raise the `StorageError` that keeps the run from going on, if there is one."""
        if self.unwritten:
            raise self.unwritten


@dataclass
class Connections:
    """The clients of one examination, and the target's clock. ``second`` and ``provider`` may be missing."""

    profile: Profile
    clock: TargetClock
    retry_budget: RetryBudget
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
    processes: int = 1,
    prefix: str = "x",
    shared_clock: Path | None = None,
    pause: Callable[[float], None] = time.sleep,
) -> Connections:
    """Make the clients of a profile; each of ``processes`` takes its part of ``max_rps``.

    ``prefix`` begins the ids of exchanges; ``shared_clock`` is the file by which several processes share a clock;
    ``pause`` sleeps before a throttled request is sent again.
    """
    retry_budget = RetryBudget(MOST_RETRIES_OF_A_RUN // processes)
    pace = RateLimiter(profile.max_rps / processes if profile.max_rps else None)
    mover = Client(profile.advance_url, ca_bundle=profile.ca_bundle) if profile.advance_url else None
    clock = TargetClock(clock_control(mover) if mover else None, shared_clock, clock_reader(mover) if mover else None)
    identifiers = sequential_ids(prefix)

    def guard(method: str, path: str) -> None:
        examination.check_storage()
        if profile.environment == "production" and not allow_live_bookings and created_kind(method, path):
            raise LiveBookingError

    def client(base_url: str, key: Secret | None) -> Client:
        made = Client(
            base_url,
            key=key,
            ca_bundle=profile.ca_bundle,
            timeout=profile.timeout_seconds,
            rate_limiter=pace,
            retry_budget=retry_budget,
            now=clock.now,
            ids=identifiers,
            before=guard,
            pause=pause,
        )
        made.listeners.append(examination.hear)
        return made

    payment = profile.payment
    second = profile.second_organisation
    return Connections(
        profile,
        clock,
        retry_budget,
        client(profile.base_url, _v4_key(profile.organisation)),
        client(profile.base_url, _v4_key(second)) if second else None,
        client(payment.url, _basic(payment.token)) if payment.url and payment.token else None,
        mover,
    )


def _without_large_bodies(exchange: Exchange) -> Exchange:
    """Return what a failure shows of an exchange. The evidence has the bodies; here they would fill the memory."""
    response = exchange.response
    if response and len(response.body or b"") > _REMEMBERED_BYTES:
        response = replace(response, body=None)
    return replace(exchange, response=response)


def _v4_key(organisation: Organisation) -> Secret | None:
    # What v3 and v2 are sent depends on the method: their callers say it for each call.
    return organisation.v4.key if organisation.v4 else None


def _basic(token: Secret) -> Secret:
    encoded = base64.b64encode(f"{token.reveal()}:".encode()).decode()
    return Secret(f"Basic {encoded}", token.name.lstrip("$"))
