"""Record what exchanges show of the items of the go-live list, by item and version."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final, NamedTuple

from airworthy.contract import Finding
from airworthy.contract.contract import SERVED
from airworthy.contract.transaction import Transaction
from airworthy.traffic.golive.findings import EVERY_REQUEST
from airworthy.traffic.golive.progress import ItemProgress, Sighting

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
        self._progress: dict[Key, ItemProgress] = {}
        # Most requests show nothing new: they are only counted, until somebody asks.
        self._first_requests: dict[str, datetime] = {}
        self._further_requests: Counter[str] = Counter()
        self._taken: dict[Key, int] = {}
        self.revision = 0
        """Changes whenever something is shown that was not shown before."""

    @property
    def entries(self) -> Mapping[Key, ItemProgress]:
        """The progress by item and version; the version is `ALL` for what concerns all of them."""
        self._count_further_requests()
        return self._progress

    def of(self, item: str, version: str) -> ItemProgress:
        """Return what the traffic shows of an item for a version."""
        entries = self.entries
        return entries.get((item, version), _NOTHING) + entries.get((item, ALL), _NOTHING)

    def examined(self, item: str, version: str) -> int:
        """Return the number of exchanges of a version that an item was judged by."""
        return self.entries.get((item, version), _NOTHING).examined

    def add(self, item: str, version: str, progress: ItemProgress) -> None:
        """Add what some exchanges, or another part of the traffic, show of an item."""
        known = self._progress.get((item, version))
        progress = known + progress if known else progress
        if item in EVERY_REQUEST:
            # Any request shows these items: the first one is enough as a proof.
            progress = replace(progress, proofs=progress.proofs[:1])
        if known is None or progress.sightings != known.sightings:
            self.revision += 1
        self._progress[item, version] = progress

    def take(self) -> Mapping[Key, ItemProgress]:
        """Return the progress, with the counts since the previous call, so that what is taken can be added up."""
        taken = {}
        for key, progress in self.entries.items():
            taken[key] = replace(progress, examined=progress.examined - self._taken.get(key, 0))
            self._taken[key] = progress.examined
        return taken

    def examine(self, transaction: Transaction) -> None:
        """Record a request that was judged, which shows the items about every request."""
        version, seen = transaction.url.version, transaction.started
        if version in self._first_requests and self._first_requests[version] <= seen:
            self._further_requests[version] += 1
            return
        self._first_requests[version] = seen
        proof = Sighting(seen, (transaction.exchange.id,))
        for item in EVERY_REQUEST:
            self.add(item, version, ItemProgress(proofs=(proof,), examined=1))

    def show(self, transaction: Transaction, item: str, *earlier: str) -> None:
        """Record that an exchange, after earlier ones, shows an item."""
        proof = Sighting(transaction.started, _ids(transaction, earlier))
        self.add(item, transaction.url.version, ItemProgress(proofs=(proof,), examined=1))

    def contradict(self, transaction: Transaction, item: str, what: Contradiction, *earlier: str) -> None:
        """Record a violation by the client that only the list finds."""
        finding = Finding(item, "violation", "request", *what, exchange=transaction.exchange.id)
        sighting = Sighting(transaction.started, _ids(transaction, earlier), finding, what.message)
        version = transaction.url.version
        self.add(item, version if version in SERVED else ALL, ItemProgress(violations=(sighting,)))

    def skip(self, entry: str, reason: str, seen: datetime | None = None) -> None:
        """Record that something could not be read: it may contradict every item about requests."""
        seen = seen or datetime.fromtimestamp(0, UTC)
        gap = Sighting(seen, (entry,), reason=reason)
        for item in EVERY_REQUEST:
            self.add(item, ALL, ItemProgress(gaps=(gap,)))

    def _count_further_requests(self) -> None:
        for version, count in self._further_requests.items():
            for item in EVERY_REQUEST:
                known = self._progress[item, version]
                self._progress[item, version] = replace(known, examined=known.examined + count)
        self._further_requests.clear()


def _ids(transaction: Transaction, earlier: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*filter(None, earlier), transaction.exchange.id)))
