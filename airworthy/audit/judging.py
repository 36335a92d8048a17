"""Judge entries of recordings as a stream: group by group, the entries of each in the order of time."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import PurePath
from typing import Final, NamedTuple

import orjson

from airworthy.audit.recording import EntryFormat, UnreadableRecordingError
from airworthy.contract import Contract, Exchange, Finding, Request, Response
from airworthy.traffic import GoLive, Summary, TrafficMemory, TrafficMonitor
from airworthy.traffic.golive.items import GoLiveSettings
from airworthy.traffic.lines import method, path
from airworthy.traffic.summary import Example

Locations = dict[Example, tuple[int, int]]
"""The file index and the entry index of exchanges."""

_MEMBERS: Final = ("side", "pointer", "kind", "drift", "rule", "message", "expected", "actual", "soft", "earlier")
_MOST_LOCATIONS: Final = 10_000


class Entry(NamedTuple):
    """An entry of a recording, by the name and index of its file and its own zero-based index.

    ``exchange`` is None if the entry is not HTTP, or cannot be read: then ``unread`` contains the ``problem``.
    Otherwise ``unread`` contains the reason for each body that is missing.
    """

    name: str
    file: int
    number: int
    exchange: Exchange | None = None
    unread: Mapping[str, str] = {}

    @classmethod
    def read(cls, form: EntryFormat, raw: bytes, name: str, file: int, number: int) -> "Entry":
        """Return the entry in some bytes."""
        try:
            return cls(name, file, number, *form.exchange(form.content(raw), f"{name}:{number}"))
        except UnreadableRecordingError as error:
            return cls.broken(str(error), name, file, number)

    @classmethod
    def broken(cls, problem: str, name: str, file: int, number: int) -> "Entry":
        """Return an entry that cannot be read."""
        return cls(name, file, number, None, {"problem": problem})


def distinct(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield entries in the order of time, but an exchange that was recorded several times only once.

    Recordings overlap, because browsers save everything that a panel shows, and may be merged. Without its duration, an
    exchange cannot be told apart from an equal one that began at the same time.
    """
    started, seen = None, set[tuple[float, Request, Response]]()
    for entry in entries:
        exchange = entry.exchange
        if exchange is not None and exchange.response is not None and exchange.elapsed:
            if exchange.started != started:
                started = exchange.started
                seen.clear()
            content = exchange.elapsed, exchange.request, exchange.response
            if content in seen:
                continue
            seen.add(content)
        yield entry


class EntryJudge:
    """Judges groups of entries; a group is judged without regard to the others. Needs the same memory for any number.

    ``services`` are the origins at which a documented operation is called anywhere in the recordings.
    """

    def __init__(self, contract: Contract, golive: GoLiveSettings, services: frozenset[str] = frozenset()) -> None:
        self._monitor = TrafficMonitor(contract, golive=GoLive(golive), services=services)
        self._locations: Locations = {}

    @property
    def summary(self) -> Summary:
        """The summary of all groups so far."""
        return self._monitor.summary

    @property
    def examples(self) -> Locations:
        """The locations of the example exchanges in the summary."""
        return examples_of(self.summary, self._locations)

    @property
    def memory(self) -> TrafficMemory:
        """What is remembered of the entries of the last group."""
        return self._monitor.memory

    def judge(
        self, group: Iterable[Entry], memory: TrafficMemory | None = None
    ) -> Iterator[tuple[Entry, list[Finding]]]:
        """Judge the entries of a group in order, each in the context of those before; yield those with findings.

        ``memory`` is what is remembered of earlier entries of the group.
        """
        self._monitor.recall(memory)
        for entry in group:
            if findings := self._findings(entry):
                yield entry, findings

    def _findings(self, entry: Entry) -> list[Finding]:
        if entry.exchange is not None:
            findings = self._monitor.observe(entry.exchange, **entry.unread)
            if findings:
                self._locate(entry.exchange, entry)
            return findings
        if problem := entry.unread.get("problem"):
            # Other reasons are counted together, in however many files they occur.
            about_file = f"{PurePath(entry.name).name}: " if "the file" in problem else ""
            self.summary.count_unreadable(about_file + problem)
            self.summary.golive.record.skip(f"{entry.name}:{entry.number}", problem)
            return [Finding("", "unreadable", "request", "", problem, "", "", "")]
        self.summary.count_foreign()
        return []

    def _locate(self, exchange: Exchange, entry: Entry) -> None:
        example, place = (exchange.id, exchange.started), (entry.file, entry.number)
        self._locations[example] = min(place, self._locations.get(example, place))
        if len(self._locations) > _MOST_LOCATIONS:
            # An exchange that is not an example now will not become one.
            self._locations = self.examples


def examples_of(summary: Summary, *locations: Locations) -> Locations:
    """Return the locations of the example exchanges in a summary."""
    examples = {row.example for row in summary.rows()}
    found: Locations = {}
    for example, place in chain.from_iterable(each.items() for each in locations):
        if example in examples:
            found[example] = min(place, found.get(example, place))
    return found


def lines(entry: Entry, findings: Iterable[Finding]) -> bytes:
    """Return the findings of an entry as lines of JSON, without private data."""
    exchange = entry.exchange
    request = {
        "method": exchange and method(exchange),
        "path": exchange and path(exchange),
        "status": exchange.response.status if exchange and exchange.response else None,
    }
    shown = {"file": entry.name, "entry": entry.number, **request}
    found = (
        shown | {"class" if name == "drift" else name: getattr(finding, name) for name in _MEMBERS}
        for finding in findings
    )
    return b"".join(orjson.dumps(each, option=orjson.OPT_APPEND_NEWLINE) for each in found)
