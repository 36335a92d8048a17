"""What the proxy adds to responses, and the responses that it sends itself."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import orjson

from airworthy.contract import Finding
from airworthy.traffic.summary import KINDS, counted_kind

HEADER: Final = "Airworthy-Findings"
PROBLEM: Final = "application/problem+json"
NOT_JUDGED: Final = "judged=?0"
_MOST_RULES: Final = 10
_RULE: Final = re.compile(r"[A-Z0-9][A-Z0-9-]*")


def header_value(findings: Sequence[Finding]) -> str:
    """Return the value of `HEADER`: a dictionary of structured fields (RFC 9651), such as ``count=1, violation=1``."""
    counts = Counter(map(counted_kind, findings))
    kinds = [f"{kind}={counts[kind]}" for kind in KINDS if counts[kind]]
    rules = list(dict.fromkeys(finding.rule for finding in findings if _RULE.fullmatch(finding.rule)))
    listed = " ".join(f'"{rule}"' for rule in rules[:_MOST_RULES])
    return ", ".join([f"count={len(findings)}", *kinds, *([f"rules=({listed})"] if listed else [])])


def problem_document(status: int, title: str, detail: str, exchange: str, findings: Iterable[Finding]) -> bytes:
    """Return the problem document (RFC 9457) for a rejected request, with the ``findings`` that are the reason."""
    # Without a type, which means about:blank: the rules identify the problem.
    document = {"title": title, "status": status, "detail": detail, "instance": f"urn:uuid:{exchange}"}
    members = ("rule", "pointer", "message", "expected", "actual")
    listed = [{name: getattr(finding, name) for name in members} for finding in findings]
    return orjson.dumps(document | ({"findings": listed} if listed else {}))
