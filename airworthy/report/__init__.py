"""The results of a run, the decision on them, and the report files."""

from airworthy.report.decision import BlockingReason, Decision, decide, stale_waivers
from airworthy.report.document import from_json, load_results, to_json
from airworthy.report.pdf import SignatureFacts, require_pdf
from airworthy.report.results import (
    Capability,
    Failure,
    FindingCount,
    Integrity,
    LedgerEntry,
    Observation,
    Results,
    RuleResult,
    ScenarioResult,
    Scope,
    Timing,
    Tool,
    Verdict,
    Wait,
    Waiver,
    count_findings,
    verdict_of,
    weigh,
)
from airworthy.report.write import rewrite_reports, write_pdf, write_reports

__all__ = [
    "BlockingReason",
    "Capability",
    "Decision",
    "Failure",
    "FindingCount",
    "Integrity",
    "LedgerEntry",
    "Observation",
    "Results",
    "RuleResult",
    "ScenarioResult",
    "Scope",
    "SignatureFacts",
    "Timing",
    "Tool",
    "Verdict",
    "Wait",
    "Waiver",
    "count_findings",
    "decide",
    "from_json",
    "load_results",
    "require_pdf",
    "rewrite_reports",
    "stale_waivers",
    "to_json",
    "verdict_of",
    "weigh",
    "write_pdf",
    "write_reports",
]
