"""Looks at the exchanges of one traffic, one after the other: judges, records and counts them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from airworthy.contract import Contract, Conversation, Exchange, Finding, InMemoryStore
from airworthy.contract.body import Json
from airworthy.contract.conversation.store import Subject
from airworthy.evidence.recorder import Recorder
from airworthy.traffic.golive import GoLive
from airworthy.traffic.summary import Summary, operation_name

_MOST_HOSTS: Final = 100


class Watch:
    """Judges exchanges in the order in which it sees them, each against those before; for one thread at a time.

    ``recorder`` takes the evidence.
    """

    def __init__(self, contract: Contract, *, recorder: Recorder | None = None, golive: GoLive | None = None) -> None:
        self.contract = contract
        self.summary = Summary(golive=golive)
        self._recorder = recorder
        self._memory = InMemoryStore()
        self._journeys: dict[str, Conversation] = {}

    @property
    def golive(self) -> GoLive:
        """How far the go-live list has come."""
        return self.summary.golive

    def see(self, exchange: Exchange, **context: str) -> list[Finding]:
        """Judge an exchange, record it with its ``context``, count what was found, and return that.

        ``request_unread`` and ``response_unread`` in the context say why a body is not there to be read. What is not
        the service's is counted as such and neither judged nor recorded. Never raises for what an exchange holds, nor
        where its evidence cannot be written: that is counted.
        """
        call = self.contract.resolve(exchange.request.method, exchange.request.url)
        if call is None:
            self.summary.pass_by()
            return []
        self._record(exchange, context)
        judged = self.contract.judge(exchange, self._journey(exchange))
        findings = [self._scrubbed(_explained(each, context)) for each in judged]
        self.summary.add(exchange, findings, operation_name(call))
        self.golive.see(exchange, call)
        return findings

    def weigh(self, exchange: Exchange) -> list[Finding]:
        """Judge a request that has no answer yet, and leave no trace of it."""
        return self.contract.judge(exchange, self._journey(exchange))

    def _record(self, exchange: Exchange, context: dict[str, str]) -> None:
        if self._recorder is None:
            return
        try:
            self._recorder.append(exchange, **context)
        except OSError:
            self.summary.unrecorded += 1

    def _scrubbed(self, finding: Finding) -> Finding:
        if self._recorder is None:
            return finding
        scrub = self._recorder.scrub
        return replace(
            finding,
            message=scrub(finding.message),
            expected=scrub(finding.expected),
            actual=scrub(finding.actual),
        )

    def _journey(self, exchange: Exchange) -> Conversation:
        """Return the journey of a service: another one, such as its test environment, counts its ids for itself."""
        host = urlsplit(exchange.request.url).netloc.lower()
        if host not in self._journeys:
            if len(self._journeys) >= _MOST_HOSTS:
                # Nothing is forgotten with it: all of them keep what they remember in one place.
                self._journeys.clear()
            self._journeys[host] = Conversation(_OfHost(self._memory, host))
        return self._journeys[host]


class _OfHost:
    """What is remembered of one host. Whose a secret is concerns all of them, the payment provider's among them."""

    def __init__(self, memory: InMemoryStore, host: str) -> None:
        self._memory, self._prefix = memory, f"{host} "

    def get(self, subject: Subject, key: str) -> Json:
        return self._memory.get(subject, key if subject == "secret" else self._prefix + key)

    def put(self, subject: Subject, key: str, value: Json) -> None:
        self._memory.put(subject, key if subject == "secret" else self._prefix + key, value)


def _explained(finding: Finding, context: Mapping[str, str]) -> Finding:
    """Say why a body is not there to be read, where that is known."""
    reason = context.get(f"{finding.side}_unread")
    return replace(finding, message=reason) if reason and finding.kind == "unreadable" else finding
