"""Make findings of defects and drifts."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.body import Body
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.findings.drift import Drift
from airworthy.contract.findings.finding import Finding, Kind, Side
from airworthy.contract.http.transaction import Transaction

MOST_FINDINGS = 100
_RULES = {"unknown-field": "UNKNOWN-FIELDS", "unknown-operation": "OPERATIONS"}

Key = tuple[str, str, str, str]


def findings(
    transaction: Transaction, side: Side, defects: Iterable[Defect], drifts: Iterable[Drift]
) -> Iterator[Finding]:
    """Yield the findings on one side of an exchange: violations first, then drift."""
    for defect in defects:
        yield violation(transaction, side, defect)
    for drift in drifts:
        yield drifting(transaction, side, transaction.rule(_RULES.get(drift.kind, "CURRENT-REVISION")), drift)


def unread(transaction: Transaction, side: Side, body: Body, rule: str) -> Iterator[Finding]:
    """Yield a finding for a body that could not be judged."""
    if not body.readable and not body.broken:
        yield Finding(
            rule, "unreadable", side, "", body.problem, "a body that can be judged", "", transaction.exchange.id
        )


def violation(transaction: Transaction, side: Side, defect: Defect) -> Finding:
    """Return a defect as a finding."""
    kind: Kind = "deprecated" if defect.deprecated else "violation"
    return replace(_finding(transaction, side, defect.rule, kind, defect), soft=defect.soft, earlier=defect.earlier)


def drifting(transaction: Transaction, side: Side, rule: str, drift: Drift) -> Finding:
    """Return a drift as a finding; a tolerable one only warns."""
    made = _finding(transaction, side, rule, "drift", drift)
    return replace(made, drift=drift.kind, provenance=drift.provenance, soft=drift.tolerable)


def _finding(transaction: Transaction, side: Side, rule: str, kind: Kind, found: Defect | Drift) -> Finding:
    expected, actual = (text[: wording.LONGEST] for text in (found.expected, found.actual))
    return Finding(rule, kind, side, found.pointer, found.message, expected, actual, transaction.exchange.id)


def collapsed(findings: Iterable[Finding]) -> list[Finding]:
    """Return one finding for the same defect in many items of an array, firm if any is, at most `MOST_FINDINGS`."""
    first: dict[Key, Finding] = {}
    places: dict[Key, set[str]] = {}
    for finding in findings:
        if finding.key not in first or (first[finding.key].soft and not finding.soft):
            first[finding.key] = finding
        places.setdefault(finding.key, set()).add(finding.pointer)
    counted = [
        replace(finding, message=with_count(finding.message, len(places[key]) - 1)) for key, finding in first.items()
    ]
    return counted[:MOST_FINDINGS]


def with_count(message: str, more: int) -> str:
    """Return a message with the number of further locations."""
    return f"{message} (and {more} more {'location' if more == 1 else 'locations'})" if more else message
