"""Writes what was found on the flow: a comment, a marker, and the findings as metadata."""

from collections.abc import Sequence
from dataclasses import asdict

from mitmproxy import ctx, hooks, http

from airworthy.contract import Finding
from airworthy.proxy.wire import Verdict

FINDINGS = "airworthy_findings"
VIOLATION, WARNING, UNREADABLE = ":x:", ":warning:", ":grey_question:"


class Marking:
    """Marks flows with findings; what a user has marked or written stays."""

    def airworthy_verdict(self, flow: http.HTTPFlow, verdict: Verdict) -> None:
        if not verdict.findings:
            return
        flow.comment = "\n".join(filter(None, (flow.comment, *verdict.lines)))
        flow.marked = flow.marked or marker(verdict.findings)
        flow.metadata[FINDINGS] = [asdict(finding) for finding in verdict.findings]
        ctx.master.addons.trigger(hooks.UpdateHook([flow]))


def marker(findings: Sequence[Finding]) -> str:
    """Return the marker for the worst of some findings."""
    if any(finding.kind == "violation" and not finding.soft for finding in findings):
        return VIOLATION
    return UNREADABLE if all(finding.kind == "unreadable" for finding in findings) else WARNING
