"""What a whole traffic came to, in bounded memory: a day of 100,000 exchanges is a page, not a flood.

Summaries of parts of a traffic merge into the summary of the whole, the same one in whatever order: what is kept of
more rows than there is room for depends on the rows alone.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeVar

from airworthy.contract import Exchange, Finding, Kind, ResolvedUrl
from airworthy.contract.contract import SERVED
from airworthy.contract.operations import PAYMENT
from airworthy.report.results import WORST_FIRST, weigh
from airworthy.traffic.golive import GoLive

MOST_ROWS: Final = 1000
MOST_REASONS: Final = 50
OTHER_REASONS: Final = "for further reasons"
KINDS: Final[tuple[Kind, ...]] = ("violation", "drift", "deprecated", "unreadable")

Key = tuple[str, ...]
Name = TypeVar("Name", bound=str)


@dataclass(frozen=True, slots=True)
class Row:
    """One kind of finding at one place of one operation.

    ``finding`` is the example, that of the first exchange in time, whose moment is ``first``; ``count`` is the number
    of exchanges that show it.
    """

    operation: str
    finding: Finding
    count: int
    first: datetime
    last: datetime

    @property
    def key(self) -> Key:
        """The same kind of finding has the same key."""
        return (self.operation, *self.finding.key, self.finding.drift or "", self.finding.provenance)

    @property
    def place(self) -> str:
        """Where it shows: the finding's pointer, with an asterisk for positions in lists."""
        return self.finding.key[-1]

    def __add__(self, other: "Row") -> "Row":
        """Return both, the earlier one's finding as the example."""
        earlier = min(self, other, key=lambda row: (row.first, row.finding.exchange, row.finding.message))
        return replace(earlier, count=self.count + other.count, last=max(self.last, other.last))


class Summary:
    """Tallies judged exchanges and their findings; for one thread at a time.

    ``seen`` exchanges are ``foreign`` (not the service's), ``judged``, or not (wholly) judged: ``not_judged`` counts
    them by reason. ``unrecorded`` are those whose evidence could not be written. ``operations`` counts the service's
    exchanges by operation, ``kinds`` all findings. At most ``most_rows`` kinds of findings are told apart: what the
    documents name goes before what only traffic names.
    """

    def __init__(self, *, most_rows: int = MOST_ROWS, golive: GoLive | None = None) -> None:
        self.golive = golive or GoLive()
        self.seen = self.judged = self.foreign = self.unrecorded = 0
        self.not_judged: Counter[str] = Counter()
        self.operations: Counter[str] = Counter()
        self.kinds: Counter[Kind] = Counter()
        self.began: datetime | None = None
        self.ended: datetime | None = None
        self._most = most_rows
        self._rows: dict[Key, Row] = {}

    def add(self, exchange: Exchange, findings: Sequence[Finding], operation: str) -> None:
        """Count an exchange of the service; ``operation`` is what `operation_name` calls it."""
        self.seen += 1
        self.operations[operation] += 1
        self._happened(exchange.started, exchange.started)
        unread = [finding.message for finding in findings if finding.kind == "unreadable"]
        for reason in unread[:1]:
            self._not_judged(reason, 1)
        self.judged += not unread
        for finding in findings:
            self.kinds[finding.kind] += 1
            self.keep(Row(operation, finding, 1, exchange.started, exchange.started))

    def pass_by(self) -> None:
        """Count an exchange that is not the service's."""
        self.seen += 1
        self.foreign += 1

    def gap(self, reason: str) -> None:
        """Count an exchange that could not be looked at, and why."""
        self.seen += 1
        self._not_judged(reason, 1)

    def merge(self, other: "Summary") -> None:
        """Take in the summary of another part of the same traffic."""
        self.seen += other.seen
        self.judged += other.judged
        self.foreign += other.foreign
        self.unrecorded += other.unrecorded
        self.operations += other.operations
        self.kinds += other.kinds
        for reason, count in other.not_judged.items():
            self._not_judged(reason, count)
        if other.began and other.ended:
            self._happened(other.began, other.ended)
        for row in other.rows():
            self.keep(row)
        self.golive.merge(other.golive)

    def rows(self) -> tuple[Row, ...]:
        """Return what was found, the worst first, then the most frequent."""
        self._trim()
        return tuple(sorted(self._rows.values(), key=lambda row: (*_weight(row.finding), -row.count, row.key)))

    @property
    def unlisted(self) -> int:
        """How many findings are of more kinds than there are rows: counted in ``kinds``, told nowhere else."""
        return self.kinds.total() - sum(row.count for row in self.rows())

    def _happened(self, first: datetime, last: datetime) -> None:
        self.began = min(self.began or first, first)
        self.ended = max(self.ended or last, last)

    def _not_judged(self, reason: str, count: int) -> None:
        known = reason in self.not_judged or len(self.not_judged) < MOST_REASONS
        self.not_judged[reason if known else OTHER_REASONS] += count

    def keep(self, row: Row) -> None:
        """Take in what was found alike, without counting its findings again."""
        known = self._rows.get(row.key)
        self._rows[row.key] = known + row if known else row
        if len(self._rows) >= 2 * self._most:
            self._trim()

    def _trim(self) -> None:
        """Keep the rows of the lowest rank: what is among them once was among them from its first exchange on."""
        if len(self._rows) > self._most:
            self._rows = {row.key: row for row in sorted(self._rows.values(), key=_rank)[: self._most]}


def ranked(counts: Mapping[Name, int]) -> dict[Name, int]:
    """Return counts, the largest first, in an order that does not depend on who counted first."""
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def operation_name(call: ResolvedUrl) -> str:
    """Name what a request calls, the same for all values in its path: ``POST /v4/order/{orderId}/confirm``."""
    operation = call.operation
    if operation is None:
        return f"no operation of {call.version}" if call.version in SERVED else "a version that is not served"
    if operation.version == PAYMENT:
        return f"{operation.method} {operation.path} (payment provider)"
    return f"{operation.method} /{operation.version}{operation.path}"


def _weight(finding: Finding) -> tuple[int, int]:
    """Order findings by how much they matter: names that only the traffic knows are last, whatever their number."""
    return WORST_FIRST.index(weigh(finding)), KINDS.index(finding.kind)


def _rank(row: Row) -> tuple[int, int, bytes]:
    # Not by time or number, on which the parts of a traffic would not agree.
    return (*_weight(row.finding), hashlib.sha256("\0".join(row.key).encode("utf-8", "replace")).digest())
