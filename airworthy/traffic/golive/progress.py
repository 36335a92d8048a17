"""What traffic shows of the items of the go-live list, in bounded memory; parts of the traffic merge in any order."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

from airworthy.contract import Finding
from airworthy.contract.http.operations import SERVED
from airworthy.contract.http.transaction import Transaction
from airworthy.traffic.golive.findings import EVERY_REQUEST
from airworthy.traffic.golive.items import GoLiveItem
from airworthy.traffic.naming import UNKNOWN_TIME, exchange_name, operation_name

ALL: Final = ""
"""Stands for all versions: exchanges with the payment provider, and findings about the choice of the version."""
MOST_SIGHTINGS: Final = 5
MOST_VIOLATIONS: Final = 100
"""The largest number of distinct violations of one item, and of warnings: a partner has to know them all."""

Key = tuple[str, str]
Status = Literal["shown", "violated", "not shown", "not applicable"]


@dataclass(frozen=True, slots=True)
class Sighting:
    """Exchanges that say something about an item: ids in their order, and the time and operation of the last of them.

    ``finding`` is the violation or warning in them, ``reason`` why they leave a gap.
    """

    seen: datetime
    exchanges: tuple[str, ...]
    finding: Finding | None = None
    reason: str = ""
    operation: str = ""

    @property
    def name(self) -> str:
        """The name of the last exchange."""
        return exchange_name(self.exchanges[-1], self.seen, self.operation)


@dataclass(frozen=True, slots=True)
class ItemProgress:
    """What traffic shows of one item: the first sightings of each sort.

    ``proofs`` show the item, ``violations`` contradict it, ``warnings`` are soft findings, ``gaps`` are exchanges that
    could not be judged for it, and ``attempts`` come close to showing it. ``examined`` is the number of exchanges that
    it was judged by.
    """

    proofs: tuple[Sighting, ...] = ()
    violations: tuple[Sighting, ...] = ()
    warnings: tuple[Sighting, ...] = ()
    gaps: tuple[Sighting, ...] = ()
    attempts: tuple[Sighting, ...] = ()
    examined: int = 0

    def __add__(self, other: "ItemProgress") -> "ItemProgress":
        """Return the progress in both parts of the traffic."""
        return replace(self.with_sightings(other), examined=self.examined + other.examined)

    def with_sightings(self, other: "ItemProgress", *, most_proofs: int = MOST_SIGHTINGS) -> "ItemProgress":
        """Return this progress with the sightings of another part of the traffic, but not its count."""
        return ItemProgress(
            first(self.proofs, other.proofs)[:most_proofs],
            first(self.violations, other.violations, MOST_VIOLATIONS),
            first(self.warnings, other.warnings, MOST_VIOLATIONS),
            first(self.gaps, other.gaps),
            first(self.attempts, other.attempts),
            self.examined,
        )

    @property
    def status(self) -> Status:
        """The outcome: a violation counts more than a proof, and nothing is shown as long as there is a gap."""
        if self.violations:
            return "violated"
        return "shown" if self.proofs and not self.gaps else "not shown"

    @property
    def decisive(self) -> Sighting | None:
        """The sighting that explains the status, if there is one."""
        if self.violations:
            return self.violations[0]
        return next(iter((*self.gaps[:1], *self.proofs[:1], *self.attempts[-1:])), None)


@dataclass(frozen=True, slots=True)
class ItemOutcome:
    """The outcome of an item for one version."""

    item: GoLiveItem
    version: str
    progress: ItemProgress

    @property
    def status(self) -> Status:
        """The status of the item, which may concern other versions only."""
        return self.progress.status if self.version in self.item.versions else "not applicable"


def first(one: tuple[Sighting, ...], other: tuple[Sighting, ...], most: int = MOST_SIGHTINGS) -> tuple[Sighting, ...]:
    """Return the earliest sightings of both, each root cause and each set of exchanges once."""
    if not other or (len(one) == most and all(each.seen > one[-1].seen for each in other)):
        return one
    kept: dict[object, Sighting] = {}
    for each in sorted((*one, *other), key=lambda sighting: (sighting.seen, sighting.exchanges)):
        kept.setdefault(each.finding.key if each.finding else each.reason or each.exchanges, each)
    return tuple(kept.values())[:most]


_NOTHING: Final = ItemProgress()


class ProgressRecord:
    """What traffic shows so far, by item and version. Not thread-safe."""

    def __init__(self) -> None:
        # Every request is counted for several items, so that the counts are apart from what is shown.
        self._shown: dict[Key, ItemProgress] = {}
        self._examined: Counter[Key] = Counter()
        self._taken: Counter[Key] = Counter()
        self.revision = 0
        """Changes whenever something is shown that was not shown before."""
        self.contradictions: list[Finding] = []
        """What contradicts items, until somebody takes it."""

    @property
    def entries(self) -> Mapping[Key, ItemProgress]:
        """The progress by item and version; the version is `ALL` for what concerns all of them."""
        return {key: replace(shown, examined=self._examined[key]) for key, shown in self._shown.items()}

    def of(self, item: str, version: str) -> ItemProgress:
        """Return what the traffic shows of an item for a version."""
        shown = self._shown.get((item, version), _NOTHING) + self._shown.get((item, ALL), _NOTHING)
        return replace(shown, examined=self.examined(item, version) + self.examined(item, ALL))

    def examined(self, item: str, version: str) -> int:
        """Return the number of exchanges of a version that an item was judged by."""
        return self._examined[item, version]

    def add(self, item: str, version: str, progress: ItemProgress) -> None:
        """Add what some exchanges, or another part of the traffic, show of an item."""
        self._examined[item, version] += progress.examined
        known = self._shown.get((item, version))
        shown = (known or _NOTHING).with_sightings(progress, most_proofs=_most_proofs(item))
        if shown != known:
            self.revision += 1
            self._shown[item, version] = shown

    def take(self) -> Mapping[Key, ItemProgress]:
        """Return the progress, with the counts since the previous call, so that what is taken can be added up."""
        taken = {key: replace(each, examined=each.examined - self._taken[key]) for key, each in self.entries.items()}
        self._taken = self._examined.copy()
        return taken

    def examine(self, transaction: Transaction) -> None:
        """Record a request that was judged, which shows the items about every request."""
        for item in EVERY_REQUEST:
            self.show(transaction, item)

    def show(self, transaction: Transaction, item: str, *earlier: str) -> None:
        """Record that an exchange, after earlier ones, shows an item."""
        version, seen = transaction.url.version, transaction.started
        known = self._shown.get((item, version))
        if known and len(known.proofs) == _most_proofs(item) and known.proofs[-1].seen < seen:
            self._examined[item, version] += 1
        else:
            self.add(item, version, ItemProgress(proofs=(_sighting(transaction, earlier),), examined=1))

    def attempt(self, transaction: Transaction, item: str, reason: str, *earlier: str) -> None:
        """Record that an exchange comes close to showing an item, and why it does not show it."""
        attempts = (_sighting(transaction, earlier, reason=reason),)
        self.add(item, transaction.url.version, ItemProgress(attempts=attempts))

    def contradict(
        self,
        transaction: Transaction,
        item: str,
        message: str,
        expected: str,
        actual: str,
        *earlier: str,
        pointer: str = "",
    ) -> None:
        """Record a violation by the client that only the list finds, with the members of a `Finding`."""
        exchange = transaction.exchange.id
        finding = Finding(item, "violation", "request", pointer, message, expected, actual, exchange)
        if len(self.contradictions) < MOST_SIGHTINGS:
            self.contradictions.append(finding)
        version = transaction.url.version
        violations = (_sighting(transaction, earlier, finding, message),)
        self.add(item, version if version in SERVED else ALL, ItemProgress(violations=violations))

    def skip(self, entry: str, reason: str, seen: datetime = UNKNOWN_TIME, operation: str = "") -> None:
        """Record that something could not be read: it may contradict every item about requests."""
        gap = Sighting(seen, (entry,), reason=reason, operation=operation)
        for item in EVERY_REQUEST:
            self.add(item, ALL, ItemProgress(gaps=(gap,)))


def _most_proofs(item: str) -> int:
    # Any request shows the items about every request: the first one is enough.
    return 1 if item in EVERY_REQUEST else MOST_SIGHTINGS


def _sighting(
    transaction: Transaction, earlier: tuple[str, ...], finding: Finding | None = None, reason: str = ""
) -> Sighting:
    exchanges = tuple(dict.fromkeys((*filter(None, earlier), transaction.exchange.id)))
    return Sighting(transaction.started, exchanges, finding, reason, operation_name(transaction.url))
