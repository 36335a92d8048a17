"""junit.xml: the scenarios as test cases, for tools that read nothing else."""

import re
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree as ET

from airworthy.evidence import curl
from airworthy.report.exhibits import Records
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
    """Return the results as JUnit XML: a suite for each area, a case for each scenario, named by its rule.

    A rule that the contract found broken in the exchanges of other scenarios has a case of its own, and a rule
    without scenarios a skipped one. ``records`` are those of the exchanges that failures refer to.
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
        case = _case(rule, scenario.name, scenario.verdict, *_told(rule, scenario, records))
        case.set("time", f"{scenario.duration:.3f}")
        yield case
    if any(scenario.verdict == rule.verdict for scenario in rule.scenarios):
        return
    against = [
        each for each in results.findings if each.finding.rule == rule.id and weigh(each.finding) == rule.verdict
    ]
    if against:
        text = "\n\n".join(_finding(rule, each, records) for each in against)
        yield _case(rule, "the exchanges of other scenarios", rule.verdict, against[0].finding.message, text)
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


def _told(rule: RuleResult, scenario: ScenarioResult, records: Records) -> tuple[str, str]:
    failure = scenario.failure
    if failure is None:
        return scenario.reason, ""
    return failure.message, _text(rule, failure, records)


def _finding(rule: RuleResult, counted: FindingCount, records: Records) -> str:
    return f"{_text(rule, failure_of(counted.finding), records)}\nTimes: {counted.count}"


def _text(rule: RuleResult, failure: Failure, records: Records) -> str:
    record = records.get(failure.exchange)
    told = {
        "Rule": f"{rule.id}: {rule.statement}",
        "Source": rule.source,
        "Steps": "".join(f"\n  {step}" for step in failure.steps),
        "Why": failure.message,
        "Expected": failure.expected,
        "Actual": failure.actual,
        "Where": f"{failure.side} {failure.pointer}".strip(),
        "Exchange": failure.exchange,
        "Repeat": curl(record.exchange) if record else "",
    }
    return "\n".join(f"{name}: {text}" for name, text in told.items() if text)


def _count(element: ET.Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
    element.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")


def _clean(text: str) -> str:
    """Replace what XML cannot hold, and bound the text."""
    return _NOT_XML.sub("\ufffd", text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
