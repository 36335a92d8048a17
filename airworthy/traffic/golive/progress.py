"""What traffic shows of the items of the go-live list, in bounded memory; parts of the traffic merge in any order."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Literal

from airworthy.contract import Finding
from airworthy.traffic.golive.items import GoLiveItem
from airworthy.traffic.naming import exchange_name

MOST_SIGHTINGS: Final = 5
MOST_VIOLATIONS: Final = 100
"""The largest number of distinct violations of one item, and of warnings: a partner has to know them all."""

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
    status: Status
    progress: ItemProgress = field(default_factory=ItemProgress)

    @property
    def contradictions(self) -> tuple[Finding, ...]:
        """The violations that only the list finds."""
        found = (each.finding for each in self.progress.violations)
        return tuple(each for each in found if each and each.rule == self.item.id)


def first(one: tuple[Sighting, ...], other: tuple[Sighting, ...], most: int = MOST_SIGHTINGS) -> tuple[Sighting, ...]:
    """Return the earliest sightings of both, each root cause and each set of exchanges once."""
    if not other or (len(one) == most and all(each.seen > one[-1].seen for each in other)):
        return one
    kept: dict[object, Sighting] = {}
    for each in sorted((*one, *other), key=lambda sighting: (sighting.seen, sighting.exchanges)):
        kept.setdefault(each.finding.key if each.finding else each.reason or each.exchanges, each)
    return tuple(kept.values())[:most]
