"""Record what exchanges show of the items of the go-live list, by item and version."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple

from airworthy.contract import Finding
from airworthy.contract.http.operations import SERVED
from airworthy.contract.http.transaction import Transaction
from airworthy.traffic.golive.findings import EVERY_REQUEST
from airworthy.traffic.golive.progress import MOST_SIGHTINGS, ItemProgress, Sighting
from airworthy.traffic.naming import UNKNOWN_TIME, operation_name

ALL: Final = ""
"""Stands for all versions: exchanges with the payment provider, and findings about the choice of the version."""

Key = tuple[str, str]
_NOTHING: Final = ItemProgress()


class Contradiction(NamedTuple):
    """What contradicts an item, with the members of a `Finding`."""

    pointer: str
    message: str
    expected: str
    actual: str


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

    def contradict(self, transaction: Transaction, item: str, what: Contradiction, *earlier: str) -> None:
        """Record a violation by the client that only the list finds."""
        finding = Finding(item, "violation", "request", *what, exchange=transaction.exchange.id)
        if len(self.contradictions) < MOST_SIGHTINGS:
            self.contradictions.append(finding)
        version = transaction.url.version
        violations = (_sighting(transaction, earlier, finding, what.message),)
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
