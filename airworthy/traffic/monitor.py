"""Judge, record and count the exchanges of some traffic, one after the other."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from airworthy.contract import Contract, Conversation, Exchange, Finding, InMemoryStore
from airworthy.contract.bodies.body import Json
from airworthy.contract.conversation.store import Subject
from airworthy.evidence.recorder import Recorder
from airworthy.traffic.golive.bookings import BookingMemory
from airworthy.traffic.golive.observer import GoLive
from airworthy.traffic.naming import operation_name
from airworthy.traffic.summary import Summary

_MOST_HOSTS: Final = 100


class TrafficMemory(NamedTuple):
    """What a `TrafficMonitor` remembers of earlier exchanges, without what it counted. It can be pickled."""

    conversations: InMemoryStore
    bookings: BookingMemory


class TrafficMonitor:
    """Judges exchanges in the order in which it receives them, each in the context of those before.

    ``recorder`` writes the evidence. ``services`` are origins that are known to be the service. Not
    thread-safe.
    """

    def __init__(
        self,
        contract: Contract,
        *,
        recorder: Recorder | None = None,
        golive: GoLive | None = None,
        services: Collection[str] = (),
    ) -> None:
        self.contract = contract
        self.summary = Summary(golive=golive)
        self._recorder = recorder
        self._services = services
        self._memory = InMemoryStore()
        self._conversations: dict[str, Conversation] = {}

    @property
    def golive(self) -> GoLive:
        """The progress on the go-live list."""
        return self.summary.golive

    def observe(self, exchange: Exchange, **context: str) -> list[Finding]:
        """Judge an exchange, record it with its ``context``, count its findings, and return them.

        ``request_unread`` and ``response_unread`` in the context are the reasons why a body is missing. An exchange
        with another host is counted as foreign, and neither judged nor recorded. Never raises for any content of an
        exchange; an exchange whose evidence cannot be written is counted as unrecorded.
        """
        url = self.contract.resolve(exchange.request.method, exchange.request.url)
        if url is None:
            self.summary.count_foreign()
            return []
        self._record(exchange, context)
        judged = self.contract.judge(exchange, self._conversation(exchange))
        # The reason why a body is missing says more than that it is.
        findings = [
            replace(each, message=reason)
            if each.kind == "unreadable" and (reason := context.get(f"{each.side}_unread"))
            else each
            for each in judged
        ]
        if self._recorder:
            findings = [self._recorder.scrub(each) for each in findings]
        self.golive.observe(exchange, url, findings)
        findings += self.golive.take_contradictions()
        self.summary.add(exchange, findings, operation_name(url))
        return findings

    @property
    def memory(self) -> TrafficMemory:
        """What is remembered of the exchanges so far; observing further ones changes it."""
        return TrafficMemory(self._memory, self.golive.memory)

    def recall(self, memory: TrafficMemory | None = None) -> None:
        """Replace what is remembered, by nothing unless ``memory`` is given; what was counted stays.

        Without a memory, the exchanges so far are unrelated to those that follow.
        """
        self._memory = memory.conversations if memory else InMemoryStore()
        self._conversations.clear()
        self.golive.recall(memory.bookings if memory else None)

    def judge_request(self, exchange: Exchange) -> list[Finding]:
        """Judge a request that has no response yet, without counting, recording or remembering it."""
        return self.contract.judge(exchange, self._conversation(exchange))

    def _record(self, exchange: Exchange, context: dict[str, str]) -> None:
        if self._recorder is None:
            return
        try:
            failures = self._recorder.redactor.failures
            self._recorder.append(exchange, **context)
            self.summary.unredacted += self._recorder.redactor.failures - failures
        except OSError:
            self.summary.unrecorded += 1

    def _conversation(self, exchange: Exchange) -> Conversation:
        """Return the conversation with a host: the ids of another one, such as a test environment, are unrelated."""
        url = urlsplit(exchange.request.url)
        host = url.netloc.lower()
        if host not in self._conversations:
            if len(self._conversations) >= _MOST_HOSTS:
                # This loses nothing: all of them share one memory.
                self._conversations.clear()
            lifetimes = self.golive.settings.lifetimes
            memory = _HostMemory(self._memory, host)
            if f"{url.scheme}://{host}" in self._services:
                memory.put("service", "", value=True)
            self._conversations[host] = Conversation(memory, lifetimes)
        return self._conversations[host]


class _HostMemory:
    """The memory of one host. Secrets are shared by all hosts, because a rule compares them across hosts."""

    def __init__(self, memory: InMemoryStore, host: str) -> None:
        self._memory, self._prefix = memory, f"{host} "

    def get(self, subject: Subject, key: str) -> Json:
        return self._memory.get(subject, key if subject == "secret" else self._prefix + key)

    def put(self, subject: Subject, key: str, value: Json) -> None:
        self._memory.put(subject, key if subject == "secret" else self._prefix + key, value)
