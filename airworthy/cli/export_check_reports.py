"""The result of ``airworthy export-check`` as SARIF 2.1.0 and as an HTML page."""

from typing import Any, Final
from urllib.parse import quote

from airworthy.cli.export_check_output import conclusion, examples, observed
from airworthy.export import ExportFinding, ExportReport
from airworthy.export.check import LISTING
from airworthy.report.sarif import fingerprint, log
from airworthy.report.tables import PageTable, TablesPage, render_tables
from airworthy.traffic.sarif import described

_COLUMNS: Final = ("rule", "finding", "expected", "file", "column", "occurrences")
_RESULTS: Final = {
    0: ("passed", "No violation was found"),
    1: ("failed", "The export violates the documents"),
    3: ("incomplete", "Not everything could be read"),
}


def render_sarif(report: ExportReport) -> bytes:
    """Return the findings as SARIF; what could not be read is a notification."""
    findings = [each for each in report.findings if each.kind == "violation"]
    rules = sorted({each.rule for each in findings})
    notes = (f"{each.file}: {each.message}, {each.count} times" for each in report.findings if each not in findings)
    results = [_result(each, rules.index(each.rule)) for each in findings]
    return log([described(each) for each in rules], results, [*report.interruptions, *notes])


def render_html(report: ExportReport) -> str:
    """Return the result as a page: violations, warnings, what was not read, observations and files."""
    tone, headline = _RESULTS[report.exit_code]
    warnings = [each for each in report.findings if each.soft]
    violations = [each for each in report.findings if each.kind == "violation" and not each.soft]
    unreadable = [each for each in report.findings if each.kind == "unreadable" and not each.soft]
    files = tuple((each.file, each.format or "unknown", f"{each.rows:,}", each.interrupted) for each in report.files)
    tables = (
        PageTable("Violations", _COLUMNS, tuple(map(_row, violations))),
        PageTable("Unreadable rows", _COLUMNS, tuple(map(_row, unreadable))),
        PageTable("Warnings", _COLUMNS, tuple(map(_row, warnings))),
        PageTable("Observations", ("question", "about", "values"), tuple(observed(report))),
        PageTable("Files", ("file", "format", "rows", "not read because"), files),
    )
    result = (("Result", conclusion(report)),)
    return render_tables(TablesPage("content export", report.location, headline, tone, result, (), tables))


def _row(finding: ExportFinding) -> tuple[str, ...]:
    return finding.rule, finding.message, finding.expected, finding.file, finding.column, examples(finding)


def _result(finding: ExportFinding, index: int) -> dict[str, Any]:
    place: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": finding.file}]}
    if finding.file != LISTING:
        region = {"region": {"startLine": finding.line}} if finding.line else {}
        place = {"physicalLocation": {"artifactLocation": {"uri": quote(finding.file)}, **region}}
    subject = f"{finding.column}: " if finding.column else ""
    key = (finding.rule, finding.file, finding.column, finding.message, finding.expected)
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": "warning" if finding.soft else "error",
        "message": {"text": f"{subject}{finding.message}: expected {finding.expected}; {examples(finding)}"},
        "locations": [place],
        "occurrenceCount": finding.count,
        "partialFingerprints": fingerprint(key),
    }
