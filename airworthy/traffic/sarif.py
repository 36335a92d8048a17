"""Convert a summary to SARIF 2.1.0 for code hosts and editors: https://docs.oasis-open.org/sarif/sarif/v2.1.0/.

Each result is a row of the summary with its number of occurrences, not a single finding.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from airworthy.register import rule
from airworthy.report.results import weigh
from airworthy.report.sarif import LEVELS, descriptor, located, log, result
from airworthy.report.violations import comparison
from airworthy.traffic.lines import at_fault
from airworthy.traffic.summary import Example, Summary, SummaryRow, number, ranked


def to_sarif(summary: Summary, locations: Mapping[Example, tuple[str, int]]) -> bytes:
    """Return the log. ``locations`` maps example exchanges to their file and entry."""
    rows = [row for row in summary.rows() if row.finding.kind != "unreadable"]
    rules = sorted({row.finding.rule for row in rows})
    notes = [f"Not judged, {number(count, 'time')}: {reason}" for reason, count in ranked(summary.not_judged).items()]
    if summary.unlisted:
        notes.append(f"{number(summary.unlisted, 'finding')} are not listed: there are too many distinct ones")
    return log([described(each) for each in rules], (_result(row, locations) for row in rows), notes)


def described(identifier: str) -> dict[str, Any]:
    """Return a rule of the register as the log describes it."""
    found = rule(identifier)
    if found is None:
        return {"id": identifier}
    tags = found.version, found.area
    return descriptor(identifier, found.statement, found.cited, found.binds, tags, note=found.note)


def _result(row: SummaryRow, locations: Mapping[Example, tuple[str, int]]) -> dict[str, Any]:
    finding = row.finding
    place = f"{row.operation} {finding.side} {row.place}".strip()
    file, entry = locations.get(row.example, ("", None))
    location = located(place, quote(file.replace("\\", "/")))
    text = f"{row.operation}, {finding.side}: {finding.message}{comparison(finding)}"
    related = {"relatedLocations": [located(f"exchange {finding.earlier}")]} if finding.earlier else {}
    return result(finding.rule, LEVELS[weigh(finding)], text, location, count=row.count, identity=row.key) | {
        **related,
        "properties": {
            "kind": finding.kind,
            "class": finding.drift,
            "provenance": finding.provenance,
            "atFault": at_fault(finding),
            **{name: getattr(finding, name) for name in ("side", "pointer", "expected", "actual")},
            "first": row.first,
            "last": row.last,
            "example": finding.exchange,
            "entry": entry,
        },
    }
