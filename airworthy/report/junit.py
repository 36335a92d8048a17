"""Render junit.xml: the scenarios as test cases."""

from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree as ET

from airworthy.evidence.curl_command import curl
from airworthy.report.decision import Decision, decide
from airworthy.report.exchange_view import Records
from airworthy.report.results import Failure, Results, RuleResult, Verdict, weigh
from airworthy.report.violations import violation_line, violations_by_item
from airworthy.text import printable

_LONGEST: Final = 8000

# How a case ends: the name of its element, empty if it passed, and the type or reason.
_Outcome = tuple[str, str]


def render_junit(results: Results, records: Records) -> str:
    """Return the results as JUnit XML: a suite for each area and a case for each scenario, classified by its rule.

    A rule that is violated only in exchanges of other scenarios has a case of its own, as have a rule without scenarios
    and a stale waiver. CI systems hide skipped cases, so an untested rule that prevents a certificate is an error of
    the type ``untested``. Skipped are rules that do not apply, were not selected, or are waived. ``records`` are those
    of the exchanges of failures.
    """
    decision = decide(results)
    root = ET.Element("testsuites", name=_clean(f"airworthy {results.run}"))
    suites: dict[str, ET.Element] = {}

    def add(name: str, case: ET.Element) -> None:
        if name not in suites:
            suites[name] = ET.SubElement(root, "testsuite", name=name, timestamp=results.started.isoformat())
        suites[name].append(case)

    for rule in results.rules:
        for case in _cases(rule, results, decision, records):
            add(_clean(f"{rule.version} {rule.area}"), case)
    for block in decision.blocks:
        for name in block.rules if block.cause == "stale waiver" else ():
            add("waivers", _case(name, "waiver", ("failure", block.cause), block.reason))
    for suite in suites.values():
        _count(suite)
    _count(root)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _cases(rule: RuleResult, results: Results, decision: Decision, records: Records) -> Iterator[ET.Element]:
    violations = violations_by_item(results).get(rule.id, ())
    for scenario in rule.scenarios:
        message, text = scenario.reason or rule.reason, rule.instructions
        if failure := scenario.failure:
            message, text = failure.message, _text(rule, failure, records)
        text = "\n".join([text, *map(violation_line, violations)])
        case = _case(rule.id, scenario.name, _outcome(rule, scenario.verdict, decision), message, text)
        case.set("time", f"{scenario.duration:.3f}")
        yield case
    if any(scenario.verdict == rule.verdict for scenario in rule.scenarios):
        return
    findings = [
        each for each in results.findings if each.finding.rule == rule.id and weigh(each.finding) == rule.verdict
    ]
    outcome = _outcome(rule, rule.verdict, decision)
    if findings:
        text = "\n\n".join(
            f"{_text(rule, results.failure_of(each.finding), records)}\nOccurrences: {each.count}" for each in findings
        )
        yield _case(rule.id, "exchanges of other scenarios", outcome, findings[0].finding.message, text)
    elif not rule.scenarios:
        yield _case(rule.id, rule.statement, outcome, rule.reason, rule.instructions)


def _outcome(rule: RuleResult, verdict: Verdict, decision: Decision) -> _Outcome:
    waiver = next((each for each in decision.waived if each.rule == rule.id), None)
    match verdict:
        case "failed" | "untested" if waiver:
            return "skipped", f"{verdict}, but waived by {waiver.owner} until {waiver.expires}"
        case "failed" | "error":
            return ("failure" if verdict == "failed" else "error"), verdict
        case "untested" if any(rule.id in block.all_rules for block in decision.blocks):
            return "error", "untested"
        case "untested" | "not_applicable":
            return "skipped", verdict.replace("_", " ")
        case "warning":
            return "system-out", "warning"
        case _:
            return "", ""


def _case(rule: str, name: str, outcome: _Outcome, message: str, text: str = "") -> ET.Element:
    case = ET.Element("testcase", classname=_clean(rule), name=_clean(name), time="0")
    element, kind = outcome
    explained = _clean(message if kind in ("failed", "error", "stale waiver") else f"{kind}: {message}")
    match element:
        case "failure" | "error":
            # Some systems show only the text of the element.
            said = text if message in text else f"{message}\n{text}".strip()
            ET.SubElement(case, element, message=explained, type=kind).text = _clean(said)
        case "skipped":
            ET.SubElement(case, "skipped", message=explained).text = explained
        case "system-out":
            ET.SubElement(case, "system-out").text = _clean(f"{explained}\n{text}")
    return case


def _text(rule: RuleResult, failure: Failure, records: Records) -> str:
    record = records.get(failure.exchange)
    fields = {
        "Rule": f"{rule.id}: {rule.statement}",
        "Source": rule.cited,
        "Steps": "".join(f"\n  {step}" for step in failure.steps),
        "Defect": failure.message,
        "Expected": failure.expected,
        "Actual": failure.actual,
        "Where": f"{failure.side} {failure.pointer}".strip(),
        "Exchange": failure.exchange,
        "Repeat with": curl(record) if record else "",
    }
    return "\n".join(f"{name}: {text}" for name, text in fields.items() if text)


def _count(element: ET.Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
    element.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")


def _clean(text: str) -> str:
    """Shorten text, and escape the characters that XML does not allow and those that a reader cannot see."""
    return printable(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…", keep="\t\n\r")
