"""Summarise the findings of any amount of traffic in bounded memory, and say what the outcome is.

Summaries of parts of the traffic merge into the summary of the whole. The result does not depend on the order, because
which rows are kept when there are too many depends only on the rows themselves. The outcome is an exit code, and a
headline with one sentence.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, TypeVar

from airworthy.contract import Exchange, Finding
from airworthy.report.results import WORST_FIRST, weigh
from airworthy.traffic.golive.observer import GoLive
from airworthy.traffic.naming import exchange_name

MOST_ROWS: Final = 1000
MOST_REASONS: Final = 50
OTHER_REASONS: Final = "other reasons"
KINDS: Final = ("violation", "drift", "deprecated", "warning", "unreadable")
_DISCLOSURES: Final = ("-CARD-DATA", "-CARD-TOKEN")
"""How the ids of the rules end whose violation discloses card data."""
_ITEM: Final = "GOLIVE-"
"""How the ids of the go-live items begin, which a finding has that only the list finds."""

COUNTS: Final = ("seen", "judged", "foreign", "unrecorded", "gaps", "unredacted")
"""The members of a summary that are numbers of exchanges, of failures and of values."""

Key = tuple[str, ...]
Example = tuple[str, datetime]
"""The id of an exchange and when it started: several recordings may use the same ids."""
Name = TypeVar("Name", bound=str)
Tone = Literal["passed", "warning", "failed", "untested"]


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """All findings with the same rule, location and operation.

    ``finding`` is the example, from the first exchange in time, which started at ``first``: one that is not soft, if
    there is any. ``count`` is the number of findings.
    """

    operation: str
    count: int
    first: datetime
    last: datetime
    finding: Finding

    @property
    def key(self) -> Key:
        """The key under which equal findings are counted."""
        return (self.operation, *self.finding.key, self.finding.drift or "", self.finding.provenance)

    @property
    def place(self) -> str:
        """The location of the finding, with an asterisk for each array index."""
        return self.finding.key[-1]

    @property
    def example(self) -> Example:
        """What identifies the example exchange."""
        return self.finding.exchange, self.first

    @property
    def example_name(self) -> str:
        """The name of the example exchange, without the operation."""
        return exchange_name(*self.example)

    def __add__(self, other: "SummaryRow") -> "SummaryRow":
        """Return the sum of both rows, with the earlier finding as the example: a warning does not hide a violation."""
        example = min(self, other, key=lambda row: (row.finding.soft, row.first, row.example, row.finding.message))
        return replace(example, count=self.count + other.count, last=max(self.last, other.last))


class Summary:
    """Counts exchanges and their findings. Not thread-safe.

    ``seen`` counts all exchanges. Each is either ``foreign`` (with another host than the service's), ``judged``, or
    not completely judged, which ``not_judged`` counts by reason. ``unrecorded`` counts exchanges whose evidence could
    not be written, ``unredacted`` the values that it omits, ``gaps`` the failures of a live judge, ``operations`` the
    service's exchanges by operation, ``kinds`` all findings by kind. At most ``most_rows`` rows are kept:
    findings about documented names take precedence over names that only occur in traffic.
    """

    def __init__(self, *, most_rows: int = MOST_ROWS, golive: GoLive | None = None) -> None:
        self.golive = golive or GoLive()
        self.seen = self.judged = self.foreign = self.unrecorded = self.unredacted = self.gaps = 0
        self.not_judged: Counter[str] = Counter()
        self.operations: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.began: datetime | None = None
        self.ended: datetime | None = None
        self._most = most_rows
        self._rows: dict[Key, SummaryRow] = {}

    def add(self, exchange: Exchange, findings: Sequence[Finding], operation: str) -> None:
        """Count an exchange of the service; ``operation`` is its `operation_name`."""
        self.seen += 1
        self.operations[operation] += 1
        self._extend_period(exchange.started, exchange.started)
        unread = [finding.message for finding in findings if finding.kind == "unreadable"]
        for reason in unread[:1]:
            self._count_not_judged(reason, 1)
        self.judged += not unread
        for finding in findings:
            self.kinds[counted_kind(finding)] += 1
            self.add_row(SummaryRow(operation, 1, exchange.started, exchange.started, finding))

    def count_foreign(self) -> None:
        """Count an exchange with another host than the service's."""
        self.seen += 1
        self.foreign += 1

    def count_unreadable(self, reason: str) -> None:
        """Count an entry that could not be read, with the reason."""
        self.seen += 1
        self._count_not_judged(reason, 1)

    def merge(self, other: "Summary") -> None:
        """Add the summary of another part of the same traffic."""
        for name in COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.operations += other.operations
        self.kinds += other.kinds
        for reason, count in other.not_judged.items():
            self._count_not_judged(reason, count)
        if other.began and other.ended:
            self._extend_period(other.began, other.ended)
        for row in other.rows():
            self.add_row(row)
        self.golive.merge(other.golive)

    def rows(self) -> tuple[SummaryRow, ...]:
        """Return the rows, the most severe first, then the most frequent."""
        self._trim()
        return tuple(sorted(self._rows.values(), key=lambda row: (*_severity(row.finding), -row.count, row.key)))

    @property
    def unlisted(self) -> int:
        """The number of findings that are counted in ``kinds`` but not in any row."""
        return self.kinds.total() - sum(row.count for row in self.rows())

    def _extend_period(self, first: datetime, last: datetime) -> None:
        self.began = min(self.began or first, first)
        self.ended = max(self.ended or last, last)

    def _count_not_judged(self, reason: str, count: int) -> None:
        self.not_judged[reason] += count
        reasons = self.not_judged.keys() - {OTHER_REASONS}
        if len(reasons) > MOST_REASONS:
            # The same reasons remain in whatever order the parts of the traffic are merged.
            self.not_judged[OTHER_REASONS] += self.not_judged.pop(max(reasons))

    def add_row(self, row: SummaryRow) -> None:
        """Add a row, without counting its findings in ``kinds``."""
        known = self._rows.get(row.key)
        self._rows[row.key] = known + row if known else row
        if len(self._rows) >= 2 * self._most:
            self._trim()

    def _trim(self) -> None:
        """Keep the rows with the lowest rank. A row that is kept in the end was never dropped before."""
        if len(self._rows) > self._most:
            self._rows = {row.key: row for row in sorted(self._rows.values(), key=_rank)[: self._most]}


def ranked(counts: Mapping[Name, int]) -> dict[Name, int]:
    """Return counts, the largest first; equal counts are sorted by name."""
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def _severity(finding: Finding) -> tuple[int, bool, int]:
    """Return the severity of a finding: disclosed card data first, unknown names last, however frequent they are."""
    return WORST_FIRST.index(weigh(finding)), not finding.rule.endswith(_DISCLOSURES), KINDS.index(finding.kind)


def _rank(row: SummaryRow) -> tuple[int, bool, int, bytes]:
    # Times and counts differ between the parts of the traffic, so they must not decide.
    return (*_severity(row.finding), hashlib.sha256("\0".join(row.key).encode("utf-8", "replace")).digest())


@dataclass(frozen=True, slots=True)
class TrafficOutcome:
    """The exit code (0 no violations, 1 violations, 3 nothing was judged), and the texts that explain it."""

    exit_code: int
    tone: Tone
    headline: str
    lead: str


def outcome(summary: Summary) -> TrafficOutcome:
    """Return the outcome of a summary. Warnings, notes and violations of the go-live list do not fail the traffic."""
    rows = summary.rows()
    seen = number(summary.operations.total(), "exchange")
    failed = [row for row in rows if weigh(row.finding) == "failed" and not row.finding.rule.startswith(_ITEM)]
    warned = [row for row in rows if weigh(row.finding) == "warning"]
    if not failed and (not summary.judged or _is_elsewhere(summary)):
        headline = "Nothing of the service was judged" if summary.judged else "Nothing was judged"
        return TrafficOutcome(3, "untested", headline, _why_nothing(summary))
    listed = [row for row in rows if row.finding.kind != "unreadable"]
    prefix = "at least " if summary.unlisted else ""
    headline = f"{prefix}{number(len(listed), 'distinct finding')} in {seen}" if listed else f"No findings in {seen}"
    headline = headline[:1].upper() + headline[1:]
    if failed:
        return TrafficOutcome(
            1, "failed", headline, f"The traffic does not conform to the contract: {_by_side(failed)}."
        )
    if violated := [
        f"{each.item.id} ({each.version})" for each in summary.golive.required() if each.progress.violations
    ]:
        headline = f"{headline}, and the go-live list is violated: {', '.join(violated)}"
    lead = "All judged exchanges conform to the contract"
    if warned:
        lead = f"No violations of the contract, but warnings: {_by_side(warned)}"
    if summary.not_judged:
        lead = f"{lead}; {_not_judged(summary)}"
    return TrafficOutcome(0, "warning" if warned or violated else "passed", headline, f"{lead}.")


def counted_kind(finding: Finding) -> str:
    """Return the one of `KINDS` that a finding counts as; a soft one is a warning, whatever it warns of."""
    return "warning" if finding.soft else finding.kind


def labelled(count: int, label: str) -> str:
    """Return a number of findings with their label, for example ``2 violations`` or ``2 drift``."""
    return number(count, label) if label in ("violation", "warning", "note") else f"{count:,} {label}"


def number(count: int, noun: str) -> str:
    """Return a number with its noun, for example ``1,204 exchanges``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _is_elsewhere(summary: Summary) -> bool:
    """Return whether the service has another address: all that was judged are exchanges with a payment provider."""
    return summary.foreign > 0 and not summary.golive.versions


def _by_side(rows: list[SummaryRow]) -> str:
    client = sum(row.finding.side == "request" for row in rows)
    sides = [(client, "the client"), (len(rows) - client, "the service")]
    return ", ".join(f"{number(count, 'finding')} for {side}" for count, side in sides if count)


def _not_judged(summary: Summary) -> str:
    count, reasons = summary.not_judged.total(), [*ranked(summary.not_judged)]
    more = " and other reasons" if len(reasons) > 1 else ""
    return f"{count:,} of {summary.seen:,} entries could not be judged: {reasons[0]}{more}"


def _why_nothing(summary: Summary) -> str:
    if summary.not_judged and not summary.judged:
        return f"{_not_judged(summary)}."
    if summary.foreign:
        return f"The base URL does not match any of {number(summary.foreign, 'exchange')}."
    return "The traffic contains no exchanges."
