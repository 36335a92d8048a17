"""Runs and findings to compare."""

from datetime import UTC, datetime
from typing import Any, Final

from airworthy.contract.findings.finding import Finding
from airworthy.report import Results, RuleResult, ScenarioResult, Scope, Tool
from airworthy.report.results import Verdict

MORNING: Final = datetime(2026, 11, 21, 8, 30, tzinfo=UTC)
HOSTILE: Final = "<script>alert(1)</script>\x00\x1b[31m\u202e@team`|`\r\n# h"
PASSED: Final = ScenarioResult("A search", "passed")
DRIFT: Final = Finding(
    rule="V4-CURRENT-REVISION",
    kind="drift",
    side="response",
    pointer="/offers/0/connectivityStandard",
    message="connectivityStandard is a name of an earlier revision",
    expected="a documented field",
    actual="present",
    exchange="x0002",
    drift="earlier-revision",
    provenance="an earlier revision of v4",
)


def rule(identifier: str, verdict: Verdict, *scenarios: ScenarioResult, reason: str = "") -> RuleResult:
    return RuleResult(identifier, "v4", "Area", "Statement", "v4, Limits", "service", verdict, reason, scenarios)


def run(*rules: RuleResult, **more: Any) -> Results:  # noqa: ANN401  any member of the results
    members: dict[str, Any] = {
        "run": "20261121-083000",
        "started": MORNING,
        "finished": MORNING,
        "subject": "Example Air",
        "environment": "test",
        "target": "https://service.example",
        "tool": Tool("0.1.0", "3.11.7"),
        "scope": Scope("example.toml", "a" * 64, "b" * 64, "c" * 64, "d" * 64, ("v4",)),
        "rules": rules,
    }
    return Results(**members | more)
