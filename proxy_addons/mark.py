"""Mark flows with their findings: a marker, a comment, and metadata."""

from collections.abc import Sequence
from dataclasses import asdict

from mitmproxy import ctx, hooks, http

from airworthy.contract import Finding
from airworthy.proxy.messages import JudgeResult

FINDINGS = "airworthy_findings"
VIOLATION, WARNING, UNREADABLE = ":x:", ":warning:", ":grey_question:"


class MarkFlows:
    """Marks flows that have findings, and keeps the user's markers and comments."""

    def airworthy_judged(self, flow: http.HTTPFlow, result: JudgeResult) -> None:
        if not result.findings:
            return
        flow.comment = "\n".join(filter(None, (flow.comment, *result.lines)))
        flow.marked = flow.marked or marker(result.findings)
        flow.metadata[FINDINGS] = [asdict(finding) for finding in result.findings]
        ctx.master.addons.trigger(hooks.UpdateHook([flow]))


def marker(findings: Sequence[Finding]) -> str:
    """Return the marker for the most serious of some findings."""
    if any(finding.kind == "violation" and not finding.soft for finding in findings):
        return VIOLATION
    return UNREADABLE if all(finding.kind == "unreadable" for finding in findings) else WARNING
