"""Render junit.xml: the scenarios as test cases."""

import re
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree as ET

from airworthy.evidence import curl
from airworthy.report.exchange_view import Records
from airworthy.report.results import (
    Failure,
    FindingCount,
    Results,
    RuleResult,
    ScenarioResult,
    Verdict,
    failure_of,
    weigh,
)

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST: Final = 8000


def render_junit(results: Results, records: Records) -> str:
    """Return the results as JUnit XML: a suite for each area and a case for each scenario, classified by its rule.

    A rule that is violated only in exchanges of other scenarios has a case of its own, and a rule without scenarios has
    a skipped case. ``records`` are those of the exchanges of failures.
    """
    root = ET.Element("testsuites", name=_clean(f"airworthy {results.run}"))
    suites: dict[str, ET.Element] = {}
    for rule in results.rules:
        name = _clean(f"{rule.version} {rule.area}")
        if name not in suites:
            suites[name] = ET.SubElement(root, "testsuite", name=name, timestamp=results.started.isoformat())
        for case in _cases(rule, results, records):
            suites[name].append(case)
    for suite in suites.values():
        _count(suite)
    _count(root)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _cases(rule: RuleResult, results: Results, records: Records) -> Iterator[ET.Element]:
    for scenario in rule.scenarios:
        case = _case(rule, scenario.name, scenario.verdict, *_message_and_text(rule, scenario, records))
        case.set("time", f"{scenario.duration:.3f}")
        yield case
    if any(scenario.verdict == rule.verdict for scenario in rule.scenarios):
        return
    findings = [
        each for each in results.findings if each.finding.rule == rule.id and weigh(each.finding) == rule.verdict
    ]
    if findings:
        text = "\n\n".join(_finding(rule, each, records) for each in findings)
        yield _case(rule, "exchanges of other scenarios", rule.verdict, findings[0].finding.message, text)
    elif not rule.scenarios:
        yield _case(rule, rule.statement, rule.verdict, rule.reason, "")


def _case(rule: RuleResult, name: str, verdict: Verdict, message: str, text: str) -> ET.Element:
    case = ET.Element("testcase", classname=_clean(rule.id), name=_clean(name), time="0")
    match verdict:
        case "failed" | "error":
            tag = "failure" if verdict == "failed" else "error"
            ET.SubElement(case, tag, message=_clean(message), type=verdict).text = _clean(text)
        case "untested" | "not_applicable":
            ET.SubElement(case, "skipped", message=_clean(f"{verdict.replace('_', ' ')}: {message}"))
        case "warning":
            ET.SubElement(case, "system-out").text = _clean(f"warning: {message}\n{text}")
        case "passed":
            pass
    return case


def _message_and_text(rule: RuleResult, scenario: ScenarioResult, records: Records) -> tuple[str, str]:
    failure = scenario.failure
    if failure is None:
        return scenario.reason, ""
    return failure.message, _text(rule, failure, records)


def _finding(rule: RuleResult, counted: FindingCount, records: Records) -> str:
    return f"{_text(rule, failure_of(counted.finding), records)}\nOccurrences: {counted.count}"


def _text(rule: RuleResult, failure: Failure, records: Records) -> str:
    record = records.get(failure.exchange)
    fields = {
        "Rule": f"{rule.id}: {rule.statement}",
        "Source": rule.source,
        "Steps": "".join(f"\n  {step}" for step in failure.steps),
        "Defect": failure.message,
        "Expected": failure.expected,
        "Actual": failure.actual,
        "Where": f"{failure.side} {failure.pointer}".strip(),
        "Exchange": failure.exchange,
        "Repeat with": curl(record.exchange) if record else "",
    }
    return "\n".join(f"{name}: {text}" for name, text in fields.items() if text)


def _count(element: ET.Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
    element.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")


def _clean(text: str) -> str:
    """Replace characters that XML does not allow, and shorten the text."""
    return _NOT_XML.sub("\ufffd", text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
