"""Every distinct violation of a partner is named once, wherever its refusal is shown."""

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

from airworthy.cli.certification import Certification
from airworthy.cli.certify import partner_lines
from airworthy.contract.findings.finding import Finding
from airworthy.report.junit import render_junit
from airworthy.report.page import render_html
from airworthy.report.pdf import render_pdf
from airworthy.report.results import FindingCount, Results, failure_of
from airworthy.report.sarif import render_sarif
from airworthy.report.summary import render_markdown

from .sample import partner
from .test_pdf import text_of

NUMBER = 12
FIRST = "V4-0 at /0/adults: 0 is wrong (expected 1); in exchange x0"
SECOND = "V4-1 at /1/adults: 1 is wrong (expected one); 1,200 times, first in exchange x1"


def refused() -> Results:
    """Return the results of a partner one of whose items has many violations, and the second of them many times."""
    found = [
        Finding(f"V4-{each}", "violation", "request", f"/{each}/adults", f"{each} is wrong", "1", "", f"x{each}")
        for each in range(NUMBER)
    ]
    found[1] = replace(found[1], expected="one")
    results = partner()
    *others, item = results.rules
    scenario = replace(item.scenarios[0], findings=tuple(found), failure=failure_of(found[0]))
    counted = (FindingCount(found[1], 1000), FindingCount(found[1], 200))
    return replace(results, rules=(*others, replace(item, scenarios=(scenario,))), findings=counted)


def test_every_violation_is_named_once(tmp_path: Path) -> None:
    results = refused()
    terminal = list(partner_lines(Certification(results, tmp_path, 1)))
    start = terminal.index("violated: No order is confirmed twice [GOLIVE-3]") + 1
    assert terminal[start : start + 2] == [f"  {FIRST}", f"  {SECOND}"]
    assert terminal[start + 10] == "  and 2 more in report.html"
    assert terminal[-2].startswith("Correct the client, then record anew")
    summary = render_markdown(results, {})
    assert f"   - `{SECOND}`\n" in summary
    assert "   - `and 2 more in report.html`\n" in summary
    assert SECOND in text_of(render_pdf(results))

    page = render_html(results, {})
    [item] = re.findall(
        r'<details class="rule failed" id="rule-GOLIVE-3".*?(?=<details class="rule|<section)', page, re.S
    )
    assert [item.count(f">V4-{each}</span>") for each in range(NUMBER)] == [1] * NUMBER
    assert "1200 times" in item
    [failure] = ET.fromstring(render_junit(results, {})).iter("failure")  # noqa: S314
    assert SECOND in str(failure.text)
    assert str(failure.text).splitlines()[-1].startswith("V4-11 ")
    [run] = json.loads(render_sarif(results))["runs"]
    listed = [each for each in run["results"] if each["ruleId"] == "GOLIVE-3"]
    assert [each["message"]["text"] for each in listed[:2]] == ["V4-0: 0 is wrong", "V4-1: 1 is wrong"]
    assert [each["occurrenceCount"] for each in listed] == [1, 1200, *[1] * (NUMBER - 2)]
