"""What the proxy adds to responses, and the responses that it sends itself."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import orjson

from airworthy.contract import Finding
from airworthy.proxy.traffic_judge import is_blocking
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
    counts = Counter(finding.kind for finding in findings)
    kinds = [f"{kind}={counts[kind]}" for kind in KINDS if counts[kind]]
    rules = list(dict.fromkeys(finding.rule for finding in findings if _RULE.fullmatch(finding.rule)))
    listed = " ".join(f'"{rule}"' for rule in rules[:_MOST_RULES])
    return ", ".join([f"count={len(findings)}", *kinds, *([f"rules=({listed})"] if listed else [])])


def violation_problem(findings: Sequence[Finding], exchange: str) -> bytes:
    """Return the problem document (RFC 9457) for a request that violates the contract."""
    blocking = [finding for finding in findings if is_blocking(finding)]
    return _problem(
        BAD_REQUEST,
        "The request violates the contract",
        f"{blocking[0].message} [{blocking[0].rule}]",
        exchange,
        findings=[
            {
                "rule": finding.rule,
                "pointer": finding.pointer,
                "message": finding.message,
                "expected": finding.expected,
                "actual": finding.actual,
            }
            for finding in blocking
        ],
    )


def refusal_problem(reason: str, exchange: str) -> bytes:
    """Return the problem document for a request that is rejected because it is not exactly as documented."""
    return _problem(BAD_REQUEST, "Only documented requests that conform are forwarded", reason, exchange)


def not_judged_problem(reason: str, exchange: str) -> bytes:
    """Return the problem document for a request that is rejected because the judge fails."""
    return _problem(UNAVAILABLE, "The request could not be judged", reason, exchange)


def _problem(status: int, title: str, detail: str, exchange: str, **more: Any) -> bytes:  # noqa: ANN401  JSON values
    # Without a type, which means about:blank: the rules identify the problem.
    return orjson.dumps(
        {"title": title, "status": status, "detail": detail, "instance": f"urn:uuid:{exchange}", **more}
    )
