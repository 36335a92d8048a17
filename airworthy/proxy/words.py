"""What the proxy says in its own words: in headers, in problem documents and at the end."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import orjson

from airworthy.contract import Finding
from airworthy.proxy.judge import is_certain
from airworthy.traffic import Summary
from airworthy.traffic.lines import at_fault
from airworthy.traffic.summary import KINDS

HEADER: Final = "Airworthy-Findings"
PROBLEM: Final = "application/problem+json"
NOT_JUDGED: Final = "judged=?0"
BAD_REQUEST: Final = 400
UNAVAILABLE: Final = 503
_MOST_RULES: Final = 10
_RULE: Final = re.compile(r"[A-Z0-9][A-Z0-9-]*")


def header_value(findings: Sequence[Finding]) -> str:
    """Return the value of `HEADER`: a dictionary of structured fields (RFC 9651), such as ``count=1, violation=1``."""
    counted = Counter(finding.kind for finding in findings)
    kinds = [f"{kind}={counted[kind]}" for kind in KINDS if counted[kind]]
    rules = list(dict.fromkeys(finding.rule for finding in findings if _RULE.fullmatch(finding.rule)))
    listed = " ".join(f'"{rule}"' for rule in rules[:_MOST_RULES])
    return ", ".join([f"count={len(findings)}", *kinds, *([f"rules=({listed})"] if listed else [])])


def refusal(findings: Sequence[Finding], exchange: str) -> bytes:
    """Return the problem document (RFC 9457) for a request that breaks the contract."""
    certain = [finding for finding in findings if is_certain(finding)]
    return _problem(
        BAD_REQUEST,
        "The request breaks the contract",
        f"{certain[0].message} [{certain[0].rule}]",
        exchange,
        findings=[
            {
                "rule": finding.rule,
                "pointer": finding.pointer,
                "message": finding.message,
                "expected": finding.expected,
                "actual": finding.actual,
            }
            for finding in certain
        ],
    )


def unjudged(reason: str, exchange: str) -> bytes:
    """Return the problem document for a request that could not be judged and therefore does not go on."""
    return _problem(UNAVAILABLE, "The request could not be judged", reason, exchange)


def closing_lines(summary: Summary) -> Iterator[str]:
    """Yield what the whole traffic came to, a line each."""
    parts = [f"{summary.judged} judged"]
    parts += [f"{count} not judged ({reason})" for reason, count in summary.not_judged.most_common()]
    parts += [f"{summary.foreign} not the service's"] if summary.foreign else []
    yield f"{summary.seen} exchanges seen: {', '.join(parts)}"
    if summary.unrecorded:
        yield f"the evidence of {summary.unrecorded} exchanges could not be written"
    kinds = ", ".join(f"{summary.kinds[kind]} {kind}" for kind in KINDS if summary.kinds[kind])
    yield f"findings: {kinds or 'none'}"
    for row in summary.rows()[:_MOST_RULES]:
        rule = f" [{row.finding.rule}]" if row.finding.rule else ""
        fault = f"{row.finding.kind} by the {at_fault(row.finding)}"
        yield f"{row.count:>6} x {fault}, {row.operation}: {row.finding.message}{rule}"
    more = len(summary.rows()) - _MOST_RULES
    if more > 0:
        yield f"... and {more} more kinds"
    asked = [item for item in summary.golive.progress() if item.asked]
    if asked:
        missing = ", ".join(item.name for item in asked if not item.done) or "nothing"
        yield f"go-live list: {sum(item.done for item in asked)} of {len(asked)} covered, missing: {missing}"


def _problem(status: int, title: str, detail: str, exchange: str, **more: Any) -> bytes:  # noqa: ANN401  JSON values
    # No type: about:blank, since the rules are what a client would look at.
    return orjson.dumps(
        {"title": title, "status": status, "detail": detail, "instance": f"urn:uuid:{exchange}", **more}
    )
