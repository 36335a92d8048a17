"""Convert a summary to SARIF 2.1.0 for code hosts and editors: https://docs.oasis-open.org/sarif/sarif/v2.1.0/.

Each result is a row of the summary with its number of occurrences, not a single finding.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

import orjson

from airworthy import __version__
from airworthy.contract import Finding
from airworthy.register import rule
from airworthy.report.results import weigh
from airworthy.traffic.lines import at_fault, comparison, plain
from airworthy.traffic.outcome import number
from airworthy.traffic.summary import Summary, SummaryRow, ranked

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS: Final = {"failed": "error", "warning": "warning", "passed": "note"}


def to_sarif(summary: Summary, locations: Mapping[str, tuple[str, int]]) -> bytes:
    """Return the log. ``locations`` maps the ids of example exchanges to their file and entry."""
    rows = [row for row in summary.rows() if row.finding.kind != "unreadable"]
    rules = sorted({row.finding.rule for row in rows})
    notes = [f"Not judged, {number(count, 'time')}: {reason}" for reason, count in ranked(summary.not_judged).items()]
    if summary.unlisted:
        notes.append(f"{number(summary.unlisted, 'finding')} are not listed: there are too many distinct ones")
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {"name": "Airworthy", "version": __version__, "rules": [_rule(each) for each in rules]}
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [
                    {
                        "executionSuccessful": True,
                        "toolExecutionNotifications": [
                            {"level": "warning", "message": {"text": plain(note)}} for note in notes
                        ],
                    }
                ],
                "results": [_result(row, rules.index(row.finding.rule), locations) for row in rows],
            }
        ],
    }
    return orjson.dumps(log, option=orjson.OPT_INDENT_2 | orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE)


def _rule(identifier: str) -> dict[str, Any]:
    found = rule(identifier)
    if found is None:
        return {"id": identifier}
    bound = {"service": "the service", "client": "the client", "both": "the service and the client"}[found.binds]
    return {
        "id": identifier,
        "shortDescription": {"text": found.statement},
        "help": {"text": f"{found.statement}. Source: {found.source}. Binds {bound}. {found.note}".strip()},
        "properties": {"tags": [found.version, found.area]},
    }


def _result(row: SummaryRow, index: int, locations: Mapping[str, tuple[str, int]]) -> dict[str, Any]:
    finding = row.finding
    place = f"{row.operation} {finding.side} {row.place}".strip()
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": plain(place)}]}
    where = locations.get(finding.exchange)
    if where:
        location["physicalLocation"] = {"artifactLocation": {"uri": quote(where[0].replace("\\", "/"))}}
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVELS[weigh(finding)],
        "message": {"text": plain(f"{row.operation}, {finding.side}: {finding.message}{comparison(finding)}")},
        "locations": [location],
        "occurrenceCount": row.count,
        "partialFingerprints": {"place/v1": hashlib.sha256("\0".join(row.key).encode("utf-8", "replace")).hexdigest()},
        "properties": {
            **_details(finding),
            "first": row.first,
            "last": row.last,
            "example": finding.exchange,
            "entry": where[1] if where else None,
        },
    }


def _details(finding: Finding) -> dict[str, str | None]:
    return {
        "kind": finding.kind,
        "class": finding.drift,
        "provenance": plain(finding.provenance),
        "atFault": at_fault(finding),
        "side": finding.side,
        "pointer": plain(finding.pointer),
        "expected": plain(finding.expected),
        "actual": plain(finding.actual),
    }
