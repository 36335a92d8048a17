"""From what is wrong with a message to findings in words that every reader shows alike."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from airworthy.contract import wording
from airworthy.contract.body import Body
from airworthy.contract.drift import Drift
from airworthy.contract.finding import Finding, Side
from airworthy.contract.shape import Breach
from airworthy.contract.transaction import Message

MOST_FINDINGS = 100

Key = tuple[str, str, str, str]


def findings(message: Message, side: Side, breaches: Iterable[Breach], drifts: Iterable[Drift]) -> Iterator[Finding]:
    """Yield the findings of one side of an exchange: what is wrong, then what drifts."""
    for breach in breaches:
        yield violation(message, side, breach)
    for drift in drifts:
        unknown = drift.kind == "unknown-field"
        yield drifting(message, side, message.rule("UNKNOWN-FIELDS" if unknown else "CURRENT-REVISION"), drift)


def unread(message: Message, side: Side, body: Body, rule: str) -> Iterator[Finding]:
    """Yield what could not be judged, and why."""
    if not body.readable and not body.broken:
        yield Finding(rule, "unreadable", side, "", body.problem, "a body that can be judged", "", message.exchange.id)


def violation(message: Message, side: Side, breach: Breach) -> Finding:
    """Return the finding of a breach."""
    return Finding(
        rule=breach.rule,
        kind="deprecated" if breach.deprecated else "violation",
        side=side,
        pointer=breach.pointer,
        message=breach.message,
        expected=breach.expected[: wording.LONGEST],
        actual=breach.actual[: wording.LONGEST],
        exchange=message.exchange.id,
        soft=breach.soft,
    )


def drifting(message: Message, side: Side, rule: str, drift: Drift) -> Finding:
    """Return the finding of a drift; one that is tolerable only warns, and an unknown field is but a note."""
    return Finding(
        rule=rule,
        kind="drift",
        side=side,
        pointer=drift.pointer,
        message=drift.message,
        expected=drift.expected[: wording.LONGEST],
        actual=drift.actual[: wording.LONGEST],
        exchange=message.exchange.id,
        drift=drift.kind,
        provenance=drift.provenance,
        soft=drift.tolerable,
    )


def collapsed(findings: Iterable[Finding]) -> list[Finding]:
    """Return one finding for what is wrong in the same way at many places of an array."""
    first: dict[Key, Finding] = {}
    places: dict[Key, set[str]] = {}
    for finding in findings:
        first.setdefault(finding.key, finding)
        places.setdefault(finding.key, set()).add(finding.pointer)
    counted = [
        replace(finding, message=with_count(finding.message, len(places[key]) - 1)) for key, finding in first.items()
    ]
    return counted[:MOST_FINDINGS]


def with_count(message: str, more: int) -> str:
    """Say at how many more places the same is wrong."""
    places = "place" if more == 1 else "places"
    return f"{message} (and at {more} more {places})" if more else message
